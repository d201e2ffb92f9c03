// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of clusters (execution/cluster.hpp), and what their accesses cost.
#include <mmm/execution/cluster.hpp>
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"
#include "support/cluster_checks.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace {

using mmm::index;
using dynamic_hmm = mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic>;
using dynamic_clusters = mmm::clustered<dynamic_hmm, mmm::dynamic, mmm::dynamic>;
using four = mmm::clustered<mmm::hmm<4, 4, 2, 9, 64>, 2, 5>;

static_assert(mmm::cluster_handle<mmm::detail::symbolic_cluster<four>>);
static_assert(mmm::cluster_handle<mmm::detail::kernel_cluster<four, mmm::detail::host_team>>);
static_assert(
    mmm::cluster_handle<mmm::detail::kernel_cluster<four, mmm::detail::planning_team<four>>>);
static_assert(mmm::machine_handle<mmm::detail::symbolic_handle<four, true>>);

struct cluster_shape {
  index dmms, cluster, threads, words;
};
constexpr cluster_shape shapes[] = {{4, 2, 8, 8}, {4, 4, 4, 4},  {2, 2, 5, 11}, {6, 3, 3, 7},
                                    {3, 1, 4, 5}, {4, 2, 12, 3}, {1, 1, 1, 2},  {8, 8, 2, 1}};

template <class M, class Program>
auto on_host_threads(M const& m, index threads, index n, Program const& program) {
  std::vector<index> out(static_cast<std::size_t>(n), -1);
  mmm::host_threads<M> const on(m, mmm::threads(threads));
  mmm::run(on, program, m.dmms() == 0 ? 0 : n / m.dmms(), mmm::writes<index>(out.begin(), n));
  return out;
}

}  // namespace

TEST_CASE("clusters of a simulation, its estimate and its trace agree, and so do host threads") {
  for (cluster_shape const& s : shapes)
    for (mmm::index const latency : {1, 6}) {
      CAPTURE(s.dmms, s.cluster, s.threads, s.words, latency);
      dynamic_clusters const m(dynamic_hmm(s.dmms, 2, 9), s.cluster, latency);
      mmm::index const n = s.dmms * s.words;
      auto const p = mmm::threads(s.dmms * s.threads);
      std::vector<mmm::index> out(static_cast<std::size_t>(n), -1);
      auto const run = mmm::simulate(m, p, [&](auto& on) {
        mmm::run(on, checks::all_of_a_cluster{}, s.words, mmm::writes<mmm::index>(out.begin(), n));
      });
      CHECK(out == checks::all_of_a_cluster::expected(s.dmms / s.cluster, s.cluster, s.words));
      CHECK(run.race_count == 0);
      auto const estimated = mmm::estimate(m, p, [&](auto& on) {
        mmm::run(on, checks::all_of_a_cluster{}, s.words,
                 mmm::writes<mmm::index>(mmm::no_data{}, n));
      });
      CHECK(run.cost.rounds == estimated.rounds);
      CHECK(run.cost.stages == estimated.stages);
      CHECK(run.cost.time == estimated.time);
      CHECK(run.cost.time == mmm::recomputed_time(m, run.trace));
      CHECK(run.pipelined_time <= run.cost.time);
      CHECK(on_host_threads(m, p.count, n, checks::all_of_a_cluster{}) == out);
    }
}

namespace {

//! The pipelined time of a step in which thread 0 of each of four DMMs, clusters of two, reads
//! `reads` words of a peer one after the other, and of a step before it that keeps DMM 0 longer.
template <class Rank>
mmm::index pipelined(Rank const& rank, mmm::index reads, mmm::index steps_of_first) {
  auto const run = mmm::simulate<four>(mmm::threads(16), [&](auto& on) {
    on.each_cluster([&](auto& cluster, auto) {
      auto const a = cluster.template allocate<int>(8);
      cluster.each_dmm([&](auto& block, auto r) {
        block.repeat(r == 0 ? steps_of_first : 1,
                     [&](auto) { block.each(4, [=](auto i) { a[i] = 1; }); });
      });
      cluster.each_dmm([&](auto& block, auto r) {
        block.repeat(reads, [&](auto) {
          block.each(4, [=](auto i) { static_cast<void>(mmm::load(a(rank(r, i), i))); });
        });
      });
    });
  });
  CHECK(run.race_count == 0);
  CHECK(mmm::recomputed_time(four(), run.trace) == run.cost.time);
  return run.pipelined_time;
}

}  // namespace

