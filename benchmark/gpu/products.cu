// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/mmm.cuh>

#include "groups.cuh"
#include "libraries.hpp"
#include "samples.cuh"

#include <cuda_fp16.h>

#include <stdexcept>

namespace bench {

namespace {

//! Products of halves, added up in floats, by tensor cores.
void products_of_halves(session& s) {
  hmm const gpu = s.device.hmm();
  mmm::threads const p(gpu.dmms() * 256);
  auto const on = mmm::cuda::on(gpu, p, s.stream());
  hmm const split = s.device.split(2);
  mmm::threads const fewer(split.dmms() * 128);
  auto const on_split = mmm::cuda::on(split, fewer, s.stream());
  mmm::threads const warpgroups(gpu.dmms() * 384);
  auto const on_warpgroups = mmm::cuda::on(gpu, warpgroups, s.stream());
  for (index const side : {1024, 2048, 4096, 8192, 16384}) {
    mmm::product_shape const shape(side, side, side);
    buffer<__half> a(side * side);
    buffer<__half> b(side * side);
    buffer<float> c(side * side);
    fill(a, scattered{7});
    fill(b, scattered{8});
    auto const words = static_cast<double>(side * side);
    auto const right = [&, side = side] {
      return none_wrong(wrong_product_of<__half>::samples,
                        wrong_product_of<__half>{a.begin(), b.begin(), c.begin(), side});
    };
    auto const by_blas = [&, side = side](blas const& cublas) {
      cublas.product_of_halves(a.begin(), b.begin(), side, c.begin());
    };
    std::vector<contender> const who{
        {"cublasGemmEx, tensor cores", "other", "-", run_of<blas>(by_blas, s.stream()), right},
        {"cublasLtMatmul, tensor cores", "other", "-",
         run_of<blas_lt>([](blas_lt const& l) { l.run(); }, s.stream(),
                         blas_lt::kind::product_of_halves, side, a.begin(), b.begin(), c.begin()),
         right},
        {"mmm::matrix_multiply_on_tensor_cores", "fast", "hmm",
         [&] { mmm::matrix_multiply_on_tensor_cores(on, a.begin(), b.begin(), shape, c.begin()); },
         right, modelled(gpu, mmm::matrix_multiply_on_tensor_cores, mmm::size(side), p)},
        {"mmm::matrix_multiply_on_tensor_cores_in_smaller_tiles", "fast", "hmm, 2 blocks of 128",
         [&] {
           mmm::matrix_multiply_on_tensor_cores_in_smaller_tiles(on_split, a.begin(), b.begin(),
                                                                 shape, c.begin());
         },
         right,
         modelled(split, mmm::matrix_multiply_on_tensor_cores_in_smaller_tiles, mmm::size(side),
                  fewer)},
        {"mmm::matrix_multiply_by_warpgroups", "fast", "hmm, 1 block of 384",
         [&] {
           if (!mmm::detail::has_code_for_warpgroups())  // another program would be measured
             throw std::runtime_error("not compiled for compute capability 9.0a");
           mmm::matrix_multiply_by_warpgroups(on_warpgroups, a.begin(), b.begin(), shape,
                                              c.begin());
         },
         right, modelled(gpu, mmm::matrix_multiply_by_warpgroups, mmm::size(side), warpgroups)}};
    s.compare({"matrix product", "n = " + number(side) + ", halves", side, 8.0 * words,
               2.0 * static_cast<double>(side) * words, [&] { c.poison(); }},
              who);
  }
}

}  // namespace

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
  products_of_halves(s);
}

}  // namespace bench
