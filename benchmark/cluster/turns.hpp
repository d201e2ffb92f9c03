// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mpi.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

//! Two programs that take turns on the processes of MPI.
namespace turns {

//! One thread for each process: the library's loops without barriers, as a plain program has them.
using machine = mmm::hmm<1, 32, 2, 100>;
using local_handle = mmm::host_threads<machine>;

struct process {
  int rank = 0;
  int count = 1;
  process() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
  }
};

//! The time of the slowest process.
inline double seconds(std::function<void()> const& work) {
  MPI_Barrier(MPI_COMM_WORLD);
  double const start = MPI_Wtime();
  work();
  double const own = MPI_Wtime() - start;
  double slowest = 0;
  MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

//! Prints a line: the medians of both in milliseconds, and the median of the ratios of turns.
inline void compare(char const* name, int runs, std::function<void()> const& plain,
                    std::function<void()> const& library) {
  plain();
  library();
  std::vector<double> of_plain, of_library, ratios;
  for (int k = 0; k < runs; ++k) {
    bool const plain_first = k % 2 == 0;  // each goes first in half of the turns
    double const first = seconds(plain_first ? plain : library);
    double const second = seconds(plain_first ? library : plain);
    of_plain.push_back(plain_first ? first : second);
    of_library.push_back(plain_first ? second : first);
    ratios.push_back(of_library.back() / of_plain.back());
  }
  if (process().rank == 0)
    std::printf("%-34s %10.3f %10.3f %8.3f\n", name, 1e3 * median(of_plain),
                1e3 * median(of_library), median(ratios));
}

//! Ends all processes unless the two programs' results agree.
inline void demand(bool right, char const* program) {
  if (right) return;
  std::fprintf(stderr, "%s: the two results differ\n", program);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

}  // namespace turns

//! The comparisons of matrices (matrices.cpp), with sides divided by the square root of `scale`.
void compare_matrices(mmm::index scale, int runs);
