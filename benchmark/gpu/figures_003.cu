// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nakano and Ito 2014, figures 3 to 6: a problem of 1024 x 1024 words against the number of DMMs,
// with p threads each.
#include <mmm/mmm.cuh>

#include "groups.cuh"
#include "samples.cuh"
#include "sweep.hpp"

namespace bench {

namespace {

constexpr index side = 1024;
constexpr index max_dmms = 256;

}  // namespace

void figures_of_003(session& s, sweeps& into) {
  buffer<float> a(side * side);
  buffer<float> b(side * side);
  buffer<float> c(side * side);
  fill(a, scattered{10});
  fill(b, scattered{11});

  auto const convolved = [&](figure& f, index d, index p, index v) {
    hmm const machine = s.device.hmm(d);
    mmm::threads const threads(d * p);
    mmm::radius const kernel(v);
    c.poison();
    f.point(
        d, modelled(machine, mmm::image_convolution, mmm::size(side), threads, kernel),
        [&] {
          mmm::image_convolution(mmm::cuda::on(machine, threads, s.stream()), a.begin(),
                                 mmm::shape(side, side), b.begin(), kernel, c.begin());
        },
        [&] {
          return none_wrong(wrong_pixel::samples,
                            wrong_pixel{a.begin(), b.begin(), c.begin(), side, v});
        });
  };
  auto const multiplied = [&](figure& f, index d, index p, index m) {
    hmm const machine = s.device.hmm(d);
    mmm::threads const threads(d * p);
    c.poison();
    f.point(
        d, modelled(machine, mmm::matrix_multiply, mmm::size(side), threads, mmm::tile(m)),
        [&] {
          mmm::matrix_multiply(mmm::cuda::on(machine, threads, s.stream()), a.begin(), b.begin(),
                               mmm::product_shape(side, side, side), c.begin(), mmm::tile(m));
        },
        [&] {
          return none_wrong(wrong_product::samples,
                            wrong_product{a.begin(), b.begin(), c.begin(), side});
        });
  };
  auto const sweep = [&](std::string const& name, std::string const& title,
                         std::string const& letter, std::vector<index> const& kinds,
                         auto const& point) {
    figure f(s, name, title, "d, DMMs");
    for (index const kind : kinds) {
      f.begin_curve(letter + " = " + std::to_string(kind));
      for (index d = 1; d <= max_dmms; d *= 2) point(f, d, kind);
    }
    f.finish(into);
  };
  std::vector<index> const threads{64, 128, 256, 512, 1024};
  sweep("003-3", "Image convolution, 1024 x 1024, v = 3, p threads per DMM", "p", threads,
        [&](figure& f, index d, index p) { convolved(f, d, p, 3); });
  sweep("003-4", "Image convolution, 1024 x 1024, p = 1024", "v", {1, 2, 3, 4, 5},
        [&](figure& f, index d, index v) { convolved(f, d, 1024, v); });
  sweep("003-5", "Matrix product, 1024 x 1024, m = 32, p threads per DMM", "p", threads,
        [&](figure& f, index d, index p) { multiplied(f, d, p, 32); });
  sweep("003-6", "Matrix product, 1024 x 1024, p = 1024, tiles of m x m", "m", {16, 32, 64},
        [&](figure& f, index d, index m) { multiplied(f, d, 1024, m); });
}

}  // namespace bench
