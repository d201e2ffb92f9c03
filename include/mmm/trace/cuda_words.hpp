// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/trace/location.hpp>
#include <mmm/trace/pointer.hpp>
#include <mmm/trace/run.hpp>
#include <mmm/trace/thread.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#if !defined(__VECTOR_TYPES_H__)

// NOLINTBEGIN: CUDA's names
#define MMM_DETAIL_VECTORS(type, name)                                                         \
  struct name##1 { type x; };                                                                  \
  struct alignas(2 * sizeof(type)) name##2 { type x, y; };                                     \
  struct name##3 { type x, y, z; };                                                            \
  struct alignas(sizeof(type) == 8 ? 16 : 4 * sizeof(type)) name##4 { type x, y, z, w; };      \
  [[nodiscard]] constexpr name##1 make_##name##1(type x) { return {x}; }                       \
  [[nodiscard]] constexpr name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  [[nodiscard]] constexpr name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  [[nodiscard]] constexpr name##4 make_##name##4(type x, type y, type z, type w) {             \
    return {x, y, z, w};                                                                       \
  }
MMM_DETAIL_VECTORS(signed char, char)
MMM_DETAIL_VECTORS(unsigned char, uchar)
MMM_DETAIL_VECTORS(short, short)
MMM_DETAIL_VECTORS(unsigned short, ushort)
MMM_DETAIL_VECTORS(int, int)
MMM_DETAIL_VECTORS(unsigned, uint)
MMM_DETAIL_VECTORS(long long, longlong)
MMM_DETAIL_VECTORS(unsigned long long, ulonglong)
MMM_DETAIL_VECTORS(float, float)
MMM_DETAIL_VECTORS(double, double)
#undef MMM_DETAIL_VECTORS

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
// NOLINTEND

#endif

//! CUDA's types and functions for kernels, for traced threads; see <mmm/cuda_on_host.hpp>.
namespace mmm::gpu {

//! A pointer of a kernel; T* for nvcc.
template <class T>
using device_pointer = pointer<T>;

//! A pointer to the same bytes as another type; reinterpret_cast<U*>(p) for nvcc.
template <class U, class T>
[[nodiscard]] pointer<U> reinterpret(pointer<T> const& p) {
  return p.template as<U>();
}

namespace detail {

[[nodiscard]] inline uint3 three_of(dim d) {
  return {static_cast<unsigned>(d.x), static_cast<unsigned>(d.y), static_cast<unsigned>(d.z)};
}
[[nodiscard]] inline uint3 thread_index() {
  traced_thread const& t = traced_run::inside("threadIdx").self();
  return three_of({t.x, t.y, t.z});
}
[[nodiscard]] inline uint3 block_index() {
  return three_of(traced_run::inside("blockIdx").block_index());
}
[[nodiscard]] inline dim3 block_size() { return three_of(traced_run::inside("blockDim").block()); }
[[nodiscard]] inline dim3 grid_size() { return three_of(traced_run::inside("gridDim").grid()); }
template <class T>
[[nodiscard]] pointer<T> dynamic_shared(mmm::gpu::location site = mmm::gpu::location::current()) {
  traced_run& run = traced_run::inside("MMM_DYNAMIC_SHARED");
  return {run.shared_array(run.settings().dynamic_shared_bytes, index{sizeof(T)}, site), 0};
}
//! Marks the rounds of a `for` loop of a traced thread, and the loop's end, however the thread
//! leaves it.
class loop_scope {
 public:
  constexpr loop_scope(mmm::gpu::location site = mmm::gpu::location::current()) : site_(site) {}
  loop_scope(loop_scope const&) = delete;
  loop_scope& operator=(loop_scope const&) = delete;
  constexpr ~loop_scope() {
    if (traced_run* const run = here()) run->end_loop(site_);
  }
  //! True on the first call only, so that the statement inside runs once.
  [[nodiscard]] constexpr bool enter() { return !std::exchange(entered_, true); }
  //! Marks the begin of a round.
  constexpr void round() const {
    if (traced_run* const run = here()) run->begin_round(site_);
  }

 private:
  [[nodiscard]] static constexpr traced_run* here() {
    return std::is_constant_evaluated() ? nullptr : traced_run::current();
  }
  mmm::gpu::location site_;
  bool entered_ = false;
};
[[nodiscard]] inline thread this_thread(char const* word) {
  return thread(traced_run::inside(word));
}

}  // namespace detail
}  // namespace mmm::gpu

// NOLINTBEGIN: CUDA's names

inline void __syncthreads(mmm::gpu::location site = mmm::gpu::location::current()) {
  mmm::gpu::detail::this_thread("__syncthreads").sync(site);
}
inline void __syncwarp(unsigned lanes = ~0U,
                       mmm::gpu::location site = mmm::gpu::location::current()) {
  mmm::gpu::detail::this_thread("__syncwarp").sync_warp(lanes, site);
}
inline void __threadfence() {}
inline void __threadfence_block() {}

