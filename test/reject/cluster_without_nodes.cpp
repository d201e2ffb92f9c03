// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect(gcc): machine_parameter<0, 1>
// expect(clang): machine_parameter<0, 1>
// expect(nvcc): machine_parameter<.*Got=0L, Least=1L
// expect: a machine's parameter is too small
#include <mmm/machine/cluster.hpp>

#ifdef MMM_REJECT_CONTROL
mmm::cluster<1, 1, 9, mmm::dmm<32, 1>> machine;
#else
mmm::cluster<0, 1, 9, mmm::dmm<32, 1>> machine;
#endif
