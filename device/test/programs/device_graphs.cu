// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs that device code launches (-rdc=true): fire-and-forget and tail launches, a graph that
// launches itself again, and what is refused.
#include "../checked.cuh"

#include <algorithm>
#include <atomic>
#include <thread>

namespace {

using namespace checked;

//! The numbers of kernels in the order in which they run.
__device__ int order[64];
__device__ int ended;
__global__ void note(int number) { order[atomicAdd(&ended, 1)] = number; }

__global__ void note_none() {}

//! The streams that stand for a way to launch, by number.
__device__ cudaStream_t way(int k) {
  return k == 0   ? cudaStreamGraphTailLaunch
         : k == 1 ? cudaStreamGraphFireAndForget
                  : cudaStreamGraphFireAndForgetAsSibling;
}

constexpr int tail = 0, fire_and_forget = 1, sibling = 2;

__global__ void launch_graph(cudaGraphExec_t graph, int how, int* result) {
  *result = cudaGraphLaunch(graph, way(how));
}

__global__ void again(int* left, int* results) {
  if (--*left > 0) {
    results[0] |= cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
    results[1] = cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
  }
}

__global__ void current(cudaGraphExec_t* found) { *found = cudaGetCurrentGraphExec(); }

__global__ void many(cudaGraphExec_t const* graphs, int n, int how, int* launched) {
  for (int k = 0; k < n; ++k) *launched += cudaGraphLaunch(graphs[k], way(how)) == cudaSuccess;
}

//! A graph that `issue(stream)` makes.
template <class Issue>
cudaGraph_t captured(Issue const& issue) {
  cudaStream_t s;
  cudaGraph_t g;
  SUCCEED(cudaStreamCreate(&s));
  SUCCEED(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  issue(s);
  SUCCEED(cudaStreamEndCapture(s, &g));
  SUCCEED(cudaStreamDestroy(s));
  return g;
}

template <class Issue>
cudaGraphExec_t made(unsigned long long flags, Issue const& issue) {
  cudaGraph_t const g = captured(issue);
  cudaGraphExec_t run;
  SUCCEED(cudaGraphInstantiate(&run, g, flags));
  SUCCEED(cudaGraphDestroy(g));
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) SUCCEED(cudaGraphUpload(run, nullptr));
  return run;
}

std::vector<int> noted() {
  int ran[64] = {}, count = 0;
  int const none = 0;
  SUCCEED(cudaMemcpyFromSymbol(ran, order, sizeof ran));
  SUCCEED(cudaMemcpyFromSymbol(&count, ended, sizeof count));
  SUCCEED(cudaMemcpyToSymbol(ended, &none, sizeof none));
  return {ran, ran + count};
}

constexpr auto by_device = cudaGraphInstantiateFlagDeviceLaunch;

//! Tails run when the nodes of the launching graph are done, each with its own tails.
void check_order() {
  device_array<int> results(4);
  results.fill_bytes(1);
  auto const last = made(by_device, [](cudaStream_t s) { note<<<1, 1, 0, s>>>(30); });
  // A tail that launches a tail of its own, which comes before the launching graph's next one.
  auto const inner = made(by_device, [](cudaStream_t s) { note<<<1, 1, 0, s>>>(20); });
  auto const first = made(by_device, [&](cudaStream_t s) {
    note<<<1, 1, 0, s>>>(10);
    launch_graph<<<1, 1, 0, s>>>(inner, tail, results.data() + 2);
    note<<<1, 1, 0, s>>>(11);
  });
  auto const free = made(by_device, [](cudaStream_t s) { note<<<1, 1, 0, s>>>(5); });
  auto const whole = made(0, [&](cudaStream_t s) {
    note<<<1, 1, 0, s>>>(0);
    launch_graph<<<1, 1, 0, s>>>(first, tail, results.data());
    launch_graph<<<1, 1, 0, s>>>(last, tail, results.data() + 1);
    launch_graph<<<1, 1, 0, s>>>(free, fire_and_forget, results.data() + 3);
    note<<<1, 1, 0, s>>>(1);
  });
  for (int run = 0; run < 2; ++run) {
    SUCCEED(cudaGraphLaunch(whole, nullptr));
    note<<<1, 1>>>(40);  // after all of them
    WAIT();
    auto found = noted();
    auto const place = std::find(found.begin(), found.end(), 5);  // any but after a tail
    EXPECT(place != found.end() && std::find(found.begin(), place, 10) == place);
    if (place != found.end()) found.erase(place);
    SAME(found, (std::vector<int>{0, 1, 10, 11, 20, 30, 40}));
    SAME(results.host(), (std::vector<int>{0, 0, 0, 0}));
  }
  for (cudaGraphExec_t const g : {last, inner, first, free, whole})
    SUCCEED(cudaGraphExecDestroy(g));
}

void check_again() {
  device_array<int> left(std::vector<int>{1000}), results(2);
  results.fill_bytes(0);
  auto const loop =
      made(by_device, [&](cudaStream_t s) { again<<<1, 1, 0, s>>>(left.data(), results.data()); });
  SUCCEED(cudaGraphLaunch(loop, nullptr));
  WAIT();
  EXPECT(left.host()[0] == 0);
  // One launch of a graph by itself may be pending.
  SAME(results.host(), (std::vector<int>{cudaSuccess, cudaErrorInvalidValue}));
  SUCCEED(cudaGraphExecDestroy(loop));
}

//! So many launches are pending at most.
void check_limits() {
  constexpr int n = 260;
  std::vector<cudaGraphExec_t> graphs;
  for (int k = 0; k < n; ++k)
    graphs.push_back(made(by_device, [](cudaStream_t s) { note_none<<<1, 1, 0, s>>>(); }));
  device_array<cudaGraphExec_t> const given(graphs);
  device_array<int> launched(1);
  for (auto const& [how, limit] : {std::pair{tail, 255}, {fire_and_forget, 120}, {sibling, 120}}) {
    launched.fill_bytes(0);
    auto const all = made(0, [&, how = how](cudaStream_t s) {
      many<<<1, 1, 0, s>>>(given.data(), n, how, launched.data());
    });
    SUCCEED(cudaGraphLaunch(all, nullptr));
    WAIT();
    EXPECT_AT(how, launched.host()[0] == limit);
    SUCCEED(cudaGraphExecDestroy(all));
  }
  for (cudaGraphExec_t const g : graphs) SUCCEED(cudaGraphExecDestroy(g));
}

void check_refused() {
  device_array<int> result(1);
  device_array<cudaGraphExec_t> found(2);
  auto const plain = made(0, [&](cudaStream_t s) { current<<<1, 1, 0, s>>>(found.data()); });
  auto const own =
      made(by_device, [&](cudaStream_t s) { current<<<1, 1, 0, s>>>(found.data() + 1); });
  for (cudaGraphExec_t const g : {plain, own}) SUCCEED(cudaGraphLaunch(g, nullptr));
  WAIT();
  SAME(found.host(), (std::vector<cudaGraphExec_t>{nullptr, own}));

  launch_graph<<<1, 1>>>(own, tail, result.data());  // not from a graph
  WAIT();
  EXPECT(result.host()[0] == cudaErrorInvalidValue);
  auto const starts = made(0, [&](cudaStream_t s) {
    launch_graph<<<1, 1, 0, s>>>(plain, tail, result.data());  // not made for it
  });
  SUCCEED(cudaGraphLaunch(starts, nullptr));
  WAIT();
  EXPECT(result.host()[0] == cudaErrorInvalidValue);

  cudaGraph_t const host =
      captured([](cudaStream_t s) { SUCCEED(cudaLaunchHostFunc(s, [](void*) {}, nullptr)); });
  cudaGraphExec_t none;
  cudaGraphInstantiateParams how{by_device, nullptr, nullptr, cudaGraphInstantiateSuccess};
  EXPECT(cudaGraphInstantiateWithParams(&none, host, &how) == cudaErrorNotSupported);
  EXPECT(how.result_out == cudaGraphInstantiateNodeOperationNotSupported);
  EXPECT(cudaGraphInstantiate(&none, host, by_device | cudaGraphInstantiateFlagAutoFreeOnLaunch) ==
         cudaErrorInvalidValue);
  (void)cudaGetLastError();
  SUCCEED(cudaGraphDestroy(host));
  for (cudaGraphExec_t const g : {plain, own, starts}) SUCCEED(cudaGraphExecDestroy(g));
}

//! A graph that is destroyed before its nodes run is still the one that they belong to, not the one
//! that is made thereafter, maybe in the same place.
void check_destroyed() {
  device_array<cudaGraphExec_t> found(1);
  found.fill_bytes(1);
  auto const plain = made(0, [&](cudaStream_t s) { current<<<1, 1, 0, s>>>(found.data()); });
  cudaStream_t s;
  SUCCEED(cudaStreamCreate(&s));
  std::atomic<bool> goes_on = false;
  auto const wait = [](void* until) {
    while (!*static_cast<std::atomic<bool>*>(until)) std::this_thread::yield();
  };
  SUCCEED(cudaLaunchHostFunc(s, wait, &goes_on));
  SUCCEED(cudaGraphLaunch(plain, s));
  SUCCEED(cudaGraphExecDestroy(plain));
  auto const later = made(by_device, [](cudaStream_t in) { note_none<<<1, 1, 0, in>>>(); });
  goes_on = true;
  WAIT();
  SAME(found.host(), (std::vector<cudaGraphExec_t>{nullptr}));
  SUCCEED(cudaGraphExecDestroy(later));
  SUCCEED(cudaStreamDestroy(s));
}

}  // namespace

int main() {
  check_order();
  check_again();
  check_limits();
  check_refused();
  check_destroyed();
  return finish(100);
}
