// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's counts for real GPUs equal those of an enumeration of every byte.
#include <mmm/gpu.hpp>

#include "rapidcheck.hpp"
#include "support/naive_gpu.hpp"
#include "support/random_expression.hpp"

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

namespace {

//! Checks the counts of an expression over several warps; `active(i)` tells which items take part.
template <static_access A, class E, class P, class Active>
void expression_agrees(E const& bytes, P const& where, Active active, index n) {
  naive_gpu::figures shared;
  naive_gpu::figures merged;
  index requests = 0;
  index sectors_seen = 0;
  index lines_seen = 0;
  for (index first = 0; first < n; first += 32) {
    naive_gpu::lanes warp;
    for (index i = first; i < std::min(first + 32, n); ++i)
      if (active(i)) warp[static_cast<int>(i - first)] = bytes(i);
    requests += !warp.empty();
    auto const add = [](naive_gpu::figures& sum, naive_gpu::figures const& more) {
      sum.wavefronts += more.wavefronts;
      sum.ideal += more.ideal;
    };
    add(shared, naive_gpu::nvidia(warp, A{}.bytes));
    add(merged, naive_gpu::merging(warp, A{}.bytes));
    sectors_seen += naive_gpu::blocks(warp, A{}.bytes, 32);
    lines_seen += naive_gpu::blocks(warp, A{}.bytes, 128);
  }
  RC_ASSERT((shared_cost_of<A>(bytes, mmm::size(n), where) ==
             shared_cost{requests, shared.wavefronts, shared.ideal}));
  RC_ASSERT((shared_cost_of<A, nvidia_merging>(bytes, mmm::size(n), where) ==
             shared_cost{requests, merged.wavefronts, merged.ideal}));
  RC_ASSERT((global_cost_of<A>(bytes, mmm::size(n), where) ==
             global_cost{requests, sectors_seen, lines_seen}));
}

template <static_access A>
void expressions_agree() {
#ifdef MMM_ALL_TESTS
  index const n = between(0, 700);
#else
  index const n = between(0, 300);
#endif
  index const a = between(0, 70);
  index const b = between(0, 300);
  index const m = between(1, 90);
  index const q = between(0, 63);
  auto const check = [n](auto const& e) {
    index const modulus = between(1, 50);
    index const limit = between(0, modulus);
    expression_agrees<A>(e * A{}.bytes, mmm::detail::always{}, [](index) { return true; }, n);
    expression_agrees<A>(
        e * A{}.bytes, item % modulus < limit, [&](index i) { return i % modulus < limit; }, n);
    expression_agrees<A>(
        e * A{}.bytes, item < limit * 10, [&](index i) { return i < limit * 10; }, n);
  };
  check(item * a + b);
  check(item % m * a + item / m * b);
  check((item * a ^ q) + b);
  check(item * item % (m * 7));                 // the library finds no period
  check(30000 - item * min(item * 0 + a, 40));  // descending
}

}  // namespace

TEST_CASE("wavefronts, sectors and lines of expressions") {
  holds("1 byte", expressions_agree<load<1>>);
  holds("4 bytes", expressions_agree<load<4>>);
  holds("16 bytes", expressions_agree<load<16>>);
#ifdef MMM_ALL_TESTS
  holds("2 bytes", expressions_agree<load<2>>);
  holds("8 bytes", expressions_agree<load<8>>);
#endif
}
