// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/type_traits.hpp>

//! The types in which values are added up.
namespace mmm {

//! The type in which values of type T are added up: that of `T() + T()` for numbers, which is int
//! for bool and for integers of less than 4 bytes; float for CUDA's half and bfloat16
//! (execution/kernel/halves.cuh); T itself for any other type that does not specialize it.
template <class T>
struct accumulator {
  using type = T;
};
template <class T>
requires detail::arithmetic<T>
struct accumulator<T> {
  using type = decltype(T() + T());
};
template <class T>
using accumulator_t = typename accumulator<T>::type;

namespace detail {

//! The type of sums of products of `Factors`, which become a `Result`: numbers have that of all of
//! them together, others that of the result.
template <class Result, class... Factors>
struct product_accumulator : accumulator<Result> {};
template <class Result, class... Factors>
requires(arithmetic<accumulator_t<Result>> && (arithmetic<accumulator_t<Factors>> && ...))
struct product_accumulator<Result, Factors...>
    : type_identity<decltype((accumulator_t<Result>() + ... + accumulator_t<Factors>()))> {};

}  // namespace detail
}  // namespace mmm
