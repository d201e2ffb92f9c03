// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>

//! A caller's data on its way to a program and back, in every back end. An entry point names what
//! its program does with each sequence of the caller's; the handle's members `bring` and `deliver`
//! do the rest before and after the program, free of cost, as in the papers. A simulation copies to
//! simulated memory and back, and uses the caller's memory itself for what is only read, if that is
//! an array of the program's type; a kernel uses the caller's memory itself where it may, and a
//! DMM's kernel copies to shared memory and back.
//!
//! | argument of mmm::run | the program gets n words        | initially          | afterwards   |
//! |----------------------|---------------------------------|--------------------|--------------|
//! | `reads(first, n)`    | const: a write does not compile | the caller's       | dropped      |
//! | `works_on(first, n)` | of its own, more if asked for   | the caller's first | dropped      |
//! | `writes(out, n)`     | to be written, every one        | anything           | the caller's |
//! | `updates(first, n)`  | to be changed                   | the caller's       | the caller's |
//! | `results(out, n)`    | for `on.keep(…)`, on the host   | anything           | the caller's |
//!
//! `works_on` takes the number of words in all as a third argument, and `updates` another place to
//! which the words go.
//!
//! A write to what mmm::reads makes does not compile. Each of them takes the type of the values as
//! an optional template argument, `reads<float>(…)`; by default it is that of the iterator. Any
//! other argument is passed on as it is.
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! The use that a program makes of an array.
enum class argument_use {
  read,    //!< reads the caller's words, which stay as they are
  work,    //!< has a copy of the caller's words, or just room
  write,   //!< writes all words; they are the caller's in the end
  update,  //!< has the caller's words, changes them, and they are the caller's in the end
  result   //!< hands words over by `keep`; they are the caller's in the end
};

struct no_sequence {};

//! `overlap_check<In, Out>::reject(first, n, out, m)` throws std::invalid_argument if n values from
//! `first` on and m values from `out` on share memory. It needs <iterator>, and therefore comes
//! with the back ends that run programs on data (execution/overlap.hpp).
template <class In, class Out>
struct overlap_check;

//! An array of `words` values, of which `given` come from `in`; all go to `out` in the end.
template <class Value, argument_use Use, class In, class Out>
struct array_argument {
  using value_type = Value;
  static constexpr argument_use use = Use;
  In in;
  Out out;
  index given;
  index words;
  bool in_place = false;  //!< `in` is `out`
};

template <class Value, class Iterator>
struct value_or_own {
  using type = Value;
};
template <class Iterator>
struct value_or_own<void, Iterator> {
  using type = iterator_value_t<Iterator>;
};

}  // namespace detail

//! An argument of mmm::run: the n values from `first` on, which the program reads and nobody
//! changes. Programs see values of type `Value`; void stands for the iterator's own.
template <class Value = void, class In>
[[nodiscard]] constexpr auto reads(In first, index n) {
  using value = typename detail::value_or_own<Value, In>::type;
  return detail::array_argument<value, detail::argument_use::read, In, detail::no_sequence>{
      first, {}, n, n};
}
//! A copy of the n values from `first` on, for the program to work on, and room for `words` values
//! in all.
template <class Value = void, class In>
[[nodiscard]] constexpr auto works_on(In first, index n, index words) {
  using value = typename detail::value_or_own<Value, In>::type;
  return detail::array_argument<value, detail::argument_use::work, In, detail::no_sequence>{
      first, {}, n, words};
}
template <class Value = void, class In>
[[nodiscard]] constexpr auto works_on(In first, index n) {
  return works_on<Value>(first, n, n);
}
//! The n values from `out` on, all of which the program writes.
template <class Value = void, class Out>
[[nodiscard]] constexpr auto writes(Out out, index n) {
  using value = typename detail::value_or_own<Value, Out>::type;
  return detail::array_argument<value, detail::argument_use::write, detail::no_sequence, Out>{
      {}, out, 0, n};
}

namespace detail {

//! One converts to the other, as an iterator to that of constant values. Others may have an `==`
//! that does not compile.
template <class A, class B>
concept convertible_one_way = requires(bool either, A const& a, B const& b) { either ? a : b; };
template <class A, class B>
concept of_one_kind = convertible_one_way<A, B> && requires(A const& a, B const& b) {
  { a == b } -> same_as<bool>;
};

}  // namespace detail

//! The n values from `first` on, which the program changes; in the end they are at `out`, which may
//! be `first`.
template <class Value = void, class In, class Out>
[[nodiscard]] constexpr auto updates(In first, index n, Out out) {
  using value = typename detail::value_or_own<Value, In>::type;
  bool same = false;
  if constexpr (detail::of_one_kind<In, Out>) same = first == out;
  return detail::array_argument<value, detail::argument_use::update, In, Out>{first, out, n, n,
                                                                              same};
}
template <class Value = void, class In>
[[nodiscard]] constexpr auto updates(In first, index n) {
  auto words = updates<Value>(first, n, first);
  words.in_place = true;
  return words;
}

namespace detail {

//! Memory of the host, even when the program runs elsewhere.
template <class Value>
struct host_memory {
  using value_type = Value;
  using difference_type = index;
  Value* data;
  index count;
  [[nodiscard]] constexpr Value& operator*() const { return *data; }
  constexpr host_memory& operator++() {
    ++data;
    return *this;
  }
  [[nodiscard]] friend constexpr host_memory operator+(host_memory a, index n) {
    return {a.data + n, a.count - n};
  }
};
//! mmm::writes, where `out` is memory of the host.
template <class Value>
[[nodiscard]] constexpr auto writes_to_host(Value* out, index n) {
  return writes<Value>(host_memory<Value>{out, n}, n);
}

//! Integers that all threads know without an access.
struct known_table {
  index const* data;
  index count;
};

}  // namespace detail

