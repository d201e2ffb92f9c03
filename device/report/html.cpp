// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "html.hpp"

#include "html_kernel.hpp"
#include "html_text.hpp"
#include "names.hpp"
#include "source_text.hpp"

namespace device::report {

namespace {

using html::escaped;

std::string kernels_table(page_content const& page) {
  html::table rows({"kernel", "#launches", "#shared wavefronts", "#excessive", "#global sectors",
                    "#excess sectors", "#local sectors", "#instructions", "#lanes", "#findings"});
  for (std::size_t n = 0; n < page.kernels.size(); ++n) {
    kernel_record const& k = *page.kernels[n];
    count::access_figures const shared = k.all.figures(space::shared);
    count::access_figures const global = k.all.figures(space::global);
    rows.row().markup("<a href=\"#k" + std::to_string(n) + "\" title=\"" + escaped(k.name) + "\">" +
                          escaped(short_name(k.name, 60)) + "</a>",
                      k.name);
    rows.count(k.launches).count(shared.transfers).count(shared.excess(), shared.excess() != 0);
    rows.count(global.transfers).count(global.excess(), global.excess() != 0);
    rows.count(k.all.figures(space::local).transfers)
        .count(k.all.executed())
        .value(k.all.average_lanes());
    rows.count(k.findings.all().size(), !k.findings.empty());
  }
  return rows.html();
}

}  // namespace

std::string html_page(page_content const& page) {
  source_text text;
  std::string out =
      "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n<meta name=viewport "
      "content=\"width=device-width, initial-scale=1\">\n<title>mmm-run: " +
      escaped(page.command) + "</title>\n<style>" + html::style() +
      "</style>\n</head>\n<body data-how=inlined>\n";
  out += "<header><h1>What the kernels did</h1>\n<p class=full><code>" + escaped(page.command) +
         "</code></p>\n<p class=quiet>GPU " + escaped(page.gpu) +
         ", shared memory by the rules <code>" + std::string(count::name_of(page.policy)) +
         "</code>. Wavefronts: passes through shared memory. Sectors: 32 bytes of global memory. "
         "Ideal: the fewest for what was asked for; <span class=bad>×32</span>: 32 times that. "
         "<span class=bad>↻8</span>: atomics in which 8 lanes update one address, one after the "
         "other. "
         "Instructions are those of PTX, as warps execute them.</p></header>\n";
  if (!page.findings.empty()) out += "<h2>Findings</h2>\n" + html::finding_blocks(page.findings);
  out += "<h2>Kernels</h2>\n";
  if (page.kernels.empty()) return out + "<p>No kernel was launched.</p>\n</body>\n</html>\n";
  out += kernels_table(page);
  out += "<fieldset><legend>A line of source counts</legend>"
         "<label><input type=radio name=how value=inlined checked> its instructions and those "
         "inlined there</label>"
         "<label><input type=radio name=how value=own> its own alone</label></fieldset>\n";
  for (std::size_t n = 0; n < page.kernels.size(); ++n)
    out += html::kernel_section(n, *page.kernels[n], page, text);
  return out + "<script>" + html::script() + "</script>\n</body>\n</html>\n";
}

}  // namespace device::report
