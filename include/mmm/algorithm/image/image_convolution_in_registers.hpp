// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/tile/whole_or_part.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

//! The convolution of an image with a small kernel of a constant radius on an HMM, with a block of
//! pixels per thread.
MMM_BODIES_BEGIN
namespace mmm {

//! The tiles of an image: `Down x Across` threads of a DMM, each with `Rows x V` pixels, V words in
//! an access.
template <index Down, index Across, index Rows, index V = 4>
struct image_tiles {
  static constexpr index threads_across = Across;
  static constexpr index threads = Down * Across;  //!< threads of a DMM that take part
  static constexpr index pixels_down = Rows;       //!< pixels of a thread, in a column
  static constexpr index rows = Down * Rows;       //!< rows of a tile
  static constexpr index columns = Across * V;
  static constexpr index words = V;
};

//! The convolution with a (2v + 1) x (2v + 1) kernel, v = Radius, by tiles assigned to the DMMs
//! round-robin. A tile's pixels and those around it, zeros outside the image, are copied to the
//! shared memory. A thread proceeds down its columns: of every row it reads the V + 2v pixels that
//! it needs once, for all of its rows of results; these are in registers, as are the last rows of
//! the kernel.
//! Needs `Tiles::threads` threads per DMM, others are idle, and shared_words(w) words of shared
//! memory. `Words` words of the global memory are accessed at once: V, which then divides the
//! columns, or 1. Exact time: docs/algorithms.md.
template <index Radius, class Tiles, index Words = Tiles::words>
struct register_image_convolution {
  static_assert(Radius >= 0);
  static_assert(Words == 1 || Words == Tiles::words);
  static constexpr index words = Words;  //!< words in an access of the global memory
  //! threads of a block in a kernel: each thread has enough registers
  static constexpr index max_block_threads = Tiles::threads;
  //! True if each thread has one item, so that no loop over items keeps all taps in registers. Word
  //! by word, where a tile is copied in many accesses, the accesses' addresses would take these
  //! registers.
  static constexpr bool fills_blocks = Words > 1;
  template <class Word>
  [[nodiscard]] static constexpr index blocks_side_by_side() {
    return Words > 1 && sizeof(Word) <= 4 ? 2 : 1;
  }
  static constexpr index width = 2 * Radius + 1;  //!< taps in a row
  //! vecs in a row of the kernel
  static constexpr index tap_vecs = detail::ceil_divide(width, Tiles::words);
  //! vecs to the left of a tile
  static constexpr index edge = detail::ceil_divide(Radius, Tiles::words);
  static constexpr index across = Tiles::columns / Tiles::words + 2 * edge;  //!< vecs of a row
  static constexpr index down = Tiles::rows + 2 * Radius;                    //!< rows of pixels
  //! vecs that a thread reads in a row
  static constexpr index reach = 2 * edge + 1;

  //! Number of words of shared memory on a machine of width w.
  [[nodiscard]] static constexpr index shared_words(index w) {
    return detail::ceil_divide(down * across * Tiles::words, w) * w +
           width * tap_vecs * Tiles::words;
  }

  template <class Machine, class Image, class Kernel, class Result>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Image a, shape image, Kernel b,
                                            Result c) const {
    tiles(on, a, image, b, c);
  }
  //! The program for sequences that do not begin at multiples of V words.
  [[nodiscard]] static constexpr register_image_convolution<Radius, Tiles, 1> by_words()
  requires(Words > 1)
  {
    return {};
  }

 private:
  //! The tiles in the rows of tiles [top, bottom) and the columns of tiles [left, right), row by
  //! row; `first` is the number of the first one.
  struct region {
    index first;
    index top;
    index bottom;
    index left;
    index right;
    [[nodiscard]] MMM_HOST_DEVICE constexpr index count() const {
      return (bottom - top) * (right - left);
    }
  };
  //! The inner ones of `all` tiles of `side` words: tiles that do not cross a border of `length`
  //! words even with the `around` words beside them.
  struct range {
    index first;
    index last;
    MMM_HOST_DEVICE constexpr range(index length, index side, index around, index all)
        : first(detail::smaller(all, detail::ceil_divide(around, side))),
          last(detail::larger(first, length < around ? 0 : (length - around) / side)) {}
  };

