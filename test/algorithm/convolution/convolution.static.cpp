// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exact times that mmm/algorithm/convolution.hpp states, and the cost of a large convolution.
#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/convolution/convolution.hpp>
#include <mmm/machine/machine.hpp>

namespace {

using mmm::index;

template <class M, class A>
constexpr index time(A const& algorithm, index m, index n, index p) {
  return mmm::cost_of<M>(algorithm, mmm::size(n), mmm::threads(p), mmm::taps(m)).time;
}
constexpr index log2(index n) { return n <= 1 ? 0 : 1 + log2(n / 2); }
constexpr index up(index a, index b) { return (a + b - 1) / b; }

constexpr index w = 32, l = 7, L = 100, d = 4;
using pram = mmm::pram;
using bpram = mmm::bpram<w>;
using dmm = mmm::dmm<w, l>;
using umm = mmm::umm<w, L>;
using hmm = mmm::hmm<d, w, l, L>;

// One thread per output, for w | p | n; `accesses` rounds per chunk in all.
constexpr index items(index accesses, index n, index p, index latency) {
  return accesses * (p / w + latency - 1) * n / p;
}
// The additional stages of misaligned accesses: the words from y[t] on touch one more group than
// aligned ones, except for every w-th t.
constexpr index misaligned(index m, index n) { return (m - up(m, w)) * n / w; }

static_assert(time<dmm>(mmm::convolution, 5, 4096, 256) == items(2 * 5 + 1, 4096, 256, l));
static_assert(time<dmm>(mmm::convolution_in_memory, 5, 4096, 256) ==
              items(4 * 5 - 1, 4096, 256, l));
static_assert(time<umm>(mmm::convolution, 35, 4096, 4096) ==
              items(2 * 35 + 1, 4096, 4096, L) + misaligned(35, 4096));
static_assert(time<umm>(mmm::convolution_in_memory, 35, 4096, 256) ==
              items(4 * 35 - 1, 4096, 256, L) + misaligned(35, 4096));
static_assert(time<bpram>(mmm::convolution, 5, 4096, 256) == items(2 * 5 + 1, 4096, 256, 1));
static_assert(time<pram>(mmm::convolution, 5, 1000, 256) == (2 * 5 + 1) * up(1000, 256));
static_assert(time<pram>(mmm::convolution_in_memory, 5, 1000, 256) == (4 * 5 - 1) * up(1000, 256));

// s groups of n threads, s | m: each thread makes `accesses` accesses before the trees.
constexpr index groups(index accesses, index n, index s, index latency) {
  return accesses * (s * n / w + latency - 1) + 3 * ((s - 1) * n / w + (latency - 1) * log2(s));
}
static_assert(time<dmm>(mmm::convolution, 24, 512, 8 * 512) == groups(2 * 3 + 1, 512, 8, l));
static_assert(time<dmm>(mmm::convolution_in_memory, 24, 512, 8 * 512) ==
              groups(4 * 3 - 1, 512, 8, l));
static_assert(time<umm>(mmm::convolution, 24, 512, 8 * 512) ==
              groups(2 * 3 + 1, 512, 8, L) + misaligned(24, 512));
static_assert(time<umm>(mmm::convolution_in_memory, 24, 512, 8 * 512) ==
              groups(4 * 3 - 1, 512, 8, L) + misaligned(24, 512));
// p = mn: every thread computes one product, or two where a register holds their sum.
static_assert(time<dmm>(mmm::convolution_in_memory, 16, 512, 16 * 512) == groups(3, 512, 16, l));
static_assert(time<dmm>(mmm::convolution, 16, 512, 16 * 512) == groups(5, 512, 8, l));
static_assert(time<pram>(mmm::convolution, 23, 100, 800) == 2 * 3 + 1 + 3 * 3);
static_assert(time<pram>(mmm::convolution_in_memory, 23, 100, 800) == 4 * 3 - 1 + 3 * 3);

// On an HMM with t threads per DMM, for d | n and w | n/d.
template <index D, index SharedLatency, index GlobalLatency>
constexpr index copies(index m, index n, index t) {
  index time = 0;
  for (index const words : {m, n / D + m - 1, n / D})
    time += (D + 1) * up(words, w) + up(words, t) * (GlobalLatency + SharedLatency - 2);
  return time;
}
static_assert(time<hmm>(mmm::convolution, 33, 4096, 256 * d) ==
              copies<d, l, L>(33, 4096, 256) + items(2 * 33 + 1, 1024, 256, l));
static_assert(time<hmm>(mmm::convolution_in_memory, 33, 4096, 256 * d) ==
              copies<d, l, L>(33, 4096, 256) + items(4 * 33 - 1, 1024, 256, l));
static_assert(time<hmm>(mmm::convolution, 24, 512, 512 * d) ==
              copies<d, l, L>(24, 512, 512) + groups(2 * 6 + 1, 128, 4, l));

// 2^30 outputs of 1024 taps: the cost is a closed form, and nothing is run.
constexpr index many = index{1} << 30, taps = 1024, p = 1 << 16;
using shared = mmm::dmm<w, 20>;
using global = mmm::umm<w, 400>;
using gpu = mmm::hmm<128, w, 20, 400>;
constexpr auto on_shared =
    mmm::cost_of<shared>(mmm::convolution, mmm::size(many), mmm::threads(p), mmm::taps(taps));
constexpr auto on_global =
    mmm::cost_of<global>(mmm::convolution, mmm::size(many), mmm::threads(p), mmm::taps(taps));
constexpr auto on_gpu =
    mmm::cost_of<gpu>(mmm::convolution, mmm::size(many), mmm::threads(p), mmm::taps(taps));
static_assert(on_shared.closed_form && on_global.closed_form && on_gpu.closed_form);
static_assert(on_shared.time == items(2 * taps + 1, many, p, 20));
static_assert(on_global.time == items(2 * taps + 1, many, p, 400) + misaligned(taps, many));
static_assert(on_gpu.time == copies<128, 20, 400>(taps, many, p / 128) +
                                 items(2 * taps + 1, many / 128, p / 128, 20));
// One output more, for which no size divides another.
static_assert(mmm::cost_of<gpu>(mmm::convolution, mmm::size(many + 1), mmm::threads(p),
                                mmm::taps(taps))
                  .closed_form);
static_assert(mmm::cost_of<global>(mmm::convolution, mmm::size(many + 1), mmm::threads(p),
                                   mmm::taps(taps))
                  .closed_form);

// Nakano 2013a, corollary 10: each of the d DMMs holds a copy of all taps.
static_assert(mmm::taps_hidden(mmm::size(4096), mmm::taps(1024), 4));
static_assert(!mmm::taps_hidden(mmm::size(4096), mmm::taps(1025), 4));
static_assert(mmm::taps_hidden(mmm::size(many), mmm::taps(many), 1));

}  // namespace