//! The n values from `out` on, in the host's memory, which the program hands over by `on.keep(…)`
//! when it has found them, free of cost: its result.
template <class Value>
[[nodiscard]] constexpr auto results(Value* out, index n = 1) {
  using memory = detail::host_memory<Value>;
  return detail::array_argument<Value, detail::argument_use::result, detail::no_sequence, memory>{
      {}, {out, n}, 0, n};
}

namespace detail {

template <class On, class Argument>
MMM_HOST_DEVICE constexpr auto brought(On const&, Argument const& plain) {
  return plain;
}
template <class On, class Value, argument_use Use, class In, class Out>
MMM_HOST_DEVICE constexpr auto brought(On const& on, array_argument<Value, Use, In, Out> const& x) {
  return on.bring(x);
}
template <class On, class Argument, class Array>
MMM_HOST_DEVICE constexpr void delivered(On const&, Argument const&, Array const&) {}
template <class On, class Value, argument_use Use, class In, class Out, class Array>
MMM_HOST_DEVICE constexpr void delivered(On const& on, array_argument<Value, Use, In, Out> const& x,
                                         Array const& array) {
  if constexpr (Use == argument_use::write || Use == argument_use::update) on.deliver(x, array);
}

//! Calls a function with its arguments evaluated in their order.
struct call_in_order {
  template <class F, class... Arguments>
  MMM_HOST_DEVICE constexpr explicit call_in_order(F const& f, Arguments... arguments) {
    f(arguments...);
  }
};

//! A handle on which programs follow each other, so that what a program has done to it
//! (first_alone) is undone at the program's end: `on.begin_program()` returns what
//! `on.end_program(before)` takes.
template <class On>
concept runs_several_programs = requires(On& on) { on.end_program(on.begin_program()); };

//! `program(on, arrays …)` on the threads of `on`.
template <class On, class Program, class... Arguments>
MMM_HOST_DEVICE constexpr void run_here(On& on, Program const& program,
                                        Arguments const&... arguments) {
  auto const call = [&](auto const&... arrays) MMM_INLINED {
    program(on, arrays...);
    (delivered(on, arguments, arrays), ...);
  };
  if constexpr (runs_several_programs<On>) {
    auto const before = on.begin_program();
    call_in_order{call, brought(on, arguments)...};
    on.end_program(before);
  } else {
    call_in_order{call, brought(on, arguments)...};
  }
}

//! A handle whose programs run elsewhere: on threads of their own, or on a GPU.
template <class On>
concept launches = requires { typename On::launches_programs; };

//! A handle whose programs use memory that the host cannot read.
template <class On>
concept uses_device_memory = requires { typename On::device_memory; };

//! A handle that keeps a program's arrays in memory of the device for programs after it:
//! `on.with_room<T>(n, use)`, and runs some of them on another machine: `on.on_machine(m, p)`.
template <class On>
concept has_device_rooms = requires { typename On::device_rooms; };

//! A program that leaves its array as it is.
struct unchanged {
  template <class On, class Array>
  MMM_HOST_DEVICE constexpr Array operator()(On&, Array a) const {
    return a;
  }
};

//! A program that accesses the caller's sequences `words` at a time, from multiples of `words` on;
//! `by_words()` is the program to run where they do not begin at one.
template <class Program>
concept wants_alignment = requires(Program const& program) {
  Program::words;
  program.by_words();
};

//! A program of wants_alignment whose sequences are the library's own and begin at multiples of 256
//! bytes: by_words() is not compiled.
template <class Program>
struct of_aligned_arrays : Program {
  static constexpr bool arrays_are_aligned = true;
};

//! A program that hands over the first word of the array that `Program` returns.
template <class Program>
struct first_word_of {
  Program program;

  template <class On, class Results, class... Arrays>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Results result, Arrays... arrays) const {
    on.keep(program(on, arrays...), result, 1);
  }
};
template <wants_alignment Program>
struct first_word_of<Program> {
  static constexpr index words = Program::words;
  Program program;

  [[nodiscard]] constexpr auto by_words() const {
    return first_word_of<decltype(program.by_words())>{program.by_words()};
  }
  template <class On, class Results, class... Arrays>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Results result, Arrays... arrays) const {
    on.keep(program(on, arrays...), result, 1);
  }
};

}  // namespace detail

//! Runs `program(handle, arrays …)` wherever `on` says: on a simulated machine, on host threads, as
//! a CUDA kernel. The handle is passed by reference. For arguments made by mmm::reads and the like
//! the program gets arrays; others are passed on as they are. A result is an output argument, too
//! (mmm::results). An estimate looks at no data: an array stands for each sequence. In a kernel the
//! program and what it is given must be trivially copyable. Time of
//! the copies in a simulation: none. Memory and errors: those of the handle.
template <class On, class Program, class... Arguments>
constexpr void run(On& on, Program const& program, Arguments const&... arguments) {
  if constexpr (detail::launches<On>)
    on.launch(program, arguments...);
  else
    detail::run_here(on, program, arguments...);
}

//! The first word of the array that `program` returns: mmm::run with that word as its result;
//! `Value{}` in an estimate.
template <class Value, class On, class Program, class... Arguments>
[[nodiscard]] constexpr Value value_of(On& on, Program const& program,
                                       Arguments const&... arguments) {
  Value result{};
  run(on, detail::first_word_of<Program>{program}, results(&result), arguments...);
  return result;
}

}  // namespace mmm
MMM_BODIES_END
