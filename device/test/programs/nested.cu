// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that launch kernels (-rdc=true), in all of device code's streams, with copies, events and
// errors.
#include "../checked.cuh"

namespace {

using namespace checked;

//! Every thread but those of the last generation launches two children.
__global__ void tree(int* count, int depth) {
  atomicAdd(count, 1);
  if (depth > 0) tree<<<2, 1>>>(count, depth - 1);
}

//! The numbers of grids in the order in which they run.
__device__ int order[64];
__device__ int ended;
__global__ void note(int number) { order[atomicAdd(&ended, 1)] = number; }

__global__ void streams(int const* given, int* seen) {
  if (threadIdx.x != 0) return;
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(100);
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(101);
  note<<<1, 1, 0, cudaStreamFireAndForget>>>(50);
  for (int k = 0; k < 4; ++k) note<<<1, 1>>>(k);
  cudaStream_t stream;
  cudaEvent_t event;
  seen[0] = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  seen[1] = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  seen[2] = cudaEventRecord(event, nullptr);  // after the four
  seen[3] = cudaStreamWaitEvent(stream, event, 0);
  note<<<1, 1, 0, stream>>>(4);
  seen[4] = cudaMemcpyAsync(seen + 20, given, 2 * sizeof(int), cudaMemcpyDeviceToDevice, stream);
  seen[5] = cudaMemsetAsync(seen + 22, 1, sizeof(int), stream);
  note<<<1, 1, 0, stream>>>(5);
  seen[6] = cudaEventDestroy(event);
  seen[7] = cudaStreamDestroy(stream);
  seen[8] = cudaStreamDestroy(stream);
  seen[9] = cudaGetLastError();
  seen[10] = cudaGetLastError();
  note<<<1, 0>>>(6);
  seen[11] = cudaPeekAtLastError();
  seen[12] = cudaGetLastError();
  note<<<1, 1, 1 << 20>>>(7);
  seen[13] = cudaGetLastError();
  seen[14] = cudaStreamCreateWithFlags(&stream, cudaStreamDefault);
  int* memory = nullptr;
  seen[15] = cudaMalloc(&memory, 100) == cudaSuccess && memory != nullptr ? cudaFree(memory) : -1;
  seen[16] = cudaDeviceGetAttribute(&seen[17], cudaDevAttrMaxThreadsPerBlock, 0);
  char const* const name = cudaGetErrorName(cudaErrorInvalidValue);
  seen[18] = name[0] == 'c' && name[9] == 'I';
  cudaFuncAttributes attributes;
  seen[19] =
      cudaFuncGetAttributes(&attributes, note) == cudaSuccess ? attributes.maxThreadsPerBlock : -1;
}

//! Counts itself; has no parameters, so that its buffer has no bytes.
__device__ int without_parameters_ran;
__global__ void without_parameters() { atomicAdd(&without_parameters_ran, 1); }

//! Buffers of no bytes are different ones, each for its launch.
__global__ void buffers_without_bytes(int* seen) {
  void* const first = cudaGetParameterBuffer(64, 0);
  void* const second = cudaGetParameterBuffer(64, 0);
  seen[0] = first != nullptr && second != nullptr && first != second;
  auto* const kernel = reinterpret_cast<void*>(&without_parameters);
  seen[1] = cudaLaunchDevice(kernel, first, dim3(1), dim3(1), 0, nullptr);
  seen[2] = cudaLaunchDevice(kernel, second, dim3(1), dim3(1), 0, nullptr);
}

void check_buffers_without_bytes() {
  device_array<int> seen(3);
  buffers_without_bytes<<<1, 1>>>(seen.data());
  WAIT();
  SAME(seen.host(), (std::vector<int>{1, cudaSuccess, cudaSuccess}));
  int ran = 0;
  SUCCEED(cudaMemcpyFromSymbol(&ran, without_parameters_ran, sizeof ran));
  EXPECT(ran == 2);
}

//! Copies a part of a box of bytes, and fills a part of the copy, plane by plane. The second copy
//! reaches beyond a plane, the third names the host.
__global__ void boxes(cudaPitchedPtr from, cudaPitchedPtr to, int* seen) {
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = from;
  copy.srcPos = {1, 2, 1};
  copy.dstPtr = to;
  copy.dstPos = {3, 1, 0};
  copy.extent = {4, 2, 2};
  copy.kind = cudaMemcpyDeviceToDevice;
  seen[0] = cudaMemcpy3DAsync(&copy, nullptr);
  seen[1] = cudaMemset3DAsync(to, 0x1ff, {2, 1, 3}, nullptr);
  copy.extent = {4, 5, 2};
  seen[2] = cudaMemcpy3DAsync(&copy, nullptr);
  copy.extent = {4, 2, 2};
  copy.kind = cudaMemcpyHostToDevice;
  seen[3] = cudaMemcpy3DAsync(&copy, nullptr);
  seen[4] = cudaMemset3DAsync(to, 0, {2, 7, 2}, nullptr);
}

void check_boxes() {
  constexpr int width = 8, height = 5, depth = 3;
  constexpr int pitch_from = 10, pitch_to = 12;
  std::vector<unsigned char> given(pitch_from * height * depth), wanted(pitch_to * height * depth);
  for (std::size_t k = 0; k < given.size(); ++k) given[k] = static_cast<unsigned char>(k);
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 4; ++x)
        wanted[3 + x + pitch_to * (1 + y + height * z)] =
            given[1 + x + pitch_from * (2 + y + height * (1 + z))];
  for (int z = 0; z < 3; ++z)
    for (int x = 0; x < 2; ++x) wanted[x + pitch_to * height * z] = 0xff;
  device_array<unsigned char> from(given);
  device_array<unsigned char> to(wanted.size());
  device_array<int> seen(5);
  to.fill_bytes(0);
  boxes<<<1, 1>>>({from.data(), pitch_from, width, height}, {to.data(), pitch_to, width, height},
                  seen.data());
  WAIT();
  SAME(seen.host(), (std::vector<int>{cudaSuccess, cudaSuccess, cudaErrorInvalidValue,
                                      cudaErrorInvalidMemcpyDirection, cudaErrorInvalidValue}));
  SAME(to.host(), wanted);
}

