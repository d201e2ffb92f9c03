// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages between device memories by NCCL, or by its stand-in (nccl_stand_in.cpp).
#include <mmm/nccl.cuh>

#include "processes.cuh"

#include <cstdlib>

namespace {

struct numbered {
  template <class On, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Out out, int first, mmm::index n) const {
    on.each(n, [=](auto i) { out[i] = first + static_cast<int>(i); });
  }
};
struct equal_sizes {
  mmm::index all;
  [[nodiscard]] mmm::index words(mmm::index) const { return all; }
};
// Node r sends node s two rows of r + 1 words: consecutive ones at the sender or at the receiver.
struct rows_of_sender {
  mmm::index pitch;
  bool gathered;
  mmm::piece operator()(mmm::index r, mmm::index s) const {
    mmm::index const n = r + 1;
    return {.source = s,
            .target = 2 * pitch * r,
            .words = n,
            .rows = 2,
            .source_pitch = gathered ? pitch : n,
            .target_pitch = gathered ? n : pitch};
  }
};

using node_machine = checks::node_machine;
auto processes() {
  // [nccl]
  auto const on = mmm::mpi::on<mmm::mpi::nccl_memory>(
      MPI_COMM_WORLD, mmm::cuda::on<node_machine>(mmm::threads(64)));
  // [/nccl]
  return on;
}
template <class On>
void number(On& on, int* words, int first, mmm::index n) {
  mmm::run(on, numbered{}, mmm::writes<int>(words, n), first, n);
}
constexpr mmm::index pitch = 16;

// The first n words of each node, and an exchange in which each process needs words of all others.
template <class Nodes>
void exchange_rows(Nodes const& nodes, bool gathered) {
  mmm::index const k = nodes.nodes();
  mmm::index const n = 2 * pitch * k;
  auto const a = nodes.template allocate<int>(equal_sizes{n});
  auto const b = nodes.template allocate<int>(equal_sizes{n});
  auto const beside = nodes.template allocate<int>(equal_sizes{n});
  nodes.each_node([=](auto& local, mmm::index r) {
    number(local, a.part(r), 1000 * static_cast<int>(r), n);
    number(local, b.part(r), -10000, n);
  });
  rows_of_sender const plan{pitch, gathered};
  nodes.exchange(a, b, plan, [=](auto& local, mmm::index r) {
    number(local, beside.part(r), 7 * static_cast<int>(r), n);
  });
  mmm::index const own = checks::own_rank();
  std::vector<int> expected;
  for (int i = 0; i < n; ++i) expected.push_back(-10000 + i);
  for (mmm::index r = 0; r < k; ++r) {
    mmm::piece const p = plan(r, own);
    for (mmm::index row = 0; row < p.rows; ++row)
      for (mmm::index i = 0; i < p.words; ++i)
        expected[static_cast<std::size_t>(p.target + row * p.target_pitch + i)] =
            static_cast<int>(1000 * r + p.source + row * p.source_pitch + i);
  }
  auto const found = nodes.inspect(b);
  bool right = true;
  for (mmm::index i = 0; i < n; ++i)
    right = right && found(own, i) == expected[static_cast<std::size_t>(i)];
  CHECK(right);
  CHECK(nodes.inspect(beside)(own, n - 1) == 7 * own + n - 1);
}

bool is_stand_in() {
  int version = 0;
  static_cast<void>(ncclGetVersion(&version));
  return version == 0;
}

// While a function of the stand-in fails.
struct failing {
  explicit failing(char const* function) { setenv("MMM_NCCL_STAND_IN_FAILS", function, 1); }
  ~failing() { unsetenv("MMM_NCCL_STAND_IN_FAILS"); }
  failing(failing const&) = delete;
  failing& operator=(failing const&) = delete;
};

}  // namespace

TEST_CASE("nccl: rows of a rectangle, consecutive at the sender or at the receiver") {
  auto const on = processes();
  for (bool const gathered : {false, true})
    mmm::mpi::run(on, [=](auto const& nodes) { exchange_rows(nodes, gathered); });
}

