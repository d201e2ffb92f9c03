// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/call/perform.hpp>
#include <mmm/algorithm/call/shapes.hpp>
#include <mmm/algorithm/natural.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/core/accumulator.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/cost/access.hpp>
#include <mmm/execution/arguments.hpp>

//! The call forms of algorithm objects on data: each constructs the object's problem from the
//! parameters and runs it on the sequences.
namespace mmm {

//! The type in which sums of products are added up, as an argument of a product or a convolution:
//! `mmm::accumulate_in<double>`. The default is mmm::accumulator_t: the common type of all factors
//! and results, at least int or float.
template <class T>
struct accumulate_in_t {};
template <class T>
inline constexpr accumulate_in_t<T> accumulate_in{};

}  // namespace mmm
namespace mmm::detail {

//! The type that mmm::accumulate_in names among the types of further arguments; void if no argument
//! names one.
template <class... Form>
struct named_accumulator : type_identity<void> {};
template <class First, class... More>
struct named_accumulator<First, More...> : named_accumulator<More...> {};
template <class T, class... More>
struct named_accumulator<accumulate_in_t<T>, More...> : type_identity<T> {};

//! The type in which products of the values of `Factors` are added up to results of `Result`.
template <class Named, class Result, class... Factors>
struct accumulated : type_identity<Named> {};
template <class Result, class... Factors>
struct accumulated<void, Result, Factors...>
    : product_accumulator<iterator_value_t<Result>, iterator_value_t<Factors>...> {};
template <class Named, class Result, class... Factors>
using accumulated_t = typename accumulated<Named, Result, Factors...>::type;

//! The problem for a shape and for the tile among the further arguments, if there is one.
template <class Problem, class Shape>
[[nodiscard]] constexpr Problem problem_with_tile(Shape const& shape) {
  return Problem(shape);
}
template <class Problem, class Shape, class First, class... More>
[[nodiscard]] constexpr Problem problem_with_tile(Shape const& shape, First const& x,
                                                  More const&... more) {
  if constexpr (same_as<First, tile>)
    return Problem(shape, x);
  else
    return problem_with_tile<Problem>(shape, more...);
}

//! The call form `algorithm(on, first, last, more …)` for the words [first, last).
template <class Algorithm>
struct sequence_call {
  template <class On, class Iterator, class... More>
  auto operator()(On on, Iterator first, Iterator last, More... more) const {
    static_assert(call_of<On, Iterator>::accepted);
    static_assert(arguments_of_call<More...>::accepted);
    return called<Algorithm>(on, [&] {
      return problem_on_t<On, Algorithm>(size(last - first)).run(on, first, more...);
    });
  }
};

//! The parameters of a direct convolution.
struct convolution_sizes {
  natural n;  //!< outputs
  natural m;  //!< taps
  constexpr explicit convolution_sizes(size outputs, mmm::taps x) : n(outputs.count), m(x.count) {}
  //! Number of words that are convolved.
  [[nodiscard]] constexpr natural words() const { return n + (m - 1); }
};

//! The number of words that a caller passes for a convolution's outputs on `on`.
template <class On, class Problem>
[[nodiscard]] constexpr index words_to_pass(On const& on, Problem const& problem) {
  if constexpr (requires { problem.given_words(on); })
    return problem.given_words(on);
  else
    return problem.n > 0 ? index{problem.words()} : 0;
}

//! The call form that convolutions share: `Algorithm::problem` on data.
//! Writes `z[i] = x[0] y[i] + … + x[m - 1] y[i + m - 1]` with m = x_last - x_first, for all of
//! [z_first, z_last). x and y are not changed. mmm::accumulate_in may follow. On a cluster of
//! processes, each one passes all taps and its own outputs and words: as many words as outputs, and
//! the last process m - 1 more.
//! Errors: std::invalid_argument if there are no taps, if y has fewer than m + n - 1 words for n >
//! 0 outputs, or if z overlaps x or y; std::length_error if the shared memories are too small.
template <class Algorithm>
struct convolution_call {
  template <class On, class Taps, class Words, class Output, class... Form>
  void operator()(On on, Taps x_first, Taps x_last, Words y_first, Words y_last, Output z_first,
                  Output z_last, Form... form) const {
    static_assert(call_of<On, Taps, Words, Output>::accepted);
    call_parameters const number_of_taps{
        call_parameter{"taps", static_cast<index>(x_last - x_first)}};
    called<Algorithm>(on, number_of_taps, [&] {
      auto const n = static_cast<index>(z_last - z_first);
      if (n < 0) reject("the number of outputs", n, "0 or more");
      problem_on_t<On, Algorithm> const problem(size(n), taps(x_last - x_first));
      auto const given = static_cast<index>(y_last - y_first);
      index const needed = words_to_pass(on, problem);
      if (given < needed)
        throw_invalid_argument(failure_text(
            "mmm: the number of words to convolve is ", given, "; accepted: ", needed,
            " or more for ", index{problem.m}, " taps and ", index{problem.n}, " outputs"));
      overlap_check<Words, Output>::reject(y_first, given, z_first,
                                           n);  // also of the words that are not needed
      problem.run(on, x_first, y_first, z_first, form...);
    });
  }
};

//! The call forms of matrix products. Writes the product of the row-major matrices from `a` and `b`
//! on to `c`. mmm::accumulate_in and, on an HMM, a mmm::tile may follow `c`: the tile is the number
//! of rows and columns of submatrices, for algorithms that take them.
//! Errors: std::invalid_argument for a submatrix that is larger than the matrices in every
//! direction, or if `c` overlaps one of them; std::length_error if the shared memories are too
//! small or, in a kernel, if a thread has too few registers for its part of a submatrix.
template <class Algorithm>
struct product_call {
  template <class On, class Left, class Right, class Result, class... Form>
  void operator()(On on, Left a, Right b, product_shape shape, Result c, Form... form) const {
    static_assert(call_of<On, Left, Right, Result>::accepted);
    call_parameters const sizes{call_parameter{"rows", shape.rows},
                                call_parameter{"inner", shape.inner},
                                call_parameter{"columns", shape.columns}};
    called<Algorithm>(on, sizes, [&] {
      problem_with_tile<problem_on_t<On, Algorithm>>(shape, form...).run(on, a, b, c, form...);
    });
  }
  //! The product of the factors [a, a_last) and [b, b_last). Also std::length_error if their
  //! lengths are not those of the shape.
  template <class On, class Left, class Right, class Result, class... Form>
  void operator()(On on, Left a, Left a_last, Right b, Right b_last, product_shape shape, Result c,
                  Form... form) const {
    static_assert(call_of<On, Left, Right, Result>::accepted);
    product_sizes const sizes(shape);
    if (a_last - a != sizes.left())
      reject_length("elements of the left factor", sizes.left(), a_last - a);
    if (b_last - b != sizes.right())
      reject_length("elements of the right factor", sizes.right(), b_last - b);
    (*this)(on, a, b, shape, c, form...);
  }
};

}  // namespace mmm::detail
