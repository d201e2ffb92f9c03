// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums and scans of further small types.
#include "call_forms.cuh"

#include <cuda_bf16.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace call_forms_long_tests {

TEST_CASE("sums of further small types are wider") {
  call_forms::counts_ones<std::uint16_t>(70000);
  call_forms::counts_ones<__nv_bfloat16>(3001);
}

TEST_CASE("scans of small types in place are modulo their range") {
  for (mmm::index const n : {3, 5000, 20001}) {
    std::vector<std::int16_t> const host(static_cast<std::size_t>(n), 3);
    checks::device_words<std::int16_t> a(host.begin(), host.end());
    mmm::fastest::prefix_sums(call_forms::handle(), a.begin(), a.end(), a.begin());
    auto const sums = a.on_host();
    bool right = true;
    for (std::size_t k = 0; k < host.size(); ++k)
      right = right && sums[k] == static_cast<std::int16_t>(3 * (static_cast<int>(k) + 1));
    CHECK(right);
  }
}

}  // namespace call_forms_long_tests
