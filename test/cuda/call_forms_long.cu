// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums and scans of further small types, and a product of halves.
#include "call_forms.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace call_forms_long_tests {

using checks::device_words;
using mmm::index;
using namespace call_forms;

TEST_CASE("sums of further small types are wider") {
  counts_ones<std::uint16_t>(70000);
  counts_ones<__half>(5000);
  counts_ones<__nv_bfloat16>(3001);
}

TEST_CASE("scans of small types in place are modulo their range") {
  for (index const n : {3, 5000, 20001}) {
    std::vector<std::int16_t> const host(static_cast<std::size_t>(n), 3);
    device_words<std::int16_t> a(host.begin(), host.end());
    mmm::fastest::prefix_sums(handle(), a.begin(), a.end(), a.begin());
    auto const sums = a.on_host();
    bool right = true;
    for (std::size_t k = 0; k < host.size(); ++k)
      right = right && sums[k] == static_cast<std::int16_t>(3 * (static_cast<int>(k) + 1));
    CHECK(right);
  }
}

TEST_CASE("scans of small types") {
  for (index const n : {3, 5000, 20001}) {
    std::vector<std::int16_t> host(static_cast<std::size_t>(n), 3);
    device_words<std::int16_t> a(host.begin(), host.end());
    device_words<int> sums(host.size());
    mmm::fastest::prefix_sums(handle(), a.begin(), a.end(), sums.begin());
    auto const as_int = sums.on_host();
    bool right = true;
    for (std::size_t k = 0; k < host.size(); ++k)
      right = right && as_int[k] == 3 * (static_cast<int>(k) + 1);
    CHECK(right);
  }
}

TEST_CASE("a product of halves is added up in floats") {
  index const rows = 130;
  index const inner = 40;
  std::vector<__half> const twos(static_cast<std::size_t>(rows * inner), __half(2.0F));
  std::vector<__half> const many(static_cast<std::size_t>(inner * rows), __half(1000.0F));
  device_words<__half> const a(twos.begin(), twos.end());
  device_words<__half> const b(many.begin(), many.end());
  device_words<float> c(static_cast<std::size_t>(rows * rows));
  // 80,000 is more than the largest half
  std::vector<float> const expected(static_cast<std::size_t>(rows * rows), 80000.0F);
  auto const large = mmm::cuda::on<machine>(mmm::threads(4 * 256));
  mmm::fastest::matrix_multiply(large, a.begin(), b.begin(), mmm::product_shape(rows, inner, rows),
                                c.begin());
  CHECK(c.on_host() == expected);
  device_words<float> d(static_cast<std::size_t>(rows * rows));
  mmm::matrix_multiply(large, a.begin(), b.begin(), mmm::product_shape(rows, inner, rows),
                       d.begin(), mmm::tile(16));
  CHECK(d.on_host() == expected);
}

}  // namespace call_forms_long_tests
