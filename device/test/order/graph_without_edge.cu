// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: two nodes of a graph use one array, without an edge.
// says: an edge between the nodes
// finds: add_one
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int* a = make_array();
  cudaStream_t const s = make_stream();
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  int value = 1;
  void* of_write[] = {&a, &value};
  void* of_add[] = {&a};
  cudaKernelNodeParams params{};
  params.gridDim = length / 256;
  params.blockDim = 256;
  params.func = reinterpret_cast<void*>(write_to);
  params.kernelParams = of_write;
  cudaGraphNode_t first, second;
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &params);
  params.func = reinterpret_cast<void*>(add_one);
  params.kernelParams = of_add;
  cudaGraphAddKernelNode(&second, graph, &first, bad ? 0 : 1, &params);
  cudaGraphExec_t run;
  cudaGraphInstantiate(&run, graph, 0);
  cudaGraphLaunch(run, s);
  cudaGraphLaunch(run, s);
  bool const right = holds(a, 2);
  cudaFree(a);
  return status(bad, right);
}
