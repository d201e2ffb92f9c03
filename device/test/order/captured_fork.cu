// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a captured stream is forked before the work that its branch uses.
// finds: add_one
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream(), t = make_stream();
  int* const a = make_array();
  cudaEvent_t const forked = make_event(), joined = make_event();
  cudaGraph_t graph;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  if (bad) cudaEventRecord(forked, s);
  write_to<<<length / 256, 256, 0, s>>>(a, 1);
  if (!bad) cudaEventRecord(forked, s);
  cudaStreamWaitEvent(t, forked);
  add_one<<<length / 256, 256, 0, t>>>(a);
  cudaEventRecord(joined, t);
  cudaStreamWaitEvent(s, joined);
  cudaStreamEndCapture(s, &graph);
  cudaGraphExec_t run;
  cudaGraphInstantiate(&run, graph, 0);
  cudaGraphLaunch(run, s);
  bool const right = holds(a, 2);
  cudaFree(a);
  return status(bad, right);
}
