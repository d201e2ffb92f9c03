// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/machine/access_kind.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/machine/service.hpp>

#include <algorithm>
#include <string>
#include <vector>

//! Requests of a warp as values, and their pipeline stages.
namespace mmm::report {

//! One lane's wish.
struct lane_access {
  index lane;     //!< lane of the warp; in a trace, the thread
  index address;  //!< the word, 0 or more
  access_kind kind = access_kind::read;
};

//! One warp's request to one memory, ready to be shown by `svg` or `text`.
struct request {
  std::string title;               //!< the line above the picture
  conflict conflicts;              //!< banks, updates or groups; others are shown as banks
  index width;                     //!< banks, and lanes of a warp
  index latency;                   //!< time units
  std::vector<lane_access> lanes;  //!< active lanes only
  index words = 0;                 //!< show at least the words [0, words)
};

namespace detail {

//! A word that one stage serves.
struct served_word {
  index address;
  index column;  //!< bank, or position in the address group, or place among the stage's accesses
  access_kind kind;
  std::vector<index> lanes;  //!< all that ask for it
};

//! The words that the memory serves in one time unit (per port).
using pipeline_stage = std::vector<served_word>;

//! Adds an access to a stage, to an equal address if there is one.
inline void add_access(pipeline_stage& stage, lane_access const& access, index column) {
  for (served_word& word : stage) {
    if (word.address == access.address) {
      word.lanes.push_back(access.lane);
      return;
    }
  }
  stage.push_back({access.address, column, access.kind, {access.lane}});
}

//! The stages of one request on banks or groups; of one round on a PRAM (`none`) or BPRAM
//! (`amount`).
//! A bank serves its words in the order of the lanes that first ask for them.
[[nodiscard]] inline std::vector<pipeline_stage> stages_of(
    conflict conflicts, index width, std::vector<lane_access> const& accesses) {
  std::vector<pipeline_stage> stages;
  if (conflicts == conflict::none || conflicts == conflict::amount) {
    std::size_t const in_stage =
        conflicts == conflict::none ? accesses.size() : static_cast<std::size_t>(width);
    for (std::size_t k = 0; k < accesses.size(); ++k) {
      if (k % in_stage == 0) stages.emplace_back();
      lane_access const& a = accesses[k];
      stages.back().push_back({a.address, static_cast<index>(k % in_stage), a.kind, {a.lane}});
    }
    return stages;
  }
  std::vector<mmm::detail::served_lane> served(accesses.size());
  index const count = mmm::detail::serve(
      mmm::detail::service_for(conflicts, width), static_cast<int>(accesses.size()),
      [&](int k) {
        index const address = accesses[static_cast<std::size_t>(k)].address;
        // each update is served for itself: as a word of its own in the same bank
        return conflicts == conflict::updates ? address % width + k * width : address;
      },
      served.data());
  stages.resize(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < accesses.size(); ++k)
    add_access(stages[static_cast<std::size_t>(served[k].stage)], accesses[k],
               accesses[k].address % width);
  return stages;
}

//! "7", "7, 9", "0-31", "0, 8, … (4)".
[[nodiscard]] inline std::string lane_list(std::vector<index> const& lanes) {
  if (lanes.size() == 1) return std::to_string(lanes[0]);
  bool consecutive = lanes.size() > 2;
  for (std::size_t k = 1; k < lanes.size(); ++k)
    consecutive = consecutive && lanes[k] == lanes[k - 1] + 1;
  if (consecutive) return std::to_string(lanes.front()) + "-" + std::to_string(lanes.back());
  if (lanes.size() > 8)
    return std::to_string(lanes[0]) + ", " + std::to_string(lanes[1]) + ", … (" +
           std::to_string(lanes.size()) + ")";
  std::string list;
  for (index const lane : lanes) list += (list.empty() ? "" : ", ") + std::to_string(lane);
  return list;
}

}  // namespace detail

//! The number of pipeline stages of a request.
[[nodiscard]] inline index stages(request const& r) {
  return static_cast<index>(detail::stages_of(r.conflicts, r.width, r.lanes).size());
}

//! One sentence with the figures: why the request takes as many stages as it does.
[[nodiscard]] inline std::string caption(request const& r) {
  auto const pipeline = detail::stages_of(r.conflicts, r.width, r.lanes);
  auto const count = static_cast<index>(pipeline.size());
  if (count == 0) return "No lane asks for anything: no stage, no time.";
  std::string const figures = std::to_string(count) + (count == 1 ? " stage, " : " stages, ") +
                              std::to_string(count) + " + " + std::to_string(r.latency) +
                              " - 1 = " + std::to_string(count + r.latency - 1) +
                              (count + r.latency == 2 ? " time unit" : " time units") +
                              " at latency " + std::to_string(r.latency) + '.';
  std::vector<index> distinct;  // r.lanes has a lane as often as it asks for words
  for (lane_access const& access : r.lanes)
    if (std::find(distinct.begin(), distinct.end(), access.lane) == distinct.end())
      distinct.push_back(access.lane);
  std::string const lanes =
      std::to_string(distinct.size()) + (distinct.size() == 1 ? " lane" : " lanes");
  if (r.conflicts == conflict::groups)
    return "The words of " + lanes + " lie in " + std::to_string(count) + " address group" +
           (count == 1 ? "" : "s") + ", and the memory serves one group per time unit: " + figures;
  if (r.conflicts == conflict::updates)
    return "Bank " + std::to_string(pipeline.back().front().column) + " is asked for " +
           std::to_string(count) + (count == 1 ? " update" : " updates") +
           " and makes one per time unit: " + figures;
  if (r.conflicts != conflict::banks) return lanes + ": " + figures;
  if (count == 1)
    return "No bank is asked for two different words by the " + lanes +
           ", so all are served at once: " + figures;
  return "Bank " + std::to_string(pipeline.back().front().column) + " is asked for " +
         std::to_string(count) + " different words and serves one per time unit: " + figures;
}

}  // namespace mmm::report
