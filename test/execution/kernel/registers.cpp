// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers of a kernel's threads, and the limit on kept items.
#include <mmm/algorithm/tile/items_per_thread.hpp>
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"

#include <numeric>
#include <string>
#include <vector>

namespace {

//! Thread i writes k + 100 i to its k-th register, with or without a compile-time index, and reads
//! the register of number `(i + t) % N`.
template <mmm::index N, bool Chosen>
struct rotated_registers {
  template <class On, class Array>
  constexpr void operator()(On& on, Array out) const {
    using value = typename Array::value_type;
    mmm::index const p = on.threads();
    auto r = on.template registers<value, N>();
    auto number = on.template registers<value>();
    on.each(p, [=](auto i) { number[i] = mmm::load(out[i]) * 100; });
    on.template repeat<N>(N, [=, &on](auto k) {
      on.each(p, [=](auto i) {
        if constexpr (Chosen)
          r.chosen(i, k) = mmm::load(number[i]) + k;
        else
          r(i, k) = mmm::load(number[i]) + k;
      });
    });
    on.repeat(N, [=, &on](auto t) {
      on.each(p, [=](auto i) { out[t * p + i] = mmm::load(r.chosen(i, (i + t) % N)); });
    });
  }
};

template <mmm::index N, bool Chosen>
void check_rotated() {
  mmm::index const p = 7;
  std::vector<mmm::index> start(static_cast<std::size_t>(p * N));
  std::iota(start.begin(), start.begin() + p, mmm::index{0});
  auto in_kernel = start;
  auto simulated = start;
  mmm::host_threads<mmm::umm<4, 5>> const on(mmm::threads{p});
  auto const n = static_cast<mmm::index>(start.size());
  mmm::run(on, rotated_registers<N, Chosen>{}, mmm::updates<mmm::index>(in_kernel.begin(), n));
  mmm::simulate<mmm::umm<4, 5>>(mmm::threads(p), [&](auto handle) {
    rotated_registers<N, Chosen>{}(handle, handle.array(simulated.begin(), simulated.end()));
  });
  bool right = true;
  for (mmm::index t = 0; t < N; ++t)
    for (mmm::index i = 0; i < p; ++i)
      right = right && in_kernel[static_cast<std::size_t>(t * p + i)] == (i + t) % N + 100 * i;
  CAPTURE(N);
  CHECK(right);
  CHECK(simulated == in_kernel);
}

//! Each item keeps a value in a register over three parallel-fors: loads a word plus 1, multiplies
//! it by 10, stores it.
template <mmm::index Max>
struct added_twice {
  template <class On, class Array>
  constexpr void operator()(On& on, Array out, mmm::index rows, mmm::index columns) const {
    on.each_dmm(1, [=](auto& block, auto) {
      mmm::thread_items<Max> const items{rows, columns};
      auto sums = block.template registers<typename Array::value_type>(items);
      block.each(items, [=](auto row, auto column, auto own) {
        sums[own] = mmm::load(out[row * columns + column]) + 1;
      });
      block.each(items, [=](auto, auto, auto own) { sums[own] = mmm::load(sums[own]) * 10; });
      block.each(items, [=](auto row, auto column, auto own) {
        out[row * columns + column] = mmm::load(sums[own]);
      });
    });
  }
};

}  // namespace

TEST_CASE("a register is found by a number that only the run knows") {
  check_rotated<1, false>();
  check_rotated<2, true>();
  check_rotated<3, false>();
  check_rotated<5, true>();
  check_rotated<8, false>();
  check_rotated<13, true>();
}

