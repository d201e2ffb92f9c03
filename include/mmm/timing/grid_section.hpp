// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/handle.hpp>
#include <mmm/timing/clocks.hpp>
#include <mmm/timing/dmm_branch.hpp>

//! A section: everything between two barriers of the grid. Branches of different DMMs run at the
//! same time and share the global memory.
namespace mmm::detail {

struct section_clocks {
  double elapsed = 0;
  resource_clocks spent{};
};

//! The branches of a section. Steps are added to `branch()`. DMMs that had no tile since the
//! section began start a branch of their own. So do the DMMs of a partial last pass over tiles
//! whose numbers continue those of earlier tiles: these DMMs have had one tile less than others,
//! and work on the partial pass while the others work on their last tile.
class grid_section {
 public:
  constexpr explicit grid_section(index warps) : warps_(warps) {}

  [[nodiscard]] constexpr dmm_branch& branch() { return branch_; }
  [[nodiscard]] constexpr dmm_branch const& branch() const { return branch_; }

  //! A step on so many DMMs begins: in the partial last pass or after it.
  constexpr void begin_step(index dmms, bool machine_wide) {
    bool const in_last_pass = dmms == last_pass_dmms_ && !machine_wide;
    if (last_pass_dmms_ > 0 && !in_last_pass_ && in_last_pass) {
      in_last_pass_ = true;
      full_passes_ = branch_;
      branch_ = {};
    }
    if (in_last_pass_ && !in_last_pass) end_last_pass();
  }
  //! Tiles are assigned to DMMs, from number `first` on. Their partial last pass is a branch if
  //! their numbers continue those of the last tiles and the first DMM has no tile in that pass.
  constexpr void assign_tiles(dmm_range const& dmms, index first, index tiles) {
    end_last_pass();
    if (dmms.first >= assigned_dmms_ && assigned_dmms_ > 0) end_branch();
    assigned_dmms_ = larger(assigned_dmms_, dmms.first + dmms.count);
    index const end = first + tiles;
    index const of_first_dmm = ceil_divide(end, dmms.count) - ceil_divide(first, dmms.count);
    if (first == next_tile_ && of_first_dmm == tiles / dmms.count && !branch_.in_step())
      last_pass_dmms_ = tiles % dmms.count;
    next_tile_ = end;
  }
  //! Ends the partial last pass, if there is one; the branch of the full passes goes on.
  constexpr void end_last_pass() {
    last_pass_dmms_ = 0;
    if (!in_last_pass_) return;
    end_branch();
    branch_ = full_passes_;
    in_last_pass_ = false;
  }
  //! Ends the section, and begins the next. Its time is the longest branch's, or the memory's for
  //! all branches together, if that is longer.
  [[nodiscard]] constexpr section_clocks end() {
    end_last_pass();
    end_branch();
    section_clocks found = longest_;
    found.elapsed = larger_of(found.elapsed, larger_of(global_memory_, l2_cache_));
    found.spent.global_memory = larger_of(found.spent.global_memory, global_memory_);
    found.spent.l2_cache = larger_of(found.spent.l2_cache, l2_cache_);
    *this = grid_section(warps_);
    return found;
  }

 private:
  constexpr void end_branch() {
    double const clocks = branch_.end(warps_);
    global_memory_ += branch_.spent().global_memory;
    l2_cache_ += branch_.spent().l2_cache;
    if (clocks >= longest_.elapsed) longest_ = {clocks, branch_.spent()};
    branch_ = {};
  }

  index warps_;  //!< of a block
  dmm_branch branch_{};
  dmm_branch full_passes_{};   //!< interrupted by the partial last pass
  bool in_last_pass_ = false;  //!< branch_ is of the partial last pass
  index last_pass_dmms_ = 0;   //!< DMMs of the partial last pass that is expected; 0: none
  index next_tile_ = -1;       //!< the number after that of the last assigned tile
  index assigned_dmms_ = 0;    //!< DMMs that had tiles, and all DMMs before them
  section_clocks longest_{};   //!< of the branches that have ended
  double global_memory_ = 0;   //!< clocks of all branches that have ended
  double l2_cache_ = 0;
};

}  // namespace mmm::detail
