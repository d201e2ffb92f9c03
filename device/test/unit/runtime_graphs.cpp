// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"
#include "runtime_calls.hpp"

using namespace runtime_test;

namespace {

//! A stream, destroyed at the end.
struct own_stream {
  own_stream() { (void)cudaStreamCreate(&s); }
  ~own_stream() { (void)cudaStreamDestroy(s); }
  own_stream(own_stream const&) = delete;
  own_stream& operator=(own_stream const&) = delete;
  cudaStream_t s = nullptr;
};

size nodes_of(cudaGraph_t g) {
  size n = 0;
  REQUIRE(cudaGraphGetNodes(g, nullptr, &n) == cudaSuccess);
  return n;
}

cudaGraphExec_t instantiated(cudaGraph_t g) {
  cudaGraphExec_t e = nullptr;
  REQUIRE(cudaGraphInstantiate(&e, g, 0) == cudaSuccess);
  return e;
}

}  // namespace

TEST_CASE("a captured stream becomes a graph", "[runtime]") {
  own_stream const a, b;
  device_array const x(4);
  cudaEvent_t fork = nullptr, join = nullptr;
  REQUIRE(cudaEventCreateWithFlags(&fork, 2) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&join, 2) == cudaSuccess);
  int seen = 0;
  REQUIRE(cudaStreamBeginCapture(a.s, cudaStreamCaptureModeGlobal) == cudaSuccess);
  REQUIRE(add(x.at(), 1, 2, a.s) == cudaSuccess);
  REQUIRE(cudaEventRecord(fork, a.s) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(b.s, fork, 0) == cudaSuccess);
  REQUIRE(add(x.at() + 2, 5, 2, b.s) == cudaSuccess);
  REQUIRE(cudaMemsetAsync(x.at(), 0, 4, a.s) == cudaSuccess);
  REQUIRE(cudaEventRecord(join, b.s) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(a.s, join, 0) == cudaSuccess);
  REQUIRE(cudaLaunchHostFunc(
              a.s, [](void* data) { *static_cast<int*>(data) += 1; }, &seen) == cudaSuccess);

  cudaStreamCaptureStatus status{};
  unsigned long long number = 0;
  cudaGraphNode_t const* after = nullptr;
  size count = 0;
  cudaGraph_t g = nullptr;
  REQUIRE(cudaStreamGetCaptureInfo(a.s, &status, &number, &g, &after, nullptr, &count) ==
          cudaSuccess);
  REQUIRE((status == cudaStreamCaptureStatusActive && number != 0 && count == 1));
  cudaGraphNodeType type{};
  REQUIRE(cudaGraphNodeGetType(after[0], &type) == cudaSuccess);
  REQUIRE(type == cudaGraphNodeTypeHost);
  REQUIRE(cudaStreamIsCapturing(b.s, &status) == cudaSuccess);
  REQUIRE(status == cudaStreamCaptureStatusActive);
  REQUIRE(cudaStreamEndCapture(b.s, &g) == cudaErrorStreamCaptureUnmatched);
  REQUIRE(cudaStreamEndCapture(a.s, &g) == cudaErrorStreamCaptureInvalidated);
  (void)cudaGetLastError();

  REQUIRE(cudaStreamBeginCapture(a.s, cudaStreamCaptureModeGlobal) == cudaSuccess);
  REQUIRE(add(x.at(), 1, 2, a.s) == cudaSuccess);
  REQUIRE(cudaEventRecord(fork, a.s) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(b.s, fork, 0) == cudaSuccess);
  REQUIRE(add(x.at() + 2, 5, 2, b.s) == cudaSuccess);
  REQUIRE(add(x.at(), 10, 1, a.s) == cudaSuccess);
  REQUIRE(cudaEventRecord(join, b.s) == cudaSuccess);
  REQUIRE(cudaEventQuery(join) == cudaErrorCapturedEvent);
  REQUIRE(cudaStreamEndCapture(a.s, &g) == cudaErrorStreamCaptureInvalidated);
  (void)cudaGetLastError();

  REQUIRE(cudaStreamBeginCapture(a.s, cudaStreamCaptureModeGlobal) == cudaSuccess);
  REQUIRE(add(x.at(), 1, 2, a.s) == cudaSuccess);
  REQUIRE(cudaEventRecord(fork, a.s) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(b.s, fork, 0) == cudaSuccess);
  REQUIRE(add(x.at() + 2, 5, 2, b.s) == cudaSuccess);
  REQUIRE(add(x.at(), 10, 1, a.s) == cudaSuccess);
  REQUIRE(cudaEventRecord(join, b.s) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(a.s, join, 0) == cudaSuccess);
  REQUIRE(cudaLaunchHostFunc(
              a.s, [](void* data) { *static_cast<int*>(data) += 1; }, &seen) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(a.s, &g) == cudaSuccess);
  REQUIRE(nodes_of(g) == 4);
  size edges = 0;
  REQUIRE(cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &edges) == cudaSuccess);
  // the first kernel precedes two kernels, and both precede the host function
  REQUIRE(edges == 4);
  REQUIRE(x.host() == std::vector{0, 0, 0, 0});  // no node has run yet
  REQUIRE(seen == 0);

  cudaGraphExec_t const e = instantiated(g);
  REQUIRE(cudaGraphDestroy(g) == cudaSuccess);
  for (int k = 0; k < 3; ++k) REQUIRE(cudaGraphLaunch(e, a.s) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(a.s) == cudaSuccess);
  REQUIRE(x.host() == std::vector{33, 3, 15, 15});
  REQUIRE(seen == 3);
  REQUIRE(cudaGraphExecDestroy(e) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(e, a.s) == cudaErrorInvalidValue);
  for (cudaEvent_t const v : {fork, join}) REQUIRE(cudaEventDestroy(v) == cudaSuccess);
  (void)cudaGetLastError();
}

