// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/kernel/block_limits.hpp>
#include <mmm/execution/kernel/kernel.hpp>
#include <mmm/execution/kernel/memory.hpp>
#include <mmm/execution/kernel/registers.hpp>
#include <mmm/execution/overlap.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

//! The shape and the memory of a kernel, before it runs: the shape is the machine's, the memory is
//! what its program asks for.
namespace mmm::detail {

//! The number of threads in a block, for a machine without DMMs.
inline constexpr index default_block = 256;

//! The launch shape of a machine: one block for a DMM, a block for every DMM of a hierarchical
//! machine, and blocks of default_block threads for any other. std::invalid_argument for threads
//! that the DMMs cannot share evenly.
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

//! An executor's machine, and the shape of its launches, which follows from the machine.
template <machine M>
class shaped_for {
  static_assert(fixed_width<M>, "mmm: a kernel needs a machine whose type knows its width");

 public:
  using machine_type = M;
  using launches_programs = void;

  [[nodiscard]] M const& machine() const { return machine_; }
  [[nodiscard]] index threads() const { return shape_.threads; }
  [[nodiscard]] launch_shape const& shape() const { return shape_; }
  [[nodiscard]] index dmms() const
  requires hierarchical_machine<M>
  {
    return machine_.dmms();
  }
  [[nodiscard]] index threads_per_dmm() const
  requires hierarchical_machine<M>
  {
    return shape_.block_threads;
  }

 protected:
  shaped_for(M const& m, mmm::threads p) : machine_(m), shape_(shape_of(m, p.count)) {}

  M machine_;
  launch_shape shape_;
};

//! The memory that a program asks for, in bytes.
struct launch_plan {
  index shared = 0;                   //!< shared memory of a block
  index scratch = 0;                  //!< global memory of the whole grid
  bool grid_barriers = false;         //!< whether the blocks wait for each other
  bool arrivals = false;              //!< whether arriving blocks are counted (first_alone)
  index cluster = 1;                  //!< blocks in a cluster
  index tiles = 0;                    //!< number of tiles in the largest each_tile
  index blocks = 0;                   //!< number of blocks with work; those after them have none
  int kernel = 0;                     //!< a phase's number among the program's kernels
  index phase = 0;                    //!< a phase's number
  std::vector<launch_plan> phases{};  //!< the phases of a program that has some, in their order
};

//! Counts the memory given out: in bytes; and in words, as the model counts them, from multiples of
//! the width on.
class planned_memory {
 public:
  struct limits {
    index* max_bytes;
    index width;
    index capacity;  //!< in words
  };
  MMM_HOST_DEVICE explicit planned_memory(limits const& given) : limits_(given) {}

  template <class T>
  [[nodiscard]] T* take(index n) {
    static_cast<void>(checked_multiply(n, sizeof(T)));
    bytes_ = checked_add(bytes_, array_bytes(n, sizeof(T)));
    words_ = checked_add(checked_multiply(ceil_divide(words_, limits_.width), limits_.width), n);
    demand();
    return nullptr;
  }
  //! Counts everything given out since `then` `times` times.
  void repeat_since(planned_memory const& then, index times) {
    bytes_ = checked_add(then.bytes_, checked_multiply(bytes_ - then.bytes_, times));
    words_ = checked_add(then.words_, checked_multiply(words_ - then.words_, times));
    demand();
  }

 private:
  void demand() const {
    if (words_ > limits_.capacity)
      reject_length("words of a shared memory", words_, limits_.capacity);
    *limits_.max_bytes = larger(*limits_.max_bytes, bytes_);
  }
  limits limits_;
  index bytes_ = 0;
  index words_ = 0;
};

//! Counts the bytes of registers that a thread names at once, with their alignment.
class planned_register_file {
 public:
  template <class T, index N>
  [[nodiscard]] T* take() {
    bytes_ += ceil_divide(N * index{sizeof(T)}, 16) * 16;
    demand();
    return nullptr;
  }
  void repeat_since(planned_register_file const& then, index times) {
    bytes_ = checked_add(then.bytes_, checked_multiply(bytes_ - then.bytes_, times));
    demand();
  }

