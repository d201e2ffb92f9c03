// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/mpi.hpp>

#include <mpi.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string_view>
#include <vector>

// Process 1 does not come where the others wait for it: the job ends, and mpirun fails. By the
// argument,
//   killed           it is killed;
//   throws           it throws while the others call another handle;
//   throws-barrier   it throws while the others call a function of MPI.
int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  std::string_view const reason = count > 1 ? arguments[1] : "";
  {
    mmm::host_threads<mmm::hmm<1, 4, 2, 10>> const node(mmm::threads(1));
    auto const on = mmm::mpi::on(MPI_COMM_WORLD, node);
    auto const other = mmm::mpi::on(MPI_COMM_WORLD, node);
    on.end_job_after(std::chrono::milliseconds(300));
    std::vector<int> const a(100, 1);
    for (int k = 0; k < 10; ++k)
      mmm::mpi::run(on, [&](auto const& nodes) {
        bool const last = k == 5 && nodes.rank() == 1;
        if (last && reason == "killed") std::raise(SIGKILL);
        if (last && !reason.empty()) throw std::runtime_error("it does not come");
        if (k == 5 && reason == "throws-barrier") MPI_Barrier(MPI_COMM_WORLD);
        if (mmm::sum(other, a.begin(), a.end()) != 100 * nodes.nodes())
          MPI_Abort(MPI_COMM_WORLD, 1);
      });
  }
  MPI_Finalize();
  return 0;
}
