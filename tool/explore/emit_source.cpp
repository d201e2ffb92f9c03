// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit_source.hpp"

#include <mmm/emit.hpp>

#include <nlohmann/json.hpp>

namespace explore::emit {

namespace {

using mmm::index;
using json = nlohmann::ordered_json;

json range_of(index least, index greatest) {
  if (least == greatest) return least;
  return json::array({least, greatest});
}

json figures_of(request const& o, mmm::emitted_kernel const& emitted) {
  mmm::chosen_kernel const& chosen = emitted.chosen;
  mmm::kernel_costs const& costs = emitted.costs;
  mmm::kernel_problem const& p = o.problem;
  auto const& least = costs.least_sectors;
  auto const& greatest = costs.greatest_sectors;
  json candidates = json::array();
  for (mmm::rated_candidate const& one : chosen.rated) {
    json candidate = {{"name", one.name}, {"possible", one.found.possible}};
    if (one.found.possible)
      candidate["microseconds"] = one.found.time.microseconds;
    else
      candidate["unmet"] = mmm::report::detail::condition_text(one.found.unmet);
    candidates.push_back(candidate);
  }
  json figures = {
      {"problem", p.name()}, {"size", p.size}, {"type", p.type.name}, {"gpu", o.gpu_name}};
  if (p.kind == mmm::problem_kind::convolutions) figures["taps"] = p.taps;
  if (p.kind == mmm::problem_kind::image_convolutions) figures["radius"] = p.radius;
  figures.update({{"name", emitted.entry},
                  {"candidate", chosen.candidate},
                  {"algorithm", chosen.algorithm},
                  {"machine", chosen.machine},
                  {"blocks", chosen.threads / chosen.plan.threads},
                  {"block_threads", chosen.plan.threads},
                  {"predicted_microseconds", chosen.time.microseconds},
                  {"most_of_it", mmm::report::words(chosen.time.limit)},
                  {"rounds", range_of(costs.least.rounds, costs.greatest.rounds)},
                  {"stages", range_of(costs.least.stages, costs.greatest.stages)},
                  {"time_units", range_of(costs.least.time, costs.greatest.time)},
                  {"time_units_at_least", costs.bound},
                  {"sectors_loaded", range_of(least.loaded, greatest.loaded)},
                  {"sectors_stored", range_of(least.stored, greatest.stored)},
                  {"sectors_updated", range_of(least.updated, greatest.updated)},
                  {"candidates", candidates}});
  if (o.file)
    figures["file"] = o.file->string();
  else
    figures["source"] = emitted.source;
  return figures;
}

}  // namespace

emitted emitted_for(request const& asked) {
  std::string const file = asked.file ? asked.file->filename().string() : std::string("kernel.cu");
  mmm::emitted_kernel const kernel =
      mmm::emit_for(asked.gpu, asked.gpu_name, asked.problem, file, asked.name);
  emitted found{kernel.source, {}};
  if (asked.as_json)
    found.figures =
        figures_of(asked, kernel).dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  return found;
}

}  // namespace explore::emit
