// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls as of CUB's functions: small types, operators and initial values, results that
// stay on the device, storage of the caller's, graphs.
#include "call_forms.cuh"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace call_forms_tests {

using checks::device_words;
using mmm::index;
using namespace call_forms;

TEST_CASE("sums of small types are wider") {
  counts_ones<std::int8_t>(1000);
  counts_ones<std::int8_t>(5003);
}

TEST_CASE("exclusive scans, in place and with an initial value") {
  for (index const n : {1, 100, 5000, 20001}) {
    std::vector<int> host(static_cast<std::size_t>(n));
    std::iota(host.begin(), host.end(), 1);
    std::vector<int> expected(host.size());
    std::exclusive_scan(host.begin(), host.end(), expected.begin(), 1000);
    device_words<int> a(host.begin(), host.end());
    mmm::fastest::exclusive_prefix_sums(handle(), a.begin(), a.end(), a.begin(), mmm::init(1000));
    CHECK(a.on_host() == expected);
    device_words<int> b(host.begin(), host.end());
    mmm::exclusive_prefix_sums(mmm::cuda::on<one_memory>(mmm::threads(300)), b.begin(), b.end(),
                               b.begin(), mmm::init(1000));
    CHECK(b.on_host() == expected);
  }
}

TEST_CASE("scans in segments") {
  for (index const n : {0, 1, 100, 5000})
    for (bool const in_place : {false, true})
      checks::kernel_segmented_scan<checks::device_side, float>(handle(), n, in_place);
}

TEST_CASE("the place of the smallest value") {
  for (index const n : {5, 4096, 5003}) {
    std::vector<float> host(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < host.size(); ++k) host[k] = static_cast<float>(k * 7919 % 1009);
    std::size_t const place = host.size() / 3;
    host[place] = -5.0F;
    host.back() = -5.0F;
    device_words<float> const a(host.begin(), host.end());
    auto const found = mmm::fastest::argmin(handle(), a.begin(), a.end());
    CHECK(found.value == -5.0F);
    CHECK(found.place == static_cast<index>(place));
    auto const later = mmm::fastest::argmin(handle(), a.begin() + 1, a.end());
    CHECK(later.place == static_cast<index>(place) - 1);
  }
}

