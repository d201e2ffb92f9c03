// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>

MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! Prefix-sums in place: two_stage_scan along the middle axis of blocks x length x width words. A
//! level lies in `work` from the number of its words on.
struct scan_along_axis {
  //! The prefix-sums along the middle axis. Functions, since nvcc cannot evaluate arrays in lambdas
  //! of a lambda as constants.
  template <class On, class Image, class Work>
  MMM_HOST_DEVICE static constexpr void scan(On& on, Image a, Work work, index blocks, index length,
                                             index width) {
    index const words = blocks * width;
    int t = 1;
    for (; length >> t > 0; ++t) {  // from level t - 1 to t
      index const all = length >> (t - 1);
      auto const sums = work + words * (length >> t);
      if (t == 1)
        add_pairs(on, a, all, sums, blocks, width);
      else
        add_pairs(on, work + words * all, all, sums, blocks, width);
    }
    while (--t > 0) {
      index const all = length >> (t - 1);
      auto const sums = work + words * (length >> t);
      if (t == 1)
        pass_down(on, a, all, sums, blocks, width);
      else
        pass_down(on, work + words * all, all, sums, blocks, width);
    }
  }

 private:
  //! The sums of pairs of `all` values: all / 2 of them.
  template <class On, class Values, class Sums>
  MMM_HOST_DEVICE static constexpr void add_pairs(On& on, Values values, index all, Sums sums,
                                                  index blocks, index width) {
    index const half = all / 2;
    on.each(blocks * half, width, [=](auto row, auto column) {
      auto const first = (2 * row + row / half * (all % 2)) * width + column;
      sums[row * width + column] = values[first] + values[first + width];
    });
  }
  //! The prefix-sums of `all` values, from those of their pairs.
  template <class On, class Values, class Sums>
  MMM_HOST_DEVICE static constexpr void pass_down(On& on, Values values, index all, Sums sums,
                                                  index blocks, index width) {
    index const half = all / 2;
    on.each(blocks * all, width, [=](auto row, auto column) {
      auto const k = row % all;
      auto const before = load(sums[(row / all * half + (k - 1) / 2) * width + column]);
      auto const own = load(values[row * width + column]);
      auto const joined = select(k % 2 == 1, before, before + own);
      values[row * width + column] = select(k == 0, own, joined);
    });
  }
};

//! The prefix-sums of all columns, then of all rows, in place.
struct summed_area_program {
  template <class On, class Image>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Image a, shape image) const {
    auto const work = on.template allocate<typename Image::value_type>(image.rows * image.columns);
    scan_along_axis::scan(on, a, work, 1, image.rows, image.columns);
    scan_along_axis::scan(on, a, work, image.rows, image.columns, 1);
  }
};

//! The problem that all programs for a summed area table solve, with its lower bound.
struct summed_area_problem {
  shape image;
  natural n = image.area();
  constexpr explicit summed_area_problem(sides size) : image(size.extents) {}
  //! All pixels are read, all but the first are written, and the last is the sum of all.
  [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
    bound b = n <= 1 ? bound{} : access_bound(m, 2 * n - 1, m.p);
    b.reduction = fold_bound(m, n, m.p).reduction;
    return b;
  }
  //! lower_bound in letters, with n^2 for the pixels.
  [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
    bound_formula f = access_formula(m, "(2n^2 - 1)");
    f.reduction = m.hmm ? "log (n^2)" : "l log (n^2)";
    return f;
  }
};

struct summed_area_algorithm {
  static constexpr char const* name = "summed-area";
  static constexpr char const* paper = "Nakano 2013c, on Nakano 2014, theorem 3";
  static constexpr machine_kinds kinds{.dmm = 21, .umm = 21, .hmm = 21};

  struct problem : summed_area_problem {
    using summed_area_problem::summed_area_problem;
    template <class On, class Image = no_data>
    constexpr void run(On& on, Image first = {}) const {
      perform(on, summed_area_program{}, updates(first, n), image);
    }
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      return n / m.at_once() + n * m.L / m.p + m.L * log2(n);
    }
  };

  template <class On, class Iterator>
  void operator()(On on, Iterator first, sides image) const {
    static_assert(call_of<On, Iterator>::accepted);
    call_parameters const sizes{call_parameter{"rows", image.extents.rows},
                                call_parameter{"columns", image.extents.columns}};
    called<summed_area_algorithm>(
        on, sizes, [&] { problem_on_t<On, summed_area_algorithm>(image).run(on, first); });
  }
};

}  // namespace detail

//! The summed area table of a row-major image in place, `mmm::summed_area(on, first, shape)`: pixel
//! (i, j) becomes the sum of the pixels (0 … i, 0 … j). The shape may be the mmm::size of a square.
//! Time for n pixels: at most 21 (n/w + nl/p + l log n), l = L on an HMM, twice that for sizes that
//! do not divide; on a DMM, powers of two 2 <= w <= p <= s: `s (s - 1) (20/w + 18 (l - 1)/p)`.
//! Constant expressions: g++ evaluates the cost of 4096^2 pixels on a DMM or UMM within its default
//! limits; clang needs -fconstexpr-steps=2500000.
inline constexpr detail::summed_area_algorithm summed_area{};

}  // namespace mmm
MMM_BODIES_END
