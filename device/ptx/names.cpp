// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/ptx/lexer.hpp>
#include <device/ptx/names.hpp>

#include <charconv>

namespace device::ptx {

namespace {

[[nodiscard]] bool is_numbered(std::string_view name) {
  return name[0] == '%' && is(name.back(), digit);
}

}  // namespace

void names::leave() {
  mark const outer = marks_.back();
  marks_.pop_back();
  while (entries_.size() > outer.entries) {
    entry const& last = entries_.back();
    latest_[last.name] = last.hidden;
    if (is_numbered(last.name)) --numbered_;
    entries_.pop_back();
  }
  ranges_.resize(outer.ranges);
}

bool names::add(std::string_view name, found meaning) {
  auto const index = static_cast<std::uint32_t>(entries_.size());
  auto const [place, is_new] = latest_.try_emplace(name, none);
  std::uint32_t const hidden = place->second;
  if (hidden != none && entries_[hidden].depth == depth()) return false;
  place->second = index;
  entries_.push_back({name, meaning, depth(), hidden});
  if (is_numbered(name)) ++numbered_;
  return true;
}

void names::add_range(std::string_view base, std::uint32_t first, std::uint32_t count) {
  ranges_.push_back({base, first, count, depth()});
}

names::entry const* names::find_entry(std::string_view name) const {
  auto const place = latest_.find(name);
  return place == latest_.end() || place->second == none ? nullptr : &entries_[place->second];
}

names::found names::find(std::string_view name) const {
  bool const numbered = is(name.back(), digit);
  entry const* const exact =
      !numbered || name[0] != '%' || numbered_ != 0 ? find_entry(name) : nullptr;
  if (!numbered) return exact ? exact->meaning : found{};
  // The innermost range wins, unless a single name of that depth or deeper does. There are about
  // six ranges.
  std::size_t digits = name.size();
  while (digits > 0 && is(name[digits - 1], digit)) --digits;
  for (std::size_t i = ranges_.size(); i-- > 0;) {
    range const& r = ranges_[i];
    if (exact && exact->depth >= r.depth) break;
    if (r.base.size() < digits || r.base.size() >= name.size() || !name.starts_with(r.base))
      continue;
    char const* const begin = name.data() + r.base.size();
    char const* const end = name.data() + name.size();
    if (*begin == '0' && end - begin > 1) continue;
    std::uint32_t number = 0;
    if (std::from_chars(begin, end, number).ec == std::errc{} && number < r.count)
      return {found::kind_type::reg, r.first + number, 1};
  }
  return exact ? exact->meaning : found{};
}

}  // namespace device::ptx
