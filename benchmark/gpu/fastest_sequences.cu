// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmm::fastest as it is called on a GPU of mmm::gpu (preset.cuh).
#include <mmm/mmm.cuh>

#include "groups.cuh"
#include "preset.cuh"
#include "samples.cuh"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <cstdint>

namespace bench {

namespace {

using gpu = preset;

//! Memory that a function of CUB asks for.
template <class Call>
buffer<char> room_for(Call const& call, std::size_t& bytes) {
  check(call(nullptr, bytes), "CUB", "asking for memory");
  return buffer<char>(static_cast<index>(bytes));
}

void sequences(session& s) {
  auto const on = mmm::cuda::on<gpu>(s.stream());
  auto const on_quarters = mmm::cuda::on<mmm::gpu::split<gpu, 4>>(s.stream());
  for (index const n :
       {index{1} << 10, index{1} << 16, index{1} << 20, index{1} << 24, index{1} << 28}) {
    buffer<float> a(n);
    buffer<float> out(n);
    fill(a, small_periodic());
    auto const words = static_cast<double>(n);
    auto const reduce = [&](void* room, std::size_t& bytes) {
      return cub::DeviceReduce::Sum(room, bytes, a.begin(), out.begin(), n, s.stream());
    };
    std::size_t reduce_bytes = 0;
    buffer<char> const reduce_room = room_for(reduce, reduce_bytes);
    auto const sum = static_cast<float>(periodic_sum(n));
    s.compare({"fastest: sum", "n = " + number(n) + " floats", n, 4 * words, words, true,
               [&] { out.poison(); }},
              {{"cub::DeviceReduce::Sum", "other", "-",
                [&] { check(reduce(reduce_room.begin(), reduce_bytes), "CUB", "a sum"); },
                [&] { return out.word(0) == sum; }},
               {"mmm::fastest::sum", "fast", "gpu",
                [&] { mmm::fastest::sum(on, a.begin(), a.end(), out.begin()); },
                [&] { return out.word(0) == sum; }}});
    auto const scan = [&](void* room, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveSum(room, bytes, a.begin(), out.begin(), n, s.stream());
    };
    std::size_t scan_bytes = 0;
    buffer<char> const scan_room = room_for(scan, scan_bytes);
    auto const summed = [&] { return is_all(out, periodic_sums()); };
    s.compare({"fastest: prefix-sums", "n = " + number(n) + " floats", n, 8 * words, words, false,
               [&] { out.poison(); }},
              {{"cub::DeviceScan::InclusiveSum", "other", "-",
                [&] { check(scan(scan_room.begin(), scan_bytes), "CUB", "a scan"); }, summed},
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
    auto const find = [&](void* room, std::size_t& bytes) {
      return cub::DeviceReduce::ArgMin(room, bytes, a.begin(), least.begin(), place.begin(),
                                       static_cast<std::int64_t>(n), s.stream());
    };
    std::size_t bytes = 0;
    buffer<char> const room = room_for(find, bytes);
    check(find(room.begin(), bytes), "CUB", "the least value");
    check(cudaStreamSynchronize(s.stream()), "cudaStreamSynchronize", "the least value");
    float const expected = least.word(0);
    index found = -1;
    s.compare({"fastest: argmin, to the host", "n = " + number(n) + " floats", n,
               4.0 * static_cast<double>(n), static_cast<double>(n), true, [&] { found = -1; }},
              {{"cub::DeviceReduce::ArgMin and a copy", "other", "-",
                [&] {
                  check(find(room.begin(), bytes), "CUB", "the least value");
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
