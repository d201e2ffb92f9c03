// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a kernel that is launched programmatically never waits, as one of llama.cpp (pull requests
// 22522 and 23690); the launches are captured in a graph.
// says: cudaGridDependencySynchronize
#include "ordered.hpp"

__global__ void project(int* hidden) {
  cudaTriggerProgrammaticLaunchCompletion();
  hidden[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

template <bool Waits>
__global__ void transform(int* hidden) {
  if (Waits) cudaGridDependencySynchronize();
  hidden[blockIdx.x * blockDim.x + threadIdx.x] += 1;  // finding: race
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream();
  int* const hidden = make_array();
  cudaGraph_t graph;
  cudaGraphExec_t run;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  project<<<length / 256, 256, 0, s>>>(hidden);
  launch_early(s, bad ? transform<false> : transform<true>, hidden);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&run, graph, 0);
  for (int k = 0; k < 2; ++k) cudaGraphLaunch(run, s);
  bool const right = holds(hidden, 2);
  cudaFree(hidden);
  return status(bad, right);
}
