// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/call/has_fast_variants.hpp>
#include <mmm/algorithm/convolution/convolution.hpp>
#include <mmm/algorithm/convolution/convolution_by_fft.hpp>
#include <mmm/algorithm/convolution/convolution_in_registers.hpp>
#include <mmm/algorithm/image/image_convolution.hpp>
#include <mmm/algorithm/image/image_convolution_in_registers.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/product/matrix_multiply.hpp>
#include <mmm/algorithm/product/matrix_multiply_in_registers.hpp>
#include <mmm/algorithm/product/matrix_multiply_on_tensor_cores.hpp>
#include <mmm/algorithm/product/product_forms.hpp>
#include <mmm/algorithm/product/product_in_parts.hpp>
#include <mmm/algorithm/tile/accumulation.hpp>
#include <mmm/algorithm/tile/items_per_thread.hpp>
#include <mmm/algorithm/triangulation/triangulation.hpp>
#include <mmm/algorithm/triangulation/triangulation_blocked.hpp>
#include <mmm/algorithm/triangulation/triangulation_in_registers.hpp>
#include <mmm/choose/fastest_fold.hpp>
#include <mmm/choose/fastest_sort.hpp>
#include <mmm/choose/prefers.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/machine/machine.hpp>

#include <type_traits>

//! The default entries: the fast variant of an algorithm if the machine has the resources for it
//! and the problem is large enough, and otherwise the papers' algorithm; on a GPU of
//! gpu/devices.hpp, the candidate with the least predicted time (docs/prediction.md). The kind of
//! machine and its width decide at compile time; sizes, threads and capacities decide at the call.
namespace mmm {
namespace detail {

//! True unless `on` has more threads than a program allows: a kernel's registers limit them.
template <class Program, class On>
[[nodiscard]] bool can_run(On const& on) {
  if constexpr (requires { on.template can_run<Program>(); })
    return on.template can_run<Program>();
  else
    return true;
}

//! The number of threads of a kernel with at most `max_threads` threads per block.
template <class On>
[[nodiscard]] index threads_within(On const& on, index max_threads) {
  if constexpr (requires { on.threads_per_dmm_within(max_threads); })
    return on.machine().dmms() * on.threads_per_dmm_within(max_threads);
  else
    return on.threads();
}

struct fastest_product {
  using tiles = product_tiles<128, 128, 16, 8, 8>;
  //! Fewer threads with more accumulators each.
  using larger_tiles = product_tiles<128, 128, 16, 16, 8>;
  //! Smaller tiles, for matrices that have few tiles.
  using smaller_tiles = product_tiles<64, 64, 16, 8, 4>;
  //! The algorithm of mmm::matrix_multiply with two kernels for nvcc to compile instead of four:
  //! threads with up to 2 or 16 items have registers for 4 or 32.
  static constexpr product_algorithm<accumulation::in_register,
                                     items_per_thread_choices::two_kernels>
      by_submatrices{};

