// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of the device: __device__, __constant__ and __managed__ variables, pointers between
// them; managed memory.
#include "../checked.cuh"

#include <string_view>

namespace {

using namespace checked;

struct record {
  int number;
  double real;
  char text[6];
};

__device__ int counter = 5;
__device__ int table[100];
__device__ float const factors[4] = {0.5f, 1.5f, -2.0f, 8.0f};
__device__ record kept = {7, 2.25, "begin"};
__constant__ int coefficients[16] = {1, 2, 3};
__constant__ record fixed = {-1, 0.5, "const"};
__managed__ int shared_count = 40;
__managed__ double shared_values[10];
__device__ int* into_table = &table[50];  // an address in an initializer
__device__ char const* const names[3] = {"zero", "one", "two"};
template <class T>
__device__ T of_type = T(3);

__global__ void use(int* out, float* real) {
  int const t = static_cast<int>(threadIdx.x);
  out[t] = table[t] + coefficients[t % 16] + fixed.number;
  real[t] = factors[t % 4] * of_type<float>;
  atomicAdd(&counter, 1);
  atomicAdd(&shared_count, 2);
  if (t < 10) shared_values[t] += t * 0.5;
  __syncthreads();
  if (t == 0) {
    kept.number *= 2;
    kept.real += fixed.real;
    kept.text[0] = names[2][1];
    into_table[3] = 1234;
    of_type<int> += 1;
  }
}

void check_symbols() {
  std::vector<int> values(100), c(16);
  for (int i = 0; i < 100; ++i) values[i] = i * i;
  for (int i = 0; i < 16; ++i) c[i] = 1000 * i;
  SUCCEED(cudaMemcpyToSymbol(table, values.data(), 400));
  // the first three keep their values
  SUCCEED(cudaMemcpyToSymbol(coefficients, c.data() + 3, 13 * 4, 3 * 4));
  for (int i = 0; i < 10; ++i) shared_values[i] = i;
  device_array<int> out(100);
  device_array<float> real(100);
  use<<<1, 100>>>(out.data(), real.data());
  WAIT();
  auto const found = out.host();
  auto const reals = real.host();
  float const f[4] = {0.5f, 1.5f, -2.0f, 8.0f};
  for (int i = 0; i < 100; ++i) {
    int const coefficient = i % 16 < 3 ? i % 16 + 1 : 1000 * (i % 16);
    EXPECT_AT(i, found[i] == i * i + coefficient - 1);
    EXPECT_AT(i, reals[i] == f[i % 4] * 3);
  }
  int n = 0;
  SUCCEED(cudaMemcpyFromSymbol(&n, counter, sizeof n));
  EXPECT(n == 105);
  EXPECT(shared_count == 240);
  for (int i = 0; i < 10; ++i) EXPECT_AT(i, shared_values[i] == i * 1.5);
  record r;
  SUCCEED(cudaMemcpyFromSymbol(&r, kept, sizeof r));
  EXPECT(r.number == 14 && r.real == 2.75 && std::string_view(r.text) == "wegin");
  SUCCEED(cudaMemcpyFromSymbol(&n, table, 4, 53 * 4));
  EXPECT(n == 1234);
  SUCCEED(cudaMemcpyFromSymbol(&n, of_type<int>, 4));
  EXPECT(n == 4);
  void* address = nullptr;
  std::size_t bytes = 0;
  SUCCEED(cudaGetSymbolAddress(&address, table));
  SUCCEED(cudaGetSymbolSize(&bytes, table));
  EXPECT(bytes == 400);
  SUCCEED(cudaMemcpy(&n, static_cast<int*>(address) + 9, 4, cudaMemcpyDeviceToHost));
  EXPECT(n == 81);
}

struct node {
  int value;
  node* next;
};
__global__ void walk(node* first, int* sum) {
  for (node* p = first; p != nullptr; p = p->next) {
    *sum += p->value;
    p->value = -p->value;
  }
}

//! A list whose nodes the host allocates and the device traverses.
void check_managed() {
  node* first = nullptr;
  for (int i = 1; i <= 20; ++i) {
    node* p = nullptr;
    SUCCEED(cudaMallocManaged(&p, sizeof(node)));
    *p = {i, first};
    first = p;
  }
  int* sum = nullptr;
  SUCCEED(cudaMallocManaged(&sum, sizeof(int)));
  *sum = 0;
  cudaPointerAttributes attributes;
  SUCCEED(cudaPointerGetAttributes(&attributes, sum));
  EXPECT(attributes.type == cudaMemoryTypeManaged);
  walk<<<1, 1>>>(first, sum);
  WAIT();
  EXPECT(*sum == 210);
  int values = 0;
  while (first != nullptr) {
    values += first->value;
    node* const next = first->next;
    SUCCEED(cudaFree(first));
    first = next;
  }
  EXPECT(values == -210);
  cudaMemLocation location{};
  location.type = cudaMemLocationTypeDevice;
  location.id = 0;
  SUCCEED(cudaMemPrefetchAsync(sum, sizeof(int), location, 0, nullptr));
  SUCCEED(cudaMemAdvise(sum, sizeof(int), cudaMemAdviseSetReadMostly, location));
  SUCCEED(cudaDeviceSynchronize());
  EXPECT(*sum == 210);
  SUCCEED(cudaFree(sum));
}

}  // namespace

int main() {
  check_symbols();
  check_managed();
  return finish(260);
}
