// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The count of a request and its explanation agree, on every service, for negative addresses, too.
#include <mmm/cost/request.hpp>
#include <mmm/gpu.hpp>
#include <mmm/mmm.hpp>

namespace {

using mmm::conflict;
using mmm::index;
namespace detail = mmm::detail;

//! The different units of the longest queue, straight from the definition.
template <int Max>
constexpr index stages_by_definition(index unit, index queues, index const (&address)[Max]) {
  index longest = 0;
  for (int t = 0; t < Max; ++t) {
    index const queue = detail::floor_modulo(detail::floor_divide(address[t], unit), queues);
    index waiting = 0;
    for (int s = 0; s < Max; ++s) {
      index const u = detail::floor_divide(address[s], unit);
      bool first = detail::floor_modulo(u, queues) == queue;
      for (int r = 0; r < s; ++r) first = first && detail::floor_divide(address[r], unit) != u;
      waiting += first;
    }
    longest = detail::larger(longest, waiting);
  }
  return longest;
}

template <int Max>
constexpr bool agree(index unit, index queues) {
  detail::service const by(unit, queues);
  for (index pattern = 0; pattern < 12; ++pattern) {
    index address[Max];
    for (index t = 0; t < Max; ++t)
      address[t] = pattern < 6 ? (t * pattern - 20) * (pattern + 1) : (t * 29 ^ pattern) % 97 - 40;
    index const expected = stages_by_definition(unit, queues, address);
    detail::served_lane lanes[Max] = {};
    auto const at = [&](int t) { return address[t]; };
    if (detail::serve(by, Max, at, lanes) != expected) return false;
    auto const longest = detail::longest_queue_of<Max>(by, Max, at);
    if (longest.stages != expected) return false;
    for (int k = 0; k < longest.stages; ++k)
      if (by.unit(address[longest.place[k]]) != longest.unit[k] ||
          by.queue(longest.unit[k]) != longest.queue)
        return false;
    index units[Max];
    for (int t = 0; t < Max; ++t) units[t] = address[t];
    by.make_units(units, Max);
    if (detail::count_stages_of_units<Max>(by, units, Max, detail::shared_unit_table<Max>{}) !=
        expected)
      return false;
    if (detail::count_stages_of_units<Max>(by, units, Max, detail::unit_table<Max>{}) != expected)
      return false;
  }
  return true;
}

static_assert(agree<16>(1, 16) && agree<16>(16, 1));  // DMM, UMM
static_assert(agree<7>(1, 7) && agree<7>(7, 1));      // no power of two
static_assert(agree<1>(1, 1) && agree<12>(3, 5));
static_assert(agree<16>(4, 8) && agree<16>(16, 8));  // the phases of 4- and 16-byte accesses
static_assert(agree<16>(32, 1));                     // sectors

// An affine request is as long as the same addresses one by one.
template <conflict Conflict, int W>
constexpr bool affine_agrees() {
  constexpr detail::width_parameter<W> width;
  for (index stride = -2 * W - 1; stride <= 2 * W + 1; ++stride)
    for (index first = -3; first < 3; ++first)
      if (detail::count_affine_stages<Conflict>(width, first, stride, W) !=
          detail::request_amount<Conflict>(width, W, [&](int t) { return first + stride * t; }))
        return false;
  return true;
}
static_assert(affine_agrees<conflict::banks, 8>() && affine_agrees<conflict::groups, 8>());
static_assert(affine_agrees<conflict::updates, 8>() && affine_agrees<conflict::updates, 6>());
static_assert(affine_agrees<conflict::banks, 6>() && affine_agrees<conflict::groups, 6>());

// A round: nothing, accesses, stages.
static_assert(detail::cost_of_round(mmm::dmm<4, 5>{}, 0).time == 0);
static_assert(detail::cost_of_round(mmm::dmm<4, 5>{}, 3).time == 7);
static_assert(detail::cost_of_round(mmm::umm<4, 5, 2>{}, 3).time == 6);
static_assert(detail::cost_of_round(mmm::bpram<4>{}, 9).time == 3);
static_assert(detail::cost_of_round(mmm::pram{}, 9).time == 1);

}  // namespace

// A name of both namespaces is one thing.
namespace both_namespaces {

using namespace mmm;
using namespace mmm::gpu;

static_assert(assert_conflict_free<dmm<32, 1>, item * 33>);
static_assert(assert_conflict_free<ldmatrix<4>, item * 16>);
static_assert(conflict_free<dmm<32, 1>>(item) && conflict_free<ldmatrix<4>>(item * 16));

}  // namespace both_namespaces
