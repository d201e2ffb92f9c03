// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if MMM_CHECKS_WITH_NCCL
#include <mmm/nccl.cuh>
#else
#include <mmm/mpi.cuh>
#endif

#include "catch.hpp"

#include <mpi.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <cstddef>
#include <vector>

//! Shared by the tests of kernels on the processes of MPI.
namespace checks {

using node_machine = mmm::hmm<2, 32, 2, 10>;

[[nodiscard]] inline mmm::index number_of_processes() {
  int count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}
[[nodiscard]] inline mmm::index own_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
//! The handle of all processes, each with kernels of two blocks.
[[nodiscard]] inline auto processes() {
  auto const node = mmm::cuda::on<node_machine>(mmm::threads(128));
#if MMM_CHECKS_WITH_NCCL
  return mmm::mpi::on<mmm::mpi::nccl_memory>(MPI_COMM_WORLD, node);
#else
  return mmm::mpi::on(MPI_COMM_WORLD, node);
#endif
}

//! Numbers without a pattern that a program could meet by chance.
template <class T>
[[nodiscard]] std::vector<T> numbers(mmm::index n) {
  std::vector<T> words;
  for (mmm::index i = 0; i < n; ++i)
    words.push_back(static_cast<T>((i * i * 7 + i * 13) % 101 - 30));
  return words;
}

//! The words of a whole that lie on this process.
template <class T, class Distribution>
[[nodiscard]] std::vector<T> own_part(std::vector<T> const& whole, Distribution const& parts) {
  std::vector<T> own;
  for (mmm::index i = 0; i < parts.words(own_rank()); ++i)
    own.push_back(whole[static_cast<std::size_t>(parts.place(own_rank(), i))]);
  return own;
}
template <class T>
[[nodiscard]] std::vector<T> on_host(thrust::device_vector<T> const& words) {
  std::vector<T> host(words.size());
  thrust::copy(words.begin(), words.end(), host.begin());
  return host;
}

//! How a whole sequence lies on the processes.
struct sizes {
  std::vector<mmm::index> of_process;
  [[nodiscard]] mmm::index words(mmm::index rank) const {
    return of_process[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] mmm::index place(mmm::index rank, mmm::index i) const {
    mmm::index first = 0;
    for (mmm::index r = 0; r < rank; ++r) first += words(r);
    return first + i;
  }
  [[nodiscard]] mmm::index total() const {
    return place(static_cast<mmm::index>(of_process.size()), 0);
  }
};
//! Blocks of few and of more words than processes, and parts of very different sizes.
[[nodiscard]] inline std::vector<sizes> all_sizes(mmm::index largest) {
  mmm::index const k = number_of_processes();
  std::vector<sizes> all;
  for (mmm::index const n : {mmm::index{0}, mmm::index{1}, k + 1, largest}) {
    mmm::block_distribution const parts(n, k);
    sizes x;
    for (mmm::index r = 0; r < k; ++r) x.of_process.push_back(parts.words(r));
    all.push_back(x);
  }
  sizes uneven;
  for (mmm::index r = 0; r < k; ++r) uneven.of_process.push_back(r % 2 == 0 ? 0 : 50 * r + 3);
  all.push_back(uneven);
  return all;
}

}  // namespace checks
