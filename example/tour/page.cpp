// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "page.hpp"

#include <mmm/report/drawing.hpp>

#include <common/failure.hpp>

#include <fstream>

namespace tour {

void write_file(std::filesystem::path const& file, std::string_view contents) {
  std::ofstream out(file, std::ios::binary);
  out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  out.close();
  if (!out) throw tool::failure("cannot write " + file.string());
}

void write_page(std::filesystem::path const& file, std::string const& title,
                std::vector<section> const& sections) {
  using mmm::report::detail::escaped;
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>" +
      escaped(title) +
      "</title>\n<style>\n"
      "body { font: 16px/1.5 'DejaVu Sans', Verdana, Arial, sans-serif; color: #1a1a1a; "
      "background: #ffffff; max-width: 1320px;"
      " margin: 0 auto; padding: 1.5rem; }\n"
      "h1 { font-size: 1.7rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; border-top: 1px "
      "solid #c9ced6; padding-top: 1.2rem; }\n"
      "p { max-width: 52rem; } figure { margin: 1rem 0; } img { max-width: 100%; height: auto; "
      "box-sizing: border-box; "
      "border: 1px solid #e4e7ec; }\n"
      "figcaption { font-size: 0.92rem; color: #444a53; margin-top: 0.3rem; max-width: 52rem; }\n"
      ".small { display: flex; flex-wrap: wrap; gap: 1rem; } .small figure { flex: 1 1 16rem; "
      "max-width: 18.5rem; margin: 0; }\n"
      ".wide { overflow-x: auto; margin: 1rem 0; } table { border-collapse: collapse; font-size: "
      "0.9rem; }\n"
      "th, td { text-align: left; padding: 0.25rem 0.6rem; border-bottom: 1px solid #e4e7ec; "
      "white-space: nowrap; }\n"
      ".n { text-align: right; font-variant-numeric: tabular-nums; }\n"
      // pictures with text in them keep a readable size on a small screen
      ".drawing { overflow-x: auto; } .drawing img { max-width: max(100%, 48rem); }\n"
      "</style>\n</head>\n<body>\n<h1>" +
      escaped(title) + "</h1>\n";
  for (section const& s : sections) {
    if (!s.heading.empty()) page += "<h2>" + escaped(s.heading) + "</h2>\n";
    page += s.html;
    if (s.small_figures) page += "<div class=\"small\">\n";
    for (figure const& f : s.figures)
      page += std::string("<figure><div") + (f.file.ends_with(".svg") ? " class=\"drawing\"" : "") +
              "><img src=\"" + escaped(f.file) + "\" alt=\"" + escaped(f.caption) +
              "\"></div><figcaption>" + escaped(f.caption) + "</figcaption></figure>\n";
    if (s.small_figures) page += "</div>\n";
  }
  write_file(file, page + "</body>\n</html>\n");
}

}  // namespace tour
