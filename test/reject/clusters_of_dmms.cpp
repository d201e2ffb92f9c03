// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect(gcc): clusters_of_dmms<132, 8>
// expect(clang): clusters_of_dmms<132, 8>
// expect(nvcc): clusters_of_dmms<.*Dmms=132L, ClusterSize=8L
// expect: the number of DMMs is a multiple of that in a cluster
#include <mmm/machine/clustered.hpp>

#ifdef MMM_REJECT_CONTROL
mmm::clustered<mmm::hmm<132, 32, 1, 9>, 4, 5> machine;
#else
mmm::clustered<mmm::hmm<132, 32, 1, 9>, 8, 5> machine;
#endif
