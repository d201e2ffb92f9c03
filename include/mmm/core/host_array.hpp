// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>

//! An array on the host, where a std::vector would cost a compiler more than all the rest.
namespace mmm::detail {

//! A growing array of values, like std::vector: begins with a given number of `T{}`.
//! std::length_error for a negative number of them.
template <class T>
class host_array {
 public:
  constexpr explicit host_array(index count = 0) : size_(count), room_(count < 1 ? 1 : count) {
    if (count < 0) reject_length("values of an array", count, unlimited);
    data_ = new T[static_cast<decltype(sizeof(T))>(room_)]{};
  }
  constexpr ~host_array() { delete[] data_; }
  host_array(host_array const&) = delete;
  host_array& operator=(host_array const&) = delete;

  [[nodiscard]] constexpr index size() const { return size_; }
  [[nodiscard]] constexpr T* data() { return data_; }
  [[nodiscard]] constexpr T const* data() const { return data_; }
  [[nodiscard]] constexpr T& operator[](index i) { return data_[i]; }

  //! Time: O(1) on average.
  constexpr void push_back(T const& value) {
    if (size_ == room_) {
      index const room = 2 * room_ + 16;
      T* const grown = new T[static_cast<decltype(sizeof(T))>(room)]{};
      for (index i = 0; i < size_; ++i) grown[i] = data_[i];
      delete[] data_;
      data_ = grown;
      room_ = room;
    }
    data_[size_++] = value;
  }
  //! Drops the last values. \param count values to keep, size() or fewer.
  constexpr void shrink(index count) { size_ = count; }

 private:
  index size_;
  index room_;
  T* data_ = nullptr;
};

}  // namespace mmm::detail
