// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cases.hpp"

//! Convolutions in clusters of blocks, which read each other's shared memory.
namespace prediction::clusters {

struct clustered_case {
  index blocks, cluster, threads, outputs, taps;
};
//! Windows that reach over several blocks, and over the cluster's end; outputs for some clusters
//! only; incomplete warps.
inline constexpr clustered_case cases[] = {{4, 2, 128, 1000, 33}, {4, 4, 64, 500, 200},
                                           {8, 8, 32, 300, 7},    {4, 2, 40, 77, 90},
                                           {6, 2, 96, 100, 1},    {2, 1, 64, 300, 20}};

template <class T, class Runs>
void convolutions(Runs& runs) {
  using machine = mmm::clustered<hierarchy, mmm::dynamic, 1>;
  for (clustered_case const& c : cases) {
    machine const m(hierarchy(c.blocks), c.cluster);
    index const n = c.outputs;
    index const taps = c.taps;
    runs.template run<T>(
        "convolution_in_clusters",
        text("n", n, "m", taps) + ", " + text("d", c.blocks, "blocks of a cluster", c.cluster), m,
        c.blocks * c.threads, [n, taps](auto on, T* a, T* b, T* z) {
          mmm::convolution_in_clusters(on, a, a + taps, b, b + n + taps - 1, z, z + n);
        });
  }
}

template <class Runs>
void run_list(Runs& runs) {
  convolutions<float>(runs);
  if constexpr (!few) convolutions<double>(runs);
}

}  // namespace prediction::clusters
