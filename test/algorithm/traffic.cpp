// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The traffic of programs: their accesses are those of a simulation's trace, and the figures those
// of a cache as a list of lines.
#include <mmm/algorithm/convolution/convolution.hpp>
#include <mmm/algorithm/copy/copy_through_shared.hpp>
#include <mmm/algorithm/copy/copy_wide.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/product/matrix_multiply.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/traffic.hpp>
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/execution/simulate/simulate.hpp>
#include <mmm/machine/machine.hpp>

#include "catch.hpp"
#include "support/naive_cache.hpp"

#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using umm = mmm::umm<4, 3>;
using wide_umm = mmm::umm<32, 1>;
using hmm = mmm::hmm<2, 4, 2, 5, 4096>;
using accesses = std::vector<std::pair<mmm::index, bool>>;

//! The accesses of each block to sectors, from a simulation's trace.
template <class M, class Program>
std::vector<accesses> traced(M const& m, mmm::threads p, Program const& program,
                             mmm::memory_cache const& cache) {
  auto const run = mmm::simulate(m, p, program);
  auto const& all = run.trace.entries;
  std::vector<accesses> blocks;
  for (std::size_t k = 0; k < all.size();) {
    auto const& first = all[k];
    mmm::index const warp = first.thread / m.width();
    std::set<mmm::index> sectors;
    for (; k < all.size() && all[k].round == first.round && all[k].dmm == first.dmm &&
           all[k].thread / m.width() == warp && all[k].space == first.space;
         ++k)
      for (mmm::index byte = 0; byte < cache.word_bytes; ++byte)
        sectors.insert((all[k].address * cache.word_bytes + byte) / cache.units.sector_bytes);
    if (mmm::hierarchical_machine<M> && first.space != mmm::memory_space::global) continue;
    auto const block = static_cast<std::size_t>(
        mmm::hierarchical_machine<M> ? first.dmm : first.thread / cache.threads_per_block);
    if (block >= blocks.size()) blocks.resize(block + 1);
    for (mmm::index const sector : sectors)
      blocks[block].push_back({sector, first.op != mmm::access_kind::read});
  }
  return blocks;
}

template <class M, class Program>
mmm::gpu::block_accesses recorded(M const& m, mmm::threads p, Program const& program,
                                  mmm::memory_cache const& cache) {
  mmm::detail::traffic_recorder<M> recorder(m, cache);
  static_cast<void>(mmm::estimate(
      mmm::detail::watched<M, mmm::detail::traffic_recorder<M>>(m, recorder), p, program));
  return recorder.blocks();
}

void compare(std::vector<accesses> const& wanted, mmm::gpu::block_accesses const& found,
             mmm::gpu::cache_units units, std::size_t resident) {
  REQUIRE(found.blocks() == wanted.size());
  for (std::size_t b = 0; b < wanted.size(); ++b) {
    accesses own;
    found.visit({b}, 1, [&](mmm::index sector, bool writes) { own.push_back({sector, writes}); });
    CAPTURE(b);
    CHECK(own == wanted[b]);
  }
  for (mmm::index const lines : {0, 1, 3, 16, 1000}) {
    auto const interval = mmm::gpu::traffic_over_orders(found, units, lines * units.line_bytes,
                                                        {.resident = resident, .random = 2});
    for (auto const& [order, traffic] : interval.orders) {
      naive_cache::cache naive(lines, units.line_bytes / units.sector_bytes);
      found.visit(order.numbers(found.blocks()), order.resident,
                  [&](mmm::index sector, bool writes) { naive.access(sector, writes); });
      mmm::index const moved = naive.read_misses + naive.write_backs + naive.left();
      CAPTURE(lines, order.text());
      CHECK(traffic.moved() == moved);
      CHECK(traffic.read_misses == naive.read_misses);
      CHECK(traffic.reads + traffic.writes == interval.accesses());
      CHECK(interval.lowest_bytes() <= moved * units.sector_bytes);
      CHECK(interval.highest_bytes() >= moved * units.sector_bytes);
      CHECK(moved >= interval.must_read + interval.must_write);
    }
  }
}
template <class M, class Program>
void compare(M const& m, mmm::threads p, Program const& program, mmm::memory_cache const& cache) {
  compare(traced(m, p, program, cache), recorded(m, p, program, cache), cache.units,
          static_cast<std::size_t>(cache.resident));
}

template <class M, class A, class... More>
void compare_algorithm(mmm::memory_cache const& cache, A const&, mmm::size n, mmm::threads p,
                       More const&... more) {
  auto const problem = mmm::detail::problem_of<A>(n, more...);
  compare(
      mmm::detail::machine_of<M>(), p, [&](auto& on) { static_cast<void>(problem.run(on)); },
      cache);
}

//! Loops around and in parallel-fors, conditions, updates, and a step that does not wait.
struct mixed {
  template <class On>
  void operator()(On& on) const {
    auto const words = on.template allocate<int>(64);
    auto const more = on.template allocate<int>(64);
    on.repeat(3, [&](auto k) {
      on.each(21, [=](auto i) { words[i + 2 * k] = mmm::load(more[i]); });
      on.repeat(2, [&](auto j) {
        on.each(13, [=](auto i) { more[i * 3 + j + k] = 1; }, mmm::no_barrier);
      });
    });
    on.each(40, [=](auto i) { mmm::store_if(i % 3 == 1, words[i], mmm::load(more[i])); });
  }
};

}  // namespace

