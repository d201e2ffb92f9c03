// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters of machines: their parameters, fixed and at run time, and the time of an exchange.
#include <mmm/machine/cluster.hpp>
#include <mmm/machine/clustered.hpp>

#include "catch.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace {

using mmm::dynamic;
using mmm::gap;
using mmm::index;
using gpu = mmm::hmm<2, 4, 1, 9>;
using any_gpu = mmm::hmm<dynamic, dynamic, dynamic, dynamic>;
using fixed = mmm::cluster<5, 3, 70, gpu>;
using any = mmm::cluster<dynamic, dynamic, dynamic, any_gpu>;

static_assert(mmm::cluster_machine<fixed> && mmm::cluster_machine<any>);
static_assert(mmm::cluster_machine<mmm::cluster<1, 1, 1, mmm::pram>>);
static_assert(!mmm::cluster_machine<gpu> && !mmm::machine<fixed>);
static_assert(!mmm::cluster_machine<mmm::clustered<mmm::hmm<4, 4, 1, 9>, 2, 3>>);
static_assert(sizeof(fixed) == 1);

constexpr fixed five;
static_assert(five.nodes() == 5 && five.network_latency() == 70 && five.message_overhead() == 0);
static_assert(five.network_gap() == gap(3) && five.node() == gpu());
static_assert(mmm::cluster<2, gap(1, 64), 70, gpu, 6>().network_gap() == gap(1, 64));
static_assert(mmm::cluster<2, gap(1, 64), 70, gpu, 6>().message_overhead() == 6);

// Each choice of dynamic parameters, in the order nodes, gap, latency.
constexpr any_gpu one_gpu(2, 4, 1, 9);
template <class M, class... Values>
constexpr bool is_five(Values... given) {
  M const m(given...);
  return m.nodes() == 5 && m.network_gap() == gap(3, 2) && m.network_latency() == 70;
}
static_assert(is_five<mmm::cluster<5, gap(3, 2), 70, gpu>>());
static_assert(is_five<mmm::cluster<dynamic, gap(3, 2), 70, gpu>>(5));
static_assert(is_five<mmm::cluster<5, dynamic, 70, gpu>>(gap(3, 2)));
static_assert(is_five<mmm::cluster<5, gap(3, 2), dynamic, gpu>>(70));
static_assert(is_five<mmm::cluster<dynamic, dynamic, 70, gpu>>(5, gap(3, 2)));
static_assert(is_five<mmm::cluster<dynamic, gap(3, 2), dynamic, gpu>>(5, 70));
static_assert(is_five<mmm::cluster<5, dynamic, dynamic, gpu>>(gap(3, 2), 70));
static_assert(is_five<mmm::cluster<dynamic, dynamic, dynamic, gpu>>(5, gap(3, 2), 70));
static_assert(is_five<any>(one_gpu, 5, gap(3, 2), 70) && any(one_gpu, 5, 3, 70).node() == one_gpu);
static_assert(is_five<mmm::cluster<5, gap(3, 2), 70, any_gpu>>(one_gpu));
static_assert(any(one_gpu, 5, 3, 70) == any(one_gpu, 5, gap(3), 70));
static_assert(!(any(one_gpu, 5, 3, 70) == any(one_gpu, 5, 4, 70)));

// Refused: too few values, too many, a gap in another's place, no node's values.
template <class M, class... Values>
constexpr bool made_of = std::is_constructible_v<M, Values...>;
static_assert(made_of<mmm::cluster<dynamic, dynamic, 70, gpu>, int, gap>);
static_assert(!made_of<mmm::cluster<dynamic, dynamic, 70, gpu>, int>);
static_assert(!made_of<mmm::cluster<dynamic, dynamic, 70, gpu>, int, int, int>);
static_assert(!made_of<mmm::cluster<dynamic, dynamic, 70, gpu>, gap, int>);
static_assert(!made_of<mmm::cluster<5, 3, dynamic, gpu>, gap>);
static_assert(!made_of<mmm::cluster<5, 3, 70, gpu>, int> && !made_of<any> &&
              !made_of<any, int, int, int>);

constexpr index limit = INT64_MAX;
using exchanging = mmm::cluster<4, gap(3, 2), 10, gpu, 7>;
// No word, no time; else ceil(3 h / 2) + 7 messages + 10.
static_assert(mmm::exchange_time(exchanging(), 0, 0) == 0);
static_assert(mmm::exchange_time(exchanging(), 1, 1) == 2 + 7 + 10);
static_assert(mmm::exchange_time(exchanging(), 2, 1) == 3 + 7 + 10);
static_assert(mmm::exchange_time(exchanging(), 3, 2) == 5 + 14 + 10);
static_assert(mmm::exchange_time(fixed(), index{1} << 40, 3) == (index{3} << 40) + 70);
static_assert(mmm::exchange_time(mmm::cluster<2, 1, 1, gpu>(), limit - 1, 1) == limit);

}  // namespace

TEST_CASE("an exchange's time is exact for every number of words", "[cluster]") {
  for (index const time : {1, 2, 3, 7})
    for (index const words : {1, 2, 3, 64}) {
      mmm::cluster<2, dynamic, 10, gpu, 3> const m{gap(time, words)};
      for (index h = 1; h <= 200; ++h) {
        index moved = 0;  // the least with moved * words >= h * time
        while (moved * words < h * time) ++moved;
        REQUIRE(mmm::exchange_time(m, h, 2) == moved + 6 + 10);
      }
    }
}

TEST_CASE("an exchange's time over 64 bits is refused", "[cluster]") {
  using one = mmm::cluster<2, 1, 1, gpu>;
  using gapped = mmm::cluster<2, gap(2, 3), 1, gpu>;
  using with_overhead = mmm::cluster<2, 1, 1, gpu, 2>;
  CHECK(mmm::exchange_time(one(), limit - 1, 1) == limit);
  CHECK_THROWS_AS(mmm::exchange_time(one(), limit, 1), std::overflow_error);
  CHECK_THROWS_AS(mmm::exchange_time(gapped(), limit / 2 + 1, 1), std::overflow_error);
  CHECK_THROWS_AS(mmm::exchange_time(with_overhead(), 1, limit), std::overflow_error);
  CHECK_THROWS_AS(mmm::exchange_time(with_overhead(), limit - 3, 2), std::overflow_error);
}

TEST_CASE("what clusters refuse at run time", "[cluster]") {
  using Catch::Matchers::Contains;
  for (index const x : {index{0}, index{-1}, INT64_MIN}) {
    CAPTURE(x);
    std::string const is = " is " + std::to_string(x) + "; accepted: 1 or more";
    CHECK_THROWS_WITH(any(one_gpu, x, 3, 70), Contains("the number of nodes" + is));
    CHECK_THROWS_WITH(any(one_gpu, 5, x, 70),
                      Contains("gap of a network in time units per word" + is));
    CHECK_THROWS_WITH(any(one_gpu, 5, 3, x), Contains("the network's latency" + is));
    CHECK_THROWS_WITH(gap(1, x), Contains("the words of a network's gap" + is));
    if (x != dynamic) CHECK_THROWS_AS(gap(x), std::invalid_argument);
  }
  CHECK_THROWS_WITH(any(one_gpu, 5, gap(dynamic), 70), Contains("gap of a network"));
  CHECK(any(one_gpu, 1, 1, 1).nodes() == 1);
}
