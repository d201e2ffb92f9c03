// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/machine/clustered.hpp>

#include "catch.hpp"

#include <stdexcept>

namespace {

using mmm::dynamic;
using fixed = mmm::hmm<8, 32, 1, 400, 1024, 4>;
using any = mmm::hmm<dynamic, dynamic, dynamic, dynamic>;

static_assert(mmm::clustered_machine<mmm::clustered<fixed, 4, 30>>);
static_assert(mmm::clustered_machine<mmm::clustered<any, dynamic, dynamic>>);
static_assert(!mmm::clustered_machine<fixed> && !mmm::clustered_machine<mmm::dmm<32, 1>>);
static_assert(sizeof(mmm::clustered<fixed, 4, 30>) == 1);

constexpr mmm::clustered<fixed, 4, 30> machine;
static_assert(machine.cluster_size() == 4 && machine.clusters() == 2 && machine.dmms() == 8);
static_assert(machine.peer().latency() == 30 && machine.peer().width() == 32);
static_assert(machine.shared().latency() == 1 && machine.global().ports() == 4);
static_assert(mmm::clustered<any, dynamic, dynamic>(any(6, 24, 1, 9), 3, 7).clusters() == 2);
static_assert(mmm::clustered<any, dynamic, dynamic>(any(6, 24, 1, 9), 3, 7).peer().width() == 24);
static_assert(mmm::clustered<fixed, dynamic, 30>(fixed(), 4).cluster_size() == 4);
static_assert(mmm::clustered<fixed, 4, dynamic>(fixed(), 5).peer().latency() == 5);

}  // namespace

TEST_CASE("what machines with clusters refuse at run time") {
  using Catch::Matchers::Contains;
  using clusters = mmm::clustered<any, dynamic, dynamic>;
  any const m(12, 4, 1, 9);
  CHECK(clusters(m, 12, 1).clusters() == 1);
  CHECK_THROWS_WITH(clusters(m, 0, 5), Contains("DMMs in a cluster is 0; accepted: 1 or more"));
  CHECK_THROWS_WITH(clusters(any(34, 4, 1, 9), 17, 5), Contains("is 17; accepted: 1 to 16"));
  CHECK_THROWS_WITH(clusters(m, 5, 5), Contains("is 5; accepted: a divisor of the machine's"));
  CHECK_THROWS_WITH(clusters(m, 4, 0), Contains("latency of a peer's memory is 0"));
  CHECK_THROWS_AS(clusters(m, -1, 5), std::invalid_argument);
}