  template <class Machine, class Image, class Kernel, class Result>
  MMM_HOST_DEVICE static constexpr void tiles(Machine& on, Image a, shape image, Kernel b,
                                              Result c) {
    index const tiles_down = detail::ceil_divide(image.rows, Tiles::rows);
    index const tiles_across = detail::ceil_divide(image.columns, Tiles::columns);
    range const rows(image.rows, Tiles::rows, Radius, tiles_down);
    range const columns(image.columns, Tiles::columns, edge * Tiles::words, tiles_across);
    region const middle{0, rows.first, rows.last, columns.first, columns.last};
    tiles_of<true>(on, a, image, b, c, middle);
    index done = middle.count();
    // The borders above, below, left and right are a loop, since a kernel's code has a copy of each
    // call.
    for (int k = 0; k < 4; ++k) {
      region const border{done,
                          k == 0   ? 0
                          : k == 1 ? rows.last
                                   : rows.first,
                          k == 0   ? rows.first
                          : k == 1 ? tiles_down
                                   : rows.last,
                          k == 3 ? columns.last : 0, k == 2 ? columns.first : tiles_across};
      tiles_of<false>(on, a, image, b, c, border);
      done += border.count();
    }
  }

  //! Computes tiles of the region. \tparam Whole true if no tile's pixels cross a border
  template <bool Whole, class Machine, class Image, class Kernel, class Result>
  MMM_HOST_DEVICE static constexpr void tiles_of(Machine& on, Image a, shape image, Kernel b,
                                                 Result c, region part) {
    using value = typename Result::value_type;
    constexpr index V = Tiles::words;
    constexpr index parts = V / Words;  // accesses for a vec
    // Whole groups of threads that are served at once copy a row.
    constexpr index served = Machine::machine_type::width() / Words;
    constexpr index copied_across = detail::ceil_divide(across * parts, served) * served;
    index const pitch = image.columns / Words;
    index const rows = image.rows;
    index const part_across = part.right - part.left;
    auto const body = [=](auto& block, auto number) MMM_INLINED {
      auto const tile = number - part.first;
      auto s = block.template allocate<value>(down * across * V);
      auto taps = block.template allocate<value>(width * tap_vecs * V);
      auto sums = block.template registers<value, Tiles::pixels_down * V>();
      auto factors = block.template registers<value, Tiles::pixels_down * tap_vecs * V>();
      auto top = part.top * Tiles::rows + tile / part_across * Tiles::rows;
      auto left =
          part.left * (Tiles::columns / Words) + tile % part_across * (Tiles::columns / Words);
      block.each(
          width, tap_vecs * V,
          [=](auto row, auto column) MMM_INLINED {
            taps[row * (tap_vecs * V) + column] =
                load_if(column < width, b[row * width + column], value{});
          },
          no_barrier);
      // Up to eight accesses of a thread are in flight before the first of their words is stored.
      constexpr index copies = detail::ceil_divide(down * copied_across, Tiles::threads);
      constexpr index at_once = detail::smaller(copies, 8);
      block.each(Tiles::threads, [=](auto i) MMM_INLINED {
        auto const needed = [=](auto const& row, auto const& column)
                                MMM_INLINED { return row < down && column < across * parts; };
        unroll<detail::ceil_divide(copies, at_once)>([&](index batch) MMM_INLINED {
          auto const first = i + batch * at_once * Tiles::threads;
          auto const copied = make_vec<at_once>([&](index k) MMM_INLINED {
            auto row = (first + k * Tiles::threads) / copied_across;
            auto column = (first + k * Tiles::threads) % copied_across;
            auto y = top + row - Radius;
            auto x = left + column - edge * parts;
            auto inside = [&]() MMM_INLINED {
              if constexpr (Whole)
                return needed(row, column);
              else
                return needed(row, column) && y >= 0 && y < rows && x >= 0 && x < pitch;
            }();
            return load_if(inside, wide<Words>(a)[y * pitch + x], value{});
          });
          unroll<at_once>([&](index k) MMM_INLINED {
            auto row = (first + k * Tiles::threads) / copied_across;
            auto column = (first + k * Tiles::threads) % copied_across;
            store_if(needed(row, column), wide<Words>(s)[row * (across * parts) + column],
                     copied[k]);
          });
        });
      });
      block.each(Tiles::threads, [=](auto i) MMM_INLINED {
        auto thread_row = i / Tiles::threads_across;
        auto thread_column = i % Tiles::threads_across;
        unroll<Tiles::pixels_down * V>([&](index k) MMM_INLINED { sums(i, k) = value{}; });
        auto const pixels = wide<V>(s);
        auto const first = thread_row * (Tiles::pixels_down * across) + thread_column;
        unroll<first_of_all>([&](index r) MMM_INLINED {
          add_row<false>(pixels, first, taps, i, r, r, factors, sums);
        });
        repeat_rows<trips>([&](index trip) MMM_INLINED {
          unroll<Tiles::pixels_down>([&](index k) MMM_INLINED {
            index const like = first_of_all + k;
            add_row<true>(pixels, first, taps, i, trip * Tiles::pixels_down + like, like, factors,
                          sums);
          });
        });
        constexpr index done = first_of_all + trips * Tiles::pixels_down;
        unroll<Tiles::pixels_down + 2 * Radius - done>([&](index k) MMM_INLINED {
          add_row<false>(pixels, first, taps, i, done + k, done + k, factors, sums);
        });
        unroll<Tiles::pixels_down>([&](index q) MMM_INLINED {
          auto y = top + thread_row * Tiles::pixels_down + q;
          unroll<parts>([&](index k) MMM_INLINED {
            auto x = left + thread_column * parts + k;
            detail::store_within<Whole>(y < rows && x < pitch, wide<Words>(c)[y * pitch + x],
                                        make_vec<Words>([&](index j) MMM_INLINED {
                                          return load(sums(i, q * V + k * Words + j));
                                        }));
          });
        });
      });
    };
    on.each_tile(part.first, part.count(), body, no_barrier);
  }

