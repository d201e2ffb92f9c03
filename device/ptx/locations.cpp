// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/ptx/constant.hpp>
#include <device/ptx/locations.hpp>

namespace device::ptx {

location_table::place location_table::read_place(lexer& text) {
  std::uint32_t const file = text.small_number();
  std::uint32_t const line = text.small_number();
  return {file, line, text.small_number()};
}

location_table::place location_table::place_of(std::uint32_t index) const {
  location const& l = into_[index];
  return {l.file, l.line, l.column};
}

std::string location_table::name_at(lexer const& text, function_name const& name) const {
  auto const& [label, offset] = name;
  if (label.empty()) return {};
  auto const found = module_.debug_offsets.find(std::string{label});
  if (found == module_.debug_offsets.end()) return {};  // the section may have been stripped
  if (offset >= module_.debug_bytes.size() - found->second)
    text.fail("a name behind the end of .debug_str", label);
  return module_.debug_bytes.c_str() + found->second + offset;
}

std::uint32_t location_table::add(lexer const& text, place const& where,
                                  function_name const& function, std::uint32_t inlined_at) {
  auto const [position, is_new] = known_.try_emplace({where, function, inlined_at}, none);
  if (is_new) {
    auto const index = position->second = static_cast<std::uint32_t>(into_.size());
    auto const& [file, line, column] = where;
    into_.push_back({file, line, column, name_at(text, function), inlined_at});
    depth_.push_back(inlined_at == none ? 0 : depth_[inlined_at] + 1);
    stamp_.push_back(0);
    in_functions_[{where, function}].by_call[inlined_at] = index;
  }
  in_functions_[{where, function}].latest = position->second;
  latest_[where] = function;
  return position->second;
}

// The compiler writes the place of a call before what is inlined there, but only once, and names it
// without its own callers. A function that is inlined twice has all its calls at two locations of
// the same place. Two things tell them apart: the caller is the same function as when its location
// was written just before, which matters where templates call themselves; and instructions that
// follow each other mostly have the same callers.
std::uint32_t location_table::find_call(place const& call, function_name const& callee) {
  auto const any = latest_.find(call);
  if (any == latest_.end()) return none;
  function_name caller = any->second;
  if (previous_ != none && place_of(previous_) == call) {
    caller = callers_[{call, callee}] = previous_function_;
  } else if (auto const known = callers_.find({call, callee}); known != callers_.end()) {
    caller = known->second;
  }
  places_in_function const& all = in_functions_.at({call, caller});
  return all.by_call.size() == 1 ? all.latest : find_near(call, all);
}

// Looked at are those whose caller is the previous location or one of its callers, and the latest.
std::uint32_t location_table::find_near(place const& call, places_in_function const& all) {
  ++search_;
  std::uint32_t near = none;
  std::uint32_t shared = 0;
  for (std::uint32_t i = previous_; i != none; i = into_[i].inlined_at) {
    stamp_[i] = search_;
    if (near != none) continue;
    if (place_of(i) == call) {
      auto const self = all.by_call.find(into_[i].inlined_at);
      if (self != all.by_call.end() && self->second == i) near = i;
    }
    if (auto const callee = all.by_call.find(i); near == none && callee != all.by_call.end())
      near = callee->second;
    if (near != none) shared = depth_[i] + 1;
  }
  std::uint32_t common = all.latest;
  while (common != none && stamp_[common] != search_) common = into_[common].inlined_at;
  return near != none && (common == none || depth_[common] + 1 <= shared) ? near : all.latest;
}

bool location_table::is_previous(place const& here, function_name const& function,
                                 place const& call) const {
  if (previous_ == none || previous_function_ != function || place_of(previous_) != here)
    return false;
  std::uint32_t const inlined_at = into_[previous_].inlined_at;
  return inlined_at != none && place_of(inlined_at) == call;
}

std::uint32_t location_table::read(lexer& text) {
  place const here = read_place(text);
  function_name function;
  place call;
  bool is_inlined = false;
  while (text.accept(',')) {
    std::string_view const word = text.word();
    if (word == "function_name") {
      function.first = text.word();
      function.second = read_addend(text);
    } else if (word == "inlined_at") {
      call = read_place(text);
      is_inlined = true;
    } else {
      text.fail("unknown part of `.loc`", word);
    }
  }
  std::uint32_t inlined_at = none;
  if (is_inlined) {
    if (is_previous(here, function, call)) return previous_;
    inlined_at = find_call(call, function);
    if (inlined_at == none) inlined_at = add(text, call, {}, none);
  }
  previous_ = add(text, here, function, inlined_at);
  previous_function_ = function;
  return previous_;
}

}  // namespace device::ptx
