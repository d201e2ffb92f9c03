// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tables.hpp"

#include <cstring>

namespace device::runtime {

using namespace abi;

namespace {

constexpr unsigned byte_of(int value) { return static_cast<unsigned char>(value); }

std::size_t row_bytes(fill_work const& f) { return f.rows.width * f.rows.elementSize; }

bool is_empty(fill_work const& f) {
  return f.rows.width == 0 || f.rows.height == 0 || f.layers == 0;
}

}  // namespace

fill_work fill_of(void* to, unsigned value, unsigned element, std::size_t pitch, std::size_t width,
                  std::size_t height) {
  fill_work f;
  f.rows = {to, pitch, value, element, width, height};
  return f;
}

fill_work fill_of(cudaPitchedPtr const& box, int value, cudaExtent const& e) {
  fill_work f = fill_of(box.ptr, byte_of(value), 1, box.pitch, e.width, e.height);
  f.layers = e.depth;
  f.layer_bytes = box.pitch * box.ysize;
  require(e.depth <= 1 || e.height <= box.ysize, cudaErrorInvalidValue);
  return f;
}

void check_fill(process& p, fill_work const& f) {
  unsigned const element = f.rows.elementSize;
  require(element == 1 || element == 2 || element == 4, cudaErrorInvalidValue);
  if (is_empty(f)) return;
  bool const aligned =
      address_of(f.rows.dst) % element == 0 && (f.rows.height == 1 || f.rows.pitch % element == 0);
  require(aligned, cudaErrorInvalidValue);
  if (f.rows.height > 1) require(row_bytes(f) <= f.rows.pitch, cudaErrorInvalidValue);
  std::size_t const span =
      (f.layers - 1) * f.layer_bytes + (f.rows.height - 1) * f.rows.pitch + row_bytes(f);
  require(p.memory.holds(address_of(f.rows.dst), span), cudaErrorInvalidValue);
}

void execute_fill(process& p, fill_work const& f) {
  if (is_empty(f)) return;
  std::size_t const bytes = row_bytes(f);
  for (std::size_t z = 0; z < f.layers; ++z)
    for (std::size_t y = 0; y < f.rows.height; ++y) {
      char* const row = static_cast<char*>(f.rows.dst) + z * f.layer_bytes + y * f.rows.pitch;
      if (f.rows.elementSize == 1)
        std::memset(row, static_cast<int>(f.rows.value), bytes);
      else
        for (std::size_t x = 0; x < bytes; x += f.rows.elementSize)
          std::memcpy(row + x, &f.rows.value, f.rows.elementSize);  // its low bytes
      p.host_wrote(row, bytes);
    }
}

MMM_CUDA_API cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  return api(
      [&](process& p) { issue_and_wait(p, fill_of(to, byte_of(value), 1, bytes, bytes, 1)); });
}

MMM_CUDA_API cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t in) {
  return api([&](process& p) { issue(p, in, fill_of(to, byte_of(value), 1, bytes, bytes, 1)); });
}

MMM_CUDA_API cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width,
                                      std::size_t height) {
  return api(
      [&](process& p) { issue_and_wait(p, fill_of(to, byte_of(value), 1, pitch, width, height)); });
}

MMM_CUDA_API cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value,
                                           std::size_t width, std::size_t height, cudaStream_t in) {
  return api(
      [&](process& p) { issue(p, in, fill_of(to, byte_of(value), 1, pitch, width, height)); });
}

MMM_CUDA_API cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return api([&](process& p) { issue_and_wait(p, fill_of(to, value, extent)); });
}

MMM_CUDA_API cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                                           cudaStream_t in) {
  return api([&](process& p) { issue(p, in, fill_of(to, value, extent)); });
}

}  // namespace device::runtime
