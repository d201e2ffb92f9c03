// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pinned and mapped host memory; copies and fills of two- and three-dimensional parts of arrays.
#include "../checked.cuh"

namespace {

using namespace checked;

__global__ void add(int* a, int n, int x) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) a[i] += x;
}

void check_pinned() {
  constexpr int n = 1000;
  cudaStream_t stream;
  SUCCEED(cudaStreamCreate(&stream));
  int *pinned = nullptr, *mapped = nullptr, *alias = nullptr;
  SUCCEED(cudaMallocHost(&pinned, n * sizeof(int)));
  SUCCEED(cudaHostAlloc(&mapped, n * sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable));
  device_array<int> d(n);
  for (int i = 0; i < n; ++i) pinned[i] = mapped[i] = i;
  SUCCEED(cudaMemcpyAsync(d.data(), pinned, n * sizeof(int), cudaMemcpyHostToDevice, stream));
  add<<<8, 128, 0, stream>>>(d.data(), n, 5);
  SUCCEED(cudaMemcpyAsync(pinned, d.data(), n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  SUCCEED(cudaHostGetDevicePointer(&alias, mapped, 0));
  add<<<8, 128, 0, stream>>>(alias, n, 7);  // the kernel accesses host memory
  SUCCEED(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; ++i) EXPECT_AT(i, pinned[i] == i + 5 && mapped[i] == i + 7);
  unsigned flags = 0;
  SUCCEED(cudaHostGetFlags(&flags, mapped));
  EXPECT((flags & cudaHostAllocMapped) != 0);
  cudaPointerAttributes attributes;
  SUCCEED(cudaPointerGetAttributes(&attributes, pinned));
  EXPECT(attributes.type == cudaMemoryTypeHost);
  SUCCEED(cudaPointerGetAttributes(&attributes, d.data() + 10));
  EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == d.data() + 10);
  SUCCEED(cudaFreeHost(pinned));
  SUCCEED(cudaFreeHost(mapped));

  std::vector<int> own(n, 3);
  SUCCEED(cudaHostRegister(own.data(), n * sizeof(int), cudaHostRegisterMapped));
  SUCCEED(cudaHostGetDevicePointer(&alias, own.data(), 0));
  add<<<8, 128, 0, stream>>>(alias, n, 1);
  SUCCEED(cudaStreamSynchronize(stream));
  SAME(own, std::vector<int>(n, 4));
  SUCCEED(cudaHostUnregister(own.data()));
  SUCCEED(cudaStreamDestroy(stream));
}

__global__ void number(char* first, std::size_t pitch, int width, int height) {
  int const x = static_cast<int>(threadIdx.x), y = static_cast<int>(blockIdx.x);
  if (x < width && y < height)
    reinterpret_cast<int*>(first + static_cast<std::size_t>(y) * pitch)[x] = y * 100 + x;
}

void check_rows() {
  constexpr int width = 50, height = 20;
  constexpr std::size_t bytes = width * sizeof(int);
  char* image = nullptr;
  std::size_t pitch = 0;
  SUCCEED(cudaMallocPitch(&image, &pitch, bytes, height));
  EXPECT(pitch >= bytes && pitch % 32 == 0);
  number<<<height, 64>>>(image, pitch, width, height);
  std::vector<int> host(70 * height, -1);
  SUCCEED(cudaMemcpy2D(host.data() + 3, 70 * sizeof(int), image, pitch, bytes, height,
                       cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < 70; ++x)
      EXPECT_AT(y * 100 + x, host[y * 70 + x] == (x >= 3 && x < 3 + width ? y * 100 + x - 3 : -1));
  SUCCEED(cudaMemset2D(image + 8, pitch, 0x7f, 12, 5));  // three words of five rows
  SUCCEED(cudaMemset2DAsync(image + 10 * pitch, pitch, 0, bytes, 2, nullptr));
  std::vector<int> all(width * height);
  SUCCEED(cudaMemcpy2DAsync(all.data(), bytes, image, pitch, bytes, height, cudaMemcpyDeviceToHost,
                            nullptr));
  SUCCEED(cudaDeviceSynchronize());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int const expected = y < 5 && x >= 2 && x < 5 ? 0x7f7f7f7f
                           : y == 10 || y == 11     ? 0
                                                    : y * 100 + x;
      EXPECT_AT(y * 100 + x, all[y * width + x] == expected);
    }
  SUCCEED(cudaFree(image));
}

void check_boxes() {
  constexpr int x = 10, y = 6, z = 4;
  cudaPitchedPtr box{};
  cudaExtent const extent = make_cudaExtent(x * sizeof(int), y, z);
  SUCCEED(cudaMalloc3D(&box, extent));
  std::vector<int> in(x * y * z), out(x * y * z, -1);
  for (int i = 0; i < x * y * z; ++i) in[i] = i;
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr(in.data(), x * sizeof(int), x, y);
  p.dstPtr = box;
  p.extent = extent;
  p.kind = cudaMemcpyHostToDevice;
  SUCCEED(cudaMemcpy3D(&p));
  SUCCEED(cudaMemset3D(
      cudaPitchedPtr{static_cast<char*>(box.ptr) + box.pitch, box.pitch, box.xsize, box.ysize}, 0,
      make_cudaExtent(8, 2, 2)));  // two words of two rows in two layers
  cudaMemcpy3DParms back{};
  back.srcPtr = box;
  back.srcPos = make_cudaPos(0, 1, 0);  // from the second row on
  back.dstPtr = make_cudaPitchedPtr(out.data(), x * sizeof(int), x, y);
  back.dstPos = make_cudaPos(0, 1, 0);
  back.extent = make_cudaExtent(x * sizeof(int), y - 1, z);
  back.kind = cudaMemcpyDeviceToHost;
  SUCCEED(cudaMemcpy3DAsync(&back, nullptr));
  SUCCEED(cudaDeviceSynchronize());
  for (int i = 0; i < x * y * z; ++i) {
    int const column = i % x, row = i / x % y, layer = i / x / y;
    int const expected = row == 0 ? -1 : row <= 2 && layer < 2 && column < 2 ? 0 : i;
    EXPECT_AT(i, out[i] == expected);
  }
  SUCCEED(cudaFree(box.ptr));
}

}  // namespace

int main() {
  check_pinned();
  check_rows();
  check_boxes();
  return finish(1000 + 1400 + 1000 + 240);
}
