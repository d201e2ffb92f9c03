// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/machine/machine.hpp>

#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>

//! What a kernel's threads hold: arrays, the caller's sequences, registers.
MMM_BODIES_BEGIN
namespace mmm::detail {

template <class M>
inline constexpr bool is_one_dmm = false;
template <memory M>
inline constexpr bool is_one_dmm<M> = M::conflicts == conflict::banks;

//! Words in memory, as an iterator that knows its value type.
template <class T>
class kernel_array {
 public:
  using value_type = std::remove_cv_t<T>;
  kernel_array() = default;
  MMM_HOST_DEVICE constexpr explicit kernel_array(T* first) : first_(first) {}

  [[nodiscard]] MMM_HOST_DEVICE constexpr T& operator[](index i) const { return first_[i]; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr T& operator*() const { return *first_; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr T* data() const { return first_; }
  [[nodiscard]] MMM_HOST_DEVICE friend constexpr kernel_array operator+(kernel_array a, index n) {
    return kernel_array(a.first_ + n);
  }

 private:
  T* first_ = nullptr;
};

//! Any other sequence that is read, as values of type `Value`.
template <class Value, class Iterator>
class kernel_values {
 public:
  using value_type = Value;
  MMM_HOST_DEVICE constexpr explicit kernel_values(Iterator first) : first_(first) {}

  MMM_NO_SIDE_CHECK [[nodiscard]] MMM_HOST_DEVICE constexpr Value operator[](index i) const {
    return static_cast<Value>(first_[static_cast<std::iter_difference_t<Iterator>>(i)]);
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr Value operator*() const { return (*this)[0]; }
  MMM_NO_SIDE_CHECK [[nodiscard]] MMM_HOST_DEVICE friend constexpr kernel_values operator+(kernel_values a, index n) {
    return kernel_values(a.first_ + static_cast<std::iter_difference_t<Iterator>>(n));
  }

 private:
  Iterator first_;
};

//! A word of a sequence that is written through proxies.
template <class Value, class Iterator>
struct kernel_reference : interpreted {
  using value_type = Value;
  Iterator at;
  MMM_HOST_DEVICE constexpr explicit kernel_reference(Iterator it) : at(it) {}
  MMM_NO_SIDE_CHECK MMM_HOST_DEVICE constexpr operator Value() const { return static_cast<Value>(*at); }
  MMM_NO_SIDE_CHECK MMM_HOST_DEVICE constexpr void operator=(Value const& x) const { *at = x; }
  MMM_HOST_DEVICE friend constexpr Value load(kernel_reference const& word) { return word; }
  template <class Otherwise>
  MMM_HOST_DEVICE friend constexpr Value load_if(bool condition, kernel_reference const& word,
                                                 Otherwise const& otherwise) {
    return condition ? static_cast<Value>(word) : static_cast<Value>(otherwise);
  }
  template <class X>
  MMM_HOST_DEVICE friend constexpr void store_if(bool condition, kernel_reference const& word, X const& x) {
    if (condition) word = static_cast<Value>(x);
  }
};

//! A sequence that is written, whose references are not `Value&`.
template <class Value, class Iterator>
class kernel_references {
 public:
  using value_type = Value;
  MMM_HOST_DEVICE constexpr explicit kernel_references(Iterator first) : first_(first) {}

  MMM_NO_SIDE_CHECK [[nodiscard]] MMM_HOST_DEVICE constexpr kernel_reference<Value, Iterator> operator[](
      index i) const {
    return kernel_reference<Value, Iterator>(first_ + static_cast<std::iter_difference_t<Iterator>>(i));
  }
  MMM_NO_SIDE_CHECK [[nodiscard]] MMM_HOST_DEVICE friend constexpr kernel_references operator+(kernel_references a,
                                                                                               index n) {
    return kernel_references(a.first_ + static_cast<std::iter_difference_t<Iterator>>(n));
  }

 private:
  Iterator first_;
};

template <class Value, class Iterator>
inline constexpr bool points_to =
    std::is_pointer_v<Iterator>&& std::is_same_v<std::remove_cv_t<std::remove_pointer_t<Iterator>>, Value>;

//! A sequence of the caller's that a program reads.
template <class Value, class Iterator>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto kernel_source(Iterator first) {
  if constexpr (points_to<Value, Iterator>)
    return kernel_array<std::remove_pointer_t<Iterator>>(first);
  else
    return kernel_values<Value, Iterator>(first);
}
//! A sequence of the caller's that a program writes.
template <class Value, class Iterator>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto kernel_target(Iterator first) {
  if constexpr (points_to<Value, Iterator>)
    return kernel_array<Value>(first);
  else
    return kernel_references<Value, Iterator>(first);
}

//! What a program updates in the caller's own memory: words that are of its type. Others it updates in a copy.
template <class Argument>
inline constexpr bool changed_where_it_is =
    Argument::use == argument_use::update&& points_to<typename Argument::value_type, decltype(Argument::out)>;

//! Where a kernel's arrays begin: at multiples of 256 bytes, which are whole rows of banks and address groups.
inline constexpr index array_alignment = 256;

[[nodiscard]] MMM_HOST_DEVICE constexpr index array_bytes(index n, index word) {
  return ceil_divide(n * word, array_alignment) * array_alignment;
}

//! Gives out arrays from a block of memory, one after the other.
struct bump_allocator {
  std::byte* next;

  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE T* take(index n) {
    T* const first = reinterpret_cast<T*>(next);
    next += array_bytes(n, sizeof(T));
    return first;
  }
};

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
class stored_register : interpreted {
 public:
  using value_type = T;
  MMM_HOST_DEVICE constexpr stored_register(bool first, T* own, T* stored) : first_(first), own_(own), stored_(stored) {}

  MMM_HOST_DEVICE constexpr operator T() const { return first_ ? *own_ : *stored_; }
  MMM_HOST_DEVICE constexpr void operator=(T const& x) const {
    if (first_)
      *own_ = x;
    else
      *stored_ = x;
  }
  template <class X>
  [[nodiscard]] MMM_HOST_DEVICE friend constexpr auto operator+(stored_register const& r, X const& x) {
    return static_cast<T>(r) + x;
  }
  MMM_HOST_DEVICE friend constexpr T load(stored_register const& r) { return r; }
  template <class X>
  MMM_HOST_DEVICE friend constexpr void store_if(bool condition, stored_register const& r, X const& x) {
    if (condition) r = static_cast<T>(x);
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

//! The words of `x` that the caller has given, to `a`; a parallel-for of `on`'s threads.
template <class On, class Argument, class Array>
MMM_HOST_DEVICE void copy_in(On& on, Argument const& x, Array a) {
  using value = typename Argument::value_type;
  if constexpr (!std::is_same_v<decltype(Argument::in), no_sequence>) {
    auto in = kernel_source<value>(x.in);
    on.each(x.given, [=](auto i) { a[i] = in[i]; });
  }
}
//! The way back, of all words.
template <class On, class Argument, class Array>
MMM_HOST_DEVICE void copy_out(On& on, Argument const& x, Array a) {
  auto out = kernel_target<typename Argument::value_type>(x.out);
  on.each(x.words, [=](auto i) { out[i] = a[i]; });
}

}  // namespace mmm::detail
MMM_BODIES_END
