// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Figures from documents, hardware counters and other tools, each with its source.
#include <mmm/cost/cost.hpp>
#include <mmm/gpu.hpp>
#include <mmm/gpu/atomic.hpp>
#include <mmm/layout/row_major.hpp>

#include <array>

namespace {

using namespace mmm::gpu;
using mmm::access_kind;
using mmm::index;
using mmm::item;
using mmm::size;

// --- shared memory: banks and words (CUDA C++ Programming Guide, compute capability 5.x, "Shared M

static_assert(wavefronts<load<4>>(item * 4) == 1);   // a word per bank
static_assert(wavefronts<load<4>>(item * 8) == 2);   // stride of two words: two-way conflict
static_assert(wavefronts<load<4>>(item * 12) == 1);  // stride of three words: no conflict
static_assert(wavefronts<load<4>>(item * 128) == 32);
static_assert(wavefronts<load<4>>(item * 0) == 1);            // one word for all: broadcast
static_assert(wavefronts<load<4>>(item % 5 * 4 + 128) == 1);  // several broadcasts: multicast
// accesses to different bytes of one word are one access
static_assert(wavefronts<load<1>>(item) == 1);
// all lanes write one word: one of them succeeds, at no extra cost
static_assert(wavefronts<store<4>>(item * 0) == 1);
static_assert(wavefronts<store<2>>(item / 2 * 128) == 16);  // distinct words count, not lanes
// nvFuser, BankConflict3: a column of 32 x 32 bool
static_assert(wavefronts<load<1>>(item * 32) == 8);
static_assert(wavefronts<load<2>>(item * 64) == 16);  // tensor-layouts' comment says 2
static_assert(wavefronts<load<2>>(item * 2) == 1);    // oxicuda says 32
static_assert(conflict_free<load<4>>(mmm::padded(32, 32, 1)(item, 7) * 4));
static_assert(!conflict_free<load<4>>(mmm::row_major(32, 32)(item, 7) * 4));

// The stride of RaCUDA's reduce1 with 16, 8, 4 and 2 lanes active (counters of Nsight Compute).
static_assert(wavefronts<load<4>>(item * 16 * 4, size(32), item < 16) == 8);
static_assert(wavefronts<load<4>>(item * 32 * 4, size(32), item < 8) == 8);
static_assert(wavefronts<load<4>>(item * 64 * 4, size(32), item < 4) == 4);
static_assert(wavefronts<load<4>>(item * 128 * 4, size(32), item < 2) == 2);
// no active lane: no request
static_assert(shared_cost_of<load<4>>(item * 4, size(32), item < 0) == shared_cost{});

// --- vectors: phases (CUTLASS, implicit_gemm_convolution.md; nvFuser, getPhaseSize; Triton) ------

static_assert(shared_cost_of<load<8>>(item * 8) ==
              shared_cost{1, 2, 2});  // forum 217015: a row of doubles, 2 wavefronts
// forum 359822: LDS.128 without conflicts
static_assert(shared_cost_of<load<16>>(item * 16) == shared_cost{1, 4, 4});
// forum 359822: the worst case is 32
static_assert(shared_cost_of<load<16>>(item * 128) == shared_cost{1, 32, 4});
static_assert(shared_cost_of<load<8>>(item * 128) == shared_cost{1, 32, 2});
static_assert(shared_cost_of<load<16>>(item * 16).excessive() == 0);
// A100: lanes 15 and 16 are in different phases
static_assert(wavefronts<load<16>>(item * 16, size(32), item == 15 || item == 16) == 2);
static_assert(wavefronts<load<16>>(item * 16, size(32), item == 14 || item == 15) == 1);
// FlashAttention's kernel_traits.h (issue 2099) assumes a conflict between lanes 0 to 7 and lanes 8
// to 15, which are in different phases.
static_assert(conflict_free<store<16>>(item / 8 * 4096 + item % 8 * 16));

// --- ldmatrix: LeetCUDA on compute capability 8.9, sm__sass_l1tex_data_bank_conflicts_pipe_lsu_mem

// hgemm_mma_m16n8k16_naive: 128 x 64 thread blocks of one warp, 64 steps; A is 16 x 16 half (x4), B
// is 16 x 8 (x2.trans).
constexpr index naive_a = shared_cost_of<ldmatrix<4>>(item % 16 * 32 + item / 16 * 16).excessive();
constexpr index naive_b = shared_cost_of<ldmatrix<2>>(item % 16 * 16).excessive();
static_assert(128 * 64 * 64 * (naive_a + naive_b) == 2097152);
// hgemm_mma_m16n8k16_mma2x4_warp4x4: 8 x 8 thread blocks of 8 warps, 64 steps, 4 + 4 loads; A is
// 128 x 16, B is 16 x 128.
constexpr index tiled_b = shared_cost_of<ldmatrix<2>>(item % 16 * 256).excessive();
static_assert(8 * 8 * 8 * 64 * 4 * (naive_a + tiled_b) == 2359296);

// one phase per matrix
static_assert(shared_cost_of<ldmatrix<1>>(item * 16) == shared_cost{1, 1, 1});
static_assert(shared_cost_of<ldmatrix<2>>(item * 16) == shared_cost{1, 2, 2});
static_assert(shared_cost_of<ldmatrix<4>>(item * 16) == shared_cost{1, 4, 4});
static_assert(shared_cost_of<stmatrix<4>>(item * 128) == shared_cost{1, 32, 4});
// only lanes 0 to 7 supply addresses
static_assert(wavefronts<ldmatrix<1>>(item % 8 * 16 + item / 8 * 16 * 8) == 1);
// the registers of lanes 8 to 31 are ignored
static_assert(wavefronts<ldmatrix<1>>(item / 8) == 1);

// --- pairs that share an address (NVIDIA forum 77228; A100, zhihu 690052715; maxas issue 8) ------

static_assert(wavefronts<load<16>>(item * 0) == 4);
static_assert(wavefronts<load<16>, nvidia_merging>(item * 0) == 2);  // never 1
static_assert(wavefronts<load<8>, nvidia_merging>(item * 0) == 1);
// lanes i and i ^ 1 share an address
static_assert(wavefronts<load<8>, nvidia_merging>(item / 2 * 8) == 1);
// lanes i and i ^ 2 share an address
static_assert(wavefronts<load<8>, nvidia_merging>((item / 4 * 2 + item % 2) * 8) == 1);
static_assert(wavefronts<load<16>, nvidia_merging>(item / 2 * 16) == 2);
static_assert(wavefronts<load<16>, nvidia_merging>(item * 16) == 4);
// smem_4 (zhihu 690052715): one half-warp shares by i ^ 1, the other by i ^ 2: no merging.
static_assert(wavefronts<load<16>, nvidia_merging>(select(item < 16, item / 2 * 16,
                                                          ((item - 16) / 4 * 2 + item % 2) * 16)) ==
              4);
// smem_5 (zhihu 690052715): merged, with two-way conflicts within the merged groups: 4 wavefronts,
// 2 of them for conflicts.
static_assert(shared_cost_of<load<16>, nvidia_merging>(item / 2 * 32) == shared_cost{1, 4, 2});
static_assert(wavefronts<load<16>, nvidia_merging>(item * 16, size(32), item == 15 || item == 16) ==
              2);
static_assert(wavefronts<store<16>, nvidia_merging>(item * 0) == 4);  // no source measures stores
static_assert(wavefronts<ldmatrix<4>, nvidia_merging>(item * 0) == 4);

// --- AMD (Triton, SwizzleTest, getPhasesB128; Composable Kernel, "LDS bank conflicts") -----------

static_assert(wavefronts<load<4>, amd_cdna3>(item * 4) == 2);
static_assert(wavefronts<load<8>, amd_cdna3>(item * 8) == 4);
static_assert(wavefronts<load<16>, amd_cdna3>(item * 16) == 8);
static_assert(wavefronts<load<16>, amd_cdna4>(item * 16) == 4);
static_assert(wavefronts<load<4>, amd_cdna4>(item * 4) == 1);
// Lanes 0 and 20 are in one phase of loads, lanes 0 and 4 are not; for stores it is the reverse.
static_assert(wavefronts<load<16>, amd_cdna3>(item * 128, size(64), item == 0 || item == 20) == 2);
static_assert(
    shared_cost_of<load<16>, amd_cdna3>(item * 128, size(64), item == 0 || item == 20).ideal == 1);
static_assert(
    shared_cost_of<load<16>, amd_cdna3>(item * 128, size(64), item == 0 || item == 4).ideal == 2);
static_assert(
    shared_cost_of<store<16>, amd_cdna3>(item * 128, size(64), item == 0 || item == 4).ideal == 1);

// AMD RDNA (RDNA3 and RDNA4 ISA guides, 12.1; Triton, pull request 11365 and getSharedLdStTiles)
static_assert(wavefronts<load<4>, amd_rdna4>(item * 4) == 1);
static_assert(shared_cost_of<load<8>, amd_rdna4>(item * 8) == shared_cost{1, 2, 2});
static_assert(shared_cost_of<load<16>, amd_rdna4>(item * 16) == shared_cost{1, 4, 4});
static_assert(shared_cost_of<load<16>, amd_rdna3>(item * 16) == shared_cost{1, 4, 4});
static_assert(wavefronts<load<4>, amd_rdna3>(item * 128) == 32);            // a column of 32 words
static_assert(wavefronts<load<4>, amd_rdna3>(item * 128, size(64)) == 64);  // two waves of 32 lanes
// [rdna]
// Lanes 0 and 4 are in one phase of RDNA4's loads and of RDNA3's stores, lanes 0 and 20 of RDNA3's
// loads.
static_assert(
    shared_cost_of<load<16>, amd_rdna4>(item * 128, size(32), item == 0 || item == 4).ideal == 1);
static_assert(
    shared_cost_of<load<16>, amd_rdna3>(item * 128, size(32), item == 0 || item == 4).ideal == 2);
static_assert(
    shared_cost_of<load<16>, amd_rdna3>(item * 128, size(32), item == 0 || item == 20).ideal == 1);
static_assert(
    shared_cost_of<store<16>, amd_rdna3>(item * 128, size(32), item == 0 || item == 4).ideal == 1);
// [/rdna]

// --- global memory: sectors (CUDA C++ Best Practices Guide, 9.2.1) and lines ---------------------

static_assert(sectors<load<4>>(item * 4) == 4);
static_assert(sectors<load<4>>(item * 4 + 4) == 5);       // misaligned
static_assert(sectors<load<4>>(item * 4 + 32 * 3) == 4);  // shifted by whole sectors: aligned
static_assert(sectors<load<4>>(item * 8) == 8);           // stride 2
static_assert(sectors<load<4>>(item * 32) == 32);
static_assert(sectors<load<4>>(item * 4096) == 32);
static_assert(sectors<load<4>>(item * 0) == 1);
static_assert(sectors<load<4>>((31 - item) * 4) == 4);  // the order of the lanes does not matter
static_assert(sectors<load<1>>(item) == 1 && lines<load<1>>(item) == 1);
static_assert(sectors<load<2>>(item * 2) == 2 && lines<load<2>>(item * 2) == 1);
static_assert(lines<load<4>>(item * 4) == 1 && lines<load<4>>(item * 4 + 4) == 2);
// forum 217015: doubles, 8 sectors
static_assert(sectors<load<8>>(item * 8) == 8 && lines<load<8>>(item * 8) == 2);
static_assert(sectors<load<16>>(item * 16) == 16 && lines<load<16>>(item * 16) == 4);
static_assert(sectors<load<16>>(item * 0) ==
              // all lanes together; the quarter-warps of compute capability 2.x would make it 4
              1);
static_assert(sectors<store<4>>(item * 4, size(32), item < 9) == 2);

// --- many warps ----------------------------------------------------------------------------------

static_assert(sectors<load<4>>(item * 4, size(index{1} << 40)) == index{1} << 37);
static_assert(sectors<load<4>>(item * 4 + 4, size(index{1} << 40)) == 5 * (index{1} << 35));
static_assert(wavefronts<load<16>>(item * 16, size((index{1} << 40) + 9)) == (index{1} << 37) + 2);
static_assert(wavefronts<load<4>>(mmm::row_major(64, 48)(item % 64, item / 64) * 4,
                                  size(64 * 48)) == 96 * 16);

// --- address lists -------------------------------------------------------------------------------

constexpr std::array<index, 4> list{0, 128, 256, 4};
static_assert(wavefronts<load<4>>(list) == 3);
static_assert(wavefronts<load<4>>(list, 0b1010) == 1);
static_assert(sectors<load<4>>(list) == 3 && lines<load<4>>(list) == 3);
static_assert(explain_shared(load<4>{}, list).worst().worst_bank == 0);
static_assert(explain_shared(load<4>{}, list).worst().colliding == 0b0111);
static_assert(explain_shared(load<4>{}, list).worst().lanes == 0b1111);
static_assert(explain_shared(load<16>{}, std::array<index, 10>{0, 0, 0, 0, 0, 0, 0, 0, 48, 176})
                  .worst()
                  .worst_bank == 12);

// The explanation of a 16-byte load, phase by phase: the lanes of the second half-warp collide in
// pairs.
constexpr auto phases = explain_shared<load<16>>(select(item % 32 < 16, item * 16, item * 32), 1);
static_assert(phases.phases == 4 && phases.cost() == shared_cost{1, 6, 4});
static_assert(phases.phase[0].wavefronts == 1 && phases.phase[0].lanes == 0xFF);
static_assert(phases.phase[2].wavefronts == 2 && phases.phase[2].lanes == 0xFF0000);
static_assert(phases.phase[2].worst_bank == 0 && phases.phase[2].colliding == (1 << 16 | 1 << 20));

// --- agreement with the papers' machines ---------------------------------------------------------

// Shared memory with 4-byte accesses is a DMM of 32 banks. With accesses of 8 or 16 bytes it is a
// DMM of 16 or 8 wider banks, whose warps are the phases. Lines are a UMM's address groups.
template <auto E>
constexpr bool same_as_machines() {
  return wavefronts<load<4>>(E * 4) == mmm::stages<mmm::dmm<32, 1>>(E) &&
         wavefronts<load<8>>(E * 8) ==
             mmm::cost_of<mmm::dmm<16, 1>>(E, size(32), mmm::threads(32)).stages &&
         wavefronts<load<16>>(E * 16) ==
             mmm::cost_of<mmm::dmm<8, 1>>(E, size(32), mmm::threads(32)).stages &&
         lines<load<4>>(E * 4) == mmm::stages<mmm::umm<32, 1>>(E);
}
static_assert(same_as_machines<item * 1>());
static_assert(same_as_machines<item * 6 + 5>());
static_assert(same_as_machines<item * item % 61>());
static_assert(same_as_machines<(item ^ 5) * 12>());

// Atomic updates of words in shared memory are those of a DMM of 32 banks.
template <auto E>
constexpr bool same_updates(mmm::gpu::lane_mask active) {
  index at[32] = {};
  int lanes = 0;
  for (int t = 0; t < 32; ++t)
    if ((active >> t & 1) != 0) at[lanes++] = E(t);
  constexpr mmm::detail::width_parameter<32> width;
  return mmm::detail::request_amount<mmm::conflict::updates>(width, lanes, [&](int t) {
           return at[t];
         }) == shared_atomic_cost(4, [](int t) { return 4 * E(t); }, active).wavefronts;
}
static_assert(same_updates<item * 1>(~0U) && same_updates<item * 0>(~0U));
static_assert(same_updates<item * 6 + 5>(0xFF0F) && same_updates<item * 0 + 7>(0));
static_assert(same_updates<item * item % 61>(~0U) && same_updates<item / 3 * 32>(0x55555));

// --- the figures of reports ----------------------------------------------------------------------

// The number of different units of `size` bytes among the addresses, and of lanes in the fullest.
struct counted_units {
  index different = 0;
  index most = 0;
};
template <auto E>
constexpr counted_units units_of(index size, mmm::gpu::lane_mask active) {
  counted_units found;
  for (int t = 0; t < 32; ++t) {
    if ((active >> t & 1) == 0) continue;
    index equal = 0;
    bool first = true;
    for (int other = 0; other < 32; ++other) {
      if ((active >> other & 1) == 0 || E(other) / size != E(t) / size) continue;
      ++equal;
      first = first && other >= t;
    }
    found.different += first;
    if (equal > found.most) found.most = equal;
  }
  return found;
}
template <auto E>
constexpr bool figures_by_enumeration(mmm::gpu::lane_mask active = ~0U) {
  auto const address = [](int t) { return E(t); };
  index const asked = units_of<E>(1, active).different * 4;
  request_figures const wanted{active != 0, units_of<E>(32, active).different, (asked + 31) / 32,
                               units_of<E>(128, active).different, units_of<E>(1, active).most};
  request_figures const shared = shared_figures(access_kind::update, store<4>{}, address, active);
  request_figures load = global_figures(access_kind::read, 4, address, active);
  load.serialized = wanted.serialized;
  return global_figures(access_kind::update, 4, address, active) == wanted && load == wanted &&
         shared.transfers == shared_atomic_cost(4, address, active).wavefronts &&
         shared.serialized == wanted.serialized && shared.lines == 0;
}
static_assert(figures_by_enumeration<item * 4>() && figures_by_enumeration<item * 4>(0));
static_assert(figures_by_enumeration<item * 4>(1U << 31) && figures_by_enumeration<item * 0>());
static_assert(figures_by_enumeration<item / 2 * 4>() && figures_by_enumeration<item / 2 * 4>(0x77));
static_assert(figures_by_enumeration<(31 - item) * 132>() &&
              figures_by_enumeration<item * item % 7 * 4>(0xFF00FF0F));
static_assert(shared_figures(
                  access_kind::read, load<4>{}, [](int t) { return t * 128; }, ~0U) ==
              request_figures{1, 32, 1, 0, 0});
static_assert(shared_figures<nvidia_merging>(
                  access_kind::read, load<16>{}, [](int) { return 0; }, ~0U) ==
              request_figures{1, 2, 2, 0, 0});
static_assert(shared_figures(
                  access_kind::read, ldmatrix<2>{}, [](int t) { return t * 16; }, ~0U) ==
              request_figures{1, 2, 2, 0, 0});
static_assert([] {
  request_figures sum{1, 4, 2, 1, 0};
  sum += {2, 8, 2, 3, 5};
  return sum == request_figures{3, 12, 4, 4, 5} && sum.excessive() == 8;
}());
static_assert(name_of(access_kind::read)[0] == 'l' && name_of(access_kind::update)[0] == 'a');

}  // namespace
