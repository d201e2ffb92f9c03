// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measurements that others published and that no rule was made from, beside the model. A point is
// the set of lanes that a lane shares its phase with, or the time of a pattern. Points that the
// model gets wrong stay here, and their number is demanded: docs/prediction.md, "Held out".
//
// [pyhip] tingqli/pyhip, "Measuring bank-conflict behaviour": MI300, lane groups and times.
// [hk] thebard85kigz/hipkittens, analysis/paper_experiments/phases: conflicts of all pairs of
//      lanes. Its files do not name the GPU; ds_read_b128 has the phases and banks of CDNA4.
// [shm] kzwrime/gpu_shm_microbench, README.md at 494095bf of 27 October 2023: milliseconds of loads
//      on an A100, a V100 and an "MI50 plus". No rule is from this source, and none for the MI50.
// [ub] Huawei, "Avoiding Bank Conflicts in the Unified Buffer", CANN 9.0: stated, not measured.
// [igp] Intel, OpenCL Developer Guide for Intel Processor Graphics, 2019 Update 4, "Memory Access
//      Overview" and "Kernel Memory Access Optimization Summary": stated.
// [xpu] intel/intel-xpu-backend-for-triton, issue 2751 (2024): stated for sub-groups of 16.
// [u+v] Intel, VTune reference, "Bank Conflict" of Pentium processors: stated, in cycles.
// [snb] J. D. McCalpin, comment of 9 October 2013 on agner.org/optimize/blog: cycles of example
//      3-37 of Intel's Optimization Reference Manual (July 2013) on Sandy Bridge.
// [ia64] Intel, "Quantify Floating-Point Bank-Conflict Penalties on 64-Bit Intel Architecture" (10
//      March 2009): cycles of two loads from an Itanium's level-2 cache.
// [k8] AMD, Software Optimization Guide for AMD64 Processors, 25112, revision 3.06, 5.9: stated.
#include <mmm/access.hpp>
#include <mmm/gpu.hpp>

