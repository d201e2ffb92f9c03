// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/text.hpp>

namespace tool {

std::string shortened(std::string_view text, std::size_t most) {
  std::string shown;
  for (char const c : text.substr(0, most)) shown += c < ' ' || c > '~' ? '?' : c;
  return text.size() > most ? shown + "…" : shown;
}

std::string shown_path(std::string const& path) {
  if (path.size() > 4096) return shortened(path);
  std::string shown = path;
  for (char& c : shown)
    if ((c >= '\0' && c < ' ') || c == '\x7F') c = '?';
  return shown;
}

std::string in_quotes(std::string_view text) { return '"' + shortened(text) + '"'; }

std::optional<std::string_view> utf8_text(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) return text.substr(3);
  if (text.starts_with("\xFE\xFF") || text.starts_with("\xFF\xFE")) return std::nullopt;
  if (text.size() >= 2 && (text[0] == '\0') != (text[1] == '\0')) return std::nullopt;
  return text;
}

}  // namespace tool
