// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/mmm.cuh>

#include "cub_call.cuh"
#include "groups.cuh"
#include "libraries.hpp"

#include <cub/device/device_scan.cuh>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

namespace bench {

void prefix_sums(session& s) {
  hmm const gpu = s.device.hmm();
  umm const global = s.device.umm();
  mmm::threads const p(gpu.dmms() * 1024);
  auto const on_hmm = mmm::cuda::on(gpu, p, s.stream());
  auto const on_umm = mmm::cuda::on(global, p, s.stream());
  hmm const quarters = s.device.split(4);
  mmm::threads const fewer(quarters.dmms() * 256);
  auto const on_quarters = mmm::cuda::on(quarters, fewer, s.stream());
  for (index const n : {index{1} << 20, index{1} << 24, index{1} << 28}) {
    buffer<float> a(n);
    buffer<float> out(n);
    fill(a, small_periodic());
    cub_call const scan([&](void* room, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveSum(room, bytes, a.begin(), out.begin(), n, s.stream());
    });
    cub_call const newer_scan([&](void* room, std::size_t& bytes) {
      return newer_cub::inclusive_sum(room, bytes, a.begin(), out.begin(), n, s.stream());
    });
    problem const what{
        "prefix-sums",          "n = " + number(n) + " floats", n, 8.0 * static_cast<double>(n),
        static_cast<double>(n), [&] { out.poison(); }};
    auto const right = [&] { return is_all(out, periodic_sums()); };
    auto const units = [&](auto const& machine, auto const& algorithm) {
      return modelled(machine, algorithm, mmm::size(n), p);
    };
    s.compare(
        what,
        {{"cub::DeviceScan::InclusiveSum", "other", "-", scan, right},
         {"cub::DeviceScan::InclusiveSum" + newer_cub::version(), "other", "-", newer_scan, right},
         {"thrust::inclusive_scan", "other", "-",
          [&] {
            thrust::inclusive_scan(thrust::cuda::par_nosync.on(s.stream()), a.begin(), a.end(),
                                   out.begin());
          },
          right},
         {"mmm::prefix_sums_one_pass", "fast", "hmm, 4 blocks",
          [&] { mmm::prefix_sums_one_pass(on_quarters, a.begin(), a.end(), out.begin()); }, right,
          modelled(quarters, mmm::prefix_sums_one_pass, mmm::size(n), fewer)},
         {"mmm::prefix_sums", "literal", "hmm",
          [&] { mmm::prefix_sums(on_hmm, a.begin(), a.end(), out.begin()); }, right,
          units(gpu, mmm::prefix_sums)},
         {"mmm::prefix_sums", "literal", "umm",
          [&] { mmm::prefix_sums(on_umm, a.begin(), a.end(), out.begin()); }, right,
          units(global, mmm::prefix_sums)},
         {"mmm::prefix_sums_simple", "literal", "umm",
          [&] { mmm::prefix_sums_simple(on_umm, a.begin(), a.end(), out.begin()); }, right,
          units(global, mmm::prefix_sums_simple)}});
  }
}

}  // namespace bench