namespace {

using namespace mmm::gpu;

//! `lanes` lanes from each of some first ones.
template <class... First>
constexpr lane_mask runs(int lanes, First... first) {
  return ((all_lanes(lanes) << first) | ...);
}

constexpr phase_table pyhip_read_8{4, {runs(16, 0), runs(16, 16), runs(16, 32), runs(16, 48)}};
constexpr phase_table pyhip_read_16{
    8,
    {runs(4, 0, 20), runs(4, 4, 16), runs(4, 8, 28), runs(4, 12, 24),  //
     runs(4, 32, 52), runs(4, 36, 48), runs(4, 40, 60), runs(4, 44, 56)}};
constexpr phase_table hk_read_8{2, {runs(32, 0), runs(32, 32)}};
constexpr phase_table hk_read_16{4,
                                 {runs(4, 0, 12, 20, 24), runs(4, 4, 8, 16, 28),  //
                                  runs(4, 32, 44, 52, 56), runs(4, 36, 40, 48, 60)}};
constexpr phase_table hk_write_8{4, {runs(16, 0), runs(16, 16), runs(16, 32), runs(16, 48)}};

constexpr lane_mask phase_of(phase_table const& table, int lane) {
  for (int p = 0; p < table.phases; ++p)
    if ((table.lanes[p] >> lane & 1) != 0) return table.lanes[p];
  return 0;
}

//! The lanes, of 64, that share their phase with the same lanes as was measured.
template <class Rules>
constexpr int agreeing(warp_access const& a, phase_table const& measured) {
  int lanes = 0;
  for (int t = 0; t < 64; ++t)
    lanes += phase_of(Rules::phases(a), t) == phase_of(measured, t) ? 1 : 0;
  return lanes;
}

static_assert(agreeing<amd_cdna3>(load<8>{}, pyhip_read_8) == 64);
static_assert(agreeing<amd_cdna3>(load<16>{}, pyhip_read_16) == 64);
static_assert(agreeing<amd_cdna4>(load<8>{}, hk_read_8) == 64);
static_assert(agreeing<amd_cdna4>(load<16>{}, hk_read_16) == 64);
// Wrong: the model takes 8-byte stores of CDNA4 to have phases of 32 lanes, as loads have.
static_assert(agreeing<amd_cdna4>(store<8>{}, hk_write_8) == 0);

//! Microseconds of loads of 4 bytes whose lanes are `stride` words apart [pyhip].
struct strided {
  int stride;
  double us;
};
constexpr strided strides[] = {{0, 358.8},    {1, 358.3},    {2, 474.4},    {3, 362.3},
                               {4, 907.2},    {5, 356.8},    {8, 1805.6},   {9, 357.4},
                               {16, 3600.6},  {17, 357.8},   {32, 7196.0},  {33, 357.3},
                               {64, 7196.2},  {65, 358.0},   {128, 7199.9}, {129, 357.7},
                               {256, 7193.8}, {512, 3714.7}, {1024, 1919.8}};

//! The strides whose time, relative to that of stride 32, is within 10 % of the model's wavefronts.
constexpr int close_strides() {
  auto const wavefronts = [](int stride) {
    mmm::index at[64] = {};
    for (int t = 0; t < 64; ++t) at[t] = mmm::index{4} * stride * t;
    return static_cast<double>(mmm::gpu::wavefronts<load<4>, amd_cdna3>(at));
  };
  int found = 0;
  for (strided const& s : strides) {
    double const ratio = s.us / 7196.0 / (wavefronts(s.stride) / wavefronts(32));
    found += ratio > 0.9 && ratio < 1.1 ? 1 : 0;
  }
  return found;
}
// Wrong are the nine strides without conflicts, whose time something else limits (358 us; 225 by
// wavefronts), and strides 512 and 1024, whose lanes reach beyond the LDS's 64 KiB.
static_assert(close_strides() == 8);

//! The patterns of [shm], in the order of its tables: element t of the block, then elements that
//! 2, 4, 8, 16 and 32 threads share, then conflicts of 2, 4, 8 and 16 threads.
constexpr int shared_patterns = 6;
constexpr int patterns = 10;
constexpr mmm::index element_of(int pattern, mmm::index t) {
  if (pattern < shared_patterns) return t >> pattern;
  int const ways = pattern - shared_patterns + 1;
  return t % (mmm::index{1} << ways) * 32 + (t >> ways);
}

//! The times of a GPU: of elements of 4, of 8 and of 16 bytes.
struct pattern_times {
  double ms[3][patterns];
};
constexpr pattern_times a100{
    {{97.67, 100.29, 88.39, 88.49, 88.57, 88.58, 174.89, 349.27, 698.27, 1395.27},
     {186.98, 119.28, 110.79, 108.39, 108.47, 108.47, 349.93, 698.38, 1395.65, 2790.90},
     {375.11, 214.08, 204.77, 194.95, 191.59, 191.94, 699.18, 1396.44, 2791.13, 2791.60}}};
constexpr pattern_times v100{
    {{109.48, 110.12, 109.48, 109.47, 109.48, 109.47, 218.42, 454.38, 923.58, 1846.68},
     {222.72, 141.55, 141.42, 140.83, 140.76, 141.52, 436.79, 883.00, 1836.83, 3693.49},
     {453.53, 263.57, 263.54, 263.80, 263.69, 263.74, 873.59, 1817.17, 3694.27, 3694.27}}};
constexpr pattern_times mi50{
    {{186.33, 187.21, 187.57, 188.02, 186.71, 187.81, 350.64, 699.11, 1394.66, 2784.43},
     {357.44, 356.58, 355.23, 355.87, 356.78, 354.98, 668.62, 1339.57, 2690.85, 5359.26},
     {715.56, 715.16, 716.34, 715.64, 715.70, 714.45, 1333.72, 2667.13, 2668.34, 2666.15}}};

//! The wavefronts of a warp's load of `bytes` bytes a lane.
template <int Bytes, class Rules>
constexpr double pattern_wavefronts(int pattern) {
  mmm::index at[Rules::lanes] = {};
  for (int t = 0; t < Rules::lanes; ++t) at[t] = Bytes * element_of(pattern, t);
  return static_cast<double>(mmm::gpu::wavefronts<load<Bytes>, Rules>(at));
}
//! The patterns whose time is within 10 % of the model's wavefronts, each of which takes as long as
//! in the last pattern of 4 bytes. That pattern itself is no point.
template <int Bytes, class Rules>
constexpr int close_patterns(double const (&ms)[patterns], double ms_of_wavefront) {
  int found = 0;
  for (int pattern = 0; pattern < (Bytes == 4 ? patterns - 1 : patterns); ++pattern) {
    double const ratio =
        ms[pattern] / (ms_of_wavefront * pattern_wavefronts<Bytes, Rules>(pattern));
    found += ratio > 0.9 && ratio < 1.1 ? 1 : 0;
  }
  return found;
}
template <class Rules>
constexpr int close_patterns(pattern_times const& times) {
  double const unit = times.ms[0][patterns - 1] / pattern_wavefronts<4, Rules>(patterns - 1);
  return close_patterns<4, Rules>(times.ms[0], unit) + close_patterns<8, Rules>(times.ms[1], unit) +
         close_patterns<16, Rules>(times.ms[2], unit);
}
// All 29 points of the MI50, by the rules of a later GPU: with phases of 8 consecutive lanes, loads
// of 16 bytes with conflicts of 8 and 16 threads would take twice as long as measured.
static_assert(close_patterns<amd_cdna3>(mi50) == 29);
// Wrong are 11 of the A100's 29 points and 10 of the V100's: merged loads of 8 bytes take the time
// of 1.2 to 1.4 wavefronts for 1, those of 16 bytes that of 2.2 to 2.5 for 2, but for one that is
// within 10 %; two patterns of 4 bytes without conflicts take that of 1.1 to 1.2 on the A100.
static_assert(close_patterns<nvidia_merging>(a100) == 18);
static_assert(close_patterns<nvidia_merging>(v100) == 19);

//! Stages of one request of `lanes` lanes, `stride` units of a memory's banks or groups apart.
template <class Machine>
constexpr mmm::index stages_of(mmm::index lanes, mmm::index stride) {
  return mmm::cost_of<Machine>(mmm::item * stride, mmm::size(lanes), mmm::threads(lanes)).stages;
}
//! Stages of two loads in one cycle, of addresses in bytes, from `Banks` banks of `bytes` bytes.
template <mmm::index Banks>
constexpr mmm::index stages_of_pair(mmm::index bytes, mmm::index first, mmm::index second) {
  return mmm::cost_of<mmm::dmm<Banks, 1>>((first + mmm::item * (second - first)) / bytes,
                                          mmm::size(2), mmm::threads(2))
      .stages;
}

// Huawei [ub]: 16 groups of banks of 32 bytes. Cycles of 8 blocks, 16 and 8 blocks apart; then
// conflicts of a read and a write, none and one, and of two reads, one and none.
static_assert(stages_of<mmm::dmm<16, 1>>(8, 16) == 8 && stages_of<mmm::dmm<16, 1>>(8, 8) == 4);
static_assert(stages_of_pair<16>(32, 0x10020, 0x10000) == 1);
static_assert(stages_of_pair<16>(32, 0x10020, 0x10E20) == 2);
static_assert(stages_of_pair<16>(32, 0x10020, 0x20020) == 2);
static_assert(stages_of_pair<16>(32, 0x10000, 0x10020) == 1);

// AMD [k8]: two loads a cycle from 8 banks of 8 bytes, one if the bank is the same and the line is
// not: another bank of the line, of another line, the same word, the same bank of another line.
static_assert(stages_of_pair<8>(8, 0, 8) == 1 && stages_of_pair<8>(8, 0, 64 + 8) == 1);
static_assert(stages_of_pair<8>(8, 0, 4) == 1 && stages_of_pair<8>(8, 0, 64) == 2);

// Intel [igp]: 16 banks of 4 bytes. Full bandwidth from a bank for each work-item and for reads of
// one address, a conflict for other reads of one bank; half of it from two lines of 64 bytes.
using intel_slm = mmm::dmm<16, 1>;
static_assert(stages_of<intel_slm>(16, 1) == 1 && stages_of<intel_slm>(16, 0) == 1);
static_assert(stages_of<intel_slm>(2, 16) == 2);
static_assert(stages_of<mmm::umm<16, 1>>(2, 16) == 2);
// Wrong: writes to one address have a conflict in [igp]; a DMM makes them in one stage.
static_assert(!(stages_of<intel_slm>(16, 0) > 1));
// [xpu]: a column has conflicts in rows of 16 words and none in rows of 17.
static_assert(stages_of<intel_slm>(16, 16) > 1 && stages_of<intel_slm>(16, 17) == 1);
// [u+v]: loads from m and m + 32 take a second cycle, in 8 banks of 4 bytes.
static_assert(stages_of_pair<8>(4, 0, 32) == 2);
// [ia64]: one load takes 6 cycles, as do two that are 16, 32, ... 240 bytes apart, from 16 banks of
// 16 bytes.
constexpr mmm::index cycles_of_two(mmm::index bytes) {
  return mmm::cost_of<mmm::dmm<16, 6>>(mmm::item * (bytes / 16), mmm::size(2), mmm::threads(2))
      .time;
}
constexpr int close_distances() {
  int found = 0;
  for (mmm::index bytes = 16; bytes <= 240; bytes += 16) found += cycles_of_two(bytes) == 6 ? 1 : 0;
  return found;
}
static_assert(close_distances() == 15);
// Wrong: two from one bank, 256 bytes apart, take 12, where a DMM's second stage takes one more.
static_assert(cycles_of_two(256) == 7);
// Wrong: in [snb] 4 such pairs, of lines in one set, take 5 cycles: the processor issues loads of
// different pairs together.
static_assert(4 * stages_of_pair<16>(4, 0, 4096) == 8);

}  // namespace
