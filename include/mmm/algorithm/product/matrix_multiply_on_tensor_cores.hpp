// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/call/shapes.hpp>
#include <mmm/algorithm/product/product_forms.hpp>
#include <mmm/algorithm/product/staged_steps.hpp>
#include <mmm/algorithm/product/tensor_core_tile.hpp>
#include <mmm/algorithm/product/warpgroup_tile.hpp>
#include <mmm/algorithm/tile/whole_or_part.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/contiguous_iterator.hpp>
#include <mmm/gpu/data_type.hpp>
#include <mmm/gpu/number_type.hpp>
#include <mmm/machine/machine.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

//! The product c = a b of matrices of 16-bit or 8-bit numbers on an HMM, by the tensor cores of a
//! GPU.
MMM_BODIES_BEGIN
namespace mmm {

//! Accepts products of floats by tensor cores, which ignore the lower 13 bits of each factor's
//! mantissa: an argument of mmm::matrix_multiply_on_tensor_cores.
struct accept_tf32_t {};
inline constexpr accept_tf32_t accept_tf32{};

namespace detail {

//! The type of a factor in a call: without data `Default`.
template <class Iterator, gpu::data_type Default, class... Form>
struct factor_type : gpu::number_type<iterator_value_t<Iterator>> {};
template <gpu::data_type Default, class... Form>
struct factor_type<no_data, Default, Form...> : gpu::is_of_type<Default> {};
template <class Iterator, gpu::data_type Default, class... Form>
requires(std::is_same_v<iterator_value_t<Iterator>, float> &&
         (std::is_same_v<Form, accept_tf32_t> || ...))
struct factor_type<Iterator, Default, Form...> : gpu::is_of_type<gpu::data_type::tf32> {};

//! The product by tensor cores (register_product has the order of the tiles). The factors of
//! `stages` steps are in the shared memory, swizzled; warps load fragments from there and multiply
//! them. Needs `Tiles::threads` threads per DMM, others are idle, and `Tiles::shared_words` words
//! of 4 bytes of shared memory. c is rounded once for each mma.sync along the inner side.
template <class Tiles, gpu::data_type A, gpu::data_type B, bool Wide, class Layout>
struct tensor_core_product {
  static constexpr index max_block_threads = Tiles::launched_threads;
  static constexpr bool fills_blocks = true;
  static constexpr bool assigns_tiles = !by_warpgroups<Tiles>;
  static constexpr bool arrays_are_aligned = Wide;
  using tiles = Tiles;
  using layout_type = Layout;
  static constexpr gpu::data_type left_type = A;
  static constexpr gpu::data_type right_type = B;
  template <class Word>
  [[nodiscard]] static constexpr index blocks_side_by_side() {
    return larger(1, 256 / Tiles::threads);
  }
  Layout layout{};

