// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/check/race_shadow.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

//! The bytes of memory that one operation of a stream uses.
namespace device::check {

//! A use of a byte: by a plain access, or by a strong one (volatile, relaxed, atomic, …). A
//! device_write is noted beside its strong_write: its scope does not reach the host.
enum class use : std::uint8_t { read, write, strong_read, strong_write, device_write };
inline constexpr int uses = 5;

//! The bytes of a page that are used in one way.
struct used_bytes {
  std::array<std::uint64_t, 64> bits{};  //!< one for each byte
  std::array<site_id, 64> site{};        //!< of each 64 bytes, that of the first access
};

//! All bytes of a page, used by an operation that has no sites; shared.
[[nodiscard]] inline used_bytes* all_bytes() {
  static used_bytes all = [] {
    used_bytes u;
    u.bits.fill(~std::uint64_t{0});
    return u;
  }();
  return &all;
}
struct free_used_bytes {
  void operator()(used_bytes* u) const {
    if (u != all_bytes()) delete u;
  }
};

//! The uses of a page.
struct page_uses {
  static constexpr int shift = 12;
  static constexpr std::uint64_t bytes = std::uint64_t{1} << shift;

  std::array<std::unique_ptr<used_bytes, free_used_bytes>, uses> parts{};

  //! Notes [offset, offset + n), which lie in the page.
  void mark(use u, std::uint64_t offset, std::uint64_t n, site_id site) {
    auto& part = parts[static_cast<std::size_t>(u)];
    if (part.get() == all_bytes()) return;
    if (n == bytes && site == 0) {
      part.reset(all_bytes());
      return;
    }
    if (part == nullptr) part.reset(new used_bytes);
    for (std::uint64_t end = offset + n; offset != end;) {
      std::uint64_t const word = offset / 64;
      std::uint64_t const first = offset % 64;
      std::uint64_t const count = end - offset < 64 - first ? end - offset : 64 - first;
      if (part->bits[word] == 0) part->site[word] = site;
      part->bits[word] |= (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1)
                          << first;
      offset += count;
    }
  }
  [[nodiscard]] std::uint64_t word(use u, std::size_t k) const {
    auto const& part = parts[static_cast<std::size_t>(u)];
    return part == nullptr ? 0 : part->bits[k];
  }
  [[nodiscard]] bool has(use u) const { return parts[static_cast<std::size_t>(u)] != nullptr; }
  [[nodiscard]] bool writes() const { return has(use::write) || has(use::strong_write); }
  [[nodiscard]] site_id site(use u, std::size_t k) const {
    auto const& part = parts[static_cast<std::size_t>(u)];
    return part == nullptr ? site_id{0} : part->site[k];
  }
  //! Forgets [offset, offset + n) of the page.
  void forget(std::uint64_t offset, std::uint64_t n) {
    for (auto& part : parts) {
      if (part == nullptr) continue;
      if (part.get() == all_bytes()) part.reset(new used_bytes(*part));
      for (std::uint64_t k = offset; k < offset + n; ++k)
        part->bits[k / 64] &= ~(std::uint64_t{1} << k % 64);
    }
  }
};

//! The uses of all pages by one operation, by number of the page.
class use_map {
 public:
  void mark(use u, std::uint64_t address, std::uint64_t bytes, site_id site) {
    while (bytes != 0) {
      std::uint64_t const offset = address % page_uses::bytes;
      std::uint64_t const here =
          bytes < page_uses::bytes - offset ? bytes : page_uses::bytes - offset;
      page(address >> page_uses::shift).mark(u, offset, here, site);
      address += here;
      bytes -= here;
    }
  }
  [[nodiscard]] std::unordered_map<std::uint64_t, page_uses>& pages() { return pages_; }
  void clear() {
    pages_.clear();
    latest_.fill({});
  }

 private:
  struct entry {
    std::uint64_t number = ~std::uint64_t{0};
    page_uses* uses = nullptr;
  };
  std::array<entry, 64> latest_{};
  std::unordered_map<std::uint64_t, page_uses> pages_;

  [[nodiscard]] page_uses& page(std::uint64_t number) {
    // so that pages of arrays of round sizes have different places
    entry& e = latest_[(number ^ number >> 6U ^ number >> 12U) % latest_.size()];
    if (e.number != number) e = {number, &pages_[number]};
    return *e.uses;
  }
};

}  // namespace device::check
