// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of cluster handles (mmm/execution/nodes.hpp) where arrays are in device memory.
#include "processes.cuh"

#include <cstdint>
#include <cstdlib>
#include <stdexcept>

namespace {

struct write_numbers {
  template <class On, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Out out, int first, mmm::index n) const {
    on.each(n, [=](auto i) { out[i] = first + static_cast<int>(i); });
  }
};
//! Writes `first`, `first + 1`, … to n words by a kernel.
template <class On>
void number(On& on, int* words, int first, mmm::index n) {
  if (n > 0) mmm::run(on, write_numbers{}, mmm::writes<int>(words, n), first, n);
}

struct sizes_by_rank {
  mmm::index factor;
  [[nodiscard]] mmm::index words(mmm::index r) const { return factor * (r % 3); }
};
struct equal_sizes {
  mmm::index all;
  [[nodiscard]] mmm::index words(mmm::index) const { return all; }
};

// Node r sends each node s, also itself, a rectangle: rows of few words, from columns of its array.
struct rectangles {
  mmm::index nodes;
  mmm::index pitch;
  mmm::piece operator()(mmm::index r, mmm::index s) const {
    return {.source = s * pitch,
            .target = r * 4 * pitch,
            .words = 1 + (r + 2 * s) % 3,
            .rows = (r + s) % 4,
            .source_pitch = nodes * pitch,
            .target_pitch = pitch};
  }
};

// x -> factor x + term: composition is associative and does not commute.
struct affine {
  std::uint32_t factor;
  std::uint32_t term;
};
struct then {
  MMM_HOST_DEVICE affine operator()(affine const& f, affine const& g) const {
    return {f.factor * g.factor, g.factor * f.term + g.term};
  }
};
affine map(mmm::index r, mmm::index i) {
  return {static_cast<std::uint32_t>(2 * r + 3), static_cast<std::uint32_t>(5 * r + i)};
}

template <class T>
std::vector<T> words_of(T const* device, mmm::index n) {
  std::vector<T> host(static_cast<std::size_t>(n));
  if (n > 0) cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}

}  // namespace

TEST_CASE("mpi, kernels: arrays are in device memory, each process has its part") {
  auto const on = checks::processes();
  mmm::mpi::run(on, [](auto const& nodes) {
    auto const a = nodes.template allocate<int>(sizes_by_rank{5});
    nodes.each_node([&](auto& local, mmm::index r) {
      if (a.words(r) > 0) {
        cudaPointerAttributes found{};
        CHECK(cudaPointerGetAttributes(&found, a.part(r)) == cudaSuccess);
        CHECK(found.type == cudaMemoryTypeDevice);
      }
      number(local, a.part(r), 1000 * static_cast<int>(r), a.words(r));
      auto const words = words_of(a.part(r), a.words(r));
      for (std::size_t i = 0; i < words.size(); ++i)
        CHECK(words[i] == 1000 * static_cast<int>(r) + static_cast<int>(i));
    });
    CHECK_THROWS_SAYING(a.part(checks::own_rank() + 1), std::logic_error, "accesses the memory");
    auto const inspected = nodes.inspect(a);
    for (mmm::index i = 0; i < a.words(checks::own_rank()); ++i)
      CHECK(inspected(checks::own_rank(), i) == 1000 * checks::own_rank() + i);
  });
}

TEST_CASE("mpi, kernels: rectangles arrive while kernels run") {
  auto const on = checks::processes();
  mmm::index const k = checks::number_of_processes();
  mmm::index const pitch = 5;
  mmm::mpi::run(on, [=](auto const& nodes) {
    mmm::index const n = 4 * k * pitch;
    auto const a = nodes.template allocate<int>(equal_sizes{n});
    auto const b = nodes.template allocate<int>(equal_sizes{n});
    auto const beside = nodes.template allocate<int>(equal_sizes{n});
    nodes.each_node([=](auto& local, mmm::index r) {
      number(local, a.part(r), 1000 * static_cast<int>(r), n);
      number(local, b.part(r), -10000, n);
    });
    rectangles const plan{k, pitch};
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
    nodes.each_node([&](auto&, mmm::index r) {
      CHECK(words_of(b.part(r), n) == expected);
      CHECK(words_of(beside.part(r), n).back() == 7 * r + n - 1);
    });
  });
}

