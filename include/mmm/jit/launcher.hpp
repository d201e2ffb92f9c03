// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/kernel/block_limits.hpp>
#include <mmm/execution/kernel/launch.hpp>
#include <mmm/execution/overlap.hpp>
#include <mmm/jit/compiler.hpp>
#include <mmm/jit/device.hpp>
#include <mmm/jit/error.hpp>
#include <mmm/jit/libraries.hpp>
#include <mmm/machine/machine.hpp>

#include <cuda.h>
#include <cxxabi.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

//! Programs as kernels that NVRTC compiles, launched by the driver's API from a program that any
//! C++20 compiler compiles. The host plans a launch, as for mmm::cuda::on; the kernel is the
//! instantiation of the same template, by the name of its type.
namespace mmm::jit {
namespace detail {

//! The name of a type in C++. Errors: mmm::jit::error for a type without a name, a lambda's.
template <class T>
[[nodiscard]] std::string const& type_name() {
  static std::string const name = [] {
    int status = 0;
    std::unique_ptr<char, decltype(&std::free)> const text(
        abi::__cxa_demangle(typeid(T).name(), nullptr, nullptr, &status), &std::free);
    std::string all = status == 0 ? text.get() : typeid(T).name();
    for (char const* const version : {"std::__1::", "std::__cxx11::"})
      for (std::size_t k; (k = all.find(version)) != std::string::npos;)
        all.replace(k, std::string(version).size(), "std::");
    if (all.find("{lambda") != std::string::npos || all.find("'lambda") != std::string::npos ||
        all.find("(anonymous namespace)") != std::string::npos)
      throw error("a kernel that is compiled at run time needs types with names, not " + all);
    return all;
  }();
  return name;
}

//! The names of types, each after a comma.
template <class... T>
[[nodiscard]] std::string listed_names() {
  return ((", " + type_name<T>()) + ... + std::string());
}

//! The name in C++ of a program's kernel.
//! \param kernel_template "program_kernel<" or "program_phase<number, "
template <class Program, class... Arguments>
[[nodiscard]] std::string kernel_name(std::string const& kernel_template,
                                      std::string const& machine) {
  return "&mmm::detail::" + kernel_template + machine + listed_names<Program, Arguments...>() + ">";
}

//! Converts iterators for a kernel: contiguous ones become pointers.
struct as_device_pointer : mmm::detail::as_pointer {
  using mmm::detail::as_pointer::operator();
  template <class Value>
  Value* operator()(mmm::detail::host_memory<Value>) const {
    static_assert(mmm::detail::never<Value>,
                  "mmm: a call on mmm::jit::on writes its result to device memory");
    return nullptr;
  }
};

//! Throws std::invalid_argument for a null pointer and for memory of the host's own.
inline void demand_accessible(current_gpu const& gpu, void const* first, index words) {
  if (words == 0) return;
  char const* found = first == nullptr ? "null" : nullptr;
  if (first != nullptr) {
    CUmemorytype kind{};
    CUresult const known = gpu.driver.pointer_attribute(
        &kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        static_cast<CUdeviceptr>(reinterpret_cast<std::uintptr_t>(first)));
    if (known == CUDA_ERROR_INVALID_VALUE &&
        gpu.attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) == 0)
      found = "the host's";
  }
  if (found != nullptr)
    mmm::detail::throw_invalid_argument(
        mmm::detail::failure_text("mmm: the memory of a kernel's argument, ", words, " words, is ",
                                  found, "; accepted: memory that the device can access"));
}
template <class Argument>
void demand_argument(current_gpu const& gpu, Argument const& x) {
  if constexpr (requires { x.in, x.out, x.given, x.words; }) {
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(x.in)>>)
      demand_accessible(gpu, x.in, x.given);
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(x.out)>>)
      demand_accessible(gpu, x.out, x.words);
  }
}

