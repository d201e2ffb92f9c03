// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tests that need a GPU.
// Usage: mmm_gpu_tests [--small] [--list] [--without PART OF A NAME]... [PART OF A NAME]
// Exit status: 0 all checks hold; 1 a check fails; 2 an argument is wrong; 77 there is no CUDA
// device, and nothing was tested.
#include "catch.hpp"
#include "session.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <vector>

namespace {

bool small = false;

}  // namespace

namespace checks {

bool small_only() { return small; }

void tally::note(bool holds, char const* text, char const* file, int line,
                 std::string const& found) {
  ++checks;
  if (holds) return;
  ++failures;
  if (failures > 100) return;  // later failures are counted, not printed
  std::printf("%s:%d: does not hold: %s\n", file, line, text);
  if (!found.empty()) std::printf("    found: %s\n", found.c_str());
  for (std::string const& note : context) std::printf("    with %s\n", note.c_str());
  std::fflush(stdout);
}

}  // namespace checks

int main(int count, char** arguments) {
  char const* part = "";
  std::vector<char const*> without;
  bool list = false;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--small") == 0) {
      small = true;
    } else if (std::strcmp(arguments[i], "--list") == 0) {
      list = true;
    } else if (std::strcmp(arguments[i], "--without") == 0 && i + 1 < count) {
      without.push_back(arguments[++i]);
    } else if (arguments[i][0] == '-') {
      std::fprintf(
          stderr,
          "mmm_gpu_tests: unknown option %s; accepted: --small, --list, --without and part of a "
          "test's name, part of a test's name\n",
          arguments[i]);
      return 2;
    } else {
      part = arguments[i];
    }
  }
  auto& tally = checks::tally::now();
  if (list) {
    for (auto const& test : checks::test_case::all()) std::printf("%s\n", test.name);
    return 0;
  }
  int devices = 0;
  cudaError_t const found = cudaGetDeviceCount(&devices);
  if (found != cudaSuccess || devices == 0) {
    std::printf("no CUDA device: skipped (%s)\n", cudaGetErrorString(found));
    return 77;
  }
  auto const has = [](checks::test_case const& test, char const* words) {
    return std::strstr(test.name, words) != nullptr;
  };
  auto const& tests = checks::test_case::all();
  for (char const* words : without) {
    if (std::any_of(tests.begin(), tests.end(), [&](auto const& test) { return has(test, words); }))
      continue;
    std::fprintf(stderr, "mmm_gpu_tests: no test has \"%s\" in its name\n", words);
    return 2;
  }
  int run = 0;
  for (auto const& test : tests) {
    if (!has(test, part)) continue;
    if (std::any_of(without.begin(), without.end(), [&](auto words) { return has(test, words); }))
      continue;
    ++run;
    auto const begin = std::chrono::steady_clock::now();
    long long const checks_before = tally.checks;
    long long const failures_before = tally.failures;
    try {
      test.run();
    } catch (std::exception const& e) {
      tally.note(false, test.name, __FILE__, __LINE__, std::string("an exception: ") + e.what());
    }
    tally.context.clear();
    cudaError_t const state = cudaDeviceSynchronize();
    if (tally.checks == checks_before)
      tally.note(false, test.name, __FILE__, __LINE__, "a test that checks nothing");
    double const seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("%s  %-52s %8lld checks  %6.2f s\n",
                tally.failures == failures_before ? "ok    " : "FAILED", test.name,
                tally.checks - checks_before, seconds);
    std::fflush(stdout);
    if (state != cudaSuccess) {
      std::printf("the device is lost to this program: %s\n", cudaGetErrorString(state));
      return 1;
    }
  }
  if (run == 0) {
    std::fprintf(stderr, "mmm_gpu_tests: no test has \"%s\" in its name\n", part);
    return 2;
  }
  std::printf("%d tests, %lld checks, %lld failed\n", run, tally.checks, tally.failures);
  return tally.failures == 0 ? 0 : 1;
}
