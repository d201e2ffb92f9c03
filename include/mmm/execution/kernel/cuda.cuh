// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/kernel/cuda_error.cuh>
#include <mmm/execution/kernel/device_team.cuh>
#include <mmm/execution/kernel/kernel.hpp>
#include <mmm/execution/kernel/launch.hpp>
#include <mmm/machine/machine.hpp>

#include <thrust/type_traits/unwrap_contiguous_iterator.h>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <vector>

//! Programs as CUDA kernels, one kernel for each run. The machine is the launch configuration: a
//! DMM is one block and its shared memory, a hierarchical machine a block for every DMM; any other
//! is a grid over global memory. Where parallel-fors need a barrier of the whole grid, the launch
//! is cooperative.
namespace mmm {
namespace detail {

//! Threads that a block of a program's kernel may have: the program's own `most_block_threads`, so
//! that every thread has the registers that it needs, or what every device can run.
template <class Program>
[[nodiscard]] constexpr int most_block_threads() {
  if constexpr (requires { Program::most_block_threads; })
    return static_cast<int>(Program::most_block_threads);
  else
    return 1024;
}

//! Blocks of a program's kernel that a multiprocessor is to have room for: the program's own
//! `blocks_side_by_side`, or one. (Without a number ptxas takes one of its own, and may spill.)
template <class Program>
[[nodiscard]] constexpr int blocks_side_by_side() {
  if constexpr (requires { Program::blocks_side_by_side; })
    return static_cast<int>(Program::blocks_side_by_side);
  else
    return 1;
}

template <class M, class Program, class... Arguments>
__global__ void __launch_bounds__(most_block_threads<Program>(), blocks_side_by_side<Program>())
    program_kernel(M m, launch_shape shape, std::byte* scratch, Program program,
                   Arguments... arguments) {
  extern __shared__ __align__(16) std::byte mmm_shared_memory[];
  device_team team(mmm_shared_memory, scratch);
  run_thread(m, shape, team, program, arguments...);
}

//! Memory of the device, of a stream, from the first use on.
class stream_memory {
 public:
  stream_memory(index bytes, cudaStream_t stream) : stream_(stream) {
    if (bytes > 0)
      cuda::check(cudaMallocAsync(&first_, static_cast<std::size_t>(bytes), stream),
                  "cudaMallocAsync", std::to_string(bytes) + " bytes for a kernel");
  }
  stream_memory(stream_memory&& other) noexcept : first_(other.first_), stream_(other.stream_) {
    other.first_ = nullptr;
  }
  stream_memory(stream_memory const&) = delete;
  stream_memory& operator=(stream_memory const&) = delete;
  ~stream_memory() {
    if (first_ != nullptr) static_cast<void>(cudaFreeAsync(first_, stream_));
  }
  [[nodiscard]] void* data() const { return first_; }

 private:
  void* first_ = nullptr;
  cudaStream_t stream_;
};

//! Host memory that a kernel is to read or write: its stand-ins on the device, for the time of a
//! launch.
class stand_ins {
 public:
  explicit stand_ins(cudaStream_t stream) : stream_(stream) {}

  template <class T>
  [[nodiscard]] T* written(host_memory<T> const& host) {
    auto const bytes = host.count * static_cast<index>(sizeof(T));
    memory_.emplace_back(bytes, stream_);
    auto const size = static_cast<std::size_t>(bytes);
    results_.push_back({host.data, memory_.back().data(), size});
    if (host.has_gaps && bytes > 0)
      cuda::check(cudaMemsetAsync(memory_.back().data(), 0, size, stream_), "cudaMemsetAsync",
                  "clearing the memory of a kernel's results");
    return static_cast<T*>(memory_.back().data());
  }
  template <class T>
  [[nodiscard]] T const* read(T const* host, index n) {
    auto const bytes = n * static_cast<index>(sizeof(T));
    memory_.emplace_back(bytes, stream_);
    if (n > 0)
      cuda::check(cudaMemcpyAsync(memory_.back().data(), host, static_cast<std::size_t>(bytes),
                                  cudaMemcpyHostToDevice, stream_),
                  "cudaMemcpyAsync", "a table for a kernel");
    return static_cast<T const*>(memory_.back().data());
  }
  //! Brings the results home and waits for them, if there are any.
  void bring_home() const {
    if (results_.empty()) return;
    for (result const& r : results_)
      cuda::check(cudaMemcpyAsync(r.host, r.device, r.bytes, cudaMemcpyDeviceToHost, stream_),
                  "cudaMemcpyAsync", "the results of a kernel");
    cuda::check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize", "waiting for a kernel");
  }

