// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tutorial's sort (docs/tutorial-bitonic-sort.md).
// [exchange]
#pragma once
#include <mmm/mmm.hpp>

//! Pairs of words j apart: ascending in a block of k words, descending in the next, and so on. The
//! words are those from place `first` on of a longer sequence. With `turn` = 1 the second half of
//! each warp accesses its upper words first.
template <class Threads, class Words, class First>
MMM_HOST_DEVICE constexpr void exchange(Threads& threads, Words a, mmm::index n, mmm::index j,
                                        mmm::index k, First first, mmm::index turn) {
  mmm::index const half = threads.machine().width() / 2;
  threads.each(n / 2, [=](auto i) {
    auto const low = 2 * i - i % j;
    auto const turned = turn * (i / half % 2);
    auto const one = low + turned * j;
    auto const other = low + j - turned * j;
    auto const up = ((first + low) / k + turned) % 2 == 0;
    auto const x = mmm::load(a[one]);
    auto const y = mmm::load(a[other]);
    a[one] = mmm::select(up, mmm::min(x, y), mmm::max(x, y));
    a[other] = mmm::select(up, mmm::max(x, y), mmm::min(x, y));
  });
}
// [/exchange]

// [one_memory]
//! Sorts n words, a power of two, in one memory.
struct bitonic_sort {
  template <class Threads, class Words>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, mmm::index n, Words a) const {
    for (mmm::index k = 2; k <= n; k *= 2)
      for (mmm::index j = k / 2; j > 0; j /= 2) exchange(threads, a, n, j, k, 0, 1);
  }
};
// [/one_memory]

// [tiles]
//! Sorts n words in the global memory of an HMM, `tile` at a time in the shared memories.
struct tiled_bitonic_sort {
  template <class Machine, class Words>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, mmm::index n, mmm::index tile,
                                            Words a) const {
    in_tiles(on, n, tile, 2, tile, a);
    for (mmm::index k = 2 * tile; k <= n; k *= 2) {
      for (mmm::index j = k / 2; j >= tile; j /= 2) exchange(on, a, n, j, k, 0, 0);
      in_tiles(on, n, tile, k, k, a);
    }
  }

 private:
  //! The steps over less than a tile of the stages k = least, 2 least, ..., most.
  template <class Machine, class Words>
  MMM_HOST_DEVICE static constexpr void in_tiles(Machine& on, mmm::index n, mmm::index tile,
                                                 mmm::index least, mmm::index most, Words a) {
    on.each_tile(0, n / tile, [=](auto& block, auto t) {
      auto const first = t * tile;
      auto s = block.template allocate<typename Words::value_type>(tile);
      block.each(tile, [=](auto i) { s[i] = a[first + i]; });
      for (mmm::index k = least; k <= most; k *= 2)
        for (mmm::index j = (k < tile ? k : tile) / 2; j > 0; j /= 2)
          exchange(block, s, tile, j, k, first, 1);
      block.each(tile, [=](auto i) { a[first + i] = s[i]; });
    });
  }
};
// [/tiles]

// [object]
//! Sorting as a problem of n words, with its bound, and on a caller's data.
struct sorting {
  static constexpr char const* name = "bitonic-sort";
  static constexpr mmm::machine_kinds kinds{.hmm = 2};

  struct problem {
    mmm::natural n;
    constexpr explicit problem(mmm::size words) : n(words.count) {}

    template <class On, class Words = mmm::no_data>
    constexpr void run(On& on, Words first = {}) const {
      mmm::perform(on, tiled_bitonic_sort{}, n.count, n.count / on.machine().dmms(),
                   mmm::updates(first, n));
    }
    // Every word is read and written: 2n accesses of the global memory.
    constexpr mmm::bound lower_bound(mmm::machine_terms const& m) const {
      return {.bandwidth = 2 * n / m.w, .latency = 2 * n * m.L / m.p};
    }
  };

  template <class On, class Iterator>
  void operator()(On on, Iterator first, Iterator last) const {
    problem(mmm::size(last - first)).run(on, first);
  }
};
// [/object]
