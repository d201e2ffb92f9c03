// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

//! The shapes of the pictures, as SVG. Coordinates are whole pixels.
namespace mmm::report::detail {

//! Text escaped for XML, attributes included. Control characters, which XML forbids, become spaces.
[[nodiscard]] inline std::string escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (char const c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? ' ' : c;
    }
  }
  return result;
}

//! "1 stage", "2 stages".
[[nodiscard]] inline std::string counted(index n, std::string_view noun) {
  return std::to_string(n) + ' ' + std::string(noun) + (n == 1 ? "" : "s");
}

//! A number with so many digits after its point.
[[nodiscard]] inline std::string decimal(double value, int digits) {
  char text[352];  // the largest double has 309 digits before its point
  static_cast<void>(std::snprintf(text, sizeof text, "%.*f", digits, value));
  return text;
}

//! "1 234 567": a number's digits in groups of three.
[[nodiscard]] inline std::string grouped(index n, char separator = ' ') {
  std::string text = std::to_string(n);
  for (std::size_t k = text.size(); k > (n < 0 ? 4U : 3U); k -= 3) text.insert(k - 3, 1, separator);
  return text;
}

[[nodiscard]] inline std::string padded_left(std::string const& text, std::size_t width) {
  return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}

//! Colours that colour-blind readers can distinguish (Okabe and Ito), on a light background.
struct palette {
  static constexpr char const* paper = "#ffffff";
  static constexpr char const* ink = "#1a1a1a";
  static constexpr char const* quiet = "#5f6670";
  static constexpr char const* rule = "#c9ced6";
  static constexpr char const* cell = "#f6f7f9";
  static constexpr char const* fetched = "#dfe5ec";
  static constexpr char const* good = "#0072b2";
  static constexpr char const* bad = "#d55e00";
  static constexpr int warps = 6;
  //! A strong and a pale colour for a warp.
  [[nodiscard]] static constexpr char const* strong(index warp) {
    constexpr char const* list[warps] = {"#0072b2", "#d55e00", "#007a5a",
                                         "#9a4f80", "#7a6500", "#3b3b3b"};
    return list[warp % warps];
  }
  [[nodiscard]] static constexpr char const* pale(index warp) {
    constexpr char const* list[warps] = {"#d3e8f5", "#fbdfcc", "#ccebe1",
                                         "#f3deea", "#f4ecc2", "#e3e3e3"};
    return list[warp % warps];
  }
};

//! Size, colour, anchor and weight of a text.
struct type_style {
  int size = 12;
  char const* fill = palette::ink;
  char const* anchor = "start";  //!< start, middle, end
  bool bold = false;
};

//! Collects shapes; `svg()` gives the document.
class drawing {
 public:
  void rectangle(index x, index y, index width, index height, char const* fill,
                 char const* stroke = "none", std::string_view tip = {}) {
    open("<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(width) +
             "\" height=\"" + number(height) + "\" fill=\"" + fill + "\" stroke=\"" + stroke + '"',
         "rect", tip);
  }
  void disc(index x, index y, index radius, char const* fill, std::string_view tip = {}) {
    open("<circle cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"" + number(radius) +
             "\" fill=\"" + fill + '"',
         "circle", tip);
  }
  void line(index x1, index y1, index x2, index y2, char const* stroke, int width = 1) {
    body_ += "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) +
             "\" y2=\"" + number(y2) + "\" stroke=\"" + stroke + "\" stroke-width=\"" +
             number(width) + "\"/>\n";
  }
  void text(index x, index y, std::string_view content, type_style const& style = {}) {
    body_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" font-size=\"" +
             number(style.size) + "\" fill=\"" + style.fill + '"';
    if (style.anchor != std::string_view("start"))
      body_ += std::string(" text-anchor=\"") + style.anchor + '"';
    if (style.bold) body_ += " font-weight=\"bold\"";
    body_ += '>' + escaped(content) + "</text>\n";
  }
  //! Text broken into lines of at most `width` pixels at spaces; returns the height used.
  index paragraph(index x, index y, index width, std::string_view content,
                  type_style const& style = {}) {
    index const line_height = style.size * 4 / 3 + 1;
    index const characters = width * 20 / (style.size * (style.bold ? 13 : 11));
    std::size_t const max_length = static_cast<std::size_t>(characters < 8 ? 8 : characters);
    index used = 0;
    while (!content.empty()) {
      std::size_t length = content.size();
      if (length > max_length) {
        length = content.rfind(' ', max_length);
        if (length == std::string_view::npos || length == 0) length = max_length;
      }
      text(x, y + used, content.substr(0, length), style);
      used += line_height;
      content.remove_prefix(length);
      while (!content.empty() && content.front() == ' ') content.remove_prefix(1);
    }
    return used;
  }

  //! The document. A screen reader reads `title` and `description`.
  [[nodiscard]] std::string svg(index width, index height, std::string_view title,
                                std::string_view description) const {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
           "width=\"" +
           number(width) + "\" height=\"" + number(height) + "\" viewBox=\"0 0 " + number(width) +
           ' ' + number(height) +
           "\" role=\"img\" font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\">\n<title>" +
           escaped(title) + "</title>\n<desc>" + escaped(description) +
           "</desc>\n<defs><pattern id=\"waiting\" width=\"6\" height=\"6\" "
           "patternUnits=\"userSpaceOnUse\">"
           "<path d=\"M0 6 L6 0\" stroke=\"#b4bac4\" stroke-width=\"1\"/></pattern></defs>\n<rect "
           "width=\"" +
           number(width) + "\" height=\"" + number(height) + "\" fill=\"" + palette::paper +
           "\"/>\n" + body_ + "</svg>\n";
  }

 private:
  [[nodiscard]] static std::string number(index n) { return std::to_string(n); }
  void open(std::string const& tag, char const* name, std::string_view tip) {
    body_ += tag;
    if (tip.empty())
      body_ += "/>\n";
    else
      body_ += "><title>" + escaped(tip) + "</title></" + name + ">\n";
  }
  std::string body_;
};

}  // namespace mmm::report::detail
