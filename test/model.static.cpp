// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worked examples of the model: requests from the papers' figures, and the formulas for whole
// access patterns.
#include <mmm/cost/cost.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/machine/machine.hpp>

namespace {

using mmm::index;
using mmm::item;

//! Time of one round in which two warps make a request each.
template <class M>
constexpr index time_of_round(index const (&first)[4], index const (&second)[4], M const& m = {}) {
  return mmm::round_time(m, mmm::stages(m, first) + mmm::stages(m, second));
}

// Nakano 2012, figure 4.
static_assert(mmm::stages<mmm::dmm<4, 3>>({0, 1, 5, 10}) == 2);
static_assert(mmm::stages<mmm::dmm<4, 3>>({8, 9, 14, 15}) == 1);
static_assert(mmm::stages<mmm::umm<4, 3>>({0, 1, 5, 10}) == 3);
static_assert(mmm::stages<mmm::umm<4, 3>>({8, 9, 14, 15}) == 2);
static_assert(time_of_round<mmm::dmm<4, 3>>({0, 1, 5, 10}, {8, 9, 14, 15}) == 5);
static_assert(time_of_round<mmm::umm<4, 3>>({0, 1, 5, 10}, {8, 9, 14, 15}) == 7);

// Nakano 2014, figure 3.
static_assert(time_of_round<mmm::dmm<4, 5>>({7, 5, 15, 0}, {10, 11, 12, 9}) == 7);
static_assert(time_of_round<mmm::umm<4, 5>>({7, 5, 15, 0}, {10, 11, 12, 9}) == 9);

// Nakano and Ito 2014, figure 2: the addresses of Nakano 2014, figure 3, with other latencies.
static_assert(time_of_round<mmm::dmm<4, 4>>({7, 5, 15, 0}, {10, 11, 12, 9}) == 6);
static_assert(time_of_round<mmm::umm<4, 6>>({7, 5, 15, 0}, {10, 11, 12, 9}) == 10);

// Nakano 2013a, figure 4 (the global memory of an HMM), and Nakano 2013b, figure 5: three groups,
// then one.
static_assert(time_of_round({0, 1, 5, 10}, {8, 9, 10, 11}, mmm::hmm<2, 4, 1, 5>{}.global()) == 8);
static_assert(time_of_round<mmm::umm<4, 5>>({0, 1, 5, 10}, {8, 9, 10, 11}) == 8);

// Equal addresses count once, inactive lanes of partial warps count nothing, and a round without
// requests takes no time.
static_assert(mmm::stages<mmm::dmm<4, 1>>({8, 8, 8, 8}) == 1);
static_assert(mmm::stages<mmm::dmm<4, 1>>({8, 8, 4, 8}) == 2);
static_assert(mmm::stages<mmm::dmm<4, 1>>({0, 4, 8}) == 3);
static_assert(mmm::stages<mmm::umm<4, 1>>({3, 4}) == 2);
static_assert(mmm::stages<mmm::umm<4, 1>>({3}) == 1);
static_assert(mmm::stages<mmm::pram>({0, 32, 64}) == 1);
static_assert(mmm::stages<mmm::bpram<2>>({0, 2}) == 1);
static_assert(mmm::round_time(mmm::dmm<4, 9>{}, 0) == 0);
static_assert(mmm::round_time(mmm::dmm<4, 9>{}, 3) == 11);

// Several ports accept several stages per time unit.
static_assert(mmm::round_time(mmm::umm<4, 5, 3>{}, 6) == 2 + 4);
static_assert(mmm::round_time(mmm::umm<4, 5, 3>{}, 7) == 3 + 4);

//! Contiguous access takes (p/w + l - 1) * n/p where w divides p and p divides n.
template <class M>
constexpr bool contiguous_takes_what_it_should() {
  index const w = M::width();
  index const l = M{}.latency();
  for (index p : {w, 5 * w})
    for (index chunks : {1, 1000})
      for (index base : {index{0}, 9 * w}) {
        mmm::cost const found =
            mmm::cost_of<M>(item + base, mmm::size(p * chunks), mmm::threads(p));
        if (found != mmm::cost{chunks, p / w * chunks, (p / w + l - 1) * chunks, true})
          return false;
      }
  return true;
}
static_assert(contiguous_takes_what_it_should<mmm::dmm<1, 1>>());
static_assert(contiguous_takes_what_it_should<mmm::dmm<4, 5>>());
static_assert(contiguous_takes_what_it_should<mmm::dmm<32, 2>>());
static_assert(contiguous_takes_what_it_should<mmm::umm<1, 7>>());
static_assert(contiguous_takes_what_it_should<mmm::umm<4, 5>>());
static_assert(contiguous_takes_what_it_should<mmm::umm<32, 400>>());

//! Stride access: thread i reads word i * s + t in step t, for s = n / p.
template <class M>
constexpr mmm::cost stride_cost(index s, index p) {
  return mmm::cost_of<M>(item % p * s + item / p, mmm::size(s * p), mmm::threads(p));
}
template <class M>
constexpr bool stride_takes_what_it_should(index longest) {
  index const w = M::width();
  index const l = M{}.latency();
  for (index p : {w, 3 * w})
    for (index s = 1; s <= longest; s += 1 + s / 4) {
      mmm::cost const found = stride_cost<M>(s, p);
      if (M::conflicts == mmm::conflict::banks &&
          found.time != (mmm::detail::gcd(s, w) * p / w + l - 1) * s)
        return false;
      if (M::conflicts == mmm::conflict::groups && s >= w && found.time != (p + l - 1) * s)
        return false;
      if (!found.closed_form || found.rounds != s) return false;
    }
  return true;
}
static_assert(stride_takes_what_it_should<mmm::dmm<4, 5>>(40));
static_assert(stride_takes_what_it_should<mmm::dmm<32, 2>>(40));
static_assert(stride_takes_what_it_should<mmm::dmm<6, 3>>(25));
static_assert(stride_takes_what_it_should<mmm::umm<4, 5>>(40));
static_assert(stride_takes_what_it_should<mmm::umm<32, 400>>(70));

//! Copies n words from the global memory to the shared memories, by d DMMs of p threads each.
struct copy_in {
  index n;
  template <class On>
  constexpr void operator()(On on) const {
    auto a = on.template allocate<int>(n);
    index const part = n / on.dmms();
    on.each_dmm([=](auto block, auto dmm) {
      auto b = block.template allocate<int>(part);
      block.each(part, [=](auto i) { b[i] = a[dmm * part + i]; });
    });
  }
};
template <class M>
constexpr bool copy_takes_what_it_should() {
  M const machine;
  index const w = M::width();
  index const d = machine.dmms();
  index const l = machine.shared().latency();
  index const global_latency = machine.global().latency();
  for (index p : {w, 4 * w})
    for (index chunks : {1, 64}) {
      mmm::cost const found = mmm::estimate<M>(mmm::threads(p * d), copy_in{p * d * chunks});
      if (found.time != chunks * ((p * d / w + global_latency - 1) + (p / w + l - 1))) return false;
      if (found.rounds != 2 * chunks || found.stages != 2 * chunks * p * d / w ||
          !found.closed_form)
        return false;
    }
  return true;
}
static_assert(copy_takes_what_it_should<mmm::hmm<4, 4, 2, 10>>());
static_assert(copy_takes_what_it_should<mmm::hmm<1, 32, 1, 5>>());
static_assert(copy_takes_what_it_should<mmm::hmm<132, 32, 29, 400>>());

}  // namespace
