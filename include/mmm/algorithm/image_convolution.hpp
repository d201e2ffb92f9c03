// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/accumulation.hpp>
#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/dealt_blocks.hpp>
#include <mmm/algorithm/problem.hpp>
#include <mmm/algorithm/staging.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

#include <concepts>
#include <type_traits>

//! The convolution of an image with a (2v + 1) x (2v + 1) kernel (paper 003, section III), both row-major:
//! `c(i, j) = sum of a(i + s, j + t) b(v + s, v + t)` for s, t from -v to v, where a is 0 outside the image.
MMM_BODIES_BEGIN
namespace mmm {

//! The convolution in one memory: the pixels of c in raster order, p at a time, one for each thread, which adds up its
//! products one after the other. A tap that lies outside the image is not read. Paper 003, Algorithm CONV-DMM (lemma 4).
//! Time on a DMM for an n x n image, w | n, w | p, p | n^2: at most `(2 (2v + 1)^2 + 1) (p/w + l - 1) n^2/p`, and exactly
//! that for v = 0; with accumulation in memory `(4 (2v + 1)^2 + 1) (p/w + l - 1) n^2/p`.
template <accumulation Where>
struct raster_convolution {
  template <class Threads, class Image, class Kernel, class Result>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Image a, shape image, Kernel b, radius kernel,
                                            Result c) const {
    index const p = threads.threads();
    index const area = image.rows * image.columns;
    auto const r = threads.template registers<typename Result::value_type>();
    threads.repeat(area / p, [=, &threads](auto group) { pixels(threads, a, image, b, kernel.v, c, r, group * p, p); });
    index const done = area / p * p;
    pixels(threads, a, image, b, kernel.v, c, r, done, area - done);
  }

 private:
  //! `count <= p` pixels of c from number `first` on.
  template <class Threads, class Image, class Kernel, class Result, class Registers, class First>
  MMM_HOST_DEVICE static constexpr void pixels(Threads& threads, Image a, shape image, Kernel b, index v, Result c,
                                               Registers r, First first, index count) {
    using value = typename Result::value_type;
    if constexpr (Where == accumulation::in_register) {
      add_up<value>(threads, a, image, b, v, r, first, count);
      threads.each(count, [=](auto i) { c[first + i] = load(r[i]); });
    } else {
      add_up<value>(threads, a, image, b, v, c + first, first, count);
    }
  }

  template <class Value, class Threads, class Image, class Kernel, class Sums, class First>
  MMM_HOST_DEVICE static constexpr void add_up(Threads& threads, Image a, shape image, Kernel b, index v, Sums sums,
                                               First first, index count) {
    index const columns = image.columns;
    index const area = image.rows * columns;
    index const width = 2 * v + 1;
    threads.each(count, [=](auto i) { sums[i] = Value{}; });
    threads.repeat(width, [=, &threads](auto s) {
      threads.repeat(width, [=, &threads](auto t) {
        threads.each(count, [=](auto i) {
          auto const pixel = first + i;
          auto const row_start = pixel + (s - v) * columns;
          auto const column = pixel % columns + t - v;
          auto const inside = row_start >= 0 && row_start < area && column >= 0 && column < columns;
          auto const x = load_if(inside, a[row_start + t - v], typename Image::value_type{});
          sums[i] = sums[i] + x * b[s * width + t];
        });
      });
    });
  }
};

