// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of period and increment, and of the split over warps, on random expressions.
#include <mmm/index/period.hpp>
#include <mmm/index/warp_split.hpp>

#include "rapidcheck.hpp"
#include "support/naive_model.hpp"
#include "support/random_expression.hpp"

#include <stdexcept>

using mmm::index;
using random_expression::between;

namespace {

struct tally {
  int cases = 0;
  int yes = 0;
};

random_expression::tree any_tree(index width) {
  random_expression::material const of{width, 0, false};
  random_expression::tree e(random_expression::any_expression(of, static_cast<int>(between(1, 4))));
  RC_LOG() << "expression " << e << "\n";
  return e;
}

index value(random_expression::tree const& e, index i) {
  return naive_model::value(e.root, {i, 0, 0, 0});
}

//! True if e(W * j + t) == e(W * j) + e(t) - e(0) for the first `warps` warps.
template <int W>
bool splits(random_expression::tree const& e, index warps) {
  for (index j = 0; j < warps; ++j)
    for (int t = 0; t < W; ++t)
      if (value(e, W * j + t) - value(e, W * j) != value(e, t) - value(e, 0)) return false;
  return true;
}

template <int W>
void split_is_right(tally& count) {
  auto const e = any_tree(W);
  mmm::motion const moves = mmm::period_of(e);
  try {
    bool const claimed = mmm::splits_over_warps<W>(e);
    ++count.cases;
    count.yes += claimed;
    if (claimed) RC_ASSERT(splits<W>(e, 300));
    if (!claimed && moves.periodic && moves.period <= 2000) RC_ASSERT(!splits<W>(e, moves.period));
  } catch (naive_model::out_of_range const&) {
    RC_DISCARD("a value over 64 bits");
  } catch (std::overflow_error const&) {
    RC_DISCARD("a bound over 64 bits");
  }
}

}  // namespace

TEST_CASE("e(i + period) == e(i) + increment") {
  tally count;
  holds("period and increment", [&] {
    auto const e = any_tree(8);
    mmm::motion const moves = mmm::period_of(e);
    RC_LOG() << "period " << moves.period << " increment " << moves.increment << "\n";
    ++count.cases;
    if (!moves.periodic) {
      RC_ASSERT(moves == mmm::motion{});
      return;
    }
    ++count.yes;
    RC_ASSERT(moves.period >= 1);
    try {
      for (index i = 0; i < 600; ++i)
        RC_ASSERT(value(e, i + moves.period) == value(e, i) + moves.increment);
      index const far = between(0, 1000000);
      RC_ASSERT(value(e, far + moves.period) == value(e, far) + moves.increment);
    } catch (naive_model::out_of_range const&) {
      RC_DISCARD("a value over 64 bits");
    }
  });
  INFO(count.yes << " of " << count.cases << " expressions are periodic");
  CHECK(count.yes * 3 > count.cases);
}

TEST_CASE("e(w * j + t) == base(j) + offset(t)") {
  tally count;
  holds("split over warps of 1", [&] { split_is_right<1>(count); });
  holds("split over warps of 4", [&] { split_is_right<4>(count); });
  holds("split over warps of 32", [&] { split_is_right<32>(count); });
  INFO(count.yes << " of " << count.cases << " expressions split");
  CHECK(count.yes * 5 > count.cases);
  CHECK(count.yes < count.cases);
}
