// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "measurement.hpp"

#include <vector>

//! Filters and integrals of a recording's curves.
namespace tour {

using curve = std::vector<double>;

inline constexpr index filter_taps = 63;
//! period, in samples, of the oscillation that the filter halves; it removes faster ones
inline constexpr index filter_period = 16;
inline constexpr index max_samples = 16384;  //!< later samples are skipped

//! A curve smoothed and integrated.
struct processed {
  std::vector<measurement> measurements;
  curve smooth;    //!< low-pass filtered by filter_taps taps, a sinc in a Hamming window
  curve integral;  //!< running sums of the values less their mean
};

//! Filters a curve of one value or more on the DMM and the HMM, and integrates it on the HMM.
[[nodiscard]] processed process(curve const& values);

}  // namespace tour
