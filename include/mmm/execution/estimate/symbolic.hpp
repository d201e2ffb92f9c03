// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/expression_key.hpp>
#include <mmm/index/wide_item.hpp>
#include <mmm/machine/machine.hpp>

//! The operands of a body in an estimate: unknown values, and references that count their accesses.
namespace mmm::detail {

template <machine M>
class estimator;

struct symbolic_value_base : interpreted {};
struct symbolic_reference_base : interpreted {};
struct symbolic_wide_base : symbolic_reference_base {};

//! An unknown value of type `T`. Every operation gives another unknown value.
template <class T>
struct symbolic_value : symbolic_value_base {
  using value_type = T;
};

//! A condition on data. Accesses under it have no cost without the data: see mmm::simulate.
struct symbolic_condition : interpreted {
  //! A compile error with a readable text.
  template <same_as<bool> Bool>
  constexpr explicit operator Bool() const {
    static_assert(
        never<Bool>,
        "mmm: a condition on data has no value in an estimate, which has no data: write "
        "mmm::select(c, x, y); accesses that depend on data are counted by mmm::simulate");
    return false;
  }
};

//! A condition on data: a comparison, or a value used as a condition.
template <class T>
concept symbolic_truth = same_as<remove_cvref_t<T>, symbolic_condition> ||
                         same_as<remove_cvref_t<T>, symbolic_value<bool>>;

template <symbolic_truth P, symbolic_truth Q>
constexpr symbolic_condition operator&&(P const&, Q const&) {
  return {};
}
template <symbolic_truth P, symbolic_truth Q>
constexpr symbolic_condition operator||(P const&, Q const&) {
  return {};
}
template <symbolic_truth P>
constexpr symbolic_condition operator!(P const&) {
  return {};
}

//! A reference to one word or several: a read or an assignment counts an access.
template <class X>
concept symbolic_access = derived_from<remove_cvref_t<X>, symbolic_reference_base>;

//! An unknown value, or a reference to a word.
template <class X>
concept symbolic_data =
    derived_from<remove_cvref_t<X>, symbolic_value_base> ||
    (symbolic_access<X> && !derived_from<remove_cvref_t<X>, symbolic_wide_base>);

//! The value of an operand; counts the access if the operand is a reference.
template <class X>
constexpr auto symbolic_operand(X&& x) {
  if constexpr (symbolic_access<X>)
    return static_cast<X&&>(x).load();
  else if constexpr (symbolic_data<X> || is_vec<X>)
    return x;
  else
    return symbolic_value<remove_cvref_t<X>>{};
}
template <class X>
using symbolic_operand_type = typename decltype(symbolic_operand(declval<X>()))::value_type;

template <class L, class R>
concept symbolic_operands =
    (symbolic_data<L> || symbolic_data<R>) && !expression<L> && !expression<R>;

#define MMM_DETAIL_SYMBOLIC_OPERATOR(symbol)                                                    \
  template <class L, class R>                                                                   \
  requires symbolic_operands<L, R>                                                              \
  constexpr auto operator symbol(L&& l, R&& r) {                                                \
    using left = symbolic_operand_type<L>;                                                      \
    using right = symbolic_operand_type<R>;                                                     \
    [[maybe_unused]] auto const x = symbolic_operand(static_cast<L&&>(l));                      \
    [[maybe_unused]] auto const y = symbolic_operand(static_cast<R&&>(r));                      \
    return symbolic_value<remove_cvref_t<decltype(declval<left>() symbol declval<right>())>>{}; \
  }
MMM_DETAIL_SYMBOLIC_OPERATOR(+)
MMM_DETAIL_SYMBOLIC_OPERATOR(-)
MMM_DETAIL_SYMBOLIC_OPERATOR(*)
MMM_DETAIL_SYMBOLIC_OPERATOR(/)
MMM_DETAIL_SYMBOLIC_OPERATOR(%)
MMM_DETAIL_SYMBOLIC_OPERATOR(&)
MMM_DETAIL_SYMBOLIC_OPERATOR(|)
MMM_DETAIL_SYMBOLIC_OPERATOR(^)
#undef MMM_DETAIL_SYMBOLIC_OPERATOR

#define MMM_DETAIL_SYMBOLIC_RELATION(symbol)                               \
  template <class L, class R>                                              \
  requires symbolic_operands<L, R>                                         \
  constexpr symbolic_condition operator symbol(L&& l, R&& r) {             \
    [[maybe_unused]] auto const x = symbolic_operand(static_cast<L&&>(l)); \
    [[maybe_unused]] auto const y = symbolic_operand(static_cast<R&&>(r)); \
    return {};                                                             \
  }
MMM_DETAIL_SYMBOLIC_RELATION(<)
MMM_DETAIL_SYMBOLIC_RELATION(>)
MMM_DETAIL_SYMBOLIC_RELATION(<=)
MMM_DETAIL_SYMBOLIC_RELATION(>=)
MMM_DETAIL_SYMBOLIC_RELATION(==)
MMM_DETAIL_SYMBOLIC_RELATION(!=)
#undef MMM_DETAIL_SYMBOLIC_RELATION

//! A memory of 1/V of the width, on which accesses of V words are costed as accesses of one word.
template <fixed_width M, index V>
inline constexpr bool in_vecs_of = M::width() % V == 0;

//! A reference to one word of an array in an estimate, or to V words. Only a temporary can be read,
//! so that no access is counted twice by accident.
template <class T, class M, bool Shared, index V, class Address>
class symbolic_reference
    : public conditional_t<V == plain_word, symbolic_reference_base, symbolic_wide_base> {
 public:
  using value_type = remove_const_t<T>;
  using values = words_of<symbolic_value<value_type>, V>;
  constexpr symbolic_reference(estimator<M>& engine, Address const& address)
      : engine_(&engine), address_(address) {}
  symbolic_reference(symbolic_reference const&) = delete;

  constexpr values load() && {
    access<access_kind::read>(always{});
    return values{};
  }
  //! A compile error with a readable text: a named reference.
  template <class... Name>
  constexpr values load(Name...) const& {
    static_assert(never<symbolic_reference, Name...>,
                  "mmm: auto x = a[i] names a reference, which would be read at each use: write "
                  "auto x = mmm::load(a[i])");
    return values{};
  }
  template <predicate P, class Otherwise>
  constexpr values load_if(P const& condition, Otherwise const&) && {
    access<access_kind::read>(condition);
    return values{};
  }
  template <predicate P, class Value>
  constexpr void store_if(P const& condition, Value const&) && {
    demand_writable<Value>();
    access<access_kind::write>(condition);
  }
  constexpr operator values() && {  // NOLINT: reads like a word
    return static_cast<symbolic_reference&&>(*this).load();
  }

  template <class Value>
  constexpr void operator=(Value&& value) && {
    [[maybe_unused]] auto const x = symbolic_operand(static_cast<Value&&>(value));
    demand_writable<decltype(x)>();
    access<access_kind::write>(always{});
  }
  //! An atomic update; its operands are loaded already.
  template <predicate P>
  constexpr values update(P const& condition) && {
    static_assert(V == plain_word, "mmm: an atomic update is of one word, not of a wide access");
    demand_writable<values>();
    access<access_kind::update>(condition);
    return values{};
  }
  constexpr void operator=(symbolic_reference&& value) && {
    [[maybe_unused]] auto const x = static_cast<symbolic_reference&&>(value).load();
    demand_writable<values>();
    access<access_kind::write>(always{});
  }

 private:
  template <class Value>
  static constexpr void demand_writable() {
    static_assert(!is_const_v<T>, "mmm: a write to an array of constants");
    if constexpr (V != plain_word)
      static_assert(vec_traits<remove_cvref_t<Value>>::words == V,
                    "mmm: a wide access stores a vec of its width");
  }
  template <access_kind Kind, class P>
  constexpr void access(P const& condition) const {
    constexpr index word_bytes = is_same_v<value_type, float> ? 0 : sizeof(value_type);
    engine_->template access<Shared, Kind, V>(address_, condition, word_bytes);
  }
  estimator<M>* engine_;
  Address address_;
};

template <class T>
class symbolic_register;

//! An array of an estimate: an address without words. With V != plain_word it is the result of
//! mmm::wide.
template <class T, class M, bool Shared, index V, class Base>
class symbolic_iterator {
 public:
  using value_type = words_of<remove_const_t<T>, V>;
  //! \param start the address of the array's first word.
  constexpr symbolic_iterator(estimator<M>& engine, Base const& base, index start)
      : engine_(&engine), base_(base), start_(start) {}

