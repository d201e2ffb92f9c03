// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command.hpp"

#include "printing.hpp"
#include "programs.hpp"
#include "scaling.hpp"

#include <common/failure.hpp>
#include <common/output_file.hpp>

#include <algorithm>
#include <fstream>

namespace explore::cluster {

namespace {

constexpr index default_tile = 16;

task task_of(options const& o) {
  task t;
  t.size = o.size ? *o.size : default_size(o.algorithm->shape);
  t.threads = o.threads;
  t.extra = o.extra;
  t.seed = o.seed;
  t.simulate = false;
  if (t.extra.tile == 0) t.extra.tile = std::min<index>(default_tile, t.size);
  return t;
}

}  // namespace

answer run(options const& o) {
  program const p = program_of(o.algorithm->name);
  task const t = task_of(o);
  if (!o.scaling) {
    figures const f = figures_of(o, p, t, o.network->nodes);
    return o.json ? json_text(o, t, f) : table_text(o, t, f);
  }
  tool::output_file picture("--output", o.output);
  std::vector<scaled> const all = scaling_of(o, p, t);
  if (points_of(all).empty())
    throw tool::failure("no number of nodes up to --nodes " + std::to_string(o.network->nodes) +
                        " is accepted: " + all.front().refused);
  picture.write([&](std::ofstream& out) { out << picture_of(o, t, all); });
  return o.json ? json_text(o, t, all) : table_text(o, t, all);
}

}  // namespace explore::cluster
