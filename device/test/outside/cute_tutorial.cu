// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One of CuTe's tutorials (CUTLASS), whose `gemm` is called once and compared with plain C++.
// -DTUTORIAL='"wgmma_sm90.cu"' -DNUMBER=cute::half_t
#define main tutorial_main
#include TUTORIAL
#undef main

#include <cstdio>
#include <cstdlib>

//! \param values transA transB m n k
int main(int count, char** values) {
  if (count != 6) {
    std::puts("arguments: N or T of A, N or T of B, m, n, k");
    return 2;
  }
  char const a_order = values[1][0];
  char const b_order = values[2][0];
  int const m = std::atoi(values[3]);
  int const n = std::atoi(values[4]);
  int const k = std::atoi(values[5]);
  thrust::host_vector<NUMBER> a(m * k), b(n * k), c(m * n);
  // Small whole numbers: all sums are exact.
  for (int i = 0; i < m * k; ++i) a[i] = NUMBER(static_cast<float>(i * 7 % 5 - 2));
  for (int i = 0; i < n * k; ++i) b[i] = NUMBER(static_cast<float>(i * 11 % 7 % 3 - 1));
  for (int i = 0; i < m * n; ++i) c[i] = NUMBER(-1.0f);
  thrust::device_vector<NUMBER> on_a = a, on_b = b, on_c = c;
  int const ld_a = a_order == 'N' ? m : k;
  int const ld_b = b_order == 'N' ? k : n;
  gemm(a_order, b_order, m, n, k, NUMBER(1.0f), on_a.data().get(), ld_a, on_b.data().get(), ld_b,
       NUMBER(0.0f), on_c.data().get(), m);
  c = on_c;
  int wrong = 0;
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += static_cast<float>(a[a_order == 'N' ? row + l * m : l + row * k]) *
               static_cast<float>(b[b_order == 'N' ? l + column * k : column + l * n]);
      if (static_cast<float>(c[row + column * m]) != sum && ++wrong < 4)
        std::printf("(%d, %d) is %g instead of %g\n", row, column,
                    static_cast<double>(static_cast<float>(c[row + column * m])),
                    static_cast<double>(sum));
    }
  if (wrong != 0) std::printf("%d of %d are wrong\n", wrong, m * n);
  return wrong == 0 ? 0 : 1;
}