  template <operand Index>
  [[nodiscard]] constexpr auto operator[](Index const& i) const {
    auto const address = address_of(as_expression(i));
    return symbolic_reference<T, M, Shared, V, remove_const_t<decltype(address)>>(*engine_,
                                                                                  address);
  }
  //! A compile error with a readable text: an address that depends on data.
  template <class Index>
  requires(symbolic_data<Index>)
  constexpr symbolic_register<T> operator[](Index const&) const {
    static_assert(
        never<Index>,
        "mmm: an address that depends on data has no cost without the data: mmm::simulate "
        "runs the program on data and counts it; mmm::gpu::trace_block traces a kernel");
    return {};
  }

  template <operand Index>
  requires(V == plain_word)
  [[nodiscard]] friend constexpr auto operator+(symbolic_iterator const& a, Index const& offset) {
    if constexpr (is_same_v<Base, constant> && !expression<Index>) {
      return symbolic_iterator(*a.engine_, constant(checked_add(a.base_.number, as_index(offset))),
                               a.start_);
    } else {
      auto const base = a.base_ + as_expression(offset);
      return symbolic_iterator<T, M, Shared, V, remove_const_t<decltype(base)>>(*a.engine_, base,
                                                                                a.start_);
    }
  }

  //! True if the array is known to begin a multiple of so many words after its first word.
  [[nodiscard]] constexpr bool begins_at_multiple(index words) const {
    return known_multiple(base_ - constant(start_), words);
  }
  //! The same array in vectors of W words, for mmm::wide.
  template <index W>
  [[nodiscard]] constexpr auto wide() const {
    static_assert(fixed_width<M>,
                  "mmm: the cost of wide accesses needs a machine whose type knows its width");
    if (!known_multiple(base_ - constant(start_), W))
      reject("the words before a wide access, up to multiples of its width",
             congruence_of(base_, W).residue, "0, known from the form of the expression");
    return symbolic_iterator<T, M, Shared, W, Base>(*engine_, base_, start_);
  }

