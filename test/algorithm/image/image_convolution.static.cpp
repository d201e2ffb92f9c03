// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exact times of image convolutions, costs of large ones, and the conditions of Nakano and Ito
// 2014.
#include <mmm/algorithm/image/image_convolution.hpp>
#include <mmm/algorithm/regime.hpp>
#include <mmm/machine/machine.hpp>

namespace {

using mmm::index;
using mmm::radius;

constexpr index w = 32, l = 16, L = 400, d = 128, t = 1024;
using dmm = mmm::dmm<w, l>;
using hmm = mmm::hmm<d, w, l, L>;

//! An n x n image on a DMM with p threads, for w | n, w | p, p | n, v < w. Rows outside of the
//! image are not read.
constexpr index on_dmm(index n, index p, index v) {
  index const taps = (2 * v + 1) * (2 * v + 1);
  index const one = (p / w + l - 1) * (n * n / p);
  return (2 * taps + 1) * one - (2 * v + 1) * v * (v + 1) * (p / w + l - 1) * (n / p);
}
static_assert(
    mmm::cost_of<dmm>(mmm::image_convolution, mmm::size(256), mmm::threads(128), radius(0)).time ==
    on_dmm(256, 128, 0));
static_assert(mmm::cost_of<dmm>(mmm::image_convolution, mmm::size(64), mmm::threads(32), radius(1))
                  .time == on_dmm(64, 32, 1));

//! The kernel of one word, v = 0, on an HMM with t threads per DMM, for w | n, t | w^2, d | n/w.
constexpr index without_neighbours(index n) {
  index const global = t * d / w + L - 1, shared = t / w + l - 1;
  // the last two terms copy the kernel's only word
  return n * n / (t * d) * (2 * global + 3 * shared) + (d + L - 1) + l;
}
static_assert(mmm::cost_of<hmm>(mmm::image_convolution, mmm::size(4096), mmm::threads(t* d),
                                radius(0))
                  .time == without_neighbours(4096));

// clang's limit is a million steps, nvcc's is lower
#if !defined(__clang__) && !defined(__CUDACC__)
static_assert(
    mmm::cost_of<dmm>(mmm::image_convolution, mmm::size(256), mmm::threads(128), radius(3)).time ==
    on_dmm(256, 128, 3));
constexpr mmm::cost large =
    mmm::cost_of<hmm>(mmm::image_convolution, mmm::size(16384), mmm::threads(t* d), radius(3));
static_assert(large.closed_form);
static_assert(mmm::lower_bound<hmm>(mmm::image_convolution, mmm::size(16384), mmm::threads(t* d),
                                    radius(3))
                  .time <= large.time);
static_assert(large.time <= 5 * mmm::upper_bound<hmm>(mmm::image_convolution, mmm::size(16384),
                                                      mmm::threads(t* d), radius(3)));
#endif

constexpr auto small_kernel = mmm::regime_of<hmm>(mmm::threads(t * d), radius(3));
static_assert(small_kernel.global_latency_hidden && small_kernel.shared_latency_hidden);
static_assert(small_kernel.limited_by == mmm::limited_by::bandwidth);  // 49 <= 128
static_assert(mmm::regime_of<hmm>(mmm::threads(t * d), radius(6)).limited_by ==
              mmm::limited_by::parallelism);
static_assert(!mmm::regime_of<hmm>(mmm::threads(96 * d), radius(6)).global_latency_hidden);
static_assert(!mmm::regime_of<hmm>(mmm::threads(96 * d), radius(6)).shared_latency_hidden);
static_assert(mmm::regime_of<hmm>(mmm::threads(t * d), mmm::tile(128)).limited_by ==
              mmm::limited_by::bandwidth);
static_assert(mmm::regime_of<hmm>(mmm::threads(t * d), mmm::tile(129)).limited_by ==
              mmm::limited_by::parallelism);

}  // namespace
