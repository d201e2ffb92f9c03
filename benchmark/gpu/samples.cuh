// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device.cuh"

//! Checks of results that are too large to be computed again: some samples are, each summed in
//! double by one thread. Values are in [-1, 1); the tolerance covers rounding in any order of
//! summation.
namespace bench {

//! The words of the transpose of the side x side array that scattered{2} fills.
struct transposed_word {
  index side;
  MMM_HOST_DEVICE float operator()(index i) const {
    return scattered{2}(i % side * side + i / side);
  }
};

[[nodiscard]] MMM_HOST_DEVICE inline bool far_from(float found, double sum, index products) {
  double const allowed = 1e-4 + 1e-6 * static_cast<double>(products);
  double const error = static_cast<double>(found) - sum;
  return !(error < allowed && -error < allowed);
}

//! The index of one of `samples` samples, which are spread over n words and include the first and
//! the last.
[[nodiscard]] MMM_HOST_DEVICE inline index sampled(index sample, index samples, index n) {
  return sample == samples - 1 ? n - 1 : sample * (n / samples);
}

struct wrong_pixel {
  static constexpr index samples = 1 << 16;
  float const* image;
  float const* taps;
  float const* out;
  index side;
  index v;
  MMM_HOST_DEVICE bool operator()(index sample) const {
    // steps through all columns
    index const at = sampled(sample, samples, side * side) / side * side + sample * 389 % side;
    index const row = at / side;
    index const column = at % side;
    double sum = 0;
    for (index i = -v; i <= v; ++i)
      for (index j = -v; j <= v; ++j) {
        if (row + i < 0 || row + i >= side || column + j < 0 || column + j >= side) continue;
        sum += static_cast<double>(image[(row + i) * side + column + j]) *
               static_cast<double>(taps[(v + i) * (2 * v + 1) + v + j]);
      }
    return far_from(out[at], sum, (2 * v + 1) * (2 * v + 1));
  }
};

template <class Factor>
struct wrong_product_of {
  static constexpr index samples = 1 << 13;
  Factor const* a;
  Factor const* b;
  float const* c;
  index side;
  MMM_HOST_DEVICE bool operator()(index sample) const {
    index const at = sampled(sample, samples, side * side) / side * side + sample * 389 % side;
    index const row = at / side;
    index const column = at % side;
    double sum = 0;
    for (index k = 0; k < side; ++k)
      sum += static_cast<double>(static_cast<float>(a[row * side + k])) *
             static_cast<double>(static_cast<float>(b[k * side + column]));
    return far_from(c[at], sum, side);
  }
};
using wrong_product = wrong_product_of<float>;

//! A predicate: a sampled output of a one-dimensional convolution is wrong.
struct wrong_output {
  static constexpr index samples = 1 << 16;
  float const* x;
  float const* y;
  float const* z;
  index taps;
  index outputs;
  MMM_HOST_DEVICE bool operator()(index sample) const {
    index const i = sampled(sample, samples, outputs);
    double sum = 0;
    for (index k = 0; k < taps; ++k)
      sum += static_cast<double>(x[k]) * static_cast<double>(y[i + k]);
    return far_from(z[i], sum, taps);
  }
};

}  // namespace bench
