// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/cost.hpp>

#include <vector>

//! The costs of calls that ran on a simulated machine behind somebody else's interface.
namespace mmm {

//! One call.
struct call_cost {
  char const* call = "";     //!< its name: "reduce"
  index items = 0;           //!< length of its range
  mmm::cost cost{};          //!< synchronous: the papers' accounting
  index pipelined_time = 0;  //!< time units; at most cost.time
  //! words that two threads accessed in one step, one of them writing; 0 if not looked for
  index race_count = 0;
};

//! The costs of calls, one after the other. It belongs to whoever wants to know; a policy refers to
//! it.
struct cost_log {
  //! in the order in which they ended; a call that threw is not among them
  std::vector<call_cost> calls{};

  //! Of all calls, one after the other. std::overflow_error if a figure does not fit into 64 bits.
  [[nodiscard]] mmm::cost total() const {
    mmm::cost all;
    for (call_cost const& c : calls) all = all + c.cost;
    return all;
  }
  //! Time units of all calls, pipelined, one after the other. Errors as above.
  [[nodiscard]] index pipelined_time() const { return sum_of(&call_cost::pipelined_time); }
  //! Races of all calls.
  [[nodiscard]] index race_count() const { return sum_of(&call_cost::race_count); }

 private:
  [[nodiscard]] index sum_of(index call_cost::* figure) const {
    index all = 0;
    for (call_cost const& c : calls) all = detail::checked_add(all, c.*figure);
    return all;
  }
};

}  // namespace mmm
