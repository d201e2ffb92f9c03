// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nakano 2014, figure 8: the sum and the prefix-sums, in one shared memory and in the global
// memory.
#include <mmm/mmm.cuh>

#include "groups.cuh"
#include "sweep.hpp"

namespace bench {

namespace {

//! Measures the three algorithms on one machine for n = least, 2 least, …, most words with n/2
//! threads, at most `max_threads`.
template <class M>
void all_three(session& s, sweeps& into, M const& machine, std::string const& name,
               std::string const& title, index least, index most, index max_threads) {
  buffer<float> a(most);
  buffer<float> out(most);
  fill(a, small_periodic());
  figure f(s, name, title, "n, words");
  auto const curve = [&](char const* words, auto const& algorithm, auto const& run,
                         auto const& right) {
    f.begin_curve(words);
    for (index n = least; n <= most; n *= 2) {
      mmm::threads const p(std::min(n / 2, max_threads));
      out.poison();
      f.point(
          n, modelled(machine, algorithm, mmm::size(n), p),
          [&] { run(mmm::cuda::on(machine, p, s.stream()), n); }, [&] { return right(n); });
    }
  };
  auto const scanned = [&](index n) {
    return none_wrong(n, differs<float, periodic_sums>{out.begin(), periodic_sums()});
  };
  curve(
      "sum", mmm::sum,
      [&](auto const& on, index n) { mmm::sum(on, a.begin(), a.begin() + n, out.begin()); },
      [&](index n) { return out.word(0) == static_cast<float>(periodic_sum(n)); });
  curve(
      "prefix-sums, simple", mmm::prefix_sums_simple,
      [&](auto const& on, index n) {
        mmm::prefix_sums_simple(on, a.begin(), a.begin() + n, out.begin());
      },
      scanned);
  curve(
      "prefix-sums", mmm::prefix_sums,
      [&](auto const& on, index n) { mmm::prefix_sums(on, a.begin(), a.begin() + n, out.begin()); },
      scanned);
  f.finish(into);
}

}  // namespace

void figures_of_004(session& s, sweeps& into) {
  all_three(s, into, s.device.dmm(), "004-8-shared", "In shared memory: a DMM", 32, 4096, 1024);
  // The largest grid used here in which all blocks are resident and can wait for each other: four
  // blocks of 256 threads per multiprocessor.
  all_three(s, into, s.device.umm(), "004-8-global", "In global memory: a UMM", 1 << 10, 1 << 27,
            s.device.multiprocessors * 1024);
}

}  // namespace bench
