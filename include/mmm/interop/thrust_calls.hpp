// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/interop/thrust_access.hpp>
#include <mmm/interop/thrust_words.hpp>

#include <thrust/iterator/transform_iterator.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

//! Programs for a simulated machine that do the work of Thrust's calls: a parallel-for that copies
//! words, a fold, a scan.
namespace mmm::detail::thrust_calls {

//! bool as a word that operators return as it is: comparisons of simulated values make masks.
struct flag {
  bool value = false;
  constexpr flag() = default;
  constexpr flag(bool b) : value(b) {}
  constexpr operator bool() const { return value; }
};
template <class T>
using stored = std::conditional_t<std::is_same_v<T, bool>, flag, T>;

//! An operator of the caller's on values of type T.
template <class T, class Operator>
struct on_values {
  mutable Operator op;  // as in Thrust
  [[nodiscard]] constexpr stored<T> operator()(stored<T> const& x, stored<T> const& y) const {
    return static_cast<T>(std::invoke(op, static_cast<T const&>(x), static_cast<T const&>(y)));
  }
};

//! A relation of the caller's between two values of type T: a comparator or an equality.
template <class T, class Relation>
struct relation {
  static_assert(std::is_invocable_r_v<bool, Relation&, T const&, T const&>,
                "mmm: a comparator, or an equality, of a simulated call is called with two values "
                "of its range; accepted: a function of two T const& whose result is converted to "
                "bool");
  mutable Relation holds_for;  // as in Thrust
  [[nodiscard]] constexpr bool operator()(stored<T> const& x, stored<T> const& y) const {
    return static_cast<bool>(
        std::invoke(holds_for, static_cast<T const&>(x), static_cast<T const&>(y)));
  }
};

//! The number of values from `first` to `last`; std::invalid_argument if that is negative.
[[nodiscard]] inline index checked_length(index n) {
  if (n < 0) reject("the length of a range", n, "0 or more");
  return n;
}

//! Values of the host that a program works on.
template <class T>
using values_of = std::unique_ptr<stored<T>[]>;

//! n values, uninitialized where T allows it; std::invalid_argument if n is negative.
template <class T>
[[nodiscard]] values_of<T> values_for(index n) {
  static_assert(std::is_default_constructible_v<T>,
                "mmm: the values of a simulated call have to be default-constructible");
  return values_of<T>(new stored<T>[static_cast<std::size_t>(checked_length(n))]);
}
//! n of these values as an array of the simulated machine.
template <class On, class T>
[[nodiscard]] auto array_of(On& on, std::unique_ptr<T[]> const& values, index n) {
  return on.array(values.get(), values.get() + n);
}

//! `f` of what an iterator reads, as a value of its own.
template <class F, class Iterator>
[[nodiscard]] auto applied(F f, Iterator first) {
  using result = std::remove_cvref_t<decltype(f(std::declval<value_of<Iterator>&>()))>;
  return thrust::transform_iterator<F, Iterator, result>(first, f);
}

struct each_position {
  index operator()(index k) const { return k; }
};

//! The place of `out` after n values; scatter's output has no such place.
template <class Output>
[[nodiscard]] Output past(Output out, index n) {
  return out + static_cast<distance_of<Output>>(n);
}
template <class Elements, class Map>
void past(indirection<Elements, Map> const&, index) {}

//! `out[i] = in[i]` for n items, one thread each: the words that they read, then those that they
//! write.
template <class Policy, class Input, class Output>
auto move_words(Policy const& policy, char const* call, Input in, index n, Output out) {
  policy.run(call, checked_length(n), [&](auto on) {
    if (n == 0) return;
    using recorder = typename decltype(on)::recorder_type;
    host_words<recorder> words;
    access<Input>::note(in, n, each_position(), words);
    access<Output>::note(out, n, each_position(), words);
    view_of<Input, recorder> const source(on, in, words);
    view_of<Output, recorder> const to(on, out, words);
    on.each(n, [&](auto const& i) { to.write(i, source.read(i)); });
  });
  return past(out, n);
}

//! Values of type T that an algorithm works on, n >= 1 of them: the k-th is the (k - shift)-th of
//! the input.
template <class T, class On, class Input>
void fetch(On& on, Input const& in, stored<T>* values, index n, index shift) {
  if constexpr (access<Input>::one_word) {
    for (index k = shift; k < n; ++k) values[k] = static_cast<T>(at(in, k - shift));
  } else if (n > shift) {
    using recorder = typename On::recorder_type;
    host_words<recorder> words;
    access<Input>::note(in, n - shift, each_position(), words);
    words.note(values, 0, n);
    view_of<Input, recorder> const source(on, in, words);
    auto const to = words.array(on, values) + shift;
    on.each(n - shift, [&](auto const& i) { to[i] = source.read(i); });
  }
}

//! The way back.
template <class T, class On, class Output>
void deliver(On& on, stored<T>* values, index n, Output const& out) {
  if constexpr (access<Output>::one_word) {
    for (index k = 0; k < n; ++k) at(out, k) = static_cast<T const&>(values[k]);
  } else {
    using recorder = typename On::recorder_type;
    host_words<recorder> words;
    words.note(values, 0, n);
    access<Output>::note(out, n, each_position(), words);
    auto const source = words.array(on, values);
    view_of<Output, recorder> const to(on, out, words);
    on.each(n, [&](auto const& i) { to.write(i, load(source[i])); });
  }
}

//! `init` and n values under an operator.
template <class Policy, class Input, class T, class Operator>
T fold(Policy const& policy, char const* call, Input in, index n, T init, Operator op) {
  auto const values = values_for<T>(n);
  on_values<T, Operator> const combine{op};
  return policy.run(call, n, [&](auto on) -> stored<T> {
    if (n == 0) return init;
    fetch<T>(on, in, values.get(), n, 0);
    return combine(init, sum(on, values.get(), values.get() + n, combine));
  });
}

//! The initial value of a scan: there is none …
struct no_init {
  static constexpr index shift = 0;
  template <class Values, class Operator>
  void operator()(Values*, Operator const&) const {}
};
//! … or the first sum takes it in …
template <class T>
struct first_taken_in {
  static constexpr index shift = 0;
  T init;
  template <class Values, class Operator>
  void operator()(Values* values, Operator const& op) const {
    values[0] = op(static_cast<Values>(init), values[0]);
  }
};
//! … or it is the first sum, and the last value is not needed.
template <class T>
struct put_first {
  static constexpr index shift = 1;
  T init;
  template <class Values, class Operator>
  void operator()(Values* values, Operator const&) const {
    values[0] = init;
  }
};

//! The prefix-sums of n values under an operator, in values of type T.
template <class T, class Policy, class Input, class Output, class Operator, class Init>
Output scan(Policy const& policy, char const* call, Input in, index n, Output out, Operator op,
            Init const& init) {
  auto const values = values_for<T>(n);
  on_values<T, Operator> const combine{op};
  policy.run(call, n, [&](auto on) {
    if (n == 0) return;
    fetch<T>(on, in, values.get(), n, Init::shift);
    init(values.get(), combine);
    prefix_sums(on, values.get(), values.get() + n, values.get(), combine);
    deliver<T>(on, values.get(), n, out);
  });
  return past(out, n);
}

}  // namespace mmm::detail::thrust_calls
