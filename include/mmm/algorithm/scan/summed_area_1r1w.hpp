// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/scan/summed_area.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>

//! The summed area table on an HMM with one read and one write of each pixel in the global memory:
//! 1R1W of Kasagi, Nakano and Ito 2014b.
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! Tiles of w x w pixels in the shared memories. d rows of tiles make a strip, a row for each DMM;
//! in step k of a strip DMM m has column k - m of its row, so that the tiles above and to the left
//! are complete: the tiles of an antidiagonal at once. `row_sums` in the global memory has the sum
//! of each row of pixels up to the last tile. A tile adds up its rows from these on, and then its
//! columns from the last row of the table above on, by w threads each, without a subtraction.
struct tiled_summed_area_program {
  template <class On, class Image>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Image a, shape image) const {
    index const w = on.machine().width();
    index const down = ceil_divide(image.rows, w);
    index const across = ceil_divide(image.columns, w);
    if (down == 0 || across == 0) return;
    index const dmms = smaller(down, on.dmms());
    auto const row_sums = on.template allocate<typename Image::value_type>(image.rows);
    on.repeat(down / dmms, [=, &on](auto strip) {
      add_up_strip(on, a, image, row_sums, strip * dmms, dmms, across);
    });
    if (index const rest = down % dmms; rest > 0)
      add_up_strip(on, a, image, row_sums, index{down - rest}, rest, across);
  }

 private:
  //! The `dmms` rows of tiles from `first` on.
  template <class On, class Image, class Sums, class First>
  MMM_HOST_DEVICE static constexpr void add_up_strip(On& on, Image a, shape image, Sums row_sums,
                                                     First first, index dmms, index across) {
    on.repeat(across + dmms - 1, [=, &on](auto step) {
      on.each_dmm(dmms, [=](auto& block, auto dmm) {
        add_up_tile(block, a, image, row_sums, first + dmm, step - dmm, across);
      });
    });
  }

  //! The tile in this row and column of tiles; nothing if there is no such column.
  template <class Block, class Image, class Sums, class Row, class Column>
  MMM_HOST_DEVICE static constexpr void add_up_tile(Block& block, Image a, shape image,
                                                    Sums row_sums, Row row, Column column,
                                                    index across) {
    using value = typename Image::value_type;
    index const w = block.machine().width();
    index const pitch = w + 1;  // neither rows nor columns of a tile have bank conflicts
    auto const s = block.template allocate<value>(w * pitch);
    auto const open = column >= 0 && column < across;
    auto const top = row * w;
    auto const left = column * w;
    block.each(w, w, [=](auto i, auto j) {
      auto const inside = open && top + i < image.rows && left + j < image.columns;
      auto const pixel = load_if(inside, a[(top + i) * image.columns + left + j], value{});
      store_if(open, s[i * pitch + j], pixel);
    });
    add_up_lines(
        block, s, pitch, 1, open,
        [=](auto i) {
          return load_if(open && column > 0 && top + i < image.rows, row_sums[top + i], value{});
        },
        [=](auto i, auto sum) {
          store_if(open && column < across - 1 && top + i < image.rows, row_sums[top + i], sum);
        });
    add_up_lines(
        block, s, 1, pitch, open,
        [=](auto j) {
          return load_if(open && top > 0 && left + j < image.columns,
                         a[(top - 1) * image.columns + left + j], value{});
        },
        [](auto, auto) {});
    block.each(w, w, [=](auto i, auto j) {
      auto const inside = open && top + i < image.rows && left + j < image.columns;
      auto const sum = load_if(open, s[i * pitch + j], value{});
      store_if(inside, a[(top + i) * image.columns + left + j], sum);
    });
  }

  //! The prefix-sums of the w lines of a tile, whose words are `along` apart and which are `apart`
  //! words apart, as many lines at a time as there are threads. Line i begins with `before(i)` and
  //! ends with `after(i, sum)`.
  template <class Block, class Tile, class Open, class Before, class After>
  MMM_HOST_DEVICE static constexpr void add_up_lines(Block& block, Tile s, index apart, index along,
                                                     Open open, Before before, After after) {
    index const w = block.machine().width();
    index const p = block.threads();
    auto const sums = block.template registers<typename Tile::value_type>();
    index const whole = (w - 1) / p;
    block.repeat(whole, [=, &block](auto group) {
      add_up_group(block, s, sums, group * p, p, apart, along, open, before, after);
    });
    add_up_group(block, s, sums, index{whole * p}, w - whole * p, apart, along, open, before,
                 after);
  }

  //! The prefix-sums of the `count` lines from `first` on, each by one thread.
  template <class Block, class Tile, class Sums, class First, class Open, class Before, class After>
  MMM_HOST_DEVICE static constexpr void add_up_group(Block& block, Tile s, Sums sums, First first,
                                                     index count, index apart, index along,
                                                     Open open, Before before, After after) {
    using value = typename Tile::value_type;
    block.each(count, [=](auto i) { sums[i] = before(first + i); }, no_barrier);
    block.repeat(block.machine().width(), [=, &block](auto k) {
      block.each(
          count,
          [=](auto i) {
            auto const place = (first + i) * apart + k * along;
            auto const sum = load(sums[i]) + load_if(open, s[place], value{});
            sums[i] = sum;
            store_if(open, s[place], sum);
          },
          no_barrier);
    });
    block.each(count, [=](auto i) { after(first + i, load(sums[i])); });
  }
};

