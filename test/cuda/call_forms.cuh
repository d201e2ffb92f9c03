// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device_side.cuh"

#include <cstddef>
#include <vector>

//! Shared by call_forms.cu and call_forms_long.cu.
namespace call_forms {

using machine = mmm::hmm<4, 32, 29, 700, 12288>;
using one_memory = mmm::umm<32, 400>;

inline auto handle(cudaStream_t stream = nullptr) {
  return mmm::cuda::on<machine>(mmm::threads(4 * 64), stream);
}

template <class T>
void counts_ones(mmm::index n) {
  std::vector<T> const ones(static_cast<std::size_t>(n), T(1.0F));
  checks::device_words<T> const a(ones.begin(), ones.end());
  for (mmm::index const first : {0, 1, 4}) {  // aligned for accesses of four words, and not
    CAPTURE(n, first);
    CHECK(mmm::fastest::sum(handle(), a.begin() + first, a.end()) == n - first);
  }
  CHECK(mmm::sum(mmm::cuda::on<one_memory>(mmm::threads(256)), a.begin(), a.end()) == n);
}

}  // namespace call_forms