  //! The first row of pixels that contributes to all rows of a thread's results.
  static constexpr index first_of_all = Tiles::pixels_down - 1;
  //! Number of multiples of a thread's rows of results that follow with rows that contribute to all
  //! of them.
  static constexpr index trips =
      width < Tiles::pixels_down ? 0 : (width - first_of_all) / Tiles::pixels_down;

  //! Calls `body(0), …, body(Trips - 1)`; two or more calls in a loop, since a large kernel's
  //! unrolled code would be several times as long.
  template <index Trips, class Body>
  MMM_HOST_DEVICE static constexpr void repeat_rows(Body const& body) {
#ifdef __CUDACC__
#pragma unroll 1
#endif
    for (int trip = 0; trip < static_cast<int>(Trips); ++trip) body(index{trip});
  }

  //! Reads row r of a thread's pixels, which begin at vec `first`, and row r of the taps, and adds
  //! the row's contributions to the thread's sums. Row `like` is a constant of the kernel; the taps
  //! of row r are in the registers of row `like`. \tparam All true if the row contributes to all
  //! results
  template <bool All, class Pixels, class First, class Taps, class Item, class Factors, class Sums>
  MMM_HOST_DEVICE static constexpr void add_row(Pixels const& pixels, First const& first,
                                                Taps const& taps, Item const& i, index r,
                                                index like, Factors factors, Sums sums) {
    constexpr index V = Tiles::words;
    constexpr index P = Tiles::pixels_down;
    auto const row = make_vec<reach>(
        [&](index q) MMM_INLINED { return load(pixels[first + (r * across + q)]); });
    if (All || r < width)
      unroll<tap_vecs>([&](index q) MMM_INLINED {
        auto const x = load(wide<V>(taps)[r * tap_vecs + q]);
        unroll<V>([&](index k)
                      MMM_INLINED { factors(i, (like % P * tap_vecs + q) * V + k) = x[k]; });
      });
    // the row of the result to which row r - q of the kernel contributes
    unroll<P>([&](index q) MMM_INLINED {
      if (All || (r >= q && r - q < width))
        unroll<V>([&](index k) MMM_INLINED {
          unroll<width>([&](index t) MMM_INLINED {
            index const pixel = edge * V - Radius + k + t;
            sums(i, q * V + k) =
                load(sums(i, q * V + k)) +
                row[pixel / V][pixel % V] * load(factors(i, (like + P - q) % P * tap_vecs * V + t));
          });
        });
    });
  }
};

