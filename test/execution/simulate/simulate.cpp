// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worked examples of the papers, and formulas of simple programs.
#include <mmm/execution/simulate/parallel.hpp>
#include <mmm/execution/simulate/simulate.hpp>

#include "catch.hpp"

#include <numeric>
#include <vector>

namespace {

using mmm::index;

// Thread t reads address table[t].
auto reads(std::vector<index> const& table) {
  return [&table](auto on) {
    auto const a = on.template allocate<int>(1000);
    on.each(static_cast<index>(table.size()), [&](auto i) {
      auto const e = decltype(i)::by_lane([&](int t) {
        auto const k = static_cast<std::size_t>(i[t]);
        return k < table.size() ? table[k] : 0;
      });
      static_cast<void>(mmm::load(a[e]));
    });
  };
}

template <class M>
index time_of(std::vector<index> const& table) {
  auto const run = mmm::simulate<M>(mmm::threads(static_cast<index>(table.size())), reads(table));
  CHECK(mmm::recomputed_time(M(), run.trace) == run.cost.time);
  CHECK(run.pipelined_time <= run.cost.time);
  CHECK(run.cost.rounds == 1);
  return run.cost.time;
}

TEST_CASE("the papers' figures come out of the simulation", "[simulate]") {
  std::vector<index> const fig4{0, 1, 5, 10, 8, 9, 14, 15};
  CHECK(time_of<mmm::dmm<4, 3>>(fig4) == 5);
  CHECK(time_of<mmm::umm<4, 3>>(fig4) == 7);
  std::vector<index> const fig3{7, 5, 15, 0, 10, 11, 12, 9};
  CHECK(time_of<mmm::dmm<4, 5>>(fig3) == 7);
  CHECK(time_of<mmm::umm<4, 5>>(fig3) == 9);
  CHECK(time_of<mmm::dmm<4, 4>>(fig3) == 6);
  CHECK(time_of<mmm::umm<4, 6>>(fig3) == 10);
  std::vector<index> const groups{0, 4, 8, 9, 12, 13, 14, 15};
  CHECK(time_of<mmm::umm<4, 5>>(groups) == 8);
  CHECK(time_of<mmm::hmm<1, 4, 1, 5>>(groups) == 8);
  CHECK(time_of<mmm::hmm<2, 4, 1, 5>>(groups) == 8);
  CHECK(time_of<mmm::umm<4, 5, 2>>(groups) == 6);
  CHECK(time_of<mmm::pram>(fig3) == 1);
  CHECK(time_of<mmm::bpram<4>>(fig3) == 2);
  CHECK(time_of<mmm::bpram<3>>(fig3) == 3);
  CHECK(time_of<mmm::bpram<4>>({5, 5, 5, 5, 5}) == 2);
}

template <class M>
mmm::cost strided(index n, index p, index stride) {
  auto const run = mmm::simulate<M>(mmm::threads(p), [&](auto on) {
    auto const a = on.template allocate<float>(n);
    index const rows = n / stride;
    on.each(n, [=](auto i) { a[stride == 1 ? i : (i % rows) * stride + i / rows] = 1.0F; });
    return std::accumulate(a, a + n, 0.0F);
  });
  CHECK(run.result == static_cast<float>(n));
  CHECK(run.race_count == 0);
  CHECK(mmm::recomputed_time(M(), run.trace) == run.cost.time);
  CHECK(run.trace.entries.size() == static_cast<std::size_t>(n));
  return run.cost;
}

TEST_CASE("contiguous and stride access take the papers' times", "[simulate]") {
  for (index p : {4, 8, 16, 64}) {
    index const n = 256;
    index const l = 7;
    CHECK(strided<mmm::dmm<4, 7>>(n, p, 1).time == (p / 4 + l - 1) * (n / p));
    CHECK(strided<mmm::umm<4, 7>>(n, p, 1).time == (p / 4 + l - 1) * (n / p));
    index const s = n / p;
    if (s >= 4) {
      CHECK(strided<mmm::dmm<4, 7>>(n, p, s).time ==
            (std::gcd(s, index{4}) * (p / 4) + l - 1) * (n / p));
      CHECK(strided<mmm::umm<4, 7>>(n, p, s).time == (p + l - 1) * (n / p));
    }
  }
}

TEST_CASE("copying from the global to the shared memories takes the papers' time", "[simulate]") {
  constexpr index n = 240, d = 3, w = 4, l = 2, latency = 9, p = 20;
  using machine = mmm::hmm<d, w, l, latency>;
  std::vector<int> source(n);
  std::iota(source.begin(), source.end(), 0);
  std::vector<int> target(n);
  auto const run = mmm::simulate<machine>(mmm::threads(d * p), [&](auto on) {
    auto const from = on.array(source.begin(), source.end());
    auto const to = on.array(target.begin(), target.end());
    CHECK(on.threads() == d * p);
    CHECK(on.threads_per_dmm() == p);
    on.each_dmm([=](auto block, index dmm) {
      CHECK(block.threads() == p);
      auto const shared = block.template allocate<int>(n / d);
      block.each(n / d, [=](auto i) { shared[i] = from[i + dmm * (n / d)]; });
      block.each(n / d, [=](auto i) { to[i + dmm * (n / d)] = shared[i]; });
    });
  });
  index const one_way = n / (p * d) * ((p * d / w + latency - 1) + (p / w + l - 1));
  CHECK(run.cost.time == 2 * one_way);
  CHECK(run.cost.rounds == 2 * 2 * n / (p * d));
  CHECK(mmm::recomputed_time(machine(), run.trace) == run.cost.time);
  CHECK(run.race_count == 0);
  CHECK(target == source);
}

TEST_CASE("partial warps, few items, no items", "[simulate]") {
  for (index p : {1, 3, 4, 5, 10})
    for (index n : {0, 1, 2, 4, 5, 9, 10, 11, 31}) {
      index stages = 0;
      index time = 0;
      for (index first = 0; first < n; first += p) {
        index const here = std::min(p, n - first);
        index groups = 0;
        index banks = 0;
        for (index t = 0; t < here; t += 4) {
          index const last = first + std::min(t + 3, here - 1);
          groups += last / 4 - (first + t) / 4 + 1;
          ++banks;
        }
        stages += groups;
        time += groups + 5 - 1;
        static_cast<void>(banks);
      }
      CAPTURE(p, n);
      mmm::cost const c = strided<mmm::umm<4, 5>>(n, p, 1);
      CHECK(c.stages == stages);
      CHECK(c.time == time);
      CHECK(c.rounds == (n + p - 1) / p);
      CHECK(strided<mmm::dmm<1, 1>>(n, p, 1).time == n);
      CHECK(strided<mmm::pram>(n, p, 1).time == (n + p - 1) / p);
    }
}

TEST_CASE("a step that nobody accesses costs nothing", "[simulate]") {
  auto const run = mmm::simulate<mmm::dmm<4, 5>>(mmm::threads(8), [](auto on) {
    auto const a = on.template allocate<int>(8);
    on.each(0, [=](auto i) { a[i] = 1; });
    on.each(8, [=](auto) {});
    on.each(8, [=](auto i) { mmm::store_if(i < 0, a[i + 100], 1); });
  });
  CHECK(run.cost == mmm::cost{0, 0, 0, false});
  CHECK(run.pipelined_time == 0);
  CHECK(run.trace.entries.empty());
  CHECK(run.result == mmm::nothing());
}

TEST_CASE("requests of different warps overlap in the pipeline", "[simulate]") {
  // Two warps, latency 5: W0 starts in unit 1, W1 in 2, W0 again in 6, W1 in 7, which completes at
  // the end of unit 11. In rounds the time is 2 * 6.
  auto const run = mmm::simulate<mmm::dmm<4, 5>>(mmm::threads(8), [](auto on) {
    auto const a = on.template allocate<int>(16);
    on.each(16, [=](auto i) { a[i] = 1; });
  });
  CHECK(run.cost.time == 12);
  CHECK(run.pipelined_time == 11);
}

TEST_CASE("DMMs on all cores give the same as one after the other", "[simulate]") {
  std::vector<float> data(1 << 12);
  std::iota(data.begin(), data.end(), 0.0F);
  auto const program = [&](auto on) {
    auto const a = on.array(data.begin(), data.end());
    auto const sums = on.template allocate<float>(on.dmms());
    index const part = static_cast<index>(data.size()) / on.dmms();
    on.each_dmm([=](auto block, index dmm) {
      auto const s = block.template allocate<float>(part);
      block.each(part, [=](auto i) { s[i] = a[dmm * part + i]; });
      for (index half = part / 2; half > 0; half /= 2)
        block.each(half, [=](auto i) { s[i] = s[i] + s[i + half]; });
      block.each(1, [=](auto i) { sums[i + dmm] = s[i]; });
    });
    return std::accumulate(sums, sums + on.dmms(), 0.0F);
  };
  using machine = mmm::hmm<8, 32, 2, 100>;
  auto const alone = mmm::simulate<machine>(mmm::threads(1024), program);
  auto const together =
      mmm::simulate<machine>(mmm::threads(1024), program, mmm::observe_cost, mmm::parallel);
  CHECK(alone.result == std::accumulate(data.begin(), data.end(), 0.0F));
  CHECK(together.result == alone.result);
  CHECK(together.cost == alone.cost);
  CHECK(together.pipelined_time == alone.pipelined_time);
  CHECK(alone.race_count == 0);
  CHECK(mmm::recomputed_time(machine(), alone.trace) == alone.cost.time);

  auto const failing = [](auto on) {
    on.each_dmm([](auto, index dmm) {
      if (dmm == 1) throw std::runtime_error("one");
    });
  };
  CHECK_THROWS_WITH(
      mmm::simulate<machine>(mmm::threads(8), failing, mmm::observe_cost, mmm::parallel), "one");
}

}  // namespace
