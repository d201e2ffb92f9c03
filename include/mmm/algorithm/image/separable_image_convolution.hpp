// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/image/image_convolution_in_registers.hpp>
#include <mmm/algorithm/tile/whole_or_part.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

//! The convolution of an image with a separable kernel on an HMM: first along the rows, then along
//! the columns, within a tile in the shared memory.
MMM_BODIES_BEGIN
namespace mmm {

//! A kernel of `Width` x `Width` taps as a product of two lists, if it is one: tap (s, t) is
//! `down[s] * across[t]`.
template <class T, index Width>
struct separated_taps {
  bool separable;
  vec<T, Width> down;
  vec<T, Width> across;
};

//! The factors of a row-major kernel of rank 1 (or 0). Integers in `across` have no common divisor,
//! and products are exact; of floating-point numbers a kernel is separable only if each product of
//! the factors is the tap itself. Time: O(Width^2); constexpr, for taps known at compile time.
template <index Width, class T>
[[nodiscard]] constexpr separated_taps<T, Width> separated(T const (&taps)[Width * Width]) {
  separated_taps<T, Width> found{true, {}, {}};
  index first = 0;  // of the taps that are not 0
  while (first < Width * Width && taps[first] == T{}) ++first;
  if (first == Width * Width) return found;
  index const row = first / Width;
  index const column = first % Width;
  T divisor{1};
  if constexpr (detail::integral<T>) {
    index common = 0;
    for (index t = 0; t < Width; ++t)
      common = detail::gcd(common, static_cast<index>(taps[row * Width + t]));
    divisor = static_cast<T>(common);
  }
  for (index t = 0; t < Width; ++t)
    found.across[t] = static_cast<T>(taps[row * Width + t] / divisor);
  for (index s = 0; s < Width; ++s)
    found.down[s] = static_cast<T>(taps[s * Width + column] / found.across[column]);
  for (index k = 0; k < Width * Width; ++k)
    if (static_cast<T>(found.down[k / Width] * found.across[k % Width]) != taps[k])
      found.separable = false;
  return found;
}

//! The convolution with the kernel `down[s] * across[t]` of radius `Radius`, by tiles assigned to
//! the DMMs round-robin. A tile's pixels and those around it, zeros outside the image, are copied
//! to the shared memory. A thread convolves four adjacent pixels along their row at a time, with
//! the taps `across`, to a second array there; then `Tiles::pixels_down` adjacent pixels of a
//! column with the taps `down`. Every pixel takes `2 (2v + 1)` products instead of `(2v + 1)^2`.
//! Needs `Tiles::threads` threads per DMM, others are idle, and shared_words(w) words of shared
//! memory. `Words` words of the image are loaded at once: V, which then divides the columns, or 1.
//! Exact time: mmm::cost_of.
template <index Radius, class Tiles, index Words = Tiles::words>
struct separable_convolution {
  static_assert(Radius >= 0);
  static_assert(Words == 1 || Words == Tiles::words);
  static constexpr index words = Words;  //!< words in a load from the global memory
  static constexpr index max_block_threads = Tiles::threads;
  template <class Word>
  [[nodiscard]] static constexpr index blocks_side_by_side() {
    return sizeof(Word) > 4 ? 1 : Radius <= 4 ? 3 : Words > 1 ? 2 : 1;  // as registers allow
  }
  static constexpr index V = Tiles::words;
  static constexpr index width = 2 * Radius + 1;                    //!< taps in a list
  static constexpr index tap_vecs = detail::ceil_divide(width, V);  //!< vecs of a list of taps
  static constexpr index edge = detail::ceil_divide(Radius, V);     //!< vecs beside a tile
  static constexpr index across = Tiles::columns + 2 * edge * V;    //!< words of a row of pixels
  static constexpr index down = Tiles::rows + 2 * Radius;           //!< rows of pixels

  //! Number of words of shared memory on a machine of width w.
  [[nodiscard]] static constexpr index shared_words(index w) {
    auto const rows_of = [w](index n) { return detail::ceil_divide(n, w) * w; };
    return rows_of(down * across) + rows_of(down * Tiles::columns) + rows_of(tap_vecs * V) +
           tap_vecs * V;
  }