TEST_CASE("what ends a capture", "[runtime]") {
  own_stream const a, b;
  device_array const x(4);
  cudaGraph_t g = nullptr;
  void* at = nullptr;
  auto const begin = [&](cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
    REQUIRE(cudaStreamBeginCapture(a.s, mode) == cudaSuccess);
  };
  auto const ends_invalid = [&] {
    return cudaStreamEndCapture(a.s, &g) == cudaErrorStreamCaptureInvalidated;
  };
  REQUIRE(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) ==
          cudaErrorStreamCaptureUnsupported);
  REQUIRE(cudaStreamEndCapture(a.s, &g) == cudaErrorIllegalState);
  begin();
  REQUIRE(cudaStreamBeginCapture(a.s, cudaStreamCaptureModeGlobal) == cudaErrorIllegalState);
  REQUIRE(cudaMalloc(&at, 4) == cudaErrorStreamCaptureUnsupported);
  REQUIRE(ends_invalid());
  begin(cudaStreamCaptureModeRelaxed);
  REQUIRE(cudaMalloc(&at, 4) == cudaSuccess);
  REQUIRE(cudaFree(at) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(a.s, &g) == cudaSuccess);
  REQUIRE(nodes_of(g) == 0);
  REQUIRE(cudaGraphDestroy(g) == cudaSuccess);
  begin();
  REQUIRE(cudaStreamSynchronize(a.s) == cudaErrorStreamCaptureUnsupported);
  REQUIRE(ends_invalid());
  begin();
  REQUIRE(cudaDeviceSynchronize() == cudaErrorStreamCaptureUnsupported);
  REQUIRE(ends_invalid());
  begin();
  // the legacy stream would wait for all other streams
  REQUIRE(add(x.at(), 1, 4) == cudaErrorStreamCaptureImplicit);
  REQUIRE(ends_invalid());
  begin();
  cudaEvent_t e = nullptr;
  REQUIRE(cudaEventCreate(&e) == cudaSuccess);
  REQUIRE(add(x.at(), 1, 4, a.s) == cudaSuccess);
  REQUIRE(cudaEventRecord(e, a.s) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(b.s, e, 0) == cudaSuccess);
  REQUIRE(add(x.at(), 1, 4, b.s) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(a.s, &g) == cudaErrorStreamCaptureUnjoined);
  REQUIRE(cudaEventRecord(e, b.s) == cudaSuccess);  // b is no longer capturing
  begin();
  REQUIRE(cudaStreamWaitEvent(a.s, e, 0) == cudaErrorStreamCaptureIsolation);
  REQUIRE(ends_invalid());
  REQUIRE(cudaEventDestroy(e) == cudaSuccess);
  REQUIRE(x.host() == std::vector{0, 0, 0, 0});
  (void)cudaGetLastError();
}

