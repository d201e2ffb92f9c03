// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/mpi.hpp>

#include <mpi.h>

#include <csignal>
#include <string_view>
#include <vector>

// A process that is killed while the others wait for it ends the job: mpirun ends all processes and
// fails. With the argument `killed` process 1 is killed.
int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  bool const kills = count > 1 && std::string_view(arguments[1]) == "killed";
  {
    auto const on =
        mmm::mpi::on(MPI_COMM_WORLD, mmm::host_threads<mmm::hmm<1, 4, 2, 10>>(mmm::threads(1)));
    std::vector<int> const a(100, 1);
    for (int k = 0; k < 10; ++k) {
      if (kills && k == 5 && on.rank() == 1) std::raise(SIGKILL);
      if (mmm::sum(on, a.begin(), a.end()) != 100 * on.nodes()) return 1;
    }
  }
  MPI_Finalize();
  return 0;
}