  //! True if machine m with p threads has the resources for register tiles.
  template <class Tiles, hierarchical_machine M>
  [[nodiscard]] static constexpr bool fits(M const& m, index p) {
    return M::width() <= Tiles::rows && Tiles::rows % M::width() == 0 &&
           p / m.dmms() >= Tiles::threads && Tiles::shared_words <= m.capacity();
  }
  //! True if register tiles fit and so many products have at least a tile for every other DMM; with
  //! larger tiles two for every DMM, so that some warps can wait while others work.
  template <class Tiles = tiles, hierarchical_machine M>
  [[nodiscard]] static constexpr bool in_registers(M const& m, product_shape const& shape, index p,
                                                   index products = 1) {
    index const of_result =
        checked_multiply(products, ceil_divide(shape.rows, Tiles::rows) *
                                       ceil_divide(shape.columns, Tiles::columns));
    bool const enough =
        std::is_same_v<Tiles, larger_tiles> ? of_result / 2 >= m.dmms() : 2 * of_result >= m.dmms();
    return fits<Tiles>(m, p) && enough;
  }
  //! A smaller product with the same quickest candidate, whose prediction takes little time: it has
  //! whole tiles, and no more or longer ones than the ranking depends on, since further rounds of
  //! tiles, and further steps of each, add the same time to every candidate again.
  [[nodiscard]] static constexpr product_shape typical(product_shape shape, index products,
                                                       index dmms) {
    auto const whole = [](index n, index side) { return ceil_divide(n, side) * side; };
    auto const side = [&](index n) { return whole(n, n <= tiles::rows ? 32 : tiles::rows); };
    index const max_side = checked_multiply(2 * dmms, tiles::rows);  // two adjacent tiles per DMM
    shape.inner = whole(smaller(shape.inner, 512), tiles::depth);
    shape.columns = side(smaller(shape.columns, max_side));
    shape.rows = side(smaller(shape.rows, max_side));
    if (products > 1) shape.rows = smaller(checked_multiply(products, shape.rows), max_side);
    while (shape.rows / tiles::rows * (shape.columns / tiles::columns) > 2 * dmms) {
      index& longer = shape.rows < shape.columns ? shape.columns : shape.rows;
      longer = side(longer / 2);
    }
    return shape;
  }
  //! The largest submatrices of w, w/2, … rows that fit the shared memories and are not larger than
  //! the matrices.
  template <hierarchical_machine M>
  [[nodiscard]] static constexpr tile submatrix(M const& m, product_shape const& shape) {
    index side = m.width();
    index const longest = larger(1, larger(larger(shape.rows, shape.inner), shape.columns));
    while (side > 1 &&
           (side > longest || matrix_multiply.shared_words(tile(side), m.width()) > m.capacity()))
      side /= 2;
    return tile(side);
  }
  //! A product of placed matrices where register tiles do not fit: mmm::matrix_multiply for each
  //! product of the batch, which accesses words one by one.
  template <class On, class Left, class Right, class Result, class... Form>
  static void one_by_one(On const& on, Left const& a, Right const& b, product_shape const& shape,
                         Result const& c, Form const&... form) {
    using value = accumulated_t<typename named_accumulator<Form...>::type, first_of_t<Result>,
                                first_of_t<Left>, first_of_t<Right>>;
    auto const layout = placed_product_of<value>(shape, a, b, c, form...);
    using left = packed_words<first_of_t<Left>, layout.left_transposed>;
    using right = packed_words<first_of_t<Right>, layout.right_transposed>;
    using result = scaled_results<first_of_t<Result>, value, layout.has_beta>;
    auto const moved = [](auto first, index by) {
      return first + static_cast<iterator_difference_t<decltype(first)>>(by);
    };
    for (index k = 0; k < layout.all.count; ++k) {
      left const of_a{moved(first_of(a), k * layout.all.left), shape.inner, layout.left};
      right const of_b{moved(first_of(b), k * layout.all.right), shape.columns, layout.right};
      result const of_c{moved(first_of(c), k * layout.all.result), shape.columns, layout.result,
                        layout.alpha, layout.beta};
      if constexpr (hierarchical_machine<typename On::machine_type>)
        by_submatrices(on, of_a, of_b, shape, of_c, submatrix(on.machine(), shape),
                       accumulate_in<value>);
      else
        matrix_multiply(on, of_a, of_b, shape, of_c, accumulate_in<value>);
    }
  }
  //! True if so many products on GPU `M` have several DMMs for a tile (matrix_multiply_in_parts),
  //! and all blocks run at once: two of a multiprocessor have registers enough in any case.
  template <class Tiles, class M>
  [[nodiscard]] static constexpr bool in_parts(M const& m, product_shape const& shape, index p,
                                               index products) {
    if constexpr (is_gpu<M>) {
      using problem = typename register_product_algorithm<Tiles, true>::problem;
      constexpr index sms = gpu::detail::whole(M::facts).sms;
      return m.dmms() <= 2 * sms && fits<Tiles>(m, p) &&
             problem(shape).parts_for(m.dmms(), products).count > 1;
    } else {
      return false;
    }
  }
  using problem_on_tensor_cores =
      typename std::remove_const_t<decltype(matrix_multiply_on_tensor_cores)>::problem;
  using problem_by_warpgroups =
      typename std::remove_const_t<decltype(matrix_multiply_by_warpgroups)>::problem;
  //! True if a product is of numbers of 16 bits that tensor cores add up as the call asks for.
  template <class M, class Left, class Right, class Named>
  [[nodiscard]] static constexpr bool of_tensor_cores() {
    using left = iterator_value_t<first_of_t<Left>>;
    using right = iterator_value_t<first_of_t<Right>>;
    if constexpr (is_gpu<M> && sizeof(left) == 2 && std::is_same_v<left, right> &&
                  std::is_same_v<accumulator_t<left>, float>)
      return gpu::timing_of(M::facts).tensor_halves > 0 &&
             (std::is_void_v<Named> || std::is_same_v<Named, float>);
    else
      return false;
  }
  //! The number of the quickest candidate for so many products: 0 with the tiles of `large`, an
  //! algorithm in registers, 1 with the smaller ones, 2 by submatrices in shared memory, 3 in parts
  //! of the inner side with the smaller tiles, 4 in parts with the larger ones; if `halves`, 5 on
  //! tensor cores, and 6 there in smaller tiles; if `warpgroups`, 7 and 8 by them.
  template <class On, class Tiles>
  [[nodiscard]] static int chosen(On const& on, register_product_algorithm<Tiles> const& large,
                                  index value_bytes, product_shape const& shape, index products,
                                  bool halves = false, bool warpgroups = false) {
    using machine = typename On::machine_type;
    machine const m = on.machine();
    auto const possible = [&]<class T>(register_product_algorithm<T> const&) {
      return can_run<register_product<T>>(on) &&
             (is_gpu<machine> ? fits<T>(m, on.threads())
                              : in_registers<T>(m, shape, on.threads(), products));
    };
    product_shape const like = typical(shape, products, m.dmms());
    tile const part = submatrix(m, like);
    auto const by_large = [&large, like](auto const& run) { return run(large, like); };
    auto const by_smaller = [like](auto const& run) {
      return run(matrix_multiply_in_smaller_tiles, like);
    };
    auto const by_parts = [&]<class T>(register_product_algorithm<T, true> const& by, bool may) {
      bool const fits = may && can_run<product_in_parts<T>>(on) &&
                        in_parts<T>(m, shape, on.threads(), products) &&
                        in_parts<T>(m, like, on.threads(), 1);
      return timed_candidate{fits, threads_within(on, T::threads),
                             [&by, like](auto const& run) { return run(by, like); }};
    };
    auto const shared = [=](auto const& run) { return run(matrix_multiply, like, part); };
    auto const on_tensor_cores = [&]<class T>(tensor_core_algorithm<T> const& by) {
      bool const there = by_warpgroups<T> ? warpgroups : halves;
      bool const fits =
          on.threads() / m.dmms() >= T::launched_threads && T::shared_words <= m.capacity();
      return timed_candidate{there && fits, threads_within(on, T::launched_threads),
                             [&by, like](auto const& run) { return run(by, like); }};
    };
    return chosen_candidate(
        m, value_bytes, {like.rows, like.inner, like.columns},
        timed_candidate{possible(large), threads_within(on, Tiles::threads), by_large},
        timed_candidate{possible(matrix_multiply_in_smaller_tiles),
                        threads_within(on, smaller_tiles::threads), by_smaller},
        timed_candidate{true, on.threads(), shared}, by_parts(matrix_multiply_in_parts, true),
        by_parts(matrix_multiply_in_larger_parts, std::is_same_v<Tiles, larger_tiles>),
        on_tensor_cores(matrix_multiply_on_tensor_cores),
        on_tensor_cores(matrix_multiply_on_tensor_cores_in_smaller_tiles),
        on_tensor_cores(matrix_multiply_by_warpgroups),
        on_tensor_cores(matrix_multiply_by_warpgroups_in_smaller_tiles));
  }
  //! Called as mmm::matrix_multiply, without a tile to choose, or as
  //! mmm::matrix_multiply_in_registers with matrices in any place.
  template <class On, class Left, class Right, class Result, class... Form>
  void operator()(On const& on, Left a, Right b, product_shape shape, Result c,
                  Form... form) const {
    static_assert(call_of<On, Left, Right>::accepted);
    if constexpr (hierarchical_machine<typename On::machine_type>)
      if constexpr (has_fast_variants<typename On::machine_type> &&
                    tiles::rows % On::machine_type::width() == 0) {
        index products = 1;
        if constexpr (is_placed<Left, Right, Result, Form...>)
          products = placed_product_of<index>(shape, a, b, c, form...).all.count;
        using value = accumulated_t<typename named_accumulator<Form...>::type, first_of_t<Result>,
                                    first_of_t<Left>, first_of_t<Right>>;
        constexpr auto large = [] {
          if constexpr (sizeof(value) <= 4)
            return matrix_multiply_in_more_registers;
          else
            return matrix_multiply_in_registers;
        }();
        constexpr bool halves = of_tensor_cores<typename On::machine_type, Left, Right,
                                                typename named_accumulator<Form...>::type>();
        bool copies_vecs = false;
        bool has_warpgroups = false;
        if constexpr (halves) {
          copies_vecs = problem_on_tensor_cores(shape).copies_vecs(a, b, c, form...);
          has_warpgroups = problem_by_warpgroups(shape).has_kernel(on, a, b, c, form...);
        }
        int const taken = chosen(on, large, sizeof(iterator_value_t<first_of_t<Left>>), shape,
                                 products, copies_vecs, has_warpgroups);
        if constexpr (halves) {
          if (taken == 7) return matrix_multiply_by_warpgroups(on, a, b, shape, c, form...);
          if (taken == 8)
            return matrix_multiply_by_warpgroups_in_smaller_tiles(on, a, b, shape, c, form...);
          if (taken == 5) return matrix_multiply_on_tensor_cores(on, a, b, shape, c, form...);
          if (taken == 6)
            return matrix_multiply_on_tensor_cores_in_smaller_tiles(on, a, b, shape, c, form...);
        }
        if (taken == 0) return large(on, a, b, shape, c, form...);
        if (taken == 1) return matrix_multiply_in_smaller_tiles(on, a, b, shape, c, form...);
        if constexpr (is_gpu<typename On::machine_type>) {
          if (taken == 3) return matrix_multiply_in_parts(on, a, b, shape, c, form...);
          if constexpr (sizeof(value) <= 4)
            if (taken == 4) return matrix_multiply_in_larger_parts(on, a, b, shape, c, form...);
        }
      }
    if constexpr (is_placed<Left, Right, Result, Form...>) {
      one_by_one(on, a, b, shape, c, form...);
    } else if constexpr (hierarchical_machine<typename On::machine_type>) {
      by_submatrices(on, a, b, shape, c, submatrix(on.machine(), shape), form...);
    } else {
      matrix_multiply(on, a, b, shape, c, form...);
    }
  }
};

struct fastest_convolution {
  using variant = register_convolution<16, 4>;

