// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "html.hpp"

#include "html_kernel.hpp"
#include "html_text.hpp"
#include "names.hpp"
#include "source_text.hpp"

namespace device::report {

namespace {

using html::escaped;

html::table kernels_table(page_content const& page) {
  using html::count, html::value;
  html::table rows({"kernel", "launches", "shared wavefronts", "excessive", "global sectors",
                    "excess sectors", "local sectors", "instructions", "lanes", "findings"});
  for (std::size_t n = 0; n < page.kernels.size(); ++n) {
    kernel_record const& k = *page.kernels[n];
    count::request_figures const shared = k.all.figures(space::shared);
    count::request_figures const global = k.all.figures(space::global);
    rows.add_cells({{k.name, k.name,
                     "<a href=\"#k" + std::to_string(n) + "\" title=\"" + escaped(k.name) + "\">" +
                         escaped(short_name(k.name, 60)) + "</a>"},
                    count(k.launches),
                    count(shared.transfers),
                    count(shared.excessive(), shared.excessive() != 0),
                    count(global.transfers),
                    count(global.excessive(), global.excessive() != 0),
                    count(k.all.figures(space::local).transfers),
                    count(k.all.executed()),
                    value(k.all.average_lanes()),
                    count(k.findings.all().size(), !k.findings.empty())});
  }
  return rows;
}

}  // namespace

std::string html_page(page_content const& page) {
  source_text text;
  mmm::report::page out("mmm-run: " + page.command, "What the kernels did");
  out.style(html::style()).script(html::script());
  out.markup("<p class=full><code>" + escaped(page.command) + "</code></p>\n<p class=quiet>GPU " +
             escaped(page.gpu) + ", shared memory by the rules <code>" +
             std::string(count::name_of(page.policy)) +
             "</code>. Wavefronts: passes through shared memory. Sectors: 32 bytes of global "
             "memory. Ideal: the fewest for what was asked for; <span class=bad>×32</span>: 32 "
             "times that. <span class=bad>↻8</span>: atomics in which 8 lanes update one address, "
             "one after the other. Instructions are those of PTX, as warps execute them.</p>\n");
  if (!page.findings.empty()) out.heading("Findings").markup(html::finding_blocks(page.findings));
  out.heading("Kernels");
  if (page.kernels.empty()) return out.paragraph("No kernel was launched.").html();
  out.rows(kernels_table(page));
  out.markup("<main data-how=inlined><fieldset><legend>A line of source counts</legend>"
             "<label><input type=radio name=how value=inlined checked> its instructions and those "
             "inlined there</label>"
             "<label><input type=radio name=how value=own> its own alone</label></fieldset>\n");
  for (std::size_t n = 0; n < page.kernels.size(); ++n)
    html::add_kernel(out, n, *page.kernels[n], page, text);
  return out.markup("</main>\n").html();
}

}  // namespace device::report
