// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fragments of mma.sync: a bijection onto the matrix, for every shape and type. test/interop
// compares them with CUTLASS.
#include <mmm/gpu/fragment.hpp>

namespace {

using namespace mmm::gpu;
using enum data_type;

template <class F>
constexpr bool is_bijection() {
  bool held[F::rows][F::columns] = {};
  for (int lane = 0; lane < 32; ++lane)
    for (int e = 0; e < F::elements; ++e) {
      int const row = F::row(lane, e);
      int const column = F::column(lane, e);
      if (row < 0 || row >= F::rows || column < 0 || column >= F::columns || held[row][column] ||
          F::lane_of(row, column) != lane || F::element_of(row, column) != e)
        return false;
      held[row][column] = true;
    }
  return F::elements * 32 == F::rows * F::columns;
}
template <class Mma>
constexpr bool is_right = is_bijection<typename Mma::a>() && is_bijection<typename Mma::b>() &&
                          is_bijection<typename Mma::c>();

// The example of the header, and the registers of the most used shape.
using halves = mma<16, 8, 16, f16>;
static_assert(halves::a::row(7, 3) == 9 && halves::a::column(7, 3) == 7);
static_assert(halves::a::lane_of(9, 7) == 7 && halves::a::element_of(9, 7) == 3);
static_assert(halves::a::registers == 4 && halves::b::registers == 2 && halves::c::registers == 4);
static_assert(halves::capability == 80 && mma<16, 8, 8, f16>::capability == 75);
static_assert(mma<16, 8, 16, f16, f16, f16>::c::registers == 2);
static_assert(mma<16, 8, 32, e2m1, e5m2>::a::bits == 8 && mma<16, 8, 64, e2m1>::a::bits == 4);
static_assert(mma<16, 8, 16, f64>::a::registers == 16);

static_assert(is_right<mma<16, 8, 8, f16>> && is_right<halves> &&
              is_right<mma<16, 8, 16, f16, f16, f16>>);
static_assert(is_right<mma<16, 8, 8, bf16>> && is_right<mma<16, 8, 16, bf16>>);
static_assert(is_right<mma<16, 8, 4, tf32>> && is_right<mma<16, 8, 8, tf32>>);
static_assert(is_right<mma<8, 8, 4, f64>> && is_right<mma<16, 8, 4, f64>> &&
              is_right<mma<16, 8, 8, f64>> && is_right<mma<16, 8, 16, f64>>);
static_assert(is_right<mma<8, 8, 16, s8>> && is_right<mma<16, 8, 16, u8, s8>> &&
              is_right<mma<16, 8, 32, u8>>);
static_assert(is_right<mma<8, 8, 32, s4>> && is_right<mma<16, 8, 32, s4, u4>> &&
              is_right<mma<16, 8, 64, u4>>);
static_assert(is_right<mma<8, 8, 128, b1>> && is_right<mma<16, 8, 128, b1>>);
static_assert(is_right<mma<16, 8, 16, e4m3>> && is_right<mma<16, 8, 32, e4m3, e5m2, f16>>);
static_assert(is_right<mma<16, 8, 32, e3m2, e2m3>> && is_right<mma<16, 8, 64, e2m1>>);

// No other shape.
static_assert(detail::mma_capability(16, 16, 16, f16, f16) == 0);
static_assert(detail::mma_capability(8, 8, 4, f16, f16) == 0);
static_assert(detail::mma_capability(16, 8, 32, f16, f16) == 0);
static_assert(detail::mma_capability(16, 8, 32, s8, s4) == 0);
static_assert(detail::mma_capability(16, 8, 64, e2m1, e4m3) == 0);
static_assert(!detail::accumulates(bf16, f16) && !detail::accumulates(s8, f32));

}  // namespace
