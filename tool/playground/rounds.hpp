// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nlohmann/json.hpp>

//! Algorithms on small machines, round by round.
namespace playground {

using json = nlohmann::ordered_json;

//! The algorithms that can be stepped through: their names, what they do, the machines they run on,
//! and what their size is.
[[nodiscard]] json algorithm_list();

//! Runs `{"algorithm", "machine": "dmm" or "umm", "width", "latency", "threads", "size"}`: the cost
//! in time units, and for every round its stages and the words that they serve. Throws
//! tool::failure that names what cannot be used.
[[nodiscard]] json rounds_of(json const& asked);

}  // namespace playground
