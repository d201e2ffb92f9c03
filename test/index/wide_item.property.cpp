// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wide accesses: estimate = the definition, lane by lane and word by word.
#include "wide_item_property_checks.hpp"

namespace {

using checks::wide_items::agrees;
using mmm::index;
using random_expression::between;

}  // namespace

TEST_CASE("wide accesses on banks") {
  agrees("dmm, w = 3", mmm::dmm<3, 2>());
  agrees("dmm, w = 32", mmm::dmm<32, 1>());
}
TEST_CASE("wide accesses on address groups") {
  agrees("umm, w = 4, 3 ports", mmm::umm<4, 5, 3>());
  agrees("umm, w = 32", mmm::umm<32, 9>());
}
TEST_CASE("wide accesses without warps") {
  agrees("bpram, w = 4", mmm::bpram<4>());
  agrees("pram", mmm::pram());
}

TEST_CASE("what is known of a value up to multiples is so") {
  holds("congruence", [] {
    index const of = index{1} << between(0, 4);
    auto const number = [] { return mmm::constant(between(-20, 20)); };
    mmm::constant const a = number(), b = number(), c = number();
    mmm::constant const d(between(1, 20));
    auto const i = mmm::item;
    auto const check = [&](auto const& e) {
      mmm::detail::congruence const known = mmm::detail::congruence_of(e, of);
      RC_ASSERT(of % known.modulus == 0);
      for (index at = 0; at < 50; ++at)
        RC_ASSERT(mmm::detail::floor_modulo(e(at) - known.residue, known.modulus) == 0);
    };
    check(a + b * i - c);
    check((a * i + b) * (c * i + d));
    check((a + b * i) % d + c * mmm::literal<4>);
    check(min(a + b * i, c * i + d));
    check(select(i < d, a * i, b + c * i));
    check((a * i + b) ^ (c * i));
    check((a * i + b) / d);
  });
}
