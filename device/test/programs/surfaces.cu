// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays and surfaces: copies to and from arrays of all shapes, in streams and graphs; loads and
// stores of all sizes, beyond the edges with each mode; formatted stores and reductions; textures
// that read what surfaces wrote.
#include "../checked.cuh"

#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

using namespace checked;

cudaSurfaceObject_t surface_of(cudaArray_t a) {
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaSurfaceObject_t made = 0;
  SUCCEED(cudaCreateSurfaceObject(&made, &r));
  return made;
}

template <class T>
cudaArray_t array_of(std::size_t width, std::size_t height, std::size_t depth, unsigned flags) {
  cudaArray_t made{};
  auto const channels = cudaCreateChannelDesc<T>();
  SUCCEED(cudaMalloc3DArray(&made, &channels, make_cudaExtent(width, height, depth),
                            flags | cudaArraySurfaceLoadStore));
  return made;
}

void write_rows(cudaArray_t to, void const* rows, std::size_t bytes, std::size_t count) {
  SUCCEED(cudaMemcpy2DToArray(to, 0, 0, rows, bytes, bytes, count, cudaMemcpyHostToDevice));
}
void read_rows(void* rows, cudaArray_t from, std::size_t bytes, std::size_t count) {
  SUCCEED(cudaMemcpy2DFromArray(rows, bytes, from, 0, 0, bytes, count, cudaMemcpyDeviceToHost));
}

// --- loads and stores ----------------------------------------------------------------------------

//! Stores number(x, y, z) everywhere, then loads it back from places up to 2 beyond the edges.
template <class T>
__device__ T number(int x, int y, int z) {
  T value{};
  unsigned const bits = static_cast<unsigned>(1 + x + 20 * y + 300 * z) * 2654435761U;
  for (unsigned k = 0; k < sizeof(T); ++k)
    reinterpret_cast<unsigned char*>(&value)[k] = static_cast<unsigned char>((bits >> 8) + 7 * k);
  return value;
}

template <class T, int Shape>
__global__ void store_all(cudaSurfaceObject_t s, int width, int height, int depth) {
  constexpr int size = sizeof(T);
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y)
      for (int x = static_cast<int>(threadIdx.x); x < width; x += static_cast<int>(blockDim.x)) {
        T const v = number<T>(x, y, z);
        if constexpr (Shape == 1) surf1Dwrite(v, s, x * size);
        if constexpr (Shape == 2) surf2Dwrite(v, s, x * size, y);
        if constexpr (Shape == 3) surf3Dwrite(v, s, x * size, y, z);
        if constexpr (Shape == 4) surf1DLayeredwrite(v, s, x * size, z);
        if constexpr (Shape == 5) surf2DLayeredwrite(v, s, x * size, y, z);
        if constexpr (Shape == 6) surfCubemapwrite(v, s, x * size, y, z);
      }
}

template <class T, int Shape, cudaSurfaceBoundaryMode Mode>
__global__ void load_around(cudaSurfaceObject_t s, int width, int height, int depth, int* wrong) {
  constexpr int size = sizeof(T);
  auto const within = [](int n, int most) { return min(max(n, 0), most - 1); };
  for (int z = -2; z < depth + 2; ++z)
    for (int y = -2; y < height + 2; ++y)
      for (int x = -2; x < width + 2; ++x) {
        T v{};
        if constexpr (Shape == 1) v = surf1Dread<T>(s, x * size, Mode);
        if constexpr (Shape == 2) v = surf2Dread<T>(s, x * size, y, Mode);
        if constexpr (Shape == 3) v = surf3Dread<T>(s, x * size, y, z, Mode);
        if constexpr (Shape == 4) v = surf1DLayeredread<T>(s, x * size, z, Mode);
        if constexpr (Shape == 5) v = surf2DLayeredread<T>(s, x * size, y, z, Mode);
        if constexpr (Shape == 6) v = surfCubemapread<T>(s, x * size, y, z, Mode);
        int const j = Shape == 1 || Shape == 4 ? 0 : y;
        int const l = Shape < 3 ? 0 : z;
        bool const inside = x >= 0 && x < width && j >= 0 && j < height && l >= 0 && l < depth;
        T expected{};
        if (inside || Mode == cudaBoundaryModeClamp)
          expected = number<T>(within(x, width), within(j, height), within(l, depth));
        for (int k = 0; k < size; ++k)
          if (reinterpret_cast<char*>(&v)[k] != reinterpret_cast<char*>(&expected)[k])
            atomicAdd(wrong, 1);
      }
}

