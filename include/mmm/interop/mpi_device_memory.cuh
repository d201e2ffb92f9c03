// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/kernel/cuda.cuh>
#include <mmm/execution/kernel/cuda_error.cuh>
#include <mmm/execution/kernel/scratch_pool.cuh>
#include <mmm/execution/mpi/memory.hpp>
#include <mmm/interop/mpi_device_messages.cuh>
#include <mmm/machine/machine.hpp>

#include <cuda_runtime_api.h>
#include <thrust/type_traits/unwrap_contiguous_iterator.h>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

//! MPI's processes with a GPU each.
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! Copies n words, which it converts.
struct copy_of_part {
  template <class On, class In, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, In in, Out out, index n) const {
    using word = typename Out::value_type;
    on.each(n, [=](auto i) { out[i] = static_cast<word>(load(in[i])); });
  }
};
//! `target[i] = op(target[i], words[i])` for n words.
template <class Operator>
struct combined_words {
  Operator op;
  template <class On, class Target, class Words>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Target target, Words words, index n) const {
    auto const combine = op;
    on.each(n, [=](auto i) { target[i] = apply(combine, load(target[i]), load(words[i])); });
  }
};

}  // namespace detail

namespace mpi {

//! The memory of a process whose node is a handle of kernels:
//!
//!     cudaSetDevice(rank of the process on its host);
//!     auto const on = mmm::mpi::on(MPI_COMM_WORLD, mmm::cuda::on<machine>());
//!     float const total = mmm::sum(on, part.begin(), part.end());   // a thrust::device_vector
//!
//! Arrays are in the memory of the device that is current when the handle is used. All calls with
//! it have the same current device, which the program sets once: `cudaSetDevice` with the
//! process's rank among those of its host (MPI_Comm_split_type with MPI_COMM_TYPE_SHARED). Callers'
//! sequences are those of mmm::cuda handles: raw pointers to device memory and other iterators that
//! device code may use. Contiguous ones are used in place; others are copied by a kernel.
//! Operators of mmm::cuda kernels are device functions, and those that the processes' values are
//! folded with are functions of the host, too.
//!
//! A call that returns nothing waits for its messages, but not for the kernels after them: its
//! results are there in the order of the handle's stream.
//!
//! Messages: where MPI accesses device memory, it sends from it and receives into it, and the
//! library's arrays are allocated by cudaMalloc; the environment variable MMM_CUDA_AWARE_MPI, 0 or
//! 1, overrules what MPIX_Query_cuda_support says. Otherwise messages go through pinned memory of
//! the host, as many bytes as a process sends and receives in an exchange: the rows of a piece are
//! gathered by the copy (cudaMemcpy2DAsync), and what arrives is copied to the device at once, on a
//! stream of its own, while the kernels of an exchange's body run.
//!
//! NCCL carries the messages in place of MPI with mmm::mpi::nccl_memory (interop/nccl_memory.cuh).
//! Errors: those of mmm::mpi::processes and mmm::cuda::launcher; mmm::cuda::error if there is no
//! memory for arrays or messages. An error of the device ends a call like any exception.
template <machine M>
struct memory_of<cuda::launcher<M>> {
  using node = cuda::launcher<M>;
  using messages = mmm::detail::device_messages;
  using broadcast = mmm::detail::device_broadcast;

  template <class T>
  [[nodiscard]] static std::shared_ptr<T> allocate(node const& on, index n) {
    index const bytes = mmm::detail::checked_multiply(n, sizeof(T));
    if (bytes == 0) return nullptr;
    auto const all = static_cast<std::size_t>(bytes);
    std::string const purpose = std::to_string(bytes) + " bytes for an array of a cluster";
    void* first = nullptr;
    if (mmm::detail::mpi_accesses_device_memory()) {
      cuda::check(cudaMalloc(&first, all), "cudaMalloc", purpose);
      return {static_cast<T*>(first), [](T* words) { static_cast<void>(cudaFree(words)); }};
    }
    cudaStream_t const stream = on.stream();
    cuda::check(cudaMallocFromPoolAsync(&first, all, mmm::detail::scratch_pool(), stream),
                "cudaMallocFromPoolAsync", purpose);
    return {static_cast<T*>(first),
            [stream](T* words) { static_cast<void>(cudaFreeAsync(words, stream)); }};
  }
  template <class Iterator>
  static constexpr bool accesses =
      std::is_pointer_v<std::remove_cvref_t<decltype(thrust::try_unwrap_contiguous_iterator(
          std::declval<Iterator const&>()))>>;
  template <class Iterator>
  [[nodiscard]] static auto address(node const&, Iterator first) {
    return thrust::try_unwrap_contiguous_iterator(first);
  }
  template <class In, class T>
  static void bring(node const& on, In first, index n, T* words) {
    mmm::run(on, mmm::detail::copy_of_part{}, reads(first, n), writes<T>(words, n), n);
  }
  template <class T, class Out>
  static void deliver(node const& on, T const* words, index n, Out out) {
    if constexpr (accesses<Out>) {
      auto* const target = address(on, out);
      if constexpr (std::is_same_v<decltype(target), T* const>) {
        if (n > 0)
          cuda::check(cudaMemcpyAsync(target, words, static_cast<std::size_t>(n) * sizeof(T),
                                      cudaMemcpyDefault, on.stream()),
                      "cudaMemcpyAsync", "the results of a cluster");
        return;
      }
    }
    mmm::run(on, mmm::detail::copy_of_part{}, reads(words, n),
             writes<mmm::detail::iterator_value_t<Out>>(out, n), n);
  }
  template <class T>
  static void copy(node const& on, T const* source, index source_pitch, T* target,
                   index target_pitch, index n, index rows) {
    auto const bytes = [](index words) { return mmm::detail::checked_multiply(words, sizeof(T)); };
    mmm::detail::staging::copy_rows(reinterpret_cast<std::byte*>(target), bytes(target_pitch),
                                    reinterpret_cast<std::byte const*>(source), bytes(source_pitch),
                                    bytes(n), rows, cudaMemcpyDefault, on.stream());
  }
  template <class T, class Operator>
  static void combine(node const& on, T* target, T const* words, index n, Operator const& op) {
    if (n > 0)
      mmm::run(on, mmm::detail::combined_words<Operator>{op}, updates<T>(target, n),
               reads(words, n), n);
  }
  static void finish(node const& on) {
    cuda::check(cudaStreamSynchronize(on.stream()), "cudaStreamSynchronize",
                "waiting for the kernels of a cluster's node");
  }
};

}  // namespace mpi
}  // namespace mmm
MMM_BODIES_END
