// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices of nvcuda::wmma: shapes, types, both orders, from global and shared memory; and mma.sync
// of 8-bit floating-point numbers.
#include "../checked.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <mma.h>

namespace {

using namespace checked;
namespace wmma = nvcuda::wmma;

template <class T>
struct kept {
  using type = T;
};
template <>
struct kept<wmma::precision::tf32> {
  using type = float;
};

//! One product, whose operands go through shared memory if `shared`; every element is doubled.
template <int M, int N, int K, class T, class C, class OrderA, class OrderB>
__global__ void multiply(typename kept<T>::type const* a, typename kept<T>::type const* b,
                         C const* c, C* d, bool shared) {
  using number = typename kept<T>::type;
  __shared__ __align__(32) number own_a[M * K], own_b[K * N];
  for (int k = static_cast<int>(threadIdx.x); k < M * K; k += 32) own_a[k] = a[k];
  for (int k = static_cast<int>(threadIdx.x); k < K * N; k += 32) own_b[k] = b[k];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, M, N, K, T, OrderA> left;
  wmma::fragment<wmma::matrix_b, M, N, K, T, OrderB> right;
  wmma::fragment<wmma::accumulator, M, N, K, C> sum;
  wmma::load_matrix_sync(left, shared ? own_a : a, std::is_same_v<OrderA, wmma::row_major> ? K : M);
  wmma::load_matrix_sync(right, shared ? own_b : b,
                         std::is_same_v<OrderB, wmma::row_major> ? N : K);
  wmma::load_matrix_sync(sum, c, N, wmma::mem_row_major);
  wmma::mma_sync(sum, left, right, sum);
  for (int k = 0; k < sum.num_elements; ++k) sum.x[k] = sum.x[k] * static_cast<C>(2);
  wmma::store_matrix_sync(d, sum, M, wmma::mem_col_major);
}

template <int M, int N, int K, class T, class C, class OrderA, class OrderB>
void check(std::uint64_t seed, bool shared) {
  using number = typename kept<T>::type;
  random_numbers numbers(seed);
  std::vector<int> a(M * K), b(K * N), c(M * N);
  for (int& x : a) x = static_cast<int>(numbers.below(5));
  for (int& x : b) x = static_cast<int>(numbers.below(5));
  for (int& x : c) x = static_cast<int>(numbers.below(5));
  std::vector<number> as(M * K), bs(K * N);
  std::vector<C> cs(M * N);
  auto const convert = [](auto& to, std::vector<int> const& from) {
    using type = std::remove_reference_t<decltype(to[0])>;
    for (std::size_t k = 0; k < from.size(); ++k)
      to[k] = static_cast<type>(static_cast<float>(from[k]));
  };
  convert(as, a);
  convert(bs, b);
  convert(cs, c);
  device_array<number> on_a(as), on_b(bs);
  device_array<C> on_c(cs), on_d(M * N);
  multiply<M, N, K, T, C, OrderA, OrderB>
      <<<1, 32>>>(on_a.data(), on_b.data(), on_c.data(), on_d.data(), shared);
  WAIT();
  auto const d = on_d.host();
  bool const rows_a = std::is_same_v<OrderA, wmma::row_major>;
  bool const rows_b = std::is_same_v<OrderB, wmma::row_major>;
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      int sum = c[static_cast<std::size_t>(m * N + n)];
      for (int k = 0; k < K; ++k)
        sum += a[static_cast<std::size_t>(rows_a ? m * K + k : m + k * M)] *
               b[static_cast<std::size_t>(rows_b ? k * N + n : k + n * K)];
      EXPECT_AT(static_cast<int>(seed) * 10000 + m * 100 + n,
                static_cast<float>(d[static_cast<std::size_t>(m + n * M)]) ==
                    static_cast<float>(2 * sum));
    }
}

//! One mma.sync of 8-bit numbers, whose registers all hold the same four numbers a and b.
__global__ void multiply_fp8(unsigned a, unsigned b, float* out) {
  float d[4];
  asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, "
      "{%5, %5}, "
      "{%6, %6, %6, %6};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a), "r"(b), "f"(1.0f));
  for (int k = 0; k < 4; ++k) out[threadIdx.x * 4 + static_cast<unsigned>(k)] = d[k];
}

void check_fp8() {
  // 1.5, -2, 448, 2^-9 of e4m3; 3, 0.5, 2^-16, 57344 of e5m2
  unsigned const a = 0x3c | 0xc0 << 8 | 0x7e << 16 | 0x01U << 24;
  unsigned const b = 0x42 | 0x38 << 8 | 0x01 << 16 | 0x7bU << 24;
  device_array<float> out(128);
  multiply_fp8<<<1, 32>>>(a, b, out.data());
  WAIT();
  double const sum = 1.5 * 3 - 2 * 0.5 + 448.0 / 65536 + 57344.0 / 512;
  for (float const d : out.host()) EXPECT(d == static_cast<float>(8 * sum + 1));
}

}  // namespace

int main() {
  using wmma::col_major;
  using wmma::row_major;
  check<16, 16, 16, __half, float, row_major, col_major>(1, true);
  check<16, 16, 16, __half, __half, col_major, row_major>(2, false);
  check<32, 8, 16, __half, float, row_major, row_major>(3, true);
  check<8, 32, 16, __half, __half, col_major, col_major>(4, true);
  check<16, 16, 16, __nv_bfloat16, float, row_major, col_major>(5, false);
  check<32, 8, 16, __nv_bfloat16, float, col_major, row_major>(6, true);
  check<16, 16, 8, wmma::precision::tf32, float, row_major, col_major>(7, true);
  check<16, 16, 16, signed char, int, row_major, col_major>(8, true);
  check<32, 8, 16, unsigned char, int, col_major, row_major>(9, false);
  check<8, 32, 16, signed char, int, row_major, row_major>(10, true);
  check<8, 8, 4, double, double, row_major, col_major>(11, true);
  check_fp8();
  return finish(2000);
}