 private:
  void demand() const {
    if (bytes_ > max_register_bytes)
      reject_length("bytes of registers of a thread", bytes_, max_register_bytes);
  }
  index bytes_ = 0;
};

//! The team of a plan: the first thread of a kernel that does not run. It notes the memory and
//! barriers that the program asks for.
template <class M>
class planning_team {
 public:
  static constexpr int kernel = every_kernel;
  static constexpr bool refuses = true;
  static constexpr bool plans = true;
  using memory = planned_memory;
  using register_file = planned_register_file;

  planning_team(M const& m, launch_plan& plan) : machine_(m), plan_(plan) {}
  [[nodiscard]] index thread() const { return 0; }
  [[nodiscard]] index thread_anew() const { return 0; }
  [[nodiscard]] index block() const { return 0; }
  void block_barrier() const {}
  void grid_barrier() const { plan_.grid_barriers = true; }
  //! Memory of other blocks in a plan, in which no body runs.
  struct no_peers {
    template <class T>
    [[nodiscard]] T* at(T* first, index) const {
      return first;
    }
  };
  [[nodiscard]] no_peers peers() const { return {}; }
  void use_clusters(index size) const { plan_.cluster = size; }
  void cluster_barrier() const {}
  void first_alone() const { plan_.arrivals = true; }
  //! The number of blocks that share the tiles: in a plan one tile stands for all.
  [[nodiscard]] index blocks_for(index tiles, index) const {
    plan_.tiles = larger(plan_.tiles, tiles);
    return tiles;
  }
  //! Notes a look-back: blocks wait for each other, so all of them have to run at once.
  template <class States, class Word, class Operator>
  void look_back(States const&, index, Word const&, Operator const&) const {
    plan_.grid_barriers = true;
  }
  void wait_for_tiles() const { plan_.grid_barriers = true; }
  //! Plans a phase, and adds its demands to those of the program.
  template <class Body>
  void in_phase(int of_kernel, index number, Body const& body) const {
    launch_plan whole = std::exchange(plan_, {});
    body();
    plan_.kernel = of_kernel;
    plan_.phase = number;
    whole.shared = larger(whole.shared, plan_.shared);
    whole.scratch = larger(whole.scratch, plan_.scratch);
    whole.grid_barriers = true;
    whole.cluster = larger(whole.cluster, plan_.cluster);
    whole.tiles = larger(whole.tiles, plan_.tiles);
    whole.blocks = larger(whole.blocks, plan_.blocks);
    whole.phases.push_back(std::exchange(plan_, {}));
    plan_ = std::move(whole);
  }
  //! Notes that the first `blocks` blocks work.
  void use_blocks(index blocks) const { plan_.blocks = larger(plan_.blocks, blocks); }
  template <index Lanes, class T, class Operator>
  void fold_lanes(T&, index, Operator const&) const {}
  template <fragment_order, index, class T, class Rows, class Place>
  void load_fragments(T*, Rows const&, index, Place const&) const {}
  template <class, index, index, class Sum, class Left, class Right>
  void multiply_lanes(Sum*, Left const*, Right const*, index) const {}
  void begin_transactions(std::uint64_t*) const {}
  template <class T>
  [[nodiscard]] static bool copy_bulk(std::uint64_t*, T*, T const*, index) {
    return false;
  }
  void await_bulk(std::uint64_t*) const {}
  void commit_copies() const {}
  template <index Latest>
  void await_copies() const {}
  template <class... Number>
  void forget(Number&...) const {}
  [[nodiscard]] planned_memory::limits shared() const {
    index capacity = unlimited;
    if constexpr (hierarchical_machine<M>) capacity = machine_.capacity();
    return {&plan_.shared, M::width(), capacity};
  }
  [[nodiscard]] planned_memory::limits scratch() const {
    return {&plan_.scratch, M::width(), unlimited};
  }

