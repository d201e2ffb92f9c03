// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/mmm.cuh>

#include "groups.cuh"

#include <thrust/copy.h>
#include <thrust/execution_policy.h>

namespace bench {

void copies(session& s) {
  hmm const gpu = s.device.hmm();
  mmm::threads const p(gpu.dmms() * 1024);
  auto const on = mmm::cuda::on(gpu, p, s.stream());
  for (index const n : {index{1} << 20, index{1} << 22, index{1} << 24, index{1} << 28}) {
    buffer<float> a(n);
    buffer<float> out(n);
    fill(a, scattered{1});
    problem const what{"copy", "n = " + number(n) + " floats", n, 8.0 * static_cast<double>(n),
                       0,      [&] { out.poison(); }};
    auto const right = [&] { return is_all(out, scattered{1}); };
    auto const units = [&](auto const& algorithm) {
      return modelled(gpu, algorithm, mmm::size(n), p);
    };
    std::vector<contender> who{{"cudaMemcpyAsync", "other", "-",
                                [&] {
                                  check(cudaMemcpyAsync(out.begin(), a.begin(), a.bytes(),
                                                        cudaMemcpyDeviceToDevice, s.stream()),
                                        "cudaMemcpyAsync", "a copy");
                                },
                                right},
                               {"thrust::copy", "other", "-",
                                [&] {
                                  thrust::copy(thrust::cuda::par_nosync.on(s.stream()), a.begin(),
                                               a.end(), out.begin());
                                },
                                right}};
    who.push_back({"mmm::copy_wide", "fast", "hmm",
                   [&] { mmm::copy_wide(on, a.begin(), a.end(), out.begin()); }, right,
                   units(mmm::copy_wide)});
    if (n <= gpu.dmms() * gpu.capacity())  // all words have to fit into the shared memories at once
      who.push_back({"mmm::copy_through_shared", "literal", "hmm",
                     [&] { mmm::copy_through_shared(on, a.begin(), a.end(), out.begin()); }, right,
                     units(mmm::copy_through_shared)});
    s.compare(what, who);
  }
}

}  // namespace bench
