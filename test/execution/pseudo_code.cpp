// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A back end that the library does not know (support/pseudo_code.hpp) runs its algorithms.
#include "support/pseudo_code.hpp"

#include <mmm/mmm.hpp>

#include "catch.hpp"

static_assert(mmm::thread_handle<pseudo::handle<mmm::dmm<32, 4>, false>>);
static_assert(mmm::machine_handle<pseudo::handle<mmm::hmm<2, 4, 1, 9>, true>>);

TEST_CASE("the tree sum as pseudo-code") {
  auto const text = pseudo::pseudo_code<mmm::dmm<32, 4>>(
      mmm::threads(8), [](auto& on) { mmm::tree_sum<>{}(on, on.template allocate<float>(8), 8); });
  CHECK(text == "array0: 8 words\n"
                "for i in 0..4 parallel:\n"
                "  x1 = array0[i]\n"
                "  x2 = array0[i + 4]\n"
                "  array0[i] = x1 + x2\n"
                "for i in 0..2 parallel:\n"
                "  x3 = array0[i]\n"
                "  x4 = array0[i + 2]\n"
                "  array0[i] = x3 + x4\n"
                "for i in 0..1 parallel:\n"
                "  x5 = array0[i]\n"
                "  x6 = array0[i + 1]\n"
                "  array0[i] = x5 + x6\n");
}

TEST_CASE("a barrier without a step as pseudo-code") {
  auto const text = pseudo::pseudo_code<mmm::dmm<32, 4>>(mmm::threads(8), [](auto& on) {
    auto const a = on.template allocate<int>(8);
    on.repeat(3, [&](auto k) { on.each(8, [=](auto i) { a[i] = k; }, mmm::no_barrier); });
    on.barrier();
  });
  CHECK(text == "array0: 8 words\n"
                "for k1 in 0..3:\n"
                "  for i in 0..8 parallel, without a barrier:\n"
                "    array0[i] = k1\n"
                "barrier\n");
}

TEST_CASE("the sum on two DMMs as pseudo-code") {
  auto const text = pseudo::pseudo_code<mmm::hmm<2, 2, 1, 9>>(mmm::threads(4), [](auto& on) {
    auto const a = on.template allocate<float>(8);
    mmm::dmm_sums<>{}(on, a, 8, 2, on.template allocate<float>(2));
  });
  CHECK(
      text ==
      "global0: 8 words\n"
      "global1: 2 words\n"
      "for dmm in 0..2 at the same time:\n"
      "  array3: 2 words\n"
      "  for i in 0..2 parallel:\n"
      "    x4 = global0[(dmm * 2) + i]\n"
      "    r2[i] = x4\n"
      "  for k5 in 0..1:\n"
      "    for i in 0..2 parallel:\n"
      "      x6 = r2[i]\n"
      "      x7 = global0[(((k5 + 1) * 4) + (dmm * 2)) + i] if ((((k5 + 1) * 4) + (dmm * 2)) + i) "
      "< 8 else x6\n"
      "      r2[i] = (x6 + x7) if ((((k5 + 1) * 4) + (dmm * 2)) + i) < 8 else x6\n"
      "  for i in 0..2 parallel:\n"
      "    x8 = r2[i]\n"
      "    array3[i] = x8\n"
      "  for i in 0..1 parallel:\n"
      "    x9 = array3[i]\n"
      "    x10 = array3[i + 1]\n"
      "    array3[i] = x9 + x10\n"
      "  for i in 0..1 parallel:\n"
      "    x11 = array3[i]\n"
      "    global1[dmm + i] = x11\n");
}
