// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A new algorithm from nothing. With a folder as argument, draws docs/smooth_rounds.svg there.
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mmm.hpp>
#include <mmm/report.hpp>

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace my {

// [algorithm]
//! Sets b[i] to the mean of a[i] and its two neighbours; the first and the last word stand in for
//! their missing neighbours.
struct smooth {
  template <class Threads, class Iterator, class Output>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, mmm::index n,
                                            Output b) const {
    threads.each(
        n, [=](auto i) { b[i] = (a[mmm::max(i - 1, 0)] + a[i] + a[mmm::min(i + 1, n - 1)]) / 3; });
  }
};
// [/algorithm]

// [cost]
template <mmm::machine M>
constexpr mmm::cost cost_of_smoothing(mmm::index n, mmm::index p) {
  return mmm::estimate<M>(mmm::threads(p), [n](auto on) {
    auto const a = on.template allocate<float>(n);
    auto const b = on.template allocate<float>(n);
    smooth{}(on, a, n, b);
  });
}

constexpr mmm::index n = 1 << 20, p = 1 << 12, w = 32;

// Four accesses per item, free of bank conflicts: 4 (p/w + l - 1) n/p.
static_assert(cost_of_smoothing<mmm::dmm<w, 16>>(n, p).time == 4 * (p / w + 16 - 1) * n / p);

// On a UMM the accesses to the two neighbours are misaligned: all warps but one touch a second
// address group.
static_assert(cost_of_smoothing<mmm::umm<w, 400>>(n, p).time ==
              4 * (p / w + 400 - 1) * n / p + 2 * (n / w - 1));
// [/cost]

// [object]
//! The same as an object with a name, the parameters of its problem, and bounds.
struct smoothing {
  static constexpr char const* name = "smooth";
  static constexpr mmm::machine_kinds kinds{.dmm = 3, .umm = 3};  // with the constant of a bound

  struct problem {
    mmm::natural n;
    constexpr explicit problem(mmm::size words) : n(words.count) {}

    // on the caller's data or, for a cost, without any
    template <class On, class In = mmm::no_data, class Out = mmm::no_data>
    constexpr void run(On& on, In first = {}, Out out = {}) const {
      mmm::perform(on, smooth{}, mmm::reads(first, n), n.count, mmm::writes(out, n));
    }
    // reads and writes n words
    constexpr mmm::bound lower_bound(mmm::machine_terms const& m) const {
      return {.bandwidth = 2 * n / m.w, .latency = 2 * n * m.l / m.p};
    }
  };

  // on the caller's data
  template <class On, class Iterator, class Output>
  void operator()(On on, Iterator first, Iterator last, Output out) const {
    problem(mmm::size(last - first)).run(on, first, out);
  }
};

using global = mmm::umm<w, 400>;
static_assert(mmm::cost_of<global>(smoothing{}, mmm::size(n), mmm::threads(p)).time <=
              3 * mmm::lower_bound<global>(smoothing{}, mmm::size(n), mmm::threads(p)).time);
// [/object]

}  // namespace my

int main(int count, char** values) {
  // [run]
  using machine = mmm::umm<4, 5>;
  std::vector<float> const a = {3, 0, 0, 9, 9, 9, 0, 6, 3, 3, 3, 0};
  std::vector<float> b(a.size());
  auto const run = mmm::simulate<machine>(
      mmm::threads(12), [&](auto on) { my::smoothing{}(on, a.begin(), a.end(), b.begin()); });
  std::cout << mmm::report::text(run.trace);
  std::string const picture = mmm::report::svg(run.trace, "Smoothing 12 numbers by 12 threads");
  // [/run]

  // [kernel]
  std::vector<float> of_kernel(a.size());
  my::smoothing{}(mmm::host_threads<machine>(mmm::threads(12)), a.begin(), a.end(),
                  of_kernel.begin());
  // [/kernel]

  // [races]
  std::vector<float> c = a;
  auto const in_place = mmm::simulate<machine>(mmm::threads(4), [&](auto on) {
    auto const words = on.array(c.begin(), c.end());
    // the same words are read and written without a barrier in between
    my::smooth{}(on, words, 12, words);
  });
  std::cout << in_place.race_count << " races, the first in "
            << mmm::report::text(in_place.races.front()) << '\n';
  // [/races]

  if (count == 2) std::ofstream(std::string(values[1]) + "/smooth_rounds.svg") << picture;
  bool const right = b == std::vector<float>{2, 1, 3, 6, 9, 6, 5, 3, 4, 3, 2, 1};
  return !(right && of_kernel == b && run.races.empty() && !in_place.races.empty());
}