TEST_CASE("nccl: broadcasts and reductions of all processes and of groups of one") {
  auto const on = processes();
  mmm::index const k = checks::number_of_processes();
  mmm::index const own = checks::own_rank();
  mmm::mpi::run(on, [=](auto const& nodes) {
    auto const a = nodes.template allocate<int>(equal_sizes{7});
    auto const b = nodes.template allocate<int>(equal_sizes{7});
    nodes.each_node([=](auto& local, mmm::index r) {
      number(local, a.part(r), 10 * static_cast<int>(r), 7);
      number(local, b.part(r), -1000, 7);
    });
    nodes.broadcast(mmm::node_groups{1, 1}, 0, a, b);
    CHECK(nodes.inspect(b)(own, 6) == 10 * own + 6);
    nodes.broadcast(nodes.all_nodes(), k - 1, a, b);
    for (mmm::index i = 0; i < 7; ++i) CHECK(nodes.inspect(b)(own, i) == 10 * (k - 1) + i);
    nodes.reduce(nodes.all_nodes(), 0, a, b, mmm::plus{});
    for (mmm::index i = 0; i < 7; ++i)
      CHECK(nodes.inspect(b)(own, i) == (own == 0 ? 5 * k * (k - 1) + k * i : 10 * (k - 1) + i));
  });
}

TEST_CASE("nccl: errors are exceptions that name the call, and the handle is used again") {
  if (!is_stand_in() || checks::number_of_processes() == 1) return CHECK(true);
  auto const on = processes();
  auto const exchange = [&] {
    mmm::mpi::run(on, [](auto const& nodes) { exchange_rows(nodes, true); });
  };
  auto const broadcast = [&] {
    mmm::mpi::run(on, [](auto const& nodes) {
      auto const a = nodes.template allocate<int>(equal_sizes{7});
      auto const b = nodes.template allocate<int>(equal_sizes{7});
      nodes.each_node([=](auto& local, mmm::index r) { number(local, a.part(r), 0, 7); });
      nodes.broadcast(nodes.all_nodes(), 0, a, b);
    });
  };
  {
    failing const call("ncclGetUniqueId");
    CHECK_THROWS_SAYING(exchange(), mmm::nccl::error,
                        "ncclGetUniqueId failed: internal error (from the stand-in)");
  }
  {
    failing const call("ncclCommInitRank");
    CHECK_THROWS_SAYING(exchange(), mmm::nccl::error, "ncclCommInitRank failed: internal error");
  }
  {  // on one process; the others learn it
    if (checks::own_rank() == 1) setenv("MMM_NCCL_STAND_IN_FAILS", "ncclCommInitRank", 1);
    CHECK_THROWS_SAYING(exchange(), mmm::nccl::error, "ncclCommInitRank failed: internal error");
    unsetenv("MMM_NCCL_STAND_IN_FAILS");
  }
  exchange();
  for (char const* const function : {"ncclSend", "ncclRecv", "ncclGroupEnd"}) {
    failing const call(function);
    CHECK_THROWS_SAYING(exchange(), mmm::nccl::error, std::string(function) + " failed");
  }
  {
    failing const call("ncclBroadcast");
    CHECK_THROWS_SAYING(broadcast(), mmm::nccl::error, "ncclBroadcast failed: internal error");
  }
  exchange();
}

// It ends NCCL's messages of the processes, and runs alone.
TEST_CASE("abort: an asynchronous error ends messages by NCCL") {
  char const* const asked = std::getenv("MMM_CHECKS_ABORT");
  if (asked == nullptr || !is_stand_in() || checks::number_of_processes() == 1) return CHECK(true);
  auto const on = processes();
  auto const exchange = [&] {
    mmm::mpi::run(on, [](auto const& nodes) { exchange_rows(nodes, false); });
  };
  {
    failing const call("asynchronously");
    CHECK_THROWS_SAYING(exchange(), mmm::nccl::error,
                        "a message by NCCL failed: internal error (from the stand-in)");
  }
  CHECK_THROWS_SAYING(exchange(), mmm::nccl::error,
                      "an earlier message by NCCL failed: internal error");
}
