// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/kernel_memory.hpp>

#include <cstddef>

//! The registers of a kernel's threads.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! Bytes of registers that a thread may name at once. A compiler takes apart what is used of them.
inline constexpr index most_register_bytes = 1024;

//! Where a handle keeps its thread's registers. They are in the handle and not in what names them: bodies hold copies of
//! that, and a compiler leaves in memory what points to itself.
class register_file {
 public:
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE constexpr T* take(index n) {
    next_ = ceil_divide(next_, index{alignof(T)}) * index{alignof(T)};
    T* const first = reinterpret_cast<T*>(bytes_ + next_);
    for (index k = 0; k < n; ++k) first[k] = T{};
    next_ += n * index{sizeof(T)};
    return first;
  }

 private:
  alignas(16) std::byte bytes_[most_register_bytes];
  index next_ = 0;
};

//! **Registers of a thread.** Copies name the same ones. `r[i]` is the first one of the thread that handles item i, which
//! is the one that asks; `r(i, k)` the k-th.
template <class T>
class kernel_registers {
 public:
  MMM_HOST_DEVICE constexpr kernel_registers(register_file& file, index n) : first_(file.template take<T>(n)) {}

  [[nodiscard]] MMM_HOST_DEVICE constexpr T& operator[](index) const { return first_[0]; }
  template <class K>
  [[nodiscard]] MMM_HOST_DEVICE constexpr T& operator()(index, K k) const {
    return first_[static_cast<index>(k)];
  }

 private:
  T* first_;
};

//! A register that is one or is in memory. Not an address: the register would have to have one.
template <class T>
class stored_register : public kernel_proxy {
 public:
  using value_type = T;
  MMM_HOST_DEVICE constexpr stored_register(bool first, T* own, T* stored)
      : first_(first), own_(own), stored_(stored) {}

  MMM_HOST_DEVICE constexpr operator T() const { return first_ ? *own_ : *stored_; }
  MMM_HOST_DEVICE constexpr void operator=(T const& x) const {
    if (first_)
      *own_ = x;
    else
      *stored_ = x;
  }

 private:
  bool first_;
  T* own_;
  T* stored_;
};

//! So many registers as only the program's run knows: the first one in a register, the others in global memory, where
//! neighbours' are neighbours.
template <class T>
class stored_registers {
 public:
  template <class Shape, class Team>
  MMM_HOST_DEVICE stored_registers(register_file& file, bump_allocator& scratch, index count, Shape const& shape,
                                   Team const& team)
      : first_(file.template take<T>(1)),
        all_threads_(shape.blocks * shape.block_threads),
        others_(scratch.template take<T>(larger(0, count - 1) * all_threads_) + team.block() * shape.block_threads +
                team.thread()) {
    for (index k = 0; k < count - 1; ++k) others_[k * all_threads_] = T{};
  }

  [[nodiscard]] MMM_HOST_DEVICE T& operator[](index) const { return *first_; }
  [[nodiscard]] MMM_HOST_DEVICE stored_register<T> operator()(index, index k) const {
    return {k == 0, first_, others_ + (k - 1) * all_threads_};
  }

 private:
  T* first_;
  index all_threads_;
  T* others_;
};

}  // namespace mmm::detail
MMM_BODIES_END
