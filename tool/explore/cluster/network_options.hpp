// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../options.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

//! The options of clusters.
namespace explore::cluster {

//! They as they were written.
struct written_network {
  std::string nodes, gap, latency, overhead, scaling, picture;
};

void add_options(CLI::App& app, written_network& w);

//! Reads them into `o`, whose algorithm and machine are known. `threads` is --threads as it was
//! written.
//! \param others the options that were given and their values; some exclude --nodes.
//! Throws tool::failure that names option, value and what is accepted.
void read_network(written_network const& w, std::string const& threads,
                  std::vector<std::pair<char const*, std::string>> const& others, options& o);

}  // namespace explore::cluster
