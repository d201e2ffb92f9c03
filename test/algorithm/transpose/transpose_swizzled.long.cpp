// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transpose_swizzled_checks.hpp"

namespace {

using checks::transposes;

//! Tiles and accesses that the short tests combine in another way.
template <class M>
void further_transposes(M const& m) {
  transposes<16, 4>(m, 6 * m.dmms());
  transposes<8, 2, false>(m, 16 * m.dmms());
}

}  // namespace

TEST_CASE("transposes through further swizzled tiles, and on a wider machine") {
  checks::on_small_machines([](auto m) { further_transposes(m); });
  checks::wider_machine const m;
  transposes<8, 4>(m, 4 * m.dmms());
  transposes<8, 2>(m, 8 * m.dmms());
  transposes<16, 4, false>(m, 6 * m.dmms());
  transposes<8, 2>(m, 16 * m.dmms());
  further_transposes(m);
}
