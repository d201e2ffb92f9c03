// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmm-replay: what recorded requests cost a GPU's memories.
#include <mmm/gpu.hpp>

#include "options.hpp"
#include "printing.hpp"
#include "quick_counts.hpp"
#include "source.hpp"
#include "tally.hpp"

#include <common/output_file.hpp>
#include <common/processor.hpp>

#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>

namespace {

//! Counts all requests; prints each if they are asked for.
template <class Rules>
void count(replay::source& from, tool::processor by, bool json, replay::printer& out,
           replay::tally& sums, std::optional<replay::cache_record>& cache) {
  bool const quick = by >= replay::quick_counts_from;
  replay::request r;
  while (from.next(r)) {
    auto const add = [&](auto const& cost) {
      sums.add(r, cost);
      if (json) print_json(out, r, cost);
    };
    if (r.space == mmm::memory_space::shared) {
      mmm::gpu::shared_cost cost;
      if (!quick || !count_quickly(r, cost))
        cost = mmm::gpu::shared_request_cost<Rules>(r.access, r.address, r.active);
      add(cost);
    } else {
      mmm::gpu::global_cost cost;
      if (!quick || !count_quickly(r, cost))
        cost = mmm::gpu::global_request_cost(r.access, r.address, r.active);
      if (cache) cache->add(r);
      add(cost);
    }
  }
}

int run(int argc, char const* const* argv) {
  replay::options asked;
  std::string help;
  replay::printer out;
  if (!replay::parse(argc, argv, asked, help)) {
    out.put(help);
    out.flush();
    return 0;
  }
  tool::processor const by = tool::processor_in_use();
  tool::output_file html("--html", asked.html);
  replay::line_reader lines(asked.file);
  replay::tally sums;
  std::size_t passed_over = 0;
  std::optional<replay::cache_record> cache;
  if (asked.cache) cache.emplace(*asked.cache);
  try {
    auto const from = replay::open(lines, by);
    if (asked.pair_merge)
      count<mmm::gpu::nvidia_merging>(*from, by, asked.json, out, sums, cache);
    else
      count<mmm::gpu::nvidia>(*from, by, asked.json, out, sums, cache);
    passed_over = from->passed_over();
  } catch (replay::malformed const& e) {
    throw tool::failure(asked.file + ", line " + std::to_string(lines.number()) + ": " + e.what());
  } catch (std::invalid_argument const& e) {
    throw tool::failure(asked.file + ", line " + std::to_string(lines.number()) + ": " + e.what());
  }
  if (cache) sums.cache = cache->figures(asked.resident);
  html.write([&](std::ofstream& file) { file << page(asked, sums, passed_over); });
  out.put(asked.json ? totals_json(asked, sums, passed_over)
                     : totals_text(asked, sums, passed_over));
  out.flush();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "mmm-replay: %s\n", tool::message_of(e));
  }
  return 2;
}