template <class T, int Shape>
void check_surface(std::size_t width, std::size_t height, std::size_t depth, unsigned flags) {
  cudaArray_t const a = array_of<T>(width, height, depth, flags);
  cudaSurfaceObject_t const s = surface_of(a);
  int const w = static_cast<int>(width);
  int const h = static_cast<int>(std::max<std::size_t>(height, 1));
  int const d = static_cast<int>(std::max<std::size_t>(depth, 1));
  device_array<int> wrong(std::vector<int>(1, 0));
  store_all<T, Shape><<<1, 64>>>(s, w, h, d);
  load_around<T, Shape, cudaBoundaryModeClamp><<<1, 1>>>(s, w, h, d, wrong.data());
  load_around<T, Shape, cudaBoundaryModeZero><<<1, 1>>>(s, w, h, d, wrong.data());
  WAIT();
  EXPECT(wrong.host()[0] == 0);
  SUCCEED(cudaDestroySurfaceObject(s));
  SUCCEED(cudaFreeArray(a));
}

template <class T>
void check_type() {
  check_surface<T, 1>(7, 0, 0, 0);
  check_surface<T, 2>(5, 4, 0, 0);
  check_surface<T, 3>(4, 3, 2, 0);
  check_surface<T, 4>(6, 0, 3, cudaArrayLayered);
  check_surface<T, 5>(3, 2, 4, cudaArrayLayered);
  check_surface<T, 6>(3, 3, 6, cudaArrayCubemap);
}

__global__ void store_outside(cudaSurfaceObject_t s) {
  surf2Dwrite(7, s, -4, 0, cudaBoundaryModeZero);
  surf2Dwrite(7, s, 0, 9, cudaBoundaryModeZero);
  surf2Dwrite(8, s, 400, -3, cudaBoundaryModeClamp);
}

void outside() {
  cudaArray_t const a = array_of<int>(3, 2, 0, 0);
  cudaSurfaceObject_t const s = surface_of(a);
  std::vector<int> const zeros(6);
  write_rows(a, zeros.data(), 12, 2);
  store_outside<<<1, 1>>>(s);
  WAIT();
  std::vector<int> found(6);
  read_rows(found.data(), a, 12, 2);
  EXPECT(found == std::vector<int>{0, 0, 8, 0, 0, 0});
  SUCCEED(cudaDestroySurfaceObject(s));
  SUCCEED(cudaFreeArray(a));
}

// --- formatted stores, reductions ----------------------------------------------------------------

__global__ void formatted(cudaSurfaceObject_t bytes, cudaSurfaceObject_t halves,
                          cudaSurfaceObject_t sums) {
  if (threadIdx.x == 0) {
    asm volatile("sust.p.2d.v4.b32.trap [%0, {%1, %2}], {%3, %4, %5, %6};" ::"l"(bytes), "r"(1),
                 "r"(1), "r"(3), "r"(300), "r"(255), "r"(0));
    asm volatile("sust.p.1d.b32.zero [%0, {%1}], {%2};" ::"l"(halves), "r"(2), "f"(0.1F));
  }
  int const byte = static_cast<int>(threadIdx.x % 3) * 4;
  asm volatile("sured.b.add.2d.u32.trap [%0, {%1, %2}], %3;" ::"l"(sums), "r"(byte), "r"(0),
               "r"(threadIdx.x));
  asm volatile("sured.b.min.2d.s32.zero [%0, {%1, %2}], %3;" ::"l"(sums), "r"(byte), "r"(1),
               "r"(-static_cast<int>(threadIdx.x)));
  asm volatile("sured.b.or.2d.b32.clamp [%0, {%1, %2}], %3;" ::"l"(sums), "r"(byte), "r"(9),
               "r"(1 << (threadIdx.x % 32)));
  unsigned width, height, depth;
  asm volatile("suq.width.b32 %0, [%1];" : "=r"(width) : "l"(sums));
  asm volatile("suq.height.b32 %0, [%1];" : "=r"(height) : "l"(sums));
  asm volatile("suq.depth.b32 %0, [%1];" : "=r"(depth) : "l"(sums));
  if (width != 3 || height != 3 || depth != 0) __trap();
}

