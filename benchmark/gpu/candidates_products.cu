// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The candidates of mmm::known for products and convolutions, see candidates_sequences.cu.
#include <mmm/mmm.cuh>

#include "groups.cuh"
#include "race.cuh"
#include "samples.cuh"

namespace bench {

namespace {

void products_of_sizes(session& s) {
  for (index const side : {64, 128, 256, 500, 512, 768, 1000, 1024, 1536, 2000, 3000}) {
    mmm::product_shape const shape(side, side, side);
    buffer<float> a(side * side);
    buffer<float> b(side * side);
    buffer<float> c(side * side);
    fill(a, scattered{7});
    fill(b, scattered{8});
    auto const by = [&](auto const& algorithm, auto const... more) {
      return [&, more...](auto const& on) {
        algorithm(on, a.begin(), b.begin(), shape, c.begin(), more...);
      };
    };
    auto const words = static_cast<double>(side * side);
    race(s,
         {"candidates: matrix product", "n = " + std::to_string(side) + ", floats", side,
          12.0 * words, 2.0 * static_cast<double>(side) * words, [&] { c.poison(); }},
         [&] {
           return none_wrong(wrong_product::samples,
                             wrong_product{a.begin(), b.begin(), c.begin(), side});
         })
        .on_blocks("mmm::matrix_multiply_in_more_registers", 2, 128,
                   by(mmm::matrix_multiply_in_more_registers))
        .on_blocks("mmm::matrix_multiply_in_registers", 2, 256,
                   by(mmm::matrix_multiply_in_registers))
        .on_blocks("mmm::matrix_multiply_in_registers", 1, 256,
                   by(mmm::matrix_multiply_in_registers))
        .on_blocks("mmm::matrix_multiply_in_smaller_tiles", 2, 128,
                   by(mmm::matrix_multiply_in_smaller_tiles))
        .on_blocks("mmm::matrix_multiply, m = 16", 1, 256, by(mmm::matrix_multiply, mmm::tile(16)))
        .on_blocks("mmm::matrix_multiply, m = 32", 1, 512, by(mmm::matrix_multiply, mmm::tile(32)))
        .on_blocks("mmm::matrix_multiply, m = 32", 4, 256, by(mmm::matrix_multiply, mmm::tile(32)))
        .on_blocks("mmm::matrix_multiply, m = 64", 1, 1024, by(mmm::matrix_multiply, mmm::tile(64)))
        .run();
  }
}

void convolutions_of_sizes(session& s) {
  for (int const k : {14, 16, 18, 20, 22, 24}) {
    index const taps = 32;
    index const words = index{1} << k;
    index const n = words - taps + 1;
    buffer<float> x(taps);
    buffer<float> y(words);
    buffer<float> z(words);
    fill(x, scattered{3});
    fill(y, scattered{4});
    auto const by = [&](auto const& algorithm) {
      return [&](auto const& on) {
        algorithm(on, x.begin(), x.end(), y.begin(), y.end(), z.begin(), z.begin() + n);
      };
    };
    race(s,
         {"candidates: convolution", "n = " + number(words) + " - m + 1, m = 32 taps", n,
          8.0 * static_cast<double>(n), 2.0 * 32 * static_cast<double>(n), [&] { z.poison(); }},
         [&] {
           return none_wrong(wrong_output::samples,
                             wrong_output{x.begin(), y.begin(), z.begin(), taps, n});
         })
        .on_blocks("mmm::convolution_in_registers", 3, 256, by(mmm::convolution_in_registers))
        .on_blocks("mmm::convolution_in_registers", 1, 256, by(mmm::convolution_in_registers))
        .on_blocks("mmm::convolution", 1, 1024, by(mmm::convolution))
        .on_umm("mmm::convolution", by(mmm::convolution))
        .run();
  }
}

void images_of_sizes(session& s) {
  for (index const side : {256, 512, 1000, 1024, 2048, 4096}) {
    mmm::radius const kernel(3);
    mmm::shape const shape(side, side);
    buffer<float> image(side * side);
    buffer<float> taps(kernel.area());
    buffer<float> out(side * side);
    fill(image, scattered{5});
    fill(taps, scattered{6});
    auto const pixels = static_cast<double>(side * side);
    auto const in_registers = [&](auto const& on) {
      mmm::image_convolution_in_registers<3>(on, image.begin(), shape, taps.begin(), out.begin());
    };
    auto const literal = [&](auto const& on) {
      mmm::image_convolution(on, image.begin(), shape, taps.begin(), kernel, out.begin());
    };
    race(s,
         {"candidates: image convolution",
          std::to_string(side) + " x " + std::to_string(side) + " floats, v = 3", side,
          8.0 * pixels, 2.0 * 49 * pixels, [&] { out.poison(); }},
         [&] {
           return none_wrong(wrong_pixel::samples,
                             wrong_pixel{image.begin(), taps.begin(), out.begin(), side, 3});
         })
        .on_blocks("mmm::image_convolution_in_registers", 2, 256, in_registers)
        .on_blocks("mmm::image_convolution_in_registers", 1, 256, in_registers)
        .on_blocks("mmm::image_convolution", 1, 1024, literal)
        .on_blocks("mmm::image_convolution", 4, 256, literal)
        .run();
  }
}

}  // namespace

void candidates_for_products(session& s) {
  products_of_sizes(s);
  convolutions_of_sizes(s);
  images_of_sizes(s);
}

}  // namespace bench