  template <class Machine, class Left, class Right, class Result>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Left a, Right b, product_shape shape,
                                            Result c) const {
    each_product_tile<tensor_core_tile<Tiles, A, B, Wide, Layout>>(
        on, placed_matrices<Left, Right, Result, Layout>{{a, b, c, shape}, layout});
  }
};

//! Tells predictions that a kernel has a block for each tile, or that its blocks take several.
template <bool ByWarpgroups>
struct tiles_of_blocks {
  static constexpr bool assigns_tiles = true;
};
template <>
struct tiles_of_blocks<true> {};

//! The algorithm object behind mmm::matrix_multiply_on_tensor_cores.
//! \tparam Estimated the type of the factors where there is no data
template <class Tiles, gpu::data_type Estimated = gpu::data_type::f16>
struct tensor_core_algorithm : product_call<tensor_core_algorithm<Tiles, Estimated>>,
                               tiles_of_blocks<by_warpgroups<Tiles>> {
  static constexpr bool on_tensor_cores = true;
  static constexpr bool on_warpgroups = by_warpgroups<Tiles>;
  static constexpr index tile_columns = Tiles::columns;
  static constexpr char const* name =
      on_warpgroups ? "matrix-multiply-by-warpgroups" : "matrix-multiply-on-tensor-cores";
  static constexpr index word_bytes = 4;  //!< whatever the elements
  static constexpr char const* paper =
      "Nakano and Ito 2014, theorem 8, with fragments in registers";
  static constexpr machine_kinds kinds{.hmm = 2};

  struct problem : product_sizes {
    constexpr explicit problem(product_sizes const& sizes) : product_sizes(sizes) {}

    template <class On, class Left = no_data, class Right = no_data, class Out = no_data,
              class... Form>
    constexpr void run(On& on, Left a = {}, Right b = {}, Out c = {}, Form const&... form) const {
      constexpr auto left_type = factor_type<first_of_t<Left>, Estimated, Form...>::value;
      constexpr auto right_type = factor_type<first_of_t<Right>, Estimated, Form...>::value;
      using value = std::conditional_t<gpu::is_floating(left_type), float, std::int32_t>;
      using named = typename named_accumulator<Form...>::type;
      static_assert(std::is_void_v<named> || std::is_same_v<named, value>,
                    "mmm: tensor cores add products up in float, those of integers in int32_t");
      demand_threads_per_dmm(on, Tiles::launched_threads);
      if constexpr (on_warpgroups && launches_kernels<On>)
        if (!has_kernel(on, a, b, c, form...)) return run_otherwise(on, a, b, c, form...);
      if constexpr (is_placed<Left, Right, Out, Form...>) {
        auto const layout = placed_product_of<value>(shape, a, b, c, form...);
        index const left_rows = layout.left_transposed ? shape.inner : shape.rows;
        index const right_rows = layout.right_transposed ? shape.columns : shape.inner;
        start<left_type, right_type>(
            on, a, b, c, layout,
            updates<value>(first_of(c), extent(shape.rows, shape.columns, layout.result,
                                               layout.all.count, layout.all.result)),
            extent(left_rows, layout.left_transposed ? shape.rows : shape.inner, layout.left,
                   layout.all.count, layout.all.left),
            extent(right_rows, layout.right_transposed ? shape.inner : shape.columns, layout.right,
                   layout.all.count, layout.all.right));
      } else {
        start<left_type, right_type>(on, a, b, c, packed_product<value>{},
                                     writes<value>(c, result()), left(), right());
      }
    }
    //! True if the call with these arguments copies vecs of 16 bytes, and not elements one by one.
    template <class Left, class Right, class Out, class... Form>
    [[nodiscard]] constexpr bool copies_vecs(Left const& a, Right const& b, Out const& c,
                                             Form const&... form) const {
      constexpr index in_word =
          32 / gpu::bits_of(factor_type<first_of_t<Left>, Estimated, Form...>::value);
      auto const with = [&](auto const& layout) {
        using layout_type = std::remove_cvref_t<decltype(layout)>;
        if constexpr (can_be_wide<Left, Right, Out, layout_type>(in_word))
          return is_wide(a, b, c, layout, 4 * in_word);
        else
          return false;
      };
      if constexpr (is_placed<Left, Right, Out, Form...>)
        return with(placed_product_of<float>(shape, a, b, c, form...));
      else
        return with(packed_product<float>{});
    }
    //! True if a kernel by warpgroups runs the call: the device has its code, tensor maps can
    //! describe the factors, and c has the type of the sums.
    template <class On, class Left, class Right, class Out, class... Form>
    [[nodiscard]] bool has_kernel(On const& on, Left const& a, Right const& b, Out const& c,
                                  Form const&... form) const {
      constexpr auto left = factor_type<first_of_t<Left>, Estimated, Form...>::value;
      constexpr auto right = factor_type<first_of_t<Right>, Estimated, Form...>::value;
      using value = std::conditional_t<gpu::is_floating(left), float, std::int32_t>;
      auto const with = [&](auto const& layout) {
        using placed = std::remove_cvref_t<decltype(layout)>;
        if constexpr (on_warpgroups && launches_kernels<On> &&
                      can_be_wide<Left, Right, Out, placed>(32 / gpu::bits_of(left)) &&
                      std::is_same_v<iterator_value_t<first_of_t<Out>>, value>)
          return can_be_mapped<left, right>(layout) &&
                 on.template runs_by_hand<tensor_core_product<Tiles, left, right, true, placed>>();
        else
          return false;
      };
      if (!copies_vecs(a, b, c, form...)) return false;
      if constexpr (is_placed<Left, Right, Out, Form...>)
        return with(placed_product_of<value>(shape, a, b, c, form...));
      else
        return with(packed_product<value>{});
    }
    //! The bound for the words of the matrices, of 4 bytes, and for fragments: each factor is read
    //! from a shared memory once for the rows or columns of a warp.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      constexpr index in_word = 32 / gpu::bits_of(Estimated);
      constexpr index together = Tiles::warp_rows * Tiles::warp_columns * in_word;
      natural const words = work() * (Tiles::warp_rows + Tiles::warp_columns) / together;
      natural const factors = work() == 0 ? natural(0) : (left() + right()) / natural(in_word);
      bound b = access_bound(m, factors + result(), 4 * m.p);
      b.shared_bandwidth = words / (m.d * m.w);
      b.shared_latency = words * m.l / (4 * m.p);
      return b;
    }
    //! The bound for matrices padded to whole tiles and whole passes of the DMMs, for factors that
    //! are copied element by element.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      constexpr index depth = 128 * Tiles::step_vecs / gpu::bits_of(Estimated);
      constexpr index both = (Tiles::rows + Tiles::columns) * depth;
      constexpr index result = Tiles::rows * Tiles::columns;
      natural const passes =
          shape.rows / natural(Tiles::rows) * (shape.columns / natural(Tiles::columns)) / m.d + 3;
      natural const steps = shape.inner / natural(depth) + 1;
      natural const global = m.d * (both / natural(4)) + both / Tiles::threads * m.L;
      constexpr index warps = Tiles::threads / 32;
      constexpr index of_warp = (Tiles::warp_rows + Tiles::warp_columns) * 4 * Tiles::step_vecs;
      natural const fragments = warps * of_warp / natural(32);
      natural const shared = fragments + both / natural(4) + both / Tiles::threads * m.l;
      return passes * (steps * (global + shared) + 4 * m.d * (result / natural(8)) +
                       2 * natural(result / Tiles::threads) * m.L);
    }

