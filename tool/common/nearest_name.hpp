// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/failure.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tool {

//! "pram, dmm, umm".
[[nodiscard]] std::string joined(std::vector<std::string> const& names);

//! "; did you mean convolution?": the name with the fewest insertions, deletions, replacements and
//! swaps of neighbours from what is written; empty if each name needs more than a third of its
//! letters, or if there is one name only. Time: O(letters squared) for each name.
[[nodiscard]] std::string suggestion(std::string_view written,
                                     std::vector<std::string> const& names);

//! The failure of a name that is none of `names`.
[[nodiscard]] failure no_such_name(std::string const& option, std::string_view written,
                                   std::vector<std::string> const& names);

}  // namespace tool
