// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/operation.hpp>

#include <cstddef>
#include <cstdint>

//! Instructions that compute each lane's result from the same lane's operands are rows of tables: a
//! name, a handler, and what its operands are. The handlers are compiled twice, for any processor
//! and for one with AVX2 and FMA (namespaces device::baseline and device::avx2, macro DEVICE_ISA),
//! and chosen when the program starts. Code that is compiled twice must not call inline functions
//! with external linkage from elsewhere, unless they are always inlined: the linker would keep one
//! of two copies. Hence the tables are plain arrays.
namespace device {

//! Bits of operation::immediate for rows with a `general` handler: the modifiers.
enum row_flag : std::uint16_t {
  round_nearest = 0,
  round_zero = 1,
  round_down = 2,
  round_up = 3,
  rounding = 3,    //!< both bits
  flush = 4,       //!< .ftz: subnormal operands and results are zeros
  saturate = 8,    //!< .sat: results lie in [0, 1], NaN is 0
  rectify = 16,    //!< .relu: negative results are 0
  may_round = 32,  //!< of row::allowed only: `.rn` may be written
  may_direct = 64  //!< of row::allowed only: `.rz`, `.rm`, `.rp` may be written
};

//! The class of an operand: bytes of one lane (0: a predicate), and whether literals are of a
//! floating type.
struct operand_class {
  std::uint8_t bytes = 0;
  bool floating = false;
};

struct row {
  char const* name;  //!< opcode and modifiers: "add.s32"
  handler run = nullptr;
  instruction_kind kind = instruction_kind::other;
  std::uint16_t allowed = 0;  //!< modifiers that may be added (row_flag)
  //! obeys operation::immediate; serves if any modifier asks for something
  bool general = false;
  bool immediate = false;  //!< the last operand is a number, kept in operation::immediate
  bool carry = false;      //!< operation::list[0] is the carry flag
  std::uint8_t sources = 0;
  operand_class d{};
  operand_class source[4]{};
};

template <class T>
struct list_of {
  T const* begin = nullptr;
  std::size_t size = 0;
};

}  // namespace device
