// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command.hpp"

#include "../progress.hpp"
#include "printing.hpp"
#include "scaling.hpp"

#include <common/failure.hpp>
#include <common/output_file.hpp>

#include <fstream>

namespace explore::cluster {

answer run(options const& o, task const& done, std::string const& input) {
  if (!o.scaling) {
    figures const f = [&] {
      progress const watched(std::string(o.algorithm->name) + ", size " +
                             std::to_string(done.size) + ", " + std::to_string(done.threads) +
                             " threads on " + std::to_string(o.network->nodes) + " nodes");
      return figures_of(o, done, o.network->nodes);
    }();
    return {o.json ? json_text(o, done, f) : table_text(o, done, f, input), f.passed()};
  }
  tool::output_file picture("--output", o.output);
  std::vector<scaled> const all = scaling_of(o, done);
  if (points_of(all).empty())
    throw tool::failure("no number of nodes up to --nodes " + std::to_string(o.network->nodes) +
                        " is accepted: " + all.front().refused);
  picture.write([&](std::ofstream& out) { out << picture_of(o, done, all); });
  return o.json ? json_text(o, done, all) : table_text(o, done, all);
}

}  // namespace explore::cluster
