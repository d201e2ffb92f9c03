// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products by CUTLASS's library kernels, compared with plain C++: -DSIMT (floats, sm_50's FFMA),
// -DTENSOR_OP (halves by mma.sync, sm_80) or -DWARP_SPECIALIZED (halves by wgmma and tensor maps,
// whose collective builder chooses the stages, sm_90a).
#include <cuda_runtime.h>
#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm.h>
#ifdef WARP_SPECIALIZED
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/util/packed_stride.hpp>
#endif

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using cutlass::layout::ColumnMajor;
using cutlass::layout::RowMajor;

// A is row-major, B column-major, the result row-major in floats.
#if defined(SIMT)
using number = float;
using product = cutlass::gemm::device::Gemm<float, RowMajor, float, ColumnMajor, float, RowMajor>;
#elif defined(TENSOR_OP)
using number = cutlass::half_t;
using product = cutlass::gemm::device::Gemm<
    number, RowMajor, number, ColumnMajor, float, RowMajor, float, cutlass::arch::OpClassTensorOp,
    cutlass::arch::Sm80, cutlass::gemm::GemmShape<128, 128, 32>,
    cutlass::gemm::GemmShape<64, 64, 32>, cutlass::gemm::GemmShape<16, 8, 16>,
    cutlass::epilogue::thread::LinearCombination<float, 4, float, float>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3>;
#else
using number = cutlass::half_t;
using tile = cute::Shape<cute::_128, cute::_128, cute::_64>;
using cluster = cute::Shape<cute::_2, cute::_1, cute::_1>;
using epilogue = cutlass::epilogue::collective::CollectiveBuilder<
    cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, tile, cluster,
    cutlass::epilogue::collective::EpilogueTileAuto, float, float, float, RowMajor, 4, float,
    RowMajor, 4, cutlass::epilogue::TmaWarpSpecialized>::CollectiveOp;
using mainloop = cutlass::gemm::collective::CollectiveBuilder<
    cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, number, RowMajor, 8, number, ColumnMajor,
    8, float, tile, cluster,
    cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(
        sizeof(typename epilogue::SharedStorage))>,
    cutlass::gemm::KernelTmaWarpSpecialized>::CollectiveOp;
using kernel =
    cutlass::gemm::kernel::GemmUniversal<cute::Shape<int, int, int, int>, mainloop, epilogue>;
using product = cutlass::gemm::device::GemmUniversalAdapter<kernel>;
#endif

product::Arguments arguments(int m, int n, int k, number const* a, number const* b, float* c) {
#ifdef WARP_SPECIALIZED
  return {cutlass::gemm::GemmUniversalMode::kGemm,
          {m, n, k, 1},
          {a, cutlass::make_cute_packed_stride(kernel::StrideA{}, {m, k, 1}), b,
           cutlass::make_cute_packed_stride(kernel::StrideB{}, {n, k, 1})},
          {{1.0f, 0.0f},
           c,
           cutlass::make_cute_packed_stride(kernel::StrideC{}, {m, n, 1}),
           c,
           cutlass::make_cute_packed_stride(kernel::StrideD{}, {m, n, 1})}};
#else
  return {{m, n, k}, {a, k}, {b, k}, {c, n}, {c, n}, {1.0f, 0.0f}};
#endif
}

template <class T>
T* on_device(std::vector<T> const& values) {
  T* all = nullptr;
  if (cudaMalloc(&all, values.size() * sizeof(T)) != cudaSuccess) return nullptr;
  cudaMemcpy(all, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return all;
}

}  // namespace

//! \param values m n k
int main(int count, char** values) {
  if (count != 4) {
    std::fputs("arguments: m, n, k\n", stderr);
    return 2;
  }
  int const m = std::atoi(values[1]);
  int const n = std::atoi(values[2]);
  int const k = std::atoi(values[3]);
  auto const places = [](int rows, int columns) {
    return static_cast<std::size_t>(rows) * columns;
  };
  std::vector<number> a(places(m, k));
  std::vector<number> b(places(n, k));
  std::vector<float> c(places(m, n), -1.0f);
  // Small whole numbers: all sums are exact.
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = number(static_cast<float>(i * 7 % 5) - 2.0f);
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] = number(static_cast<float>(i * 11 % 7 % 3) - 1.0f);
  number* const on_a = on_device(a);
  number* const on_b = on_device(b);
  float* const on_c = on_device(c);
  product multiply;
  cutlass::Status const status = multiply(arguments(m, n, k, on_a, on_b, on_c));
  if (status != cutlass::Status::kSuccess) {
    std::printf("CUTLASS: %s\n", cutlassGetStatusString(status));
    return 1;
  }
  if (cudaError_t const error =
          cudaMemcpy(c.data(), on_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
      error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  int wrong = 0;
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += static_cast<float>(a[places(row, k) + l]) *
               static_cast<float>(b[places(column, k) + l]);
      float const found = c[places(row, n) + column];
      if (found != sum && ++wrong < 4)
        std::printf("(%d, %d) is %g instead of %g\n", row, column, static_cast<double>(found),
                    static_cast<double>(sum));
    }
  if (wrong != 0) std::printf("%d of %d are wrong\n", wrong, m * n);
  cudaFree(on_a);
  cudaFree(on_b);
  cudaFree(on_c);
  return wrong == 0 ? 0 : 1;
}
