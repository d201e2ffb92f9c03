// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/simulate/host_memory.hpp>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

//! A record for every word of a memory, for the words that are used.
namespace mmm::detail {

//! Records that are all zeros at first, in blocks that are there once one of their words is used.
//! Where many are, a whole group of blocks is made at once, so that it can lie in large pages.
template <class Record>
class word_records {
  static constexpr std::size_t block = 2048;     // words
  static constexpr std::size_t group = 1024;     // blocks, of which only those in use cost memory
  static constexpr std::size_t max_single = 16;  // blocks

 public:
  //! The records of `count` words in a row; null if they are not in one block.
  [[nodiscard]] MMM_ALWAYS_INLINE Record* row(index word, index count) {
    auto const place = static_cast<std::size_t>(word) % block;
    return place + static_cast<std::size_t>(count) <= block ? &at(word) : nullptr;
  }
  [[nodiscard]] MMM_ALWAYS_INLINE Record& at(index word) {
    auto const place = static_cast<std::size_t>(word);
    std::size_t const number = place / block;
    if (number >= blocks_.size() || blocks_[number] == nullptr) [[unlikely]]
      add(number);
    return blocks_[number][place % block];
  }
  //! Asks the processor for a record that is needed soon.
  MMM_ALWAYS_INLINE void fetch(index word) const {
    auto const place = static_cast<std::size_t>(word);
    if (place / block < blocks_.size() && blocks_[place / block] != nullptr)
      prefetch(blocks_[place / block] + place % block);
  }
  //! True if the records do not fit in a processor's nearer caches.
  [[nodiscard]] MMM_ALWAYS_INLINE bool large() const { return memory_.size() >= max_single; }

 private:
  [[gnu::noinline]] void add(std::size_t number) {
    bool const single = memory_.size() < max_single;
    std::size_t const first = single ? number : number / group * group;
    std::size_t const count = single ? 1 : group;
    if (blocks_.size() < first + count) blocks_.resize(first + count);
    memory_.reserve(memory_.size() + 1);
    // calloc, since the system may have pages of zeros at hand.
    auto* const records = static_cast<Record*>(std::calloc(count * block, sizeof(Record)));
    if (records == nullptr) throw std::bad_alloc();
    memory_.emplace_back(records);
    prefer_large_pages(records, count * block * sizeof(Record));
    for (std::size_t k = 0; k < count; ++k)
      if (blocks_[first + k] == nullptr) blocks_[first + k] = records + k * block;
  }
  struct owned_records {
    Record* first = nullptr;
    explicit owned_records(Record* records) : first(records) {}
    owned_records(owned_records&& other) noexcept : first(other.first) { other.first = nullptr; }
    owned_records& operator=(owned_records&&) = delete;
    ~owned_records() { std::free(first); }
  };
  std::vector<Record*> blocks_{};
  std::vector<owned_records> memory_{};
};

}  // namespace mmm::detail
