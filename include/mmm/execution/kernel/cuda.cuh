// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/kernel/arrivals.cuh>
#include <mmm/execution/kernel/block_limits.hpp>
#include <mmm/execution/kernel/cuda_error.cuh>
#include <mmm/execution/kernel/demand_memory.cuh>
#include <mmm/execution/kernel/kernel.hpp>
#include <mmm/execution/kernel/kernel_by_hand.cuh>
#include <mmm/execution/kernel/launch.hpp>
#include <mmm/execution/kernel/launch_limits.cuh>
#include <mmm/execution/kernel/launch_memory.cuh>
#include <mmm/execution/kernel/program_kernel.cuh>
#include <mmm/machine/machine.hpp>

#include <thrust/type_traits/unwrap_contiguous_iterator.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

//! Programs as CUDA kernels, one kernel for each run. The machine is the launch configuration: a
//! DMM is one block and its shared memory, a hierarchical machine has a block for every DMM, and
//! any other machine is a grid over global memory. The launch is cooperative where parallel-fors
//! need a barrier of the whole grid.
namespace mmm {
namespace detail {

//! A type for each kernel, by which its limits are cached.
template <class M, class Program, class... Arguments>
struct kernel_of {};

//! A kernel of a program with phases, and its limits on the current device.
template <class M, class Program, class... Arguments>
struct phase_kernel {
  using function = void (*)(M, launch_shape, std::byte*, index, Program, Arguments...);
  function start;
  kernel_limits* limits;

  template <int Kernel>
  [[nodiscard]] static phase_kernel number() {
    auto* const start = &program_phase<Kernel, M, Program, Arguments...>;
    using key = kernel_of<std::integral_constant<int, Kernel>, M, Program, Arguments...>;
    return {start, &limits_of<key>(reinterpret_cast<void const*>(start))};
  }
  //! All kernels of the program, by their numbers.
  [[nodiscard]] static auto all() {
    return [&]<int... Kernel>(std::integer_sequence<int, Kernel...>) {
      return std::array{number<Kernel>()...};
    }(std::make_integer_sequence<int, Program::phase_kernels>{});
  }
};

//! Converts iterators for a kernel: contiguous ones become pointers, such as Thrust's to device
//! memory.
struct as_device_iterator {
  stand_ins& temporary;

  template <class Iterator>
  [[nodiscard]] auto operator()(Iterator it) const {
    if constexpr (std::is_pointer_v<Iterator>)
      return it;
    else if constexpr (is_made_of_words<Iterator>)
      return it.with_first((*this)(it.first));
    else
      return thrust::try_unwrap_contiguous_iterator(it);
  }
  template <class Value>
  [[nodiscard]] Value* operator()(host_memory<Value> memory) const {
    return temporary.written(memory);
  }
  template <class Value>
  [[nodiscard]] Value* result(host_memory<Value> memory) const {
    return temporary.result(memory);
  }
  [[nodiscard]] known_table operator()(known_table table) const {
    return {temporary.read(table.data, table.count), table.count};
  }
};

}  // namespace detail

namespace cuda {

//! The handle that runs algorithms as CUDA kernels:
//! `mmm::sum(mmm::cuda::on<machine>(mmm::threads(p), stream), …)`. Sequences are random-access
//! iterators that device code may use: raw pointers to device memory, Thrust's. Values are
//! trivially copyable. A call that returns nothing is in order with the stream, does not wait, and
//! may be captured in a graph; a call that returns a result waits. The program's
//! arrays come from the stream's pool and go back to it in order, or are in memory of the caller's
//! (with_storage).
//! Errors, before anything is launched: mmm::cuda::error for what the runtime reports (no device,
//! no kernel for it, out of memory); std::invalid_argument for null pointers, for memory of the
//! host that the device cannot access, and for results that overlap what is read;
//! std::invalid_argument and std::length_error for what the device cannot have.
template <machine M>
class launcher : public detail::shaped_for<M> {
 public:
  using device_memory = void;
  using device_rooms = void;

  //! \param at_most p threads, or fewer where a program's kernel cannot have as many in a block, or
  //! where blocks that wait for each other could not all run at once.
  launcher(M const& m, mmm::threads p, cudaStream_t stream, bool at_most = false,
           detail::launch_storage const& storage = {})
      : detail::shaped_for<M>(m, p), stream_(stream), at_most_(at_most), storage_(storage) {}

  [[nodiscard]] cudaStream_t stream() const { return stream_; }
  //! Threads per DMM for a program whose kernel may have `most` threads in a block.
  [[nodiscard]] index threads_per_dmm_within(index limit) const
  requires hierarchical_machine<M>
  {
    return at_most_ ? detail::smaller(this->shape_.block_threads, limit)
                    : this->shape_.block_threads;
  }
  //! True if a program's kernel may have as many threads in a block as the launcher uses.
  template <class Program>
  [[nodiscard]] bool can_run() const {
    return shape_for<Program>().block_threads <= detail::max_block_threads<Program>();
  }