//! The convolution on an HMM: w x w subimages of c, dealt to the DMMs, each of which copies the (w + 2v)^2 pixels that it
//! needs to its shared memory, zeros for those outside the image, and computes there as CONV-DMM does. The kernel is copied
//! once for every part of the image that the DMMs are dealt. Paper 003, Algorithm CONV-HMM (theorem 5).
//! Needs `(w + 2v)^2 + (2v + 1)^2` words of shared memory and `ceil(w^2 / t)` registers, t threads per DMM; with accumulation
//! in memory w^2 words more. Every array starts at a multiple of w. Too few: std::length_error.
template <accumulation Where>
struct tiled_convolution {
  template <class Machine, class Image, class Kernel, class Result>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Image a, shape image, Kernel b, radius kernel,
                                            Result c) const {
    constexpr index w = Machine::machine_type::width;
    images<Image, Kernel, Result> const all{a, b, c, image, kernel.v};
    detail::deal_blocks(on, detail::ceil_divide(image.rows, w), detail::ceil_divide(image.columns, w),
                        [=](auto& block, auto share) { subimages<w>(block, all, share); });
  }

 private:
  template <class Image, class Kernel, class Result>
  struct images {
    Image a;
    Kernel b;
    Result c;
    shape image;
    index v;
  };

  //! One DMM's subimages of c.
  template <index W, class Block, class Images, class Share>
  MMM_HOST_DEVICE static constexpr void subimages(Block& block, Images all, Share share) {
    using value = typename decltype(all.c)::value_type;
    shape const image = all.image;
    index const v = all.v;
    index const side = W + 2 * v;
    index const width = 2 * v + 1;
    auto const a = block.template allocate<typename decltype(all.a)::value_type>(side * side);
    auto const b = block.template allocate<typename decltype(all.b)::value_type>(width * width);
    auto const sums = detail::make_item_sums<Where, value>(block, W * W);
    block.each(width * width, [=](auto i) { b[i] = load(all.b[i]); });
    share.for_each(block, [=, &block](auto row_of_subimages, auto column_of_subimages) {
      auto const top = row_of_subimages * W;
      auto const left = column_of_subimages * W;
      fetch<W>(block, all, top, left, a);
      block.each(W * W, [=](auto i) { sums(i) = value{}; });
      block.repeat(width, [=, &block](auto s) {
        block.repeat(width, [=, &block](auto t) {
          block.each(W * W, [=](auto i) { sums(i) = sums(i) + a[(i / W + s) * side + i % W + t] * b[s * width + t]; });
        });
      });
      block.each(W, W, [=](auto i, auto j) {
        store_if(top + i < image.rows && left + j < image.columns, all.c[(top + i) * image.columns + left + j],
                 load(sums(i * W + j)));
      });
    });
  }

  //! The least `w / 2^k` or multiple of w that is not below n.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index beside_lanes(index w, index n) {
    if (n > w) return detail::ceil_divide(n, w) * w;
    index lanes = w;
    while (lanes % 2 == 0 && lanes / 2 >= n && lanes > 1) lanes /= 2;
    return lanes;
  }

  //! The (W + 2v)^2 pixels around a subimage, to shared memory: first its own columns, which start at address groups, then
  //! the v on either side of them.
  template <index W, class Block, class Images, class Top, class LeftEdge, class Array>
  MMM_HOST_DEVICE static constexpr void fetch(Block& block, Images all, Top top, LeftEdge left, Array a) {
    using pixel = typename Array::value_type;
    shape const image = all.image;
    index const v = all.v;
    index const side = W + 2 * v;
    index const last_columns = image.columns - (image.columns - 1) / W * W;  // of the last subimage
    block.each(side, W, [=](auto i, auto j) {
      auto const row = top + i - v;
      auto const inside = row >= 0 && row < image.rows && (j < last_columns || left + j < image.columns);
      a[i * side + v + j] = load_if(inside, all.a[row * image.columns + left + j], pixel{});
    });
    // A power of two of them for a row, so that every warp has the same rows in the same lanes.
    index const lanes = beside_lanes(W, 2 * v);
    block.each(v == 0 ? 0 : side, lanes, [=](auto i, auto j) {
      auto const row = top + i - v;
      auto const beside = j + j / v * W;
      auto const column = left - v + beside;
      auto const inside = row >= 0 && row < image.rows && column >= 0 && column < image.columns;
      store_if(j < 2 * v, a[i * side + beside],
               load_if(j < 2 * v && inside, all.a[row * image.columns + column], pixel{}));
    });
  }
};

}  // namespace mmm
MMM_BODIES_END
