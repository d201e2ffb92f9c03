// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/report/expression.hpp>
#include <mmm/report/warp_request.hpp>

#include <initializer_list>
#include <string>
#include <utility>

//! Requests of a warp by an index expression or by a list of addresses.
namespace mmm::report {

//! The request of one warp whose lane `t` asks memory `m` for address `e(warp * w + t)`, which must
//! not be negative (std::invalid_argument). \param title empty: the expression's text. \param words
//! show at least the words [0, words).
template <memory M, expression E>
[[nodiscard]] request request_of(M const& m, E const& e, std::string title = {}, index words = 0,
                                 index warp = 0) {
  request result{
      title.empty() ? "lane i asks for word " + text(e, {.item = "i"}) : std::move(title),
      M::conflicts,
      m.width(),
      m.latency(),
      {},
      words};
  for (index t = 0; t < m.width(); ++t) {
    index const address = e(warp * m.width() + t);
    if (address < 0) mmm::detail::reject("an address", address, "0 or more");
    result.lanes.push_back({t, address});
  }
  return result;
}
template <memory M, expression E>
[[nodiscard]] request request_of(E const& e, std::string title = {}, index words = 0,
                                 index warp = 0) {
  return request_of(M{}, e, std::move(title), words, warp);
}

//! The request of lanes 0, 1, … for given addresses.
template <memory M>
[[nodiscard]] request request_of(M const& m, std::initializer_list<index> addresses,
                                 std::string title = {}, index words = 0) {
  request result{title.empty() ? "one warp's request" : std::move(title),
                 M::conflicts,
                 m.width(),
                 m.latency(),
                 {},
                 words};
  if (static_cast<index>(addresses.size()) > m.width())
    mmm::detail::reject("the number of a warp's addresses", static_cast<index>(addresses.size()),
                        "the width or fewer");
  for (index const address : addresses) {
    if (address < 0) mmm::detail::reject("an address", address, "0 or more");
    result.lanes.push_back({static_cast<index>(result.lanes.size()), address});
  }
  return result;
}

}  // namespace mmm::report