TEST_CASE("mpi, kernels: reductions are in the order of the ranks, broadcasts from each root") {
  auto const on = checks::processes();
  mmm::index const k = checks::number_of_processes();
  for (mmm::index const n : {0, 1, 5, 100})
    for (mmm::index root = 0; root < k; ++root)
      mmm::mpi::run(on, [=](auto const& nodes) {
        auto const maps = nodes.template allocate<affine>(equal_sizes{n});
        auto const folds = nodes.template allocate<affine>(equal_sizes{n});
        auto const everywhere = nodes.template allocate<affine>(equal_sizes{n});
        nodes.each_node([=](auto&, mmm::index r) {
          std::vector<affine> own;
          for (mmm::index i = 0; i < n; ++i) own.push_back(map(r, i));
          if (n > 0)
            cudaMemcpy(maps.part(r), own.data(), own.size() * sizeof(affine),
                       cudaMemcpyHostToDevice);
        });
        nodes.reduce(nodes.all_nodes(), root, maps, folds, then{});
        nodes.broadcast(nodes.all_nodes(), root, folds, everywhere);
        auto const found = nodes.inspect(everywhere);
        CAPTURE(n, root);
        bool right = true;
        for (mmm::index i = 0; i < n; ++i) {
          affine fold = map(0, i);
          for (mmm::index r = 1; r < k; ++r) fold = then{}(fold, map(r, i));
          affine const own = found(checks::own_rank(), i);
          right = right && own.factor == fold.factor && own.term == fold.term;
        }
        CHECK(right);
      });
}

TEST_CASE("mpi, kernels: groups of processes") {
  auto const on = checks::processes();
  mmm::index const k = checks::number_of_processes();
  if (k % 2 != 0) return CHECK(true);
  mmm::mpi::run(on, [=](auto const& nodes) {
    auto const a = nodes.template allocate<int>(equal_sizes{9});
    auto const b = nodes.template allocate<int>(equal_sizes{9});
    nodes.each_node(
        [=](auto& local, mmm::index r) { number(local, a.part(r), 10 * static_cast<int>(r), 9); });
    mmm::node_groups const pairs{2, k / 2};
    nodes.reduce(pairs, 1, a, b, mmm::plus{});
    nodes.broadcast(pairs, 1, b, a);
    auto const found = nodes.inspect(a);
    mmm::index const own = checks::own_rank();
    mmm::index const both = 10 * (pairs.rank(own, 0) + pairs.rank(own, 1));
    for (mmm::index i = 0; i < 9; ++i) CHECK(found(own, i) == both + 2 * i);
  });
}

TEST_CASE("mpi, kernels: a failure of one process ends the call on all") {
  auto const on = checks::processes();
  if (checks::number_of_processes() == 1) return CHECK(true);
  auto const with_failure = [&] {
    mmm::mpi::run(on, [](auto const& nodes) {
      mmm::index const k = nodes.nodes();
      auto const a = nodes.template allocate<int>(equal_sizes{20 * k});
      auto const b = nodes.template allocate<int>(equal_sizes{20 * k});
      nodes.each_node([=](auto& local, mmm::index r) { number(local, a.part(r), 0, 20 * k); });
      nodes.exchange(a, b, rectangles{k, 5}, [](auto&, mmm::index r) {
        if (r == 1) throw std::runtime_error("this process has enough");
      });
      nodes.all_gather(nodes.each_node([](auto&, mmm::index r) { return r; }));
    });
  };
  CHECK_THROWS_SAYING(with_failure(), mmm::mpi::rank_failure,
                      "process 1 failed: this process has enough");
  std::vector<int> const own(3, 2);
  thrust::device_vector<int> const words(own);
  CHECK(mmm::sum(on, words.begin(), words.end()) == 6 * checks::number_of_processes());
}

TEST_CASE("mpi, kernels: memory for messages is kept up to 64 MiB") {
  auto& memory = mmm::detail::pinned_memory::of_this_thread(true);
  std::size_t const mebibyte = std::size_t{1} << 20;
  auto const first = memory.take(3 * mebibyte);
  auto const second = memory.take(4 * mebibyte);
  CHECK(first.bytes == 4 * mebibyte);
  CHECK(first.first != second.first);
  memory.give_back(first);
  auto const again = memory.take(4 * mebibyte);
  CHECK(again.first == first.first);
  auto const larger = memory.take(4 * mebibyte + 1);
  CHECK(larger.bytes == 8 * mebibyte);
  memory.give_back(again);
  memory.give_back(second);
  memory.give_back(larger);
  auto const largest = memory.take(65 * mebibyte);
  CHECK(largest.bytes == 65 * mebibyte);
  memory.give_back(largest);
}

TEST_CASE("mpi, kernels: the environment says whether MPI accesses device memory") {
  char const* const given = std::getenv("MMM_CUDA_AWARE_MPI");
  std::string const before = given == nullptr ? "" : given;
  setenv("MMM_CUDA_AWARE_MPI", "0", 1);
  CHECK(!mmm::detail::asked_for_cuda_awareness());
  setenv("MMM_CUDA_AWARE_MPI", "1", 1);
  CHECK(mmm::detail::asked_for_cuda_awareness());
  setenv("MMM_CUDA_AWARE_MPI", "yes", 1);
  CHECK_THROWS_SAYING(mmm::detail::asked_for_cuda_awareness(), std::invalid_argument,
                      "MMM_CUDA_AWARE_MPI is \"yes\"; accepted: 0, 1");
  if (given == nullptr)
    unsetenv("MMM_CUDA_AWARE_MPI");
  else
    setenv("MMM_CUDA_AWARE_MPI", before.c_str(), 1);
}
