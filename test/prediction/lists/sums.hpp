// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cases.hpp"

//! Sums, accesses and copies.
namespace prediction::sums {

//! A size and a number of threads: divisible and not, with fewer items than threads, and with
//! incomplete warps.
struct sized {
  index n;
  index p;
};
inline constexpr sized on_one_memory[] = {{1, 32},    {2, 1},      {31, 64},   {33, 100},
                                          {1000, 96}, {1024, 256}, {4096, 512}};
struct assigned {
  index n;
  index d;
  index p;
};
inline constexpr assigned on_all_dmms[] = {{1, 2, 64},      {2, 3, 3},       {33, 4, 128},
                                           {1000, 3, 150},  {4096, 4, 512},  {10000, 5, 320},
                                           {20000, 1, 256}, {32768, 8, 1024}};

template <class T, class Runs>
void hierarchical_sums(Runs& runs) {
  for (auto const [n, d, p] : on_all_dmms) {
    hierarchy const m(d);
    auto const with = text("n", n, "d", d);
    runs.template run<T>("sum", with, m, p,
                         [n](auto on, T* a, T*, T*) { static_cast<void>(mmm::sum(on, a, a + n)); });
    runs.template run<T>("sum_wide", with, m, p, [n](auto on, T* a, T*, T*) {
      static_cast<void>(mmm::sum_wide(on, a, a + n));
    });
    runs.template run<T>("copy_wide", with, m, p,
                         [n](auto on, T* a, T*, T* c) { mmm::copy_wide(on, a, a + n, c); });
  }
}

template <class Runs>
void run_list(Runs& runs) {
  for (auto const [n, p] : on_one_memory) {
    auto const each = [&](auto const& m, index count, index threads) {
      auto const with = text("n", count);
      auto const run = [&](char const* name, auto const& call) {
        runs.template run<float>(name, with, m, threads, call);
      };
      run("sum", [count](auto on, float* a, float*, float*) {
        static_cast<void>(mmm::sum(on, a, a + count));
      });
      run("contiguous", [count](auto on, float* a, float*, float*) {
        static_cast<void>(mmm::contiguous(on, a, a + count));
      });
      run("stride", [count](auto on, float* a, float*, float*) {
        static_cast<void>(mmm::stride(on, a, a + count));
      });
    };
    each(dmm, n, p);
    each(umm, 3 * n, 3 * p);
    if constexpr (!few)
      runs.template run<float>("sum", text("n", n), pram, p,
                               [n = n](auto on, float* a, float*, float*) {
                                 static_cast<void>(mmm::sum(on, a, a + n));
                               });
    runs.template run<float>(
        "sequential_read", text("n", n), umm, p, [n = n](auto on, float* a, float*, float*) {
          std::vector<index> addresses;
          for (index i = 0; i < n; ++i) addresses.push_back(i * i % 977);
          static_cast<void>(
              mmm::sequential_read(on, a, a + 1000, addresses.begin(), addresses.end()));
        });
    runs.template run<float>(
        "copy_wide", text("n", 5 * n), umm, p,
        [n = n](auto on, float* a, float*, float* c) { mmm::copy_wide(on, a, a + 5 * n, c); });
    for (index first : {1, 2, 4})
      runs.template run<float>("copy_wide", text("n", 5 * n, "first word", first), umm, p,
                               [n = n, first](auto on, float* a, float*, float* c) {
                                 mmm::copy_wide(on, a + first, a + first + 5 * n, c);
                               });
  }
  for (auto const [n, d, p] : on_all_dmms) {
    hierarchy const m(d);
    auto const run = [&](char const* name, auto const& call) {
      runs.template run<float>(name, text("n", n, "d", d), m, p, call);
    };
    run("contiguous", [n = n](auto on, float* a, float*, float*) {
      static_cast<void>(mmm::contiguous(on, a, a + n));
    });
    run("stride", [n = n](auto on, float* a, float*, float*) {
      static_cast<void>(mmm::stride(on, a, a + n));
    });
    run("sum_on_one_dmm", [n = n](auto on, float* a, float*, float*) {
      static_cast<void>(mmm::sum_on_one_dmm(on, a, a + n));
    });
    run("copy_through_shared", [n = n](auto on, float* a, float*, float* c) {
      mmm::copy_through_shared(on, a, a + n, c);
    });
    runs.template run<float>("sum_wide", text("n", n - 1, "d", d) + ", first word = 1", m, p,
                             [n = n](auto on, float* a, float*, float*) {
                               static_cast<void>(mmm::sum_wide(on, a + 1, a + n));
                             });
  }
  hierarchical_sums<float>(runs);
  hierarchical_sums<double>(runs);
}

}  // namespace prediction::sums
