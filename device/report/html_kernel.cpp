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

//! Of a kernel: fewer where there are many.
std::size_t max_pictures(page_content const& page) {
  return std::clamp<std::size_t>(64 / std::max<std::size_t>(1, page.kernels.size()), 2, 8);
}

std::string tile(std::string const& figure, std::string const& what, bool bad = false) {
  return std::string("<div class=tile><b") + (bad ? " class=bad" : "") + '>' + figure +
         "</b><span>" + what + "</span></div>";
}

std::string tiles(kernel_record const& k) {
  count::access_figures const shared = k.all.figures(space::shared);
  count::access_figures const global = k.all.figures(space::global);
  count::access_figures const local = k.all.figures(space::local);
  std::string out =
      "<div class=tiles>" + tile(number(k.launches), k.launches == 1 ? "launch" : "launches");
  if (k.failures != 0)
    out += tile(number(k.failures), "failed: their instructions are not counted", true);
  if (shared.requests != 0)
    out +=
        tile(number(shared.transfers),
             "shared wavefronts, " + number(shared.excess()) + " excessive", shared.excess() != 0);
  if (global.requests != 0)
    out += tile(number(global.transfers), "global sectors, " + number(global.ideal) + " ideal",
                global.excess() != 0);
  if (local.requests != 0)
    out += tile(number(local.transfers), "local sectors: spilled or indexed arrays");
  out += tile(number(k.all.executed()), "instructions of warps");
  out += tile(decimal(k.all.average_lanes()), "lanes of 32 active",
              k.all.executed() != 0 && k.all.average_lanes() < 16);
  if (k.all.barriers != 0) out += tile(number(k.all.barriers), "arrivals of warps at barriers");
  return out + "</div>\n";
}

std::string memory_table(sum const& s) {
  table rows({"memory", "#requests", "#transfers", "#ideal", "#excessive", "#times ideal",
              "#per request", "#serialized"});
  std::string out;
  for (space const where : {space::shared, space::global, space::local})
    for (access_kind const kind : {access_kind::read, access_kind::write, access_kind::update}) {
      count::access_figures const f = s.figures(where, kind);
      if (f.requests == 0) continue;
      rows.row().text(name_of(where, kind)).count(f.requests).count(f.transfers).count(f.ideal);
      rows.count(f.excess(), f.excess() != 0);
      rows.value(f.ideal == 0 ? 1.0
                              : static_cast<double>(f.transfers) / static_cast<double>(f.ideal));
      rows.value(static_cast<double>(f.transfers) / static_cast<double>(f.requests));
      rows.count(f.serialized, f.serialized > f.requests);
      out = "there";
    }
  return out.empty() ? std::string{} : "<h3>Memory</h3>\n" + rows.html();
}

std::string instruction_table(sum const& s) {
  std::uint64_t const all = s.executed();
  if (all == 0) return {};
  table rows({"instructions", "#executed by warps", "#% of all"});
  for (std::size_t k = 0; k < s.instructions.size(); ++k)
    if (s.instructions[k] != 0)
      rows.row()
          .text(device::name_of(static_cast<instruction_kind>(k)))
          .count(s.instructions[k])
          .value(100.0 * static_cast<double>(s.instructions[k]) / static_cast<double>(all));
  return "<details><summary>Instructions by kind</summary>\n" + rows.html() + "</details>\n";
}

//! Its line and, as links, the lines it is inlined at.
std::string chain_of(std::size_t kernel, site const& at, place_table const& places) {
  std::string out = line_link(kernel, at.front(), places);
  if (at.size() > 1) out += " <span class=quiet>←</span> " + line_link(kernel, at.back(), places);
  return out;
}

std::string picture_id(std::size_t kernel, std::size_t n) {
  return 'p' + std::to_string(kernel) + '-' + std::to_string(n);
}

std::string picture(std::string const& id, std::string const& title, memory_sum const& m,
                    count::bank_policy policy) {
  request_picture const p = picture_of(m, policy);
  std::string out =
      "<details id=" + id + "><summary>" + title + ": " + escaped(p.sentence) + "</summary>\n";
  if (!p.svg.empty()) out += "<div class=picture>" + p.svg + "</div>\n";
  if (!p.text.empty())
    out += "<details><summary class=quiet>as text</summary><pre class=why>" + escaped(p.text) +
           "</pre></details>\n";
  return out + "</details>\n";
}

std::string worst_lines(std::size_t kernel, std::vector<wasteful_line> const& worst,
                        page_content const& page) {
  if (worst.empty()) return {};
  table rows({"line", "access", "#requests", "#takes", "#ideal", "#excessive", "#times ideal",
              "worst request"});
  for (std::size_t n = 0; n < std::min(worst.size(), max_lines); ++n) {
    wasteful_line const& w = worst[n];
    site const& at = page.places.at(w.site);
    rows.row()
        .markup(chain_of(kernel, at, page.places), page.places.text(at.front()))
        .text(name_of(w.memory.where, w.memory.kind));
    rows.count(w.memory.figures.requests)
        .count(w.memory.figures.transfers)
        .count(w.memory.figures.ideal);
    rows.count(w.memory.figures.excess(), true);
    rows.value(static_cast<double>(w.memory.figures.transfers) /
               static_cast<double>(std::max<std::uint64_t>(1, w.memory.figures.ideal)));
    rows.markup(n < max_pictures(page) ? "<a href=\"#" + picture_id(kernel, n) + "\">why</a>" : "",
                std::to_string(n));
  }
  std::string out = "<h3>Worst lines</h3>\n" + rows.html();
  if (worst.size() > max_lines)
    out += "<p class=quiet>and " + number(worst.size() - max_lines) + " more</p>\n";
  return out;
}

std::string worst_requests(std::size_t kernel, kernel_record const& k,
                           std::vector<wasteful_line> const& worst, page_content const& page) {
  std::string out;
  auto const add = [&](std::size_t n, std::uint32_t at, memory_sum const& m) {
    out += picture(picture_id(kernel, n), chain_of(kernel, page.places.at(at), page.places), m,
                   page.policy);
  };
  std::size_t n = 0;
  for (; n < std::min(worst.size(), max_pictures(page)); ++n)
    add(n, worst[n].site, worst[n].memory);
  for (auto const& [number, s] : k.sites)
    for (memory_sum const& m : s.memory)
      if (n < 2 * max_pictures(page) && m.worst.cost.serialized > 1 && m.figures.excess() == 0)
        add(n++, number, m);
  return out.empty() ? out : "<h3>Worst requests</h3>\n" + out;
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

std::string kernel_section(std::size_t number, kernel_record const& k, page_content const& page,
                           source_text& text) {
  std::string out = "<section>\n<h2 id=k" + std::to_string(number) + '>' +
                    escaped(short_name(k.name, 80)) + "</h2>\n";
  if (short_name(k.name, 80) != k.name)
    out += "<p class=full><code>" + escaped(k.name) + "</code></p>\n";
  std::vector<wasteful_line> const worst = wasteful_lines({&k});
  std::string const source = source_pages(number, k, page.places, text);
  out += tiles(k) + finding_blocks(k.findings) + worst_lines(number, worst, page) +
         "<h3>Source</h3>\n";
  out +=
      source.empty()
          ? "<p class=quiet>Compile with <code>-lineinfo</code> to see what each line does.</p>\n"
          : source;
  return out + worst_requests(number, k, worst, page) + memory_table(k.all) +
         instruction_table(k.all) + "</section>\n";
}

}  // namespace device::report::html
