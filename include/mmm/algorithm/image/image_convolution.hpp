// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/tile/accumulation.hpp>
#include <mmm/algorithm/tile/assigned_blocks.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

//! The convolution of an image with a (2v + 1) x (2v + 1) kernel (Nakano and Ito 2014, section
//! III), both row-major:
//!   `c(i, j) = sum of a(i + s, j + t) b(v + s, v + t)` for s, t from -v to v,
//! where a is 0 outside the image.
MMM_BODIES_BEGIN
namespace mmm {

//! The convolution in one memory: the pixels of c in raster order, p at a time, a thread for each,
//! which adds up its products one after the other. A tap that lies outside the image is not read.
//! Nakano and Ito 2014, Algorithm CONV-DMM (lemma 4). Time on a DMM for an n x n image, w | n, w |
//! p, p | n^2: at most `(2 (2v + 1)^2 + 1) (p/w + l - 1) n^2/p`; for p | n, v < w exactly `(2v + 1)
//! v (v + 1) (p/w + l - 1) n/p` less. With accumulation in memory 4 in place of the first 2.
template <accumulation Where>
struct raster_convolution {
  template <class Threads, class Image, class Kernel, class Result>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Image a, shape image, Kernel b,
                                            radius kernel, Result c) const {
    index const p = threads.threads();
    index const area = image.rows * image.columns;
    auto const r = threads.template registers<typename Result::value_type>();
    threads.repeat(area / p, [=, &threads](auto group) {
      pixels(threads, a, image, b, kernel.v, c, r, group * p, p);
    });
    index const done = area / p * p;
    pixels(threads, a, image, b, kernel.v, c, r, done, area - done);
  }

 private:
  //! Computes `count <= p` pixels of c from number `first` on.
  template <class Threads, class Image, class Kernel, class Result, class Registers, class First>
  MMM_HOST_DEVICE static constexpr void pixels(Threads& threads, Image a, shape image, Kernel b,
                                               index v, Result c, Registers r, First first,
                                               index count) {
    using value = typename Result::value_type;
    if constexpr (Where == accumulation::in_register) {
      add_up<value>(threads, a, image, b, v, r, first, count);
      threads.each(count, [=](auto i) { c[first + i] = load(r[i]); });
    } else {
      add_up<value>(threads, a, image, b, v, c + first, first, count);
    }
  }

  template <class Value, class Threads, class Image, class Kernel, class Sums, class First>
  MMM_HOST_DEVICE static constexpr void add_up(Threads& threads, Image a, shape image, Kernel b,
                                               index v, Sums sums, First first, index count) {
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

//! The convolution on an HMM: w x w subimages of c are assigned to the DMMs. A DMM copies the (w +
//! 2v)^2 pixels that a subimage needs to its shared memory, zeros for those outside the image, and
//! computes there as CONV-DMM does. The kernel is copied once for every part of the image that
//! assign_blocks assigns. Nakano and Ito 2014, Algorithm CONV-HMM (theorem 5).
//! A subimage's pixels are computed t at a time by the t threads of a DMM, a pixel for each thread.
//! Needs `(w + 2v)^2 + (2v + 1)^2` words of shared memory; with accumulation in memory w^2 words
//! more. Every array starts at a multiple of w. Errors: std::length_error if there are fewer. Time
//! for v = 0, an n x n image, t threads per DMM, w | n, w | t | w^2, d | n/w: exactly `n^2/(t d) (2
//! (t d/w + L - 1) + 3 (t/w + l - 1)) + (d + L - 1) + l`; with v <= w at most 19 times the terms of
//! theorem 5.
template <accumulation Where>
struct tiled_convolution {
  template <class Machine, class Image, class Kernel, class Result>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Image a, shape image, Kernel b,
                                            radius kernel, Result c) const {
    index const w = on.machine().width();
    images<Image, Kernel, Result> const all{a, b, c, image, kernel.v, w};
    detail::assign_blocks(on, detail::ceil_divide(image.rows, w),
                          detail::ceil_divide(image.columns, w),
                          [=](auto& block, auto share) { subimages(block, all, share); });
  }

 private:
  template <class Image, class Kernel, class Result>
  struct images {
    Image a;
    Kernel b;
    Result c;
    shape image;
    index v;
    index w;
  };

  //! Computes one DMM's subimages of c.
  template <class Block, class Images, class Share>
  MMM_HOST_DEVICE static constexpr void subimages(Block& block, Images all, Share share) {
    using value = typename decltype(all.c)::value_type;
    index const w = all.w;
    index side = w + 2 * all.v;
    index width = 2 * all.v + 1;
    auto a = block.template allocate<typename decltype(all.a)::value_type>(side * side);
    auto b = block.template allocate<typename decltype(all.b)::value_type>(width * width);
    auto sums = detail::make_item_sums<Where, value>(block, w * w);
    block.each(width * width, [=](auto i) { b[i] = load(all.b[i]); });
    index const p = block.threads();
    share.for_each(block, [=, &block](auto row_of_subimages, auto column_of_subimages) {
      auto const top = row_of_subimages * w;
      auto const left = column_of_subimages * w;
      fetch(block, all, top, left, a);
      index const whole = (w * w - 1) / p;  // whole groups; the last group may be smaller
      block.repeat(whole, [=, &block](auto group) {
        pixels(block, all, top, left, a, b, sums, group * p, p);
      });
      pixels(block, all, top, left, a, b, sums, index{whole * p}, w * w - whole * p);
    });
  }

  //! Computes `count` pixels of a subimage from number `first` on, a pixel for each thread.
  template <class Block, class Images, class Top, class LeftEdge, class Pixels, class Taps,
            class Sums, class First>
  MMM_HOST_DEVICE static constexpr void pixels(Block& block, Images all, Top top, LeftEdge left,
                                               Pixels a, Taps b, Sums sums, First first,
                                               index count) {
    using value = typename decltype(all.c)::value_type;
    shape image = all.image;
    index const w = all.w;
    index side = w + 2 * all.v;
    index width = 2 * all.v + 1;
    block.each(
        count, [=](auto i) { detail::item_sum<Where>(sums, first, i) = value{}; }, no_barrier);
    block.repeat(width, [=, &block](auto s) {
      block.repeat(width, [=, &block](auto t) {
        block.each(
            count,
            [=](auto i) {
              auto const pixel = first + i;
              detail::item_sum<Where>(sums, first, i) =
                  detail::item_sum<Where>(sums, first, i) +
                  a[(pixel / w + s) * side + pixel % w + t] * b[s * width + t];
            },
            no_barrier);
      });
    });
    block.each(count, [=](auto i) {
      auto const pixel = first + i;
      auto const row = top + pixel / w;
      auto const column = left + pixel % w;
      auto const inside = row < image.rows && column < image.columns;
      store_if(inside, all.c[row * image.columns + column],
               load_if(inside, detail::item_sum<Where>(sums, first, i), value{}));
    });
  }

  //! The least `w / 2^k` or multiple of w that is at least n.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index beside_lanes(index w, index n) {
    if (n > w) return detail::ceil_divide(n, w) * w;
    index lanes = w;
    while (lanes % 2 == 0 && lanes / 2 >= n && lanes > 1) lanes /= 2;
    return lanes;
  }