 private:
  struct result {
    void* host;
    void const* device;
    std::size_t bytes;
  };
  cudaStream_t stream_;
  std::vector<stream_memory> memory_{};
  std::vector<result> results_{};
};

//! Iterators as a kernel wants them: pointers where they are contiguous, as Thrust's to device
//! memory are.
struct as_device_iterator {
  stand_ins& temporary;

  template <class Iterator>
  [[nodiscard]] auto operator()(Iterator it) const {
    if constexpr (std::is_pointer_v<Iterator>)
      return it;
    else
      return thrust::try_unwrap_contiguous_iterator(it);
  }
  template <class Value>
  [[nodiscard]] Value* operator()(host_memory<Value> memory) const {
    return temporary.written(memory);
  }
  [[nodiscard]] known_table operator()(known_table table) const {
    return {temporary.read(table.data, table.count), table.count};
  }
};

[[nodiscard]] inline int device_attribute(cudaDeviceAttr attribute, int device) {
  int value = 0;
  cuda::check(cudaDeviceGetAttribute(&value, attribute, device), "cudaDeviceGetAttribute",
              "asking for a device's limits");
  return value;
}

//! The number of blocks of a kernel that the current device can run at once.
[[nodiscard]] inline index blocks_at_once(void const* kernel, index block_threads, index shared) {
  int device = 0;
  cuda::check(cudaGetDevice(&device), "cudaGetDevice", "looking for a CUDA device");
  int per_sm = 0;
  cuda::check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &per_sm, kernel, static_cast<int>(block_threads), static_cast<std::size_t>(shared)),
      "cudaOccupancyMaxActiveBlocksPerMultiprocessor", "counting the blocks that can run at once");
  return index{per_sm} * device_attribute(cudaDevAttrMultiProcessorCount, device);
}

//! Launches a kernel. std::invalid_argument or std::length_error, before anything runs, if the
//! device or the kernel cannot have so many threads, so much shared memory, or so many blocks that
//! wait for each other.
template <class... Parameters>
void launch_kernel(void (*kernel)(Parameters...), launch_shape const& shape,
                   launch_plan const& plan, cudaStream_t stream,
                   std::type_identity_t<Parameters>... parameters) {
  int device = 0;
  cuda::check(cudaGetDevice(&device), "cudaGetDevice", "looking for a CUDA device");
  auto const* const function = reinterpret_cast<void const*>(kernel);
  cudaFuncAttributes limits{};
  cuda::check(cudaFuncGetAttributes(&limits, function), "cudaFuncGetAttributes",
              "finding a kernel for the device");
  if (shape.block_threads > limits.maxThreadsPerBlock)
    reject("the number of threads of a block", shape.block_threads,
           ("1 to " + std::to_string(limits.maxThreadsPerBlock) + " for this kernel").c_str());
  int const most_shared = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (plan.shared > most_shared)
    reject_length("bytes of shared memory of a block", plan.shared, most_shared);
  int const without_asking = 48 * 1024;
  // all that there is: launches side by side do not lower each other's limit
  if (plan.shared > without_asking)
    cuda::check(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     most_shared - static_cast<int>(limits.sharedSizeBytes)),
                "cudaFuncSetAttribute", std::to_string(plan.shared) + " bytes of shared memory");
  index const most_in_grid = device_attribute(cudaDevAttrMaxGridDimX, device);
  if (shape.blocks > most_in_grid) reject_length("blocks of a grid", shape.blocks, most_in_grid);
  dim3 const grid(static_cast<unsigned>(shape.blocks));
  dim3 const block(static_cast<unsigned>(shape.block_threads));
  auto const shared = static_cast<std::size_t>(plan.shared);
  void* list[] = {&parameters...};
  if (!plan.grid_barriers) {
    cuda::check(cudaLaunchKernel(function, grid, block, list, shared, stream), "cudaLaunchKernel",
                "launching a kernel");
    return;
  }
  index const most_blocks = blocks_at_once(function, shape.block_threads, plan.shared);
  if (shape.blocks > most_blocks)
    reject_length("blocks that wait for each other", shape.blocks, most_blocks);
  cuda::check(cudaLaunchCooperativeKernel(function, grid, block, list, shared, stream),
              "cudaLaunchCooperativeKernel", "launching a kernel with barriers of the whole grid");
}

}  // namespace detail

