// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls as of CUB's device-wide algorithms (the table of docs/gpu.md): in a stream, captured in a
// graph, with storage of the caller's, and with iterators, types and operators of the caller's.
#include "call_forms.cuh"
#include "sort.cuh"

#include <thrust/device_ptr.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace device_wide_tests {

using checks::device_words;
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
auto const handles_of_forms = [](cudaStream_t stream) { return call_forms::handle(stream); };

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

TEST_CASE("sums in streams, graphs and storage") {
  std::vector<float> const ones(5000, 1.0F);
  device_words<float> const a(ones.begin(), ones.end());
  device_words<float> out(2);
  called_as_cub(
      handles_of_forms, [&] { assign(out, {-1, -1}); },
      [&](auto const& on) {
        mmm::fastest::sum(on, a.begin(), a.end(), out.begin());
        mmm::fastest::sum(on, a.begin(), a.end(), out.begin() + 1, mmm::maximum{},
                          mmm::init(-7.0F));
      },
      [&] { return out.on_host() == std::vector<float>{5000, 1}; });
}

TEST_CASE("places in streams, graphs and storage") {
  std::vector<float> host(5003);
  for (size_t k = 0; k < host.size(); ++k) host[k] = static_cast<float>(k * 7919 % 1009);
  host[4321] = -5.0F;
  device_words<float> const a(host.begin(), host.end());
  device_words<mmm::located<float>> out(1);
  called_as_cub(
      handles_of_forms, [&] { assign(out, {{0.0F, -1}}); },
      [&](auto const& on) { mmm::fastest::argmin(on, a.begin(), a.end(), out.begin()); },
      [&] { return out.on_host()[0].value == -5.0F && out.on_host()[0].place == 4321; });
}

//! The map x -> factor x + offset.
struct step {
  unsigned factor;
  unsigned offset;
  friend bool operator==(step const&, step const&) = default;
};
//! The composition of two maps: associative, not commutative.
struct one_after_the_other {
  MMM_HOST_DEVICE constexpr step operator()(step const& a, step const& b) const {
    return {a.factor * b.factor, a.offset * b.factor + b.offset};
  }
};
struct step_of_place {
  MMM_HOST_DEVICE step operator()(index i) const {
    return {static_cast<unsigned>(2 * i + 1), static_cast<unsigned>(i)};
  }
};

TEST_CASE("scans in streams, graphs and storage") {
  index const n = 5000;
  std::vector<step> before;
  step sum{3, 5};
  for (index i = 0; i < n; ++i) {
    before.push_back(sum);
    sum = one_after_the_other()(sum, step_of_place()(i));
  }
  std::vector<step> const none(before.size());
  std::vector<float> const ones(5000, 1.0F);
  std::vector<float> sums(ones.size());
  std::iota(sums.begin(), sums.end(), 1.0F);
  device_words<step> exclusive(none.size());
  device_words<float> inclusive(ones.size());
  auto const steps =
      thrust::make_transform_iterator(thrust::counting_iterator<index>(0), step_of_place());
  called_as_cub(
      handles_of_forms,
      [&] {
        assign(exclusive, none);
        assign(inclusive, ones);
      },
      [&](auto const& on) {
        mmm::fastest::exclusive_prefix_sums(on, steps, steps + n, exclusive.begin(),
                                            one_after_the_other(), mmm::init(step{3, 5}));
        mmm::fastest::prefix_sums(on, inclusive.begin(), inclusive.end(), inclusive.begin());
      },
      [&] { return exclusive.on_host() == before && inclusive.on_host() == sums; });
}

//! 1 where the key differs from the one before.
struct head_of_keys {
  int const* keys;
  MMM_HOST_DEVICE int operator()(index i) const { return i > 0 && keys[i] != keys[i - 1] ? 1 : 0; }
};

TEST_CASE("scans by key in streams, graphs and storage") {
  std::vector<step> host;
  std::vector<int> keys;
  for (unsigned i = 0; i < 3000; ++i) {
    host.push_back({2 * i + 1, i});
    keys.push_back(static_cast<int>(i / 37 % 3));
  }
  std::vector<step> expected = host;
  for (size_t i = 1; i < host.size(); ++i)
    if (keys[i] == keys[i - 1]) expected[i] = one_after_the_other()(expected[i - 1], expected[i]);
  device_words<step> const a(host.begin(), host.end());
  device_words<int> const by(keys.begin(), keys.end());
  device_words<step> out(host.size());
  auto const heads = thrust::make_transform_iterator(thrust::counting_iterator<index>(0),
                                                     head_of_keys{by.begin()});
  called_as_cub(
      handles_of_forms, [&] { assign(out, host); },
      [&](auto const& on) {
        mmm::segmented_prefix_sums(on, a.begin(), a.end(), heads, out.begin(),
                                   one_after_the_other());
      },
      [&] { return out.on_host() == expected; });
}

using tiles = mmm::hmm<4, 32, 29, 700, 24576>;

