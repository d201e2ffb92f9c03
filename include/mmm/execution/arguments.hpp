// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>

//! The arguments of programs: a caller's data on its way to a program and back, in every back end.
//! An entry point names the use that its program makes of each of the caller's sequences. The
//! handle's members `bring` and `deliver` copy the data before and after the program, free of cost,
//! as in the papers. A simulation copies to simulated memory and back, but uses the caller's memory
//! itself for sequences that are only read, if they are arrays of the program's type. A kernel uses
//! the caller's memory itself where possible, and a DMM's kernel copies to shared memory and back.
//!
//! | argument of mmm::run | the program gets n words        | initially          | afterwards   |
//! |----------------------|---------------------------------|--------------------|--------------|
//! | `reads(first, n)`    | const: a write does not compile | the caller's       | dropped      |
//! | `works_on(first, n)` | of its own, more if asked for   | the caller's first | dropped      |
//! | `writes(out, n)`     | to be written, every one        | anything           | the caller's |
//! | `updates(first, n)`  | to be changed                   | the caller's       | the caller's |
//! | `results(out, n)`    | for `on.keep(…)`, on the host   | anything           | the caller's |
//!
//! `works_on` takes the total number of words as a third argument, and `updates` another
//! destination of the words.
//!
//! A write to an array of mmm::reads does not compile. Each function takes the type of the values
//! as an optional template argument, `reads<float>(…)`; the default is that of the iterator. Any
//! other argument is passed on unchanged.
MMM_BODIES_BEGIN
namespace mmm {

//! A sequence without data, for mmm::reads and the like: an array stands for it in an estimate.
struct no_data {
  using value_type = float;
  //! A later place in the sequence.
  [[nodiscard]] friend constexpr no_data operator+(no_data a, index) { return a; }
};

namespace detail {

//! A program's use of one of its arrays.
enum class argument_use {
  read,    //!< reads the caller's words and does not change them
  work,    //!< works on a copy of the caller's words, or on uninitialized words
  write,   //!< writes all words, which are copied to the caller's in the end
  update,  //!< changes a copy of the caller's words, which is copied back in the end
  result   //!< passes words to the caller by `keep`
};

struct no_sequence {};

//! Check that input and output do not overlap: `overlap_check<In, Out>::reject(first, n, out, m)`
//! throws std::invalid_argument if n values from `first` on and m values from `out` on share
//! memory. Its definition needs <iterator> and comes with the back ends that run programs on data
//! (execution/overlap.hpp).
template <class In, class Out>
struct overlap_check;

//! An array of `words` values. The first `given` are copied from `in`; all are copied to `out` in
//! the end.
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

//! One type converts to the other, as an iterator does to the iterator over constant values.
//! Iterators of unrelated types may have an `==` that does not compile.
template <class A, class B>
concept have_common_type = requires(bool either, A const& a, B const& b) { either ? a : b; };
template <class A, class B>
concept of_one_kind = have_common_type<A, B> && requires(A const& a, B const& b) {
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

//! An iterator over memory of the host, even when the program runs elsewhere.
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

//! A table of integers that every thread reads free of cost.
struct known_table {
  index const* data;
  index count;
};

}  // namespace detail

//! The program's result: the n values from `out` on, in the host's memory, which the program stores
//! by `on.keep(…)`, free of cost.
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

//! A handle that runs one program after the other. `on.end_program(state)` undoes what a program
//! did to the handle (first_alone); `state` is the value of `on.begin_program()`.
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

//! A handle of a cluster's nodes, each of which runs programs on its own (execution/nodes.hpp).
template <class On>
concept handle_of_nodes = requires { typename On::has_nodes; };

//! A handle that launches its programs elsewhere: on threads of their own, or on a GPU.
template <class On>
concept launches = requires { typename On::launches_programs; };

//! A handle whose programs use device memory, which the host cannot read.
template <class On>
concept uses_device_memory = requires { typename On::device_memory; };

//! A handle that holds arrays in device memory for several programs, `on.with_room<T>(n, use)`, and
//! runs some of them on another machine, `on.on_machine(m, p)`.
template <class On>
concept has_device_rooms = requires { typename On::device_rooms; };

//! A program that does not change its array.
struct unchanged {
  template <class On, class Array>
  MMM_HOST_DEVICE constexpr Array operator()(On&, Array a) const {
    return a;
  }
};

//! A program that accesses the caller's sequences in vectors of `words` words, each from a multiple
//! of `words` on. `by_words()` is the program for sequences that do not begin at such a multiple.
template <class Program>
concept wants_alignment = requires(Program const& program) {
  Program::words;
  program.by_words();
};

//! The program that a launch asks for its limits (max_block_threads and the like): `Program`, or
//! the one that it runs and then stores the result of.
template <class Program>
struct limiting_program : type_identity<Program> {};

//! A wants_alignment program whose sequences are the library's own and begin at multiples of 256
//! bytes, so that by_words() is not compiled.
template <class Program>
struct of_aligned_arrays : Program {
  static constexpr bool arrays_are_aligned = true;
};

//! A program that stores the first word of the array that `Program` returns.
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
template <class Program>
struct limiting_program<first_word_of<Program>> : limiting_program<Program> {};

}  // namespace detail

//! Runs `program(handle, arrays …)` on the back end of `on`: a simulated machine, host threads, or
//! a CUDA kernel. The handle is passed by reference. Arguments made by mmm::reads and the like
//! become arrays; others are passed on unchanged. A result is an output argument as well
//! (mmm::results). An estimate reads no data: an array stands for each sequence. In a kernel the
//! program and its arguments must be trivially copyable. Time of the copies in a simulation: none.
//! Memory and errors: those of the handle.
template <class On, class Program, class... Arguments>
constexpr void run(On& on, Program const& program, Arguments const&... arguments) {
  static_assert(
      !detail::handle_of_nodes<On>,
      "mmm: a program for one machine runs on a cluster: the algorithm has no program for "
      "clusters; its nodes can run it, in on.each_node");
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
