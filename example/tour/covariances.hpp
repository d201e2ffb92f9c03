// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "measurement.hpp"
#include "signals.hpp"

#include <common/image.hpp>

#include <vector>

//! The covariances of a recording's channels.
namespace tour {

//! Covariances of channels, each at several lags: element `(c lags + s, d lags + t)` is the
//! covariance of channel c, s samples later, with channel d, t samples later.
struct covariances {
  std::vector<measurement> measurements;
  index lags = 1;
  index side = 0;  //!< rows and columns
  std::vector<double> values;
};

//! Computes them on the HMM, for 1 to 128 channels of equal length, at least one sample.
[[nodiscard]] covariances covary(std::vector<curve> const& channels);

//! The matrix as a colour picture: blue for positive, orange for negative covariances, white for
//! none.
[[nodiscard]] tool::image heat_map(covariances const& found);

}  // namespace tour
