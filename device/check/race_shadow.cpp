// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/race_shadow.hpp>
#include <device/core/failure.hpp>
#include <sys/mman.h>

#include <algorithm>

namespace device::check {

void shadow_page::part_rows(std::size_t begin, std::size_t last) {
  if (cells == nullptr) cells = std::make_unique<cell[]>(size());
  for (std::size_t r = begin; r <= last; ++r) {
    if ((whole >> r & 1) == 0) continue;
    for (std::uint32_t t = 0; t < lanes; ++t) {
      cell& c = cells[r * lanes + t];
      c = row[r];
      c.writer += t;
      c.reader += t;
      c.read_lanes = lane_mask{1} << t;
    }
    whole = static_cast<std::uint8_t>(whole & ~(1U << r));
  }
}

void shadow_page::split(std::uint8_t to) {
  if (whole != 0) part_rows(0, rows - 1);
  std::size_t const parts = std::size_t{1} << (shift - to);
  auto smaller = std::make_unique<cell[]>(size() * parts);
  for (std::size_t k = 0; k < size(); ++k) std::fill_n(&smaller[k * parts], parts, cells[k]);
  if (strong != nullptr) {
    auto numbers = std::make_unique<std::uint32_t[]>(size() * parts);
    for (std::size_t k = 0; k < size(); ++k) std::fill_n(&numbers[k * parts], parts, strong[k]);
    strong = std::move(numbers);
  }
  cells = std::move(smaller);
  shift = to;
}

void shadow_page::unite() {
  shift = 2;
  cells.reset();
  whole = 0xff;
  row = {};
  strong.reset();
}

shadow_memory::shadow_memory(std::uint64_t begin, std::uint64_t end)
    : first_(begin >> shadow_page::bytes_shift),
      pages_(((end + shadow_page::bytes - 1) >> shadow_page::bytes_shift) - first_) {
  if (pages_ == 0) return;
  void* const pages = mmap(nullptr, pages_ * sizeof(shadow_page*), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED)
    throw unsupported("the system gives no address space for --check race (see ulimit -v)");
  madvise(pages, pages_ * sizeof(shadow_page*), MADV_NOHUGEPAGE);
  table_ = static_cast<shadow_page**>(pages);
}

shadow_memory::~shadow_memory() {
  forget();
  if (table_ != nullptr) munmap(table_, pages_ * sizeof(shadow_page*));
}

void shadow_memory::forget() {
  for (std::uint64_t const k : used_) {
    delete table_[k];
    table_[k] = nullptr;
  }
  used_.clear();
  outside_.clear();
  begin_epoch();
}

shadow_page& shadow_memory::make(std::uint64_t number) {
  if (number - first_ < pages_) {
    used_.push_back(number - first_);
    table_[number - first_] = new shadow_page;
    return *table_[number - first_];
  }
  std::unique_ptr<shadow_page>& p = outside_[number];
  if (p == nullptr) p = std::make_unique<shadow_page>();
  return *p;
}

void shadow_memory::make_strong(shadow_page& p, std::size_t first, std::size_t last) {
  if (p.strong == nullptr) {
    p.strong = std::make_unique<std::uint32_t[]>(p.size());
  } else if (p.epoch != epoch_) {
    std::fill_n(p.strong.get(), p.size(), 0U);
  }
  p.epoch = epoch_;
  std::uint32_t number = 0;
  for (std::size_t k = first; k <= last; ++k) {
    if (p.strong[k] != 0) continue;
    if (number == 0) {
      strong_.emplace_back();
      number = static_cast<std::uint32_t>(strong_.size());
    }
    p.strong[k] = number;
  }
}

}  // namespace device::check