   private:
    template <gpu::data_type A, gpu::data_type B, class On, class Left, class Right, class Out,
              class Layout, class Argument>
    constexpr void start(On& on, Left const& a, Right const& b, Out const& c, Layout const& layout,
                         Argument const& of_c, index left_words, index right_words) const {
      constexpr index in_word = 32 / gpu::bits_of(A);
      if constexpr (can_be_wide<Left, Right, Out, Layout>(in_word))
        if (is_wide(a, b, c, layout, 4 * in_word)) {
          using word = std::conditional_t<in_word == 1, float, std::uint32_t>;
          tensor_core_product<Tiles, A, B, true, Layout> const program{layout};
          return perform(on, program, reads<word>(as_words<word>(a), left_words / in_word),
                         reads<word>(as_words<word>(b), right_words / in_word), shape, of_c);
        }
      if constexpr (!(on_warpgroups && launches_kernels<On>)) {
        tensor_core_product<Tiles, A, B, false, Layout> const program{layout};
        perform(on, program, reads(first_of(a), left_words), reads(first_of(b), right_words), shape,
                of_c);
      }
    }
    template <class On>
    static constexpr bool launches_kernels =
        requires(On const& on) { on.template runs_by_hand<void>(); };
    //! The call by mma.sync, with as many threads as it needs.
    template <class On, class Left, class Right, class Out, class... Form>
    void run_otherwise(On const& on, Left const& a, Right const& b, Out const& c,
                       Form const&... form) const {
      using tiles =
          std::conditional_t<Tiles::columns == 256, tensor_core_tiles<128, 256, 64, 64, 3, 8>,
                             tensor_core_tiles<128, 128, 64, 64, 4>>;
      auto const other = on.on_machine(on.machine(), threads(on.dmms() * tiles::threads));
      tensor_core_algorithm<tiles, Estimated>{}(other, a, b, shape, c, form...);
    }
    //! True if tensor maps can describe the factors, and copies find their places with 32 bits.
    template <gpu::data_type A, gpu::data_type B, class Layout>
    [[nodiscard]] constexpr bool can_be_mapped(Layout const& layout) const {
      using stage = warpgroup_stage<Tiles, A, B, Layout>;
      return larger(larger(shape.rows, shape.columns), larger(shape.inner, layout.count())) <
                 INT32_MAX &&
             gpu::is_valid(stage::left_map(layout, shape)) &&
             gpu::is_valid(stage::right_map(layout, shape));
    }
    //! True if factors of so many elements in a word of 4 bytes may be copied in vecs.
    template <class Left, class Right, class Out, class Layout>
    [[nodiscard]] static constexpr bool can_be_wide(index in_word) {
      return has_words<Left> && has_words<Right> && has_words<Out> &&
             (in_word == 2 || (!Layout::left_transposed && Layout::right_transposed));
    }
    template <class X>
    static constexpr bool has_words =
        std::is_same_v<X, no_data> || std::contiguous_iterator<first_of_t<X>>;

