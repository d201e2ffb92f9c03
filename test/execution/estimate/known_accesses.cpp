// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/estimate/known_accesses.hpp>
#include <mmm/machine/machine.hpp>

#include <catch.hpp>

using mmm::detail::shared_known_accesses;

namespace {

template <class M>
mmm::cost cost_of_transpose(M const& m, mmm::index side) {
  return mmm::cost_of(m, mmm::transpose_straightforward, mmm::size(side), mmm::threads(64));
}

using memory = mmm::umm<32, mmm::dynamic, mmm::dynamic>;
using banks = mmm::dmm<32, mmm::dynamic>;

}  // namespace

TEST_CASE("estimates that share known accesses have the costs of estimates that do not") {
  auto const check_all = [](auto const& expected) {
    int k = 0;
    for (mmm::index const side : {31, 32, 33})
      for (mmm::index const latency : {1, 7}) {
        for (mmm::index const ports : {1, 3})
          CHECK(cost_of_transpose(memory(latency, ports), side) == expected[k++]);
        CHECK(cost_of_transpose(banks(latency), side) == expected[k++]);
        CHECK(cost_of_transpose(mmm::umm<16, 7>{}, side) == expected[k++]);
      }
  };
  mmm::cost expected[24];
  int k = 0;
  for (mmm::index const side : {31, 32, 33})
    for (mmm::index const latency : {1, 7}) {
      for (mmm::index const ports : {1, 3})
        expected[k++] = cost_of_transpose(memory(latency, ports), side);
      expected[k++] = cost_of_transpose(banks(latency), side);
      expected[k++] = cost_of_transpose(mmm::umm<16, 7>{}, side);
    }
  CHECK(expected[0] != expected[1]);
  shared_known_accesses const shared;
  check_all(expected);
  check_all(expected);  // all are known now
}

TEST_CASE("known accesses are shared while an object of the scope exists, and by inner ones") {
  CHECK(shared_known_accesses::current() == nullptr);
  {
    shared_known_accesses const outer;
    auto* const known = shared_known_accesses::current();
    CHECK(known != nullptr);
    {
      shared_known_accesses const inner;
      CHECK(shared_known_accesses::current() == known);
    }
    CHECK(shared_known_accesses::current() == known);
  }
  CHECK(shared_known_accesses::current() == nullptr);
}
