// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect(gcc): machine_parameter<0, 1>
// expect(clang): machine_parameter<0, 1>
// expect(nvcc): machine_parameter<.*Got=0L, Least=1L
// expect: a machine's parameter is too small
#include <mmm/machine/machine.hpp>

#ifdef MMM_REJECT_CONTROL
mmm::dmm<1, 1> machine;
#else
mmm::dmm<0, 1> machine;
#endif
