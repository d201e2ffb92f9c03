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
  std::string nodes, gap, latency, overhead, scaling, picture, grid, panels;
};

void add_options(CLI::App& app, written_network& w);

//! Reads them into `o`, whose algorithm and machine are known. `threads` is --threads as it was
//! written.
//! \param excluded options that exclude --nodes, and their values. \param input that of --input.
//! Throws tool::failure that names option, value and what is accepted.
void read_network(written_network const& w, std::string const& threads,
                  std::vector<std::pair<char const*, std::string>> const& excluded,
                  std::string const& input, options& o);

}  // namespace explore::cluster
