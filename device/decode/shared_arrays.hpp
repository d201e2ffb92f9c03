// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/operation.hpp>
#include <device/ptx/module.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace device::decode {

//! A shared array's number in its program, from 1, or that of another object whose address is in a
//! register that `cvta.to` converts; 0: an operand names none.
using array_number = std::function<std::uint32_t(ptx::operand const&)>;

//! Finds the shared array from whose address each register is computed, wherever it is written:
//! by moves, conversions of address spaces, and sums with what is no address. 0: none, or several.
//! Time: linear in the instructions, times the longest chain of such sums.
[[nodiscard]] std::vector<std::uint32_t> arrays_of_registers(ptx::body const&, array_number const&);

//! The operand with the shared address of a load, store, atomic or cp.async; null for others.
[[nodiscard]] ptx::operand const* accessed_by(ptx::instruction const&);

}  // namespace device::decode