  //! True if machine m with p threads has room for tiles and taps.
  template <hierarchical_machine M>
  [[nodiscard]] static constexpr bool fits(M const& m, taps x, index p) {
    index const t = p / m.dmms();
    index const words = checked_add(variant::tile_room(t, x.count, M::width()),
                                    checked_add(variant::filled(x.count), M::width()));
    return words <= m.capacity();
  }
  //! True if tiles and taps fit and n outputs have at least a tile for every DMM.
  template <hierarchical_machine M>
  [[nodiscard]] static constexpr bool in_registers(M const& m, index n, taps x, index p) {
    return fits(m, x, p) && n >= checked_multiply(16, p);
  }
  //! The number of the quickest candidate: 0 in registers, 1 as the papers have it, and where
  //! transforms are accepted, on a GPU, 2 by transforms and 3 by longer ones.
  template <bool ByFft, class On>
  [[nodiscard]] static int chosen(On const& on, index value_bytes, index n, taps m) {
    using machine = typename On::machine_type;
    auto const registers = [=](auto const& run) {
      return run(convolution_in_registers, size(n), m);
    };
    auto const literal = [=](auto const& run) { return run(mmm::convolution, size(n), m); };
    bool const possible =
        can_run<variant>(on) && (is_gpu<machine> ? fits(on.machine(), m, on.threads())
                                                 : in_registers(on.machine(), n, m, on.threads()));
    timed_candidate const in_registers_one{possible, on.threads(), registers};
    timed_candidate const literal_one{true, on.threads(), literal};
    if constexpr (ByFft && is_gpu<machine>) {
      auto const fft = [=](auto const& run) { return run(convolution_by_fft, size(n), m); };
      auto const longer = [=](auto const& run) {
        return run(convolution_by_longer_fft, size(n), m);
      };
      return chosen_candidate(
          on.machine(), value_bytes, {n, m.count, 1}, in_registers_one, literal_one,
          timed_candidate{transforms_fit(on, convolution_by_fft, m), on.threads(), fft},
          timed_candidate{transforms_fit(on, convolution_by_longer_fft, m), on.threads(), longer});
    } else {
      return chosen_candidate(on.machine(), value_bytes, {n, m.count}, in_registers_one,
                              literal_one);
    }
  }
  //! True if a call with these sequences and further arguments may make transforms: it accepts
  //! them, and adds up floating-point numbers.
  template <class Taps, class Words, class Output, class... Form>
  static constexpr bool makes_transforms =
      (std::is_same_v<Form, accept_fft_t> || ...) &&
      std::is_floating_point_v<
          accumulated_t<typename named_accumulator<Form...>::type, Output, Taps, Words>>;
  //! Called as mmm::convolution; mmm::accept_fft may follow.
  template <class On, class Taps, class Words, class Output, class... Form>
  void operator()(On const& on, Taps x_first, Taps x_last, Words y_first, Words y_last,
                  Output z_first, Output z_last, Form... form) const {
    static_assert(call_of<On, Taps, Words, Output>::accepted);
    using machine = typename On::machine_type;
    constexpr bool by_fft = makes_transforms<Taps, Words, Output, Form...>;
    if constexpr (has_fast_variants<machine>)
      if (x_first != x_last && z_first != z_last) {
        auto const n = static_cast<index>(z_last - z_first);
        taps const m(static_cast<index>(x_last - x_first));
        int const taken = chosen<by_fft>(on, sizeof(iterator_value_t<Words>), n, m);
        if (taken == 0)
          return convolution_in_registers(on, x_first, x_last, y_first, y_last, z_first, z_last,
                                          form...);
        if constexpr (by_fft && is_gpu<machine>) {
          if (taken == 2)
            return convolution_by_fft(on, x_first, x_last, y_first, y_last, z_first, z_last,
                                      form...);
          if (taken == 3)
            return convolution_by_longer_fft(on, x_first, x_last, y_first, y_last, z_first, z_last,
                                             form...);
        }
      }
    convolution(on, x_first, x_last, y_first, y_last, z_first, z_last, form...);
  }

