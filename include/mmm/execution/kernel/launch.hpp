// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/handle.hpp>
#include <mmm/execution/kept_items.hpp>
#include <mmm/execution/kernel/kernel.hpp>
#include <mmm/execution/kernel/look_back.hpp>
#include <mmm/execution/kernel/memory.hpp>
#include <mmm/execution/kernel/registers.hpp>
#include <mmm/machine/machine.hpp>

#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>

//! What is known of a kernel before it runs: its shape, which is the machine's, and the memory that
//! its program asks for.
namespace mmm::detail {

//! Threads of a block where the machine has no blocks of its own.
inline constexpr index default_block = 256;

//! One block for a DMM, a block for every DMM of a hierarchical machine, blocks of default_block
//! threads for any other. std::invalid_argument for threads that the DMMs cannot share evenly.
template <machine M>
[[nodiscard]] constexpr launch_shape shape_of(M const& m, index p) {
  if constexpr (hierarchical_machine<M>) {
    if (p % m.dmms() != 0)
      reject("the number of threads", p, "a multiple of the machine's number of DMMs");
    return {m.dmms(), p / m.dmms(), p};
  } else if constexpr (is_one_dmm<M>) {
    return {1, p, p};
  } else {
    index const block = smaller(p, default_block);
    return {ceil_divide(p, block), block, p};
  }
}

//! What a program asks for, in bytes.
struct launch_plan {
  index shared = 0;            //!< of a block
  index scratch = 0;           //!< of the whole grid
  bool grid_barriers = false;  //!< whether the blocks wait for each other
};

//! What has been given out of a memory, in bytes; and in words, as the model counts them.
struct planned_memory {
  index used = 0;
  index most = 0;
  index words = 0;
  //! `n` values of `size` bytes, from a multiple of the width on.
  void take(index n, index size, index width) {
    if (n < 0) reject("the size of an array", n, "0 or more");
    static_cast<void>(checked_multiply(n, size));
    used = checked_add(used, array_bytes(n, size));
    most = larger(most, used);
    words = checked_add(checked_multiply(ceil_divide(words, width), width), n);
  }
};

//! What a program has asked for so far.
struct planned_program {
  planned_memory shared;
  planned_memory scratch;
  index register_bytes = 0;
  bool barrier_due = false;  //!< as in kernel_grid
  bool waits = false;        //!< blocks wait for each other
  bool looks_back = false;   //!< a block waits for others
  index phases = 0;

  void wait() {
    waits = waits || barrier_due;
    barrier_due = false;
  }
  void phase(bool barrier = true) {
    wait();
    barrier_due = barrier;
    ++phases;
  }
};

//! Nobody's registers.
template <class T>
struct planned_registers {
  T& operator[](index) const;
  T& operator()(index, index) const;
  T& chosen(index, index) const;
};

//! The handle of a plan: it runs a program as one thread does, but no body, and notes what is
//! allocated. The offsets are those of kernel_block and kernel_grid.
template <class M, bool Block>
class planning_handle {
 public:
  using machine_type = M;
  planning_handle(M const& m, launch_shape const& shape, planned_program& so_far)
      : machine_(m), shape_(shape), so_far_(so_far) {}

  [[nodiscard]] M const& machine() const { return machine_; }
  [[nodiscard]] index threads() const { return Block ? shape_.block_threads : shape_.threads; }
  [[nodiscard]] index dmms() const { return shape_.blocks; }
  [[nodiscard]] index threads_per_dmm() const { return shape_.block_threads; }

