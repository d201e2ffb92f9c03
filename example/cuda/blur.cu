// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blurs a photograph on the GPU: blur [IMAGE [OUT.png]].
// Exit status 77 without a GPU or without a photograph.
#include <mmm/mmm.cuh>

#include <common/image.hpp>
#include <thrust/copy.h>
#include <thrust/device_vector.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <vector>

namespace {

using mmm::index;

constexpr index radius = 6;

//! The taps of a Gaussian in a square of 2 radius + 1 taps a side; their sum is 1.
std::vector<float> gaussian() {
  std::vector<float> taps;
  float sum = 0;
  for (index y = -radius; y <= radius; ++y)
    for (index x = -radius; x <= radius; ++x) {
      taps.push_back(std::exp(static_cast<float>(-x * x - y * y) / (2 * 3.0F * 3.0F)));
      sum += taps.back();
    }
  for (float& tap : taps) tap /= sum;
  return taps;
}

//! The largest difference from the result of plain loops, in shades of grey.
float largest_error(std::vector<float> const& found, std::vector<float> const& pixels,
                    std::vector<float> const& taps, mmm::shape size) {
  float largest = 0;
  for (index row = 0; row < size.rows; ++row)
    for (index column = 0; column < size.columns; ++column) {
      double sum = 0;
      for (index y = std::max(index{0}, row - radius); y <= std::min(size.rows - 1, row + radius);
           ++y)
        for (index x = std::max(index{0}, column - radius);
             x <= std::min(size.columns - 1, column + radius); ++x)
          sum += static_cast<double>(pixels[static_cast<std::size_t>(y * size.columns + x)]) *
                 static_cast<double>(taps[static_cast<std::size_t>(
                     (y - row + radius) * (2 * radius + 1) + x - column + radius)]);
      float const error = std::abs(found[static_cast<std::size_t>(row * size.columns + column)] -
                                   static_cast<float>(sum));
      largest = std::isnan(error) ? 1000.0F : std::max(largest, error);
    }
  return largest;
}

int blur(std::filesystem::path const& file, std::filesystem::path const& out) {
  auto picture = tool::read_image(file, 1);
  mmm::shape const size(picture.height, picture.width);
  std::vector<float> const pixels(picture.samples.begin(), picture.samples.end());
  std::vector<float> const taps = gaussian();

  using machine = mmm::hmm<128, 32, 29, 700>;
  thrust::device_vector<float> const on_device(pixels.begin(), pixels.end());
  thrust::device_vector<float> const kernel(taps.begin(), taps.end());
  thrust::device_vector<float> blurred(pixels.size());
  mmm::image_convolution(mmm::cuda::on<machine>(mmm::threads(128 * 256)), on_device.begin(), size,
                         kernel.begin(), mmm::radius(radius), blurred.begin());

  std::vector<float> found(pixels.size());
  thrust::copy(blurred.begin(), blurred.end(), found.begin());
  float const error = largest_error(found, pixels, taps, size);
  std::printf(
      "%s, %lld x %lld, blurred by %lld x %lld taps; at most %g of 255 shades from plain loops\n",
      file.string().c_str(), static_cast<long long>(size.columns),
      static_cast<long long>(size.rows), static_cast<long long>(2 * radius + 1),
      static_cast<long long>(2 * radius + 1), static_cast<double>(error));
  if (!(error < 0.01F)) return 1;
  for (std::size_t i = 0; i < found.size(); ++i)
    picture.samples[i] = static_cast<std::uint8_t>(std::lround(std::clamp(found[i], 0.0F, 255.0F)));
  if (!out.empty()) tool::write_png(out, picture);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("no CUDA device: skipped\n");
    return 77;
  }
  std::filesystem::path const file =
      count > 1 ? arguments[1] : "/usr/share/matplotlib/mpl-data/sample_data/grace_hopper.jpg";
  if (count == 1 && !std::filesystem::exists(file)) {
    std::printf("no photograph (Debian's python-matplotlib-data, or an argument): skipped\n");
    return 77;
  }
  try {
    return blur(file, count > 2 ? arguments[2] : "");
  } catch (std::exception const& e) {
    std::fprintf(stderr, "blur: %s\n", e.what());
    return 1;
  }
}