  //! True if the current device has the code of a program's kernel_by_hand.
  template <class Program>
  [[nodiscard]] bool runs_by_hand() const {
    if constexpr (detail::kernel_by_hand<Program>::exists)
      return detail::kernel_by_hand<Program>::is_compiled();
    else
      return false;
  }

  //! Runs `program(on, arrays …)` on all threads.
  template <class Program, class... Arguments>
  void launch(Program const& program, Arguments const&... arguments) const {
    if (storage_.measured == nullptr) detail::demand_memory(storage_.room, arguments...);
    detail::launch_memory memory(storage_, stream_);
    detail::stand_ins temporary(memory);
    detail::run_by_alignment(
        [&](auto const& fitting, auto const&... converted) { run(memory, fitting, converted...); },
        program, detail::replaced(detail::as_device_iterator{temporary}, arguments)...);
    temporary.bring_home();
  }

  //! The same handle with storage: its calls use `bytes` bytes of device memory from `first` on, a
  //! multiple of 256, instead of memory from the stream's pool. std::length_error if a call needs
  //! more. Calls use the same storage one after the other, in the order of the stream.
  [[nodiscard]] launcher with_storage(void* first, index bytes) const {
    if (bytes < 0) detail::reject("the number of bytes of storage", bytes, "0 or more");
    if (reinterpret_cast<std::uintptr_t>(first) % detail::array_alignment != 0)
      detail::throw_invalid_argument(
          detail::failure_text("mmm: storage begins at a multiple of 256 bytes"));
    launcher other(*this);
    other.storage_ = {static_cast<std::byte*>(first), bytes};
    return other;
  }
  //! The bytes of storage that `call(handle)` needs, found without running a kernel:
  //! `on.storage_bytes([&](auto const& on) { mmm::sum(on, a, a + n, out); })`.
  template <class Call>
  [[nodiscard]] index storage_bytes(Call const& call) const {
    index bytes = 0;
    launcher other(*this);
    other.storage_ = {nullptr, -1, &bytes};
    call(std::as_const(other));
    return bytes;
  }
  //! Calls `use(handle, first)` with n words of device memory from `first` on, which hold data
  //! between the handle's programs. The memory is given back in the order of the stream.
  template <class T, class Use>
  auto with_room(index n, Use const& use) const {
    detail::launch_memory memory(storage_, stream_);
    auto* const first = reinterpret_cast<T*>(memory.take(detail::checked_multiply(n, sizeof(T))));
    launcher rest(*this);
    rest.storage_ = memory.rest();
    rest.storage_.room = first;
    return use(std::as_const(rest), first);
  }
  //! A launcher for another machine, on the same stream and with the same memory.
  template <machine N>
  [[nodiscard]] launcher<N> on_machine(N const& m, mmm::threads p) const {
    return {m, p, stream_, false, storage_};
  }

