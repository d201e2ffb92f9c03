// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tests of kernels on MPI's processes: mpirun -n K mmm_mpi_cuda_tests [PART OF A NAME]
// All processes run all tests. Exit status: 0 all checks hold; 1 a check fails; 2 no test has this
// name; 77 there is no CUDA device.
#include "catch.hpp"

#include <cuda_runtime_api.h>
#include <mpi.h>

#include <cstdio>
#include <cstring>
#include <exception>

namespace {

int rank = 0;

// Processes of one host use its devices in turn.
bool device_is_chosen() {
  MPI_Comm of_host = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &of_host);
  int rank_on_host = 0;
  MPI_Comm_rank(of_host, &rank_on_host);
  MPI_Comm_free(&of_host);
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0 &&
         cudaSetDevice(rank_on_host % devices) == cudaSuccess;
}

int tests_with(char const* part) {
  auto& tally = checks::tally::now();
  int run = 0;
  for (auto const& test : checks::test_case::all()) {
    if (std::strstr(test.name, part) == nullptr) continue;
    ++run;
    long long const before = tally.checks;
    try {
      test.run();
    } catch (std::exception const& e) {
      tally.note(false, test.name, __FILE__, __LINE__, std::string("an exception: ") + e.what());
    }
    tally.context.clear();
    if (tally.checks == before)
      tally.note(false, test.name, __FILE__, __LINE__, "a test that checks nothing");
    if (tally.failures > 0) {  // the other processes may wait for this one
      std::printf("FAILED %s on process %d\n", test.name, rank);
      std::fflush(stdout);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (rank == 0) std::printf("ok     %s, %lld checks\n", test.name, tally.checks - before);
    std::fflush(stdout);
  }
  return run;
}

}  // namespace

void checks::tally::note(bool holds, char const* text, char const* file, int line,
                         std::string const& found) {
  ++checks;
  if (holds) return;
  ++failures;
  std::printf("%s:%d: process %d: does not hold: %s\n", file, line, rank, text);
  if (!found.empty()) std::printf("    found: %s\n", found.c_str());
  for (std::string const& note : context) std::printf("    with %s\n", note.c_str());
  std::fflush(stdout);
}

int main(int count, char** arguments) {
  int provided = 0;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int status = 77;
  if (!device_is_chosen())
    std::printf("no CUDA device: skipped\n");
  else
    status = tests_with(count > 1 ? arguments[1] : "") > 0 ? 0 : 2;
  MPI_Finalize();
  return status;
}