TEST_CASE("items keep what they are given") {
  using machine = mmm::hmm<2, 4, 1, 9>;
  for (auto const& [rows, columns] :
       {std::pair<mmm::index, mmm::index>{1, 1}, {3, 5}, {7, 3}, {0, 4}, {4, 0}, {16, 2}})
    for (mmm::index const p : {1, 2, 3, 7, 40}) {
      CAPTURE(rows, columns, p);
      std::vector<mmm::index> a(static_cast<std::size_t>(rows * columns));
      std::iota(a.begin(), a.end(), 0);
      auto simulated = a;
      auto expected = a;
      for (mmm::index& x : expected) x = (x + 1) * 10;
      mmm::host_threads<machine> const on(mmm::threads(2 * p));
      auto const run = [&] {
        mmm::run(on, added_twice<8>{}, mmm::updates<mmm::index>(a.begin(), rows * columns), rows,
                 columns);
      };
      if (rows * columns > 8 * p) {
        CHECK_THROWS_WITH(run(), Catch::Contains(std::to_string((rows * columns + p - 1) / p) +
                                                 " needed, 8 available"));
      } else {
        run();
        CHECK(a == expected);
      }
      mmm::simulate<machine>(mmm::threads(2 * p), [&](auto handle) {
        added_twice<1>{}(handle, handle.array(simulated.begin(), simulated.end()), rows, columns);
      });
      CHECK(simulated == expected);
      auto const cost = mmm::estimate<machine>(mmm::threads(2 * p), [&](auto& handle) {
        added_twice<1>{}(handle, handle.template allocate<mmm::index>(rows * columns), rows,
                         columns);
      });
      CHECK(cost.rounds == 2 * ((rows * columns + p - 1) / p));
    }
}

TEST_CASE("a kernel has registers for up to 32 items of a thread") {
  auto const chosen = [](mmm::index items, mmm::index t) {
    mmm::host_threads<mmm::hmm<1, 32, 1, 9>> const on{mmm::threads(t)};
    mmm::index most = 0;
    mmm::detail::run_with_items_per_thread<4>(on, items, [&](auto per_thread) {
      CHECK(t <= decltype(per_thread)::block_threads);
      most = decltype(per_thread)::count;
    });
    return most;
  };
  CHECK(chosen(1024, 1024) == 2);
  CHECK(chosen(1024, 512) == 2);
  CHECK(chosen(1024, 500) == 4);
  CHECK(chosen(1024, 256) == 4);
  CHECK(chosen(1024, 64) == 16);
  CHECK(chosen(1024, 32) == 32);
  CHECK(chosen(0, 1) == 2);
  CHECK_THROWS_WITH(chosen(1024, 31), Catch::Contains("34 needed, 32 available"));
  CHECK_THROWS_WITH(chosen(16384, 1024), Catch::Contains("16 needed, 4 available"));
}

TEST_CASE("fewer kernels have registers for as many threads and items") {
  using mmm::detail::items_per_thread_choices;
  auto const chosen = []<mmm::index Bytes, items_per_thread_choices Numbers>(mmm::index t) {
    mmm::host_threads<mmm::hmm<1, 32, 1, 9>> const on{mmm::threads(t)};
    mmm::index most = 0;
    mmm::detail::run_with_items_per_thread<Bytes, Numbers>(on, 1024, [&](auto per_thread) {
      CHECK(t <= decltype(per_thread)::block_threads);
      most = decltype(per_thread)::count;
    });
    return most;
  };
  auto const by_three = [&](mmm::index t) {
    return chosen.operator()<8, items_per_thread_choices::without_two>(t);
  };
  auto const by_two = [&](mmm::index t) {
    return chosen.operator()<4, items_per_thread_choices::two_kernels>(t);
  };
  // of 16 bytes a block of 1024 threads keeps 2, not 4
  auto const of_wide_values = [&](mmm::index t) {
    return chosen.operator()<16, items_per_thread_choices::two_kernels>(t);
  };
  for (mmm::index const t : {1024, 513, 512, 256}) {
    CHECK(by_three(t) == 4);
    CHECK(by_two(t) == 4);
  }
  for (mmm::index const t : {255, 64}) {
    CHECK(by_three(t) == 16);
    CHECK(by_two(t) == 32);
  }
  CHECK(by_three(63) == 32);
  CHECK(by_two(32) == 32);
  CHECK_THROWS_WITH(by_three(31), Catch::Contains("34 needed, 32 available"));
  CHECK_THROWS_WITH(by_two(31), Catch::Contains("34 needed, 32 available"));
  CHECK(of_wide_values(1024) == 2);
  CHECK(of_wide_values(256) == 4);
  CHECK(of_wide_values(64) == 16);
}
