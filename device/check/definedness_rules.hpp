// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/ptx/module.hpp>

#include <cstdint>
#include <span>

//! The bytes of an instruction's result that undefined bytes of its operands reach.
namespace device::check {

//! The way from the bytes of operands to those of a result.
enum class definedness_rule : std::uint8_t {
  any,          //!< each byte of the result depends on all bytes of the operands
  bytewise,     //!< byte k on byte k: moves, xor, not
  upwards,      //!< byte k on bytes 0 to k: sums and products of integers
  halfwise,     //!< each 16 bits on the same 16 bits
  conjunction,  //!< as bytewise; 0 in one operand decides
  disjunction,  //!< as bytewise; all bits set in one operand decide
  lookup,       //!< lop3
  shift_left,
  shift_right,
  funnel_left,
  funnel_right,
  permutation,  //!< prmt
  extraction,   //!< bfe
  insertion,    //!< bfi
  conversion,   //!< cvt
  selection,    //!< selp
  comparison    //!< setp, set
};

[[nodiscard]] definedness_rule definedness_rule_of(ptx::instruction const&);

//! A source operand of one thread.
struct operand_value {
  std::uint32_t missing = 0;  //!< a bit for each undefined byte; bit 0 of a predicate
  std::uint64_t value = 0;    //!< its low 8 bytes, or the predicate
  bool known = true;          //!< false: `value` is not known, although it is defined
  int bytes = 0;              //!< 0: a predicate
};

//! A bit for each of a register's bytes; bit 0 for a predicate.
[[nodiscard]] constexpr std::uint32_t all_bytes(int bytes) {
  return bytes == 0 ? 1U : (std::uint32_t{1} << bytes) - 1;
}

//! The bytes of a result of `bytes` bytes (0: of a predicate) that are undefined.
[[nodiscard]] std::uint32_t undefined_result(definedness_rule, ptx::instruction const&,
                                             std::span<operand_value const>, int bytes);

}  // namespace device::check
