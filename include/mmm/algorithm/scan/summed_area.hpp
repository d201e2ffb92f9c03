// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/call/shapes.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>

//! The summed area table of an image (Nakano 2013c).
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! The prefix-sums of each column, then of each row, in place, as by two_stage_scan for all columns
//! or rows at once. Level t has `length >> t` words of each; its words lie in the work array from
//! their own number on. `blocks` x `length` x `width` is the image, scanned along the middle axis.
struct summed_area_program {
  template <class On, class Image>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Image a, shape image) const {
    scan(on, a, 1, image.rows, image.columns);
    scan(on, a, image.rows, image.columns, 1);
  }

 private:
  template <class On, class Image>
  MMM_HOST_DEVICE static constexpr void scan(On& on, Image a, index blocks, index length,
                                             index width) {
    index const lines = blocks * width;
    auto const work = on.template allocate<typename Image::value_type>(lines * (length / 2) * 2);
    auto const at_level = [=](int t, auto f) {  // f(level t - 1, its length, level t, its length)
      index const all = length >> (t - 1), half = length >> t;
      if (t == 1) return f(a, all, work + lines * half, half);
      f(work + lines * all, all, work + lines * half, half);
    };
    auto const add_pairs = [=, &on](auto values, index all, auto sums, index half) {
      on.each(blocks * half, width, [=](auto row, auto column) {
        auto const first = (2 * row + row / half * (all % 2)) * width + column;
        sums[row * width + column] = values[first] + values[first + width];
      });
    };
    auto const pass_down = [=, &on](auto values, index all, auto sums, index half) {
      on.each(blocks * all, width, [=](auto row, auto column) {
        auto const k = row % all;
        auto const before = load(sums[(row / all * half + (k - 1) / 2) * width + column]);
        auto const own = load(values[row * width + column]);
        auto const sum = select(k == 0, own, before + own);
        values[row * width + column] = select(k % 2 == 1, before, sum);
      });
    };
    int t = 1;
    for (; length >> t > 0; ++t) at_level(t, add_pairs);
    while (--t > 0) at_level(t, pass_down);
  }
};

//! The algorithm object behind mmm::summed_area.
struct summed_area_algorithm {
  static constexpr char const* name = "summed-area";
  static constexpr char const* paper = "Nakano 2013c, on Nakano 2014, theorem 3";
  static constexpr machine_kinds kinds{.dmm = 21, .umm = 21, .hmm = 21};

  struct problem {
    shape image;
    natural n = image.area();
    constexpr explicit problem(sides size) : image(size.extents) {}

    template <class On, class Image = no_data>
    constexpr void run(On& on, Image first = {}) const {
      perform(on, summed_area_program{}, updates(first, n), image);
    }
    //! All pixels are read, all but the first are written, and the last is the sum of all.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      bound b = n <= 1 ? bound{} : access_bound(m, 2 * n - 1, m.p);
      b.reduction = fold_bound(m, n, m.p).reduction;
      return b;
    }
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      return n / m.w + n * m.L / m.p + m.L * log2(n);
    }
  };

  template <class On, class Iterator>
  void operator()(On on, Iterator first, sides image) const {
    static_assert(call_of<On, Iterator>::accepted);
    problem(image).run(on, first);
  }
};

}  // namespace detail

//! The summed area table of a row-major image in place, `mmm::summed_area(on, first, shape)`: pixel
//! (i, j) becomes the sum of the pixels (0 … i, 0 … j). A size in place of the shape is the side of
//! a square. Source: Nakano 2013c. Time for n pixels, on an HMM in its global memory with l = L: at
//! most 21 (n/w + nl/p + l log n). On a DMM for a side s and w >= 2, w <= p <= s, powers of two,
//! exactly `s (s - 1) (20/w + 18 (l - 1)/p)`; on a UMM `s (s/w - 1 - log(s/w))` more.
inline constexpr detail::summed_area_algorithm summed_area{};

}  // namespace mmm
MMM_BODIES_END
