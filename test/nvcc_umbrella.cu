// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The umbrella headers in a CUDA source, used in host and in device code. It must compile without a
// warning and without --expt-relaxed-constexpr.
#include <mmm/fast.hpp>
#include <mmm/gpu.hpp>
#include <mmm/mmm.hpp>

__global__ void padded_column(int* addresses) {
  int const row = static_cast<int>(threadIdx.x);
  addresses[row] = static_cast<int>(mmm::row_major(32, 33)(row, 0));
}

void launch(int* addresses) { padded_column<<<1, 32>>>(addresses); }

static_assert(mmm::stages<mmm::dmm<32, 1>>(mmm::row_major(32, 33)(mmm::item, 0)) == 1);

constexpr auto best = mmm::gpu::choose_layout(
    {32, 32}, {.swizzles = false}, mmm::gpu::tile_access<mmm::gpu::store<4>>(5, mmm::item),
    mmm::gpu::tile_access<mmm::gpu::load<4>>(mmm::item, 5));

__global__ void transposed(float const* in, float* out) {
  constexpr auto swizzled = mmm::swizzled(mmm::row_major(32, 32), mmm::tma_swizzle<128, 4>{});
  constexpr auto chosen = best.layout;
  __shared__ float a[swizzled.words()];
  __shared__ float b[chosen.words()];
  int const row = static_cast<int>(threadIdx.y);
  int const column = static_cast<int>(threadIdx.x);
  a[swizzled(row, column)] = in[row * 32 + column];
  b[chosen(row, column)] = in[row * 32 + column];
  __syncthreads();
  out[row * 32 + column] = a[swizzled(column, row)] + b[chosen(column, row)];
}

void launch(float const* in, float* out) { transposed<<<1, dim3(32, 32)>>>(in, out); }

// An estimate in host code of a program whose expressions name the constants of its tiles.
mmm::index convolution_time(mmm::index n) {
  return mmm::cost_of<mmm::gpu::h100>(mmm::convolution_in_registers, mmm::size(n),
                                      mmm::threads(132 * 256), mmm::taps(3))
      .time;
}
