// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// new and delete in kernels: arrays with a cookie (the number of elements before the pointer that
// the kernel gets), of over-aligned types, of types with a virtual destructor; deleted by the
// kernel that made them, and by another.
#include "../checked.cuh"

#include <cstdint>

namespace {

using namespace checked;

constexpr int threads = 64;

__device__ int destroyed;

struct plain {
  int value;
  __device__ ~plain() { atomicAdd(&destroyed, value); }
};
struct byte {
  char value;
  __device__ ~byte() { atomicAdd(&destroyed, value); }
};
template <int Bytes>
struct alignas(Bytes) aligned {
  int value;
  __device__ ~aligned() { atomicAdd(&destroyed, value); }
};
struct shape {
  int value;
  __device__ virtual ~shape() { atomicAdd(&destroyed, value); }
};
//! Has arrays of its own.
struct nested {
  int value = 0;
  plain* inner = new plain[2]{{1}, {2}};
  __device__ ~nested() {
    delete[] inner;
    atomicAdd(&destroyed, value);
  }
};

//! An array of n + (thread) % 3 elements; 1 in right[thread] if it is aligned and keeps its values.
template <class T>
__device__ T* filled(int n, int* right) {
  unsigned const t = threadIdx.x;
  int const own = n + static_cast<int>(t % 3);
  T* const all = new T[own];
  for (int k = 0; k < own; ++k) all[k].value = k;
  bool same = reinterpret_cast<std::uintptr_t>(all) % alignof(T) == 0;
  for (int k = 0; k < own; ++k) same = same && all[k].value == k;
  right[t] = same;
  return all;
}

template <class T>
__global__ void in_one_kernel(int n, int* right) {
  delete[] filled<T>(n, right);
}

template <class T>
__global__ void made(int n, int* right, T** kept) {
  kept[threadIdx.x] = filled<T>(n, right);
}
//! Another thread than the one that made it.
template <class T>
__global__ void deleted(T** kept) {
  delete[] kept[threads - 1 - threadIdx.x];
}

__global__ void few(int* right) {
  plain* const none = new plain[0];
  delete[] none;
  delete[] static_cast<plain*>(nullptr);
  auto* const rows = new plain[2][3]{{{1}, {2}, {3}}, {{4}, {5}, {6}}};
  right[0] = rows[1][0].value == 4;
  delete[] rows;
  auto* const one = new aligned<64>{7};
  right[1] = reinterpret_cast<std::uintptr_t>(one) % 64 == 0;
  delete one;
}

int taken_destroyed() {
  int found = 0;
  succeed(cudaMemcpyFromSymbol(&found, destroyed, sizeof found), "cudaMemcpyFromSymbol", __LINE__);
  int const none = 0;
  succeed(cudaMemcpyToSymbol(destroyed, &none, sizeof none), "cudaMemcpyToSymbol", __LINE__);
  return found;
}

//! The sum of the values that the destructors of all threads' arrays have seen.
int sum_of_all(int n, int for_each) {
  int sum = 0;
  for (int t = 0; t < threads; ++t)
    for (int k = 0; k < n + t % 3; ++k) sum += k + for_each;
  return sum;
}

template <class T>
void test(int n, int for_each = 0) {
  device_array<int> right(threads);
  device_array<T*> kept(threads);
  for (int kernels = 1; kernels <= 2; ++kernels) {
    right.fill_bytes(0);
    if (kernels == 1) {
      in_one_kernel<T><<<1, threads>>>(n, right.data());
    } else {
      made<<<1, threads>>>(n, right.data(), kept.data());
      deleted<<<1, threads>>>(kept.data());
    }
    succeed(cudaDeviceSynchronize(), "new and delete", __LINE__);
    for (int r : right.host()) expect(r == 1, "an array is aligned and keeps its values", __LINE__);
    expect(taken_destroyed() == sum_of_all(n, for_each), "each element is destroyed once",
           __LINE__);
  }
}

}  // namespace

int main() {
  test<plain>(10);
  test<byte>(10);
  test<aligned<16>>(10);
  test<aligned<32>>(10);
  test<aligned<512>>(3);
  test<shape>(10);
  test<nested>(4, 3);
  device_array<int> right(2);
  few<<<1, 1>>>(right.data());
  for (int r : right.host()) expect(r == 1, "what is made is as asked for", __LINE__);
  expect(taken_destroyed() == 21 + 7, "each element is destroyed once", __LINE__);
  return finish(7 * 2 * threads);
}
