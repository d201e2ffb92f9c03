// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's counts for real GPUs equal those of an enumeration of every byte.
#include "request_property_checks.hpp"

#include <bit>
#include <vector>

using mmm::index;
using mmm::item;
using random_expression::between;
using random_expression::one_in;
using namespace mmm::gpu;

namespace {

//! Random aligned addresses: spread, clustered or with a stride, with repetitions as in merged
//! pairs of lanes.
std::vector<index> random_addresses(int lanes, index bytes) {
  std::vector<index> list;
  index const spread = index{1} << between(0, 12);
  index const stride = between(0, 70);
  index const start = between(0, 300);
  index const form = between(0, 3);
  index const distance = between(0, 3);
  for (index t = 0; t < lanes; ++t) {
    index const from = form == 3 ? t & ~distance : t;
    index const unit = form == 0   ? between(0, spread)
                       : form == 1 ? start + stride * from
                       : form == 2 ? start + (t * stride ^ spread)
                                   : start + stride * from;
    list.push_back((one_in(40) ? between(0, spread) : unit) * bytes);
  }
  return list;
}

lane_mask random_lanes(int lanes) {
  lane_mask mask = all_lanes(lanes);
  if (one_in(2)) return mask;
  index const rarely = between(2, 9);
  for (int t = 0; t < lanes; ++t)
    if (one_in(rarely)) mask &= ~(lane_mask{1} << t);
  return one_in(8) ? ~mask & all_lanes(lanes) : mask;
}

naive_gpu::lanes active_lanes(std::vector<index> const& list, lane_mask mask) {
  naive_gpu::lanes result;
  for (std::size_t t = 0; t < list.size(); ++t)
    if ((mask >> t & 1) != 0) result[static_cast<int>(t)] = list[t];
  return result;
}

void agree(shared_cost const& found, naive_gpu::figures const& expected) {
  RC_ASSERT(found.wavefronts == expected.wavefronts);
  RC_ASSERT(found.ideal == expected.ideal);
  RC_ASSERT(found.requests == (expected.ideal > 0));
}

//! Checks the explanation of a request: each lane is in one phase, and the colliding lanes of a
//! phase access as many distinct words of its worst bank as it takes wavefronts.
template <class Rules>
void explains(warp_access const& a, std::vector<index> const& list, lane_mask mask) {
  shared_request const request = explain_shared<Rules>(a, list, mask);
  RC_ASSERT(request.cost() == shared_request_cost<Rules>(a, list, mask));
  lane_mask seen = 0;
  for (int p = 0; p < request.phases; ++p) {
    phase_cost const& phase = request.phase[p];
    RC_ASSERT((phase.lanes & ~mask) == 0U);
    RC_ASSERT((phase.lanes & seen) == 0U);
    seen |= phase.lanes;
    RC_ASSERT((phase.colliding & ~phase.lanes) == 0U);
    RC_ASSERT(std::popcount(phase.colliding) == phase.wavefronts);
    std::set<index> words;
    for (int t = 0; t < max_lanes; ++t) {
      if ((phase.colliding >> t & 1) == 0) continue;
      index const word = list[static_cast<std::size_t>(t)] / 4;
      RC_ASSERT(word % Rules::banks == phase.worst_bank);
      RC_ASSERT(words.insert(word).second);
    }
  }
}

}  // namespace

TEST_CASE("wavefronts, sectors and lines of address lists") {
  holds("NVIDIA", [] {
    index const bytes = index{1} << between(0, 4);
    auto const list = random_addresses(32, bytes);
    lane_mask const mask = random_lanes(32);
    auto const lanes = active_lanes(list, mask);
    int const width = static_cast<int>(bytes);
    warp_access const read = access_of(instruction::load, bytes);
    warp_access const write = access_of(instruction::store, bytes);
    agree(shared_request_cost(read, list, mask), naive_gpu::nvidia(lanes, width));
    agree(shared_request_cost(write, list, mask), naive_gpu::nvidia(lanes, width));
    agree(shared_request_cost<nvidia_merging>(read, list, mask), naive_gpu::merging(lanes, width));
    agree(shared_request_cost<nvidia_merging>(write, list, mask), naive_gpu::nvidia(lanes, width));
    global_cost const global = global_request_cost(read, list, mask);
    RC_ASSERT(global.sectors == naive_gpu::blocks(lanes, width, 32));
    RC_ASSERT(global.lines == naive_gpu::blocks(lanes, width, 128));
    RC_ASSERT(global.requests == (mask != 0));
    explains<nvidia>(read, list, mask);
    explains<nvidia_merging>(read, list, mask);
  });
  holds("an offset that all lanes share changes nothing", [] {
    index const bytes = index{1} << between(2, 4);
    auto list = random_addresses(32, bytes);
    lane_mask const mask = random_lanes(32);
    warp_access const read = access_of(instruction::load, bytes);
    shared_cost const before = shared_request_cost(read, list, mask);
    index const offset = between(0, 100) * bytes;
    for (index& address : list) address += offset;
    RC_ASSERT(shared_request_cost(read, list, mask) == before);
  });
  holds("matrices", [] {
    index const matrices = index{1} << between(0, 2);
    auto list = random_addresses(32, 16);
    lane_mask const mask = random_lanes(32);
    warp_access const read = matrix_access_of(instruction::load_matrix, matrices);
    auto const lanes = active_lanes(list, mask);
    agree(shared_request_cost(read, list, mask),
          naive_gpu::matrices(lanes, static_cast<int>(matrices)));
    agree(shared_request_cost<nvidia_merging>(read, list, mask),
          naive_gpu::matrices(lanes, static_cast<int>(matrices)));
    explains<nvidia>(read, list, mask & all_lanes(static_cast<int>(8 * matrices)));
  });
  holds("AMD", [] {
    index const bytes = index{1} << between(0, 4);
    auto const list = random_addresses(64, bytes);
    lane_mask const mask = random_lanes(64);
    auto const lanes = active_lanes(list, mask);
    int const width = static_cast<int>(bytes);
    for (bool const writes : {false, true}) {
      warp_access const a = access_of(writes ? instruction::store : instruction::load, bytes);
      agree(shared_request_cost<amd_cdna3>(a, list, mask), naive_gpu::cdna3(lanes, width, writes));
      agree(shared_request_cost<amd_cdna4>(a, list, mask), naive_gpu::cdna4(lanes, width, writes));
      explains<amd_cdna3>(a, list, mask);
      explains<amd_cdna4>(a, list, mask);
    }
  });
  holds("AMD, waves of 32 lanes", [] {
    index const bytes = index{1} << between(0, 4);
    auto const list = random_addresses(32, bytes);
    lane_mask const mask = random_lanes(32);
    auto const lanes = active_lanes(list, mask);
    for (bool const writes : {false, true}) {
      warp_access const a = access_of(writes ? instruction::store : instruction::load, bytes);
      agree(shared_request_cost<amd_rdna3>(a, list, mask),
            naive_gpu::rdna(lanes, static_cast<int>(bytes), writes, true));
      agree(shared_request_cost<amd_rdna4>(a, list, mask),
            naive_gpu::rdna(lanes, static_cast<int>(bytes), writes, false));
      explains<amd_rdna3>(a, list, mask);
      explains<amd_rdna4>(a, list, mask);
    }
  });
}

TEST_CASE("wavefronts, sectors and lines of expressions") {
  holds("1 byte", checks::expressions_agree<load<1>>);
  holds("4 bytes", checks::expressions_agree<load<4>>);
  holds("16 bytes", checks::expressions_agree<load<16>>);
}
