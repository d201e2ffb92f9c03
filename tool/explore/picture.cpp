// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "picture.hpp"

#include <mmm/report/page.hpp>
#include <mmm/report/schedule_svg.hpp>
#include <mmm/report/table.hpp>
#include <mmm/report/trace_svg.hpp>
#include <mmm/report/trace_text.hpp>

#include "permutations.hpp"

namespace explore {

std::string picture_of(machine_choice const& choice, mmm::trace const& t,
                       std::string const& title) {
  std::string svg;
  with_machine(
      choice, [](auto) { return hana::true_c; },
      [&](auto const& machine) { svg = mmm::report::svg(t, machine, title); });
  return svg;
}

std::string schedule_picture_of(machine_choice const& choice,
                                std::vector<double> const& permutation, std::string const& title) {
  auto const places = places_of(permutation);
  std::string svg;
  with_machine(
      choice, [](auto) { return hana::true_c; },
      [&](auto const& machine) {
        svg = mmm::report::svg(mmm::permutation_schedule(machine, places.begin(), places.end()),
                               title);
      });
  return svg;
}

std::string page_of(report const& r) {
  mmm::report::table figures({"figure", "value"});
  for (auto const& [label, value] : lines_of(r)) figures.add({label, value});
  mmm::report::page page(title_of(r));
  page.add(figures);
  if (!r.passed()) page.paragraph("Something is not as it should be: see the figures.", true);
  mmm::trace const& trace = r.found.run.trace;
  if (trace.entries.empty()) return page.html();
  page.heading("Round by round")
      .picture(picture_of(r.asked.machine, trace, r.asked.algorithm->name));
  with_machine(
      r.asked.machine, [](auto) { return hana::true_c; },
      [&](auto const& machine) { page.add(mmm::report::rows_of(trace, machine)); });
  return page.html();
}

}  // namespace explore