struct summed_area_1r1w_algorithm {
  static constexpr char const* name = "summed-area-1r1w";
  static constexpr char const* paper = "Kasagi, Nakano and Ito 2014b, 1R1W";
  static constexpr machine_kinds kinds{.hmm = 4};

  struct problem : summed_area_problem {
    using summed_area_problem::summed_area_problem;
    template <class On, class Image = no_data>
    constexpr void run(On& on, Image first = {}) const {
      perform(on, tiled_summed_area_program{}, updates(first, n), image);
    }
    //! The bound for images padded to whole tiles: w rounds in the global memory for each row of a
    //! tile, and in each step of a strip the latencies of w^2/t rounds of copying and of 2w of
    //! adding.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      if (n == 0) return 0;
      natural const down = natural(image.rows) / m.w, across = natural(image.columns) / m.w;
      natural const dmms = smaller(down, m.d);
      natural const steps = down / dmms * (across + dmms);
      natural const threads = smaller(m.t, m.w * m.w);
      return down * across * m.w * m.w / m.at_once() + steps * (m.w * m.w * (m.L + m.l) / threads) +
             steps * (m.L + m.w + m.w * (m.w / threads) * m.l);
    }
  };

  template <class On, class Iterator>
  void operator()(On on, Iterator first, sides image) const {
    static_assert(call_of<On, Iterator>::accepted);
    problem(image).run(on, first);
  }
};

}  // namespace detail

//! The summed area table of a row-major image in place as mmm::summed_area writes it, on an HMM
//! with one read and one write of each pixel in the global memory:
//! `mmm::summed_area_1r1w(on, first, shape)`. Besides, for each row of a tile of
//! w x w pixels one word is written and read, and for each column one is read.
//! Errors: std::length_error if a shared memory has less than w (w + 1) words.
//! Time for n = s^2 pixels, t >= w threads per DMM: at most 4 times `n/w` and, in each of
//! `s/(wd) (s/w + d)` steps, `w^2/t (L + l) + L + w l`; twice that for sizes that do not divide.
//! Constant expressions: clang evaluates the cost of 4096^2 pixels on 4 DMMs with 64 threads each
//! within its default limits; the cost on 16 DMMs with 256 threads each needs
//! -fconstexpr-steps=5000000 with clang and a larger -fconstexpr-ops-limit with g++.
//! Source: Kasagi, Nakano and Ito 2014b, whose blocks run asynchronously.
inline constexpr detail::summed_area_1r1w_algorithm summed_area_1r1w{};

}  // namespace mmm
MMM_BODIES_END
