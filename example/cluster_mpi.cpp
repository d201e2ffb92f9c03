// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs of clusters on the processes of MPI:
//
//   mpirun -n 4 mmm-cluster-mpi [WORDS]
//
// Every process has a part of WORDS numbers (default: 1000000). Together they compute sum,
// minimum and prefix-sums, and sort them. Exit status: 0; 1 if a result is wrong, or if WORDS is no
// number of words.
#include <mmm/core/config.hpp>
#include <mmm/mpi.hpp>

#include <mpi.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

namespace {

using node = mmm::hmm<1, 32, 2, 100>;

std::int64_t number_of_place(mmm::index place) { return place * 7919 % 1000003; }

// [mpi]
bool all_right(mmm::index n) {
  // A process's part runs on host threads, here on one.
  auto const on = mmm::mpi::on(MPI_COMM_WORLD, mmm::host_threads<node>(mmm::threads(1)));
  mmm::index const rank = on.rank();
  mmm::block_distribution const parts(n, on.nodes());
  std::vector<std::int64_t> part;  // this process's words
  for (mmm::index i = 0; i < parts.words(rank); ++i)
    part.push_back(number_of_place(parts.place(rank, i)));

  auto const sum = mmm::sum(on, part.begin(), part.end());  // on all processes
  std::vector<std::int64_t> before(part.size());  // sums of words before, of all processes
  mmm::exclusive_prefix_sums(on, part.begin(), part.end(), before.begin());
  mmm::sort(on, part.begin(), part.end());  // the smallest words are on process 0
  // [/mpi]
  bool right = std::is_sorted(part.begin(), part.end());
  std::int64_t expected = 0;
  for (mmm::index place = 0; place < n; ++place) {
    mmm::index const i = place - parts.first(rank);
    if (i >= 0 && i < parts.words(rank))
      right = right && before[static_cast<std::size_t>(i)] == expected;
    expected += number_of_place(place);
  }
  right = right && sum == expected && mmm::sum(on, part.begin(), part.end()) == expected;
  if (rank == 0)
    std::printf("%lld words on %lld processes: sum %lld\n", static_cast<long long>(n),
                static_cast<long long>(on.nodes()), static_cast<long long>(sum));
  return right;
}

//! -1 for a text that is no number of words.
mmm::index number_of_words(char const* text) {
  char* end = nullptr;
  errno = 0;
  long long const n = std::strtoll(text, &end, 10);
  return end == text || *end != '\0' || errno != 0 || n < 0 ? -1 : n;
}

}  // namespace

int main(int count, char** values) {
  MPI_Init(&count, &values);
  bool right = false;
  try {
    mmm::index const n = count > 1 ? number_of_words(values[1]) : 1000000;
    if (n < 0)
      std::fprintf(stderr, "mmm-cluster-mpi: WORDS is %s; accepted: a whole number from 0 on\n",
                   values[1]);
    else
      right = all_right(n);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "mmm-cluster-mpi: %s\n", e.what());
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
