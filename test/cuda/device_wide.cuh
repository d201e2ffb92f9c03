// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "call_forms.cuh"
#include "sort.cuh"
#include "support/affine_map.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

//! Shared by device_wide.cu and device_wide_long.cu.
namespace device_wide {

using checks::affine_map, checks::composition, checks::device_words;
using mmm::index;
using mmm::cuda::check;
using std::size_t;

//! Words that a test sets before each call.
template <class T>
void assign(device_words<T>& to, std::vector<T> const& from) {
  check(cudaMemcpy(to.begin(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice),
        "cudaMemcpy", "a test");
}

template <class Machine>
auto handles(Machine const& machine, index threads) {
  return [=](cudaStream_t stream) { return mmm::cuda::on(machine, mmm::threads(threads), stream); };
}
inline auto const handles_of_forms = [](cudaStream_t stream) { return call_forms::handle(stream); };

//! Demands of `call(on)` that `right()` holds after it, where `reset()` undoes its results: in a
//! stream, when a graph that captured it runs, and with the storage that it asks for.
template <class Handles, class Call>
void called_as_cub(Handles const& handle_in, std::function<void()> const& reset, Call const& call,
                   std::function<bool()> const& right) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream), "cudaStreamCreate", "a test");
  auto const on = handle_in(stream);
  auto const finish = [&] { check(cudaStreamSynchronize(stream), "a stream", "a test"); };
  reset();
  CHECK(!right());
  call(on);
  finish();
  CHECK(right());

  reset();
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture", "a test");
  call(on);
  check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture", "a test");
  CHECK(!right());
  cudaGraphExec_t program = nullptr;
  check(cudaGraphInstantiate(&program, graph, 0), "cudaGraphInstantiate", "a test");
  for (int turn = 0; turn < 2; ++turn) {
    reset();
    check(cudaGraphLaunch(program, stream), "cudaGraphLaunch", "a test");
    finish();
    CHECK(right());
  }
  CHECK(cudaGraphExecDestroy(program) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);

  reset();
  index const bytes = on.storage_bytes(call);
  CHECK(!right());  // nothing has run
  device_words<char> storage(static_cast<size_t>(std::max(bytes, index{256})));
  call(on.with_storage(storage.begin(), bytes));
  finish();
  CHECK(right());
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

using tiles = mmm::hmm<4, 32, 29, 700, 24576>;

}  // namespace device_wide
