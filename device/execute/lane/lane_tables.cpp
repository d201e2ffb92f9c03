// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/lane_tables.hpp>

namespace device {

#define DEVICE_TABLES(isa)                                                            \
  {isa::integer_rows(),      isa::integer_bit_rows(),      isa::integer_carry_rows(), \
   isa::floating_rows(),     isa::floating_general_rows(), isa::half_rows(),          \
   isa::half_general_rows(), isa::compare_rows(),          isa::select_rows(),        \
   isa::pack_rows(),         isa::integer_conversions(),   isa::floating_conversions()}

lane_tables const* baseline_tables() {
  static lane_tables const tables DEVICE_TABLES(baseline);
  return &tables;
}

lane_tables const* avx2_tables() {
#ifdef DEVICE_HAS_AVX2
  // The instruction sets that -march=x86-64-v3 lets the compiler use
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
      __builtin_cpu_supports("popcnt")) {
    static lane_tables const tables DEVICE_TABLES(avx2);
    return &tables;
  }
#endif
  return nullptr;
}

lane_tables const& tables_of_this_processor() {
  lane_tables const* const faster = avx2_tables();
  return faster != nullptr ? *faster : *baseline_tables();
}

}  // namespace device
