// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix product by tensor cores. A device without them must report that, and must not give
// another result.
#include "../checked.cuh"

#include <mma.h>

namespace {

__global__ void product(half const* a, half const* b, float* c) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> x;
  fragment<matrix_b, 16, 16, 16, half, row_major> y;
  fragment<accumulator, 16, 16, 16, float> z;
  load_matrix_sync(x, a, 16);
  load_matrix_sync(y, b, 16);
  fill_fragment(z, 1.0f);
  mma_sync(z, x, y, z);
  store_matrix_sync(c, z, 16, mem_row_major);
}

}  // namespace

int main() {
  using namespace checked;
  auto const x = random_vector<int>(512, 160, 9);
  std::vector<half> in(512);
  for (int i = 0; i < 512; ++i) in[i] = __float2half(static_cast<float>(x[i]));
  device_array<half> d(in);
  device_array<float> out(256);
  product<<<1, 32>>>(d.data(), d.data() + 256, out.data());
  WAIT();
  auto const found = out.host();
  for (int i = 0; i < 256; ++i) {
    int sum = 1;
    for (int k = 0; k < 16; ++k) sum += x[i / 16 * 16 + k] * x[256 + k * 16 + i % 16];
    EXPECT_AT(i, found[i] == static_cast<float>(sum));
  }
  return finish(256);
}
