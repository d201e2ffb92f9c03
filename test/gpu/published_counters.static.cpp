// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measurements that others published and that no rule was made from, beside the model. A point is
// the set of lanes that a lane shares its phase with, or the conflicts of a stride. Points that the
// model gets wrong stay here, and their number is demanded: docs/prediction.md, "Held out".
//
// [pyhip] tingqli/pyhip, "Measuring bank-conflict behaviour": MI300, lane groups and times.
// [hk] thebard85kigz/hipkittens, analysis/paper_experiments/phases: conflicts of all pairs of
//      lanes. Its files do not name the GPU; ds_read_b128 has the phases and banks of CDNA4.
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

}  // namespace
