// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditional nodes of graphs (-rdc=true, as nvcc wants for cudaGraphSetConditional).
#include "../checked.cuh"

namespace {

using namespace checked;

__global__ void choose(cudaGraphConditionalHandle condition, int const* value) {
  cudaGraphSetConditional(condition, static_cast<unsigned>(*value));
}
__global__ void add(int* to, int n) { *to += n; }
__global__ void count_down(cudaGraphConditionalHandle condition, int* left) {
  cudaGraphSetConditional(condition, --*left > 0 ? 1u : 0u);
}

cudaGraphNode_t kernel_node(cudaGraph_t graph, cudaGraphNode_t const* after, void* function,
                            std::initializer_list<void*> arguments) {
  std::vector<void*> pointers(arguments);
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = function;
  params.kernel.gridDim = params.kernel.blockDim = dim3(1);
  params.kernel.kernelParams = pointers.data();
  cudaGraphNode_t node;
  SUCCEED(cudaGraphAddNode(&node, graph, after, nullptr, after == nullptr ? 0 : 1, &params));
  return node;
}

struct conditional {
  cudaGraphNode_t node{};
  cudaGraph_t const* bodies = nullptr;
};
conditional condition_node(cudaGraph_t graph, cudaGraphNode_t const* after,
                           cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                           unsigned size) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = size;
  conditional made;
  SUCCEED(cudaGraphAddNode(&made.node, graph, after, nullptr, after == nullptr ? 0 : 1, &params));
  made.bodies = params.conditional.phGraph_out;
  cudaGraphNodeType found;
  SUCCEED(cudaGraphNodeGetType(made.node, &found));
  EXPECT(found == cudaGraphNodeTypeConditional);
  return made;
}

//! choose -> a node with as many bodies, of which body k adds 10^k.
void check_choice(cudaGraphConditionalNodeType type, unsigned size,
                  std::vector<std::pair<int, int>> const& results) {
  device_array<int> value(1), sum(1);
  cudaGraph_t graph;
  cudaGraphConditionalHandle handle;
  SUCCEED(cudaGraphCreate(&graph, 0));
  SUCCEED(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
  int* value_pointer = value.data();
  int* sum_pointer = sum.data();
  auto const first =
      kernel_node(graph, nullptr, reinterpret_cast<void*>(choose), {&handle, &value_pointer});
  auto const made = condition_node(graph, &first, handle, type, size);
  int power = 1;
  for (unsigned k = 0; k < size; ++k, power *= 10)
    kernel_node(made.bodies[k], nullptr, reinterpret_cast<void*>(add), {&sum_pointer, &power});
  cudaGraphExec_t run;
  SUCCEED(cudaGraphInstantiate(&run, graph, 0));
  SUCCEED(cudaGraphDestroy(graph));
  for (auto const& [chosen, expected] : results) {
    value = std::vector<int>{chosen};
    sum.fill_bytes(0);
    SUCCEED(cudaGraphLaunch(run, nullptr));
    WAIT();
    EXPECT_AT(chosen, sum.host()[0] == expected);
  }
  SUCCEED(cudaGraphExecDestroy(run));
}

//! A loop whose body is captured, with a condition in it; run twice, and with each of two defaults.
void check_loop(unsigned at_first) {
  device_array<int> left(1), sum(2);
  cudaGraph_t graph;
  cudaGraphConditionalHandle loop, inner;
  SUCCEED(cudaGraphCreate(&graph, 0));
  SUCCEED(cudaGraphConditionalHandleCreate(&loop, graph, at_first, cudaGraphCondAssignDefault));
  SUCCEED(cudaGraphConditionalHandleCreate(&inner, graph, 1, cudaGraphCondAssignDefault));
  auto const made = condition_node(graph, nullptr, loop, cudaGraphCondTypeWhile, 1);
  cudaStream_t stream;
  SUCCEED(cudaStreamCreate(&stream));
  SUCCEED(cudaStreamBeginCaptureToGraph(stream, made.bodies[0], nullptr, nullptr, 0,
                                        cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(sum.data(), 1);
  count_down<<<1, 1, 0, stream>>>(loop, left.data());
  SUCCEED(cudaStreamEndCapture(stream, nullptr));
  int* sum_pointer = sum.data() + 1;
  int five = 5;
  auto const within = condition_node(made.bodies[0], nullptr, inner, cudaGraphCondTypeIf, 1);
  kernel_node(within.bodies[0], nullptr, reinterpret_cast<void*>(add), {&sum_pointer, &five});
  cudaGraphExec_t run;
  SUCCEED(cudaGraphInstantiate(&run, graph, 0));
  for (int k = 0; k < 2; ++k) {
    left = std::vector<int>{7};
    sum.fill_bytes(0);
    SUCCEED(cudaGraphLaunch(run, stream));
    SUCCEED(cudaStreamSynchronize(stream));
    EXPECT(sum.host()[0] == (at_first == 0 ? 0 : 7));
    EXPECT(sum.host()[1] == (at_first == 0 ? 0 : 35));
  }
  cudaGraph_t copy;
  EXPECT(cudaGraphClone(&copy, graph) == cudaErrorNotSupported);
  SUCCEED(cudaGraphExecDestroy(run));
  SUCCEED(cudaGraphDestroy(graph));
  SUCCEED(cudaStreamDestroy(stream));
}

void check_errors() {
  cudaGraph_t graph;
  cudaGraphConditionalHandle handle;
  SUCCEED(cudaGraphCreate(&graph, 0));
  EXPECT(cudaGraphConditionalHandleCreate(nullptr, graph, 0, 0) == cudaErrorInvalidValue);
  EXPECT(cudaGraphConditionalHandleCreate(&handle, graph, 0, 2) == cudaErrorInvalidValue);
  SUCCEED(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
  cudaGraphNodeParams params{};
  cudaGraphNode_t node;
  params.type = cudaGraphNodeTypeConditional;
  params.conditional = {handle, cudaGraphCondTypeWhile, 2, nullptr};
  EXPECT(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params) == cudaErrorInvalidValue);
  params.conditional = {handle, cudaGraphCondTypeIf, 3, nullptr};
  EXPECT(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params) == cudaErrorInvalidValue);
  params.conditional = {handle + 1000, cudaGraphCondTypeIf, 1, nullptr};
  EXPECT(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params) == cudaErrorInvalidValue);
  auto const made = condition_node(graph, nullptr, handle, cudaGraphCondTypeIf, 1);
  params.conditional = {handle, cudaGraphCondTypeIf, 1, nullptr};  // a handle has one node
  EXPECT(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params) == cudaErrorInvalidValue);
  cudaHostNodeParams host{[](void*) {}, nullptr};  // not in a body
  SUCCEED(cudaGraphAddHostNode(&node, made.bodies[0], nullptr, 0, &host));
  cudaGraphExec_t run;
  EXPECT(cudaGraphInstantiate(&run, graph, 0) == cudaErrorNotSupported);
  (void)cudaGetLastError();
  SUCCEED(cudaGraphDestroy(graph));
}

}  // namespace

int main() {
  check_choice(cudaGraphCondTypeIf, 1, {{0, 0}, {1, 1}, {5, 1}});
  check_choice(cudaGraphCondTypeIf, 2, {{0, 10}, {1, 1}});
  check_choice(cudaGraphCondTypeSwitch, 3, {{0, 1}, {1, 10}, {2, 100}, {3, 0}});
  check_loop(1);
  check_loop(0);
  check_errors();
  return finish(50);
}