 private:
  //! The address of a word, or of V words: counted in vectors of V words if the width is a multiple
  //! of V.
  template <class Number>
  [[nodiscard]] constexpr auto address_of(Number const& number) const {
    if constexpr (V == plain_word)
      return base_ + number;
    else if constexpr (!in_vecs_of<M, V>)
      return base_ + constant(V) * number;
    else if constexpr (is_same_v<Base, constant>)
      return constant(base_.number / V) + number;
    else
      return base_ / constant(V) + number;
  }
  estimator<M>* engine_;
  Base base_;
  index start_;
};

//! A register in an estimate; its accesses cost nothing.
template <class T>
class symbolic_register : public symbolic_reference_base {
 public:
  using value_type = T;
  constexpr symbolic_register() = default;
  symbolic_register(symbolic_register const&) = delete;
  constexpr symbolic_value<T> load() && { return {}; }
  constexpr operator symbolic_value<T>() && { return {}; }  // NOLINT: reads like a word
  template <class P, class Otherwise>
  constexpr symbolic_value<T> load_if(P const&, Otherwise const&) && {
    return {};
  }
  template <class P, class Value>
  constexpr void store_if(P const&, Value const&) && {}
  template <class Value>
  constexpr void operator=(Value&& value) && {
    [[maybe_unused]] auto const x = symbolic_operand(static_cast<Value&&>(value));
  }
  constexpr void operator=(symbolic_register&&) && {}
};

//! Registers in an estimate. A body may only name those of its own item.
template <class T, class M>
class symbolic_registers {
 public:
  constexpr explicit symbolic_registers(estimator<M> const& engine) : engine_(&engine) {}

