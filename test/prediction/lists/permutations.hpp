// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cases.hpp"

#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>

//! Permutations by a schedule and by a scatter, of words that a linear congruential generator
//! shuffles.
namespace prediction::permutations {

inline std::vector<std::int32_t> shuffled(index n) {
  std::vector<std::int32_t> places(static_cast<std::size_t>(n));
  std::iota(places.begin(), places.end(), 0);
  std::uint64_t random = 1;
  for (std::size_t i = places.size(); i > 1; --i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    std::swap(places[i - 1], places[(random >> 33) % i]);
  }
  return places;
}

template <class T, class M, class Runs>
void scheduled(Runs& runs, M const& m, index n, index p) {
  auto const places = shuffled(n);
  mmm::permutation_schedule const schedule(m, places.begin(), places.end());
  std::int32_t const* const indices =
      runs.keep(std::vector<std::int32_t>(schedule.begin(), schedule.end()));
  runs.template run<T>("permutation", text("n", n), m, p, [&](auto on, T* a, T*, T* c) {
    mmm::permutation(on, a, a + n, schedule.with_indices(indices), c);
  });
}

template <class T, class M, class Runs>
void direct(Runs& runs, M const& m, index n, index p) {
  std::int32_t const* const places = runs.keep(shuffled(n));
  runs.template run<T>("permutation_direct", text("n", n), m, p, [=](auto on, T* a, T*, T* c) {
    mmm::permutation_direct(on, a, a + n, places, c);
  });
}

//! Tiles of 1024 words, so that there are several.
template <class T, class Runs>
void in_tiles(Runs& runs, index n, index d, index p) {
  static constexpr mmm::detail::tile_permutation_algorithm<1024, 4> algorithm{};
  auto const places = shuffled(n);
  mmm::tile_permutation_schedule const schedule(places.begin(), places.end(), 1024);
  auto const kept = [&](auto const* numbers) {
    using number = std::remove_cvref_t<decltype(*numbers)>;
    return runs.keep(std::vector<number>(numbers, numbers + n));
  };
  auto const indices = schedule.with_indices(kept(schedule.sources()), kept(schedule.addresses()),
                                             kept(schedule.targets()));
  runs.template run<T>("permutation_in_tiles", text("n", n), hierarchy(d), p,
                       [=](auto on, T* a, T*, T* c) { algorithm(on, a, a + n, indices, c); });
}

template <class Runs>
void run_list(Runs& runs) {
  constexpr struct {
    index n;
    index p;
  } sizes[] = {{1, 32}, {32, 64}, {100, 32}, {1000, 96}, {1024, 256}, {4000, 1024}};
  for (auto const [n, p] : sizes) {
    scheduled<float>(runs, dmm, n, p);
    direct<float>(runs, dmm, n, p);
    direct<float>(runs, umm, n, p);
  }
  constexpr struct {
    index n;
    index d;
    index p;
  } matrices[] = {{1000, 2, 128}, {4096, 4, 256}, {5000, 3, 192}, {16384, 8, 1024}};
  for (auto const [n, d, p] : matrices) {
    scheduled<float>(runs, hierarchy(d), n, p);
    if constexpr (!few) scheduled<double>(runs, hierarchy(d), n, p);
    direct<float>(runs, hierarchy(d), n, p);
    in_tiles<float>(runs, n, d, p);
    if constexpr (!few) in_tiles<double>(runs, n, d, p);
  }
}

}  // namespace prediction::permutations
