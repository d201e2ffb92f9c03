// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: two nodes of a graph have no edge; the program has no stream but the default one.
// says: an edge between the nodes
// finds: add_one
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int* a = make_array();
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaMemsetParams fill{};
  fill.dst = a;
  fill.elementSize = sizeof(int);
  fill.width = length;
  fill.height = 1;
  cudaGraphNode_t filled, added;
  cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill);
  void* values[] = {&a};
  cudaKernelNodeParams adds{};
  adds.func = reinterpret_cast<void*>(add_one);
  adds.gridDim = length / 256;
  adds.blockDim = 256;
  adds.kernelParams = values;
  cudaGraphAddKernelNode(&added, graph, bad ? nullptr : &filled, bad ? 0 : 1, &adds);
  cudaGraphExec_t run;
  cudaGraphInstantiate(&run, graph, 0);
  cudaGraphLaunch(run, nullptr);
  bool const right = holds(a, 1);
  cudaFree(a);
  return status(bad, right);
}
