// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a kernel counts a surface's columns where bytes are asked for, and stores beyond its edge.
#include "chosen.hpp"

__global__ void paint(cudaSurfaceObject_t to, int unit) {
  int const column = static_cast<int>(threadIdx.x);
  surf2Dwrite(column, to, column * unit, 1);  // finding: bounds
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  constexpr int n = 16;
  int host[n] = {};
  cudaArray_t array;
  cudaChannelFormatDesc const channels = cudaCreateChannelDesc<int>();
  cudaMallocArray(&array, &channels, n, 2, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  paint<<<1, n>>>(surface, bad ? 8 : 4);
  cudaMemcpy2DFromArray(host, sizeof host, array, 0, 1, sizeof host, 1, cudaMemcpyDeviceToHost);
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(array);
  return status(bad, host[n - 1] == n - 1);
}
