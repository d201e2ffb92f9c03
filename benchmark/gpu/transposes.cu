// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/mmm.cuh>

#include "groups.cuh"
#include "libraries.hpp"
#include "samples.cuh"

namespace bench {

namespace {

index largest_power_of_2(index most) {
  index n = 1;
  while (2 * n <= most) n *= 2;
  return n;
}

}  // namespace

void transposes(session& s) {
  // A power of 2 of DMMs, for which the costs of these arrays have a closed form that is found
  // quickly.
  hmm const gpu = s.device.hmm(largest_power_of_2(s.device.multiprocessors));
  umm const global = s.device.umm();
  mmm::threads const p(gpu.dmms() * 1024);
  auto const on_hmm = mmm::cuda::on(gpu, p, s.stream());
  auto const on_umm = mmm::cuda::on(global, p, s.stream());
  hmm const quarters = s.device.split(4);
  mmm::threads const fewer(quarters.dmms() * 256);
  auto const on_quarters = mmm::cuda::on(quarters, fewer, s.stream());
  for (index const side : {1024, 4096, 8192, 16384}) {
    buffer<float> a(side * side);
    buffer<float> out(side * side);
    problem const what{"transpose",
                       std::to_string(side) + " x " + std::to_string(side) + " floats",
                       side,
                       8.0 * static_cast<double>(side * side),
                       0,
                       [&] {
                         fill(a, scattered{2});
                         out.poison();
                       }};
    auto const right_in_place = [&] { return is_all(a, transposed_word{side}); };
    // Finding the cost of a triangle of so many rows takes seconds.
    auto const units = [&, side = side](auto const& machine, auto const& algorithm) {
      return side <= 8192 ? modelled(machine, algorithm, mmm::size(side), p) : 0;
    };
    std::vector<contender> who{
        {"cudaMemcpyAsync (no transpose)", "other", "-",
         [&] {
           check(cudaMemcpyAsync(out.begin(), a.begin(), a.bytes(), cudaMemcpyDeviceToDevice,
                                 s.stream()),
                 "cudaMemcpyAsync", "a copy");
         },
         [&] { return is_all(out, scattered{2}); }},
        {"mmm::transpose_swizzled", "fast", "hmm, 4 blocks",
         [&] {
           mmm::transpose_swizzled(on_quarters, a.begin(), mmm::shape(side, side), out.begin());
         },
         [&] { return is_all(out, transposed_word{side}); },
         modelled(quarters, mmm::transpose_swizzled, mmm::size(side), fewer)},
        {"mmm::transpose_straightforward", "literal", "umm",
         [&] { mmm::transpose_straightforward(on_umm, a.begin(), side); }, right_in_place,
         units(global, mmm::transpose_straightforward)},
        {"mmm::transpose_straightforward", "literal", "hmm",
         [&] { mmm::transpose_straightforward(on_hmm, a.begin(), side); }, right_in_place,
         units(gpu, mmm::transpose_straightforward)},
        {"mmm::transpose_rotating", "literal", "umm",
         [&] { mmm::transpose_rotating(on_umm, a.begin(), side); }, right_in_place,
         units(global, mmm::transpose_rotating)}};
    auto const by_blas = [&](blas const& cublas) {
      cublas.transpose(a.begin(), side, out.begin());
    };
    auto const right = [&] { return is_all(out, transposed_word{side}); };
    who.push_back({"cublasSgeam", "other", "-", run_of<blas>(by_blas, s.stream()), right});
    who.push_back({"cublasLtMatrixTransform", "other", "-",
                   run_of<blas_lt>([](blas_lt const& l) { l.run(); }, s.stream(),
                                   blas_lt::kind::transpose, side, a.begin(), nullptr, out.begin()),
                   right});
    s.compare(what, who);
  }
}

}  // namespace bench