  template <class Machine, class Image, class Taps, class Result>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Image a, shape image, Taps taps_down,
                                            Taps taps_across, Result c) const {
    using value = typename Result::value_type;
    index const rows = image.rows;
    index const columns = image.columns;
    index const tiles_across = detail::ceil_divide(columns, Tiles::columns);
    index const tiles = detail::ceil_divide(rows, Tiles::rows) * tiles_across;
    on.each_tile(
        0, tiles,
        [=](auto& block, auto tile) {
          auto const pixels = block.template allocate<value>(down * across);
          auto const half = block.template allocate<value>(down * Tiles::columns);
          auto const u = block.template allocate<value>(tap_vecs * V);
          auto const x = block.template allocate<value>(tap_vecs * V);
          auto const top = tile / tiles_across * Tiles::rows;
          auto const left = tile % tiles_across * Tiles::columns;
          block.each(
              tap_vecs * V,
              [=](auto i) {
                u[i] = load_if(i < width, taps_down[i], value{});
                x[i] = load_if(i < width, taps_across[i], value{});
              },
              no_barrier);
          copy_pixels<value>(block, a, image, top, tile % tiles_across * (Tiles::columns / Words),
                             pixels);
          block.each(down, Tiles::threads_across, [=](auto row, auto column) {
            auto const near = make_vec<2 * edge + 1>(
                [&](index q) { return load(wide<V>(pixels)[row * (across / V) + column + q]); });
            auto const factors = taps_of(x);
            wide<V>(half)[row * Tiles::threads_across + column] = make_vec<V>([&](index k) {
              index const start = edge * V - Radius + k;
              auto pixel = near[start / V][start % V] * factors[0][0];
              unroll<width - 1>([&](index t) {
                index const place = start + t + 1;
                pixel = pixel + near[place / V][place % V] * factors[(t + 1) / V][(t + 1) % V];
              });
              return pixel;
            });
          });
          block.each(Tiles::threads, [=](auto i) {
            auto const row = i / Tiles::threads_across * Tiles::pixels_down;
            auto const lane = i % Tiles::threads_across;
            auto const factors = taps_of(u);
            unroll<V>([&](index k) {
              auto const column = lane + k * Tiles::threads_across;
              auto const near = make_vec<Tiles::pixels_down + 2 * Radius>(
                  [&](index r) { return load(half[(row + r) * Tiles::columns + column]); });
              unroll<Tiles::pixels_down>([&](index q) {
                auto pixel = near[q] * factors[0][0];
                unroll<width - 1>([&](index s) {
                  pixel = pixel + near[q + s + 1] * factors[(s + 1) / V][(s + 1) % V];
                });
                store_if(top + row + q < rows && left + column < columns,
                         c[(top + row + q) * columns + left + column], pixel);
              });
            });
          });
        },
        no_barrier);
  }

  //! The program for sequences that do not begin at multiples of V words.
  [[nodiscard]] static constexpr separable_convolution<Radius, Tiles, 1> by_words()
  requires(Words > 1)
  {
    return {};
  }

 private:
  template <class Taps>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto taps_of(Taps taps) {
    return make_vec<tap_vecs>([&](index q) { return load(wide<V>(taps)[q]); });
  }
  //! Copies a tile's pixels and those around it, `Words` in an access. Up to eight accesses of a
  //! thread are in flight before the first of their words is stored.
  template <class Value, class Block, class Image, class Top, class LeftEdge, class Pixels>
  MMM_HOST_DEVICE static constexpr void copy_pixels(Block& block, Image a, shape image, Top top,
                                                    LeftEdge left, Pixels pixels) {
    constexpr index row_length = across / Words;
    constexpr index accesses = down * row_length;
    constexpr index copies = detail::ceil_divide(accesses, Tiles::threads);
    constexpr index at_once = detail::smaller(copies, 8);
    index const pitch = image.columns / Words;
    index const rows = image.rows;
    block.each(Tiles::threads, [=](auto i) {
      unroll<detail::ceil_divide(copies, at_once)>([&](index batch) {
        auto const first = i + batch * at_once * Tiles::threads;
        auto const copied = make_vec<at_once>([&](index k) {
          auto const number = first + k * Tiles::threads;
          auto const y = top + number / row_length - Radius;
          auto const z = left + number % row_length - edge * V / Words;
          return load_if(number < accesses && y >= 0 && y < rows && z >= 0 && z < pitch,
                         wide<Words>(a)[y * pitch + z], Value{});
        });
        unroll<at_once>([&](index k) {
          auto const number = first + k * Tiles::threads;
          store_if(number < accesses, wide<Words>(pixels)[number], copied[k]);
        });
      });
    });
  }
};

