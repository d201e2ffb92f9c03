// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sums.hpp"

#include <mmm/algorithm/reduce/sum.hpp>

#include "machines.hpp"
#include "measure.hpp"

#include <cmath>
#include <limits>

namespace tour {

sums sum_everywhere(std::vector<double> const& signal) {
  sums found;
  double magnitude = 0;
  for (double const x : signal) {
    found.total += x;
    magnitude += std::abs(x);
  }
  auto const n = static_cast<index>(signal.size());
  // A tree adds in another order than a loop: the sums are equal up to rounding.
  double const slack = static_cast<double>(n) * std::numeric_limits<double>::epsilon() * magnitude;
  auto const visit = [&](auto const& machine, auto const& algorithm) {
    found.measurements.push_back(measure(
        machine, algorithm, mmm::report::detail::counted(n, "value"), 1024,
        [&](auto on) { return algorithm(on, signal.begin(), signal.end()); },
        [&](double result) { return std::abs(result - found.total) <= slack; }, mmm::size(n)));
  };
  visit(pram{}, mmm::sum);
  visit(bpram{}, mmm::sum);
  visit(dmm{}, mmm::sum);
  visit(umm{}, mmm::sum);
  visit(hmm{}, mmm::sum_on_one_dmm);
  visit(hmm{}, mmm::sum);
  return found;
}

}  // namespace tour
