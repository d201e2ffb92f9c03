// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect(gcc): message_overhead<-1, 0>
// expect(clang): message_overhead<-1, 0>
// expect(nvcc): message_overhead<.*Got=-1L, Least=0L
// expect: the overhead of a message is negative
#include <mmm/machine/cluster.hpp>

#ifdef MMM_REJECT_CONTROL
mmm::cluster<2, 1, 9, mmm::dmm<32, 1>, 0> machine;
#else
mmm::cluster<2, 1, 9, mmm::dmm<32, 1>, -1> machine;
#endif
