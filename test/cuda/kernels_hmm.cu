// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every algorithm for an HMM, as a kernel: one block per DMM, with shared and global memory.
#include "device_side.cuh"
#include "session.hpp"
#include "support/cluster_checks.hpp"
#include "support/copy_checks.hpp"

#include <vector>

namespace kernels_hmm_tests {

using mmm::index;
using machine = mmm::hmm<mmm::dynamic, 32, 29, 700, mmm::dynamic>;
std::vector<index> const sizes{0, 1, 2, 7, 33, 100, 1023, 5000};

//! A handle for `dmms` blocks of `p` threads each.
template <class T>
void all(index dmms, index p, index capacity = 12288) {
  checks::all_kernels<checks::device_side, T>(
      mmm::cuda::on(machine(dmms, capacity), mmm::threads(dmms * p)), sizes);
}

TEST_CASE("kernels of a hmm, float") {
  all<float>(4, 64);
  if (checks::small_only()) return;
  all<float>(1, 1);
  all<float>(3, 100);
  all<float>(checks::multiprocessors(), 1024);
  all<float>(2 * checks::multiprocessors(), 32);
}

TEST_CASE("kernels with clusters of blocks") {
  using clusters = mmm::clustered<machine, mmm::dynamic, 200>;
  for (index const size : {1, 2, 4}) {
    clusters const m(machine(4, 12288), size);
    index const words = 40;
    std::vector<index> out(4 * words);
    checks::device_words<index> on_device(out.size());
    auto const on = mmm::cuda::on(m, mmm::threads(4 * 64));
    mmm::run(on, checks::all_of_a_cluster{}, words,
             mmm::writes<index>(on_device.begin(), 4 * words));
    CHECK(on_device.on_host() == checks::all_of_a_cluster::expected(4 / size, size, words));
  }
}

TEST_CASE("kernels with bulk copies, of words at a multiple of 16 bytes and of others") {
  index const n = 3 * 4 * 100;
  std::vector<float> a(n + 9);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i);
  checks::device_words<float> in(a.begin(), a.end());
  for (index const apart : {0, 1}) {
    checks::device_words<float> out(static_cast<std::size_t>(n));
    auto const on = mmm::cuda::on(machine(3, 12288), mmm::threads(3 * 50));
    mmm::run(on, checks::increments_in_bulk<>{}, mmm::reads<float>(in.begin() + apart, n + 8),
             index{8}, index{100}, index{2}, mmm::writes<float>(out.begin(), n));
    auto const found = out.on_host();
    std::vector<float> expected(a.begin() + apart + 8, a.begin() + apart + 8 + n);
    for (float& x : expected) x += 1;
    CHECK(found == expected);
  }
}

}  // namespace kernels_hmm_tests
