// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/mmm.cuh>

#include "cub_call.cuh"
#include "groups.cuh"
#include "libraries.hpp"

#include <cub/device/device_reduce.cuh>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

namespace bench {

void sums(session& s) {
  hmm const gpu = s.device.hmm();
  umm const global = s.device.umm();
  mmm::threads const p(gpu.dmms() * 1024);
  auto const on_hmm = mmm::cuda::on(gpu, p, s.stream());
  auto const on_umm = mmm::cuda::on(global, p, s.stream());
  for (index const n : {index{1} << 20, index{1} << 24, index{1} << 28}) {
    buffer<float> a(n);
    buffer<float> out(1);
    fill(a, small_periodic());
    cub_call const cub_sum([&](void* room, std::size_t& bytes) {
      return cub::DeviceReduce::Sum(room, bytes, a.begin(), out.begin(), n, s.stream());
    });
    cub_call const newer_sum([&](void* room, std::size_t& bytes) {
      return newer_cub::sum(room, bytes, a.begin(), out.begin(), n, s.stream());
    });
    auto const sum = static_cast<float>(periodic_sum(n));
    float found = 0;
    auto const on_device = [&] { return out.word(0) == sum; };
    auto const on_host = [&] { return found == sum; };
    auto const units = [&](auto const& machine, auto const& algorithm) {
      return modelled(machine, algorithm, mmm::size(n), p);
    };
    problem what{"sum",
                 "n = " + number(n) + " floats",
                 n,
                 4.0 * static_cast<double>(n),
                 static_cast<double>(n),
                 [&] { out.poison(); }};
    s.compare(
        what,
        {{"cub::DeviceReduce::Sum", "other", "-", cub_sum, on_device},
         {"cub::DeviceReduce::Sum" + newer_cub::version(), "other", "-", newer_sum, on_device},
         {"mmm::sum", "literal", "hmm", [&] { mmm::sum(on_hmm, a.begin(), a.end(), out.begin()); },
          on_device, units(gpu, mmm::sum)},
         {"mmm::sum_wide", "fast", "hmm",
          [&] { mmm::sum_wide(on_hmm, a.begin(), a.end(), out.begin()); }, on_device,
          units(gpu, mmm::sum_wide)},
         {"mmm::sum", "literal", "umm", [&] { mmm::sum(on_umm, a.begin(), a.end(), out.begin()); },
          on_device, units(global, mmm::sum)},
         {"mmm::sum_on_one_dmm", "literal", "hmm",
          [&] { mmm::sum_on_one_dmm(on_hmm, a.begin(), a.end(), out.begin()); }, on_device,
          units(gpu, mmm::sum_on_one_dmm)}});
    what.group = "sum, to the host";
    what.prepare = [&] { found = -1; };
    s.compare(
        what,
        {{"cub::DeviceReduce::Sum and a copy", "other", "-",
          [&] {
            cub_sum();
            check(cudaMemcpyAsync(&found, out.begin(), 4, cudaMemcpyDeviceToHost, s.stream()),
                  "cudaMemcpyAsync", "a sum");
            check(cudaStreamSynchronize(s.stream()), "cudaStreamSynchronize", "a sum");
          },
          on_host},
         {"thrust::reduce", "other", "-",
          [&] { found = thrust::reduce(thrust::cuda::par.on(s.stream()), a.begin(), a.end()); },
          on_host},
         {"mmm::sum", "literal", "hmm", [&] { found = mmm::sum(on_hmm, a.begin(), a.end()); },
          on_host},
         {"mmm::sum_wide", "fast", "hmm",
          [&] { found = mmm::sum_wide(on_hmm, a.begin(), a.end()); }, on_host}});
  }
}

}  // namespace bench