 private:
  template <class Program>
  [[nodiscard]] launch_shape shape_for() const {
    index const limit = detail::max_block_threads<Program>();
    if (!at_most_ || this->shape_.block_threads <= limit) return this->shape_;
    return {this->shape_.blocks, limit, this->shape_.blocks * limit};
  }
  //! The launch's shape; on a machine without DMMs, at most as many blocks as can wait for each
  //! other.
  template <class Program>
  [[nodiscard]] launch_shape shape_for(detail::kernel_limits& limits) const {
    launch_shape shape = shape_for<Program>();
    if constexpr (!hierarchical_machine<M> && !detail::is_one_dmm<M>)
      if (at_most_) {
        index const blocks = limits.blocks_at_once(shape.block_threads, 0);
        if (blocks > 0 && blocks < shape.blocks)
          shape = {blocks, shape.block_threads, blocks * shape.block_threads};
      }
    return shape;
  }
  template <class Program, class... Arguments>
  void run(detail::launch_memory& memory, Program const& program,
           Arguments const&... arguments) const {
    if constexpr (detail::kernel_by_hand<Program>::exists) {
      index const limit = detail::max_block_threads<Program>();
      launch_shape const shape{this->shape_.blocks, limit, this->shape_.blocks * limit};
      if (!memory.is_measured())
        detail::kernel_by_hand<Program>::launch(this->machine_, shape, stream_, program,
                                                arguments...);
    } else {
      detail::run_by_phases<Arguments...>(
          shape_for<Program>().block_threads, program,
          [&](auto const& chosen) { run_phases(memory, chosen, arguments...); },
          [&](auto const& chosen) { run_kernel(memory, chosen, arguments...); });
    }
  }
  //! Plans a program, with fewer threads in a block while `fits(shape, plan)` does not hold.
  template <class Program, class Fits, class... Arguments>
  [[nodiscard]] detail::launch_plan planned(launch_shape& shape, Fits const& fits,
                                            Program const& program,
                                            Arguments const&... arguments) const {
    detail::demand_full_blocks<Program>(shape);
    auto plan = detail::plan_of(this->machine_, shape, program, arguments...);
    while (at_most_ && plan.grid_barriers && hierarchical_machine<M> &&
           !detail::fills_blocks<Program>() && shape.block_threads > 32 && !fits(shape, plan)) {
      index const fewer = shape.block_threads / 64 * 32;
      shape = {shape.blocks, fewer, shape.blocks * fewer};
      plan = detail::plan_of(this->machine_, shape, program, arguments...);
    }
    return plan;
  }
  //! True if all blocks of a kernel can run at once.
  [[nodiscard]] static bool all_at_once(detail::kernel_limits& limits, launch_shape const& shape,
                                        detail::launch_plan const& plan) {
    limits.allow_shared(plan.shared);
    return limits.blocks_at_once(shape.block_threads, plan.shared) >= shape.blocks;
  }
  template <class Program, class... Arguments>
  void run_phases(detail::launch_memory& memory, Program const& program,
                  Arguments const&... arguments) const {
    (detail::demand_in_place(arguments), ...);
    auto const kernels = detail::phase_kernel<M, Program, Arguments...>::all();
    auto const limits_of = [&](detail::launch_plan const& phase) -> detail::kernel_limits& {
      return *kernels[static_cast<std::size_t>(phase.kernel)].limits;
    };
    auto shape = shape_for<Program>();
    auto const fits = [&](launch_shape const& tried, detail::launch_plan const& plan) {
      for (detail::launch_plan const& phase : plan.phases)
        if (phase.grid_barriers && !all_at_once(limits_of(phase), tried, phase)) return false;
      return true;
    };
    auto const plan = planned(shape, fits, program, arguments...);
    std::byte* const scratch = memory.take(plan.scratch);
    if (memory.is_measured()) return;
    for (detail::launch_plan const& phase : plan.phases)
      detail::launch_kernel(kernels[static_cast<std::size_t>(phase.kernel)].start, limits_of(phase),
                            shape, phase, false, stream_, this->machine_, shape, scratch,
                            phase.phase, program, arguments...);
  }
  template <class Program, class... Arguments>
  void run_kernel(detail::launch_memory& memory, Program const& program,
                  Arguments const&... arguments) const {
    auto* const kernel = &detail::program_kernel<M, Program, Arguments...>;
    auto& limits = detail::limits_of<detail::kernel_of<M, Program, Arguments...>>(
        reinterpret_cast<void const*>(kernel));
    auto shape = shape_for<Program>(limits);
    auto const fits = [&](launch_shape const& tried, detail::launch_plan const& plan) {
      return all_at_once(limits, tried, plan);
    };
    auto const plan = planned(shape, fits, program, arguments...);
    index const of_counter = plan.arrivals ? index{sizeof(unsigned)} : 0;
    std::byte* const scratch = memory.take(plan.scratch + of_counter);
    if (memory.is_measured()) return;
    unsigned* const arrivals =
        plan.arrivals ? detail::arrivals_of(memory.stream(), scratch + plan.scratch) : nullptr;
    detail::launch_kernel(kernel, limits, shape, plan, detail::assigns_tiles<Program>(), stream_,
                          this->machine_, shape, scratch, arrivals, program, arguments...);
  }
  cudaStream_t stream_;
  bool at_most_;
  detail::launch_storage storage_;
};

//! A launcher for machine `m` with p threads in all, on a stream of the current device.
template <machine M>
[[nodiscard]] launcher<M> on(M const& m, mmm::threads p, cudaStream_t stream = nullptr) {
  return {m, p, stream};
}
//! A launcher for a machine whose parameters its type knows, with p threads in all.
template <machine M>
[[nodiscard]] launcher<M> on(mmm::threads p, cudaStream_t stream = nullptr) {
  return {detail::machine_of<M>(), p, stream};
}
//! A launcher with as many threads as a program's kernel can have: up to 1024 for every DMM, or the
//! `max_threads_per_block` of a GPU's type; on a machine without DMMs, up to 1024 for every
//! multiprocessor of the current device, as many as can all wait for each other.
template <machine M>
[[nodiscard]] launcher<M> on(cudaStream_t stream = nullptr) {
  M const m{};
  index of_block = 1024;
  if constexpr (requires { M::max_threads_per_block; }) of_block = M::max_threads_per_block;
  index blocks = 1;
  if constexpr (hierarchical_machine<M>) {
    blocks = m.dmms();
  } else if constexpr (!detail::is_one_dmm<M>) {
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice", "looking for a CUDA device");
    blocks = detail::device_attribute(cudaDevAttrMultiProcessorCount, device);
  }
  return {m, mmm::threads(of_block * blocks), stream, true};
}

}  // namespace cuda
}  // namespace mmm