  template <class Index>
  [[nodiscard]] constexpr symbolic_register<T> operator[](Index const& i) const {
    if constexpr (operand<Index>) engine_->demand_own(as_expression(i));
    return {};
  }
  // `Which` by value: static members have no address in device code, for which nvcc compiles bodies
  template <class Index, class Which>
  [[nodiscard]] constexpr symbolic_register<T> operator()(Index const& i, Which) const {
    return (*this)[i];
  }
  template <class Index, class Which>
  [[nodiscard]] constexpr symbolic_register<T> chosen(Index const& i, Which const&) const {
    return (*this)[i];
  }

 private:
  estimator<M> const* engine_;
};

//! An atomic update of a symbolic word; see execution/atomic.hpp.
template <class Update, symbolic_access Word, class... X>
constexpr auto update_atomically(Update const&, Word&& word, X&&... x) {
  (static_cast<void>(symbolic_operand(static_cast<X&&>(x))), ...);
  return static_cast<Word&&>(word).update(always{});
}
template <predicate P, class Update, symbolic_access Word, class X>
constexpr void update_atomically_if(P const& condition, Update const&, Word&& word, X&& x) {
  [[maybe_unused]] auto const loaded = symbolic_operand(static_cast<X&&>(x));
  static_cast<void>(static_cast<Word&&>(word).update(condition));
}

}  // namespace mmm::detail

//! The operations of a body on references and values, in an estimate; see execution/access.hpp.
namespace mmm {

template <class X>
requires(detail::symbolic_data<X> || detail::symbolic_access<X>)
[[nodiscard]] constexpr auto load(X&& x) {
  return detail::symbolic_operand(static_cast<X&&>(x));
}
template <predicate P, detail::symbolic_access X, class Otherwise>
[[nodiscard]] constexpr auto load_if(P const& condition, X&& x, Otherwise const& otherwise) {
  return static_cast<X&&>(x).load_if(condition, otherwise);
}
template <predicate P, detail::symbolic_access X, class Value>
constexpr void store_if(P const& condition, X&& x, Value&& value) {
  [[maybe_unused]] auto const loaded = detail::symbolic_operand(static_cast<Value&&>(value));
  static_cast<X&&>(x).store_if(condition, loaded);
}
template <class Operator, class X, class Y>
requires detail::symbolic_operands<X, Y>
[[nodiscard]] constexpr auto apply(Operator const&, X&& x, Y&& y) {
  using left = detail::symbolic_operand_type<X>;
  using right = detail::symbolic_operand_type<Y>;
  [[maybe_unused]] auto const a = detail::symbolic_operand(static_cast<X&&>(x));
  [[maybe_unused]] auto const b = detail::symbolic_operand(static_cast<Y&&>(y));
  return detail::symbolic_value<
      detail::remove_cvref_t<detail::invoke_result_t<Operator const&, left, right>>>{};
}
template <class X, class Y>
requires detail::symbolic_operands<X, Y>
[[nodiscard]] constexpr auto min(X&& x, Y&& y) {
  return static_cast<X&&>(x) + static_cast<Y&&>(y);
}
template <class X, class Y>
requires detail::symbolic_operands<X, Y>
[[nodiscard]] constexpr auto max(X&& x, Y&& y) {
  return static_cast<X&&>(x) + static_cast<Y&&>(y);
}

//! A choice between unknown values: both sides are loaded, whatever the condition is.
template <class Condition, class X, class Y>
requires((predicate<Condition> || detail::same_as<Condition, detail::symbolic_condition> ||
          detail::same_as<Condition, detail::symbolic_value<bool>>) &&
         detail::symbolic_operands<X, Y>)
[[nodiscard]] constexpr auto select(Condition const&, X&& x, Y&& y) {
  using result =
      detail::common_type_t<detail::symbolic_operand_type<X>, detail::symbolic_operand_type<Y>>;
  [[maybe_unused]] auto const a = detail::symbolic_operand(static_cast<X&&>(x));
  [[maybe_unused]] auto const b = detail::symbolic_operand(static_cast<Y&&>(y));
  return detail::symbolic_value<result>{};
}

}  // namespace mmm
