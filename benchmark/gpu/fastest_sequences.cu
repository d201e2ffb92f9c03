// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmm::fastest as it is called on a GPU of mmm::gpu (preset.cuh).
#include <mmm/mmm.cuh>

#include "cub_call.cuh"
#include "groups.cuh"
#include "libraries.hpp"
#include "preset.cuh"
#include "samples.cuh"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <cstdint>

namespace bench {

namespace {

using gpu = preset;

void sequences(session& s) {
  auto const on = mmm::cuda::on<gpu>(s.stream());
  auto const on_quarters = mmm::cuda::on<mmm::gpu::split<gpu, 4>>(s.stream());
  for (index const n :
       {index{1} << 10, index{1} << 16, index{1} << 20, index{1} << 24, index{1} << 28}) {
    buffer<float> a(n);
    buffer<float> out(n);
    fill(a, small_periodic());
    auto const words = static_cast<double>(n);
    cub_call const reduce([&](void* room, std::size_t& bytes) {
      return cub::DeviceReduce::Sum(room, bytes, a.begin(), out.begin(), n, s.stream());
    });
    cub_call const newer_reduce([&](void* room, std::size_t& bytes) {
      return newer_cub::sum(room, bytes, a.begin(), out.begin(), n, s.stream());
    });
    auto const sum = static_cast<float>(periodic_sum(n));
    s.compare({"fastest: sum", "n = " + number(n) + " floats", n, 4 * words, words,
               [&] { out.poison(); }},
              {{"cub::DeviceReduce::Sum", "other", "-", reduce, [&] { return out.word(0) == sum; }},
               {"cub::DeviceReduce::Sum" + newer_cub::version(), "other", "-", newer_reduce,
                [&] { return out.word(0) == sum; }},
               {"mmm::fastest::sum", "fast", "gpu",
                [&] { mmm::fastest::sum(on, a.begin(), a.end(), out.begin()); },
                [&] { return out.word(0) == sum; }}});
    cub_call const scan([&](void* room, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveSum(room, bytes, a.begin(), out.begin(), n, s.stream());
    });
    cub_call const newer_scan([&](void* room, std::size_t& bytes) {
      return newer_cub::inclusive_sum(room, bytes, a.begin(), out.begin(), n, s.stream());
    });
    auto const summed = [&] { return is_all(out, periodic_sums()); };
    s.compare(
        {"fastest: prefix-sums", "n = " + number(n) + " floats", n, 8 * words, words,
         [&] { out.poison(); }},
        {{"cub::DeviceScan::InclusiveSum", "other", "-", scan, summed},
         {"cub::DeviceScan::InclusiveSum" + newer_cub::version(), "other", "-", newer_scan, summed},
         {"mmm::fastest::prefix_sums", "fast", "gpu, 4 blocks",
          [&] { mmm::fastest::prefix_sums(on_quarters, a.begin(), a.end(), out.begin()); },
          summed}});
  }
}

void least_places(session& s) {
  auto const on = mmm::cuda::on<gpu>(s.stream());
  for (index const n : {index{1} << 20, index{1} << 28}) {
    buffer<float> a(n);
    buffer<float> least(1);
    buffer<std::int64_t> place(1);
    fill(a, scattered{9});
    cub_call const find([&](void* room, std::size_t& bytes) {
      return cub::DeviceReduce::ArgMin(room, bytes, a.begin(), least.begin(), place.begin(),
                                       static_cast<std::int64_t>(n), s.stream());
    });
    find();
    check(cudaStreamSynchronize(s.stream()), "cudaStreamSynchronize", "the least value");
    float const expected = least.word(0);
    index found = -1;
    s.compare({"fastest: argmin, to the host", "n = " + number(n) + " floats", n,
               4.0 * static_cast<double>(n), static_cast<double>(n), [&] { found = -1; }},
              {{"cub::DeviceReduce::ArgMin and a copy", "other", "-",
                [&] {
                  find();
                  std::int64_t there = -1;
                  check(
                      cudaMemcpyAsync(&there, place.begin(), 8, cudaMemcpyDeviceToHost, s.stream()),
                      "cudaMemcpyAsync", "the least value");
                  check(cudaStreamSynchronize(s.stream()), "cudaStreamSynchronize", "a place");
                  found = there;
                },
                [&] { return found >= 0 && a.word(found) == expected; }},
               {"mmm::fastest::argmin", "fast", "gpu",
                [&] {
                  auto const [value, at] = mmm::fastest::argmin(on, a.begin(), a.end());
                  found = value == expected ? static_cast<index>(at) : -1;
                },
                [&] { return found >= 0 && a.word(found) == expected; }}});
  }
}

}  // namespace

void fastest_sequences(session& s) {
  sequences(s);
  least_places(s);
}

}  // namespace bench
