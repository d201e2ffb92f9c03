// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: two graphs that use one array are launched in two streams.
// finds: add_one
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream(), t = make_stream();
  int* const a = make_array();
  cudaEvent_t const written = make_event();
  cudaGraph_t graph[2];
  cudaGraphExec_t run[2];
  for (int k = 0; k < 2; ++k) {
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    if (k == 0)
      write_to<<<length / 256, 256, 0, s>>>(a, 1);
    else
      add_one<<<length / 256, 256, 0, s>>>(a);
    cudaStreamEndCapture(s, &graph[k]);
    cudaGraphInstantiate(&run[k], graph[k], 0);
  }
  cudaGraphLaunch(run[0], s);
  cudaEventRecord(written, s);
  if (!bad) cudaStreamWaitEvent(t, written);
  cudaGraphLaunch(run[1], t);
  bool const right = holds(a, 2);
  cudaFree(a);
  return status(bad, right);
}
