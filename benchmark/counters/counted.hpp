// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/mmm.hpp>

//! The kernels whose hardware counters are compared with the model's stages: one launch each, in
//! this order. A simulation runs the same calls on host memory.
namespace counted {

using mmm::index;

inline constexpr index words = 1 << 17;  // size of each of the three arrays a, b and c
inline constexpr mmm::dmm<32, 1> shared{};
inline constexpr mmm::umm<32, 1> global{};
inline constexpr mmm::hmm<4, 32, 1, 1> both{};

//! Calls `visit(name, machine, threads, words copied to shared memory, words copied back, call)`
//! for every kernel; `call(on, a, b, c)` runs it. A kernel on a DMM alone works on a copy in shared
//! memory; the model does not count the copying.
template <class Visit>
void for_each(Visit const& visit) {
  visit("sum, DMM", shared, 256, 4096, 0, [](auto const& on, float* a, float*, float*) {
    static_cast<void>(mmm::sum(on, a, a + 4096));
  });
  visit("prefix-sums, DMM", shared, 256, 4096, 4096,
        [](auto const& on, float* a, float*, float* c) { mmm::prefix_sums(on, a, a + 4096, c); });
  visit(
      "transpose, straightforward, DMM", shared, 256, 4096, 4096,
      [](auto const& on, float* a, float*, float*) { mmm::transpose_straightforward(on, a, 64); });
  visit("transpose, diagonal, DMM", shared, 256, 4096, 4096,
        [](auto const& on, float* a, float*, float*) { mmm::transpose_diagonal(on, a, 64); });
  visit(
      "transpose, straightforward, UMM", global, 1024, 0, 0,
      [](auto const& on, float* a, float*, float*) { mmm::transpose_straightforward(on, a, 128); });
  visit("transpose, rotating, UMM", global, 1024, 0, 0,
        [](auto const& on, float* a, float*, float*) { mmm::transpose_rotating(on, a, 128); });
  visit("sum, HMM", both, 1024, 0, 0, [](auto const& on, float* a, float*, float*) {
    static_cast<void>(mmm::sum(on, a, a + words));
  });
  visit("copy through shared memory, HMM", both, 1024, 0, 0,
        [](auto const& on, float* a, float*, float* c) {
          mmm::copy_through_shared(on, a, a + 16384, c);
        });
  visit("image convolution, v = 2, HMM", both, 1024, 0, 0,
        [](auto const& on, float* a, float* b, float* c) {
          mmm::image_convolution(on, a, mmm::shape(128, 128), b, mmm::radius(2), c);
        });
  visit("matrix product, m = 32, HMM", both, 1024, 0, 0,
        [](auto const& on, float* a, float* b, float* c) {
          mmm::matrix_multiply(on, a, b, mmm::product_shape(128, 128, 128), c, mmm::tile(32));
        });
}

}  // namespace counted