TEST_CASE("memory of graphs", "[runtime]") {
  own_stream const a;
  cudaGraph_t g = nullptr;
  void *at = nullptr, *kept = nullptr;
  int found[2] = {};
  REQUIRE(cudaStreamBeginCapture(a.s, cudaStreamCaptureModeGlobal) == cudaSuccess);
  REQUIRE(cudaMallocAsync(&at, 100, a.s) == cudaSuccess);
  REQUIRE(cudaMallocAsync(&kept, 200, a.s) == cudaSuccess);
  REQUIRE(cudaMemsetAsync(at, 1, 100, a.s) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(kept, at, 4, cudaMemcpyDeviceToDevice, a.s) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(found, kept, 4, cudaMemcpyDeviceToHost, a.s) == cudaSuccess);
  REQUIRE(cudaFreeAsync(at, a.s) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(a.s, &g) == cudaSuccess);
  REQUIRE(nodes_of(g) == 6);
  auto const used = [] {
    std::uint64_t bytes = 0;
    REQUIRE(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes) ==
            cudaSuccess);
    return bytes;
  };
  std::uint64_t const before = used();
  cudaGraph_t copy = nullptr;
  REQUIRE(cudaGraphClone(&copy, g) == cudaErrorNotSupported);
  cudaGraphExec_t const e = instantiated(g);
  REQUIRE(cudaGraphLaunch(e, a.s) == cudaSuccess);
  REQUIRE(found[0] == 0x01010101);
  REQUIRE(used() - before == 200);
  // memory that the graph allocated has not been freed
  REQUIRE(cudaGraphLaunch(e, a.s) == cudaErrorInvalidValue);
  REQUIRE(cudaFreeAsync(kept, a.s) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(e, a.s) == cudaSuccess);
  REQUIRE(cudaGraphExecDestroy(e) == cudaSuccess);
  REQUIRE(cudaGraphDestroy(g) == cudaSuccess);
  // the memory outlives the graph
  REQUIRE(cudaMemcpy(found + 1, kept, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(found[1] == 0x01010101);
  REQUIRE(cudaFree(kept) == cudaSuccess);
  REQUIRE(cudaFree(kept) == cudaErrorInvalidValue);
  REQUIRE(used() == before);
  (void)cudaGetLastError();
}

TEST_CASE("graphs made of nodes", "[runtime]") {
  own_stream const a;
  device_array const x(4), y(4);
  cudaGraph_t g = nullptr, copy = nullptr, parent = nullptr;
  cudaGraphNode_t fill = nullptr, kernel = nullptr, move = nullptr, end = nullptr, found = nullptr;
  int* to = x.at();
  int number = 6;
  void* arguments[] = {&to, &number};
  cudaKernelNodeParams k{
      const_cast<void*>(program().add_number), {1, 1, 1}, {4, 1, 1}, 0, arguments, nullptr};
  cudaMemsetParams const zero{x.at(), 16, 7, 4, 4, 1};
  REQUIRE(cudaGraphCreate(&g, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddMemcpyNode1D(&move, g, nullptr, 0, y.at(), x.at(), 16,
                                   cudaMemcpyDeviceToDevice) == cudaSuccess);
  REQUIRE(cudaGraphAddKernelNode(&kernel, g, nullptr, 0, &k) == cudaSuccess);
  REQUIRE(cudaGraphAddMemsetNode(&fill, g, nullptr, 0, &zero) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&end, g, &move, 1) == cudaSuccess);
  REQUIRE(cudaGraphAddDependencies(g, &fill, &kernel, nullptr, 1) == cudaSuccess);
  REQUIRE(cudaGraphAddDependencies(g, &kernel, &move, nullptr, 1) == cudaSuccess);
  // an edge that exists already
  REQUIRE(cudaGraphAddDependencies(g, &kernel, &move, nullptr, 1) == cudaErrorInvalidValue);
  number = 600;  // no effect: the node has copied its parameters
  cudaGraphExec_t const e = instantiated(g);
  REQUIRE(cudaGraphLaunch(e, a.s) == cudaSuccess);
  REQUIRE(y.host() == std::vector(4, 13));

  cudaKernelNodeParams back{};
  REQUIRE(cudaGraphKernelNodeGetParams(kernel, &back) == cudaSuccess);
  REQUIRE((back.func == k.func && back.blockDim.x == 4 &&
           *static_cast<int*>(back.kernelParams[1]) == 6));
  number = 100;
  REQUIRE(cudaGraphExecKernelNodeSetParams(e, kernel, &k) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(e, a.s) == cudaSuccess);
  REQUIRE(y.host() == std::vector(4, 107));
  REQUIRE(cudaGraphNodeSetEnabled(e, kernel, 0) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(e, a.s) == cudaSuccess);
  REQUIRE(y.host() == std::vector(4, 7));
  REQUIRE(cudaGraphNodeSetEnabled(e, kernel, 1) == cudaSuccess);

  cudaGraphExecUpdateResultInfo result{};
  REQUIRE(cudaGraphExecUpdate(e, g, &result) == cudaSuccess);  // restores the parameters of graph g
  REQUIRE(result.result == cudaGraphExecUpdateSuccess);
  REQUIRE(cudaGraphLaunch(e, a.s) == cudaSuccess);
  REQUIRE(y.host() == std::vector(4, 13));

  REQUIRE(cudaGraphClone(&copy, g) == cudaSuccess);
  REQUIRE(cudaGraphNodeFindInClone(&found, kernel, copy) == cudaSuccess);
  REQUIRE(found != kernel);
  REQUIRE(cudaGraphAddEmptyNode(&end, copy, &found, 1) == cudaSuccess);
  REQUIRE(cudaGraphExecUpdate(e, copy, &result) == cudaErrorGraphExecUpdateFailure);
  REQUIRE(result.result == cudaGraphExecUpdateErrorTopologyChanged);
  REQUIRE(cudaGraphCreate(&parent, 0) == cudaSuccess);
  cudaGraphNode_t first = nullptr, second = nullptr;
  REQUIRE(cudaGraphAddChildGraphNode(&first, parent, nullptr, 0, copy) == cudaSuccess);
  cudaKernelNodeParams const again{k.func, {1, 1, 1}, {4, 1, 1}, 0, arguments, nullptr};
  REQUIRE(cudaGraphAddKernelNode(&second, parent, &first, 1, &again) == cudaSuccess);
  cudaGraphExec_t const both = instantiated(parent);
  REQUIRE(cudaGraphLaunch(both, a.s) == cudaSuccess);
  REQUIRE(x.host() == std::vector(4, 113));  // 7 + 6 of the child, + 100

  REQUIRE(cudaGraphAddDependencies(parent, &second, &first, nullptr, 1) == cudaSuccess);
  cudaGraphExec_t cyclic = nullptr;
  REQUIRE(cudaGraphInstantiate(&cyclic, parent, 0) == cudaErrorInvalidValue);
  // a node of another graph
  REQUIRE(cudaGraphAddEmptyNode(&end, parent, &kernel, 1) == cudaErrorInvalidValue);
  k.blockDim.x = 2000;
  REQUIRE(cudaGraphAddKernelNode(&end, g, nullptr, 0, &k) == cudaErrorInvalidConfiguration);
  for (cudaGraphExec_t const one : {e, both}) REQUIRE(cudaGraphExecDestroy(one) == cudaSuccess);
  for (cudaGraph_t const one : {g, copy, parent}) REQUIRE(cudaGraphDestroy(one) == cudaSuccess);
  REQUIRE(cudaGraphDestroy(g) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

namespace {

cudaGraphNodeParams conditional(cudaGraphConditionalHandle handle,
                                cudaGraphConditionalNodeType type) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = 1;
  return params;
}

}  // namespace

TEST_CASE("a condition ends with its graph and the copies of its node", "[runtime]") {
  cudaGraph_t g = nullptr, other = nullptr;
  cudaGraphConditionalHandle used = 0, unused = 0;
  REQUIRE(cudaGraphCreate(&g, 0) == cudaSuccess);
  REQUIRE(cudaGraphCreate(&other, 0) == cudaSuccess);
  REQUIRE(cudaGraphConditionalHandleCreate(&used, g, 0, 1) == cudaSuccess);
  REQUIRE(cudaGraphConditionalHandleCreate(&unused, g, 0, 1) == cudaSuccess);
  cudaGraphNode_t node = nullptr;
  cudaGraphNodeParams params = conditional(used, cudaGraphCondTypeIf);
  REQUIRE(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &params) == cudaSuccess);
  cudaGraphExec_t const run = instantiated(g);
  REQUIRE(cudaGraphDestroy(g) == cudaSuccess);
  params = conditional(unused, cudaGraphCondTypeIf);
  REQUIRE(cudaGraphAddNode(&node, other, nullptr, nullptr, 0, &params) == cudaErrorInvalidValue);
  REQUIRE(cudaGraphLaunch(run, nullptr) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(cudaGraphExecDestroy(run) == cudaSuccess);
  REQUIRE(cudaGraphDestroy(other) == cudaSuccess);
}

TEST_CASE("an update keeps the type and the condition of conditional nodes", "[runtime]") {
  cudaGraph_t g = nullptr;
  cudaGraphConditionalHandle goes_on = 0;
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphCreate(&g, 0) == cudaSuccess);
  REQUIRE(cudaGraphConditionalHandleCreate(&goes_on, g, 0, 1) == cudaSuccess);
  cudaGraphNodeParams params = conditional(goes_on, cudaGraphCondTypeIf);
  REQUIRE(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &params) == cudaSuccess);
  cudaGraphExec_t const run = instantiated(g);
  cudaGraphExecUpdateResultInfo result{};
  REQUIRE(cudaGraphExecUpdate(run, g, &result) == cudaSuccess);
  for (auto const type : {cudaGraphCondTypeIf, cudaGraphCondTypeWhile}) {
    cudaGraph_t other = nullptr;
    REQUIRE(cudaGraphCreate(&other, 0) == cudaSuccess);
    cudaGraphConditionalHandle another = 0;
    REQUIRE(cudaGraphConditionalHandleCreate(&another, other, 0, 1) == cudaSuccess);
    params = conditional(another, type);
    REQUIRE(cudaGraphAddNode(&node, other, nullptr, nullptr, 0, &params) == cudaSuccess);
    REQUIRE(cudaGraphExecUpdate(run, other, &result) == cudaErrorGraphExecUpdateFailure);
    REQUIRE(result.result == cudaGraphExecUpdateErrorParametersChanged);
    REQUIRE(cudaGraphDestroy(other) == cudaSuccess);
  }
  REQUIRE(cudaGraphExecDestroy(run) == cudaSuccess);
  REQUIRE(cudaGraphDestroy(g) == cudaSuccess);
  (void)cudaGetLastError();
}

