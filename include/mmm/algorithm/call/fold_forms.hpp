// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/call/perform.hpp>
#include <mmm/core/accumulator.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/machine/machine.hpp>

//! The call forms of folds and scans: operators, initial values, the type in which values are
//! combined, and results that stay in memory.
MMM_BODIES_BEGIN
namespace mmm {

//! `x + y`, for words, values and lanes alike.
struct plus {
  template <class X, class Y>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(X const& x, Y const& y) const {
    return x + y;
  }
};
//! The smaller of two values of a type; the first one if they are equal.
struct minimum {
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE constexpr T operator()(T const& x, T const& y) const {
    return y < x ? y : x;
  }
};
//! The larger of two values of a type; the first one if they are equal.
struct maximum {
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE constexpr T operator()(T const& x, T const& y) const {
    return x < y ? y : x;
  }
};

//! The initial value of a fold or a scan. Its type is the type in which values are combined:
//! `mmm::init(0.0)`.
template <class T>
struct init {
  T value;
  constexpr explicit init(T const& x) : value(x) {}
};

namespace detail {

struct no_init {};
template <class T>
inline constexpr bool is_init = false;
template <class T>
inline constexpr bool is_init<init<T>> = true;

//! An iterator, as opposed to an operator.
template <class X>
concept sequence = (is_pointer_v<X> && object<remove_pointer_t<X>>) || requires {
  typename X::value_type;
} || requires { typename X::difference_type; };

//! The arguments of a call besides its sequences: an operator and an initial value.
template <class Operator, class Init>
struct combination {
  Operator op;
  Init initial;
};
[[nodiscard]] constexpr combination<plus, no_init> combination_of() { return {}; }
template <class X>
[[nodiscard]] constexpr auto combination_of(X const& x) {
  if constexpr (is_init<X>)
    return combination<plus, X>{{}, x};
  else
    return combination<X, no_init>{x, {}};
}
template <class Operator, class T>
[[nodiscard]] constexpr combination<Operator, init<T>> combination_of(Operator const& op,
                                                                      init<T> const& initial) {
  return {op, initial};
}

//! The type in which values of type T are combined: the initial value's type if there is one.
//! Otherwise sums are added up in accumulator_t, and any other operator determines the type by its
//! result for two values.
template <class T, class Operator, class Init>
struct combined
    : type_identity<remove_cvref_t<invoke_result_t<Operator const&, T const&, T const&>>> {};
template <class T>
struct combined<T, plus, no_init> : accumulator<T> {};
template <class T, class Operator, class U>
struct combined<T, Operator, init<U>> : type_identity<U> {};
template <class T, class Operator, class Init>
using combined_t = typename combined<T, Operator, Init>::type;

//! An operator whose results are converted to type T.
template <class T, class Operator>
struct combining {
  Operator op;
  [[nodiscard]] MMM_HOST_DEVICE constexpr T operator()(T const& x, T const& y) const {
    return static_cast<T>(op(x, y));
  }
};
template <class T, class Operator>
[[nodiscard]] constexpr auto combining_in(Operator const& op) {
  if constexpr (is_same_v<remove_cvref_t<invoke_result_t<Operator const&, T const&, T const&>>, T>)
    return op;
  else
    return combining<T, Operator>{op};
}

//! `op(initial, x)`, or x where there is no initial value.
template <class Operator, class Init, class T>
[[nodiscard]] MMM_HOST_DEVICE constexpr T after_initial(Operator const& op,
                                                        [[maybe_unused]] Init const& initial,
                                                        T const& x) {
  if constexpr (is_init<Init>)
    return op(initial.value, x);
  else
    return x;
}

//! The operator and the initial value of a scan of the values of `In`. An exclusive scan begins
//! with its initial value: under mmm::plus without one, with the empty sum.
template <bool Exclusive, class In, class... Form>
[[nodiscard]] constexpr auto scan_combination_of(Form const&... form) {
  auto const given = combination_of(form...);
  if constexpr (Exclusive && sizeof...(Form) == 0) {
    using value = accumulator_t<iterator_value_t<In>>;
    return combination<plus, init<value>>{{}, init<value>(value{})};
  } else {
    static_assert(!Exclusive || is_init<decltype(given.initial)>,
                  "mmm: an exclusive scan under an operator begins with mmm::init(x)");
    return given;
  }
}

//! `op(before, x)` if a value precedes x; with an initial value, one always does.
template <class Init, class Operator, class Condition, class Before, class X>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto after_others(Operator const& op,
                                                          [[maybe_unused]] Condition const& follows,
                                                          Before const& before, X const& x) {
  if constexpr (is_init<Init>)
    return apply(op, before, x);
  else
    return select(follows, apply(op, before, x), x);
}

//! A program that writes the first word of the array that `Program` returns, combined with the
//! initial value. Time: two accesses of one thread.
template <class Program, class Operator, class Init>
struct first_word_to_memory {
  static constexpr index words = [] {
    if constexpr (wants_alignment<Program>)
      return Program::words;
    else
      return index{1};
  }();
  Program program;
  Operator op;
  Init initial;

