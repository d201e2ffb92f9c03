// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of up to 2^28 words.
#include "large.cuh"

namespace large_tests {

using mmm::index;
using namespace large_arrays;

template <class T>
void copies(index d) {
  for (index const n : {index{60001}, index{1} << 20, d * 8192}) {
    if (checks::small_only() && n > 100000) continue;
    checks::device_words<T> a(static_cast<std::size_t>(n));
    checks::device_words<T> out(static_cast<std::size_t>(n));
    fill<<<blocks(), 256>>>(a.begin(), n);
    mmm::copy_through_shared(mmm::cuda::on(hmm(d, 16384), mmm::threads(d * 512)), a.begin(),
                             a.end(), out.begin());
    CHECK(wrong_words<false>(out, n) == 0);
  }
}

TEST_CASE("sums and prefix-sums of up to 2^28 floats") { large<float>((index{1} << 28) + 5); }
TEST_CASE("copies through all shared memory") { copies<float>(checks::small_only() ? 12 : 132); }

}  // namespace large_tests
