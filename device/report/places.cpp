// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "places.hpp"

#include <device/decode/source_place.hpp>

#include <algorithm>

namespace device::report {

place_table::place_table(std::string folder)
    : folder_(std::move(folder)), paths_{{}}, shown_{{}}, of_libraries_{false} {
  if (!folder_.empty() && folder_.back() != '/') folder_ += '/';
  files_.emplace(std::string{}, 0U);
}

std::string place_table::shown(std::string_view path) const {
  if (!folder_.empty() && path.starts_with(folder_)) path.remove_prefix(folder_.size());
  return std::string(path);
}

std::string place_table::shown_in(std::string text) const {
  if (folder_.size() < 2) return text;
  for (std::size_t found = 0; (found = text.find(folder_, found)) != std::string::npos;)
    text.erase(found, folder_.size());
  return text;
}

std::uint32_t place_table::file_number(std::string const& path) {
  auto const [found, is_new] = files_.try_emplace(path, static_cast<std::uint32_t>(paths_.size()));
  if (is_new) {
    paths_.push_back(path);
    shown_.push_back(shown(path));
    of_libraries_.push_back(decode::is_of_libraries(path));
  }
  return found->second;
}

std::uint32_t place_table::site_number(site s) {
  auto const [found, is_new] =
      numbers_.try_emplace(std::move(s), static_cast<std::uint32_t>(sites_.size()));
  if (is_new) sites_.push_back(found->first);
  return found->second;
}

std::vector<std::uint32_t> const& place_table::sites_of(program const& p) {
  known_program& known = programs_[&p];
  if (known.name == p.name && known.site_of.size() == p.operations.size()) return known.site_of;
  known = {p.name, {}};
  std::unordered_map<std::uint32_t, std::uint32_t> of_location;
  for (std::size_t k = 0; k < p.operations.size(); ++k) {
    std::uint32_t const first = k < p.location_of.size() ? p.location_of[k] : ptx::none;
    auto const [found, is_new] = of_location.try_emplace(first, 0U);
    if (is_new) {
      site s;
      for (std::uint32_t number = first; number < p.body.locations.size();
           number = p.body.locations[number].inlined_at) {
        ptx::location const& l = p.body.locations[number];
        auto const name = p.source_module->files.find(l.file);
        if (l.line != 0 && name != p.source_module->files.end())
          s.push_back({file_number(name->second), l.line});
        if (s.size() > 200) break;  // a chain that leads back to itself
      }
      if (s.empty()) s.push_back({});
      found->second = site_number(std::move(s));
    }
    known.site_of.push_back(found->second);
  }
  return known.site_of;
}

place place_table::own(site const& chain) const {
  auto const found =
      std::find_if(chain.begin(), chain.end(), [&](place p) { return !of_libraries_[p.file]; });
  return found == chain.end() ? chain.front() : *found;
}

std::string place_table::text(place p) const {
  return p.known() ? file(p) + ':' + std::to_string(p.line) : "no line";
}

}  // namespace device::report
