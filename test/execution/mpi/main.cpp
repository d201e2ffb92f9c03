// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main function of the tests under MPI: all processes run all test cases. When an assertion
// fails on one process, the job ends after the test case, because the other processes may wait.
#define CATCH_CONFIG_RUNNER
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "catch.hpp"
#include "processes.hpp"

#include <mpi.h>

#include <cstdio>
#include <stdexcept>

namespace {

#if __has_include(<catch2/catch_all.hpp>)
using listener_base = Catch::EventListenerBase;
#else
using listener_base = Catch::TestEventListenerBase;
#endif

struct job_ends_with_a_failure : listener_base {
  using listener_base::listener_base;
  void testCaseEnded(Catch::TestCaseStats const& stats) override {
    if (stats.totals.assertions.failed > 0) MPI_Abort(MPI_COMM_WORLD, 1);
  }
};
CATCH_REGISTER_LISTENER(job_ends_with_a_failure)

// A call on a handle after MPI_Finalize.
template <class On>
bool is_refused_after_the_end(On const& on) {
  int const word = 1;
  try {
    static_cast<void>(mmm::sum(on, &word, &word + 1));
  } catch (std::logic_error const&) {
    return true;
  }
  std::fprintf(stderr, "a call after MPI_Finalize was accepted\n");
  return false;
}

}  // namespace

int main(int count, char** arguments) {
  int provided = 0;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &provided);
  int const failed = Catch::Session().run(count, arguments);
  auto const on = checks::processes();
  MPI_Finalize();
  return failed != 0 || !is_refused_after_the_end(on) ? 1 : 0;
}
