// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/mpi.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

//! Common to the tests under MPI: the handle of all processes, and a cluster of as many nodes in a
//! simulation.
namespace checks {

using node_machine = mmm::hmm<1, 4, 2, 10>;
using node_handle = mmm::host_threads<node_machine>;
using cluster_machine = mmm::cluster<mmm::dynamic, 2, 50, node_machine>;

[[nodiscard]] inline mmm::index number_of_processes(MPI_Comm communicator = MPI_COMM_WORLD) {
  int count = 0;
  MPI_Comm_size(communicator, &count);
  return count;
}
[[nodiscard]] inline mmm::index own_rank(MPI_Comm communicator = MPI_COMM_WORLD) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}
//! Each node has one thread, so that MPI's processes do not compete for the cores.
[[nodiscard]] inline auto processes(MPI_Comm communicator = MPI_COMM_WORLD) {
  return mmm::mpi::on(communicator, node_handle(mmm::threads(1)),
                      cluster_machine(number_of_processes(communicator)));
}

//! The words of an array on each node; under MPI nothing of other nodes.
template <class T>
using node_words = std::vector<std::vector<T>>;

//! Simulates `program(on)` on as many nodes as there are processes.
template <class Program>
auto simulated(Program const& program) {
  mmm::index const k = number_of_processes();
  return mmm::simulate(cluster_machine(k), mmm::threads(8 * k), program);
}

//! Copies the n words of a node's part.
template <class T, class Part>
[[nodiscard]] std::vector<T> words_of(Part part, mmm::index n) {
  std::vector<T> words;
  for (mmm::index i = 0; i < n; ++i) words.push_back(part[static_cast<std::ptrdiff_t>(i)]);
  return words;
}

//! The part of a whole sequence that a process gives.
template <class T>
[[nodiscard]] std::vector<T> own_part(std::vector<T> const& whole,
                                      mmm::block_distribution const& parts, mmm::index rank) {
  auto const first = whole.begin() + static_cast<std::ptrdiff_t>(parts.first(rank));
  return {first, first + static_cast<std::ptrdiff_t>(parts.words(rank))};
}

}  // namespace checks
