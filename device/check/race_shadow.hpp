// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/check/order.hpp>
#include <device/check/reader_lists.hpp>
#include <device/check/thread_id.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

//! The accesses to each piece of memory that are remembered.
namespace device::check {

//! The latest plain accesses to 4, 2 or 1 bytes. A plain store that happened after all of them
//! stands for them: what happens after it happens after them.
struct cell {
  time_stamp write_time = 0;
  thread_id writer = 0;
  time_stamp read_time = 0;
  thread_id reader = 0;      //!< any of the lanes that read last
  lane_mask read_lanes = 0;  //!< of its warp, which read in the same instruction
  reader_list earlier = 0;   //!< reads that the latest one need not have happened after
  site_id write_site = 0;
  site_id read_site = 0;

  [[nodiscard]] warp_read latest_read() const { return {reader, read_time, read_lanes, read_site}; }
};
static_assert(sizeof(cell) == 28);

//! The strong accesses (volatile, relaxed, atomic, …) to a location that are remembered.
struct strong_cell {
  time_stamp write_time = 0;
  thread_id writer = 0;
  time_stamp read_time = 0;
  thread_id reader = 0;
  site_id write_site = 0;
  site_id read_site = 0;
  bool write_wide = false;  //!< its scope reaches other blocks
  bool read_wide = false;
  bool read_since = false;  //!< the latest read came after the latest write
  released to;
};

//! The cells of page_bytes of memory. Aligned rows of 32 words that warps access lane by lane are
//! kept as one cell each, that of lane 0, until another access needs the cells of all lanes.
struct shadow_page {
  static constexpr std::uint32_t bytes_shift = 10;
  static constexpr std::uint64_t bytes = std::uint64_t{1} << bytes_shift;
  static constexpr std::size_t rows = bytes / 4 / lanes;

  std::uint8_t shift = 2;                   //!< a cell stands for 1 << shift bytes
  std::uint32_t epoch = 0;                  //!< of `strong`
  std::uint32_t split_epoch = 0;            //!< when cells were made to stand for fewer bytes
  std::uint8_t whole = 0xff;                //!< a bit for each row that is kept as one cell
  std::array<cell, rows> row{};             //!< the cells of lane 0 of those
  std::unique_ptr<cell[]> cells;            //!< those of the other rows; reached by at()
  std::unique_ptr<std::uint32_t[]> strong;  //!< of each cell: 1 + number of its strong cell, or 0

  //! Makes cells stand for fewer bytes.
  void split(std::uint8_t to);
  //! Makes them stand for 4 bytes again, with nothing remembered.
  void unite();
  [[nodiscard]] std::size_t size() const { return bytes >> shift; }
  //! Cells [first, first + count), each with what is known of it; count > 0.
  [[nodiscard]] cell* at(std::size_t first, std::size_t count) {
    if (whole != 0) part_rows(first / lanes, (first + count - 1) / lanes);
    return &cells[first];
  }

 private:
  //! Gives the cells of rows [begin, last] what the rows' own have.
  void part_rows(std::size_t begin, std::size_t last);
};

//! The pages of one memory, which exist from the first access on.
class shadow_memory {
 public:
  //! The pages of [begin, end) are found by a table, those of other addresses by a slower search.
  shadow_memory(std::uint64_t begin, std::uint64_t end);
  ~shadow_memory();
  shadow_memory(shadow_memory const&) = delete;
  shadow_memory& operator=(shadow_memory const&) = delete;

  //! The page of an address, with cells of at most 1 << shift bytes.
  [[nodiscard]] shadow_page& page(std::uint64_t address, std::uint8_t shift) {
    std::uint64_t const number = address >> shadow_page::bytes_shift;
    shadow_page* p = number - first_ < pages_ ? table_[number - first_] : nullptr;
    if (p == nullptr) p = &make(number);
    if (p->shift != 2 && p->split_epoch != epoch_) p->unite();
    if (p->shift > shift) {
      p->split(shift);
      p->split_epoch = epoch_;
    }
    return *p;
  }
  //! All accesses so far happened before all that follow. Plain accesses are known to be old by
  //! their times.
  void begin_epoch() {
    ++epoch_;
    strong_.clear();
  }
  //! Strong cells of a page: null if there are none.
  [[nodiscard]] std::uint32_t* strong_of(shadow_page const& p) const {
    return p.epoch == epoch_ ? p.strong.get() : nullptr;
  }
  [[nodiscard]] strong_cell& strong(std::uint32_t number) { return strong_[number - 1]; }
  //! The strong cell of cells [first, last] of a page, made if there is none yet.
  void make_strong(shadow_page&, std::size_t first, std::size_t last);

  [[nodiscard]] std::size_t pages_in_use() const { return used_.size() + outside_.size(); }
  //! Gives all pages back.
  void forget();

 private:
  std::uint64_t first_ = 0;
  std::uint64_t pages_ = 0;
  shadow_page** table_ = nullptr;
  std::vector<std::uint64_t> used_;  //!< indices into table_
  std::unordered_map<std::uint64_t, std::unique_ptr<shadow_page>> outside_;
  std::deque<strong_cell> strong_;
  std::uint32_t epoch_ = 1;

  [[nodiscard]] shadow_page& make(std::uint64_t number);
};

}  // namespace device::check
