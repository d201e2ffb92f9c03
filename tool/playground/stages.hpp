// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/report/request.hpp>

#include <nlohmann/json.hpp>

namespace playground {

//! The words that one stage serves: address, column (bank, or place in the group), lanes.
[[nodiscard]] inline nlohmann::ordered_json words_of(mmm::report::detail::pipeline_stage const& s) {
  auto words = nlohmann::ordered_json::array();
  for (mmm::report::detail::served_word const& word : s)
    words.push_back({{"address", word.address},
                     {"column", word.column},
                     {"writes", word.kind != mmm::access_kind::read},
                     {"lanes", word.lanes}});
  return words;
}

}  // namespace playground