  template <class Body, barrier_choice... End>
  void each(index n, Body const&, End...) const {
    if (n < 0) reject("the number of items", n, "0 or more");
    so_far_.phase(sizeof...(End) == 0);
  }
  template <class Body, barrier_choice... End>
  void each(index rows, index columns, Body const&, End...) const {
    if (rows < 0) reject("the number of rows", rows, "0 or more");
    if (columns < 0) reject("the number of columns", columns, "0 or more");
    static_cast<void>(checked_multiply(rows, columns));
    so_far_.phase(sizeof...(End) == 0);
  }
  template <class Body, barrier_choice... End>
  void each(trapezoid const& shape, Body const&, End...) const {
    static_cast<void>(shape.items());
    so_far_.phase(sizeof...(End) == 0);
  }
  template <index Most, class Body, barrier_choice... End>
  void each(kept_items<Most> const& items, Body const&, End...) const {
    demand_kept(items);
    so_far_.phase(sizeof...(End) == 0);
  }
  //! One trip stands for all.
  template <class F>
  void repeat(index count, F const& f) const {
    if (count <= 0) return;
    planned_program const before = so_far_;
    f(index{0});
    auto const again = [count](index first, index& now) {
      now = checked_add(first, checked_multiply(now - first, count));
    };
    again(before.shared.used, so_far_.shared.used);
    again(before.shared.words, so_far_.shared.words);
    again(before.scratch.used, so_far_.scratch.used);
    again(before.register_bytes, so_far_.register_bytes);
    so_far_.shared.most = larger(so_far_.shared.most, so_far_.shared.used);
    so_far_.scratch.most = larger(so_far_.scratch.most, so_far_.scratch.used);
    demand_registers(0);
    demand_capacity();
    if (count > 1 && so_far_.phases > before.phases)
      so_far_.waits = so_far_.waits || so_far_.barrier_due;
  }
  template <index Most, class F>
  void repeat(index count, F const& f) const {
    if (count > Most) reject_length("trips of an unrolled loop", count, Most);
    repeat(count, f);
  }
  template <class T>
  [[nodiscard]] kernel_array<T, true> allocate(index n) const {
    demand_copyable<T>();
    (Block ? so_far_.shared : so_far_.scratch).take(n, sizeof(T), M::width);
    demand_capacity();
    return kernel_array<T, true>();
  }
  template <class T, index N = 1>
  [[nodiscard]] planned_registers<T> registers() const {
    demand_copyable<T>();
    demand_registers(N * index{sizeof(T)});
    return {};
  }
  template <class T, index Most>
  [[nodiscard]] planned_registers<T> registers(kept_items<Most> const& items) const {
    demand_copyable<T>();
    demand_kept(items);
    demand_registers(Most * index{sizeof(T)});
    return {};
  }
  template <class F>
  void each_dmm(index count, F const& f) const {
    if (count < 0 || count > dmms())
      reject("the number of DMMs to use", count, "0 to the machine's DMMs");
    in_block(count, f, true);
  }
  template <class F>
  void each_dmm(F const& f) const {
    each_dmm(dmms(), f);
  }
  template <class F, barrier_choice... End>
  void each_tile(index first, index count, F const& f, End...) const {
    if (count < 0) reject("the number of tiles", count, "0 or more");
    in_block(count, [&](auto& block, index tile) { f(block, first + tile); }, sizeof...(End) == 0);
  }
  template <class T>
  [[nodiscard]] look_back_states<T> look_back_state(index tiles) const {
    demand_copyable<T>();
    if (tiles < 0) reject("the number of tiles", tiles, "0 or more");
    so_far_.phase();
    so_far_.scratch.take(tiles, sizeof(typename look_back_states<T>::state), M::width);
    bump_allocator nowhere{nullptr};
    return look_back_states<T>(nowhere, 0);
  }
  template <class State, class Word, class Operator>
  void look_back(State const&, index, Word const&, Operator const&) const {
    so_far_.looks_back = true;
  }

  template <class Argument>
  [[nodiscard]] auto bring(Argument const& x) const {
    using value = typename Argument::value_type;
    if constexpr (Block || Argument::use == argument_use::work ||
                  (Argument::use == argument_use::update && !changed_where_it_is<Argument>)) {
      if (!std::is_same_v<decltype(Argument::in), no_sequence>) so_far_.phase();
      return allocate<value>(x.words);
    } else if constexpr (Argument::use == argument_use::read) {
      return kernel_source<value>(x.in);
    } else {
      if (Argument::use == argument_use::update && !x.in_place) so_far_.phase();
      return kernel_target<value>(x.out);
    }
  }
  template <class Argument, class Array>
  void deliver(Argument const&, Array const&) const {
    if (Block || (Argument::use == argument_use::update && !changed_where_it_is<Argument>))
      so_far_.phase();
  }
  template <class Registers, class Array>
  void keep(Registers const&, Array const&) const {
    so_far_.phase();
  }

