// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/fragment_product.hpp>

#include <cstdint>

//! Products of matrices in the registers of 32 lanes, on the host (execution/fragments.hpp).
namespace mmm::detail {

//! Adds a lane's elements of the products of `Down` fragments of A and `Across` of B to `sum(k)`,
//! the lane's k-th register of C. `a(t, k)` and `b(t, k)` are the registers of lane t.
template <class Shape, index Down, index Across, class Sum, class Left, class Right>
constexpr void add_fragment_products(int lane, Sum const& sum, Left const& a, Right const& b) {
  for (index m = 0; m < Down; ++m)
    for (index q = 0; q < Across; ++q)
      for (int e = 0; e < 4; ++e) {
        auto& c = sum((m * Across + q) * 4 + e);
        c = gpu::fragment_product<Shape>(
            lane, e, c,
            [&](int t, int r) { return __builtin_bit_cast(std::uint32_t, a(t, m * 4 + r)); },
            [&](int t, int r) { return __builtin_bit_cast(std::uint32_t, b(t, q * 2 + r)); });
      }
}

}  // namespace mmm::detail
