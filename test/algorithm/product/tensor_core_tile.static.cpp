// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fragments of the products by tensor cores arrive in the registers that mma.sync reads.
#include <mmm/algorithm/product/tensor_core_tile.hpp>

namespace {

using mmm::gpu::fragment;

// A and B of m16n8k16 with 16 bits, m16n8k32 with 8 and m16n8k8 with 32, in tiles of 128 and 256 on
// a side, in steps of 64 and of 128 bytes.
template <class Fragment, mmm::index Side, mmm::index StepVecs, bool Along>
constexpr bool loaded =
    mmm::detail::factor_tile<Fragment, Side, StepVecs, Along>::is_loaded_right();

static_assert(loaded<fragment<16, 16, 16, 2>, 128, 8, true>);
static_assert(loaded<fragment<16, 16, 16, 2>, 128, 8, false>);
static_assert(loaded<fragment<16, 16, 16, 2>, 128, 4, true>);
static_assert(loaded<fragment<16, 16, 16, 2>, 128, 4, false>);
static_assert(loaded<fragment<8, 16, 16, 2>, 256, 8, true>);
static_assert(loaded<fragment<8, 16, 16, 2>, 256, 8, false>);
static_assert(loaded<fragment<8, 16, 16, 2>, 128, 4, true>);
static_assert(loaded<fragment<8, 16, 16, 2>, 128, 4, false>);
static_assert(loaded<fragment<16, 32, 8, 4>, 128, 8, true>);
static_assert(loaded<fragment<8, 32, 8, 4>, 256, 8, true>);
static_assert(loaded<fragment<16, 8, 32, 1>, 128, 8, true>);
static_assert(loaded<fragment<8, 8, 32, 1>, 256, 8, true>);

}  // namespace