 private:
  M const& machine_;
  launch_plan& plan_;
};

//! Makes the plan of a program: the handles of a kernel run it as the kernel's first thread would,
//! without calling a body. Errors: those of the handles; std::length_error for more shared memory
//! or registers than there are.
template <class M, class Program, class... Arguments>
[[nodiscard]] launch_plan plan_of(M const& m, launch_shape const& shape, Program const& program,
                                  Arguments const&... arguments) {
  launch_plan plan;
  planning_team<M> team(m, plan);
  run_thread(m, shape, team, program, arguments...);
  return plan;
}

//! Converts a contiguous iterator to a pointer and leaves any other unchanged.
struct as_pointer {
  template <class Iterator>
  [[nodiscard]] constexpr auto operator()(Iterator it) const {
    if constexpr (std::contiguous_iterator<Iterator>)
      return std::to_address(it);
    else if constexpr (is_made_of_words<Iterator>)
      return it.with_first((*this)(it.first));
    else
      return it;
  }
  template <class Value>
  [[nodiscard]] constexpr Value* operator()(host_memory<Value> memory) const {
    return memory.data;
  }
  [[nodiscard]] constexpr known_table operator()(known_table table) const { return table; }
};

//! An argument with its iterators replaced by `f(iterator)`; a result's by `f.result(iterator)` if
//! there is such a member.
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
  auto out = [&] {
    if constexpr (Use == argument_use::result && requires { f.result(x.out); })
      return f.result(x.out);
    else
      return replace(x.out);
  }();
  return array_argument<Value, Use, decltype(in), decltype(out)>{in, out, x.given, x.words,
                                                                 x.in_place};
}

// Aligned and unaligned programs (wants_alignment): the choice is made when a kernel is launched,
// so that no access has to check its alignment.

template <class Iterator>
inline constexpr bool stands_on_pointer = std::is_pointer_v<Iterator>;
template <is_made_of_words Iterator>
inline constexpr bool stands_on_pointer<Iterator> = std::is_pointer_v<decltype(Iterator::first)>;

template <class Argument>
inline constexpr bool is_by_pointer = false;
template <class Value, class In>
inline constexpr bool is_by_pointer<array_argument<Value, argument_use::read, In, no_sequence>> =
    stands_on_pointer<In>;
template <class Value, class Out>
inline constexpr bool is_by_pointer<array_argument<Value, argument_use::write, no_sequence, Out>> =
    std::is_pointer_v<Out>;
template <class Value, class In, class Out>
inline constexpr bool is_by_pointer<array_argument<Value, argument_use::update, In, Out>> =
    std::is_pointer_v<In> && std::is_pointer_v<Out>;

template <index V>
[[nodiscard]] constexpr bool begins_aligned(no_sequence) {
  return true;
}
template <index V, class T>
[[nodiscard]] bool begins_aligned(T* first) {
  return reinterpret_cast<std::uintptr_t>(first) % alignof(vec<std::remove_cv_t<T>, V>) == 0;
}
template <index V, is_made_of_words Iterator>
[[nodiscard]] bool begins_aligned(Iterator const& it) {
  return begins_aligned<V>(it.first);
}
//! True unless an argument is a pointer to V words or more that is not aligned for accesses of V
//! words.
template <index V, class Argument>
[[nodiscard]] bool is_aligned(Argument const& x) {
  if constexpr (is_by_pointer<Argument>)
    return x.words < V || (begins_aligned<V>(x.in) && begins_aligned<V>(x.out));
  else
    return true;
}

