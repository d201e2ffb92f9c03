// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/trace/bytes_at_once.hpp>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <type_traits>
#include <vector>

//! Pointers that record, on a GPU, the memory requests of warps in the format that mmm-replay
//! reads.
namespace mmm::gpu {

namespace detail {

//! One request of a warp.
struct recorded_request {
  static constexpr unsigned long long inactive = ~0ULL;
  unsigned bytes;
  bool writes;
  bool shared;
  unsigned long long address[32];  //!< address of each lane
};

//! The buffer of recorded requests.
struct record_buffer {
  recorded_request* requests;
  unsigned long long capacity;
  unsigned long long count;  //!< number of all requests, including those beyond the capacity
};
[[maybe_unused]] static __device__ record_buffer records{};  // one for each translation unit

//! Records a request of the lanes that execute this together. Not inlined: a compiler that sees the
//! code keeps lanes from reconverging behind a condition.
[[maybe_unused]] __device__ __noinline__ static void record(void const* target, unsigned bytes,
                                                            bool writes, bool atomic) {
  record_buffer& buffer = records;
  if (buffer.requests == nullptr) return;
  bool const shared = __isShared(target) != 0;
  unsigned const lanes = __activemask();
  int const first = __ffs(static_cast<int>(lanes)) - 1;
  unsigned const thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int const lane = static_cast<int>(thread % 32);
  unsigned long long slot = 0;
  if (lane == first) {
    slot = atomicAdd(&buffer.count, 1ULL);
    if (slot < buffer.capacity) {
      buffer.requests[slot].bytes = bytes;
      buffer.requests[slot].writes = writes;
      buffer.requests[slot].shared = shared;
    }
  }
  slot = __shfl_sync(lanes, slot, first);
  if (slot >= buffer.capacity) return;
  unsigned long long address =
      shared ? __cvta_generic_to_shared(target) : reinterpret_cast<unsigned long long>(target);
  // A bank makes one lane's update at a time (gpu/atomic.hpp), so each lane gets a word of its own.
  if (atomic && shared) address = address % 128 + static_cast<unsigned>(lane) * 128;
  buffer.requests[slot].address[lane] = address;
  __syncwarp(lanes);  // the lanes go on together, as they came
}

}  // namespace detail

template <class T>
class recorded;

//! An element whose reads and writes are recorded.
template <class T>
class recorded_element {
  using value_type = std::remove_cv_t<T>;

 public:
  __device__ explicit recorded_element(T* pointer) : pointer_(pointer) {}
  __device__ operator value_type() const {  // NOLINT: as an element
    record_all(false);
    return *pointer_;
  }
  __device__ value_type operator=(value_type const& value) const {
    record_all(true);
    *pointer_ = value;
    return value;
  }
  __device__ value_type operator=(recorded_element const& other) const {
    return *this = static_cast<value_type>(other);
  }
  template <class V>
  __device__ value_type operator+=(V const& value) const {
    return *this = static_cast<value_type>(static_cast<value_type>(*this) + value);
  }
  template <class V>
  __device__ value_type operator-=(V const& value) const {
    return *this = static_cast<value_type>(static_cast<value_type>(*this) - value);
  }
  template <class V>
  __device__ value_type operator*=(V const& value) const {
    return *this = static_cast<value_type>(static_cast<value_type>(*this) * value);
  }
  //! A pointer to the element, for atomicAdd and its like.
  __device__ recorded<T> operator&() const { return pointer_; }  // NOLINT: as of an element

 private:
  __device__ void record_all(bool writes) const {
    constexpr auto bytes = static_cast<unsigned>(detail::bytes_at_once<T>());
    for (unsigned done = 0; done < sizeof(T); done += bytes)
      detail::record(reinterpret_cast<char const*>(pointer_) + done, bytes, writes, false);
  }
  T* pointer_;
};

//! A pointer whose accesses are recorded while a `recording` exists. It is made from a T* and
//! otherwise behaves as one.
template <class T>
class recorded {
 public:
  using element_type = T;
  __host__ __device__ recorded(T* pointer) : pointer_(pointer) {}  // NOLINT: a pointer is one
  template <class U>
  requires std::is_convertible_v<U*, T*>
  __host__ __device__ recorded(recorded<U> const& other) : pointer_(other.get()) {}  // NOLINT

  [[nodiscard]] __host__ __device__ T* get() const { return pointer_; }
  template <class I>
  [[nodiscard]] __device__ recorded_element<T> operator[](I i) const {
    return recorded_element<T>(pointer_ + i);
  }
  [[nodiscard]] __device__ recorded_element<T> operator*() const {
    return recorded_element<T>(pointer_);
  }
  template <class I>
  [[nodiscard]] __host__ __device__ friend recorded operator+(recorded p, I n) {
    return recorded(p.pointer_ + n);
  }

