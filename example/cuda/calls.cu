// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, scans and products called as CUB's and cuBLAS's functions are.
#include <mmm/mmm.cuh>

#include <thrust/device_vector.h>

#include <cstdint>
#include <cstdio>

namespace {

using machine = mmm::hmm<4, 32, 29, 700, 12288>;

int failures = 0;
void expect(bool holds, char const* what) {
  if (holds) return;
  ++failures;
  std::printf("wrong: %s\n", what);
}

void sums(cudaStream_t stream) {
  thrust::device_vector<std::int8_t> const bytes(1000, std::int8_t{1});
  thrust::device_vector<float> a(20000, 0.5F);
  thrust::device_vector<float> out(2);
  auto const on = mmm::cuda::on<machine>(mmm::threads(4 * 256), stream);
  // [fold]
  int const ones = mmm::fastest::sum(on, bytes.begin(), bytes.end());  // 1000, not -24
  double const exact = mmm::fastest::sum(on, a.begin(), a.end(), mmm::init(0.0));
  float const most = mmm::fastest::sum(on, a.begin(), a.end(), mmm::maximum{}, mmm::init(0.0F));
  auto const [least, place] = mmm::fastest::argmin(on, a.begin(), a.end());
  // [/fold]
  expect(ones == 1000 && exact == 10000 && most == 0.5F && least == 0.5F && place == 0, "folds");
  // [result]
  // Each is in the order of the stream and waits for nothing.
  mmm::fastest::sum(on, a.begin(), a.end(), out.begin());
  mmm::fastest::sum(on, a.begin(), a.end(), out.begin() + 1, mmm::maximum{});
  mmm::fastest::exclusive_prefix_sums(on, a.begin(), a.end(), a.begin(), mmm::init(1.0F));
  // [/result]
  mmm::cuda::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize", "an example");
  expect(out[0] == 10000.0F && out[1] == 0.5F && a[1] == 1.5F, "results on the device");
}

void storage(cudaStream_t stream) {
  thrust::device_vector<float> const a(20000, 0.5F);
  thrust::device_vector<float> out(1);
  // [storage]
  auto const on = mmm::cuda::on<machine>(mmm::threads(4 * 256), stream);
  auto const call = [&](auto const& handle) {
    mmm::fastest::sum(handle, a.begin(), a.end(), out.begin());
  };
  mmm::index const bytes = on.storage_bytes(call);  // runs nothing
  thrust::device_vector<char> room(static_cast<std::size_t>(bytes));
  call(on.with_storage(thrust::raw_pointer_cast(room.data()), bytes));  // one launch, no more
  // [/storage]
  mmm::cuda::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize", "an example");
  expect(out[0] == 10000.0F, "a sum with storage of its own");
}

void products(cudaStream_t stream) {
  mmm::index const m = 130;
  mmm::index const n = 140;
  mmm::index const k = 40;
  thrust::device_vector<float> const a(2 * k * m, 1.0F);
  thrust::device_vector<float> const b(2 * k * n, 2.0F);
  thrust::device_vector<float> c(2 * m * n, 10.0F);
  auto const on = mmm::cuda::on<machine>(mmm::threads(4 * 256), stream);
  // [product]
  // two products of m x k and k x n matrices, a column-major: c = 3 a b - 2 c
  mmm::fastest::matrix_multiply(
      on, mmm::transposed(a.begin(), m), mmm::matrix(b.begin(), n), mmm::product_shape(m, k, n),
      c.begin(), mmm::batches(2, k * m, k * n, m * n), mmm::alpha(3.0F), mmm::beta(-2.0F));
  // [/product]
  mmm::cuda::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize", "an example");
  expect(c[0] == 220.0F && c[2 * m * n - 1] == 220.0F, "products");
}

}  // namespace

int main() {
  cudaStream_t stream = nullptr;
  mmm::cuda::check(cudaStreamCreate(&stream), "cudaStreamCreate", "an example");
  sums(stream);
  storage(stream);
  products(stream);
  mmm::cuda::check(cudaStreamDestroy(stream), "cudaStreamDestroy", "an example");
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
