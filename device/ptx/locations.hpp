// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/ptx/lexer.hpp>
#include <device/ptx/module.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace device::ptx {

//! Collects a body's locations, each once.
class location_table {
 public:
  location_table(module const& source, std::vector<location>& into)
      : module_(source), into_(into) {}

  //! The rest of a `.loc`; the index of what it says.
  [[nodiscard]] std::uint32_t read(lexer&);

 private:
  using place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  //!< file, line, column
  using function_name = std::pair<std::string_view, std::uint64_t>;       //!< label and offset
  //! A place in a function that is inlined at another location.
  using key = std::tuple<place, function_name, std::uint32_t>;
  //! The locations of a place in one function.
  struct places_in_function {
    std::uint32_t latest = none;
    std::unordered_map<std::uint32_t, std::uint32_t> by_call;  //!< location::inlined_at -> location
  };

  module const& module_;
  std::vector<location>& into_;
  std::map<key, std::uint32_t> known_;
  std::map<std::pair<place, function_name>, places_in_function> in_functions_;
  //! the function of the latest location there
  std::map<place, function_name> latest_;
  //! place of a call, callee -> caller
  std::map<std::pair<place, function_name>, function_name> callers_;
  //! by location: how many calls are around it
  std::vector<std::uint32_t> depth_;
  std::vector<std::uint32_t> stamp_;  //!< by location: the latest search in whose chain it was
  std::uint32_t search_ = 0;
  std::uint32_t previous_ = none;
  function_name previous_function_;

  [[nodiscard]] static place read_place(lexer&);
  [[nodiscard]] place place_of(std::uint32_t index) const;
  [[nodiscard]] std::string name_at(lexer const&, function_name const&) const;
  [[nodiscard]] std::uint32_t find_call(place const&, function_name const& callee);
  [[nodiscard]] std::uint32_t find_near(place const&, places_in_function const&);
  [[nodiscard]] bool is_previous(place const&, function_name const&, place const& call) const;
  [[nodiscard]] std::uint32_t add(lexer const&, place const&, function_name const&,
                                  std::uint32_t inlined_at);
};

}  // namespace device::ptx
