// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints what the model says of the counted kernels: a line of JSON for each, from the trace of a simulation.
#include "counted.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

using mmm::index;

//! What all requests of a trace ask of the memories.
struct demand {
  index shared_requests = 0;
  index shared_stages = 0;  //!< a profiler's wavefronts
  index global_requests = 0;
  index global_stages = 0;   //!< groups of 32 words
  index global_sectors = 0;  //!< groups of 8 words
};

index groups(mmm::trace_entry const* first, mmm::trace_entry const* last, index of_words) {
  std::vector<index> found;
  for (; first != last; ++first) found.push_back(first->address / of_words);
  std::sort(found.begin(), found.end());
  return std::unique(found.begin(), found.end()) - found.begin();
}

demand demand_of(mmm::trace const& t) {
  demand d;
  mmm::trace_entry const* const end = t.entries.data() + t.entries.size();
  for (mmm::trace_entry const* first = t.entries.data(); first != end;) {
    mmm::trace_entry const* last = first;
    while (last != end && last->round == first->round && last->dmm == first->dmm && last->space == first->space &&
           last->thread / 32 == first->thread / 32)
      ++last;
    if (first->space == mmm::memory_space::shared) {
      ++d.shared_requests;
      d.shared_stages += mmm::detail::traced_stages<mmm::conflict::banks>(first, last, 32);
    } else {
      ++d.global_requests;
      d.global_stages += groups(first, last, 32);
      d.global_sectors += groups(first, last, 8);
    }
    first = last;
  }
  return d;
}

}  // namespace

int main() {
  std::vector<float> a(counted::words, 1.0F);
  std::vector<float> b(a);
  std::vector<float> c(a);
  counted::for_each([&](char const* name, auto const& machine, index p, index brought, index taken, auto const& call) {
    auto const run = mmm::simulate(machine, mmm::threads(p), [&](auto on) { call(on, a.data(), b.data(), c.data()); });
    demand const d = demand_of(run.trace);
    index const copied = (brought + taken) / 32;  // whole rows, a stage each
    std::printf(
        "{\"name\": \"%s\", \"shared_requests\": %lld, \"shared_stages\": %lld, \"shared_stages_of_copies\": %lld, "
        "\"global_requests\": %lld, \"global_stages\": %lld, \"global_sectors\": %lld}\n",
        name, static_cast<long long>(d.shared_requests), static_cast<long long>(d.shared_stages),
        static_cast<long long>(copied), static_cast<long long>(d.global_requests),
        static_cast<long long>(d.global_stages), static_cast<long long>(d.global_sectors));
  });
}
