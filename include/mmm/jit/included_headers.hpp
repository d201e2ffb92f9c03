// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/jit/disk_cache.hpp>
#include <mmm/jit/file_state.hpp>
#include <mmm/jit/standard_headers.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

//! The headers that a source includes, and their state, which is part of a kernel's key.
namespace mmm::jit::detail {

//! A header as an #include names it.
struct include_line {
  std::string name;
  bool quoted = false;
};
//! The header that a line includes, if it includes one.
[[nodiscard]] inline std::optional<include_line> include_of(std::string_view line) {
  auto const skip = [&](std::string_view word) {
    line.remove_prefix(line.find_first_not_of(" \t") == std::string_view::npos
                           ? line.size()
                           : line.find_first_not_of(" \t"));
    if (line.substr(0, word.size()) != word) return false;
    line.remove_prefix(word.size());
    return true;
  };
  if (!skip("#") || !skip("include")) return {};
  bool const quoted = skip("\"");
  if (!quoted && !skip("<")) return {};
  std::size_t const end = line.find(quoted ? '"' : '>');
  if (end == std::string_view::npos) return {};
  return include_line{std::string(line.substr(0, end)), quoted};
}

//! The value of an option that NVRTC takes as `-Ivalue`, `-I=value`, `--long=value`, or as two
//! options; nothing if option `position` is another one. Moves `position` to the last option read.
[[nodiscard]] inline std::optional<std::string> option_value(
    std::vector<std::string> const& options, std::size_t& position, std::string_view short_name,
    std::string_view long_name) {
  std::string_view const option = options[position];
  for (std::string_view const name : {long_name, short_name}) {
    if (option.substr(0, name.size()) != name) continue;
    std::string_view rest = option.substr(name.size());
    if (rest.empty())
      return ++position < options.size() ? std::optional(options[position]) : std::nullopt;
    if (rest.front() == '=') return std::string(rest.substr(1));
    if (name == short_name) return std::string(rest);
  }
  return {};
}

//! The files that a source includes, itself or by others, whatever its conditions are. Headers
//! whose names are macros are not among them.
class included_headers {
 public:
  //! Errors: none; a header that is not found is NVRTC's own, or NVRTC reports it.
  included_headers(std::string const& source, std::vector<std::string> const& options) {
    std::vector<std::string> first;
    for (std::size_t k = 0; k < options.size(); ++k) {
      if (auto folder = option_value(options, k, "-I", "--include-path"))
        folders_.push_back(*folder);
      else if (k < options.size())
        if (auto header = option_value(options, k, "-include", "--pre-include"))
          first.push_back(*header);
    }
    for (std::string const& header : first) find({header, true}, ".");
    scan(source, "");
  }
  //! The files, and those that were looked for before them and are absent.
  [[nodiscard]] std::vector<std::string> const& paths() const { return paths_; }

 private:
  void scan(std::string_view text, std::string const& folder) {
    while (!text.empty()) {
      std::size_t const end = text.find('\n');
      if (auto const header = include_of(text.substr(0, end))) find(*header, folder);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
  }
  //! \param folder of the file that includes the header; empty for one in memory.
  void find(include_line const& header, std::string const& folder) {
    for (source_file const& own : standard_headers)
      if (header.name == own.name) {
        if (known_.insert(header.name).second) scan(own.text, "");
        return;
      }
    if (!header.name.empty() && header.name.front() == '/') {
      read(header.name);
      return;
    }
    if (header.quoted && !folder.empty() && read(folder + '/' + header.name)) return;
    for (std::string const& one : folders_)
      if (read(one + '/' + header.name)) return;
  }
  //! Notes a file and reads it. False if it is absent.
  bool read(std::string const& path) {
    auto const [place, is_new] = files_.try_emplace(path, false);
    if (!is_new) return place->second;
    paths_.push_back(path);
    if (file_state(path) == "absent") return false;
    place->second = true;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    scan(text.str(), path.substr(0, path.rfind('/')));
    return true;
  }

  std::vector<std::string> folders_;
  std::vector<std::string> paths_;
  std::map<std::string, bool> files_;
  std::set<std::string> known_;
};

//! A text that differs if one of these files differs, by its size or time, or has come or gone.
[[nodiscard]] inline std::string state_of_files(std::vector<std::string> const& paths) {
  std::uint64_t hash = hash_of("");
  for (std::string const& path : paths) hash = hash_of(path + ' ' + file_state(path) + '\n', hash);
  return hex_text(hash);
}

//! The headers of a source, and their state.
struct header_list {
  std::vector<std::string> paths;
  std::string state;
  [[nodiscard]] bool is_unchanged() const { return state_of_files(paths) == state; }
};

//! The headers that a source includes. The list is in the cache, with their state when it was made:
//! if that has changed, it is made again. A process asks once for a source and its options.
[[nodiscard]] inline header_list const& headers_of(std::string const& source,
                                                   std::vector<std::string> const& options,
                                                   disk_cache const& cache) {
  static std::mutex one;
  static std::map<std::string, header_list> known;
  std::string key = "headers of a source";
  for (std::string const& option : options) key += "\n" + option;
  for (source_file const& file : standard_headers) key += file.text;
  key += "\n" + source;
  std::lock_guard const lock(one);
  if (auto const found = known.find(key); found != known.end()) return found->second;
  header_list list;
  if (std::optional<std::string> const entry = cache.find(key)) {
    std::istringstream lines(*entry);
    std::getline(lines, list.state);
    for (std::string path; std::getline(lines, path);) list.paths.push_back(path);
    if (list.is_unchanged()) return known.emplace(std::move(key), std::move(list)).first->second;
  }
  list.paths = included_headers(source, options).paths();
  list.state = state_of_files(list.paths);
  std::string entry = list.state + '\n';
  for (std::string const& path : list.paths) entry += path + '\n';
  // If the cache cannot be written, storing the kernel reports it.
  static_cast<void>(cache.store(key, entry));
  return known.emplace(std::move(key), std::move(list)).first->second;
}

}  // namespace mmm::jit::detail
