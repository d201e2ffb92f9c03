// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"
#include "processes.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

// The messages that MPI is given, counted by its profiling interface, are those of the model.

namespace {

struct counted_messages {
  mmm::index messages = 0;
  mmm::index bytes = 0;
  mmm::index rounds = 0;  // of agreements: MPI_Sendrecv
};
counted_messages sent;

mmm::index bytes_of(int count, MPI_Datatype type) {
  MPI_Count size = 0;
  MPI_Type_size_x(type, &size);
  return count * size;
}

// The messages of a call on this process.
template <class Call>
counted_messages counted(Call const& call) {
  sent = {};
  call();
  return sent;
}

struct words_on_nodes {
  mmm::index count;
  mmm::index words(mmm::index) const { return count; }
};

}  // namespace

extern "C" {
int MPI_Isend(void const* data, int count, MPI_Datatype type, int receiver, int tag,
              MPI_Comm communicator, MPI_Request* request) {
  ++sent.messages;
  sent.bytes += bytes_of(count, type);
  return PMPI_Isend(data, count, type, receiver, tag, communicator, request);
}
int MPI_Sendrecv(void const* data, int count, MPI_Datatype type, int receiver, int tag, void* words,
                 int room, MPI_Datatype received, int sender, int other_tag, MPI_Comm communicator,
                 MPI_Status* status) {
  ++sent.rounds;
  return PMPI_Sendrecv(data, count, type, receiver, tag, words, room, received, sender, other_tag,
                       communicator, status);
}
}

TEST_CASE("mpi: the messages of exchanges are those that a simulation predicts") {
  mmm::index const k = checks::number_of_processes();
  auto const program = [&](auto const& on) {
    auto const a = on.template allocate<double>(words_on_nodes{100});
    auto const b = on.template allocate<double>(words_on_nodes{100});
    on.each_node([=](auto&, mmm::index r) {
      for (int i = 0; i < 100; ++i) a.part(r)[i] = i;
    });
    on.exchange(a, b, [](mmm::index r, mmm::index s) {  // also to itself
      return mmm::piece{.source = 0, .target = 3 * r, .words = (r + s) % 3};
    });
    on.exchange(b, a, [&](mmm::index r, mmm::index s) {
      return mmm::piece{.source = 1,
                        .target = 0,
                        .words = s == (r + 1) % k ? 2 : 0,
                        .rows = 5,
                        .source_pitch = 10,
                        .target_pitch = 7};
    });
  };
  auto const predicted = checks::simulated([&](auto on) { program(on); });
  auto const found = counted([&] { mmm::mpi::run(checks::processes(), program); });
  auto const& own = predicted.sent[static_cast<std::size_t>(checks::own_rank())];
  CHECK(found.messages == own.messages);
  CHECK(found.bytes == own.words * static_cast<mmm::index>(sizeof(double)));
}

namespace {

// Compares the messages of a call on this process with those of a simulation on whole sequences.
template <class Predicted, class Call>
[[maybe_unused]] void check_messages(Predicted const& predicted, Call const& call) {
  auto const found = counted(call);
  auto const& own = predicted.sent[static_cast<std::size_t>(checks::own_rank())];
  CHECK(found.messages == own.messages);
  CHECK(found.bytes == own.words * static_cast<mmm::index>(sizeof(int)));
}

[[maybe_unused]] std::vector<int> own_rows(std::vector<int> const& whole, mmm::index rows,
                                           mmm::index columns) {
  mmm::block_distribution const blocks(rows, checks::number_of_processes());
  auto const first = whole.begin() + columns * blocks.first(checks::own_rank());
  return {first, first + columns * blocks.words(checks::own_rank())};
}

}  // namespace

TEST_CASE("mpi: the messages of transposes are those of their simulation") {
  for (mmm::index const side : {1, 5, 16}) {
    std::vector<int> whole(static_cast<std::size_t>(side * side), 1);
    std::vector<int> own = own_rows(whole, side, side);
    auto const predicted = checks::simulated(
        [&](auto on) { mmm::transpose_straightforward(on, whole.begin(), side); });
    check_messages(predicted,
                   [&] { mmm::transpose_straightforward(checks::processes(), own.begin(), side); });
  }
}

TEST_CASE("mpi: the messages of convolutions of images are those of their simulation") {
  for (mmm::index const rows : {1, 5, 40})
    for (mmm::index const v : {0, 1, 3}) {
      mmm::shape const image(rows, 6);
      std::vector<int> const whole(static_cast<std::size_t>(image.area()), 1);
      std::vector<int> const kernel(49, 1);
      std::vector<int> result(whole.size());
      auto const predicted = checks::simulated([&](auto on) {
        mmm::image_convolution(on, whole.begin(), image, kernel.begin(), mmm::radius(v),
                               result.begin());
      });
      std::vector<int> const own = own_rows(whole, rows, 6);
      std::vector<int> own_result(own.size());
      check_messages(predicted, [&] {
        mmm::image_convolution(checks::processes(), own.begin(), image, kernel.begin(),
                               mmm::radius(v), own_result.begin());
      });
    }
}

