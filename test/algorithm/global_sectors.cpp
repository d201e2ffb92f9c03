// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sectors of a program are those of its warps' requests, enumerated one by one.
#include <mmm/algorithm/global_sectors.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/scan/prefix_sums_one_pass.hpp>
#include <mmm/algorithm/transpose/transpose_swizzled.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include "catch.hpp"

#include <set>
#include <stdexcept>

namespace {

using mmm::index;
using machine = mmm::hmm<mmm::dynamic, 32, 2, 5, mmm::unlimited, mmm::dynamic>;

//! Accesses of each DMM, in each of `trips` trips, to words given by a function of item, DMM and
//! trip, those that a condition holds for; `V` words at once, or one.
template <index V, class Address, class Condition>
struct accesses {
  index items, dmms, trips;
  Address address;
  Condition holds;

  template <class On>
  void operator()(On& on) const {
    auto const a = on.template allocate<float>(1 << 20);
    auto const self = *this;
    on.each_dmm(dmms, [=](auto& block, auto dmm) {
      block.repeat(self.trips, [=, &block](auto trip) {
        block.each(self.items, [=](auto i) {
          auto const word = self.address(i, dmm, trip);
          if constexpr (V == 1)
            static_cast<void>(load_if(self.holds(i, dmm, trip), a[word], 0.0F));
          else
            static_cast<void>(load_if(self.holds(i, dmm, trip), mmm::wide<V>(a)[word], 0.0F));
        });
      });
    });
  }
  //! The sectors of 32 bytes that each warp's request touches, for one thread after the other. Each
  //! 16 bytes of a lane are in a request of their own.
  [[nodiscard]] index enumerated(index threads, index bytes) const {
    index const vec = V * bytes;
    index const piece = vec < 16 ? vec : 16;
    index sectors = 0;
    for (index dmm = 0; dmm < dmms; ++dmm)
      for (index trip = 0; trip < trips; ++trip)
        for (index chunk = 0; chunk < items; chunk += threads)
          for (index warp = chunk; warp < items && warp < chunk + threads; warp += 32)
            for (index part = 0; part < vec; part += piece) {
              std::set<index> touched;
              for (index i = warp; i < warp + 32 && i < items && i < chunk + threads; ++i)
                if (holds(i, dmm, trip)) touched.insert((address(i, dmm, trip) * vec + part) / 32);
              sectors += static_cast<index>(touched.size());
            }
    return sectors;
  }
};

template <index V, class Address, class Condition>
void compare(Address const& address, Condition const& holds) {
  for (index const bytes : {1, 2, 4, 8, 16})
    for (index const threads : {1, 31, 32, 48, 128})
      for (index const items : {0, 1, 31, 33, 100, 128, 300})
        for (index const dmms : {1, 3})
          for (index const trips : {1, 5}) {
            INFO("V " << V << ", bytes " << bytes << ", threads " << threads << ", items " << items
                      << ", dmms " << dmms << ", trips " << trips);
            accesses<V, Address, Condition> const program{items, dmms, trips, address, holds};
            auto const found = mmm::global_sectors_of_program(
                machine(dmms, 19), bytes, mmm::threads(threads * dmms), program);
            CHECK(found.loaded == program.enumerated(threads, bytes));
            CHECK(found.total() == found.loaded);
            CHECK(found.cost ==
                  mmm::estimate(machine(dmms, 19), mmm::threads(threads * dmms), program));
          }
}
template <class Address>
void compare(Address const& address) {
  compare<1>(address, [](auto i, auto, auto) { return i >= 0; });
  compare<4>(address, [](auto i, auto, auto) { return i >= 0; });
  compare<1>(address, [](auto i, auto dmm, auto trip) { return i + dmm * 7 < 90 - trip; });
}

}  // namespace

TEST_CASE("the sectors of a program are those of its requests, one by one") {
  SECTION("contiguous") {
    compare([](auto i, auto dmm, auto trip) { return i + dmm * 0 + trip * 0; });
  }
  SECTION("misaligned rows of all DMMs and trips") {
    compare([](auto i, auto dmm, auto trip) { return i + dmm * 301 + trip * 1003 + 5; });
  }
  SECTION("strides") {
    compare([](auto i, auto dmm, auto trip) { return i * 3 + dmm + trip * 2; });
  }
  SECTION("columns of a matrix") {
    compare([](auto i, auto dmm, auto trip) { return i % 8 * 200 + i / 8 + dmm * 8 + trip; });
  }
  SECTION("one word for all") {
    compare([](auto i, auto dmm, auto) { return i * 0 + dmm * 9; });
  }
}

TEST_CASE("integers of a program have their own size, whatever the size of its values") {
  auto const program = [](auto& on) {
    auto const values = on.template allocate<float>(64);
    auto const numbers = on.template allocate<long>(64);
    on.each(64, [=](auto i) { numbers[i] = 1; });
    on.each(64, [=](auto i) { values[i] = load(values[i]) + 1; });
  };
  machine const m(1, 1);
  for (index const bytes : {2, 4, 8}) {
    auto const found = mmm::global_sectors_of_program(m, bytes, mmm::threads(64), program);
    CHECK(found.loaded == 64 * bytes / 32);
    CHECK(found.stored == 64 * 8 / 32 + 64 * bytes / 32);
  }
}

TEST_CASE("sectors of the library's programs") {
  machine const m(132, 19);
  // A side of 200: rows of 25 sectors each.
  auto const transposed = mmm::global_sectors_of(m, mmm::transpose_swizzled, 4, mmm::size(200),
                                                 mmm::threads(132 * 1024));
  CHECK(transposed.loaded == 5000);
  CHECK(transposed.stored == 5000);
  // The words that tiles publish are left out.
  auto const sums = mmm::global_sectors_of(m, mmm::prefix_sums_one_pass, 4, mmm::size(1 << 20),
                                           mmm::threads(132 * 256));
  CHECK(sums.loaded == (1 << 20) / 8);
  CHECK(sums.stored == (1 << 20) / 8);
  CHECK(sums.updated == 0);
}

TEST_CASE("values of other sizes have no sectors") {
  machine const m(1, 1);
  auto const none = [](auto&) {};
  for (index const bytes : {-1, 0, 3, 64})
    CHECK_THROWS_AS(mmm::global_sectors_of_program(m, bytes, mmm::threads(32), none),
                    std::invalid_argument);
  CHECK_THROWS_WITH(mmm::global_sectors_of_program(m, 3, mmm::threads(32), none),
                    Catch::Matchers::Contains("the bytes of a value is 3"));
}