namespace detail {

//! The algorithm object behind mmm::separable_image_convolution.
template <index Radius, class Tiles>
struct separable_image_algorithm {
  using program = separable_convolution<Radius, Tiles>;
  static constexpr char const* name = "separable-image-convolution";
  static constexpr char const* paper = "this library";
  static constexpr machine_kinds kinds{.hmm = 2};

  struct problem {
    shape image;
    constexpr explicit problem(sides const& size) : image(size.extents) {}

    template <class On, class Image = no_data, class Down = no_data, class Across = no_data,
              class Out = no_data, class... Form>
    constexpr void run(On& on, Image a = {}, Down u = {}, Across x = {}, Out c = {},
                       Form const&...) const {
      using value = accumulated_t<typename named_accumulator<Form...>::type, Out, Image, Down>;
      demand_threads_per_dmm(on, Tiles::threads);
      auto const start = [&](auto one) {
        perform(on, one, reads<value>(a, image.area()), image, reads<value>(u, program::width),
                reads<value>(x, program::width), writes<value>(c, image.area()));
      };
      start_by_words(program{}, image.columns % program::words == 0, start);
    }
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      return access_bound(m, 2 * natural(image.area()), Tiles::words * m.p);
    }
    //! The bound for an image padded to whole tiles, and tiles padded to whole passes of the DMMs:
    //! the words of every access, two stages of the global memory more for each row of a request,
    //! and a latency for each access of a thread.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      natural const tiles =
          image.rows / natural(Tiles::rows) * (image.columns / natural(Tiles::columns));
      natural const passes = tiles / m.d + smaller(tiles, 1);
      constexpr index pixels = program::down * program::across;
      constexpr index results = Tiles::rows * Tiles::columns;
      constexpr index halves = program::down * Tiles::columns;
      natural const own = results / Tiles::threads;
      natural const copies = pixels / natural(Tiles::threads) + 1;
      natural const stages = (pixels + results + 2 * program::width) / m.w +
                             2 * natural(Tiles::threads) / m.w * (copies + own) + program::down;
      natural const global = m.d * stages + (copies + own + 2 * program::width / m.t + 2) * m.L;
      natural const row_items = halves / Tiles::words / m.t + 1;
      natural const reads = natural(2 * program::edge + 2 + program::width);
      natural const of_columns =
          natural(Tiles::words * (Tiles::pixels_down + 2 * Radius)) + program::width;
      natural const shared = copies * (Tiles::threads / m.w + m.l) +
                             row_items * reads * (Tiles::words * m.t / m.w + m.l) +
                             of_columns * (Tiles::threads / m.w + m.l) + 4 * program::width * m.l;
      return passes * (global + shared);
    }
  };

  //! Writes the convolution of the row-major image from `a` on with the kernel whose tap (s, t) is
  //! `taps_down[s] * taps_across[t]`, `2 Radius + 1` of each, to `c`. mmm::accumulate_in may
  //! follow.
  //! Errors: std::invalid_argument if `c` overlaps one of them or for fewer than `Tiles::threads`
  //! threads per DMM; std::length_error if the shared memories are too small.
  template <class On, class Image, class Taps, class Result, class... Form>
  void operator()(On on, Image a, shape image, Taps taps_down, Taps taps_across, Result c,
                  Form... form) const {
    static_assert(call_of<On, Image, Taps>::accepted);
    call_parameters const sizes{call_parameter{"rows", image.rows},
                                call_parameter{"columns", image.columns}};
    called<separable_image_algorithm>(on, sizes, [&] {
      problem_on_t<On, separable_image_algorithm>(image).run(on, a, taps_down, taps_across, c,
                                                             form...);
    });
  }
};

}  // namespace detail

//! The convolution of a row-major image with a separable kernel of radius `Radius` on an HMM, by
//! tiles of 32 x 128 pixels and 256 threads: `mmm::separable_image_convolution<2>(on, a, shape,
//! taps_down, taps_across, c)`. Sums are rounded as the two steps round them.
template <index Radius>
inline constexpr detail::separable_image_algorithm<Radius, image_tiles<8, 32, 4>>
    separable_image_convolution{};

}  // namespace mmm
MMM_BODIES_END
