// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

namespace tool {

//! The instruction sets of processors, each with those before it. Parts of the programs exist once
//! for every processor and once more for some.
enum class processor : std::uint8_t {
  baseline,  //!< every one of this architecture
  avx2,      //!< with FMA, BMI, BMI2 and POPCNT
  avx512     //!< with BW, DQ, VL, VBMI, VBMI2 and VPOPCNTDQ: Intel Ice Lake, AMD Zen 4
};

//! The last of them that this machine is.
[[nodiscard]] processor processor_of_this_machine();

//! The processor of that name, baseline, avx2 or avx512; `last` if the name is empty. Throws
//! failure, which says what is accepted, if it is another name or that of one after `last`.
[[nodiscard]] processor processor_named(std::string_view name, processor last);

//! The processor that this process is to use: what the environment variable MMM_PROCESSOR names,
//! by default this machine's. Throws failure as processor_named does.
[[nodiscard]] processor processor_in_use();

}  // namespace tool
