// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "html_kernel.hpp"

#include "html_source.hpp"
#include "html_text.hpp"
#include "names.hpp"
#include "pictures.hpp"
#include "table.hpp"

#include <algorithm>

namespace device::report::html {

namespace {

constexpr std::size_t max_lines = 50;  //!< in the list of the worst

//! The largest number of pictures of a kernel: fewer where there are many kernels.
std::size_t max_pictures(page_content const& page) {
  return std::clamp<std::size_t>(64 / std::max<std::size_t>(1, page.kernels.size()), 2, 8);
}

std::vector<mmm::report::page_figure> tiles(kernel_record const& k) {
  count::request_figures const shared = k.all.figures(space::shared);
  count::request_figures const global = k.all.figures(space::global);
  count::request_figures const local = k.all.figures(space::local);
  std::vector<mmm::report::page_figure> out = {
      {k.launches == 1 ? "launch" : "launches", number(k.launches)}};
  auto const add = [&](bool there, std::string name, std::string figure, bool bad = false) {
    if (there) out.push_back({std::move(name), std::move(figure), bad});
  };
  add(k.failures != 0, "ended by a fault: counted until then", number(k.failures), true);
  add(shared.requests != 0, "shared wavefronts, " + number(shared.excessive()) + " excessive",
      number(shared.transfers), shared.excessive() != 0);
  add(global.requests != 0, "global sectors, " + number(global.ideal) + " ideal",
      number(global.transfers), global.excessive() != 0);
  add(local.requests != 0, "local sectors: spilled or indexed arrays", number(local.transfers));
  add(true, "instructions of warps", number(k.all.executed()));
  add(true, "lanes of 32 active", decimal(k.all.average_lanes()),
      k.all.executed() != 0 && k.all.average_lanes() < 16);
  add(k.all.barriers != 0, "arrivals of warps at barriers", number(k.all.barriers));
  return out;
}

std::string memory_table(sum const& s) {
  table rows({"memory", "requests", "transfers", "ideal", "excessive", "times ideal", "per request",
              "serialized"});
  for (space const where : {space::shared, space::global, space::local})
    for (access_kind const kind : {access_kind::read, access_kind::write, access_kind::update}) {
      count::request_figures const f = s.figures(where, kind);
      if (f.requests == 0) continue;
      auto const transfers = static_cast<double>(f.transfers);
      rows.add_cells({{name_of(where, kind)},
                      count(f.requests),
                      count(f.transfers),
                      count(f.ideal),
                      count(f.excessive(), f.excessive() != 0),
                      value(f.ideal == 0 ? 1.0 : transfers / static_cast<double>(f.ideal)),
                      value(transfers / static_cast<double>(f.requests)),
                      count(f.serialized, f.serialized > f.requests)});
    }
  return rows.cells().empty() ? std::string{} : "<h3>Memory</h3>\n" + mmm::report::html(rows);
}

std::string instruction_table(sum const& s) {
  std::uint64_t const all = s.executed();
  if (all == 0) return {};
  table rows({"instructions", "executed by warps", "% of all"});
  for (std::size_t k = 0; k < s.instructions.size(); ++k)
    if (s.instructions[k] != 0)
      rows.add_cells(
          {{device::name_of(static_cast<instruction_kind>(k))},
           count(s.instructions[k]),
           value(100.0 * static_cast<double>(s.instructions[k]) / static_cast<double>(all))});
  return "<details><summary>Instructions by kind</summary>\n" + mmm::report::html(rows) +
         "</details>\n";
}

//! The author's own line and, as links, the line of a library in it and the outermost caller.
std::string chain_of(std::size_t kernel, site const& chain, place_table const& places) {
  place const own = places.own(chain);
  std::string out = line_link(kernel, own, places);
  if (chain.front() != own)
    out += " <span class=quiet>→</span> " + line_link(kernel, chain.front(), places);
  if (chain.back() != own)
    out += " <span class=quiet>←</span> " + line_link(kernel, chain.back(), places);
  return out;
}

std::string picture_id(std::size_t kernel, std::size_t n) {
  return 'p' + std::to_string(kernel) + '-' + std::to_string(n);
}

std::string worst_lines(std::size_t kernel, std::vector<wasteful_line> const& worst,
                        page_content const& page) {
  if (worst.empty()) return {};
  table rows({"line", "access", "requests", "takes", "ideal", "excessive", "times ideal",
              "worst request"});
  for (std::size_t n = 0; n < std::min(worst.size(), max_lines); ++n) {
    wasteful_line const& w = worst[n];
    site const& chain = page.places.at(w.site);
    count::request_figures const& f = w.memory.figures;
    std::string const why = n < max_pictures(page) ? "why" : "";
    rows.add_cells(
        {{page.places.text(page.places.own(chain)), {}, chain_of(kernel, chain, page.places)},
         {w.access},
         count(f.requests),
         count(f.transfers),
         count(f.ideal),
         count(f.excessive(), true),
         value(static_cast<double>(f.transfers) / static_cast<double>(std::max<index>(1, f.ideal))),
         {why, picture_id(kernel, n),
          why.empty() ? why : "<a href=\"#" + picture_id(kernel, n) + "\">why</a>"}});
  }
  std::string out = "<h3>Worst lines</h3>\n" + mmm::report::html(rows);
  if (worst.size() > max_lines)
    out += "<p class=quiet>and " + number(worst.size() - max_lines) + " more</p>\n";
  return out;
}

void add_picture(mmm::report::page& to, std::string const& id, std::string const& title,
                 memory_sum const& m, count::bank_policy policy) {
  request_picture const p = picture_of(m, policy);
  to.markup("<details id=" + id + "><summary>" + title + ": " + escaped(p.sentence) +
            "</summary>\n");
  if (!p.svg.empty()) to.picture(p.svg);
  if (!p.text.empty())
    to.markup("<details><summary class=quiet>as text</summary>").lines(p.text).markup("</details>");
  to.markup("</details>\n");
}

void add_worst_requests(mmm::report::page& to, std::size_t kernel, kernel_record const& k,
                        std::vector<wasteful_line> const& worst, page_content const& page) {
  std::size_t n = 0;
  auto const add = [&](std::uint32_t number, memory_sum const& m) {
    if (n == 0) to.markup("<h3>Worst requests</h3>\n");
    add_picture(to, picture_id(kernel, n++), chain_of(kernel, page.places.at(number), page.places),
                m, page.policy);
  };
  while (n < std::min(worst.size(), max_pictures(page))) add(worst[n].site, worst[n].memory);
  for (auto const& [number, s] : k.sites)
    for (memory_sum const& m : s.memory)
      if (n < 2 * max_pictures(page) && m.worst.cost.serialized > 1 && m.figures.excessive() == 0)
        add(number, m);
}

}  // namespace

std::string finding_blocks(finding_list const& list) {
  std::string out;
  for (repeated_finding const& r : list.all()) {
    finding const& f = r.shown;
    out += "<div class=finding><b class=bad>" + std::string(device::name_of(f.check)) + "</b>";
    if (f.line != 0) out += " <code>" + escaped(f.file) + ':' + std::to_string(f.line) + "</code>";
    if (!f.kernel.empty())
      out += " in <code>" + escaped(short_name(f.kernel, 80)) + "</code>, launch " +
             std::to_string(f.launch);
    if (r.count > 1) out += ", " + number(r.count) + " times";
    out += "<pre>" + escaped(f.message) + "</pre></div>\n";
  }
  return out;
}

void add_kernel(mmm::report::page& to, std::size_t number, kernel_record const& k,
                page_content const& page, source_text& text) {
  std::string const name = short_name(k.name, 80);
  to.markup("<section>\n<h2 id=k" + std::to_string(number) + '>' + escaped(name) + "</h2>\n");
  if (name != k.name) to.markup("<p class=full><code>" + escaped(k.name) + "</code></p>\n");
  std::vector<wasteful_line> const worst = wasteful_lines({&k});
  std::string const source = source_pages(number, k, page.places, text);
  to.figures(tiles(k)).markup(finding_blocks(k.findings));
  to.markup(worst_lines(number, worst, page)).markup("<h3>Source</h3>\n");
  to.markup(source.empty() ? "<p class=quiet>Compile with <code>-lineinfo</code> to see what each "
                             "line does.</p>\n"
                           : source);
  add_worst_requests(to, number, k, worst, page);
  to.markup(memory_table(k.all)).markup(instruction_table(k.all)).markup("</section>\n");
}

}  // namespace device::report::html
