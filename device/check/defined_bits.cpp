// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/defined_bits.hpp>
#include <device/core/failure.hpp>
#include <sys/mman.h>

#include <vector>

namespace device::check {
namespace {

constexpr std::uint64_t page = 4096;

//! Bytes of the bits, with a word more, which accesses of the last bytes may touch.
std::uint64_t size_of(std::uint64_t bytes) { return (bytes / 8 + 16 + page - 1) / page * page; }

}  // namespace

defined_bits::defined_bits(std::uint64_t begin, std::uint64_t end)
    : begin_(begin & ~std::uint64_t{63}), bytes_(end - begin_) {
  void* const pages = mmap(nullptr, size_of(bytes_), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED)
    throw unsupported(
        "the system gives no address space for --check uninitialized (see ulimit -v)");
  madvise(pages, size_of(bytes_), MADV_DONTDUMP);
  words_ = static_cast<std::uint64_t*>(pages);
}

defined_bits::~defined_bits() { munmap(words_, size_of(bytes_)); }

void defined_bits::fill(std::uint64_t first, std::uint64_t last, bool value) {
  auto const one_word = [&](std::uint64_t word, std::uint64_t mask) {
    if (value)
      words_[word] |= mask;
    else if ((words_[word] & mask) != 0)
      words_[word] &= ~mask;
  };
  if (first >= last) return;
  std::uint64_t const word = first >> 6;
  std::uint64_t const last_word = (last - 1) >> 6;
  std::uint64_t const head = ~std::uint64_t{0} << (first & 63);
  std::uint64_t const tail = ~std::uint64_t{0} >> (63 - ((last - 1) & 63));
  if (word == last_word) return one_word(word, head & tail);
  one_word(word, head);
  one_word(last_word, tail);
  std::uint64_t begin = word + 1;
  if (!value && last_word - begin > 4 * page / 8) {
    // Whole pages of unset bits are given back to the system.
    constexpr std::uint64_t per_page = page / 8;
    std::uint64_t const first_page = (begin + per_page - 1) / per_page * per_page;
    std::uint64_t const to = last_word / per_page * per_page;
    std::fill(words_ + begin, words_ + first_page, std::uint64_t{0});
    madvise(words_ + first_page, (to - first_page) * 8, MADV_DONTNEED);
    begin = to;
  }
  std::fill(words_ + begin, words_ + last_word, value ? ~std::uint64_t{0} : std::uint64_t{0});
}

void defined_bits::set(std::uint64_t begin, std::uint64_t bytes) {
  std::uint64_t const end = std::min(begin + bytes, begin_ + bytes_);
  begin = std::max(begin, begin_);
  if (begin < end) fill(begin - begin_, end - begin_, true);
}

void defined_bits::clear(std::uint64_t begin, std::uint64_t bytes) {
  std::uint64_t const end = std::min(begin + bytes, begin_ + bytes_);
  begin = std::max(begin, begin_);
  if (begin < end) fill(begin - begin_, end - begin_, false);
}

std::uint64_t defined_bits::read(std::uint64_t offset, std::uint64_t bits) const {
  std::uint64_t const low = offset & 63;
  std::uint64_t value = words_[offset >> 6] >> low;
  if (low + bits > 64) value |= words_[(offset >> 6) + 1] << (64 - low);
  return value & low_bits(bits);
}

void defined_bits::write(std::uint64_t offset, std::uint64_t bits, std::uint64_t value) {
  std::uint64_t const low = offset & 63;
  std::uint64_t const mask = low_bits(bits);
  std::uint64_t& word = words_[offset >> 6];
  word = (word & ~(mask << low)) | (value << low);
  if (low + bits <= 64) return;
  std::uint64_t& next = words_[(offset >> 6) + 1];
  next = (next & ~(mask >> (64 - low))) | (value >> (64 - low));
}

void defined_bits::copy(std::uint64_t destination, std::uint64_t source, std::uint64_t bytes) {
  if (bytes == 0 || !holds(destination) || !holds(destination + bytes - 1)) return;
  if (!holds(source) || !holds(source + bytes - 1)) return set(destination, bytes);
  // Copied aside first, since the two may overlap.
  std::vector<std::uint64_t> aside((bytes + 63) / 64);
  for (std::uint64_t k = 0; k < aside.size(); ++k)
    aside[k] = read(source - begin_ + 64 * k, std::min<std::uint64_t>(64, bytes - 64 * k));
  for (std::uint64_t k = 0; k < aside.size(); ++k)
    write(destination - begin_ + 64 * k, std::min<std::uint64_t>(64, bytes - 64 * k), aside[k]);
}

}  // namespace device::check
