// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs captured from streams and graphs built by calls: kernels, copies, fills, host functions;
// launched several times.
#include "../checked.cuh"

namespace {

using namespace checked;

constexpr int n = 500;

__global__ void add(int* a, int const* b, int factor) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) a[i] += factor * b[i];
}
__global__ void set(int* a, int x) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) a[i] = x + i;
}

void count_call(void* p) { ++*static_cast<int*>(p); }

//! Captures two streams that are forked and joined by events.
void check_capture() {
  cudaStream_t one, two;
  cudaEvent_t fork, join;
  SUCCEED(cudaStreamCreate(&one));
  SUCCEED(cudaStreamCreate(&two));
  SUCCEED(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  SUCCEED(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  device_array<int> a(n), b(n), c(n);
  a.fill_bytes(0x11);
  auto const source = random_vector<int>(n, 80, 1000);
  std::vector<int> in = source, out(n);
  int calls = 0;

  cudaGraph_t graph;
  cudaStreamCaptureStatus status;
  SUCCEED(cudaStreamIsCapturing(one, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  SUCCEED(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
  SUCCEED(cudaStreamIsCapturing(one, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  SUCCEED(cudaMemcpyAsync(b.data(), in.data(), n * sizeof(int), cudaMemcpyHostToDevice, one));
  SUCCEED(cudaEventRecord(fork, one));
  SUCCEED(cudaStreamWaitEvent(two, fork, 0));
  set<<<4, 128, 0, two>>>(c.data(), 7);
  SUCCEED(cudaMemsetAsync(a.data(), 0, n * sizeof(int), one));
  add<<<4, 128, 0, one>>>(a.data(), b.data(), 2);
  SUCCEED(cudaEventRecord(join, two));
  SUCCEED(cudaStreamWaitEvent(one, join, 0));
  add<<<4, 128, 0, one>>>(a.data(), c.data(), 1);
  SUCCEED(cudaMemcpyAsync(out.data(), a.data(), n * sizeof(int), cudaMemcpyDeviceToHost, one));
  SUCCEED(cudaLaunchHostFunc(one, count_call, &calls));
  SUCCEED(cudaStreamEndCapture(one, &graph));
  SUCCEED(cudaDeviceSynchronize());
  EXPECT(calls == 0);  // capturing runs nothing
  EXPECT(a.host()[0] == 0x11111111);

  std::size_t nodes = 0;
  SUCCEED(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 7);
  cudaGraphExec_t program;
  SUCCEED(cudaGraphInstantiate(&program, graph, 0));
  SUCCEED(cudaGraphDestroy(graph));
  for (int launch = 1; launch <= 3; ++launch) {
    for (int i = 0; i < n; ++i) in[i] = source[i] + launch;  // the graph reads this when it runs
    SUCCEED(cudaGraphLaunch(program, one));
    SUCCEED(cudaStreamSynchronize(one));
    for (int i = 0; i < n; ++i) EXPECT_AT(i, out[i] == 2 * (source[i] + launch) + 7 + i);
    EXPECT(calls == launch);
  }
  SUCCEED(cudaGraphExecDestroy(program));
  SUCCEED(cudaEventDestroy(fork));
  SUCCEED(cudaEventDestroy(join));
  SUCCEED(cudaStreamDestroy(one));
  SUCCEED(cudaStreamDestroy(two));
}

void check_by_hand() {
  device_array<int> a(n), b(n);
  std::vector<int> out(n);
  int calls = 0;
  cudaGraph_t graph;
  SUCCEED(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t fill, make, sum, back, host, nothing;

  cudaMemsetParams zero{};
  zero.dst = a.data();
  zero.elementSize = 4;
  zero.width = n;
  zero.height = 1;
  zero.value = 5;
  SUCCEED(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero));

  int *pa = a.data(), *pb = b.data(), x = 100, factor = 3;
  void* make_arguments[] = {&pb, &x};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(set);
  kernel.gridDim = dim3(4);
  kernel.blockDim = dim3(128);
  kernel.kernelParams = make_arguments;
  SUCCEED(cudaGraphAddKernelNode(&make, graph, nullptr, 0, &kernel));

  void* sum_arguments[] = {&pa, &pb, &factor};
  cudaKernelNodeParams added = kernel;
  added.func = reinterpret_cast<void*>(add);
  added.kernelParams = sum_arguments;
  cudaGraphNode_t const both[] = {fill, make};
  SUCCEED(cudaGraphAddEmptyNode(&nothing, graph, both, 2));
  SUCCEED(cudaGraphAddKernelNode(&sum, graph, &nothing, 1, &added));
  SUCCEED(cudaGraphAddMemcpyNode1D(&back, graph, &sum, 1, out.data(), a.data(), n * sizeof(int),
                                   cudaMemcpyDeviceToHost));
  cudaHostNodeParams called{};
  called.fn = count_call;
  called.userData = &calls;
  SUCCEED(cudaGraphAddHostNode(&host, graph, &back, 1, &called));

  cudaGraphNodeType type;
  SUCCEED(cudaGraphNodeGetType(back, &type));
  EXPECT(type == cudaGraphNodeTypeMemcpy);
  cudaGraph_t copy;
  SUCCEED(cudaGraphClone(&copy, graph));
  cudaGraphExec_t program;
  SUCCEED(cudaGraphInstantiate(&program, copy, 0));
  SUCCEED(cudaGraphDestroy(copy));
  SUCCEED(cudaGraphUpload(program, nullptr));
  SUCCEED(cudaGraphLaunch(program, nullptr));
  SUCCEED(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) EXPECT_AT(i, out[i] == 5 + 3 * (100 + i));
  EXPECT(calls == 1);
  SUCCEED(cudaGraphExecDestroy(program));

  SUCCEED(cudaGraphInstantiateWithFlags(&program, graph, 0));
  factor = -1;  // the node has copied its arguments; this changes them
  SUCCEED(cudaGraphExecKernelNodeSetParams(program, sum, &added));
  SUCCEED(cudaGraphLaunch(program, nullptr));
  SUCCEED(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) EXPECT_AT(i, out[i] == 5 - (100 + i));
  EXPECT(calls == 2);
  SUCCEED(cudaGraphExecDestroy(program));
  SUCCEED(cudaGraphDestroy(graph));
}

}  // namespace

int main() {
  check_capture();
  check_by_hand();
  return finish(5 * n);
}
