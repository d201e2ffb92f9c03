// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/natural.hpp>
#include <mmm/algorithm/triangulation/polygon.hpp>
#include <mmm/algorithm/triangulation/polygon_walk.hpp>
#include <mmm/algorithm/triangulation/weight_limits.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/machine/machine.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

//! Triangulations of a polygon on data: the check of the weights, the call, and the result.
MMM_BODIES_BEGIN
namespace mmm {

//! A triangulation of a polygon of n vertices: n - 3 chords that do not cross, and their total
//! weight.
template <class Value>
struct polygon_triangulation {
  Value weight;
  std::vector<chord> chords;
};

namespace detail {

//! Writes one plus the number of a weight that is not finite to `found`, if there is such a weight.
struct find_not_finite {
  template <class On, class Found, class Weights>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Found found, Weights weights, index n) const {
    using value = typename Weights::value_type;
    on.each(1, [=](auto i) { found[i] = 0; });
    on.each(n, n, [=](auto i, auto j) {
      auto const x = load(weights[i * n + j]);
      store_if(j >= i + 2 && !(x - x == value{}), found[0], i * n + j + 1);
    });
  }
};

template <class On, class Iterator>
void demand_finite(On& on, Iterator weights, index n) {
  using value = iterator_value_t<Iterator>;
  if constexpr (std::is_floating_point_v<value> && uses_device_memory<On>) {
    index found = 0;
    mmm::run(on, find_not_finite{}, writes_to_host(&found, 1),
             reads(polygon_weights<Iterator>{weights, n - 1}, n * n), n);
    if (found != 0)
      throw_invalid_argument(failure_text("mmm: the weight of chord (", (found - 1) / n, ", ",
                                          (found - 1) % n,
                                          ") is not finite; accepted: finite numbers"));
  } else if constexpr (std::is_floating_point_v<value>) {
    for (index i = 0; i < n; ++i)
      for (index j = 0; j < n; ++j, ++weights) {
        value const x = *weights;
        bool const finite = x - x == value{};  // std::isfinite would need <cmath>
        if (j < i + 2 || (i == 0 && j == n - 1) || finite) continue;
        throw_invalid_argument(failure_text("mmm: the weight of chord (", i, ", ", j, ") is ",
                                            x != x        ? "nan"
                                            : x > value{} ? "inf"
                                                          : "-inf",
                                            "; accepted: finite numbers"));
      }
  }
}

//! The weights of triangles, where only chords have weights.
template <class Value>
struct no_weight {
  [[nodiscard]] constexpr Value operator()(index, index, index) const { return Value{}; }
};

//! Weight and chords from the finished table: `entry(i, j)` is M[i][j], `weight(i, k, j)` that of
//! the triangle of the vertices i < k < j. Time: O(n^2).
template <class Value, class Table, class Weight = no_weight<Value>>
[[nodiscard]] polygon_triangulation<Value> triangulation_of(index n, Table const& entry,
                                                            Weight const& weight = {}) {
  polygon_triangulation<Value> result{entry(1, n - 1), {}};
  std::vector<std::pair<index, index>> parts{{1, n - 1}};
  while (!parts.empty()) {
    index const i = parts.back().first, j = parts.back().second;
    parts.pop_back();
    if (i == j) continue;
    if (j - i < n - 2) result.chords.push_back({i - 1, j});
    auto const sum = [&](index k) { return entry(i, k) + entry(k + 1, j) + weight(i - 1, k, j); };
    index best = i;
    for (index k = i + 1; k < j; ++k)
      if (sum(k) < sum(best)) best = k;
    parts.push_back({best + 1, j});
    parts.push_back({i, best});
  }
  return result;
}

//! Weight and chords from a finished table in the device's memory, which stays there. `sides` are
//! the arguments of find_parts for the weights of triangles, if there are any.
template <class Value, class On, class... Sides>
[[nodiscard]] polygon_triangulation<Value> triangulation_on_device(On const& on, Value* table,
                                                                   index words, index n,
                                                                   polygon_table const& places,
                                                                   Sides const&... sides) {
  using one_dmm = hmm<1, 32, 1, 1>;
  Value weight{};
  std::vector<polygon_part> parts(static_cast<std::size_t>(n - 2));
  auto const one = on.on_machine(one_dmm{}, threads(256));
  mmm::run(one, find_parts{places}, reads<Value>(table, words), writes_to_host(&weight, 1),
           writes_to_host(parts.data(), n - 2), n, sides...);
  polygon_triangulation<Value> result{weight, {}};
  result.chords.reserve(parts.size() - 1);
  for (std::size_t k = 1; k < parts.size(); ++k)
    result.chords.push_back({parts[k].first - 1, parts[k].last});
  return result;
}

//! Calls `use(handle, table, words, places)` with the finished table, in the memory where the
//! handle has it. `given` are the problem's weights.
template <class Value, class Problem, class On, class Weights, class Use>
auto with_finished_table(Problem const& problem, On const& on, Weights const& given,
                         Use const& use) {
  natural const pitch = problem.pitch(on.machine());
  index const words = pitch * pitch;
  polygon_table const places{pitch, problem.first_row(on.machine())};
  if constexpr (has_device_rooms<On>) {
    return on.template with_room<Value>(words, [&](auto const& rest, Value* table) {
      problem.run(rest, table, given);
      return use(rest, table, words, places);
    });
  } else {
    std::vector<Value> table(static_cast<std::size_t>(words));
    problem.run(on, host_memory<Value>{table.data(), words}, given);
    return use(on, table.data(), words, places);
  }
}

template <class Algorithm>
template <class On, class Iterator>
auto polygon_call<Algorithm>::operator()(On on, Iterator weights, index n) const {
  static_assert(call_of<On, Iterator>::accepted);
  using value = iterator_value_t<Iterator>;
  typename Algorithm::problem const problem{size(n)};
  demand_finite(on, weights, n);
  return with_finished_table<value>(
      problem, on, polygon_weights<Iterator>{weights, n - 1},
      [n](auto const& handle, value* table, index words, polygon_table const& places) {
        if constexpr (has_device_rooms<On>) {
          return triangulation_on_device(handle, table, words, n, places);
        } else {
          static_cast<void>(words);
          return triangulation_of<value>(
              n, [&](index i, index j) { return table[places.entry(i, j)]; });
        }
      });
}

template <class Algorithm>
template <class On, class Iterator, class Result>
void polygon_call<Algorithm>::operator()(On on, Iterator weights, index n, Result weight) const {
  static_assert(call_of<On, Iterator>::accepted);
  using value = iterator_value_t<Iterator>;
  typename Algorithm::problem const problem{size(n)};
  with_finished_table<value>(
      problem, on, polygon_weights<Iterator>{weights, n - 1},
      [n, weight](auto const& handle, value* table, index words, polygon_table const& places) {
        if constexpr (has_device_rooms<On>)
          mmm::run(handle, least_weight_of_table{places}, reads<value>(table, words),
                   writes<value>(weight, 1), n);
        else
          *weight = table[places.entry(1, n - 1)];
        static_cast<void>(words);
      });
}

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