//! Converts pointers to aligned_pointer and leaves anything else unchanged.
struct as_aligned {
  template <class Iterator>
  [[nodiscard]] constexpr auto operator()(Iterator it) const {
    if constexpr (std::is_pointer_v<Iterator>)
      return aligned_pointer<std::remove_pointer_t<Iterator>>{it};
    else if constexpr (is_made_of_words<Iterator>)
      return it.with_first((*this)(it.first));
    else
      return it;
  }
};
template <class Argument>
[[nodiscard]] constexpr auto aligned_argument(Argument const& x) {
  if constexpr (is_by_pointer<Argument>)
    return replaced(as_aligned{}, x);
  else
    return x;
}
//! Calls `run(program, arguments...)` with the program and the pointers that the alignment of the
//! arguments allows.
template <class Run, class Program, class... Arguments>
void run_by_alignment(Run const& run, Program const& program, Arguments const&... arguments) {
  if constexpr (requires { Program::arrays_are_aligned; }) {
    run(program, aligned_argument(arguments)...);
  } else if constexpr (wants_alignment<Program>) {
    if ((is_aligned<Program::words>(arguments) && ...))
      run(program, aligned_argument(arguments)...);
    else
      run(program.by_words(), arguments...);
  } else {
    run(program, arguments...);
  }
}

//! Throws std::invalid_argument unless blocks of a program that fills them have its maximum number
//! of threads.
template <class Program>
void demand_full_blocks(launch_shape const& shape) {
  constexpr int threads = max_block_threads<Program>();
  if (fills_blocks<Program>() && shape.block_threads != threads)
    reject("the number of threads of a block", shape.block_threads,
           std::to_string(threads).c_str());
}

//! Runs a program whose phases are kernels of their own by `run_phases(program)`, and any other by
//! `run_kernel(program)`. A program with a form for full blocks has it if its blocks, of
//! `block_threads` threads, are full. With copied arguments all of a program is one kernel: the
//! copies are not a phase's.
template <class... Arguments, class Program, class RunPhases, class RunKernel>
void run_by_phases(index block_threads, Program const& program, RunPhases const& run_phases,
                   RunKernel const& run_kernel) {
  constexpr bool phases = requires { Program::phase_kernels; };
  if constexpr (!phases || (is_copied<Arguments> || ...)) {
    run_kernel(program);
  } else if constexpr (requires { program.with_full_blocks(); }) {
    if (block_threads == max_block_threads<Program>())
      run_phases(program.with_full_blocks());
    else
      run_phases(program);
  } else {
    run_phases(program);
  }
}

//! The limits of a kernel on a device.
struct launch_limits {
  index block_threads;  //!< threads of a block
  index shared;         //!< bytes of shared memory of a block
  index blocks;         //!< blocks of a grid
  bool clusters;        //!< whether kernels can have clusters
};

//! The number of blocks of a launch. With `assigns_tiles` each tile has its own block, which the
//! device starts as soon as there is room, unless blocks wait for each other. std::invalid_argument
//! or std::length_error if the kernel cannot have so many threads, so much shared memory, so many
//! blocks, or clusters.
[[nodiscard]] inline index blocks_within(launch_limits const& limits, launch_shape const& shape,
                                         launch_plan const& plan, bool assigns_tiles) {
  if (shape.block_threads > limits.block_threads)
    reject("the number of threads of a block", shape.block_threads,
           ("1 to " + std::to_string(limits.block_threads) + " for this kernel").c_str());
  if (plan.shared > limits.shared)
    reject_length("bytes of shared memory of a block", plan.shared, limits.shared);
  if (shape.blocks > limits.blocks) reject_length("blocks of a grid", shape.blocks, limits.blocks);
  if (plan.cluster > 1 && !limits.clusters)
    reject("the number of blocks of a cluster", plan.cluster,
           "1 on this device, which has no clusters (they need compute capability 9.0)");
  index blocks = larger(1, plan.blocks);
  if (assigns_tiles && !plan.grid_barriers)
    blocks = larger(blocks, smaller(plan.tiles, limits.blocks));
  return ceil_divide(blocks, plan.cluster) * plan.cluster;
}
//! Throws std::length_error for more blocks that wait for each other than can run at once.
inline void demand_resident(launch_shape const& shape, index at_once) {
  if (shape.blocks > at_once)
    reject_length("blocks that wait for each other", shape.blocks, at_once);
}

}  // namespace mmm::detail