//! The launches that fail of so many.
__global__ void many(int launches, bool in_tail, int* failures, int* count) {
  for (int k = 0; k < launches; ++k) {
    if (in_tail)
      tree<<<1, 1, 0, cudaStreamTailLaunch>>>(count, 0);
    else
      tree<<<1, 1, 0, cudaStreamFireAndForget>>>(count, 0);
    if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded) ++*failures;
  }
}

//! A loop of launches.
__global__ void again(int* left) {
  if (--*left > 0) again<<<1, 1, 0, cudaStreamTailLaunch>>>(left);
}

__global__ void scale(float* a, int n, float by) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) a[i] *= by;
}
//! Writes an array, and lets a child change it.
__global__ void fill(float* a, int n) {
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x))
    a[i] = static_cast<float>(i);
  __syncthreads();
  if (threadIdx.x == 0) scale<<<(n + 31) / 32, 32>>>(a, n, 2.0f);
}

void check_streams() {
  device_array<int> const given(std::vector<int>{7, 8});
  device_array<int> seen(32);
  seen.fill_bytes(0);
  streams<<<1, 32>>>(given.data(), seen.data());
  WAIT();
  auto const found = seen.host();
  for (int k = 0; k < 8; ++k) EXPECT_AT(k, found[k] == cudaSuccess);
  EXPECT(found[8] == cudaErrorInvalidResourceHandle && found[9] == cudaErrorInvalidResourceHandle);
  EXPECT(found[10] == cudaSuccess);
  EXPECT(found[11] == cudaErrorInvalidConfiguration && found[12] == cudaErrorInvalidConfiguration);
  EXPECT(found[13] == cudaErrorInvalidValue && found[14] == cudaErrorInvalidValue);
  EXPECT(found[15] == cudaSuccess && found[16] == cudaSuccess && found[17] == 1024);
  EXPECT(found[18] == 1 && found[19] == 1024);
  EXPECT(found[20] == 7 && found[21] == 8 && found[22] == 0x01010101);
  int ran[64] = {}, count = 0;
  SUCCEED(cudaMemcpyFromSymbol(ran, order, sizeof ran));
  SUCCEED(cudaMemcpyFromSymbol(&count, ended, sizeof count));
  EXPECT(count == 9);
  EXPECT(ran[7] == 100 && ran[8] == 101);
  std::vector<int> in_streams;
  for (int k = 0; k < 7; ++k)
    if (ran[k] != 50) in_streams.push_back(ran[k]);
  SAME(in_streams, (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

}  // namespace

int main() {
  device_array<int> count(2);
  for (int depth : {0, 1, 6}) {
    count.fill_bytes(0);
    tree<<<1, 1>>>(count.data(), depth);
    EXPECT(count.host()[0] == (2 << depth) - 1);
  }
  check_streams();
  check_buffers_without_bytes();
  check_boxes();

  constexpr std::size_t limit = 64;
  std::size_t found = 0;
  SUCCEED(cudaDeviceGetLimit(&found, cudaLimitDevRuntimePendingLaunchCount));
  EXPECT(found == 2048);
  SUCCEED(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, limit));
  for (bool const in_tail : {false, true}) {
    count.fill_bytes(0);
    many<<<1, 1>>>(200, in_tail, count.data() + 1, count.data());
    WAIT();
    auto const all = count.host();
    EXPECT(all[0] + all[1] == 200);
    EXPECT(all[1] == (in_tail ? 200 - static_cast<int>(limit) : 0));
  }

  count = std::vector<int>{300, 0};
  again<<<1, 1>>>(count.data());
  WAIT();
  EXPECT(count.host()[0] == 0);

  constexpr int n = 100;
  device_array<float> a(n);
  fill<<<1, 64>>>(a.data(), n);
  scale<<<4, 32>>>(a.data(), n, 10.0f);  // when the child of the kernel before is complete
  WAIT();
  auto const scaled = a.host();
  for (int i = 0; i < n; ++i) EXPECT_AT(i, scaled[i] == 20.0f * static_cast<float>(i));
  return finish(150);
}
