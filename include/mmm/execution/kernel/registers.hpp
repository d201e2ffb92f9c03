// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/kernel/memory.hpp>
#include <mmm/execution/vec.hpp>

#include <cstddef>

//! The registers of a kernel's threads.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The maximum number of bytes of registers that a thread may name at once. The compiler splits
//! those that are used into single registers.
inline constexpr index max_register_bytes = 1024;

//! The registers of a handle's thread. The handle holds them rather than the objects that name
//! them: bodies copy those objects, and a compiler leaves an object that points into itself in
//! memory.
class kernel_register_file {
 public:
  template <class T, index N>
  [[nodiscard]] MMM_HOST_DEVICE constexpr T* take() {
    next_ = ceil_divide(next_, index{alignof(T)}) * index{alignof(T)};
    T* const first = reinterpret_cast<T*>(bytes_ + next_);
    unroll<N>([&](index k) { first[k] = T{}; });
    next_ += N * index{sizeof(T)};
    return first;
  }

 private:
  alignas(16) std::byte bytes_[max_register_bytes];
  index next_ = 0;
};

//! One of N registers, chosen when the kernel runs: by selections among all of them, as registers
//! have no addresses.
template <class T, index N>
class chosen_register : public kernel_proxy {
 public:
  using value_type = T;
  MMM_HOST_DEVICE constexpr chosen_register(T* first, index k) : first_(first), k_(k) {}

  MMM_HOST_DEVICE constexpr operator T() const {
    T candidate[N];
    unroll<N>([&](index j) { candidate[j] = first_[j]; });
    return last_of_halves<1>(candidate);
  }
  MMM_HOST_DEVICE constexpr void operator=(T const& x) const {
    unroll<N>([&](index j) { first_[j] = j == k_ ? x : first_[j]; });
  }

 private:
  //! Selects one of every two candidates that are `Half` apart, until one is left.
  template <index Half>
  [[nodiscard]] MMM_HOST_DEVICE constexpr T last_of_halves(T (&candidate)[N]) const {
    if constexpr (Half < N) {
      bool const second = (k_ & Half) != 0;
      unroll<(N + Half - 1) / (2 * Half)>([&](index j) {
        index const first = 2 * Half * j;
        candidate[first] = second ? candidate[first + Half] : candidate[first];
      });
      return last_of_halves<2 * Half>(candidate);
    } else {
      return candidate[0];
    }
  }

  T* first_;
  index k_;
};

//! **Registers of a thread.** Copies name the same registers. `r[i]` is the first register of the
//! thread that handles item i, which is the calling thread; `r(i, k)` is its k-th, for a k that is
//! known when the kernel is compiled and its loops are unrolled; `r.chosen(i, k)` is the k-th for
//! any other k.
template <class T, index N>
class kernel_registers {
 public:
  MMM_HOST_DEVICE constexpr explicit kernel_registers(T* first) : first_(first) {}

  [[nodiscard]] MMM_HOST_DEVICE constexpr T& operator[](index) const { return first_[0]; }
  template <class K>
  [[nodiscard]] MMM_HOST_DEVICE constexpr T& operator()(index, K k) const {
    return first_[static_cast<index>(k)];
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr chosen_register<T, N> chosen(index, index k) const {
    return {first_, k};
  }

 private:
  T* first_;
};

//! Registers for items (kept_items). A thread indexes them by the numbers of its own items.
template <class T, index Max>
class kernel_item_registers {
 public:
  MMM_HOST_DEVICE constexpr explicit kernel_item_registers(T* first) : first_(first) {}
  [[nodiscard]] MMM_HOST_DEVICE constexpr T& operator[](index own) const { return first_[own]; }

 private:
  T* first_;
};

}  // namespace mmm::detail
MMM_BODIES_END