 private:
  template <class On, class Fft>
  [[nodiscard]] static bool transforms_fit(On const& on, fft_convolution_algorithm<Fft> const&,
                                           taps m) {
    using program = fft_convolution<Fft>;
    return can_run<program>(on) && m.count <= program::points &&
           program::shared_words <= on.machine().capacity();
  }
};

template <index Radius, class Tiles = image_tiles<8, 32, 4>>
struct fastest_image_convolution {
  using variant = register_image_convolution<Radius, Tiles>;
  static constexpr register_image_algorithm<Radius, Tiles> in_registers{};

  //! True if machine m with p threads has the resources for tiles in registers.
  template <hierarchical_machine M>
  [[nodiscard]] static constexpr bool fits(M const& m, index p) {
    return p / m.dmms() >= Tiles::threads && variant::shared_words(M::width()) <= m.capacity();
  }
  //! A smaller image with the same quickest candidate, whose prediction takes little time: it has
  //! whole squares of 32 x 32, and at most 16 of them for each DMM.
  [[nodiscard]] static constexpr shape typical(shape image, index dmms) {
    auto const side = [](index n) { return ceil_divide(n, 32) * 32; };
    image = shape(side(image.rows), side(image.columns));
    while (image.rows / 32 * (image.columns / 32) > 16 * dmms) {
      index& longer = image.rows < image.columns ? image.columns : image.rows;
      longer = side(longer / 2);
    }
    return image;
  }
  //! Called as mmm::image_convolution_in_registers.
  template <class On, class Image, class Kernel, class Result, class... Form>
  void operator()(On const& on, Image a, shape image, Kernel b, Result c, Form... form) const {
    static_assert(call_of<On, Image, Kernel>::accepted);
    using machine = typename On::machine_type;
    if constexpr (has_fast_variants<machine>) {
      shape const like = typical(image, on.machine().dmms());
      auto const registers = [=](auto const& run) { return run(in_registers, like); };
      auto const literal = [=](auto const& run) {
        return run(image_convolution, like, radius(Radius));
      };
      if (chosen_candidate(on.machine(), sizeof(iterator_value_t<Image>), {like.rows, like.columns},
                           timed_candidate{can_run<variant>(on) && fits(on.machine(), on.threads()),
                                           threads_within(on, Tiles::threads), registers},
                           timed_candidate{true, on.threads(), literal}) == 0)
        return in_registers(on, a, image, b, c, form...);
    }
    image_convolution(on, a, image, b, radius(Radius), c, form...);
  }
};

struct fastest_triangulation {
  using tiles = polygon_tiles<64, 32, 4, 4>;
  //! The algorithm of mmm::triangulation_blocked with three kernels for nvcc to compile instead of
  //! four. (With two, some numbers of threads would be refused: all blocks wait for each other, and
  //! have registers.)
  static constexpr blocked_triangulation_algorithm<items_per_thread_choices::without_two>
      in_shared{};