TEST_CASE("the accesses of algorithms are those of a simulation") {
  mmm::memory_cache const small{.units = {16, 4}, .threads_per_block = 8, .resident = 2};
  for (mmm::index const n : {1, 5, 64, 100}) {
    CAPTURE(n);
    for (mmm::index const p : {4, 16, 24}) {
      CAPTURE(p);
      compare_algorithm<umm>(small, mmm::copy_wide, mmm::size(n), mmm::threads(p));
      compare_algorithm<hmm>(small, mmm::copy_through_shared, mmm::size(n), mmm::threads(p));
    }
  }
  compare_algorithm<umm>(small, mmm::sum, mmm::size(64), mmm::threads(16));
  compare_algorithm<umm>(small, mmm::transpose_straightforward, mmm::size(12), mmm::threads(16));
  compare_algorithm<umm>(small, mmm::convolution, mmm::size(40), mmm::threads(16), mmm::taps(5));
  compare_algorithm<hmm>(small, mmm::matrix_multiply, mmm::size(8), mmm::threads(16), mmm::tile(4));
  mmm::memory_cache const words_of_8{.word_bytes = 8, .threads_per_block = 64, .resident = 3};
  compare_algorithm<wide_umm>(words_of_8, mmm::copy_wide, mmm::size(700), mmm::threads(256));
}

TEST_CASE(
    "the accesses of loops, conditions and steps without a barrier are those of a simulation") {
  mmm::memory_cache const small{.units = {32, 8}, .threads_per_block = 4, .resident = 3};
  compare(umm{}, mmm::threads(12), mixed{}, small);
  compare(umm{}, mmm::threads(32), mixed{}, small);
  compare(hmm{}, mmm::threads(8), mixed{}, small);
}

TEST_CASE("blocks wait for each other at a barrier of all threads") {
  // Block b writes line b, then block b reads line 1 - b.
  auto const exchange = [](auto& on) {
    auto const words = on.template allocate<int>(64);
    on.each(64, [=](auto i) { words[i] = 1; });
    on.each(64, [=](auto i) { static_cast<void>(mmm::load(words[63 - i])); });
  };
  mmm::memory_cache const cache{.bytes = 128, .threads_per_block = 32, .random = 0};
  auto const found = mmm::traffic_program(wide_umm{}, mmm::threads(64), exchange, cache);
  REQUIRE(found.orders.size() == 4);
  // Without the barrier, block 1 would write its line before it is read in no order of one by one.
  for (auto const& [order, traffic] : found.orders) {
    CAPTURE(order.text());
    CHECK(traffic.write_backs == 8);
    CHECK(traffic.left == 0);
  }
  // Launch order: block 0 reads line 1, which block 1 has just written.
  CHECK(found.orders[0].traffic.read_misses == 4);
  CHECK(found.must_read == 0);
  CHECK(found.must_write == 8);
  CHECK(found.accesses() == 16);
}

TEST_CASE("an algorithm's traffic as a constant") {
  constexpr mmm::memory_cache holds_all{.bytes = 1 << 20};
  // Each word is read once and written once.
  STATIC_REQUIRE(
      mmm::traffic_of<wide_umm>(holds_all, mmm::copy_wide, mmm::size(64), mmm::threads(32))
          .highest_bytes() == 2 * 64 * 4);
  STATIC_REQUIRE(
      mmm::traffic_of<wide_umm>({.bytes = 0}, mmm::copy_wide, mmm::size(64), mmm::threads(32))
          .lowest_bytes() == 2 * 64 * 4);
}

TEST_CASE("a transpose fetches its sectors again where the cache is too small") {
  auto const moved = [](mmm::index bytes) {
    return mmm::traffic_of<wide_umm>({.bytes = bytes}, mmm::transpose_straightforward,
                                     mmm::size(128), mmm::threads(1024))
        .lowest_bytes();
  };
  CHECK(moved(1 << 20) == 2 * 128 * 128 * 4);  // the diagonal's words are in sectors with others
  CHECK(moved(1 << 10) > 3 * moved(1 << 20));
}

TEST_CASE("caches and blocks that cannot be are refused") {
  auto const refused = [](mmm::memory_cache const& cache) {
    CHECK_THROWS_AS(mmm::traffic_of<umm>(cache, mmm::copy_wide, mmm::size(8), mmm::threads(4)),
                    std::invalid_argument);
  };
  refused({.bytes = -1});
  refused({.units = {16, 32}});
  refused({.units = {128, 0}});
  refused({.word_bytes = 0});
  refused({.word_bytes = 1025});
  refused({.threads_per_block = 0});
  refused({.resident = -1});
  refused({.random = -1});
  // no items: no block, no traffic
  auto const none =
      mmm::traffic_of<umm>({.bytes = 128}, mmm::copy_wide, mmm::size(0), mmm::threads(4));
  CHECK(none.highest_bytes() == 0);
  CHECK(none.orders.size() == 1);
}