void formats() {
  cudaArray_t const bytes = array_of<uchar4>(2, 2, 0, 0);
  cudaArray_t halves{};
  auto const channels = cudaCreateChannelDescHalf();
  SUCCEED(cudaMallocArray(&halves, &channels, 3, 0, cudaArraySurfaceLoadStore));
  cudaArray_t const sums = array_of<unsigned>(3, 3, 0, 0);
  std::vector<unsigned> const zeros(9);
  write_rows(sums, zeros.data(), 12, 3);
  write_rows(halves, zeros.data(), 6, 1);
  write_rows(bytes, zeros.data(), 8, 2);
  cudaSurfaceObject_t const s[] = {surface_of(bytes), surface_of(halves), surface_of(sums)};
  formatted<<<1, 64>>>(s[0], s[1], s[2]);
  WAIT();
  std::vector<unsigned char> b(16);
  read_rows(b.data(), bytes, 8, 2);
  EXPECT(b[12] == 3 && b[13] == 255 && b[14] == 255 && b[15] == 0 && b[11] == 0);
  std::vector<unsigned short> h(3);
  read_rows(h.data(), halves, 6, 1);
  EXPECT(h[0] == 0 && h[1] == 0 && h[2] == 0x2e66);
  std::vector<unsigned> found(9);
  read_rows(found.data(), sums, 12, 3);
  unsigned expected[9] = {};
  for (unsigned t = 0; t < 64; ++t) {
    expected[t % 3] += t;
    unsigned const least = static_cast<unsigned>(
        std::min(static_cast<int>(expected[3 + t % 3]), -static_cast<int>(t)));
    expected[3 + t % 3] = least;
    expected[6 + t % 3] |= 1U << (t % 32);
  }
  for (std::size_t k = 0; k < 9; ++k) EXPECT_AT(k, found[k] == expected[k]);
  for (cudaSurfaceObject_t const one : s) SUCCEED(cudaDestroySurfaceObject(one));
  for (cudaArray_t const one : {bytes, halves, sums}) SUCCEED(cudaFreeArray(one));
}

// --- copies --------------------------------------------------------------------------------------

void copies() {
  constexpr std::size_t width = 6, height = 5, depth = 4;
  std::vector<int> numbers(width * height * depth);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<int>(k);
  cudaArray_t const volume = array_of<int>(width, height, depth, 0);
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr(numbers.data(), width * 4, width, height);
  p.dstArray = volume;
  p.extent = make_cudaExtent(width, height, depth);
  p.kind = cudaMemcpyHostToDevice;
  cudaStream_t stream{};
  SUCCEED(cudaStreamCreate(&stream));
  SUCCEED(cudaMemcpy3DAsync(&p, stream));
  // A box of 3 x 2 x 2 texels from (2, 1, 1) on to (1, 0, 0) of another array, by a graph.
  cudaArray_t const other = array_of<int>(width, height, depth, 0);
  std::vector<int> minus(numbers.size(), -1);
  cudaMemcpy3DParms q = p;
  q.srcPtr.ptr = minus.data();
  q.dstArray = other;
  SUCCEED(cudaMemcpy3D(&q));
  cudaMemcpy3DParms box{};
  box.srcArray = volume;
  box.srcPos = make_cudaPos(2, 1, 1);
  box.dstArray = other;
  box.dstPos = make_cudaPos(1, 0, 0);
  box.extent = make_cudaExtent(3, 2, 2);
  box.kind = cudaMemcpyDeviceToDevice;
  SUCCEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SUCCEED(cudaMemcpy3DAsync(&box, stream));
  cudaGraph_t graph{};
  SUCCEED(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t node{};
  std::size_t count = 1;
  SUCCEED(cudaGraphGetNodes(graph, &node, &count));
  cudaMemcpy3DParms kept{};
  SUCCEED(cudaGraphMemcpyNodeGetParams(node, &kept));
  EXPECT(kept.srcArray == volume && kept.dstArray == other && kept.srcPos.x == 2);
  cudaGraphExec_t run{};
  SUCCEED(cudaGraphInstantiate(&run, graph, 0));
  SUCCEED(cudaGraphLaunch(run, stream));
  SUCCEED(cudaStreamSynchronize(stream));
  // Back into pitched memory, from a byte in a row on.
  std::vector<int> back(8 * height * depth, -2);
  cudaMemcpy3DParms r{};
  r.srcArray = other;
  r.dstPtr = make_cudaPitchedPtr(back.data(), 32, 32, height);
  r.dstPos = make_cudaPos(8, 0, 0);
  r.extent = make_cudaExtent(width, height, depth);
  r.kind = cudaMemcpyDeviceToHost;
  SUCCEED(cudaMemcpy3D(&r));
  for (std::size_t z = 0; z < depth; ++z)
    for (std::size_t y = 0; y < height; ++y)
      for (std::size_t x = 0; x < 8; ++x) {
        int expected = x < 2 ? -2 : -1;
        if (x >= 3 && x < 6 && y < 2 && z < 2)
          expected = numbers[((z + 1) * height + y + 1) * width + x - 3 + 2];
        EXPECT_AT((z * height + y) * 8 + x, back[(z * height + y) * 8 + x] == expected);
      }
  box.srcPos.x = 4;  // 3 texels from the fourth on are one too many
  EXPECT(cudaMemcpy3D(&box) == cudaErrorInvalidValue);
  (void)cudaGetLastError();

  // Rows: 2D functions, whose offsets and widths are bytes.
  cudaArray_t const plane = array_of<int>(width, height, 0, 0);
  SUCCEED(cudaMemcpy2DToArrayAsync(plane, 0, 0, numbers.data(), 24, 24, height,
                                   cudaMemcpyHostToDevice, stream));
  SUCCEED(cudaMemcpy2DToArray(plane, 8, 1, minus.data(), 16, 8, 3, cudaMemcpyHostToDevice));
  cudaArray_t const second = array_of<int>(width, height, 0, 0);
  SUCCEED(cudaMemcpy2DArrayToArray(second, 0, 0, plane, 0, 0, 24, height));
  SUCCEED(cudaMemcpy2DArrayToArray(second, 4, 4, plane, 8, 1, 8, 1));
  std::vector<int> rows(5 * height);
  SUCCEED(cudaMemcpy2DFromArray(rows.data(), 20, second, 4, 0, 20, height, cudaMemcpyDeviceToHost));
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 1; x < width; ++x) {
      bool const replaced = (x >= 2 && x < 4 && y >= 1 && y < 4) || (y == 4 && x < 3);
      EXPECT_AT(y * width + x,
                rows[y * 5 + x - 1] == (replaced ? -1 : static_cast<int>(y * width + x)));
    }
  EXPECT(cudaMemcpy2DToArray(plane, 4, 0, numbers.data(), 24, 24, 1, cudaMemcpyHostToDevice) ==
         cudaErrorInvalidValue);
  EXPECT(cudaMemcpy2DToArray(plane, 2, 0, numbers.data(), 24, 4, 1, cudaMemcpyHostToDevice) ==
         cudaErrorInvalidValue);
  (void)cudaGetLastError();
  // Bytes that go on in the next rows, by functions that CUDA advises against.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  device_array<int> in(numbers);
  SUCCEED(cudaMemcpyToArrayAsync(plane, 16, 1, in.data(), 40, cudaMemcpyDeviceToDevice, stream));
  std::vector<int> some(10);
  SUCCEED(cudaMemcpyFromArrayAsync(some.data(), plane, 16, 1, 40, cudaMemcpyDeviceToHost, stream));
#pragma GCC diagnostic pop
  SUCCEED(cudaStreamSynchronize(stream));
  for (int k = 0; k < 10; ++k) EXPECT_AT(k, some[static_cast<std::size_t>(k)] == k);
  SUCCEED(cudaGraphExecDestroy(run));
  SUCCEED(cudaGraphDestroy(graph));
  SUCCEED(cudaStreamDestroy(stream));
  for (cudaArray_t const one : {volume, other, plane, second}) SUCCEED(cudaFreeArray(one));
}

