// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/triangulation/polygon.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>

//! Oblivious programs for one thread, for mmm::bulk.
MMM_BODIES_BEGIN
namespace mmm {

//! The prefix-sums of n words in place, added up in a register. Memory steps: `2 n - 1`. The words
//! are of a type that a sum of two has, too: not shorter than int.
struct oblivious_prefix_sums {
  static constexpr char const* name = "bulk-prefix-sums";

  template <class Thread, class Words>
  MMM_HOST_DEVICE constexpr void operator()(Thread const& thread, Words a, index n) const {
    auto so_far = load(a[0]);
    thread.repeat(n - 1, [&](auto j) {
      so_far = so_far + load(a[j + 1]);
      a[j + 1] = so_far;
    });
  }
};

//! Sorts n numbers in place, in ascending order, by the bitonic network of mmm::sort. Memory steps:
//! four for each comparator; `n k (k + 1)` for n = 2^k.
struct oblivious_sort {
  static constexpr char const* name = "bulk-sort";

  template <class Thread, class Words>
  MMM_HOST_DEVICE constexpr void operator()(Thread const& thread, Words a, index n) const {
    for (index half = 1; half < n; half *= 2) {
      compare(thread, a, n, half, half - 1, -1);
      for (index h = half / 2; h > 0; h /= 2) compare(thread, a, n, h, 0, 1);
    }
  }

 private:
  //! Compares word q of the upper half of each 2 h words, as far as there are any, with word
  //! `start + step q` of the lower half.
  template <class Thread, class Words>
  MMM_HOST_DEVICE static constexpr void compare(Thread const& thread, Words a, index n, index h,
                                                index start, index step) {
    thread.repeat(n / (2 * h),
                  [=](auto pair) { compare_half(thread, a, 2 * h * pair, h, start, step, h); });
    index const rest = n % (2 * h);
    if (rest > h) compare_half(thread, a, index{n - rest}, h, start, step, rest - h);
  }
  //! Compares the first `count` words of an upper half; `first` is the first word of the lower one.
  template <class Thread, class Words, class First>
  MMM_HOST_DEVICE static constexpr void compare_half(Thread const& thread, Words a, First first,
                                                     index h, index start, index step,
                                                     index count) {
    thread.repeat(count, [=](auto q) {
      auto const x = load(a[first + start + step * q]);
      auto const y = load(a[first + h + q]);
      a[first + start + step * q] = min(x, y);
      a[first + h + q] = max(x, y);
    });
  }
};

//! The triangulations of least weight of a polygon of n vertices, 3 or more, and of its parts.
//! `a[i n + j]`, i < j, is the weight of the chord (i, j) at first, and the least weight of the
//! part between the vertices i and j afterwards, with the chord; that of the polygon is `a[n - 1]`.
//! Edges and the chord (0, n - 1) count as 0, whatever their words are; all other words remain. The
//! minima are in a register. Memory steps: `n - 1` for the edges, `2 T + (n - 1) (n - 2) - 1` for
//! the rest, T = n (n - 1) (n - 2)/6.
struct oblivious_triangulation {
  static constexpr char const* name = "bulk-triangulation";
  [[nodiscard]] static constexpr index words(index n) {
    detail::polygon_size const vertices{size(n)};
    return vertices.n * vertices.n;
  }

  template <class Thread, class Words>
  MMM_HOST_DEVICE constexpr void operator()(Thread const& thread, Words a, index n) const {
    thread.repeat(n - 1, [=](auto i) { a[i * n + i + 1] = typename Words::value_type{}; });
    // The least sum of the parts on both sides of a third vertex.
    auto const least = [=](auto i, index apart) {
      auto x = load(a[i * n + i + 1]) + load(a[(i + 1) * n + i + apart]);
      thread.repeat(apart - 2, [=, &x](auto k) {
        x = min(x, load(a[i * n + i + 2 + k]) + load(a[(i + 2 + k) * n + i + apart]));
      });
      return x;
    };
    thread.diagonals(2, n - 1, [=](index apart) {
      thread.repeat(n - apart, [=](auto i) {
        a[i * n + i + apart] = least(i, apart) + load(a[i * n + i + apart]);
      });
    });
    a[n - 1] = least(index{0}, n - 1);
  }
};

}  // namespace mmm
MMM_BODIES_END
