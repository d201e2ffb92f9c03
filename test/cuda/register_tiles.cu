// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast variants with tiles in registers, as kernels.
#include <mmm/fast.hpp>

#include "device_side.cuh"
#include "session.hpp"

namespace {

using mmm::index;
using machine = mmm::hmm<mmm::dynamic, 32, 29, 700, mmm::dynamic>;

//! Calls mmm::image_convolution_in_registers<3> with the arguments of mmm::image_convolution.
struct with_radius_3 {
  char const* name = "image_convolution_in_registers<3>";
  template <class On, class Image, class Kernel, class Result>
  void operator()(On const& on, Image a, mmm::shape image, Kernel b, mmm::radius, Result c) const {
    mmm::image_convolution_in_registers<3>(on, a, image, b, c);
  }
};

TEST_CASE("kernels of a hmm with tiles in registers") {
  auto const on = mmm::cuda::on(machine(7, 12288), mmm::threads(7 * 256));
  using side = checks::device_side;
  for (auto const& shape :
       {mmm::product_shape{1, 1, 1}, {128, 8, 128}, {300, 260, 200}, {257, 33, 131}})
    checks::kernel_product<side, float>(mmm::matrix_multiply_in_registers, on, shape);
  for (index const n : {1, 5000, 40000})
    for (index const m : {1, 16, 33})
      checks::kernel_convolution<side, float>(mmm::convolution_in_registers, on, n, m);
  for (auto const& image : {mmm::shape{1, 1}, {64, 256}, {100, 300}, {131, 257}})
    checks::kernel_image<side, float>(with_radius_3{}, on, image, mmm::radius(3));
}

}  // namespace
