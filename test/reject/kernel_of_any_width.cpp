// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: a kernel needs a machine whose type knows its width
// The lanes of a warp are the hardware's.
#include <mmm/execution/kernel/host_threads.hpp>

#ifdef MMM_REJECT_CONTROL
mmm::host_threads<mmm::dmm<4, 2>> const on(mmm::threads(4));
#else
mmm::host_threads<mmm::dmm<mmm::dynamic, 2>> const on(mmm::dmm<mmm::dynamic, 2>(4),
                                                      mmm::threads(4));
#endif
