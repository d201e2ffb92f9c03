// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/access.hpp>
#include <mmm/gpu/request.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/report/request_svg.hpp>
#include <mmm/report/request_text.hpp>
#include <mmm/report/table.hpp>
#include <mmm/report/warp_request.hpp>

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <utility>
#include <vector>

//! Explanations of a GPU's requests to shared memory: which lanes collide, in which bank, and why.
namespace mmm::report {

//! The explanation of a request to shared memory.
struct explanation {
  //! all parts: figures, a table of phases, the reason, the banks of the phase that takes longest
  std::string text;
  std::string svg;        //!< a picture of the phase that takes longest
  gpu::shared_cost cost;  //!< what a profiler counts
  // The parts of `text`, without the banks.
  std::string title;
  std::string summary;                       //!< the access and its figures, in a line
  table phases{std::vector<std::string>{}};  //!< a row for each phase
  std::string reason;                        //!< of the wavefronts, in a sentence
};

namespace detail {

[[nodiscard]] inline std::vector<index> lanes_in(gpu::lane_mask mask) {
  std::vector<index> lanes;
  for (; mask != 0; mask &= mask - 1) lanes.push_back(std::countr_zero(mask));
  return lanes;
}

//! "16-byte load", "ldmatrix.x4".
[[nodiscard]] inline std::string access_text(gpu::warp_access const& a) {
  if (a.of_matrices())
    return (a.writes() ? "stmatrix.x" : "ldmatrix.x") + std::to_string(a.matrices);
  return std::to_string(a.bytes) + "-byte " + (a.writes() ? "store" : "load");
}

//! The words that the lanes of one phase ask for, as a request to banks.
[[nodiscard]] inline request phase_request(gpu::warp_access const& a,
                                           std::span<index const> addresses, int banks,
                                           gpu::lane_mask lanes, std::string title) {
  request result{std::move(title), conflict::banks, banks, 1, {}};
  for (index const lane : lanes_in(lanes)) {
    index const first = addresses[static_cast<std::size_t>(lane)] / 4;
    for (index word = first; word < first + std::max(1, a.bytes / 4); ++word)
      result.lanes.push_back({lane, word, a.writes() ? access_kind::write : access_kind::read});
  }
  return result;
}

//! The byte addresses of the first four of some lanes, as text.
[[nodiscard]] inline std::string address_list(std::span<index const> addresses,
                                              gpu::lane_mask lanes) {
  std::string list;
  int shown = 0;
  for (index const lane : lanes_in(lanes)) {
    if (++shown > 4) return list + ", …";
    list += (list.empty() ? "" : ", ") + std::to_string(addresses[static_cast<std::size_t>(lane)]);
  }
  return list;
}

}  // namespace detail

//! Explains the request of one warp, given by its byte addresses; parameters and errors as
//! gpu::explain_shared. \param title the explanation's first line; empty: names the access. Time:
//! O(lanes^2).
template <gpu::bank_rules Rules = gpu::nvidia>
[[nodiscard]] explanation explain(gpu::warp_access const& a, std::span<index const> addresses,
                                  gpu::lane_mask active = ~gpu::lane_mask{0},
                                  std::string title = {}) {
  gpu::shared_request const request = gpu::explain_shared<Rules>(a, addresses, active);
  explanation result;
  result.cost = request.cost();
  if (title.empty()) title = "a warp's " + detail::access_text(a);
  auto const& counted = detail::counted;
  result.title = title;
  result.summary = detail::access_text(a) + ": " + counted(result.cost.wavefronts, "wavefront") +
                   ", " + std::to_string(result.cost.ideal) + " without conflicts, " +
                   std::to_string(result.cost.excessive()) + " excessive";
  result.text = title + '\n' + result.summary + '\n';
  if (request.phases == 0) {
    result.reason = "No lane takes part.";
    result.text += result.reason + '\n';
    result.svg = svg(detail::phase_request(a, addresses, Rules::banks, 0, title));
    return result;
  }

  table& phases = result.phases;
  phases =
      table({"phase", "lanes", "wavefronts", "worst bank", "its lanes", "their byte addresses"});
  int const worst = request.worst_number();
  for (int p = 0; p < request.phases; ++p) {
    gpu::phase_cost const& phase = request.phase[p];
    bool const clean = phase.wavefronts == 1;
    phases.add({std::to_string(p + 1), detail::lane_list(detail::lanes_in(phase.lanes)),
                std::to_string(phase.wavefronts), clean ? "-" : std::to_string(phase.worst_bank),
                clean ? "" : detail::lane_list(detail::lanes_in(phase.colliding)),
                clean ? "" : detail::address_list(addresses, phase.colliding)});
  }
  gpu::phase_cost const& longest = request.phase[worst];
  index const round = index{4} * Rules::banks;
  result.reason = longest.wavefronts == 1
                      ? "In no phase is a bank asked for two different words."
                      : "Bank " + std::to_string(longest.worst_bank) + " is asked for " +
                            std::to_string(longest.wavefronts) + " different words by lanes " +
                            detail::lane_list(detail::lanes_in(longest.colliding)) +
                            ": they lie multiples of " + std::to_string(round) + " bytes apart (" +
                            std::to_string(Rules::banks) +
                            " banks of 4), and a wavefront serves one word of a bank.";
  std::string const name = "phase " + std::to_string(worst + 1) + " of " +
                           std::to_string(request.phases) + ": " + detail::access_text(a);
  mmm::report::request const picture =
      detail::phase_request(a, addresses, Rules::banks, longest.lanes, name);
  result.text +=
      '\n' + mmm::report::text(phases) + '\n' + result.reason + "\n\n" + mmm::report::text(picture);
  result.svg = svg(std::vector<mmm::report::request>{picture}, title);
  return result;
}

}  // namespace mmm::report
