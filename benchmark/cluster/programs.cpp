// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "turns.hpp"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// Programs on clusters beside the plain MPI programs that a user would write for them. Both run the
// library's algorithms on each process, so that the ratio is that of everything else: what a plain
// program does by MPI_Allreduce, MPI_Exscan, MPI_Bcast and MPI_Alltoallv, the library does with its
// agreements on failures and arguments. The two take turns, and a time is that of the slowest
// process.
//
//   mpirun -n 4 mmm_cluster_benchmark [--runs N] [--scale N]
//
// --runs: turns of each program, 15. --scale: a divisor of the sizes, 1.

namespace {

using turns::compare;
using turns::demand;
using turns::local_handle;
using turns::process;

// The words of a process: its block of the whole sequence.
std::vector<float> words_of(mmm::block_distribution const& parts, int rank) {
  std::vector<float> words(static_cast<std::size_t>(parts.words(rank)));
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = static_cast<float>((parts.first(rank) + static_cast<mmm::index>(i)) * 7 % 13);
  return words;
}

void sums(char const* name, mmm::index n, int runs) {
  process const own;
  local_handle const local(mmm::threads(1));
  std::vector<float> const a = words_of({n, own.count}, own.rank);
  float plain = 0;
  float library = 0;
  auto const on = mmm::mpi::on(MPI_COMM_WORLD, local);
  compare(
      name, runs,
      [&] {
        float const part = mmm::sum(local, a.data(), a.data() + a.size());
        MPI_Allreduce(&part, &plain, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      },
      [&] { library = mmm::sum(on, a.data(), a.data() + a.size()); });
  demand(std::abs(plain - library) <= 1e-3F * std::abs(plain), name);
}

void prefix_sums(char const* name, mmm::index n, int runs) {
  process const own;
  local_handle const local(mmm::threads(1));
  std::vector<float> const a = words_of({n, own.count}, own.rank);
  std::vector<float> plain(a.size());
  std::vector<float> library(a.size());
  auto const on = mmm::mpi::on(MPI_COMM_WORLD, local);
  compare(
      name, runs,
      [&] {
        mmm::prefix_sums(local, a.data(), a.data() + a.size(), plain.data());
        float const last = plain.empty() ? 0 : plain.back();
        float before = 0;
        MPI_Exscan(&last, &before, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        if (own.rank > 0)
          for (float& x : plain) x += before;
      },
      [&] { mmm::prefix_sums(on, a.data(), a.data() + a.size(), library.data()); });
  for (std::size_t i = 0; i < a.size(); ++i)
    demand(std::abs(plain[i] - library[i]) <= 1e-3F * std::abs(plain[i]), name);
}

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int runs = 15;
  mmm::index scale = 1;
  for (int i = 1; i + 1 < count; i += 2) {
    std::string const option = arguments[i];
    long const value = std::atol(arguments[i + 1]);
    if (value < 1 || (option != "--runs" && option != "--scale")) {
      std::fprintf(stderr, "usage: mmm_cluster_benchmark [--runs N] [--scale N]\n");
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (option == "--runs")
      runs = static_cast<int>(value);
    else
      scale = value;
  }
  if (process().rank == 0)
    std::printf("%d processes, medians of %d turns\n%-34s %10s %10s %8s\n", process().count, runs,
                "", "plain, ms", "mmm, ms", "ratio");
  mmm::index const large = (mmm::index{1} << 24) / scale;
  sums("sum, 2^24 floats", large, runs);
  sums("sum, 2^16 floats", large >> 8, runs);
  prefix_sums("prefix-sums, 2^22 floats", large >> 2, runs);
  compare_matrices(scale, runs);
  MPI_Finalize();
}
