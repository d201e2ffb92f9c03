// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/mmm.cuh>

#include "groups.cuh"
#include "libraries.hpp"
#include "samples.cuh"

namespace bench {

namespace {

//! The taps of a separable kernel.
struct outer_product {
  float const* down;
  float const* across;
  index width;
  MMM_HOST_DEVICE float operator()(index i) const { return down[i / width] * across[i % width]; }
};

//! A kernel that is an outer product, by 2 (2v + 1) products for a pixel, and as any other one.
template <index V>
void separable_images(session& s, index side) {
  hmm const thirds = s.device.split(3);
  mmm::threads const of_thirds(thirds.dmms() * 256);
  auto const on_thirds = mmm::cuda::on(thirds, of_thirds, s.stream());
  hmm const halves = s.device.split(2);
  mmm::threads const of_halves(halves.dmms() * 256);
  auto const on_halves = mmm::cuda::on(halves, of_halves, s.stream());
  mmm::shape const shape(side, side);
  mmm::radius const kernel(V);
  buffer<float> image(side * side);
  buffer<float> down(kernel.width());
  buffer<float> across(kernel.width());
  buffer<float> taps(kernel.area());
  buffer<float> out(side * side);
  fill(image, scattered{5});
  fill(down, scattered{6});
  fill(across, scattered{7});
  fill(taps, outer_product{down.begin(), across.begin(), kernel.width()});
  auto const right = [&] {
    return none_wrong(wrong_pixel::samples,
                      wrong_pixel{image.begin(), taps.begin(), out.begin(), side, V});
  };
  auto const pixels = static_cast<double>(side * side);
  auto const& separable = mmm::separable_image_convolution<V>;
  auto const& in_registers = mmm::image_convolution_in_registers<V>;
  std::vector<contender> const who{
      {"mmm::separable_image_convolution", "fast", "hmm, 3 blocks",
       [&] {
         separable(on_thirds, image.begin(), shape, down.begin(), across.begin(), out.begin());
       },
       right, modelled(thirds, separable, mmm::size(side), of_thirds)},
      {"mmm::image_convolution_in_registers", "fast", "hmm, 2 blocks",
       [&] { in_registers(on_halves, image.begin(), shape, taps.begin(), out.begin()); }, right,
       modelled(halves, in_registers, mmm::size(side), of_halves)},
      {"NPP, all taps, an image padded before", "other", "-",
       run_of<npp>([&](npp const& filter) { filter.convolve(out.begin()); }, s.stream(),
                   image.begin(), side, taps.begin(), V),
       right}};
  s.compare(
      {"separable image convolution",
       std::to_string(side) + " x " + std::to_string(side) + " floats, v = " + std::to_string(V),
       side, 8.0 * pixels, 4.0 * static_cast<double>(kernel.width()) * pixels,
       [&] { out.poison(); }},
      who);
}

}  // namespace

void image_convolutions(session& s) {
  hmm const gpu = s.device.hmm();
  mmm::threads const p(gpu.dmms() * 1024);
  auto const on = mmm::cuda::on(gpu, p, s.stream());
  hmm const halves = s.device.split(2);
  mmm::threads const fewer(halves.dmms() * 256);  // so that each thread has enough registers
  auto const on_fewer = mmm::cuda::on(halves, fewer, s.stream());
  struct sizes {
    index side;
    index v;
  };
  for (auto const& [side, v] : {sizes{1024, 3}, {8192, 3}, {8192, 4}, {8192, 8}}) {
    mmm::radius const kernel(v);
    mmm::shape const shape(side, side);
    buffer<float> image(side * side);
    buffer<float> taps(kernel.area());
    buffer<float> out(side * side);
    fill(image, scattered{5});
    fill(taps, scattered{6});
    auto const pixels = static_cast<double>(side * side);
    problem const what{
        "image convolution",
        std::to_string(side) + " x " + std::to_string(side) + " floats, v = " + std::to_string(v),
        side,
        8.0 * pixels,
        2.0 * static_cast<double>(kernel.area()) * pixels,
        [&] { out.poison(); }};
    auto const right = [&, side = side, v = v] {
      return none_wrong(wrong_pixel::samples,
                        wrong_pixel{image.begin(), taps.begin(), out.begin(), side, v});
    };
    std::vector<contender> who{
        {"mmm::image_convolution", "literal", "hmm",
         [&] {
           mmm::image_convolution(on, image.begin(), shape, taps.begin(), kernel, out.begin());
         },
         right, modelled(gpu, mmm::image_convolution, mmm::size(side), p, kernel)}};
    auto const in_registers = [&, side = side](auto const& algorithm) {
      who.push_back(
          {"mmm::image_convolution_in_registers", "fast", "hmm, 2 blocks",
           [&, algorithm] { algorithm(on_fewer, image.begin(), shape, taps.begin(), out.begin()); },
           right, modelled(halves, algorithm, mmm::size(side), fewer)});
    };
    if (v == 3) in_registers(mmm::image_convolution_in_registers<3>);
    if (v == 4) in_registers(mmm::image_convolution_in_registers<4>);
    if (v == 8) in_registers(mmm::image_convolution_in_registers<8>);
    auto const by_dnn = [&](dnn const& cudnn) {
      cudnn.convolve(image.begin(), taps.begin(), out.begin());
    };
    who.push_back({"cuDNN", "other", "-",
                   run_of<dnn>(by_dnn, s.stream(), side, side, kernel.width(), kernel.width()),
                   right});
    who.push_back({"NPP, an image padded before", "other", "-",
                   run_of<npp>([&](npp const& filter) { filter.convolve(out.begin()); }, s.stream(),
                               image.begin(), side, taps.begin(), v),
                   right});
    s.compare(what, who);
  }
  separable_images<3>(s, 8192);
  separable_images<8>(s, 8192);
}

}  // namespace bench
