// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"
#include "runtime_calls.hpp"

#include <device/core/failure.hpp>
#include <device/runtime/gpus.hpp>
#include <device/runtime/settings.hpp>

#include <string_view>

using namespace runtime_test;

TEST_CASE("errors have CUDA's names and texts", "[runtime]") {
  REQUIRE(cudaGetErrorName(cudaErrorIllegalAddress) == std::string_view("cudaErrorIllegalAddress"));
  REQUIRE(cudaGetErrorString(cudaErrorIllegalAddress) ==
          std::string_view("an illegal memory access was encountered"));
  REQUIRE(cudaGetErrorString(cudaSuccess) == std::string_view("no error"));
  REQUIRE(cudaGetErrorString(cudaErrorInvalidConfiguration) ==
          std::string_view("invalid configuration argument"));
  REQUIRE(cudaGetErrorString(static_cast<cudaError_t>(12345)) ==
          std::string_view("unrecognized error code"));
}

TEST_CASE("the last error is that of the last call that failed, once", "[runtime]") {
  (void)cudaGetLastError();
  REQUIRE(cudaMalloc(nullptr, 4) == cudaErrorInvalidValue);
  device_array const a(1);  // a successful call does not change the last error
  REQUIRE(cudaPeekAtLastError() == cudaErrorInvalidValue);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
  REQUIRE(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("what a launch refuses", "[runtime]") {
  auto const launch = [](void const* kernel, dim3 grid, dim3 block, size shared = 0) {
    int* to = nullptr;
    int number = 0;
    void* arguments[] = {&to, &number};
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, nullptr);
  };
  auto const& k = program();
  int not_a_kernel = 0;
  REQUIRE(launch(&not_a_kernel, {1, 1, 1}, {1, 1, 1}) == cudaErrorInvalidDeviceFunction);
  REQUIRE(launch(k.missing, {1, 1, 1}, {1, 1, 1}) == cudaErrorInvalidDeviceFunction);
  REQUIRE(launch(k.bounded, {0, 1, 1}, {1, 1, 1}) == cudaErrorInvalidConfiguration);
  REQUIRE(launch(k.bounded, {1, 65536, 1}, {1, 1, 1}) == cudaErrorInvalidConfiguration);
  REQUIRE(launch(k.bounded, {1, 1, 1}, {1, 0, 1}) == cudaErrorInvalidConfiguration);
  REQUIRE(launch(k.bounded, {1, 1, 1}, {1, 1, 65}) == cudaErrorInvalidConfiguration);
  REQUIRE(launch(k.bounded, {1, 1, 1}, {33, 32, 1}) == cudaErrorInvalidConfiguration);
  REQUIRE(launch(k.bounded, {1, 1, 1}, {65, 1, 1}) == cudaErrorInvalidValue);
  REQUIRE(launch(k.bounded, {1, 1, 1}, {64, 1, 1}) == cudaSuccess);
  REQUIRE(launch(k.bounded, {1, 1, 1}, {1, 1, 1}, 49152) == cudaSuccess);
  REQUIRE(launch(k.bounded, {1, 1, 1}, {1, 1, 1}, 49153) == cudaErrorInvalidValue);
  int* to = nullptr;
  void* one_missing[] = {&to, nullptr};
  REQUIRE(cudaLaunchKernel(k.add_number, {1, 1, 1}, {1, 1, 1}, one_missing, 0, nullptr) ==
          cudaErrorInvalidValue);
  REQUIRE(cudaLaunchKernel(k.bounded, {1, 1, 1}, {1, 1, 1}, nullptr, 0,
                           reinterpret_cast<cudaStream_t>(&to)) == cudaErrorInvalidResourceHandle);
  (void)cudaGetLastError();
}

TEST_CASE("a cooperative grid must fit", "[runtime]") {
  auto const launch = [](unsigned blocks) {
    return cudaLaunchCooperativeKernel(program().bounded, {blocks, 1, 1}, {64, 1, 1}, nullptr, 0,
                                       nullptr);
  };
  // 32 blocks of two warps are resident on each of the 132 multiprocessors
  REQUIRE(launch(132 * 32) == cudaSuccess);
  REQUIRE(launch(132 * 32 + 1) == cudaErrorCooperativeLaunchTooLarge);
  (void)cudaGetLastError();
}

TEST_CASE("a kernel called without a configuration", "[runtime]") {
  dim3 grid{}, block{};
  size shared = 0;
  cudaStream_t stream = nullptr;
  REQUIRE(__cudaPopCallConfiguration(&grid, &block, &shared, &stream) ==
          cudaErrorMissingConfiguration);
  REQUIRE(cudaGetLastError() == cudaErrorMissingConfiguration);
  // in `f<<<a, b>>>(g<<<…>>>)` the inner kernel is launched first
  REQUIRE(__cudaPushCallConfiguration({1, 2, 3}, {4, 5, 6}, 7, nullptr) == 0);
  REQUIRE(__cudaPushCallConfiguration({8, 1, 1}, {9, 1, 1}, 10, nullptr) == 0);
  REQUIRE(__cudaPopCallConfiguration(&grid, &block, &shared, &stream) == cudaSuccess);
  REQUIRE((grid.x == 8 && block.x == 9 && shared == 10));
  REQUIRE(__cudaPopCallConfiguration(&grid, &block, &shared, &stream) == cudaSuccess);
  REQUIRE((grid.x == 1 && grid.z == 3 && block.y == 5 && shared == 7));
}

TEST_CASE("a fault stays with its device", "[runtime]") {
  REQUIRE(cudaSetDevice(2) == cudaSuccess);
  device_array const a(4);
  REQUIRE(cudaLaunchKernel(program().fails, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr) ==
          cudaSuccess);
  REQUIRE(cudaPeekAtLastError() == cudaSuccess);  // no call has waited for the kernel
  REQUIRE(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  void* more = nullptr;
  REQUIRE(cudaMalloc(&more, 4) == cudaErrorIllegalAddress);
  REQUIRE(cudaGetLastError() == cudaErrorIllegalAddress);
  REQUIRE(cudaGetLastError() == cudaErrorIllegalAddress);  // the error remains
  int device = -1;
  REQUIRE(cudaGetDevice(&device) == cudaSuccess);
  REQUIRE(device == 2);
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  device_array const b(4);
  REQUIRE(b.at() != nullptr);
  REQUIRE(add(b.at(), 3, 4) == cudaSuccess);
  REQUIRE(b.host() == std::vector{3, 3, 3, 3});
}

TEST_CASE("settings come from the environment", "[runtime]") {
  using namespace device::runtime;
  auto const with = [](char const* name, char const* value) {
    char const* const before = std::getenv(name);
    struct restore {
      char const* name;
      std::string before;  // empty is as good as none
      ~restore() { setenv(name, before.c_str(), 1); }
    } const at_end{name, before == nullptr ? "" : before};
    setenv(name, value, 1);
    return read_settings();
  };
  settings const plain = read_settings();
  REQUIRE(plain.gpu == "h200");
  REQUIRE(!plain.seed);
  REQUIRE(plain.devices == 3);  // the setting of this program
  REQUIRE(with("MMM_RUN_GPU", "a100").gpu == "a100");
  REQUIRE(with("MMM_RUN_SEED", "18446744073709551615").seed == ~std::uint64_t{0});
  REQUIRE(with("MMM_RUN_SEED", "7").workers() == 1);
  REQUIRE(with("MMM_RUN_MEMORY", "weak").weak_memory);
  settings const some = with("MMM_RUN_CHECK", "race,leak");
  REQUIRE(some.checks_for(device::check_kind::race));
  REQUIRE(some.checks_for(device::check_kind::leak));
  REQUIRE(!some.checks_for(device::check_kind::bounds));
  REQUIRE(some.workers() == 1);
  REQUIRE(with("MMM_RUN_CHECK", "all").checks_for(device::check_kind::deadlock));
  REQUIRE(!with("MMM_RUN_CHECK", "all").checks_for(device::check_kind::shuffle));
  REQUIRE(with("MMM_RUN_CHECK", "all,shuffle").checks_for(device::check_kind::shuffle));
  REQUIRE(!with("MMM_RUN_CHECK", "none").checks_any());
  REQUIRE_THROWS_WITH(with("MMM_RUN_CHECK", "races"),
                      Catch::Matchers::Contains("none, all or a list of bounds, misaligned"));
  REQUIRE_THROWS_AS(with("MMM_RUN_SEED", "-1"), device::unsupported);
  REQUIRE_THROWS_AS(with("MMM_RUN_MEMORY", "strange"), device::unsupported);
  REQUIRE_THROWS_AS(with("MMM_PROCESSOR", "strange"), device::unsupported);
}

TEST_CASE("GPUs that CUDA 13 supports", "[runtime]") {
  using namespace device::runtime;
  REQUIRE(gpu_names() == std::vector<std::string>{"a100", "rtx4090", "h100", "h200", "b200"});
  REQUIRE(gpu_of("rtx4090").blocks_per_multiprocessor() == 24);
  REQUIRE(gpu_of("a100").shared_bytes_per_multiprocessor() == 164 * 1024);
  REQUIRE_THROWS_WITH(gpu_of("v100"), Catch::Matchers::Contains("a100, rtx4090, h100, h200, b200"));
}
