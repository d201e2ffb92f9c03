// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exact times of prefix-sums that docs/algorithms.md states, for powers of two.
#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/algorithm/scan/segmented_prefix_sums.hpp>
#include <mmm/machine/machine.hpp>

namespace {

using mmm::index;

template <class M, class A>
constexpr index time(A const& algorithm, index n, index p) {
  return mmm::cost_of<M>(algorithm, mmm::size(n), mmm::threads(p)).time;
}
constexpr index log2(index n) { return n <= 1 ? 0 : 1 + log2(n / 2); }

constexpr index w = 32, l = 7, L = 100;
using dmm = mmm::dmm<w, l>;
using umm = mmm::umm<w, L>;

constexpr index two_stages(index n, index p, index latency) {
  return 11 * (n / w - 1) + 6 * log2(w) + (9 * (n / p - 1) + 6 * log2(p)) * (latency - 1);
}
static_assert(time<dmm>(mmm::prefix_sums, 4096, 256) == two_stages(4096, 256, l));
static_assert(time<dmm>(mmm::prefix_sums, 1024, 1024) == two_stages(1024, 1024, l));
static_assert(time<dmm>(mmm::prefix_sums, 1 << 20, 32) == two_stages(1 << 20, 32, l));
static_assert(time<umm>(mmm::prefix_sums, 4096, 256) ==
              two_stages(4096, 256, L) + 4096 / w - 1 - log2(4096 / w));
static_assert(time<umm>(mmm::prefix_sums, 1 << 20, 64) ==
              two_stages(1 << 20, 64, L) + (1 << 20) / w - 1 - 15);

// Segments: five contiguous accesses more.
static_assert(time<dmm>(mmm::segmented_prefix_sums, 4096, 256) ==
              two_stages(4096, 256, l) + 5 * (256 / w + l - 1) * (4096 / 256));

constexpr index simple(index n, index latency) {
  return 3 * (n / w * (log2(n) - 1) + 1) + 3 * log2(n) * (latency - 1);
}
static_assert(time<dmm>(mmm::prefix_sums_simple, 1024, 1024) == simple(1024, l));
static_assert(time<dmm>(mmm::prefix_sums_simple, 4096, 4096) == simple(4096, l));

// Every chunk fits into a shared memory: d = 4 DMMs with 1024 values and t = 256 threads each.
using hmm = mmm::hmm<4, w, l, L>;
constexpr index d = 4, t = 256, n = 4096;
// from the global memory to the shared memories and back
constexpr index copies = n / (d * t) * 2 * (d * t / w + L - 1 + t / w + l - 1);
constexpr index totals = (3 + L - 1) + (1 + l - 1);  // three chunks write their totals
// stages of a round in which three DMMs take part
constexpr index last = (d - 1) * t / w;
// three chunks add their offsets
constexpr index offsets = (last + L - 1) + n / (d * t) * 2 * (last + L - 1);
static_assert(time<hmm>(mmm::prefix_sums, n, d* t) == copies + two_stages(n / d, t, l) + totals +
                                                          time<hmm>(mmm::prefix_sums, 3, d* t) +
                                                          offsets);

constexpr auto large =
    mmm::cost_of<umm>(mmm::prefix_sums, mmm::size(index{1} << 30), mmm::threads(1 << 16));
static_assert(large.closed_form);
static_assert(large.time <= 13 * mmm::upper_bound<umm>(mmm::prefix_sums, mmm::size(index{1} << 30),
                                                       mmm::threads(1 << 16)));

}  // namespace
