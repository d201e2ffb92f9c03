// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/arguments.hpp>

//! Starts the programs of algorithm objects, on data and in estimates.
MMM_BODIES_BEGIN
namespace mmm {

namespace detail {

template <class Argument>
inline constexpr bool lacks_data = false;
template <class Value, argument_use Use, class In, class Out>
inline constexpr bool lacks_data<array_argument<Value, Use, In, Out>> =
    is_same_v<In, no_data> || is_same_v<Out, no_data>;

//! The argument of a program in an estimate: an array in place of a sequence.
template <class On, class Argument>
[[nodiscard]] constexpr auto without_data(On& on, Argument const& x) {
  if constexpr (requires { x.words; }) {
    if constexpr (requires { on.machine().watch; })
      on.machine().watch->argument(Argument::use, x.given, x.words, x.in_place);
    return on.template allocate<typename Argument::value_type>(x.words);
  } else {
    return x;
  }
}

//! Rejects an argument that a program writes if it overlaps one that the program reads.
template <class Written, class Read>
void reject_overlap_of(Written const& out, Read const& in) {
  if constexpr (requires { out.words, in.given; })
    if constexpr (!is_same_v<decltype(out.out), no_sequence> &&
                  !is_same_v<decltype(in.in), no_sequence>)
      if (!out.in_place)
        overlap_check<decltype(in.in), decltype(out.out)>::reject(in.in, in.given, out.out,
                                                                  out.words);
}

}  // namespace detail

//! Runs `program(on, arrays …)` on `on`, as mmm::run does. Errors: std::invalid_argument if a
//! sequence that it writes overlaps one that it reads; a sequence may be changed in place. In an
//! estimate the sequences are mmm::no_data, and arrays in the machine's memory stand for them.
template <class On, class Program, class... Arguments>
constexpr void perform(On& on, Program const& program, Arguments const&... arguments) {
  if constexpr ((detail::lacks_data<Arguments> || ...)) {
    auto const call = [&](auto const&... arrays) { program(on, arrays...); };
    detail::call_in_order{call, detail::without_data(on, arguments)...};
  } else {
    auto const reject_overlaps = [&](auto const& out) {
      (detail::reject_overlap_of(out, arguments), ...);
    };
    (reject_overlaps(arguments), ...);
    run(on, program, arguments...);
  }
}

//! Performs a program that returns an array, and returns the array's first word. An estimate
//! returns `Value{}`.
template <class Value, class On, class Program, class... Arguments>
constexpr Value perform_for_value(On& on, Program const& program, Arguments const&... arguments) {
  if constexpr ((detail::lacks_data<Arguments> || ...)) {
    perform(on, program, arguments...);
    return {};
  } else {
    return value_of<Value>(on, program, arguments...);
  }
}

}  // namespace mmm
MMM_BODIES_END