TEST_CASE("mpi: the messages of products in panels are those of their simulation") {
  mmm::index const k = checks::number_of_processes();
  mmm::product_shape const shape(6, 11, 7);
  auto const ones = [](mmm::index n) { return std::vector<int>(static_cast<std::size_t>(n), 1); };
  for (mmm::index rows = 1; rows <= k; ++rows) {
    if (k % rows != 0) continue;
    mmm::node_grid const grid(rows, k / rows);
    for (mmm::index const count : {1, 3, 11}) {
      mmm::inner_panels const panels(count);
      std::vector<int> const a = ones(66), b = ones(77);
      std::vector<int> c = ones(42);
      auto const predicted = checks::simulated([&](auto on) {
        mmm::matrix_multiply(on, a.begin(), b.begin(), shape, c.begin(), mmm::tile(1), grid,
                             panels);
      });
      CHECK(predicted.node_race_count == 0);
      mmm::product_blocks const blocks(shape, grid, panels);
      std::vector<int> const own_a = ones(blocks.left.words(checks::own_rank()));
      std::vector<int> const own_b = ones(blocks.right.words(checks::own_rank()));
      std::vector<int> own_c = ones(blocks.result.words(checks::own_rank()));
      auto const on = checks::processes();
      check_messages(predicted, [&] {
        mmm::matrix_multiply(on, own_a.begin(), own_b.begin(), shape, own_c.begin(), mmm::tile(1),
                             grid, panels);
      });
      CHECK(own_c == std::vector<int>(own_c.size(), 11));
      // an agreement before each panel's exchange, and at the end
      auto const found = counted([&] {
        mmm::matrix_multiply(on, own_a.begin(), own_b.begin(), shape, own_c.begin(), mmm::tile(1),
                             grid, panels);
      });
      CHECK(found.rounds == (count + 1) * mmm::detail::ceil_log2(k));
    }
  }
}

TEST_CASE("mpi: a reduction sends less than twice its words from each process") {
  mmm::index const k = checks::number_of_processes();
  mmm::index const n = 1000;
  auto const on = checks::processes();
  auto const found = counted([&] {
    mmm::mpi::run(on, [&](auto const& nodes) {
      auto const a = nodes.template allocate<int>(words_on_nodes{n});
      auto const b = nodes.template allocate<int>(words_on_nodes{n});
      nodes.each_node([=](auto&, mmm::index r) {
        for (mmm::index i = 0; i < n; ++i) a.part(r)[static_cast<std::ptrdiff_t>(i)] = 1;
      });
      nodes.reduce(nodes.all_nodes(), 0, a, b, mmm::plus{});
    });
  });
  mmm::block_distribution const shares(n, k);
  mmm::index const own = shares.words(checks::own_rank());
  bool const is_root = checks::own_rank() == 0;
  CHECK(found.bytes == 4 * (n - own + (is_root ? 0 : own)));
  CHECK(found.messages == k - 1 + (is_root ? 0 : 1));
}

TEST_CASE("mpi: a sum takes two agreements, a program without operations one") {
  auto const on = checks::processes();
  std::vector<float> const a(10, 1.0F);
  mmm::index const rounds = mmm::detail::ceil_log2(on.nodes());
  CHECK(counted([&] { static_cast<void>(mmm::sum(on, a.begin(), a.end())); }).rounds == 2 * rounds);
  CHECK(counted([&] { mmm::mpi::run(on, [](auto const&) {}); }).rounds == rounds);
}

constexpr mmm::index over_2_31 = (mmm::index{1} << 31) + 3;

// For two processes, each of which needs 2 GiB: run by name.
TEST_CASE("mpi: a message of more than 2^31 words", "[.large]") {
  REQUIRE(checks::number_of_processes() == 2);
  constexpr mmm::index n = over_2_31;
  mmm::mpi::run(checks::processes(), [&](auto const& on) {
    struct on_one_node {
      mmm::index count;
      mmm::index node;
      mmm::index words(mmm::index r) const { return r == node ? count : 0; }
    };
    auto const a = on.template allocate<char>(on_one_node{n, 0});
    auto const b = on.template allocate<char>(on_one_node{n, 1});
    constexpr mmm::index block = mmm::index{1} << 20;
    auto const word = [](mmm::index i) { return static_cast<char>(1 + i / block % 97); };
    on.each_node([&](auto&, mmm::index r) {
      if (r == 0)
        for (mmm::index i = 0; i < n; i += block)
          std::fill_n(a.part(0) + i, std::min(block, n - i), word(i));
    });
    on.exchange(a, b, [](mmm::index r, mmm::index s) {
      return mmm::piece{.source = 0, .target = 0, .words = r == 0 && s == 1 ? over_2_31 : 0};
    });
    on.each_node([&](auto&, mmm::index r) {
      mmm::index wrong = 0;
      if (r == 1)
        for (mmm::index i = 0; i < n; i += i + 1000 < n ? 997 : 1)
          wrong += b.part(1)[i] != word(i) ? 1 : 0;
      CHECK(wrong == 0);
    });
  });
}
