// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/report/drawing.hpp>
#include <mmm/report/page_style.hpp>
#include <mmm/report/table.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

//! A self-contained page of reports.
namespace mmm::report {

//! A figure of a page, shown large over its name; `bad` marks it.
struct page_figure {
  std::string name;
  std::string figure;
  bool bad = false;
};

//! A report as one HTML file, with its style, its pictures and the sorting of its tables; light or
//! dark as the reader's system is.
//!
//!     mmm::report::page("Tile").add(why).add(run).write("tile.html");
//!
//! A page takes text and tables; with <mmm/report.hpp> costs, requests and their explanations,
//! simulations, traces and chosen layouts; with <mmm/report/profile_text.hpp> profiles, and with
//! <mmm/report/kernel_trace_text.hpp> traced kernels. Own types are added by a function
//! `add_to(mmm::report::page&, x)` in their namespace.
class page {
 public:
  explicit page(std::string title) : page(title, title) {}
  //! A page whose heading is not its title.
  page(std::string title, std::string headline)
      : title_(std::move(title)), heading_(std::move(headline)) {}

  template <class X>
  page& add(X const& x) {
    add_to(*this, x);
    return *this;
  }
  //! A heading over the next contents.
  page& heading(std::string_view text) {
    body_ += "<h2>" + detail::escaped(text) + "</h2>\n";
    return *this;
  }
  //! Figures with their names, large: `page.figures({{"time", "12"}})`.
  page& figures(std::vector<page_figure> const& list) {
    body_ += "<div class=tiles>";
    for (auto const& [name, figure, bad] : list)
      body_ += std::string("<div class=tile><b") + (bad ? " class=bad>" : ">") +
               detail::escaped(figure) + "</b><span>" + detail::escaped(name) + "</span></div>";
    body_ += "</div>\n";
    return *this;
  }
  //! A paragraph; `bad` marks an error.
  page& paragraph(std::string_view text, bool bad = false) {
    body_ += (bad ? "<p class=finding>" : "<p>") + detail::escaped(text) + "</p>\n";
    return *this;
  }
  //! Text in lines, with its blanks.
  page& lines(std::string_view text) {
    body_ += "<pre class=why>" + detail::escaped(text) + "</pre>\n";
    return *this;
  }
  //! A table whose columns are sorted by a click on their heads. An empty cell of a column of
  //! numbers stands for the number above it.
  page& rows(table const& t) { return markup(report::html(t)); }
  //! HTML as it is.
  page& markup(std::string_view html) {
    body_ += html;
    return *this;
  }
  //! Adds to the style sheet, to the script.
  page& style(std::string_view css) {
    style_ += css;
    return *this;
  }
  page& script(std::string_view js) {
    script_ += js;
    return *this;
  }
  //! A picture, an SVG document.
  page& picture(std::string_view svg) {
    std::size_t const begin = svg.find("<svg");
    if (begin == std::string_view::npos)
      mmm::detail::throw_invalid_argument(
          mmm::detail::failure_text("mmm: the picture of a page is no SVG document"));
    body_ += "<div class=picture>" + std::string(svg.substr(begin)) + "</div>\n";
    return *this;
  }

  //! The page.
  [[nodiscard]] std::string html() const {
    return "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n<meta name=viewport "
           "content=\"width=device-width, initial-scale=1\">\n<title>" +
           detail::escaped(title_) + "</title>\n<style>" + style_ +
           "</style>\n</head>\n<body>\n<h1>" + detail::escaped(heading_) + "</h1>\n" + body_ +
           "<script>" + script_ + "</script>\n</body>\n</html>\n";
  }
  //! Writes the page to a file. std::runtime_error if it cannot be written.
  void write(std::string const& file) const {
    std::string const text = html();
    std::FILE* const out = std::fopen(file.c_str(), "wb");
    bool written = out != nullptr;
    if (written) written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
    if (out != nullptr) written = std::fclose(out) == 0 && written;
    if (!written)
      mmm::detail::throw_runtime_error(mmm::detail::failure_text("mmm: a page cannot be written"));
  }

 private:
  std::string title_;
  std::string heading_;
  std::string body_;
  std::string style_{detail::page_style()};
  std::string script_{detail::page_script()};
};

inline void add_to(page& to, std::string_view text) { to.paragraph(text); }
inline void add_to(page& to, table const& t) { to.rows(t); }

}  // namespace mmm::report