TEST_CASE("a loop of a graph ends by a fault of another device than its stream's", "[runtime]") {
  REQUIRE(cuInit(0) == 0);
  REQUIRE(cuDevicePrimaryCtxReset_v2(2) == 0);  // of other tests' faults
  own_stream const in;
  cudaGraph_t g = nullptr;
  cudaGraphConditionalHandle goes_on = 0;
  REQUIRE(cudaGraphCreate(&g, 0) == cudaSuccess);
  REQUIRE(cudaGraphConditionalHandleCreate(&goes_on, g, 1, 1) == cudaSuccess);
  cudaGraphNode_t node = nullptr;
  cudaGraphNodeParams params = conditional(goes_on, cudaGraphCondTypeWhile);
  REQUIRE(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &params) == cudaSuccess);
  cudaKernelNodeParams fails{};
  fails.func = const_cast<void*>(program().fails);
  fails.gridDim = fails.blockDim = {1, 1, 1};
  REQUIRE(cudaSetDevice(2) == cudaSuccess);
  REQUIRE(cudaGraphAddKernelNode(&node, params.conditional.phGraph_out[0], nullptr, 0, &fails) ==
          cudaSuccess);
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  cudaGraphExec_t const run = instantiated(g);
  REQUIRE(cudaGraphLaunch(run, in.s) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(in.s) == cudaSuccess);
  REQUIRE(cudaSetDevice(2) == cudaErrorIllegalAddress);
  REQUIRE(cuDevicePrimaryCtxReset_v2(2) == 0);
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  (void)cudaGetLastError();
  REQUIRE(cudaGraphExecDestroy(run) == cudaSuccess);
  REQUIRE(cudaGraphDestroy(g) == cudaSuccess);
}
