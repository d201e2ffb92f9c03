// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "product_forms_checks.hpp"

TEST_CASE("products of matrices in any place, with the factors transposed the other way") {
  using namespace checks::placed_products;
  by_register_tiles<false, true>();
  by_register_tiles<true, false>();
  using banks = mmm::dmm<4, 2>;
  mmm::threads const p(8);
  one_by_one<false, false>(mmm::host_threads<machine>(mmm::threads(12)));
  one_by_one<true, true>(mmm::host_threads<banks>(p));
  static_cast<void>(mmm::simulate<banks>(p, [](auto on) { one_by_one<false, false>(on); }));
}