TEST_CASE("pipelined time at the ports of peers, and at a barrier of a cluster") {
  auto const other = [](auto r, auto) { return 1 - r; };
  auto const first = [](auto, auto) { return 0; };
  auto const both = [](auto, auto i) { return i % 2; };
  CHECK(pipelined(other, 1, 1) == 2 + 5);
  CHECK(pipelined(other, 3, 1) == 2 + 3 * 5);
  CHECK(pipelined(first, 1, 1) == 2 + 1 + 5);  // two requests at one port
  CHECK(pipelined(both, 1, 1) == 2 + 1 + 5);   // at each of the two, both DMMs' requests
  CHECK(pipelined(other, 1, 4) == 4 * 2 + 5);  // DMM 1 waits for DMM 0
}

TEST_CASE("races between the DMMs of a cluster") {
  // word k of rank 0 is written by rank 0; who reads it, after which barrier
  auto const races = [](bool barrier, bool by_peer, bool write) {
    auto const run = mmm::simulate<four>(mmm::threads(16), [&](auto& on) {
      on.each_cluster(1, [&](auto& cluster, auto) {
        auto const a = cluster.template allocate<int>(8);
        auto const use = [=](auto& block, auto r) {
          block.each(r == (by_peer ? 1 : 0) ? 4 : 0, [=](auto i) {
            if (write)
              a(0 * i, i) = 2;
            else
              static_cast<void>(mmm::load(a(0 * i, i)));
          });
        };
        cluster.each_dmm([&](auto& block, auto r) {
          block.each(r == 0 ? 4 : 0, [=](auto i) { a[i] = 1; });
          if (!barrier) use(block, r);
        });
        if (barrier) cluster.each_dmm([&](auto& block, auto r) { use(block, r); });
      });
    });
    for (auto const& r : run.races) CHECK(r.space == mmm::memory_space::shared);
    return run.race_count;
  };
  CHECK(races(false, true, false) == 4);
  CHECK(races(false, true, true) == 4);
  CHECK(races(true, true, false) == 0);
  CHECK(races(true, true, true) == 0);
  CHECK(races(false, false, false) == 0);  // after a barrier of the DMM
  CHECK(races(false, false, true) == 0);
}

TEST_CASE("what clusters refuse") {
  auto const refused = [](auto const& program) {
    return [&program] { static_cast<void>(mmm::simulate<four>(mmm::threads(16), program)); };
  };
  auto const on_peers = [&](auto const& body) {
    return refused([&](auto& on) {
      on.each_cluster(1, [&](auto& cluster, auto) {
        auto const a = cluster.template allocate<int>(8);
        cluster.each_dmm([&](auto& block, auto r) { body(block, r, a); });
      });
    });
  };
  using Catch::Matchers::Contains;
  mmm::host_threads<four> const threads(mmm::threads(16));
  auto const too_many = [](auto& on) { on.each_cluster(3, [](auto&, auto) {}); };
  CHECK_THROWS_WITH(refused(too_many)(), Contains("clusters to use is 3"));
  CHECK_THROWS_AS(mmm::estimate<four>(mmm::threads(16), too_many), std::invalid_argument);
  CHECK_THROWS_AS(mmm::run(threads, too_many), std::invalid_argument);
  auto const too_large = [](auto& on) {
    on.each_cluster([](auto& cluster, auto) {
      static_cast<void>(cluster.template allocate<int>(60));
      cluster.each_dmm(
          [](auto& block, auto) { static_cast<void>(block.template allocate<int>(5)); });
    });
  };
  CHECK_THROWS_AS(refused(too_large)(), std::length_error);
  CHECK_THROWS_AS(mmm::estimate<four>(mmm::threads(16), too_large), std::length_error);
  CHECK_THROWS_AS(mmm::run(threads, too_large), std::length_error);
  CHECK_THROWS_WITH(
      on_peers([](auto& block, auto, auto a) { block.each(4, [=](auto i) { a(i, i) = 1; }); })(),
      Contains("item 2 writes a word of rank 2 of a cluster of 2 DMMs"));
  CHECK_THROWS_WITH(on_peers([](auto& block, auto, auto a) {
                      block.each(4, [=](auto i) { a(0, i + 5) = 1; });
                    })(),
                    Contains("item 3 writes element 8 of an array of 8 words"));
  CHECK_THROWS_AS(
      refused([](auto& on) {
        on.each_cluster([](auto& cluster, auto) { cluster.template allocate<int>(8)[0] = 1; });
      })(),
      std::logic_error);
}
