// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

//! Writes results as JSON without another library: values are strings, composed from the inside
//! out.
namespace bench {

[[nodiscard]] inline std::string quoted(std::string const& text) {
  std::string out = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + '"';
}

//! An object whose members keep the order in which they are added.
class json_object {
 public:
  json_object& add(std::string const& name, std::string const& text) {
    return add_json(name, quoted(text));
  }
  json_object& add(std::string const& name, char const* text) {
    return add_json(name, quoted(text));
  }
  json_object& add(std::string const& name, bool value) {
    return add_json(name, value ? "true" : "false");
  }
  json_object& add(std::string const& name, std::int64_t value) {
    return add_json(name, std::to_string(value));
  }
  json_object& add(std::string const& name, int value) {
    return add_json(name, std::to_string(value));
  }
  json_object& add(std::string const& name, double value) {
    char number[32];
    std::snprintf(number, sizeof number, "%.6g", value);
    return add_json(name, std::isfinite(value) ? number : "null");
  }
  json_object& add(std::string const& name, json_object const& value) {
    return add_json(name, value.text());
  }
  json_object& add(std::string const& name, std::vector<json_object> const& list) {
    std::string text = "[";
    for (auto const& one : list) text += (text.size() > 1 ? ",\n  " : "\n  ") + one.text();
    return add_json(name, text + "]");
  }
  json_object& add_json(std::string const& name, std::string const& json) {
    members_ += (members_.empty() ? "" : ", ") + quoted(name) + ": " + json;
    return *this;
  }
  [[nodiscard]] std::string text() const { return '{' + members_ + '}'; }

 private:
  std::string members_;
};

}  // namespace bench
