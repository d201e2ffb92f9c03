// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the model's counts for the counted kernels, one line of JSON per kernel, from the trace of
// a simulation.
#include "counted.hpp"
#include "demand.hpp"
#include "patterns.hpp"

#include <cstdio>
#include <vector>

int main() {
  std::vector<float> a(counted::words, 1.0F);
  std::vector<float> b(a);
  std::vector<float> c(a);
  counted::for_each([&](char const* name, auto const& machine, mmm::index p, mmm::index brought,
                        mmm::index taken, auto const& call) {
    auto const run = mmm::simulate(machine, mmm::threads(p),
                                   [&](auto on) { call(on, a.data(), b.data(), c.data()); });
    counted::demand const d = counted::demand_of(run.trace);
    mmm::index const copied = (brought + taken) / 32;  // whole rows of 32 words, one stage each
    std::printf("{\"name\": \"%s\", \"shared_requests\": %lld, \"shared_stages\": %lld, "
                "\"shared_stages_of_copies\": %lld, "
                "\"global_requests\": %lld, \"global_stages\": %lld, \"global_sectors\": %lld}\n",
                name, static_cast<long long>(d.shared_requests),
                static_cast<long long>(d.shared_stages), static_cast<long long>(copied),
                static_cast<long long>(d.global_requests), static_cast<long long>(d.global_stages),
                static_cast<long long>(d.global_sectors));
  });
  counted::for_each_pattern([](char const* name, auto pattern) {
    auto const print = [&](char const* access, mmm::index wavefronts) {
      std::printf("{\"name\": \"%s, %s\", \"pattern\": true, \"shared_requests\": %d, "
                  "\"shared_stages\": %lld, \"shared_stages_of_copies\": 0, "
                  "\"global_requests\": 0, \"global_stages\": 0, \"global_sectors\": 0}\n",
                  access, name, counted::repetitions,
                  static_cast<long long>(wavefronts * counted::repetitions));
    };
    using namespace mmm::gpu;
    print("load<16>", wavefronts<load<16>, nvidia_merging>(pattern * 16));
    print("load<8>", wavefronts<load<8>, nvidia_merging>(pattern * 8));
    print("store<16>", wavefronts<store<16>, nvidia_merging>(pattern * 16));
    print("store<8>", wavefronts<store<8>, nvidia_merging>(pattern * 8));
  });
}
