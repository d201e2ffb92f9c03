// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/ptx/lexer.hpp>

#include <cstdint>

namespace device::ptx {

//! A literal or a constant expression of literals: `-1`, `(1+2)*3`, `WARP_SZ`, `1 << 4 | 2`,
//! `0f3F800000`.
[[nodiscard]] literal read_constant(lexer&);

//! The sum of the offsets after a name or register: `+8`, `-4`, `+-4`, `+4-2`; 0 if there is none.
[[nodiscard]] std::uint64_t read_addend(lexer&);

}  // namespace device::ptx
