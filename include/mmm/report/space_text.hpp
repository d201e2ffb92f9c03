// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/choose/best.hpp>
#include <mmm/choose/rank.hpp>
#include <mmm/choose/space.hpp>
#include <mmm/core/config.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/report/drawing.hpp>
#include <mmm/report/prediction_text.hpp>
#include <mmm/report/table.hpp>
#include <mmm/timing/predict.hpp>

#include <string>

//! The ranking of a tuning space as a table, with the reason why each point is not the best.
namespace mmm::report {

namespace detail {

//! The limit whose part of the time is longer than that of the best by most: "instruction issue,
//! 10.3 µs more"; "equal" if there is none.
[[nodiscard]] inline std::string slower_by(prediction const& time, prediction const& best) {
  int largest = 0;
  auto const more = [&](int k) { return time.parts[k] - best.parts[k]; };
  for (int k = 1; k < prediction::limits; ++k)
    if (more(k) > more(largest)) largest = k;
  if (time.microseconds <= best.microseconds) return "takes as long; is later in the space";
  std::string const times = decimal(time.microseconds / best.microseconds, 2) + " times as long";
  if (more(largest) < 0.005) return times;
  return times + ": " + words(static_cast<time_limit>(largest)) + ", " +
         microseconds(more(largest)) + " µs more";
}

}  // namespace detail

//! The condition that a point does not meet, after the name of the filter: "fits the shared memory:
//! bytes of shared memory of a block, 65536 needed, 49152 available".
[[nodiscard]] inline std::string removal_text(rated_point const& point) {
  return std::string(point.filter) + ": " + detail::condition_text(point.unmet);
}

//! The ranking of a space: name, predicted microseconds, what limits the time, and why the point is
//! not the best: how much slower it is, and by which part of its time; or the filter that removed
//! it, with the figures.
template <index Count>
[[nodiscard]] table space_table(space_ranking<Count> const& ranking) {
  table rows({"point", "predicted, µs", "limited by", "why not"});
  for (index k = 0; k < Count; ++k) {
    rated_point const& point = ranking.at(k);
    if (point.removed())
      rows.add({point.name, "-", "-", removal_text(point)});
    else
      rows.add({point.name, microseconds(point.time.microseconds), words(point.time.limit),
                k == 0 ? "" : detail::slower_by(point.time, ranking.at(0).time)});
  }
  return rows;
}
//! The same for a space, a GPU and a problem whose sizes are known at run time:
//! `space_table(gpu::h200::facts, spaces::transposes, size(4096))`.
template <class... Points, class... Filters, class Size, class... More>
[[nodiscard]] table space_table(gpu::device_facts const& facts,
                                tuning_space<point_list<Points...>, Filters...> const& space,
                                Size const& n, More const&... more) {
  return space_table(rank(facts, space, n, more...));
}
//! The same for GPU `G` and a problem that is a constant (mmm::problem_c).
template <class G, class Points, class... Filters, auto Size, auto... More>
[[nodiscard]] table space_table(tuning_space<Points, Filters...> const& space,
                                constant_problem<Size, More...> const& problem) {
  return space_table(rank<G>(space, problem));
}

}  // namespace mmm::report
