// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/mmm.cuh>

#include "cub_call.cuh"
#include "groups.cuh"
#include "libraries.hpp"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include <cstdint>

//! Sorts of random keys of 4 bytes. The library's sorts sort in place and CUB's merge sort, too:
//! their keys are copied in before every run, within the time of none.
namespace bench {

namespace {

using word = std::uint32_t;

struct random_key {
  MMM_HOST_DEVICE constexpr word operator()(index i) const {
    auto x = static_cast<unsigned long long>(i + 1) * 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 31)) * 0xBF58476D1CE4E5B9ULL;
    return static_cast<word>((x ^ (x >> 29)) >> 16);
  }
};
//! An order that a sort by digits does not know.
struct in_order {
  MMM_HOST_DEVICE constexpr bool operator()(word x, word y) const { return x < y; }
};
struct own_place {
  MMM_HOST_DEVICE constexpr word operator()(index i) const { return static_cast<word>(i); }
};

//! A predicate: key i is larger than the next one.
struct falls {
  word const* keys;
  MMM_HOST_DEVICE bool operator()(index i) const { return keys[i] > keys[i + 1]; }
};
//! A predicate: the value of key i is not the place of such a key.
struct strayed {
  word const* keys;
  word const* places;
  MMM_HOST_DEVICE bool operator()(index i) const {
    return keys[i] != random_key()(static_cast<index>(places[i]));
  }
};

//! The sum of keys in any order.
struct key_sum {
  word const* keys;
  unsigned long long* sum;
};
__global__ void add_keys(index n, key_sum of) {
  unsigned long long mine = 0;
  index const step = index{gridDim.x} * blockDim.x;
  for (index i = index{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    auto const x = static_cast<unsigned long long>(of.keys[i]) * 0x9E3779B97F4A7C15ULL;
    mine += x ^ (x >> 31);
  }
  atomicAdd(of.sum, mine);
}
unsigned long long sum_of(buffer<word> const& keys) {
  buffer<unsigned long long> sum(1);
  sum.set(0);
  add_keys<<<1024, 256>>>(keys.size(), {keys.begin(), sum.begin()});
  check(cudaGetLastError(), "a kernel", "checking a sort");
  return sum.word(0);
}

struct arrays {
  explicit arrays(index n) : fresh(n), keys(n), out(n), places(n), values(n), out_values(n) {
    fill(fresh, random_key());
    fill(places, own_place());
  }
  buffer<word> fresh, keys, out, places, values, out_values;
};

void sorts_of(session& s, index n) {
  hmm const gpu = s.device.hmm();
  auto const on = mmm::cuda::on(gpu, mmm::threads(gpu.dmms() * 512), s.stream());
  hmm const of_digits = s.device.split(3);
  auto const by_digits = mmm::cuda::on(of_digits, mmm::threads(of_digits.dmms() * 320), s.stream());
  arrays a(n);
  unsigned long long const sum = sum_of(a.fresh);
  auto const copy = [&](buffer<word> const& from, buffer<word> const& to) {
    check(cudaMemcpyAsync(to.begin(), from.begin(), from.bytes(), cudaMemcpyDeviceToDevice,
                          s.stream()),
          "cudaMemcpyAsync", "keys to sort");
  };
  auto const renew = [&] {
    copy(a.fresh, a.keys);
    copy(a.places, a.values);
  };
  auto const sorted = [&](buffer<word> const& keys) {
    return none_wrong(n - 1, falls{keys.begin()}) && sum_of(keys) == sum;
  };
  auto const sorted_pairs = [&](buffer<word> const& keys, buffer<word> const& values) {
    return sorted(keys) && none_wrong(n, strayed{keys.begin(), values.begin()});
  };
  auto const items = static_cast<int>(n);
  cub_call const radix([&](void* room, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(room, bytes, a.fresh.begin(), a.out.begin(), items, 0, 32,
                                          s.stream());
  });
  cub_call const radix_pairs([&](void* room, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(room, bytes, a.fresh.begin(), a.out.begin(),
                                           a.places.begin(), a.out_values.begin(), items, 0, 32,
                                           s.stream());
  });
  cub_call const merge([&](void* room, std::size_t& bytes) {
    return cub::DeviceMergeSort::SortKeys(room, bytes, a.keys.begin(), items, ::cuda::std::less<>{},
                                          s.stream());
  });
  cub_call const newer_radix([&](void* room, std::size_t& bytes) {
    return newer_cub::sort_keys(room, bytes, a.fresh.begin(), a.out.begin(), n, s.stream());
  });
  cub_call const newer_radix_pairs([&](void* room, std::size_t& bytes) {
    return newer_cub::sort_pairs(room, bytes, a.fresh.begin(), a.out.begin(), a.places.begin(),
                                 a.out_values.begin(), n, s.stream());
  });
  auto const poison = [&] {
    a.out.poison();
    a.out_values.poison();
    renew();
  };
  auto const bytes = 4.0 * static_cast<double>(n);
  problem what{"sort", "n = " + number(n) + " keys of 4 bytes", n, 2 * bytes, 0, poison};
  what.renew = renew;
  auto const in_place = [&] { return sorted(a.keys); };
  std::vector<contender> who{
      {"cub::DeviceRadixSort::SortKeys", "other", "-", radix, [&] { return sorted(a.out); }},
      {"cub::DeviceRadixSort::SortKeys" + newer_cub::version(), "other", "-", newer_radix,
       [&] { return sorted(a.out); }},
      {"cub::DeviceMergeSort::SortKeys", "other", "-", merge, in_place},
      {"mmm::radix_sort", "fast", "hmm, 3 blocks of 320",
       [&] { mmm::radix_sort(by_digits, a.keys.begin(), a.keys.end()); }, in_place},
      {"mmm::fastest::sort", "fast", "hmm",
       [&] { mmm::fastest::sort(on, a.keys.begin(), a.keys.end()); }, in_place},
      {"mmm::fastest::sort by merging", "fast", "hmm",
       [&] { mmm::fastest::sort(on, a.keys.begin(), a.keys.end(), in_order{}); }, in_place}};
  if (n <= 1 << 22)
    who.push_back({"mmm::sort", "literal", "hmm, 1 block of 512",
                   [&] { mmm::sort(on, a.keys.begin(), a.keys.end()); }, in_place});
  s.compare(what, who);
  what.group = "sort of pairs";
  what.parameters += ", values of 4 bytes";
  what.bytes = 4 * bytes;
  s.compare(
      what,
      {{"cub::DeviceRadixSort::SortPairs", "other", "-", radix_pairs,
        [&] { return sorted_pairs(a.out, a.out_values); }},
       {"cub::DeviceRadixSort::SortPairs" + newer_cub::version(), "other", "-", newer_radix_pairs,
        [&] { return sorted_pairs(a.out, a.out_values); }},
       {"mmm::radix_sort_pairs", "fast", "hmm, 3 blocks of 320",
        [&] { mmm::radix_sort_pairs(by_digits, a.keys.begin(), a.keys.end(), a.values.begin()); },
        [&] { return sorted_pairs(a.keys, a.values); }}});
}

}  // namespace

void sorts(session& s) {
  for (int const k : {14, 18, 20, 24, 28}) sorts_of(s, index{1} << k);
}

}  // namespace bench