// --- a texture of a surface ----------------------------------------------------------------------

__global__ void paint(cudaSurfaceObject_t s, int width) {
  int const x = static_cast<int>(threadIdx.x);
  int const y = static_cast<int>(blockIdx.x);
  if (x < width) surf2Dwrite(static_cast<float>(x * y), s, x * 4, y);
}
__global__ void sum(cudaTextureObject_t t, int width, float* out) {
  int const x = static_cast<int>(threadIdx.x);
  if (x < width)
    out[blockIdx.x * blockDim.x + threadIdx.x] = tex2D<float>(t, x + 0.5F, blockIdx.x + 0.5F);
}

void painted() {
  constexpr int width = 40, height = 9;
  cudaArray_t const a = array_of<float>(width, height, 0, 0);
  cudaSurfaceObject_t const s = surface_of(a);
  cudaResourceDesc r{};
  SUCCEED(cudaGetSurfaceObjectResourceDesc(&r, s));
  cudaTextureDesc t{};
  for (auto& mode : t.addressMode) mode = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  SUCCEED(cudaCreateTextureObject(&texture, &r, &t, nullptr));
  device_array<float> out(64 * height);
  paint<<<height, 64>>>(s, width);
  sum<<<height, 64>>>(texture, width, out.data());
  WAIT();
  std::vector<float> const found = out.host(64 * (height - 1) + width);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      EXPECT(found[static_cast<std::size_t>(64 * y + x)] == static_cast<float>(x * y));
  SUCCEED(cudaDestroyTextureObject(texture));
  SUCCEED(cudaDestroySurfaceObject(s));
  SUCCEED(cudaFreeArray(a));
}

}  // namespace

int main() {
  check_type<unsigned char>();
  check_type<short>();
  check_type<uchar4>();
  check_type<float>();
  check_type<int2>();
  check_type<float4>();
  check_type<ushort4>();
  outside();
  formats();
  copies();
  painted();
  return finish(500);
}
