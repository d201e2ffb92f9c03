// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/processor.hpp>
#include <device/execute/lane/lanewise_row.hpp>

//! The tables of instructions whose handlers are compiled once for each DEVICE_ISA, in the files
//! *_lanes.cpp.
namespace device {

//! A conversion of numbers.
struct conversion {
  ptx::scalar to, source;
  handler run;
};

//! operation::immediate of a conversion: row_flag, and these.
enum conversion_flag : std::uint16_t {
  to_integer = 0x300,  //!< both bits of how to round to an integer:
  to_nearest_integer = 0,
  to_zero_integer = 0x100,
  to_lower_integer = 0x200,
  to_upper_integer = 0x300,
  integral = 0x400,  //!< of a floating result: rounded to an integer
  finite = 0x800     //!< .satfinite
};

using row_list = list_of<row>;
using conversion_list = list_of<conversion>;

struct lane_tables {
  row_list integer;                      // add, mul, mad, div, dp4a, …
  row_list integer_bits;                 // and, shl, bfe, popc, prmt, …
  row_list integer_carry;                // add.cc, madc.hi, …
  row_list floating;                     // f32 and f64, rounded to nearest, subnormals kept
  row_list floating_general;             // the same with any rounding, .ftz, .sat
  row_list half;                         // f16 and bf16
  row_list half_general;                 // the same with .ftz, .sat, .relu
  row_list compare;                      // setp, set
  row_list select;                       // mov, selp, slct
  row_list pack;                         // cvt of two values at once, cvt.pack
  conversion_list integer_conversions;   // integer to integer
  conversion_list floating_conversions;  // the others
};

//! The tables that a processor runs fastest: those for AVX2 where it has that, else those for all.
[[nodiscard]] lane_tables const& tables_for(tool::processor);

#define DEVICE_DECLARE_TABLES                          \
  [[nodiscard]] row_list integer_rows();               \
  [[nodiscard]] row_list integer_bit_rows();           \
  [[nodiscard]] row_list integer_carry_rows();         \
  [[nodiscard]] row_list floating_rows();              \
  [[nodiscard]] row_list floating_general_rows();      \
  [[nodiscard]] row_list half_rows();                  \
  [[nodiscard]] row_list half_general_rows();          \
  [[nodiscard]] row_list compare_rows();               \
  [[nodiscard]] row_list select_rows();                \
  [[nodiscard]] row_list pack_rows();                  \
  [[nodiscard]] conversion_list integer_conversions(); \
  [[nodiscard]] conversion_list floating_conversions();

namespace baseline {
DEVICE_DECLARE_TABLES
}
namespace avx2 {
DEVICE_DECLARE_TABLES
}
#undef DEVICE_DECLARE_TABLES

}  // namespace device
