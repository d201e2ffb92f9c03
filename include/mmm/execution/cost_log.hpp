// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/cost.hpp>

#include <vector>

//! A log of the costs of calls that run on a simulated machine behind another interface, such as
//! Thrust's.
namespace mmm {

//! The cost of one call.
struct call_cost {
  char const* call = "";     //!< its name: "reduce"
  index items = 0;           //!< length of its range
  mmm::cost cost{};          //!< synchronous: the papers' accounting
  index pipelined_time = 0;  //!< time units; at most cost.time
  //! races of the call: words that two threads accessed in one step, at least one by a write; 0 if
  //! races were not observed
  index race_count = 0;
};

//! The costs of successive calls. The caller owns the log; a policy refers to it.
struct cost_log {
  //! the calls in the order in which they ended, without those that threw
  std::vector<call_cost> calls{};

  //! The sum of all calls' costs. std::overflow_error if a figure does not fit into 64 bits.
  [[nodiscard]] mmm::cost total() const {
    mmm::cost all;
    for (call_cost const& c : calls) all = all + c.cost;
    return all;
  }
  //! The sum of all calls' pipelined times, in time units. std::overflow_error if it does not fit
  //! into 64 bits.
  [[nodiscard]] index pipelined_time() const { return sum_of(&call_cost::pipelined_time); }
  //! The number of races in all calls.
  [[nodiscard]] index race_count() const { return sum_of(&call_cost::race_count); }

 private:
  [[nodiscard]] index sum_of(index call_cost::* figure) const {
    index all = 0;
    for (call_cost const& c : calls) all = detail::checked_add(all, c.*figure);
    return all;
  }
};

}  // namespace mmm
