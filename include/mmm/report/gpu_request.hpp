// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/access.hpp>
#include <mmm/gpu/cost.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/report/explanation.hpp>
#include <mmm/report/expression.hpp>

#include <string>
#include <utility>
#include <vector>

//! Explanations of requests to a real GPU's shared memory by an index expression.
namespace mmm::report {

//! Explains the request of warp `warp`, whose lane t accesses byte address `bytes(warp * lanes +
//! t)`.
template <gpu::static_access A, gpu::bank_rules Rules = gpu::nvidia, expression E>
[[nodiscard]] explanation explain(E const& bytes, std::string title = {}, index warp = 0) {
  std::vector<index> addresses;
  for (int t = 0; t < Rules::lanes; ++t) addresses.push_back(bytes(warp * Rules::lanes + t));
  if (title.empty())
    title = "lane i: " + detail::access_text(A{}) + " at byte " + text(bytes, {.item = "i"});
  return explain<Rules>(A{}, addresses, ~gpu::lane_mask{0}, std::move(title));
}

}  // namespace mmm::report
