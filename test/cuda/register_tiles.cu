// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast variants with tiles in registers, as kernels.
#include <mmm/fast.hpp>

#include "device_side.cuh"
#include "session.hpp"

namespace register_tiles_tests {

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

//! A copy of n words of the device that begins where wide accesses are not aligned.
class unaligned_copy {
 public:
  unaligned_copy(float const* first, index n)
      : words_(static_cast<std::size_t>(n + 1)), bytes_(static_cast<std::size_t>(n) * 4) {
    copy(begin(), first);
  }
  [[nodiscard]] float* begin() { return words_.begin() + 1; }
  void copy_to(float* first) { copy(first, begin()); }

 private:
  void copy(float* to, float const* from) const {
    mmm::cuda::check(cudaMemcpy(to, from, bytes_, cudaMemcpyDeviceToDevice), "cudaMemcpy",
                     "an array that is not aligned");
  }
  checks::device_words<float> words_;
  std::size_t bytes_;
};

//! The algorithms on arrays that are not aligned.
struct unaligned_product {
  char const* name = "matrix_multiply_in_registers, not aligned";
  template <class On, class Left, class Right, class Result>
  void operator()(On const& on, Left a, Right b, mmm::product_shape shape, Result c) const {
    unaligned_copy x(a, shape.rows * shape.inner);
    unaligned_copy z(c, shape.rows * shape.columns);
    mmm::matrix_multiply_in_registers(on, x.begin(), b, shape, z.begin());
    z.copy_to(c);
  }
};
struct unaligned_image {
  char const* name = "image_convolution_in_registers<3>, not aligned";
  template <class On, class Image, class Kernel, class Result>
  void operator()(On const& on, Image a, mmm::shape image, Kernel b, mmm::radius, Result c) const {
    unaligned_copy x(a, image.area());
    unaligned_copy z(c, image.area());
    mmm::image_convolution_in_registers<3>(on, x.begin(), image, b, z.begin());
    z.copy_to(c);
  }
};

TEST_CASE("kernels of a hmm with tiles in registers, not aligned") {
  auto const on = mmm::cuda::on(machine(3, 12288), mmm::threads(3 * 256));
  using side = checks::device_side;
  checks::kernel_product<side, float>(unaligned_product(), on, mmm::product_shape(132, 64, 136));
  checks::kernel_image<side, float>(unaligned_image(), on, mmm::shape(40, 256), mmm::radius(3));
}

TEST_CASE("kernels of a hmm with tiles in registers") {
  auto const on = mmm::cuda::on(machine(7, 16384), mmm::threads(7 * 256));
  using side = checks::device_side;
  for (auto const& shape :
       {mmm::product_shape{1, 1, 1}, {128, 8, 128}, {300, 260, 200}, {257, 33, 131}})
    checks::kernel_product<side, float>(mmm::matrix_multiply_in_registers, on, shape);
  auto const of_fewer = mmm::cuda::on(machine(7, 12288), mmm::threads(7 * 128));
  for (auto const& shape : {mmm::product_shape{1, 1, 1}, {128, 16, 256}, {140, 36, 132}})
    checks::kernel_product<side, float>(mmm::matrix_multiply_in_more_registers, of_fewer, shape);
  for (auto const& shape :
       {mmm::product_shape{64, 96, 64}, {64, 112, 64}, {100, 132, 60}, {3, 70, 5}})
    checks::kernel_product<side, float>(mmm::matrix_multiply_in_parts, of_fewer, shape);
  for (index const n : {1, 5000, 40000})
    for (index const m : {1, 16, 33})
      checks::kernel_convolution<side, float>(mmm::convolution_in_registers, on, n, m);
  for (auto const& image : {mmm::shape{1, 1}, {64, 256}, {100, 300}, {131, 257}})
    checks::kernel_image<side, float>(with_radius_3{}, on, image, mmm::radius(3));
}

TEST_CASE("kernels of a hmm: triangulations with tiles in registers") {
  auto const on = mmm::cuda::on(machine(5, 12288), mmm::threads(5 * 256));
  using side = checks::device_side;
  for (index const n : {3, 64, 65, 200})
    checks::kernel_triangulation<side>(mmm::triangulation_in_registers, on, n);
}

}  // namespace register_tiles_tests
