// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main function of the tests under MPI: all processes run all test cases. When an assertion
// fails on one process, the job ends after the test case, because the other processes may wait.
#define CATCH_CONFIG_RUNNER
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "catch.hpp"

#include <mpi.h>

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

}  // namespace

int main(int count, char** arguments) {
  int provided = 0;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &provided);
  int const failed = Catch::Session().run(count, arguments);
  MPI_Finalize();
  return failed;
}