  //! Copies the (w + 2v)^2 pixels around a subimage to shared memory: first the subimage's own
  //! columns, which start at address groups, then the v columns on either side of them.
  template <class Block, class Images, class Top, class LeftEdge, class Array>
  MMM_HOST_DEVICE static constexpr void fetch(Block& block, Images all, Top top, LeftEdge left,
                                              Array a) {
    using pixel = typename Array::value_type;
    shape image = all.image;
    index v = all.v;
    index const w = all.w;
    index side = w + 2 * v;
    index last_columns = image.columns - (image.columns - 1) / w * w;  // in the last subimage
    block.each(side, w, [=](auto i, auto j) {
      auto const row = top + i - v;
      auto const inside =
          row >= 0 && row < image.rows && (j < last_columns || left + j < image.columns);
      a[i * side + v + j] = load_if(inside, all.a[row * image.columns + left + j], pixel{});
    });
    // A row has a power of two of these lanes, so that every warp has the same rows in the same
    // lanes.
    index lanes = beside_lanes(w, 2 * v);
    block.each(v == 0 ? 0 : side, lanes, [=](auto i, auto j) {
      auto const row = top + i - v;
      auto const beside = j + j / v * w;
      auto const column = left - v + beside;
      // Beyond the left and right edges a lane reads the word at the edge: all requests of a row
      // are equivalent.
      auto const nearest = max(min(column, image.columns - 1), 0);
      auto const x = load_if(j < 2 * v && row >= 0 && row < image.rows,
                             all.a[row * image.columns + nearest], pixel{});
      store_if(j < 2 * v, a[i * side + beside],
               select(column >= 0 && column < image.columns, x, pixel{}));
    });
  }
};

namespace detail {

template <accumulation Where>
struct image_program {
  template <class On, class Image, class Kernel, class Result>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Image a, shape image, Kernel b, radius kernel,
                                            Result c) const {
    if constexpr (hierarchical_machine<typename On::machine_type>)
      tiled_convolution<Where>{}(on, a, image, b, kernel, c);
    else
      raster_convolution<Where>{}(on, a, image, b, kernel, c);
  }
};

