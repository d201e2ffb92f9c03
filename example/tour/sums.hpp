// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "measurement.hpp"

#include <vector>

//! Sums a signal on every machine.
namespace tour {

struct sums {
  std::vector<measurement> measurements;
  double total = 0;  //!< the sum by a plain loop
};

[[nodiscard]] sums sum_everywhere(std::vector<double> const& signal);

}  // namespace tour
