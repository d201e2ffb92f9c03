// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>

//! Builders of instructions that are more than a row.
namespace device {

void build_cvt(ptx::instruction const&, decode::context&);
//! cvta, isspacep, mapa, getctarank
void add_address_instructions(decode::instruction_table&);

}  // namespace device