  //! True if machine m with p threads has the resources for tiles in registers.
  template <hierarchical_machine M>
  [[nodiscard]] static constexpr bool fits(M const& m, index p) {
    return p / m.dmms() >= tiles::threads && tiles::shared_words <= m.capacity();
  }
  //! True if tiles in registers fit and n vertices have more than one tile.
  template <hierarchical_machine M>
  [[nodiscard]] static constexpr bool in_registers(M const& m, index n, index p) {
    return n > tiles::side && fits(m, p);
  }
  //! A number of vertices with the same quickest candidate as n, whose prediction takes little
  //! time: whole tiles, of both candidates if n has any, and at most four rows of them, since each
  //! further row adds more to the time of the slower candidate.
  [[nodiscard]] static constexpr index typical(index n) {
    if (n <= 32) return 32;
    return smaller(ceil_divide(n, tiles::side), 4) * tiles::side;
  }
  //! The number of the quickest candidate for n vertices: 0 with tiles in registers, 1 with tiles
  //! in the shared memories.
  template <class On>
  [[nodiscard]] static int chosen(On const& on, index value_bytes, index n) {
    using machine = typename On::machine_type;
    machine const m = on.machine();
    bool const possible =
        can_run<register_triangulation<tiles>>(on) &&
        (is_gpu<machine> ? fits(m, on.threads()) : in_registers(m, n, on.threads()));
    size const like(typical(n));
    auto const registers = [like](auto const& run) {
      return run(triangulation_in_registers, like);
    };
    auto const shared = [like](auto const& run) { return run(triangulation_blocked, like); };
    return chosen_candidate(
        m, value_bytes, {like.count},
        timed_candidate{possible, threads_within(on, tiles::threads), registers},
        timed_candidate{true, on.threads(), shared});
  }
  //! Called as mmm::triangulation, in any of its forms.
  template <class On, class Iterator, class... Result>
  auto operator()(On const& on, Iterator weights, index n, Result... weight) const {
    static_assert(call_of<On, Iterator>::accepted);
    using machine = typename On::machine_type;
    if constexpr (has_fast_variants<machine>)
      if constexpr (tiles::side % machine::width() == 0)
        if (n > 2 && chosen(on, sizeof(iterator_value_t<Iterator>), n) == 0)
          return triangulation_in_registers(on, weights, n, weight...);
    if constexpr (hierarchical_machine<machine>)
      return in_shared(on, weights, n, weight...);
    else
      return triangulation(on, weights, n, weight...);
  }
};

}  // namespace detail

//! The algorithms to call where only the result matters: `mmm::fastest::sum(on, first, last)`.
namespace fastest {

//! Each object takes the arguments of the algorithm in mmm with the same name.
inline constexpr mmm::detail::fastest_sum sum{};
//! The results of mmm::argmin and mmm::argmax.
inline constexpr mmm::detail::fastest_located<mmm::detail::less_than> argmin{};
inline constexpr mmm::detail::fastest_located<mmm::detail::greater_than> argmax{};
inline constexpr mmm::detail::fastest_prefix_sums<> prefix_sums{};
inline constexpr mmm::detail::fastest_prefix_sums<true> exclusive_prefix_sums{};
inline constexpr mmm::detail::fastest_product matrix_multiply{};
inline constexpr mmm::detail::fastest_convolution convolution{};
//! The convolution with a kernel of radius `Radius`: `image_convolution<2>(on, a, shape, b, c)`.
template <index Radius>
inline constexpr mmm::detail::fastest_image_convolution<Radius> image_convolution{};
inline constexpr mmm::detail::fastest_triangulation triangulation{};
inline constexpr mmm::detail::fastest_sort sort{};
inline constexpr mmm::detail::fastest_sort_pairs sort_pairs{};

}  // namespace fastest
}  // namespace mmm
