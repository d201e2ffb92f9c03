// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sums.hpp"

#include <algorithm>
#include <numeric>

namespace device::report {

void sum::add(memory_sum const& other) {
  auto const same = std::find_if(memory.begin(), memory.end(), [&](memory_sum const& m) {
    return m.where == other.where && m.kind == other.kind && m.argument == other.argument;
  });
  if (same == memory.end()) {
    memory.push_back(other);
    return;
  }
  same->figures += other.figures;
  if (other.worst.worse_than(same->worst)) same->worst = other.worst;
}

sum& sum::operator+=(sum const& other) {
  for (memory_sum const& m : other.memory) add(m);
  for (std::size_t k = 0; k < instructions.size(); ++k) instructions[k] += other.instructions[k];
  lanes += other.lanes;
  barriers += other.barriers;
  return *this;
}

count::request_figures sum::figures(space where, access_kind kind) const {
  count::request_figures all;
  for (memory_sum const& m : memory)
    if (m.where == where && m.kind == kind) all += m.figures;
  return all;
}

count::request_figures sum::figures(space where) const {
  count::request_figures all;
  for (memory_sum const& m : memory)
    if (m.where == where) all += m.figures;
  return all;
}

memory_sum sum::worst(space where) const {
  memory_sum found;
  for (memory_sum const& m : memory)
    if (m.where == where && m.worst.worse_than(found.worst)) found = m;
  return found;
}

std::uint64_t sum::executed() const {
  return std::accumulate(instructions.begin(), instructions.end(), std::uint64_t{0});
}

double sum::average_lanes() const {
  std::uint64_t const all = executed();
  return all == 0 ? 0.0 : static_cast<double>(lanes) / static_cast<double>(all);
}

index sum::waste() const {
  return 4 * figures(space::shared).excessive() + figures(space::global).excessive() +
         figures(space::local).excessive();
}

}  // namespace device::report
