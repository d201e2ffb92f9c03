// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that wait for the host or for kernels of other streams, and host functions that wait for
// the program.
#include "../checked.cuh"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

__global__ void wait_for(int const volatile* flag, int value, int* out) {
  while (*flag != value) {
  }
  __threadfence_system();
  *out += value;
}

__global__ void set_flag(int volatile* flag, int value) {
  __threadfence_system();
  *flag = value;
}

//! Answers each number of the host with the next one.
__global__ void answer(int volatile* ask, int volatile* said, int rounds) {
  for (int k = 0; k < rounds; ++k) {
    while (*ask != 2 * k + 1) {
    }
    *said = 2 * k + 2;
    __threadfence_system();
  }
}

struct arrays {
  int* flags;
  int* out;
};

arrays make_arrays() {
  arrays a;
  SUCCEED(cudaHostAlloc(&a.flags, 4 * sizeof(int), cudaHostAllocMapped));
  SUCCEED(cudaMalloc(&a.out, sizeof(int)));
  for (int k = 0; k < 4; ++k) a.flags[k] = 0;
  SUCCEED(cudaMemset(a.out, 0, sizeof(int)));
  SUCCEED(cudaDeviceSynchronize());
  return a;
}

int result(arrays const& a) {
  int out = -1;
  SUCCEED(cudaMemcpy(&out, a.out, sizeof out, cudaMemcpyDefault));
  SUCCEED(cudaFree(a.out));
  SUCCEED(cudaFreeHost(a.flags));
  return out;
}

cudaStream_t make_stream() {
  cudaStream_t s;
  SUCCEED(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  return s;
}

void set(int* flag, int value) { *static_cast<int volatile*>(flag) = value; }

void kernel_waits_for_host() {
  arrays const a = make_arrays();
  cudaStream_t const s = make_stream();
  wait_for<<<1, 1, 0, s>>>(a.flags, 3, a.out);
  wait_for<<<1, 1, 0, s>>>(a.flags, 3, a.out);  // behind it
  EXPECT(cudaStreamQuery(s) == cudaErrorNotReady);
  EXPECT(cudaGetLastError() == cudaSuccess);
  set(a.flags, 3);
  SUCCEED(cudaStreamSynchronize(s));
  SUCCEED(cudaStreamDestroy(s));
  EXPECT(result(a) == 6);
}

void kernel_waits_for_kernel() {
  arrays const a = make_arrays();
  cudaStream_t const s = make_stream(), t = make_stream();
  cudaEvent_t waited;
  SUCCEED(cudaEventCreate(&waited));
  wait_for<<<1, 1, 0, s>>>(a.flags, 1, a.out);
  SUCCEED(cudaEventRecord(waited, s));
  set_flag<<<1, 1, 0, t>>>(a.flags, 1);
  SUCCEED(cudaStreamWaitEvent(t, waited));
  wait_for<<<1, 1, 0, t>>>(a.flags, 1, a.out);
  SUCCEED(cudaStreamSynchronize(t));
  SUCCEED(cudaEventQuery(waited));
  EXPECT(result(a) == 2);
}

void host_and_kernel_take_turns() {
  arrays const a = make_arrays();
  constexpr int rounds = 3;
  answer<<<1, 1>>>(a.flags, a.flags + 1, rounds);
  for (int k = 0; k < rounds; ++k) {
    set(a.flags, 2 * k + 1);
    while (static_cast<int volatile*>(a.flags)[1] != 2 * k + 2) std::this_thread::yield();
  }
  SUCCEED(cudaDeviceSynchronize());
  EXPECT(result(a) == 0);
}

void graph_waits_for_host() {
  arrays const a = make_arrays();
  cudaStream_t const s = make_stream();
  cudaGraph_t graph;
  cudaGraphExec_t run;
  SUCCEED(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  wait_for<<<1, 1, 0, s>>>(a.flags, 2, a.out);
  set_flag<<<1, 1, 0, s>>>(a.flags + 1, 7);
  SUCCEED(cudaStreamEndCapture(s, &graph));
  SUCCEED(cudaGraphInstantiate(&run, graph, 0));
  SUCCEED(cudaGraphLaunch(run, s));
  SUCCEED(cudaGraphLaunch(run, s));
  SUCCEED(cudaGraphExecDestroy(run));
  EXPECT(static_cast<int volatile*>(a.flags)[1] == 0);
  set(a.flags, 2);
  SUCCEED(cudaStreamSynchronize(s));
  EXPECT(a.flags[1] == 7);
  EXPECT(result(a) == 4);
}

void thread_sets_flag() {
  arrays const a = make_arrays();
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    set(a.flags, 5);
  });
  wait_for<<<1, 1>>>(a.flags, 5, a.out);
  SUCCEED(cudaDeviceSynchronize());
  other.join();
  EXPECT(result(a) == 5);
}

//! A place where a host function and the program wait for each other.
struct meeting {
  std::mutex lock{};
  std::condition_variable changed{};
  int stage = 0;

  void reach(int n) {
    std::scoped_lock const hold(lock);
    stage = n;
    changed.notify_all();
  }
  void wait(int n) {
    std::unique_lock hold(lock);
    changed.wait(hold, [&] { return stage >= n; });
  }
};

void host_function_waits_for_program() {
  arrays const a = make_arrays();
  meeting m;
  cudaStream_t const s = make_stream();
  auto const function = [](void* data) {
    auto& with = *static_cast<meeting*>(data);
    with.reach(1);
    with.wait(2);
  };
  SUCCEED(cudaLaunchHostFunc(s, function, &m));
  set_flag<<<1, 1, 0, s>>>(a.flags, 1);
  m.wait(1);
  EXPECT(cudaStreamQuery(s) == cudaErrorNotReady);
  EXPECT(static_cast<int volatile*>(a.flags)[0] == 0);
  m.reach(2);
  SUCCEED(cudaStreamSynchronize(s));
  EXPECT(a.flags[0] == 1);
  EXPECT(result(a) == 0);
}

void copies_keep_what_they_read() {
  arrays const a = make_arrays();
  cudaStream_t const s = make_stream();
  wait_for<<<1, 1, 0, s>>>(a.flags, 1, a.out);
  int source = 40;
  SUCCEED(cudaMemcpyAsync(a.out, &source, sizeof source, cudaMemcpyDefault, s));
  source = 0;
  void* memory = nullptr;
  SUCCEED(cudaMallocAsync(&memory, 64, s));
  SUCCEED(cudaMemsetAsync(memory, 0, 64, s));
  SUCCEED(cudaFreeAsync(memory, s));
  set(a.flags, 1);
  SUCCEED(cudaStreamSynchronize(s));
  EXPECT(result(a) == 40);
}

int main() {
  kernel_waits_for_host();
  kernel_waits_for_kernel();
  host_and_kernel_take_turns();
  graph_waits_for_host();
  thread_sets_flag();
  host_function_waits_for_program();
  copies_keep_what_they_read();
  return checked::finish(50);
}