//! Checks that `call` is refused with these words and leaves the device usable.
template <class Call>
void refused(char const* words, Call const& call) {
  CHECK_THROWS_SAYING(call(handle()), std::invalid_argument, words);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("pointers that a kernel cannot use") {
  std::vector<float> host(5000, 1.0F);
  device_words<float> a(host.begin(), host.end());
  float* const nowhere = nullptr;
  float* const of_host = host.data();
  refused("that a kernel reads, 100 words, is null",
          [&](auto const& on) { mmm::fastest::sum(on, nowhere, nowhere + 100, a.begin()); });
  refused("that a kernel writes, 1 words, is null",
          [&](auto const& on) { mmm::fastest::sum(on, a.begin(), a.end(), nowhere); });
  refused("that a kernel reads, 5000 words, is the host's", [&](auto const& on) {
    static_cast<void>(mmm::fastest::sum(on, of_host, of_host + 5000));
  });
  refused("that a kernel writes, 5000 words, is the host's",
          [&](auto const& on) { mmm::fastest::prefix_sums(on, a.begin(), a.end(), of_host); });
  refused("overlaps the input", [&](auto const& on) {
    mmm::fastest::prefix_sums(on, a.begin(), a.end() - 1, a.begin() + 1);
  });
  refused("is -100", [&](auto const& on) {
    static_cast<void>(mmm::fastest::sum(on, a.begin() + 100, a.begin()));
  });
  CHECK(a.on_host() == host);
  CHECK(mmm::fastest::sum(handle(), a.begin(), a.end()) == 5000.0F);
}

TEST_CASE("results that stay on the device") {
  std::vector<float> const ones(5000, 1.0F);
  device_words<float> const a(ones.begin(), ones.end());
  device_words<float> out(4);
  auto const on = handle();
  mmm::fastest::sum(on, a.begin(), a.end(), out.begin());
  mmm::fastest::sum(on, a.begin(), a.end(), out.begin() + 1, mmm::init(7.0F));
  mmm::fastest::sum(on, a.begin(), a.end(), out.begin() + 2, mmm::maximum{}, mmm::init(-7.0F));
  mmm::fastest::sum(on, a.begin(), a.begin(), out.begin() + 3, mmm::init(3.0F));
  CHECK(out.on_host() == std::vector<float>{5000, 5007, 1, 3});
}

TEST_CASE("storage of the caller's") {
  std::vector<float> const ones(20000, 1.0F);
  device_words<float> a(ones.begin(), ones.end());
  device_words<float> out(1);
  auto const on = handle();
  auto const calls = [&](auto const& with) {
    mmm::fastest::sum(with, a.begin(), a.end(), out.begin());
    mmm::fastest::prefix_sums(with, a.begin(), a.end(), a.begin());
  };
  index const bytes = on.storage_bytes(calls);
  CHECK(bytes > 0);
  CHECK(a.on_host() == ones);  // nothing has run
  device_words<char> storage(static_cast<std::size_t>(bytes));
  CHECK_THROWS_SAYING(calls(on.with_storage(storage.begin(), bytes - 1)), std::length_error,
                      "bytes of storage");
  mmm::cuda::check(
      cudaMemcpy(a.begin(), ones.data(), ones.size() * sizeof(float), cudaMemcpyHostToDevice),
      "cudaMemcpy", "a test");
  calls(on.with_storage(storage.begin(), bytes));
  CHECK(out.on_host()[0] == 20000.0F);
  CHECK(a.on_host().back() == 20000.0F);
  CHECK_THROWS_SAYING(on.with_storage(storage.begin() + 1, 4), std::invalid_argument,
                      "multiple of 256");
}

TEST_CASE("calls are captured in a graph") {
  cudaStream_t stream = nullptr;
  mmm::cuda::check(cudaStreamCreate(&stream), "cudaStreamCreate", "a test");
  auto const on = handle(stream);
  std::vector<float> const ones(5000, 1.0F);
  device_words<float> a(ones.begin(), ones.end());
  device_words<float> out(1);
  auto const calls = [&] {
    mmm::fastest::prefix_sums(on, a.begin(), a.end(), a.begin());
    mmm::fastest::sum(on, a.begin(), a.end(), out.begin(), mmm::maximum{}, mmm::init(0.0F));
  };
  cudaGraph_t graph = nullptr;
  mmm::cuda::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal),
                   "cudaStreamBeginCapture", "a test");
  calls();
  mmm::cuda::check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture", "a test");
  CHECK(a.on_host() == ones);
  cudaGraphExec_t program = nullptr;
  mmm::cuda::check(cudaGraphInstantiate(&program, graph, 0), "cudaGraphInstantiate", "a test");
  for (float const last : {5000.0F, 12502500.0F}) {
    mmm::cuda::check(cudaGraphLaunch(program, stream), "cudaGraphLaunch", "a test");
    mmm::cuda::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize", "a test");
    CHECK(out.on_host()[0] == last);
  }
  CHECK(cudaGraphExecDestroy(program) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("triangulations whose weight stays on the device") {
  for (index const n : {3, 4, 40}) {
    auto const weights = checks::random_weights<checks::word>(n, 5);
    device_words<checks::word> const words(weights.begin(), weights.end());
    device_words<checks::word> out(2);
    auto const on = mmm::cuda::on<machine>(mmm::threads(4 * 64));
    mmm::triangulation_blocked(on, words.begin(), n, out.begin());
    mmm::triangulation(mmm::cuda::on<one_memory>(mmm::threads(256)), words.begin(), n,
                       out.begin() + 1);
    auto const least = checks::least_weight(weights, n);
    CHECK(out.on_host() == std::vector<checks::word>{least, least});
    auto const found = mmm::triangulation_blocked(on, words.begin(), n);
    CHECK(found.weight == least);
    CHECK(checks::demand_triangulation(found, weights, n) == least);
  }
}

}  // namespace call_forms_tests
