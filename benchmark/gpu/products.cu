// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/mmm.cuh>

#include "groups.cuh"
#include "libraries.hpp"
#include "samples.cuh"

namespace bench {

void products(session& s) {
  hmm const gpu = s.device.hmm();
  mmm::threads const p(gpu.dmms() * 1024);
  auto const on = mmm::cuda::on(gpu, p, s.stream());
  hmm const halves = s.device.split(2);
  mmm::threads const fewer(halves.dmms() * 256);  // so that each thread has enough registers
  auto const on_fewer = mmm::cuda::on(halves, fewer, s.stream());
  mmm::threads const fewest(halves.dmms() * 128);
  auto const on_fewest = mmm::cuda::on(halves, fewest, s.stream());
  for (index const side : {2048, 4096, 8192, 16384}) {
    mmm::product_shape const shape(side, side, side);
    buffer<float> a(side * side);
    buffer<float> b(side * side);
    buffer<float> c(side * side);
    fill(a, scattered{7});
    fill(b, scattered{8});
    auto const words = static_cast<double>(side * side);
    problem const what{
        "matrix product", "n = " + number(side) + ", floats",      side,
        12.0 * words,     2.0 * static_cast<double>(side) * words, [&] { c.poison(); }};
    auto const right = [&, side = side] {
      return none_wrong(wrong_product::samples,
                        wrong_product{a.begin(), b.begin(), c.begin(), side});
    };
    std::vector<contender> who;
    auto const by_blas = [&, side = side](blas const& cublas) {
      cublas.product(a.begin(), b.begin(), side, c.begin());
    };
    who.push_back(
        {"cublasSgemm, no tensor cores", "other", "-", run_of<blas>(by_blas, s.stream()), right});
    who.push_back({"cublasLtMatmul, no tensor cores", "other", "-",
                   run_of<blas_lt>([](blas_lt const& l) { l.run(); }, s.stream(),
                                   blas_lt::kind::product, side, a.begin(), b.begin(), c.begin()),
                   right});
    if (side <= 4096)  // seconds, from there on
      who.push_back(
          {"mmm::matrix_multiply, m = 32", "literal", "hmm",
           [&] { mmm::matrix_multiply(on, a.begin(), b.begin(), shape, c.begin(), mmm::tile(32)); },
           right, modelled(gpu, mmm::matrix_multiply, mmm::size(side), p, mmm::tile(32))});
    who.push_back(
        {"mmm::matrix_multiply_in_registers", "fast", "hmm, 2 blocks",
         [&] {
           mmm::matrix_multiply_in_registers(on_fewer, a.begin(), b.begin(), shape, c.begin());
         },
         right, modelled(halves, mmm::matrix_multiply_in_registers, mmm::size(side), fewer)});
    who.push_back(  // the candidate that mmm::fastest chooses for sides from 2048 on
        {"mmm::matrix_multiply_in_more_registers", "fast", "hmm, 2 blocks of 128",
         [&] {
           mmm::matrix_multiply_in_more_registers(on_fewest, a.begin(), b.begin(), shape,
                                                  c.begin());
         },
         right, modelled(halves, mmm::matrix_multiply_in_more_registers, mmm::size(side), fewest)});
    s.compare(what, who);
  }
}

}  // namespace bench