 private:
  T* pointer_;
};

//! The rows of a recorded array of two dimensions.
template <class Row>
class recorded_rows {
 public:
  __device__ explicit recorded_rows(Row* first) : first_(first) {}
  template <class I>
  [[nodiscard]] __device__ recorded<std::remove_extent_t<Row>> operator[](I row) const {
    return recorded<std::remove_extent_t<Row>>(first_[row]);
  }

 private:
  Row* first_;
};
template <class T, std::size_t N>
[[nodiscard]] __device__ auto recorded_array(T (&array)[N]) {
  if constexpr (std::is_array_v<T>)
    return recorded_rows<T>(array);
  else
    return recorded<T>(array);
}

namespace detail {
inline void record_check(cudaError_t status) {
  if (status != cudaSuccess)
    mmm::detail::throw_runtime_error(
        mmm::detail::failure_text("mmm: a recording: ", cudaGetErrorString(status)));
}
}  // namespace detail

//! A recording: room for the requests of the kernels that this translation unit launches during its
//! lifetime, on the current device. Takes 272 bytes a request.
class recording {
 public:
  //! \param most_requests capacity; std::runtime_error without the memory for it.
  explicit recording(std::size_t max_requests) : capacity_(max_requests) {
    std::size_t const bytes = max_requests * sizeof(detail::recorded_request);
    detail::record_check(cudaMalloc(&requests_, bytes));
    detail::record_check(cudaMemset(requests_, 0xFF, bytes));
    set({requests_, capacity_, 0});
  }
  recording(recording const&) = delete;
  recording& operator=(recording const&) = delete;
  ~recording() {
    detail::record_buffer const none{};
    static_cast<void>(cudaMemcpyToSymbol(detail::records, &none, sizeof none));
    static_cast<void>(cudaFree(requests_));
  }

  //! Waits for the kernels and writes their requests, in the order of their recording, as a table
  //! that mmm-replay reads. Errors: std::runtime_error if a kernel failed, if there were more
  //! requests than room, or if the file cannot be written.
  void write(std::FILE* file) const {
    detail::record_check(cudaDeviceSynchronize());
    detail::record_buffer state;
    detail::record_check(cudaMemcpyFromSymbol(&state, detail::records, sizeof state));
    if (state.count > capacity_)
      mmm::detail::throw_runtime_error(
          mmm::detail::failure_text("mmm: a recording of ", std::uint64_t{state.count},
                                    " requests has room for ", std::uint64_t{capacity_}));
    std::vector<detail::recorded_request> all(state.count);
    detail::record_check(cudaMemcpy(all.data(), requests_,
                                    all.size() * sizeof(detail::recorded_request),
                                    cudaMemcpyDeviceToHost));
    std::fputs("space,op,bytes,addresses\n", file);
    for (detail::recorded_request const& r : all) {
      std::fprintf(file, "%s,%s,%u,", r.shared ? "shared" : "global", r.writes ? "store" : "load",
                   r.bytes);
      for (int lane = 0; lane < 32; ++lane) {
        if (lane > 0) std::fputc(';', file);
        if (r.address[lane] != detail::recorded_request::inactive)
          std::fprintf(file, "%llu", r.address[lane]);
      }
      std::fputc('\n', file);
    }
    if (std::ferror(file) != 0)
      mmm::detail::throw_runtime_error(
          mmm::detail::failure_text("mmm: a recording cannot be written"));
  }

 private:
  static void set(detail::record_buffer const& buffer) {
    detail::record_check(cudaMemcpyToSymbol(detail::records, &buffer, sizeof buffer));
  }
  detail::recorded_request* requests_ = nullptr;
  std::size_t capacity_;
};

}  // namespace mmm::gpu

// NOLINTBEGIN: CUDA's names
#define MMM_DETAIL_RECORDED(name)                                                  \
  template <class T>                                                               \
  __device__ T name(mmm::gpu::recorded<T> target, std::type_identity_t<T> value) { \
    mmm::gpu::detail::record(target.get(), sizeof(T), true, true);                 \
    return name(target.get(), value);                                              \
  }
MMM_DETAIL_RECORDED(atomicAdd)
MMM_DETAIL_RECORDED(atomicSub)
MMM_DETAIL_RECORDED(atomicMin)
MMM_DETAIL_RECORDED(atomicMax)
MMM_DETAIL_RECORDED(atomicAnd)
MMM_DETAIL_RECORDED(atomicOr)
MMM_DETAIL_RECORDED(atomicXor)
MMM_DETAIL_RECORDED(atomicExch)
#undef MMM_DETAIL_RECORDED
// NOLINTEND
