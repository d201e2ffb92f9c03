// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/estimate/symbolic.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/index/expression.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

//! Wide accesses in an estimate.
namespace mmm {
namespace detail {

struct symbolic_wide_base : interpreted {};

template <class X>
concept symbolic_wide = std::derived_from<std::remove_cvref_t<X>, symbolic_wide_base>;

//! V words of an array: counts one access when it is read or assigned to, as symbolic_reference.
template <class T, class M, bool Shared, index V, class Base, class Number>
class symbolic_wide_reference : public symbolic_wide_base {
 public:
  using values = vec<symbolic_value<std::remove_const_t<T>>, V>;
  constexpr symbolic_wide_reference(estimator<M>& engine, Base const& base, Number const& number)
      : engine_(&engine), base_(base), number_(number) {}
  symbolic_wide_reference(symbolic_wide_reference const&) = delete;

  constexpr values load() && { return std::move(*this).load_if(always{}); }
  template <predicate P>
  constexpr values load_if(P const& condition) && {
    engine_->template wide_access<Shared, V>(base_, number_, condition);
    return values{};
  }
  template <predicate P>
  constexpr void store_if(P const& condition) && {
    static_assert(!std::is_const_v<T>, "mmm: a write to an array of constants");
    engine_->template wide_access<Shared, V>(base_, number_, condition);
  }

  template <class Value>
  constexpr void operator=(Value&& value) && {
    if constexpr (symbolic_wide<Value>)
      static_cast<void>(std::forward<Value>(value).load());
    else
      static_assert(vec_traits<std::remove_cvref_t<Value>>::words == V,
                    "mmm: a wide access stores a vec of its width");
    std::move(*this).store_if(always{});
  }
  constexpr void operator=(symbolic_wide_reference&& value) && {
    static_cast<void>(std::move(value).load());
    std::move(*this).store_if(always{});
  }

 private:
  estimator<M>* engine_;
  Base base_;
  Number number_;
};

//! What mmm::wide makes of an array of an estimate.
template <class T, class M, bool Shared, index V, class Base>
class symbolic_wide_iterator {
 public:
  constexpr symbolic_wide_iterator(estimator<M>& engine, Base const& base)
      : engine_(&engine), base_(base) {}

  template <operand Index>
  [[nodiscard]] constexpr auto operator[](Index const& i) const {
    auto const number = as_expression(i);
    return symbolic_wide_reference<T, M, Shared, V, Base, std::remove_const_t<decltype(number)>>(
        *engine_, base_, number);
  }
  template <class Index>
  // data-dependent: simulate it
  requires(symbolic_data<Index>)
  constexpr auto operator[](Index const&) const = delete;

 private:
  estimator<M>* engine_;
  Base base_;
};

}  // namespace detail

template <detail::symbolic_wide X>
[[nodiscard]] constexpr auto load(X&& x) {
  return std::forward<X>(x).load();
}
template <predicate P, detail::symbolic_wide X, class Otherwise>
[[nodiscard]] constexpr auto load_if(P const& condition, X&& x, Otherwise const&) {
  return std::forward<X>(x).load_if(condition);
}
template <predicate P, detail::symbolic_wide X, detail::is_vec Value>
constexpr void store_if(P const& condition, X&& x, Value const&) {
  std::forward<X>(x).store_if(condition);
}

}  // namespace mmm
