// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect(gcc): cluster_size<17, 1, 16>
// expect(clang): cluster_size<17, 1, 16>
// expect(nvcc): cluster_size<.*Got=17L, Least=1L, Max=16L
// expect: the number of DMMs in a cluster is out of range
#include <mmm/machine/clustered.hpp>

#ifdef MMM_REJECT_CONTROL
mmm::clustered<mmm::hmm<34, 32, 1, 9>, 2, 5> machine;
#else
mmm::clustered<mmm::hmm<34, 32, 1, 9>, 17, 5> machine;
#endif
