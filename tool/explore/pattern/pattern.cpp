// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pattern.hpp"

#include "figures.hpp"
#include "for_all.hpp"
#include "json.hpp"
#include "picture.hpp"

#include <common/failure.hpp>
#include <common/output_file.hpp>

namespace explore::pattern {

namespace {

std::string plain_text(options const& o, figures const& f) {
  std::string out = title_of(o) + "\n\n";
  for (auto const& [name, value] : rows_of(o, f)) {
    out += name;
    out.append(name.size() < 18 ? 18 - name.size() : 1, ' ');
    out += value + '\n';
  }
  return out + '\n' + drawn_text(o, f);
}

}  // namespace

std::string run(int argc, char const* const* argv) {
  options o;
  std::string help;
  if (!parse_options(argc, argv, o, help)) return help;
  if (!o.for_all.empty()) return decided_for_all(o);
  addresses const of = parse(o.text, o.known, o.one_warp());
  if (o.svg && o.html && *o.svg == *o.html)
    throw tool::failure("--svg and --html are the same file, " + o.svg->string());
  tool::output_file svg("--svg", o.svg);
  tool::output_file html("--html", o.html);
  figures const f = figures_of(o, of);
  svg.write([&](std::ofstream& out) { out << drawn_svg(o, f); });
  html.write([&](std::ofstream& out) { out << page(o, f); });
  return o.json ? json_object(o, f).dump() + "\n" : plain_text(o, f);
}

}  // namespace explore::pattern