namespace cuda {

//! The handle that runs algorithms as CUDA kernels:
//! `mmm::sum(mmm::cuda::on<machine>(mmm::threads(p), stream), …)`. Sequences are random-access
//! iterators that device code may use: raw pointers to device memory, Thrust's. Values are
//! trivially copyable. What returns nothing is in order with the stream and does not wait; what
//! returns a result waits. Memory: what the program allocates, from the stream's pool, given back
//! in order.
//! Errors: mmm::cuda::error for what the runtime reports (no device, no kernel for it, out of
//! memory); std::invalid_argument and std::length_error for what the device cannot have, before
//! anything is launched.
template <machine M>
class launcher : public detail::shaped_for<M> {
 public:
  using device_memory = void;

  //! `at_most`: p threads, or fewer where a program's kernel cannot have so many in a block.
  launcher(M const& m, mmm::threads p, cudaStream_t stream, bool at_most = false)
      : detail::shaped_for<M>(m, p), stream_(stream), at_most_(at_most) {}

  [[nodiscard]] cudaStream_t stream() const { return stream_; }
  //! Threads per DMM of a program whose kernel may have `most` in a block.
  [[nodiscard]] index threads_per_dmm_within(index most) const
  requires hierarchical_machine<M>
  {
    return at_most_ ? detail::smaller(this->shape_.block_threads, most)
                    : this->shape_.block_threads;
  }
  //! True if a program's kernel may have as many threads in a block.
  template <class Program>
  [[nodiscard]] bool can_run() const {
    return shape_for<Program>().block_threads <= detail::most_block_threads<Program>();
  }

  //! `program(on, arrays …)` on all threads.
  template <class Program, class... Arguments>
  void launch(Program const& program, Arguments const&... arguments) const {
    detail::stand_ins temporary(stream_);
    run_on_pointers(program, detail::replaced(detail::as_device_iterator{temporary}, arguments)...);
    temporary.bring_home();
  }

 private:
  template <class Program>
  [[nodiscard]] launch_shape shape_for() const {
    index const most = detail::most_block_threads<Program>();
    if (!at_most_ || this->shape_.block_threads <= most) return this->shape_;
    return {this->shape_.blocks, most, this->shape_.blocks * most};
  }
  //! On a machine without DMMs, at most as many blocks as can wait for each other.
  template <class Program>
  [[nodiscard]] launch_shape shape_for(void const* kernel) const {
    launch_shape shape = shape_for<Program>();
    if constexpr (!hierarchical_machine<M> && !detail::is_one_dmm<M>)
      if (at_most_) {
        index const blocks = detail::blocks_at_once(kernel, shape.block_threads, 0);
        if (blocks > 0 && blocks < shape.blocks)
          shape = {blocks, shape.block_threads, blocks * shape.block_threads};
      }
    return shape;
  }
  template <class Program, class... Arguments>
  void run_on_pointers(Program const& program, Arguments const&... arguments) const {
    if constexpr (detail::wants_alignment<Program>) {
      if ((detail::is_aligned<Program::words>(arguments) && ...))
        run(program, detail::aligned_argument(arguments)...);
      else
        run(program.by_words(), arguments...);
    } else {
      run(program, arguments...);
    }
  }
  template <class Program, class... Arguments>
  void run(Program const& program, Arguments const&... arguments) const {
    auto* const kernel = &detail::program_kernel<M, Program, Arguments...>;
    auto const shape = shape_for<Program>(reinterpret_cast<void const*>(kernel));
    auto const plan = detail::plan_of(this->machine_, shape, program, arguments...);
    detail::stream_memory const scratch(plan.scratch, stream_);
    detail::launch_kernel(kernel, shape, plan, stream_, this->machine_, shape,
                          static_cast<std::byte*>(scratch.data()), program, arguments...);
  }
  cudaStream_t stream_;
  bool at_most_;
};

//! Machine `m` with p threads in all, on a stream of the current device.
template <machine M>
[[nodiscard]] launcher<M> on(M const& m, mmm::threads p, cudaStream_t stream = nullptr) {
  return {m, p, stream};
}
//! A machine whose parameters its type knows, with p threads in all.
template <machine M>
[[nodiscard]] launcher<M> on(mmm::threads p, cudaStream_t stream = nullptr) {
  return {M{}, p, stream};
}
//! With as many threads as a program's kernel can have, up to 1024 for every DMM, or as many as a
//! GPU's type says (`max_threads_per_block`); on a machine without DMMs, up to 1024 for every
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