//! The algorithm object behind mmm::image_convolution and mmm::image_convolution_in_memory.
template <accumulation Where>
struct image_algorithm {
  static constexpr bool in_register = Where == accumulation::in_register;
  static constexpr char const* name =
      in_register ? "image-convolution" : "image-convolution-in-memory";
  static constexpr char const* paper = "Nakano and Ito 2014, lemma 4, theorems 5 and 6";
  // on an HMM, v = w = 1: nine words of the image and nine of the kernel for one result
  static constexpr machine_kinds kinds{.dmm = in_register ? 3 : 5, .hmm = 19};

  struct problem {
    shape image;
    radius kernel;
    constexpr explicit problem(sides size, radius v) : image(size.extents), kernel(v) {}

    template <class On, class Image = no_data, class Kernel = no_data, class Out = no_data,
              class... Form>
    constexpr void run(On& on, Image a = {}, Kernel b = {}, Out c = {}, Form const&...) const {
      using value = accumulated_t<typename named_accumulator<Form...>::type, Out, Image, Kernel>;
      perform(on, image_program<Where>{}, reads<value>(a, image.area()), image,
              reads<value>(b, kernel.area()), kernel, writes<value>(c, image.area()));
    }
    //! Each pixel is accessed in the global memory, and each multiplication reads a factor from one
    //! of the d + 1 memories (the global one counts once per port).
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      natural const work = pixels() * kernel.area();
      if (!m.hmm) return {.shared_bandwidth = work / m.w, .shared_latency = work * m.l / m.p};
      bound b = access_bound(m, pixels(), m.p);
      b.shared_bandwidth = work / ((m.d + m.g) * m.w);
      b.shared_latency = work * smaller(m.l, m.L) / m.p;
      return b;
    }
    //! lower_bound in letters, with n^2 for the pixels.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
      if (!m.hmm)
        return {.shared_bandwidth = "n^2(2v + 1)^2/w", .shared_latency = "n^2(2v + 1)^2 l/p"};
      bound_formula f = access_formula(m, "n^2");
      f.shared_bandwidth = quotient("n^2(2v + 1)^2", memories_letters(m));
      f.shared_latency = "n^2(2v + 1)^2 min(l, L)/p";
      return f;
    }
    //! The bound on an HMM for v <= w, for an image padded to whole subimages, and subimages padded
    //! to whole passes of the DMMs.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      if (!m.hmm) {
        natural const work = pixels() * kernel.area();
        return work / m.w + work * m.l / larger(1, smaller(m.p, pixels()));
      }
      natural const subimages = image.rows / m.w * (image.columns / m.w);
      natural const of_one_dmm = subimages / m.d * (m.w * m.w);
      natural const work = of_one_dmm * kernel.area();
      natural const threads = smaller(m.t, m.w * m.w);
      return subimages * m.w + of_one_dmm * m.L / threads + work / m.w + work * m.l / threads;
    }

   private:
    [[nodiscard]] constexpr natural pixels() const { return image.area(); }
  };

  //! Writes the convolution of the row-major image from `a` on with the `kernel.area()` words from
  //! `b` on to `c`.
  //! Errors: std::invalid_argument if `c` overlaps one of them; std::length_error if the shared
  //! memories are too small.
  template <class On, class Image, class Kernel, class Result, class... Form>
  void operator()(On on, Image a, shape image, Kernel b, radius kernel, Result c,
                  Form... form) const {
    static_assert(call_of<On, Image, Kernel>::accepted);
    call_parameters const sizes{call_parameter{"rows", image.rows},
                                call_parameter{"columns", image.columns},
                                call_parameter{"radius", kernel.v}};
    called<image_algorithm>(on, sizes, [&] {
      problem_on_t<On, image_algorithm>(image, kernel).run(on, a, b, c, form...);
    });
  }

  //! Number of words of shared memory that a DMM needs on a machine of width w.
  [[nodiscard]] static constexpr index shared_words(radius kernel, index w) {
    natural const side = w + natural(2) * kernel.v;
    natural const pixels = side * side / w * w;
    natural const taps = kernel.area();
    return in_register ? pixels + taps : pixels + taps / w * w + natural(w) * w;
  }
};

}  // namespace detail

//! The convolution of a row-major image with a (2v + 1) x (2v + 1) kernel,
//! `mmm::image_convolution(on, a, shape, b, radius, c)`: on a DMM in raster order (Nakano and Ito
//! 2014, lemma 4), see raster_convolution; on an HMM by w x w subimages in shared memory (theorem
//! 5), see tiled_convolution. Time for n x n pixels and k = (2v + 1)^2: at most 3 (kn^2/w + kn^2
//! l/p) on a DMM, 19 (n^2/w + n^2 L/p + kn^2/(dw) + kn^2 l/p) on an HMM.
inline constexpr detail::image_algorithm<accumulation::in_register> image_convolution{};

//! The convolution of mmm::image_convolution with the sums in memory, as printed.
inline constexpr detail::image_algorithm<accumulation::in_memory> image_convolution_in_memory{};

}  // namespace mmm
MMM_BODIES_END
