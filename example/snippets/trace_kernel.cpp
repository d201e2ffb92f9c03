// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's body, traced on the host.
// [block]
#include <mmm/trace_kernel.hpp>

#include <iostream>
#include <vector>

int main() {
  std::vector<float> values(1024, 1.0F);
  std::vector<float> sums(4);
  auto const in = mmm::gpu::global(values);
  auto const out = mmm::gpu::global(sums);

  auto const trace = mmm::gpu::trace_grid<mmm::gpu::h200>(4, 256, [&](mmm::gpu::thread& t) {
    auto s = t.shared<float>(256);
    s[t.x] = in[t.block * 256 + t.x];
    t.sync();
    for (int h = 1; h < 256; h *= 2) {
      int const i = 2 * h * t.x;
      if (i < 256) s[i] += s[i + h];
      t.sync();
    }
    if (t.x == 0) out[t.block] = s[0];
  });
  std::cout << mmm::report::text(trace);
  return trace.findings.empty() && sums[3] == 256 ? 0 : 1;
}
// [/block]
