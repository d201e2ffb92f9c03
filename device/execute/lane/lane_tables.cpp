// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/lane_tables.hpp>

namespace device {

#define DEVICE_TABLES(isa)                                                            \
  {isa::integer_rows(),      isa::integer_bit_rows(),      isa::integer_carry_rows(), \
   isa::floating_rows(),     isa::floating_general_rows(), isa::half_rows(),          \
   isa::half_general_rows(), isa::compare_rows(),          isa::select_rows(),        \
   isa::pack_rows(),         isa::integer_conversions(),   isa::floating_conversions()}

lane_tables const& tables_for([[maybe_unused]] tool::processor p) {
#ifdef DEVICE_HAS_AVX2
  if (p >= tool::processor::avx2) {
    static lane_tables const faster DEVICE_TABLES(avx2);
    return faster;
  }
#endif
  static lane_tables const all DEVICE_TABLES(baseline);
  return all;
}

}  // namespace device
