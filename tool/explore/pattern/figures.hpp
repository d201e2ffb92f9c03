// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/gpu/access.hpp>

#include "options.hpp"

#include <string>
#include <vector>

//! The cost of a pattern.
namespace explore::pattern {

//! A layout with which the same accesses cost less.
struct better_layout {
  std::string how;       //!< in words; empty if there is none
  std::string text;      //!< the expression
  index takes = 0;       //!< stages or wavefronts of the items that `over` says
  index over = 0;        //!< items that the layouts were compared for
  index instead_of = 0;  //!< what the pattern itself takes for them
};

//! A warp's request that is looked at.
struct warp_request {
  index warp = 0;
  index takes = 0;             //!< stages, wavefronts or sectors
  std::vector<index> lane;     //!< active lanes
  std::vector<index> address;  //!< theirs
};

//! On a dmm or umm: stages; on a GPU: wavefronts, or sectors.
struct figures {
  index requests = 0;  //!< warps with an active lane
  index takes = 0;
  index least = 0;  //!< the fewest that such requests can take
  index lines = 0;  //!< of a GPU's global memory
  bool closed_form = true;
  warp_request worst;    //!< the first warp that takes longest
  index warps_seen = 0;  //!< warps that were looked at for it
  index worst_bank = 0;
  std::vector<index> colliding;  //!< lanes: of the worst bank, or the first lanes of address groups
  better_layout better;
};

//! The figures of a pattern. Throws tool::failure or what the library throws for addresses that are
//! negative, not aligned or over 64 bits.
[[nodiscard]] figures figures_of(options const& o, addresses const& of);

//! The same without the search for a better layout.
[[nodiscard]] figures plain_figures(options const& o, addresses const& of);

//! The access of a GPU.
[[nodiscard]] mmm::gpu::warp_access access_of(options const& o);

//! True if the GPU serves pairs of lanes of wide loads together: where that was measured, as
//! mmm-run does.
[[nodiscard]] bool merges_pairs(options const& o);

}  // namespace explore::pattern
