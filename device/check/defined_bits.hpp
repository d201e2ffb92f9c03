// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>

namespace device::check {

//! One bit for each byte of [begin, end): whether it was ever written. All are unset at first;
//! takes memory where bits are set.
class defined_bits {
 public:
  defined_bits(std::uint64_t begin, std::uint64_t end);
  ~defined_bits();
  defined_bits(defined_bits const&) = delete;
  defined_bits& operator=(defined_bits const&) = delete;

  [[nodiscard]] bool holds(std::uint64_t address) const { return address - begin_ < bytes_; }
  //! True if all of [address, address + bytes) is set; at most 64 bytes, which this memory holds.
  [[nodiscard]] bool all(std::uint64_t address, std::uint64_t bytes) const {
    std::uint64_t const bit = address - begin_;
    std::uint64_t const low = bit & 63;
    std::uint64_t const mask = low_bits(bytes);
    if (~words_[bit >> 6] & (mask << low)) return false;
    return low + bytes <= 64 || (~words_[(bit >> 6) + 1] & (mask >> (64 - low))) == 0;
  }
  //! The same of a range of any length that this memory holds.
  [[nodiscard]] bool all_of(std::uint64_t begin, std::uint64_t end) const {
    for (; begin < end; begin += 64)
      if (!all(begin, std::min<std::uint64_t>(64, end - begin))) return false;
    return true;
  }
  //! A bit for each of as many bytes that is not set.
  [[nodiscard]] std::uint64_t missing(std::uint64_t address, std::uint64_t bytes) const {
    return ~read(address - begin_, bytes) & low_bits(bytes);
  }
  //! Sets as many.
  void mark(std::uint64_t address, std::uint64_t bytes) {
    std::uint64_t const bit = address - begin_;
    std::uint64_t const low = bit & 63;
    std::uint64_t const mask = low_bits(bytes);
    words_[bit >> 6] |= mask << low;
    if (low + bytes > 64) words_[(bit >> 6) + 1] |= mask >> (64 - low);
  }
  [[nodiscard]] bool one(std::uint64_t address) const {
    return (words_[(address - begin_) >> 6] >> ((address - begin_) & 63) & 1) != 0;
  }

  //! The part of any range that this memory holds. Time: linear in the number of words.
  void set(std::uint64_t begin, std::uint64_t bytes);
  void clear(std::uint64_t begin, std::uint64_t bytes);
  //! [to, to + bytes) gets what [from, from + bytes) has; memory outside is defined.
  void copy(std::uint64_t destination, std::uint64_t source, std::uint64_t bytes);

 private:
  std::uint64_t begin_;
  std::uint64_t bytes_;
  std::uint64_t* words_ = nullptr;

  [[nodiscard]] static std::uint64_t low_bits(std::uint64_t n) {
    return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
  }
  //! Sets or clears offsets [first, last).
  void fill(std::uint64_t first, std::uint64_t last, bool value);
  //! Up to 64 bits from an offset on.
  [[nodiscard]] std::uint64_t read(std::uint64_t offset, std::uint64_t bits) const;
  void write(std::uint64_t offset, std::uint64_t bits, std::uint64_t value);
};

}  // namespace device::check
