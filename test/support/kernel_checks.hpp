// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/scan/summed_area_one_pass.hpp>

#include "support/algorithm_checks.hpp"
#include "support/polygon_checks.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

//! Every algorithm as a kernel, compared with plain loops. `Side` gives access to the kernel's
//! memory: a `vector<T>`, constructed from two iterators, and `words(vector)`, which copies it
//! back. All values are small whole numbers, so that sums are exact in every type.
namespace checks {

//! The side for kernels on host threads.
struct host_side {
  template <class T>
  using vector = std::vector<T>;
  template <class T>
  static std::vector<T> const& words(std::vector<T> const& v) {
    return v;
  }
};

template <class T>
std::vector<T> tiny_numbers(index n, index seed = 1) {
  std::vector<T> a(static_cast<std::size_t>(n));
  for (index i = 0; i < n; ++i)
    a[static_cast<std::size_t>(i)] = static_cast<T>((i * 31 + seed * 17) % 7 - 3);
  return a;
}

//! The maximum: a user's associative operator.
template <class T>
struct greater_one {
  MMM_HOST_DEVICE constexpr T operator()(T const& x, T const& y) const { return x < y ? y : x; }
};

template <class Side, class T, class Algorithm, class On>
void kernel_fold(Algorithm const& algorithm, On const& on, index n) {
  CAPTURE(algorithm.name, n, on.threads());
  auto const a = tiny_numbers<T>(n);
  typename Side::template vector<T> const words(a.begin(), a.end());
  T sum{};
  for (T const& x : a) sum = static_cast<T>(sum + x);
  CHECK(algorithm(on, words.begin(), words.end()) == sum);
  CHECK(Side::words(words) == a);
}

template <class Side, class T, class On>
void kernel_maximum(On const& on, index n) {
  auto const a = tiny_numbers<T>(n, n);
  typename Side::template vector<T> const words(a.begin(), a.end());
  CHECK(mmm::sum(on, words.begin(), words.end(), greater_one<T>{}) ==
        *std::max_element(a.begin(), a.end()));
}

template <class Side, class T, class Algorithm, class On>
void kernel_scan(Algorithm const& algorithm, On const& on, index n, bool in_place) {
  CAPTURE(algorithm.name, n, on.threads(), in_place);
  auto const a = tiny_numbers<T>(n);
  typename Side::template vector<T> words(a.begin(), a.end());
  typename Side::template vector<T> out(a.begin(), a.end());
  algorithm(on, words.begin(), words.end(), in_place ? words.begin() : out.begin());
  std::vector<T> expected = a;
  for (std::size_t i = 1; i < expected.size(); ++i)
    expected[i] = static_cast<T>(expected[i - 1] + expected[i]);
  CHECK(Side::words(in_place ? words : out) == expected);
  if (!in_place) CHECK(Side::words(words) == a);
}

template <class Side, class T, class On>
void kernel_segmented_scan(On const& on, index n, bool in_place) {
  CAPTURE(n, on.threads(), in_place);
  auto const a = tiny_numbers<T>(n);
  std::vector<int> heads;
  for (index i = 0; i < n; ++i) heads.push_back(i % 37 == 5 || i % 101 < 3 ? -1 : 0);
  typename Side::template vector<T> words(a.begin(), a.end());
  typename Side::template vector<T> out(a.begin(), a.end());
  typename Side::template vector<int> const begins(heads.begin(), heads.end());
  mmm::segmented_prefix_sums(on, words.begin(), words.end(), begins.begin(),
                             in_place ? words.begin() : out.begin());
  std::vector<T> expected = a;
  for (std::size_t i = 1; i < expected.size(); ++i)
    if (heads[i] == 0) expected[i] = static_cast<T>(expected[i - 1] + expected[i]);
  CHECK(Side::words(in_place ? words : out) == expected);
  CHECK(Side::words(begins) == heads);

  typename Side::template vector<T> before(a.begin(), a.end());
  mmm::exclusive_segmented_prefix_sums(on, before.begin(), before.end(), begins.begin(),
                                       in_place ? before.begin() : out.begin(), mmm::plus{},
                                       mmm::init(T{3}));
  for (std::size_t i = expected.size(); i-- > 0;)
    expected[i] = static_cast<T>(i == 0 || heads[i] != 0 ? T{3} : T{3} + expected[i - 1]);
  CHECK(Side::words(in_place ? before : out) == expected);
}

template <class Side, class T, class Algorithm, class On>
void kernel_summed_area(Algorithm const& algorithm, On const& on, mmm::shape image) {
  CAPTURE(algorithm.name, image.rows, image.columns, on.threads());
  std::vector<T> a = tiny_numbers<T>(image.area());
  typename Side::template vector<T> words(a.begin(), a.end());
  algorithm(on, words.begin(), image);
  auto const columns = static_cast<std::size_t>(image.columns);
  for (std::size_t i = 0; i < a.size(); ++i)
    if (i % columns != 0) a[i] = static_cast<T>(a[i] + a[i - 1]);
  for (std::size_t i = columns; i < a.size(); ++i) a[i] = static_cast<T>(a[i] + a[i - columns]);
  CHECK(Side::words(words) == a);
}

template <class Side, class T, class Algorithm, class On>
void kernel_transpose(Algorithm const& algorithm, On const& on, index side) {
  CAPTURE(algorithm.name, side, on.threads());
  auto const a = tiny_numbers<T>(side * side);
  typename Side::template vector<T> words(a.begin(), a.end());
  algorithm(on, words.begin(), side);
  std::vector<T> expected = a;
  for (index j = 0; j < side; ++j)
    for (index k = 0; k < side; ++k)
      expected[static_cast<std::size_t>(j * side + k)] = a[static_cast<std::size_t>(k * side + j)];
  CHECK(Side::words(words) == expected);
}

template <class Side, class T, class Algorithm, class On>
void kernel_copy(Algorithm const& algorithm, On const& on, index n) {
  CAPTURE(algorithm.name, n, on.threads());
  auto const a = tiny_numbers<T>(n);
  typename Side::template vector<T> const words(a.begin(), a.end());
  std::vector<T> const zeros(a.size());
  typename Side::template vector<T> out(zeros.begin(), zeros.end());
  algorithm(on, words.begin(), words.end(), out.begin());
  CHECK(Side::words(out) == a);
}

//! The reversal of n words if 7 divides n, else place 7i mod n for word i.
inline std::vector<std::int32_t> places_by_seven(index n) {
  std::vector<std::int32_t> places;
  for (index i = 0; i < n; ++i)
    places.push_back(static_cast<std::int32_t>(n % 7 == 0 ? n - 1 - i : i * 7 % n));
  return places;
}

//! Checks `call(words, out)`, which permutes n words by places_by_seven.
template <class Side, class T, class On, class Call>
void kernel_permutation(On const& on, index n, Call const& call) {
  CAPTURE(n, on.threads());
  auto const a = tiny_numbers<T>(n);
  std::vector<T> expected(a.size());
  auto const places = places_by_seven(n);
  for (std::size_t i = 0; i < a.size(); ++i) expected[static_cast<std::size_t>(places[i])] = a[i];
  typename Side::template vector<T> const words(a.begin(), a.end());
  std::vector<T> const zeros(a.size());
  typename Side::template vector<T> out(zeros.begin(), zeros.end());
  call(words, out);
  CHECK(Side::words(out) == expected);
}
template <class Side, class T, class On>
void kernel_scheduled_permutation(On const& on, index n) {
  auto const places = places_by_seven(n);
  mmm::permutation_schedule const schedule(on.machine(), places.begin(), places.end());
  typename Side::template vector<std::int32_t> const indices(schedule.begin(), schedule.end());
  kernel_permutation<Side, T>(on, n, [&](auto const& words, auto& out) {
    mmm::permutation(on, words.begin(), words.end(), schedule.with_indices(indices.begin()),
                     out.begin());
  });
}
template <class Side, class T, class On>
void kernel_direct_permutation(On const& on, index n) {
  auto const places = places_by_seven(n);
  typename Side::template vector<std::int32_t> const targets(places.begin(), places.end());
  kernel_permutation<Side, T>(on, n, [&](auto const& words, auto& out) {
    mmm::permutation_direct(on, words.begin(), words.end(), targets.begin(), out.begin());
  });
}

template <class Side, class T, class Algorithm, class On>
void kernel_convolution(Algorithm const& algorithm, On const& on, index n, index m) {
  CAPTURE(algorithm.name, n, m, on.threads());
  auto const x = tiny_numbers<T>(m, 2);
  auto const y = tiny_numbers<T>(n + m - 1, 3);
  std::vector<T> expected(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (std::size_t k = 0; k < x.size(); ++k)
      expected[i] = static_cast<T>(expected[i] + x[k] * y[i + k]);
  typename Side::template vector<T> const taps(x.begin(), x.end());
  typename Side::template vector<T> const words(y.begin(), y.end());
  typename Side::template vector<T> out(expected.size());
  algorithm(on, taps.begin(), taps.end(), words.begin(), words.end(), out.begin(), out.end());
  CHECK(Side::words(out) == expected);
}

template <class Side, class T, class Algorithm, class On>
void kernel_image(Algorithm const& algorithm, On const& on, mmm::shape image, mmm::radius kernel) {
  CAPTURE(algorithm.name, image.rows, image.columns, kernel.v, on.threads());
  auto const a = tiny_numbers<T>(image.area(), 4);
  auto const b = tiny_numbers<T>(kernel.area(), 5);
  std::vector<T> expected(a.size());
  for (index i = 0; i < image.rows; ++i)
    for (index j = 0; j < image.columns; ++j)
      for (index s = -kernel.v; s <= kernel.v; ++s)
        for (index t = -kernel.v; t <= kernel.v; ++t) {
          if (i + s < 0 || i + s >= image.rows || j + t < 0 || j + t >= image.columns) continue;
          T& sum = expected[static_cast<std::size_t>(i * image.columns + j)];
          sum = static_cast<T>(
              sum +
              a[static_cast<std::size_t>((i + s) * image.columns + j + t)] *
                  b[static_cast<std::size_t>((kernel.v + s) * kernel.width() + kernel.v + t)]);
        }
  typename Side::template vector<T> const pixels(a.begin(), a.end());
  typename Side::template vector<T> const taps(b.begin(), b.end());
  typename Side::template vector<T> out(a.size());
  algorithm(on, pixels.begin(), image, taps.begin(), kernel, out.begin());
  CHECK(Side::words(out) == expected);
}

template <class Side, class T, class Algorithm, class On, class... Tile>
void kernel_product(Algorithm const& algorithm, On const& on, mmm::product_shape shape,
                    Tile... tile) {
  CAPTURE(algorithm.name, shape.rows, shape.inner, shape.columns, on.threads());
  auto const a = tiny_numbers<T>(shape.rows * shape.inner, 6);
  auto const b = tiny_numbers<T>(shape.inner * shape.columns, 7);
  std::vector<T> expected(static_cast<std::size_t>(shape.rows * shape.columns));
  for (index i = 0; i < shape.rows; ++i)
    for (index j = 0; j < shape.columns; ++j)
      for (index k = 0; k < shape.inner; ++k) {
        T& sum = expected[static_cast<std::size_t>(i * shape.columns + j)];
        sum = static_cast<T>(sum + a[static_cast<std::size_t>(i * shape.inner + k)] *
                                       b[static_cast<std::size_t>(k * shape.columns + j)]);
      }
  typename Side::template vector<T> const left(a.begin(), a.end());
  typename Side::template vector<T> const right(b.begin(), b.end());
  typename Side::template vector<T> out(expected.size());
  algorithm(on, left.begin(), right.begin(), shape, out.begin(), tile...);
  CHECK(Side::words(out) == expected);
}

template <class Side, class Algorithm, class On>
void kernel_triangulation(Algorithm const& algorithm, On const& on, index n) {
  CAPTURE(algorithm.name, n, on.threads());
  auto const weights = random_weights<word>(n, static_cast<std::uint64_t>(n));
  typename Side::template vector<word> const words(weights.begin(), weights.end());
  auto const found = algorithm(on, words.begin(), n);
  CHECK(found.weight == least_weight(weights, n));
  CHECK(demand_triangulation(found, weights, n) == found.weight);
}

//! Bulk sorts and prefix-sums of k inputs of n words.
template <class Side, class T, class Arrangement, class On>
void kernel_bulk(Arrangement const& arrangement, On const& on, index n, index k) {
  CAPTURE(n, k, Arrangement::coalesced, on.threads());
  auto const a = tiny_numbers<T>(n * k);
  auto expected = a;
  for (index i = 0; i < k; ++i) {
    std::vector<T> one;
    auto const place = [&](index j) { return static_cast<std::size_t>(arrangement(k, n)(i, j)); };
    for (index j = 0; j < n; ++j) one.push_back(a[place(j)]);
    std::sort(one.begin(), one.end());
    std::partial_sum(one.begin(), one.end(), one.begin());
    for (index j = 0; j < n; ++j) expected[place(j)] = one[static_cast<std::size_t>(j)];
  }
  typename Side::template vector<T> words(a.begin(), a.end());
  mmm::bulk(mmm::oblivious_sort{}, arrangement)(on, words.begin(), mmm::size(n), mmm::inputs(k));
  mmm::bulk(mmm::oblivious_prefix_sums{}, arrangement)(on, words.begin(), mmm::size(n),
                                                       mmm::inputs(k));
  CHECK(Side::words(words) == expected);
}

//! Checks all algorithms for a machine's kind, with values of type T.
template <class Side, class T, class On>
void all_kernels(On const& on, std::vector<index> const& sizes) {
  using machine = typename On::machine_type;
  constexpr bool hierarchical = mmm::hierarchical_machine<machine>;
  constexpr auto conflicts = [] {
    if constexpr (hierarchical)
      return decltype(std::declval<machine const&>().global())::conflicts;
    else
      return machine::conflicts;
  }();
  for (index const n : sizes) {
    kernel_fold<Side, T>(mmm::sum, on, n);
    if (n > 0) kernel_maximum<Side, T>(on, n);
    kernel_fold<Side, T>(mmm::contiguous, on, n);
    kernel_fold<Side, T>(mmm::stride, on, n);
    for (bool const in_place : {false, true})
      kernel_scan<Side, T>(mmm::prefix_sums, on, n, in_place);
    if constexpr (hierarchical) {
      kernel_fold<Side, T>(mmm::sum_on_one_dmm, on, n);
      kernel_copy<Side, T>(mmm::copy_through_shared, on, n);
    } else {
      kernel_scan<Side, T>(mmm::prefix_sums_simple, on, n, true);
    }
    kernel_direct_permutation<Side, T>(on, n);
    if constexpr (hierarchical || conflicts == mmm::conflict::banks)
      kernel_scheduled_permutation<Side, T>(on, n);
    for (index const m : {1, 10}) {
      kernel_convolution<Side, T>(mmm::convolution, on, n, m);
      kernel_convolution<Side, T>(mmm::convolution_in_memory, on, n, m);
    }
  }
  for (auto const& image : {mmm::shape{0, 3}, {5, 9}, {40, 33}}) {
    if constexpr (hierarchical || mmm::detail::has_stages(conflicts))
      kernel_summed_area<Side, T>(mmm::summed_area, on, image);
    if constexpr (hierarchical) {
      kernel_summed_area<Side, T>(mmm::summed_area_1r1w, on, image);
      kernel_summed_area<Side, T>(mmm::summed_area_one_pass, on, image);
    }
  }
  for (index const side : {0, 1, 5, 8}) {
    kernel_transpose<Side, T>(mmm::transpose_straightforward, on, side);
    if constexpr (conflicts == mmm::conflict::banks)
      kernel_transpose<Side, T>(mmm::transpose_diagonal, on, side);
    if constexpr (conflicts == mmm::conflict::groups && !hierarchical)
      kernel_transpose<Side, T>(mmm::transpose_rotating, on, side);
  }
  if constexpr (hierarchical || conflicts == mmm::conflict::banks) {
    for (auto const& shape : {mmm::product_shape{1, 1, 1}, {4, 4, 4}, {5, 7, 3}, {9, 2, 12}}) {
      if constexpr (hierarchical) {
        for (index const m : {1, 2, 5}) {
          if (m > shape.rows) continue;
          kernel_product<Side, T>(mmm::matrix_multiply, on, shape, mmm::tile(m));
          kernel_product<Side, T>(mmm::matrix_multiply_in_memory, on, shape, mmm::tile(m));
        }
      } else {
        kernel_product<Side, T>(mmm::matrix_multiply, on, shape);
        kernel_product<Side, T>(mmm::matrix_multiply_in_memory, on, shape);
      }
    }
    for (auto const& image : {mmm::shape{0, 3}, {5, 9}})
      for (index const v : {0, 2}) {
        kernel_image<Side, T>(mmm::image_convolution, on, image, mmm::radius(v));
        kernel_image<Side, T>(mmm::image_convolution_in_memory, on, image, mmm::radius(v));
      }
  }
  if constexpr (hierarchical) {
    // A thread has registers for at most 32 entries of a tile.
    if (machine::width() * machine::width() <= 32 * on.threads_per_dmm())
      for (index const n : {3, 9}) kernel_triangulation<Side>(mmm::triangulation_blocked, on, n);
  } else if constexpr (conflicts == mmm::conflict::groups) {
    for (auto const& [n, k] : {mmm::shape{0, 5}, {1, 7}, {6, 0}, {9, 70}}) {
      kernel_bulk<Side, T>(mmm::by_columns, on, n, k);
      kernel_bulk<Side, T>(mmm::by_rows, on, n, k);
    }
    for (index const n : {3, 9}) {
      kernel_triangulation<Side>(mmm::triangulation_dp, on, n);
      kernel_triangulation<Side>(mmm::triangulation_dp_in_memory, on, n);
      kernel_triangulation<Side>(mmm::triangulation, on, n);
    }
  }
}

}  // namespace checks