TEST_CASE("sorts by digits in streams, graphs and storage") {
  auto const host = sorts::keys_of<float>(2500);
  auto const host_keys = sorts::keys_of<std::int64_t>(1025);
  std::vector<int> places(host_keys.size());
  std::iota(places.begin(), places.end(), 0);
  auto sorted = host;
  std::sort(sorted.begin(), sorted.end());
  auto sorted_places = places;
  std::stable_sort(sorted_places.begin(), sorted_places.end(), [&](int x, int y) {
    return host_keys[static_cast<size_t>(x)] > host_keys[static_cast<size_t>(y)];
  });
  device_words<float> keys(host.size());
  device_words<std::int64_t> keys_of_pairs(host_keys.size());
  device_words<int> values(places.size());
  called_as_cub(
      handles(tiles(), 4 * 128),
      [&] {
        assign(keys, host);
        assign(keys_of_pairs, host_keys);
        assign(values, places);
      },
      [&](auto const& on) {
        mmm::radix_sort(on, keys.begin(), keys.end());
        mmm::radix_sort_pairs(on, keys_of_pairs.begin(), keys_of_pairs.end(), values.begin(),
                              mmm::descending{});
      },
      [&] { return keys.on_host() == sorted && values.on_host() == sorted_places; });
}

struct first_then_second {
  MMM_HOST_DEVICE bool operator()(step const& x, step const& y) const {
    return x.factor != y.factor ? x.factor < y.factor : x.offset < y.offset;
  }
};

TEST_CASE("sorts by merging in streams, graphs and storage") {
  std::vector<step> host;
  for (unsigned i = 0; i < 5000; ++i) host.push_back({i * 7919 % 101, i * 13 % 5003});
  auto expected = host;
  std::sort(expected.begin(), expected.end(), first_then_second());
  device_words<step> keys(host.size());
  thrust::device_ptr<step> const first(keys.begin());
  called_as_cub(
      handles(tiles(), 4 * 128), [&] { assign(keys, host); },
      [&](auto const& on) {
        mmm::merge_sort(on, first, first + static_cast<index>(host.size()), first_then_second());
      },
      [&] { return keys.on_host() == expected; });
}

//! The bin of a value between the limits 0, 1, 10 and 100.
struct bin_between_limits {
  MMM_HOST_DEVICE index operator()(float x) const {
    return x < 0 || x >= 100 ? -1 : x < 1 ? 0 : x < 10 ? 1 : 2;
  }
};
//! Numbers without an array.
struct number_of_place {
  MMM_HOST_DEVICE float operator()(index i) const { return static_cast<float>(i % 111) - 5.0F; }
};

TEST_CASE("histograms in streams, graphs and storage") {
  auto const numbers =
      thrust::make_transform_iterator(thrust::counting_iterator<index>(0), number_of_place());
  std::vector<int> expected(3);
  for (index i = 0; i < 5000; ++i)
    if (index const bin = bin_between_limits()(number_of_place()(i)); bin >= 0)
      ++expected[static_cast<size_t>(bin)];
  device_words<int> counts(3);
  called_as_cub(
      handles(mmm::hmm<4, 32, 29, 700, 4096>(), 4 * 128), [&] { assign(counts, {7, 7, 7}); },
      [&](auto const& on) {
        mmm::histogram(on, numbers, numbers + 5000, counts.begin(), counts.end(),
                       bin_between_limits());
      },
      [&] { return counts.on_host() == expected; });
}

//! The difference to the value before.
struct to_the_one_before {
  int const* values;
  MMM_HOST_DEVICE int operator()(index i) const {
    return i == 0 ? values[0] : values[i] - values[i - 1];
  }
};

TEST_CASE("transformed and adjacent values in streams, graphs and storage") {
  std::vector<int> host(5003);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i * i % 1009);
  std::vector<int> expected(host.size());
  std::adjacent_difference(host.begin(), host.end(), expected.begin());
  device_words<int> const a(host.begin(), host.end());
  device_words<int> out(host.size());
  auto const differences = thrust::make_transform_iterator(thrust::counting_iterator<index>(0),
                                                           to_the_one_before{a.begin()});
  called_as_cub(
      handles_of_forms, [&] { assign(out, host); },
      [&](auto const& on) {
        mmm::copy_wide(on, differences, differences + static_cast<index>(host.size()), out.begin());
      },
      [&] { return out.on_host() == expected; });
}

//! b(i) = a(i)^2
struct squares {
  template <class On, class In, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, In a, index n, Out b) const {
    on.each(n, [=](auto i) {
      auto const x = mmm::load(a[i]);
      b[i] = x * x;
    });
  }
};

TEST_CASE("programs in streams, graphs and storage") {
  index const n = 1003;
  auto const numbers =
      thrust::make_transform_iterator(thrust::counting_iterator<index>(0), number_of_place());
  std::vector<float> expected;
  for (index i = 0; i < n; ++i) expected.push_back(number_of_place()(i) * number_of_place()(i));
  std::vector<float> const none(expected.size(), -1.0F);
  device_words<float> out(none.size());
  called_as_cub(
      handles(call_forms::one_memory(), 256), [&] { assign(out, none); },
      [&](auto const& on) {
        mmm::run(on, squares{}, mmm::reads<float>(numbers, n), n,
                 mmm::writes<float>(out.begin(), n));
      },
      [&] { return out.on_host() == expected; });
}

}  // namespace device_wide_tests
