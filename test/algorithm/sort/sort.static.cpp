// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exact times of sorting that docs/algorithms.md states, for powers of two.
#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/sort/sort.hpp>
#include <mmm/machine/machine.hpp>

namespace {

using mmm::index;

template <class M, class A>
constexpr index time(A const& algorithm, index n, index p) {
  return mmm::cost_of<M>(algorithm, mmm::size(n), mmm::threads(p)).time;
}

constexpr index w = 32, log_w = 5, l = 7, L = 100;
using dmm = mmm::dmm<w, l>;
using umm = mmm::umm<w, L>;

// n = 2^k
constexpr index on_dmm(index k, index p, index latency) {
  return k * (k + 1) * (p / w + latency - 1) * (index{1} << k) / p;
}
static_assert(time<dmm>(mmm::sort, 1 << 10, 512) == on_dmm(10, 512, l));
static_assert(time<dmm>(mmm::sort_pairs, 1 << 10, 256) == 2 * on_dmm(10, 256, l));

// A warp's pairs that are less than w apart take two address groups.
constexpr index on_umm(index k, index p, index latency) {
  index const near = k * log_w - log_w * (log_w - 1) / 2;
  return on_dmm(k, p, latency) + 2 * (index{1} << k) / w * near;
}
static_assert(time<umm>(mmm::sort, 1 << 10, 512) == on_umm(10, 512, L));
static_assert(time<umm>(mmm::sort, 1 << 12, 1 << 10) == on_umm(12, 1 << 10, L));

// d = 2^j DMMs with t threads each
constexpr index j = 3, d = 8, t = 256;
using hmm = mmm::hmm<d, w, l, L>;
constexpr index on_hmm(index k) {
  index const n = index{1} << k;
  index const of_global = d * t / w + L - 1;
  index const of_shared = t / w + l - 1;
  return (2 * (j + 1) * (of_global + of_shared) + j * (j + 1) * of_global +
          (k * (k + 1) - j * (j + 1)) * of_shared) *
         n / (d * t);
}
static_assert(time<hmm>(mmm::sort, 1 << 12, d* t) == on_hmm(12));

}  // namespace
