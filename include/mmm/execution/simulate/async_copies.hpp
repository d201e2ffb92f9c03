// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

//! The asynchronous copies of a simulated DMM.
namespace mmm::detail {

//! Words in flight to a shared memory. They are written when they are awaited, so that a program
//! that does not wait reads the old values. The class is a template, so that nothing of it is
//! compiled for a program without such copies.
template <class Byte = std::byte>
class async_copies {
 public:
  template <class T>
  void add(T* target, T const& x) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      words_.push_back({target, bytes_.size(), sizeof(T)});
      bytes_.resize(bytes_.size() + sizeof(T));
      __builtin_memcpy(bytes_.data() + words_.back().offset, &x, sizeof(T));
    } else {
      *target = x;
    }
  }
  void commit() { group_ends_.push_back(words_.size()); }
  //! Writes the words of all groups but the `latest` latest ones.
  void land(std::size_t latest) {
    if (group_ends_.size() <= latest) return;
    std::size_t const groups = group_ends_.size() - latest;
    std::size_t const words = group_ends_[groups - 1];
    for (std::size_t k = 0; k < words; ++k)
      __builtin_memcpy(words_[k].target, bytes_.data() + words_[k].offset, words_[k].size);
    std::size_t const bytes = words < words_.size() ? words_[words].offset : bytes_.size();
    drop(group_ends_, groups);
    drop(words_, words);
    drop(bytes_, bytes);
    for (std::size_t& end : group_ends_) end -= words;
    for (word& x : words_) x.offset -= bytes;
  }
  [[nodiscard]] bool empty() const { return words_.empty(); }
  void forget() {
    group_ends_.clear();
    words_.clear();
    bytes_.clear();
  }

 private:
  struct word {
    void* target;
    std::size_t offset;
    std::size_t size;
  };
  template <class T>
  static void drop(std::vector<T>& list, std::size_t count) {
    list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(count));
  }
  std::vector<std::size_t> group_ends_{};
  std::vector<word> words_{};
  std::vector<Byte> bytes_{};
};

}  // namespace mmm::detail