 private:
  template <class T>
  static constexpr void demand_copyable() {
    static_assert(std::is_trivially_copyable_v<T>, "mmm: a kernel's values are trivially copyable");
  }
  //! One block's part of a phase.
  template <class F>
  void in_block(index count, F const& f, bool barrier) const {
    so_far_.phase(barrier);
    if (count == 0) return;
    planned_program of_block;
    of_block.scratch = so_far_.scratch;
    planning_handle<M, true> block(machine_, shape_, of_block);
    f(block, index{0});
    so_far_.shared.most = larger(so_far_.shared.most, of_block.shared.most);
    so_far_.scratch.most = of_block.scratch.most;
    so_far_.waits = so_far_.waits || of_block.looks_back;
  }
  void demand_capacity() const {
    if constexpr (Block && hierarchical_machine<M>)
      if (so_far_.shared.words > machine_.capacity())
        reject_length("words of a shared memory", so_far_.shared.words, machine_.capacity());
  }
  //! A thread's items are no more than it keeps something of, and a kernel can number all of them
  //! in 32 bits.
  template <index Most>
  void demand_kept(kept_items<Most> const& items) const {
    index const n = checked_count(items);
    if (n > INT32_MAX) reject_length("items of which threads keep something", n, INT32_MAX);
    index const own = ceil_divide(n, threads());
    if (own > Most)
      reject_length("items of a thread that keeps something of them in registers", own, Most);
  }
  //! For `bytes` more, and what it takes to align them.
  void demand_registers(index bytes) const {
    so_far_.register_bytes += ceil_divide(bytes, 16) * 16;
    if (so_far_.register_bytes > most_register_bytes)
      reject_length("bytes of registers of a thread", so_far_.register_bytes, most_register_bytes);
  }
  M machine_;
  launch_shape shape_;
  planned_program& so_far_;
};

//! The plan of a program; `last_phase` if something follows it in the kernel.
template <class M, class Program, class... Arguments>
[[nodiscard]] launch_plan plan_of(M const& m, launch_shape const& shape, bool last_phase,
                                  Program const& program, Arguments const&... arguments) {
  planned_program so_far;
  planning_handle<M, is_one_dmm<M>> on(m, shape, so_far);
  run_here(on, program, arguments...);
  if (last_phase) so_far.phase();
  return {so_far.shared.most, so_far.scratch.most, so_far.waits && !is_one_dmm<M>};
}

//! A contiguous iterator as a pointer; any other as it is.
struct as_pointer {
  template <class Iterator>
  [[nodiscard]] constexpr auto operator()(Iterator it) const {
    if constexpr (std::contiguous_iterator<Iterator>)
      return std::to_address(it);
    else
      return it;
  }
  template <class Value>
  [[nodiscard]] constexpr Value* operator()(host_memory<Value> memory) const {
    return memory.data;
  }
  [[nodiscard]] constexpr known_table operator()(known_table table) const { return table; }
};

//! An argument with its iterators replaced.
template <class F, class Argument>
[[nodiscard]] constexpr Argument replaced(F const&, Argument const& plain) {
  return plain;
}
template <class F>
[[nodiscard]] constexpr known_table replaced(F const& f, known_table const& table) {
  return f(table);
}
template <class F, class Value, argument_use Use, class In, class Out>
[[nodiscard]] constexpr auto replaced(F const& f, array_argument<Value, Use, In, Out> const& x) {
  auto const replace = [&](auto const& it) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(it)>, no_sequence>)
      return it;
    else
      return f(it);
  };
  auto in = replace(x.in);
  auto out = replace(x.out);
  return array_argument<Value, Use, decltype(in), decltype(out)>{in, out, x.given, x.words,
                                                                 x.in_place};
}

}  // namespace mmm::detail
