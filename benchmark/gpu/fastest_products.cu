// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmm::fastest::matrix_multiply as it is called on a GPU of mmm::gpu, see fastest_sequences.cu.
#include <mmm/mmm.cuh>

#include "groups.cuh"
#include "libraries.hpp"
#include "preset.cuh"
#include "samples.cuh"

#include <cuda_fp16.h>

#include <initializer_list>

namespace bench {

namespace {

using gpu = preset;

template <class Factor>
void products_of(session& s, char const* type, std::initializer_list<index> sides) {
  auto const on = mmm::cuda::on<mmm::gpu::split<gpu, 2>>(s.stream());
  for (index const side : sides) {
    mmm::product_shape const shape(side, side, side);
    buffer<Factor> a(side * side);
    buffer<Factor> b(side * side);
    buffer<float> c(side * side);
    fill(a, scattered{7});
    fill(b, scattered{8});
    auto const words = static_cast<double>(side * side);
    auto const right = [&, side] {
      return none_wrong(wrong_product_of<Factor>::samples,
                        wrong_product_of<Factor>{a.begin(), b.begin(), c.begin(), side});
    };
    std::vector<contender> who{
        {"mmm::fastest::matrix_multiply", "fast", "gpu, 2 blocks",
         [&] { mmm::fastest::matrix_multiply(on, a.begin(), b.begin(), shape, c.begin()); },
         right}};
    constexpr bool floats = sizeof(Factor) == 4;
    auto const by_blas = [&, side](blas const& cublas) {
      if constexpr (floats)
        cublas.product(a.begin(), b.begin(), side, c.begin());
      else
        cublas.product_of_halves(a.begin(), b.begin(), side, c.begin());
    };
    who.push_back({floats ? "cublasSgemm, no tensor cores" : "cublasGemmEx, tensor cores", "other",
                   "-", run_of<blas>(by_blas, s.stream()), right});
    who.push_back(
        {floats ? "cublasLtMatmul, no tensor cores" : "cublasLtMatmul, tensor cores", "other", "-",
         run_of<blas_lt>([](blas_lt const& l) { l.run(); }, s.stream(),
                         floats ? blas_lt::kind::product : blas_lt::kind::product_of_halves, side,
                         a.begin(), b.begin(), c.begin()),
         right});
    s.compare({"fastest: matrix product", "n = " + std::to_string(side) + ", " + type, side,
               (4.0 + 2.0 * sizeof(Factor)) * words, 2.0 * static_cast<double>(side) * words,
               [&] { c.poison(); }},
              who);
  }
}

}  // namespace

void fastest_products(session& s) {
  products_of<float>(s, "floats", {128, 500, 512, 1000, 1024, 2048, 4096, 8192});
  products_of<__half>(s, "halves", {512, 4096});
}

}  // namespace bench