template <class T>
T __shfl_sync(unsigned lanes, T value, int lane, int width = 32,
              mmm::gpu::location site = mmm::gpu::location::current()) {
  return mmm::gpu::detail::this_thread("__shfl_sync").shuffle(value, lane, width, lanes, site);
}
template <class T>
T __shfl_up_sync(unsigned lanes, T value, unsigned distance, int width = 32,
                 mmm::gpu::location site = mmm::gpu::location::current()) {
  return mmm::gpu::detail::this_thread("__shfl_up_sync")
      .shuffle_up(value, static_cast<int>(distance), width, lanes, site);
}
template <class T>
T __shfl_down_sync(unsigned lanes, T value, unsigned distance, int width = 32,
                   mmm::gpu::location site = mmm::gpu::location::current()) {
  return mmm::gpu::detail::this_thread("__shfl_down_sync")
      .shuffle_down(value, static_cast<int>(distance), width, lanes, site);
}
template <class T>
T __shfl_xor_sync(unsigned lanes, T value, int mask, int width = 32,
                  mmm::gpu::location site = mmm::gpu::location::current()) {
  return mmm::gpu::detail::this_thread("__shfl_xor_sync")
      .shuffle_xor(value, mask, width, lanes, site);
}
inline unsigned __ballot_sync(unsigned lanes, bool condition,
                              mmm::gpu::location site = mmm::gpu::location::current()) {
  return mmm::gpu::detail::this_thread("__ballot_sync").ballot(condition, lanes, site);
}
inline bool __any_sync(unsigned lanes, bool condition,
                       mmm::gpu::location site = mmm::gpu::location::current()) {
  return mmm::gpu::detail::this_thread("__any_sync").any(condition, lanes, site);
}
inline bool __all_sync(unsigned lanes, bool condition,
                       mmm::gpu::location site = mmm::gpu::location::current()) {
  return mmm::gpu::detail::this_thread("__all_sync").all(condition, lanes, site);
}

#define MMM_DETAIL_ATOMIC(cuda, name)                                 \
  template <class T>                                                  \
  T cuda(mmm::gpu::pointer<T> target, std::type_identity_t<T> value,  \
         mmm::gpu::location site = mmm::gpu::location::current()) {   \
    return mmm::gpu::name(mmm::gpu::element<T>(target, site), value); \
  }
MMM_DETAIL_ATOMIC(atomicAdd, atomic_add)
MMM_DETAIL_ATOMIC(atomicSub, atomic_sub)
MMM_DETAIL_ATOMIC(atomicMin, atomic_min)
MMM_DETAIL_ATOMIC(atomicMax, atomic_max)
MMM_DETAIL_ATOMIC(atomicAnd, atomic_and)
MMM_DETAIL_ATOMIC(atomicOr, atomic_or)
MMM_DETAIL_ATOMIC(atomicXor, atomic_xor)
MMM_DETAIL_ATOMIC(atomicExch, atomic_exchange)
MMM_DETAIL_ATOMIC(atomicInc, atomic_increment)
#undef MMM_DETAIL_ATOMIC
template <class T>
T atomicCAS(mmm::gpu::pointer<T> target, std::type_identity_t<T> expected,
            std::type_identity_t<T> value,
            mmm::gpu::location site = mmm::gpu::location::current()) {
  return mmm::gpu::atomic_compare_exchange(mmm::gpu::element<T>(target, site), expected, value);
}

template <class T>
std::remove_cv_t<T> __ldg(mmm::gpu::pointer<T> source,
                          mmm::gpu::location site = mmm::gpu::location::current()) {
  return mmm::gpu::element<T>(source, site);
}

template <class A, class B>
requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
[[nodiscard]] constexpr std::common_type_t<A, B> min(A a, B b) {
  using common = std::common_type_t<A, B>;
  return static_cast<common>(b) < static_cast<common>(a) ? static_cast<common>(b)
                                                         : static_cast<common>(a);
}
template <class A, class B>
requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
[[nodiscard]] constexpr std::common_type_t<A, B> max(A a, B b) {
  using common = std::common_type_t<A, B>;
  return static_cast<common>(a) < static_cast<common>(b) ? static_cast<common>(b)
                                                         : static_cast<common>(a);
}
[[nodiscard]] constexpr int __popc(unsigned bits) { return std::popcount(bits); }
[[nodiscard]] constexpr int __clz(int bits) {
  return std::countl_zero(static_cast<unsigned>(bits));
}
[[nodiscard]] constexpr int __ffs(int bits) {
  return bits == 0 ? 0 : std::countr_zero(static_cast<unsigned>(bits)) + 1;
}

// NOLINTEND
