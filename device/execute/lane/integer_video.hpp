// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>

namespace device {

//! vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vmad, vset and, on two or four parts of a
//! register, vadd2, vadd4, …
void add_video_instructions(decode::instruction_table&);

}  // namespace device
