// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are compiled at run time, on machines that the program names, each compared with a
// plain loop; errors (jit_kernels.py). With -DQUICK clusters of one size.
#include <mmm/algorithm/convolution/convolution_in_clusters.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/jit/launcher.hpp>

#include "jit_checks.hpp"
#include "own_operator.hpp"

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace jit_checks;

//! A launch on a machine that the caller names.
void named_machine() {
  list const numbers_up_to_ten = numbers(1000);
  array const in(numbers_up_to_ten), out(list{0});
  float const* const values = in.data();
  float* const result = out.data();
  CUstream const stream = nullptr;
  mmm::index const n = 1000;
  // [at_run_time]
  using machine = mmm::hmm<4, 32, 30, 500, 1024>;
  auto const on = mmm::jit::on<machine>(mmm::threads(4 * 128), stream);
  mmm::sum(on, values, values + n, result, mmm::maximum{}, mmm::init(0.0F));
  // [/at_run_time]
  check(out.copied() == list{10}, "the greatest of the values");
}

//! Blocks that wait for each other, and more of them than can run at once.
void cooperative_kernels() {
  using machine = mmm::umm<32, 100>;
  list const values = numbers(5000);
  array const in(values), out(list{0});
  auto const sum = [&](mmm::index blocks) {
    mmm::sum(mmm::jit::on<machine>(mmm::threads(blocks * 256)), in.data(), in.data() + 5000,
             out.data());
  };
  float expected = 0;
  for (float const x : values) expected += x;
  for (mmm::index const blocks : {1, 7, 32}) {
    sum(blocks);
    check(out.copied() == list{expected}, "the sum by blocks that wait for each other");
  }
  demand_error<std::length_error>("blocks that wait for each other: 100000 needed",
                                  [&] { sum(100000); });
}

//! Blocks in clusters, which read each other's shared memory.
template <mmm::index Size>
void clusters(mmm::jit::settings const& given) {
  using machine = mmm::clustered<mmm::hmm<4, 32, 30, 500, 4096>, Size, 200>;
  list const taps = numbers(33, 3), words = numbers(1000 + 32);
  list expected(1000);
  for (std::size_t k = 0; k < expected.size(); ++k)
    for (std::size_t m = 0; m < taps.size(); ++m) expected[k] += taps[m] * words[k + m];
  array const x(taps), y(words), z(list(expected.size(), -1));
  mmm::convolution_in_clusters(mmm::jit::on<machine>(mmm::threads(4 * 64), nullptr, given),
                               x.data(), x.data() + x.size(), y.data(), y.data() + y.size(),
                               z.data(), z.data() + z.size());
  check(z.copied() == expected, "the convolution in clusters");
}
void kernels_with_clusters() {
  mmm::jit::settings given;
  given.source = "#include <mmm/algorithm/convolution/convolution_in_clusters.hpp>\n";
  clusters<2>(given);
#ifndef QUICK
  clusters<1>(given);
  clusters<4>(given);
#endif
}

//! Host threads that compile and launch the same kernel at once.
void threads_at_once() {
  list const values = numbers(5000);
  float expected = 0;
  for (float const x : values) expected += x;
  mmm::jit::settings given;
  given.cache = mmm::jit::disk_cache("");
  std::atomic<int> good = 0;
  std::vector<std::thread> all;
  for (int k = 0; k < 4; ++k)
    all.emplace_back([&] {
      try {
        array const in(values), out(list{0});
        mmm::sum(mmm::jit::on<mmm::hmm<2, 32, 30, 500, 1024>>(mmm::threads(2 * 64), nullptr, given),
                 in.data(), in.data() + 5000, out.data());
        if (out.copied() == list{expected}) ++good;
      } catch (std::exception const& e) {
        check(false, e.what());
      }
    });
  for (std::thread& one : all) one.join();
  check(good == 4, "sums of four host threads");
}

//! An operator of the caller's own, in a header of its own.
void own_operator() {
  mmm::jit::settings given;
  given.source += "#include <own_operator.hpp>\n";
  given.options = {"-I" + std::filesystem::path(__FILE__).parent_path().string()};
  array const in(list{3, -7, 5, 0}), out(list{0});
  mmm::sum(mmm::jit::on<mmm::hmm<2, 32, 30, 500, 1024>>(mmm::threads(2 * 64), nullptr, given),
           in.data(), in.data() + 4, out.data(), own::farther{}, mmm::init(0.0F));
  check(out.copied() == list{-7}, "the number that is farthest from zero");
}

//! GPUs that NVRTC does not know.
void other_gpus() {
  mmm::jit::settings given;
  given.cache = mmm::jit::disk_cache("");
  given.source = "__global__ void nothing() {}\n";
  check(mmm::jit::compile("&nothing", 90, false, given).code.substr(1, 3) == "ELF",
        "machine code for a GPU that NVRTC knows");
  std::string const newer = mmm::jit::compile("&nothing", 9990, false, given).code;
  check(newer.find(".target sm_") != std::string::npos, "PTX for a newer GPU");
  demand_error<mmm::jit::error>(
      "the GPU has compute capability 2.0; accepted by this NVRTC: ",
      [&] { static_cast<void>(mmm::jit::compile("&nothing", 20, false, given)); });
}

void errors() {
  list const values = numbers(100);
  array const in(values), out(list{0});
  using machine = mmm::umm<32, 100>;
  auto const sum = [&](mmm::jit::settings const& given, float const* first, float* result) {
    mmm::sum(mmm::jit::on<machine>(mmm::threads(64), nullptr, given), first, first + 100, result);
  };
  sum({}, in.data(), out.data());  // loaded: other settings compile the kernel once more
  mmm::jit::settings given;
  given.source += "#error of the caller\n";
  demand_error<mmm::jit::error>("#error", [&] { sum(given, in.data(), out.data()); });
  try {
    sum(given, in.data(), out.data());
  } catch (mmm::jit::error const& e) {
    check(e.log().find("of the caller") != std::string::npos, "the log of NVRTC");
  }
  given = {};
  given.headers = "/nowhere";
  demand_error<mmm::jit::error>("/nowhere/mmm/jit/programs.hpp is missing; MMM_INCLUDE_DIR",
                                [&] { sum(given, in.data(), out.data()); });
  demand_error<mmm::jit::error>("needs types with names, not ", [&] {
    mmm::sum(
        mmm::jit::on<machine>(mmm::threads(64)), in.data(), in.data() + 100, out.data(),
        [](float a, float b) { return a < b ? a : b; }, mmm::init(9.0F));
  });
  demand_error<std::invalid_argument>("1 words, is null", [&] { sum({}, in.data(), nullptr); });
  demand_error<std::invalid_argument>("100 words, is the host's",
                                      [&] { sum({}, values.data(), out.data()); });
}

}  // namespace

int main() {
  try {
    named_machine();
    cooperative_kernels();
    kernels_with_clusters();
    threads_at_once();
    own_operator();
    other_gpus();
    errors();
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
  return failed ? 1 : 0;
}