namespace detail {

//! The algorithm object behind mmm::image_convolution_in_registers.
template <index Radius, class Tiles>
struct register_image_algorithm {
  using tiled = register_image_convolution<Radius, Tiles>;
  static constexpr char const* name = "image-convolution-in-registers";
  static constexpr char const* paper =
      "Nakano and Ito 2014, theorem 5, with blocks of pixels in registers";
  static constexpr machine_kinds kinds{.hmm = 2};

  struct problem {
    shape image;
    constexpr explicit problem(sides const& size) : image(size.extents) {}

    template <class On, class Image = no_data, class Kernel = no_data, class Out = no_data,
              class... Form>
    constexpr void run(On& on, Image a = {}, Kernel b = {}, Out c = {}, Form const&...) const {
      using value = accumulated_t<typename named_accumulator<Form...>::type, Out, Image, Kernel>;
      demand_threads_per_dmm(on, Tiles::threads);
      auto const start = [&](auto program) {
        perform(on, program, reads<value>(a, image.area()), image,
                reads<value>(b, tiled::width * tiled::width), writes<value>(c, image.area()));
      };
      start_by_words(tiled{}, image.columns % tiled::words == 0, start);
    }
    //! The bound for algorithms whose threads have blocks of this size: a row of pixels is read
    //! once for its rows of results.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      natural const pixels = image.area();
      bound b = access_bound(m, 2 * pixels, Tiles::words * m.p);
      b.shared_bandwidth =
          pixels * (Tiles::pixels_down + 2 * Radius) / Tiles::pixels_down / (m.d * m.w);
      return b;
    }
    //! The bound for an image padded to whole tiles, and tiles padded to whole passes of the DMMs:
    //! the words of every access, a stage of the global memory more for each row, and a latency for
    //! each access of a thread.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      constexpr index V = Tiles::words;
      natural const parts = image.columns % V == 0 ? 1 : V;  // accesses for a vec
      natural const tiles =
          image.rows / natural(Tiles::rows) * (image.columns / natural(Tiles::columns));
      natural const passes = tiles / m.d + smaller(tiles, 4);  // middle and borders
      constexpr index taps = tiled::width * tiled::tap_vecs * V;
      constexpr index pixels = tiled::down * tiled::across * V;
      constexpr index results = Tiles::threads * Tiles::pixels_down * V;
      constexpr index reads =
          (Tiles::pixels_down + 2 * Radius) * tiled::reach + tiled::width * tiled::tap_vecs;
      natural const copies = taps / m.t + pixels / V * parts / m.t;
      natural const stages =
          parts * (results / m.w + results / V) + pixels / m.w + (2 * tiled::down + taps);
      natural const global = m.d * stages + (copies + Tiles::pixels_down * parts) * m.L;
      natural const shared =
          (taps + pixels) / m.w + copies * m.l + reads * (V * (Tiles::threads / m.w) + m.l);
      return passes * (global + shared);
    }
  };

  //! Writes the convolution of the row-major image from `a` on with the `(2 Radius + 1)^2` words
  //! from `b` on to `c`.
  //! Errors: std::invalid_argument if `c` overlaps one of them or for fewer than `Tiles::threads`
  //! threads per DMM; std::length_error if the shared memories are too small.
  template <class On, class Image, class Kernel, class Result, class... Form>
  void operator()(On on, Image a, shape image, Kernel b, Result c, Form... form) const {
    static_assert(call_of<On, Image, Kernel>::accepted);
    call_parameters const sizes{call_parameter{"rows", image.rows},
                                call_parameter{"columns", image.columns}};
    called<register_image_algorithm>(on, sizes, [&] {
      problem_on_t<On, register_image_algorithm>(image).run(on, a, b, c, form...);
    });
  }
};

}  // namespace detail

//! The convolution of a row-major image with a kernel of radius `Radius` on an HMM, by tiles of 32
//! x 128 pixels and 256 threads with 4 x 4 pixels each: `mmm::image_convolution_in_registers<2>(on,
//! a, shape, b, c)`.
template <index Radius>
inline constexpr detail::register_image_algorithm<Radius, image_tiles<8, 32, 4>>
    image_convolution_in_registers{};

}  // namespace mmm
MMM_BODIES_END
