// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/access.hpp>
#include <mmm/machine/access_kind.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

//! Shadow memory: the latest accesses to each piece of an array, to find races and uninitialized
//! reads.
namespace mmm::gpu {

namespace detail {

//! A recorded access: its thread, and its position in the happens-before order.
struct access_mark {
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};

  std::uint32_t block = nobody;  //!< the block's number in the grid
  std::uint32_t barriers = 0;    //!< barriers of its block before the access
  std::uint32_t syncs = 0;       //!< barriers of its warp in which the thread took part
  std::uint32_t updates = 0;     //!< atomic updates of global memory by its block before the access
  std::uint32_t place = 0;
  std::uint16_t thread = 0;
  bool atomic = false;

  [[nodiscard]] bool any() const { return block != nobody; }
};

//! A race: two accesses without an order, at least one of them a write.
struct unordered_accesses {
  access_mark earlier;
  bool earlier_writes = false;
};

//! The latest accesses to each piece (a few bytes) of an array. Two of the reads since the last
//! write are stored, from different warps if possible, so that a race with a third read may be
//! reported as one with those.
class shadow {
 public:
  //! Shadow memory for `bytes` bytes in pieces of `piece` bytes; narrower accesses make the pieces
  //! smaller.
  shadow(index bytes, index piece) : bytes_(bytes), piece_(piece) {}

  //! Records an access. `ordered(mark)` returns whether an earlier access happened before it.
  //! Returns the earlier access with which it races, if there is one.
  template <class Ordered>
  std::optional<unordered_accesses> note(index offset, index size, access_kind use,
                                         access_mark const& now, Ordered const& ordered) {
    if (cells_.empty()) cells_.resize(static_cast<std::size_t>((bytes_ + piece_ - 1) / piece_));
    if (size < piece_ || offset % piece_ != 0) split(offset % size == 0 ? size : 1);
    std::optional<unordered_accesses> race;
    for (index k = offset / piece_; k <= (offset + size - 1) / piece_; ++k) {
      cell& c = cells_[static_cast<std::size_t>(k)];
      auto const meets = [&](access_mark const& other, bool writes) {
        bool const together =
            (use == access_kind::update && other.atomic) || (use == access_kind::read && !writes);
        if (!race && other.any() && !together && !ordered(other))
          race = unordered_accesses{other, writes};
      };
      meets(c.write, true);
      if (use == access_kind::read) {
        remember_read(c, now);
      } else {
        for (access_mark const& r : c.read) meets(r, false);
        c.read[0] = c.read[1] = {};
        c.write = now;
      }
    }
    return race;
  }
  //! Forgets all accesses.
  void forget() { std::fill(cells_.begin(), cells_.end(), cell{}); }
  //! True if every byte of an access has been written.
  [[nodiscard]] bool written(index offset, index size) const {
    if (cells_.empty()) return false;
    for (index k = offset / piece_; k <= (offset + size - 1) / piece_; ++k)
      if (!cells_[static_cast<std::size_t>(k)].write.any()) return false;
    return true;
  }

 private:
  struct cell {
    access_mark write;
    access_mark read[2];
  };
  static void remember_read(cell& c, access_mark const& now) {
    auto const same_thread = [&](access_mark const& m) {
      return m.block == now.block && m.thread == now.thread;
    };
    auto const warp = [](access_mark const& m) { return m.thread / 32; };
    if (!c.read[0].any() || same_thread(c.read[0])) {
      c.read[0] = now;
    } else if (!c.read[1].any() || same_thread(c.read[1]) ||
               (warp(c.read[1]) == warp(c.read[0]) && warp(now) != warp(c.read[0])) ||
               c.read[1].block != now.block) {
      c.read[1] = now;
    } else if (c.read[0].block != now.block || c.read[0].barriers != now.barriers) {
      c.read[0] = now;
    } else if (c.read[1].barriers != now.barriers) {
      c.read[1] = now;
    }
  }
  void split(index piece) {
    index const parts = piece_ / piece;
    std::vector<cell> finer(static_cast<std::size_t>((bytes_ + piece - 1) / piece));
    for (std::size_t i = 0; i < finer.size(); ++i)
      finer[i] = cells_[i / static_cast<std::size_t>(parts)];
    cells_ = std::move(finer);
    piece_ = piece;
  }

  index bytes_;
  index piece_;
  std::vector<cell> cells_;
};

}  // namespace detail
}  // namespace mmm::gpu