    //! A factor's elements as words of 4 bytes.
    template <class Word, class X>
    [[nodiscard]] static auto as_words(X const& x) {
      if constexpr (std::is_same_v<X, no_data>)
        return x;
      else
        return reinterpret_cast<Word const*>(std::to_address(first_of(x)));
    }
    template <index Bytes, class X>
    [[nodiscard]] static constexpr bool begins_at_multiple(X const& x) {
      if constexpr (std::is_same_v<X, no_data>)
        return true;
      else
        return reinterpret_cast<std::uintptr_t>(std::to_address(first_of(x))) % Bytes == 0;
    }
    //! True if rows, and the matrices of a batch, begin at multiples of `in_vec` elements, and
    //! those of c at multiples of two.
    template <class Left, class Right, class Out, class Layout>
    [[nodiscard]] constexpr bool is_wide(Left const& a, Right const& b, Out const& c,
                                         Layout const& layout, index in_vec) const {
      index factors = layout.left_pitch(shape) | layout.right_pitch(shape) |
                      (Layout::left_transposed ? shape.rows : shape.inner) |
                      (Layout::right_transposed ? shape.inner : shape.columns);
      index results = shape.columns | layout.result_pitch(shape);
      if constexpr (Layout::is_batched) {
        factors |= layout.all.left | layout.all.right;
        results |= layout.all.result;
      }
      constexpr index pair = 2 * sizeof(iterator_value_t<first_of_t<Out>>);
      return factors % in_vec == 0 && results % 2 == 0 && begins_at_multiple<16>(a) &&
             begins_at_multiple<16>(b) && begins_at_multiple<pair>(c);
    }
  };

  //! Number of words of shared memory, of 4 bytes, that a DMM needs.
  [[nodiscard]] static constexpr index shared_words() { return Tiles::shared_words; }
};

}  // namespace detail

//! The product of two row-major matrices of numbers of 16 or 8 bits on an HMM of width 32, by
//! tensor cores (mma.sync, from compute capability 8.0 on), in tiles of 128 x 256 and 256 threads:
//!   `mmm::matrix_multiply_on_tensor_cores(on, a, b, shape, c)`.
//! Factors are of mmm::half_t or CUDA's __half, mmm::bfloat16 or __nv_bfloat16, whose products are
//! added up in float; std::int8_t or std::uint8_t, added up in std::int32_t, which wraps around; or
//! floats if mmm::accept_tf32 follows c. Operands and forms: mmm::matrix_multiply_in_registers.
//! Quick where rows begin at multiples of 16 bytes, and, for numbers of other than 16 bits, where
//! the elements of the inner side are neighbours: `mmm::transposed(b, pitch)`. Other factors are
//! copied element by element.
//! Accuracy: an element of c is off by at most (inner + 2) 2^-22 times the sum of its products'
//! sizes; of tf32, 2^-9 times that sum more. Exact for integers.
//! Errors: std::invalid_argument if `c` overlaps a factor or for fewer than 256 threads per DMM;
//! std::length_error if the shared memories are too small.
inline constexpr detail::tensor_core_algorithm<tensor_core_tiles<128, 256, 64, 64, 3, 8>>
    matrix_multiply_on_tensor_cores{};

//! The product of mmm::matrix_multiply_on_tensor_cores by tiles of 128 x 128 and 128 threads, for
//! matrices that have few larger tiles.
inline constexpr detail::tensor_core_algorithm<tensor_core_tiles<128, 128, 64, 64, 4>>
    matrix_multiply_on_tensor_cores_in_smaller_tiles{};

//! The product of mmm::matrix_multiply_on_tensor_cores as a kernel for compute capability 9.0a
//! (`nvcc -gencode arch=compute_90a,code=sm_90a`; in all files of a program that include
//! mmm/mmm.cuh): warpgroups multiply by wgmma what one thread copies by tensor maps, in tiles of
//! 128 x 256 by 384 threads per DMM. The same operands, forms, accuracy and errors. Where a kernel
//! was compiled for another GPU, where rows do not begin at multiples of 16 bytes, and for c of
//! another type than that of the sums, it is mmm::matrix_multiply_on_tensor_cores. Its cost in the
//! model, and what simulations and host threads do, are those of warps that compute the same tiles,
//! of 64 x 64 each: the model has no word for matrices that are multiplied from the shared memory.
inline constexpr detail::tensor_core_algorithm<warpgroup_tiles<128, 256, 4>>
    matrix_multiply_by_warpgroups{};

//! The product of mmm::matrix_multiply_by_warpgroups by tiles of 128 x 128, for matrices that have
//! few larger tiles.
inline constexpr detail::tensor_core_algorithm<warpgroup_tiles<128, 128, 6>>
    matrix_multiply_by_warpgroups_in_smaller_tiles{};

}  // namespace mmm
MMM_BODIES_END
