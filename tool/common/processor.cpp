// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "processor.hpp"

#include "failure.hpp"
#include "text.hpp"

#include <cstdlib>
#include <string>

namespace tool {

processor processor_of_this_machine() {
#if defined(__x86_64__)
  bool const has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                        __builtin_cpu_supports("popcnt");
  bool const has_avx512 =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
      __builtin_cpu_supports("avx512vpopcntdq");
  if (has_avx2) return has_avx512 ? processor::avx512 : processor::avx2;
#endif
  return processor::baseline;
}

processor processor_named(std::string_view name, processor last) {
  if (name.empty()) return last;
  std::string accepted;
  constexpr std::string_view names[] = {"baseline", "avx2", "avx512"};
  for (std::uint8_t k = 0; k <= static_cast<std::uint8_t>(last); ++k) {
    if (name == names[k]) return static_cast<processor>(k);
    accepted.append(k == 0 ? "" : ", ").append(names[k]);
  }
  throw failure("MMM_PROCESSOR is " + in_quotes(name) +
                "; accepted on this processor: " + accepted);
}

processor processor_in_use() {
  char const* const name = std::getenv("MMM_PROCESSOR");
  return processor_named(name == nullptr ? "" : name, processor_of_this_machine());
}

}  // namespace tool