  [[nodiscard]] constexpr auto by_words() const
  requires wants_alignment<Program>
  {
    using by_word = decltype(program.by_words());
    return first_word_to_memory<by_word, Operator, Init>{program.by_words(), op, initial};
  }
  template <class On, class Out, class... Arrays>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Out out, Arrays... arrays) const {
    auto const result = program(on, arrays...);
    auto const combine = op;
    auto const start = initial;
    on.each(1, [=](auto i) {
      if constexpr (is_init<Init>)
        out[i] = apply(combine, start.value, load(result[i]));
      else
        out[i] = load(result[i]);
    });
  }
};

template <class Program, class Operator, class Init>
struct limiting_program<first_word_to_memory<Program, Operator, Init>> : limiting_program<Program> {
};

//! A program that writes one word.
template <class Value>
struct word_to_memory {
  Value value;
  template <class On, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Out out) const {
    auto const x = value;
    on.each(1, [=](auto i) { out[i] = x; });
  }
};

//! Folds the n values from `first` on. `program_of(op, type)` makes the program for an operator and
//! the type of its values, given as std::type_identity; `program(on, a, n)` returns an array whose
//! first word is the result. On a machine with one memory, `a` is a copy that the program may
//! change.
//! Without `out`, the result is returned, and combined with the initial value free of cost. With
//! `out`, it is written there, and nothing is returned. The fold of no values is the initial value,
//! or `Value{}` under mmm::plus. Errors: std::invalid_argument for no values under another
//! operator.
template <class On, class In, class Out, class Operator, class Init, class ProgramOf>
constexpr auto fold(On& on, In first, index n, Out out, combination<Operator, Init> const& combine,
                    ProgramOf const& program_of) {
  using value = combined_t<iterator_value_t<In>, Operator, Init>;
  constexpr bool from_nothing = is_init<Init> || is_same_v<Operator, plus>;
  if (n == 0 && !from_nothing)
    reject("the number of values to fold", n, "1 or more, for this operator");
  auto const op = combining_in<value>(combine.op);
  auto const with = [&](auto const& start) {
    if (n == 1) return start(unchanged{}, reads<value>(first, n));
    if constexpr (hierarchical_machine<typename On::machine_type>)
      return start(program_of(op, type_identity<value>{}), reads<value>(first, n), n);
    else  // folds in place: in a copy
      return start(program_of(op, type_identity<value>{}), works_on<value>(first, n), n);
  };
  value of_nothing{};
  if constexpr (is_init<Init>) of_nothing = combine.initial.value;
  if constexpr (is_same_v<Out, no_sequence>) {
    if (n == 0) return of_nothing;
    value const found = with([&](auto const& program, auto const&... arguments) {
      return perform_for_value<value>(on, program, arguments...);
    });
    if constexpr (is_same_v<In, no_data>)
      return found;
    else
      return after_initial(op, combine.initial, found);
  } else {
    auto const result = writes<value>(out, 1);
    if (n == 0) return perform(on, word_to_memory<value>{of_nothing}, result);
    with([&](auto const& program, auto const&... arguments) {
      using stored = first_word_to_memory<remove_cvref_t<decltype(program)>,
                                          remove_const_t<decltype(op)>, Init>;
      perform(on, stored{program, op, combine.initial}, result, arguments...);
    });
  }
}

//! A fold with the arguments that may follow its sequence: `(out, op, init)`, each of which is
//! optional.
template <class On, class In, class ProgramOf>
constexpr auto fold_called(On& on, In first, index n, ProgramOf const& program_of) {
  return fold(on, first, n, no_sequence{}, combination_of(), program_of);
}
template <class On, class In, class ProgramOf, class First, class... More>
constexpr auto fold_called(On& on, In first, index n, ProgramOf const& program_of, First const& x,
                           More const&... more) {
  if constexpr (sequence<First>)
    return fold(on, first, n, x, combination_of(more...), program_of);
  else
    return fold(on, first, n, no_sequence{}, combination_of(x, more...), program_of);
}

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