//! The device memory of a launch, which goes back in the order of the stream.
class scratch_memory {
 public:
  scratch_memory(current_gpu const& gpu, index bytes, CUstream stream)
      : gpu_(gpu), stream_(stream) {
    if (bytes == 0) return;
    gpu.driver.check(gpu.driver.allocate(&first_, static_cast<std::size_t>(bytes), stream),
                     "cuMemAllocAsync", std::to_string(bytes) + " bytes for a kernel");
  }
  scratch_memory(scratch_memory const&) = delete;
  scratch_memory& operator=(scratch_memory const&) = delete;
  ~scratch_memory() {
    if (first_ != 0) static_cast<void>(gpu_.driver.free(first_, stream_));
  }
  [[nodiscard]] CUdeviceptr first() const { return first_; }

 private:
  current_gpu const& gpu_;
  CUstream stream_;
  CUdeviceptr first_ = 0;
};

}  // namespace detail

//! The handle that runs algorithms as kernels that are compiled at run time:
//! `mmm::sum(mmm::jit::on<machine>(mmm::threads(p), stream), values, values + n, result)`.
//! Sequences are pointers to device memory, or contiguous iterators. A call is in order with the
//! stream and does not wait; calls that return their result do not compile. The first call of a
//! kernel in a process compiles it or takes it from the cache. Errors, before anything is
//! launched: mmm::jit::error for what is missing, what NVRTC refuses or the driver reports;
//! std::invalid_argument and std::length_error as mmm::cuda::on.
template <machine M>
class launcher : public mmm::detail::shaped_for<M> {
 public:
  using device_memory = void;

  //! \param machine_name a type in C++ for the kernel to be compiled for in place of M: one without
  //! members whose constants are m's.
  launcher(M const& m, mmm::threads p, CUstream stream, settings const& given = {},
           std::string machine_name = "")
      : mmm::detail::shaped_for<M>(m, p),
        stream_(stream),
        settings_(given),
        machine_name_(machine_name.empty() ? detail::type_name<M>() : std::move(machine_name)) {}

  [[nodiscard]] CUstream stream() const { return stream_; }

  //! True if a program's kernel may have as many threads in a block as the launcher uses.
  template <class Program>
  [[nodiscard]] bool can_run() const {
    return this->shape_.block_threads <= mmm::detail::max_block_threads<Program>();
  }

  //! Runs `program(on, arrays …)` on all threads.
  template <class Program, class... Arguments>
  void launch(Program const& program, Arguments const&... arguments) const {
    mmm::detail::run_by_alignment(
        [&](auto const& fitting, auto const&... converted) { run(fitting, converted...); }, program,
        mmm::detail::replaced(detail::as_device_pointer{}, arguments)...);
  }

 private:
  template <class Program, class... Arguments>
  void run(Program const& program, Arguments const&... arguments) const {
    mmm::detail::run_by_phases<Arguments...>(
        this->shape_.block_threads, program,
        [&](auto const& chosen) { run_phases(chosen, arguments...); },
        [&](auto const& chosen) { run_kernel(chosen, arguments...); });
  }
  template <class Program, class... Arguments>
  [[nodiscard]] mmm::detail::launch_plan planned(Program const& program,
                                                 Arguments const&... arguments) const {
    mmm::detail::demand_full_blocks<Program>(this->shape_);
    return mmm::detail::plan_of(this->machine_, this->shape_, program, arguments...);
  }
  template <class Program, class... Arguments>
  void run_phases(Program const& program, Arguments const&... arguments) const {
    (mmm::detail::demand_in_place(arguments), ...);
    detail::current_gpu const gpu;
    (detail::demand_argument(gpu, arguments), ...);
    auto const plan = planned(program, arguments...);
    detail::scratch_memory const scratch(gpu, plan.scratch, stream_);
    for (mmm::detail::launch_plan const& phase : plan.phases)
      start(gpu,
            kernel_for<Program, Arguments...>(
                gpu, "program_phase<" + std::to_string(phase.kernel) + ", "),
            phase, false, scratch.first(), phase.phase, program, arguments...);
  }
  template <class Program, class... Arguments>
  void run_kernel(Program const& program, Arguments const&... arguments) const {
    detail::current_gpu const gpu;
    (detail::demand_argument(gpu, arguments), ...);
    auto const plan = planned(program, arguments...);
    // The counter of blocks that arrive begins as zero.
    index const counter = plan.arrivals ? index{sizeof(unsigned)} : 0;
    detail::scratch_memory const scratch(gpu, plan.scratch + counter, stream_);
    CUdeviceptr const arrivals =
        plan.arrivals ? scratch.first() + static_cast<CUdeviceptr>(plan.scratch) : 0;
    if (plan.arrivals)
      gpu.driver.check(gpu.driver.fill(arrivals, 0, sizeof(unsigned), stream_), "cuMemsetD8Async",
                       "a counter of blocks");
    start(gpu, kernel_for<Program, Arguments...>(gpu, "program_kernel<"), plan,
          mmm::detail::assigns_tiles<Program>(), scratch.first(), arrivals, program, arguments...);
  }

