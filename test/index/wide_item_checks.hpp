// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/mmm.hpp>
#include <mmm/report.hpp>

#include "catch.hpp"

#include <cstddef>
#include <vector>

namespace checks {

using mmm::index;

//! b[V * f(i) + k] = a[V * i + V - 1 - k] + k, for an f that is one to one.
template <index V>
struct mirrored {
  index items;
  index stride;
  index limit;

  template <class On, class In, class Out>
  constexpr void operator()(On& on, In a, Out b) const {
    index const n = items;
    index const s = stride;
    index const end = limit;
    on.each(n, [=](auto i) {
      auto const x = load_if(i < end, mmm::wide<V>(a)[i], -1);
      auto const y = mmm::make_vec<V>([&](index k) { return x[V - 1 - k] + static_cast<int>(k); });
      store_if(i < end, mmm::wide<V>(b)[i * s % n], y);
      mmm::wide<V>(a + V * n)[i] = y;
    });
  }
};

template <index V, class M>
void agrees(M const& m, index p, mirrored<V> const& program) {
  CAPTURE(V, M::width(), p, program.items, program.stride, program.limit);
  index const words = V * program.items;
  auto const estimated = mmm::estimate(m, mmm::threads(p), [&](auto& on) {
    program(on, on.template allocate<int>(2 * words), on.template allocate<int>(words));
  });
  std::vector<int> a(static_cast<std::size_t>(2 * words));
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = static_cast<int>(3 * k + 1);
  auto const before = a;
  std::vector<int> b(static_cast<std::size_t>(words), -7);
  auto const run = mmm::simulate(m, mmm::threads(p), [&](auto on) {
    program(on, on.array(a.begin(), a.end()), on.array(b.begin(), b.end()));
  });
  CHECK(run.cost.rounds == estimated.rounds);
  CHECK(run.cost.stages == estimated.stages);
  CHECK(run.cost.time == estimated.time);
  CHECK(mmm::recomputed_time(m, run.trace) == estimated.time);
  CHECK(run.pipelined_time <= run.cost.time);
  CHECK(run.races.empty());
  index time = 0;
  for (auto const& round : mmm::report::detail::rounds_of(m, run.trace, INT64_MAX))
    time += round.time;
  CHECK(time == estimated.time);
  bool right = true;
  for (index i = 0; i < program.items; ++i)
    for (index k = 0; k < V; ++k) {
      int const y = (i < program.limit ? before[static_cast<std::size_t>(V * i + V - 1 - k)] : -1) +
                    static_cast<int>(k);
      right = right && a[static_cast<std::size_t>(words + V * i + k)] == y;
      int const there = b[static_cast<std::size_t>(i * program.stride % program.items * V + k)];
      right = right && there == (i < program.limit ? y : -7);
    }
  CHECK(right);
}

//! With accesses of `V` words each.
template <index... V, class M>
void all_agree(M const& m) {
  for (index const p : {4, 12, 20})
    for (index const n : {1, 3, 8, 41})
      for (index const stride : {1, 7})
        for (index const limit : {n, n / 2}) (agrees<V>(m, p, {n, stride, limit}), ...);
}

//! Reads, writes and updates at addresses that differ in an added number.
template <index V>
struct moved {
  index items;

  template <class On, class In>
  constexpr void operator()(On& on, In a) const {
    index const n = items;
    on.each(n, [=](auto i) {
      mmm::unroll<9>([&](index k) {
        auto const x = load(mmm::wide<V>(a)[k + i * 3 % n + 1]);
        store_if(i % 2 == 0, mmm::wide<V>(a)[(k + 9 + n) + i], x);
        atomic_add(a[k + 5 * i / 2], 1);
      });
    });
  }
};

template <index V, class M>
void moves(M const& m, index p, index items) {
  CAPTURE(V, M::width(), p, items);
  index const words = V * (2 * items + 32) + 3 * items;
  moved<V> const program{items};
  auto const estimated = mmm::estimate(
      m, mmm::threads(p), [&](auto& on) { program(on, on.template allocate<int>(words)); });
  std::vector<int> a(static_cast<std::size_t>(words));
  auto const run = mmm::simulate(m, mmm::threads(p),
                                 [&](auto on) { program(on, on.array(a.begin(), a.end())); });
  CHECK(run.cost.stages == estimated.stages);
  CHECK(run.cost.time == estimated.time);
}

}  // namespace checks
