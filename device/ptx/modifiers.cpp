// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "modifiers.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace device::ptx {

namespace {

//! With a space before and after each.
constexpr std::string_view modifiers =
    " L1 L2 NaN a a1d a2d a2dms abs acq_rel acquire acube add addr_mode_0 addr_mode_1"
    " addr_mode_2 alias aligned all alloc and any approx array_size arrive arrive_drop"
    " ashift async b b1 b1024 b128 b16 b2 b32 b4 b4e b4x16_p64 b64 b6x16_p32 b8 b8x16"
    " ballot base bf16 bf16x2 bfly block_scale box_dim bulk bulk_group c ca cas cc cg"
    " channel_data_type channel_order clamp cluster col commit commit_group complete_tx"
    " const cp cp_fenceproxy cp_mask cs cta cube cv cvt d dealloc dec depth down e2m1"
    " e2m1x2 e2m1x4 e2m3 e2m3x2 e2m3x4 e3m2 e3m2x2 e3m2x4 e4m3 e4m3x2 e4m3x4 e5m2 e5m2x2"
    " e5m2x4 ecl ecr element_stride elemtype eq equ exch expect_tx f16 f16x2 f32 f32x2"
    " f4e f64 fence fill_mode filter_mode finite force_unnormalized_coords fractional ftz"
    " full g ge get_first_ctaid geu gl global global_address global_dim global_stride gpu"
    " grad gt gtu height hi hs idx im2col im2col_no_offs inc infinite init"
    " interleave_layout inval is_canceled l launch_dependents ld ld_reduce le leu level"
    " lo load local ls lt ltu lu max mbarrier mbarrier_init memory_layout min mma"
    " mma_async mmio nan nc ne neu noComplete noftz noinc normal normalized_coords"
    " notanumber num num_mipmap_levels num_samples number oob or p pack param parity"
    " pending_count phase po popc pred prefetch proxy query_cancel r range rank rc16 rc8"
    " read red reduce relaxed release relinquish_alloc_permit relu replace rm rmi rn rna"
    " rni row rp rpi rs rz rzi s16 s16x2 s2 s2f6x2 s32 s4 s64 s8 s8x4 samplerref sat"
    " satfinite sc shared shift shiftamt shr15 shr7 sp st store subnormal surfref"
    " swizzle_atomicity swizzle_mode sync sys tensor tensormap test_wait texref tf32 tile"
    " to trans transpose trap try_cancel try_wait u16 u16x2 u2 u32 u4 u64 u8 u8x4 ue4m3"
    " ue8m0 ue8m0x2 uni unified up v2 v4 v8 volatile wait wait_all wait_group warp warpx4"
    " wb weak wide width wrap ws wt xor xorsign zero ";

//! The words before `::`.
constexpr std::string_view qualifiers[] = {"L1",        "L2",        "acc",
                                           "async",     "cluster",   "collector",
                                           "cta_group", "fence",     "get_first_ctaid",
                                           "im2col",    "kind",      "level",
                                           "mbarrier",  "multicast", "pack",
                                           "param",     "scale_vec", "scaled",
                                           "shared",    "sp",        "sync_restrict",
                                           "tensormap", "tile",      "unpack",
                                           "wait",      "warpx2",    "block16",
                                           "block32"};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

//! A shape: letters of m, n, k, x, b and d with numbers, as in "m16n8k16", "x4", "2d", "16x32bx2".
bool is_shape(std::string_view name) {
  bool const numbered = std::any_of(name.begin(), name.end(), is_digit);
  return numbered && name.find_first_not_of("0123456789mnkxbds") == std::string_view::npos &&
         name.find_first_of("mnkxd") != std::string_view::npos;
}

}  // namespace

bool is_modifier(std::string_view name) {
  bool const is_word = !name.empty() && name.find(' ') == std::string_view::npos;
  if (is_word && modifiers.find(' ' + std::string(name) + ' ') != std::string_view::npos)
    return true;
  std::size_t const colons = name.find("::");
  if (colons == std::string_view::npos) return is_shape(name);
  return std::find(std::begin(qualifiers), std::end(qualifiers), name.substr(0, colons)) !=
         std::end(qualifiers);
}

}  // namespace device::ptx