  //! The loaded kernel of a program; each host thread has a list of those that it has used.
  template <class Program, class... Arguments>
  [[nodiscard]] detail::loaded_kernel const& kernel_for(detail::current_gpu const& gpu,
                                                        std::string const& kernel_template) const {
    thread_local std::vector<std::unique_ptr<detail::loaded_kernel const>> known;
    std::string const name =
        detail::kernel_name<Program, Arguments...>(kernel_template, machine_name_);
    for (auto const& one : known)
      if (one->context == gpu.context && one->name == name && one->made_by.same_code(settings_))
        return *one;
    known.push_back(
        std::make_unique<detail::loaded_kernel const>(detail::load_kernel(gpu, name, settings_)));
    return *known.back();
  }

  //! Launches a kernel. `last` is its parameter after the scratch memory.
  template <class Last, class Program, class... Arguments>
  void start(detail::current_gpu const& gpu, detail::loaded_kernel const& kernel,
             mmm::detail::launch_plan const& plan, bool assigns_tiles, CUdeviceptr scratch,
             Last last, Program const& program, Arguments const&... arguments) const {
    launch_shape const& shape = this->shape_;
    index const blocks = mmm::detail::blocks_within(kernel.limits, shape, plan, assigns_tiles);
    if (plan.grid_barriers) {
      int resident = 0;
      gpu.driver.check(gpu.driver.blocks_per_multiprocessor(&resident, kernel.function,
                                                            static_cast<int>(shape.block_threads),
                                                            static_cast<std::size_t>(plan.shared)),
                       "cuOccupancyMaxActiveBlocksPerMultiprocessor",
                       "counting the blocks that can run at once");
      mmm::detail::demand_resident(shape, resident * kernel.multiprocessors);
    }
    CUlaunchAttribute attributes[2] = {};
    unsigned count = 0;
    if (plan.cluster > 1) {
      attributes[count].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
      attributes[count].value.clusterDim = {static_cast<unsigned>(plan.cluster), 1, 1};
      ++count;
    }
    if (plan.grid_barriers) {
      attributes[count].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
      attributes[count].value.cooperative = 1;
      ++count;
    }
    CUlaunchConfig const config{static_cast<unsigned>(blocks),
                                1,
                                1,
                                static_cast<unsigned>(shape.block_threads),
                                1,
                                1,
                                static_cast<unsigned>(plan.shared),
                                stream_,
                                attributes,
                                count};
    // A machine without members, of another type, has no bytes that a kernel reads.
    auto const pointer = [](auto const& x) {
      return const_cast<void*>(static_cast<void const*>(&x));
    };
    void* parameters[] = {pointer(this->machine_), pointer(shape),   pointer(scratch),
                          pointer(last),           pointer(program), pointer(arguments)...};
    gpu.driver.check(gpu.driver.launch(&config, kernel.function, parameters, nullptr),
                     "cuLaunchKernelEx", "launching a kernel");
  }

  CUstream stream_;
  settings settings_;
  std::string machine_name_;
};

//! A launcher for machine `m` with p threads in all, on a stream of the current context.
template <machine M>
[[nodiscard]] launcher<M> on(M const& m, mmm::threads p, CUstream stream = nullptr,
                             settings const& given = {}) {
  return {m, p, stream, given};
}
//! A launcher for a machine whose parameters its type knows, with p threads in all.
template <machine M>
[[nodiscard]] launcher<M> on(mmm::threads p, CUstream stream = nullptr,
                             settings const& given = {}) {
  return {mmm::detail::machine_of<M>(), p, stream, given};
}

}  // namespace mmm::jit
