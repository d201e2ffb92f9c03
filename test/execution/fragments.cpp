// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of matrices in the registers of lanes (execution/fragments.hpp).
#include <mmm/core/half.hpp>
#include <mmm/execution/fragments.hpp>
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mmm.hpp>
#include <mmm/tensor_cores.hpp>

#include "catch.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace {

using mmm::index;
using mmm::gpu::data_type;
using machine = mmm::hmm<2, 32, 1, 7>;

//! Each group of 32 threads multiplies the 16 x k numbers of a with k x 16 numbers of b: two
//! fragments of B. Words have 4 bytes; a row of the tiles has four, or eight of b if it is stored
//! by rows. `Groups` groups have copies of their own.
template <class Shape, bool Transposed, index Groups>
struct fragments_multiplied {
  static constexpr index a_words = 16 * Shape::k * Shape::a::bits / 32;
  static constexpr index b_words = a_words;
  static constexpr index a_vecs = a_words / 4 / 16;  // in a row

  template <class On, class Words, class Out>
  void operator()(On& on, Words a, Words b, Out c) const {
    using word = typename Words::value_type;
    using sum = typename Out::value_type;
    constexpr index n = 32 * Groups;
    on.each_dmm([=](auto& block, auto dmm) {
      auto const left = block.template allocate<word>(Groups * a_words);
      auto const right = block.template allocate<word>(Groups * b_words);
      block.each(Groups * a_words, [=](auto i) { left[i] = mmm::load(a[i]); }, mmm::no_barrier);
      block.each(Groups * b_words, [=](auto i) { right[i] = mmm::load(b[i]); });
      auto const x = block.template registers<word, 4>();
      auto const y = block.template registers<word, 4>();
      auto const z = block.template registers<sum, 8>();
      block.template load_fragments<mmm::fragment_order::as_stored, 1>(
          x, mmm::wide<4>(left), n, [](auto const& i, index) {
            return i / 32 * (a_words / 4) + i % 16 * a_vecs + i % 32 / 16;
          });
      if constexpr (Transposed)  // rows of b, of 16 elements
        block.template load_fragments<mmm::fragment_order::transposed, 1>(
            y, mmm::wide<4>(right), n,
            [](auto const& i, index) { return i / 32 * (b_words / 4) + i % 16 * 2 + i % 32 / 16; });
      else  // columns of b
        block.template load_fragments<mmm::fragment_order::as_stored, 1>(
            y, mmm::wide<4>(right), n, [](auto const& i, index) {
              return i / 32 * (b_words / 4) + (i % 8 + i % 32 / 16 * 8) * a_vecs + i % 16 / 8;
            });
      block.template multiply_lanes<Shape, 1, 2>(z, x, y, n);
      block.template multiply_lanes<Shape, 1, 2>(z, x, y, n);  // both are added
      block.each(n, [=](auto i) {
        mmm::unroll<8>([&](index k) { out(c, dmm, i)[k * n + i] = mmm::load(z(i, k)); });
      });
    });
  }
  template <class Out, class Dmm, class Item>
  static auto out(Out c, Dmm const& dmm, Item const&) {
    return c + dmm * (8 * 32 * Groups);
  }
};

template <class Number>
Number small(index i) {
  return static_cast<Number>(static_cast<float>((i * 37 + i / 7) % 13 - 6));
}

template <class Shape, bool Transposed, class Number, class Sum>
void check_products() {
  constexpr index groups = 2;
  constexpr index k = Shape::k;
  using program = fragments_multiplied<Shape, Transposed, groups>;
  std::vector<Number> a(groups * 16 * k);
  std::vector<Number> b(groups * 16 * k);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = small<Number>(static_cast<index>(i));
    b[i] = small<Number>(static_cast<index>(3 * i + 5));
  }
  auto const words = [](std::vector<Number> const& x) {
    return reinterpret_cast<std::uint32_t const*>(x.data());
  };
  std::vector<Sum> c(2 * groups * 8 * 32, Sum(-1));
  auto const run = [&](auto& on) {
    mmm::run(on, program{}, mmm::reads<std::uint32_t>(words(a), groups * program::a_words),
             mmm::reads<std::uint32_t>(words(b), groups * program::b_words),
             mmm::writes<Sum>(c.begin(), static_cast<index>(c.size())));
  };
  auto const check = [&] {
    bool right = true;
    for (index d = 0; d < 2; ++d)
      for (index g = 0; g < groups; ++g)
        for (int t = 0; t < 32; ++t)
          for (int e = 0; e < 8; ++e) {
            int const row = Shape::c::row(t, e % 4);
            int const column = e / 4 * 8 + Shape::c::column(t, e % 4);
            Sum sum{};
            for (index j = 0; j < k; ++j) {
              auto const x = a[static_cast<std::size_t>((g * 16 + row) * k + j)];
              auto const y = b[static_cast<std::size_t>(
                  g * 16 * k + (Transposed ? j * 16 + column : column * k + j))];
              sum += static_cast<Sum>(2) * static_cast<Sum>(x) * static_cast<Sum>(y);
            }
            right =
                right &&
                sum ==
                    c[static_cast<std::size_t>(d * 8 * 32 * groups + e * 32 * groups + 32 * g + t)];
          }
    CHECK(right);
  };
  auto const p = mmm::threads(2 * 32 * (groups + 1));  // more threads than have fragments
  auto const simulated = mmm::simulate<machine>(p, run);
  check();
  CHECK(simulated.races.empty());
  auto const cost = mmm::estimate<machine>(p, run);
  CHECK(cost.time == simulated.cost.time);
  CHECK(cost.stages == simulated.cost.stages);
  CHECK(cost.rounds == simulated.cost.rounds);
  c.assign(c.size(), Sum(-1));
  mmm::host_threads<machine> const threads(p);
  run(threads);
  check();
}

}  // namespace

TEST_CASE("lanes multiply the matrices that they loaded", "[fragments]") {
  using enum data_type;
  check_products<mmm::gpu::mma<16, 8, 16, f16>, false, mmm::half_t, float>();
  check_products<mmm::gpu::mma<16, 8, 16, f16>, true, mmm::half_t, float>();
  check_products<mmm::gpu::mma<16, 8, 16, bf16>, false, mmm::bfloat16, float>();
  check_products<mmm::gpu::mma<16, 8, 16, bf16>, true, mmm::bfloat16, float>();
  check_products<mmm::gpu::mma<16, 8, 8, tf32>, false, float, float>();
  check_products<mmm::gpu::mma<16, 8, 32, s8>, false, std::int8_t, std::int32_t>();
}

TEST_CASE("a load of fragments requests what gpu::fragment_addresses does", "[fragments]") {
  using a = mmm::gpu::mma<16, 8, 16, data_type::f16>::a;
  constexpr auto plain = mmm::row_major(16, 64);  // of halves, 128 bytes a row
  constexpr auto tile = mmm::swizzled(plain, mmm::tma_swizzle<128, 2>{});
  auto const stages = [](auto const& layout) {
    auto const one = [=](auto& on) {
      on.each_dmm([=](auto& block, auto) {
        auto const s = block.template allocate<std::uint32_t>(16 * 64 / 2);
        block.template load_fragments<mmm::fragment_order::as_stored, 1>(
            block.template registers<std::uint32_t, 4>(), mmm::wide<4>(s), 32,
            [=](auto const& i, auto) {
              return mmm::detail::place_of(layout(i % 16, i % 32 / 16 * 8)) / 8;
            });
      });
    };
    auto const cost = mmm::estimate<machine>(mmm::threads(64), one);
    CHECK(mmm::simulate<machine>(mmm::threads(64), one).cost.stages == cost.stages);
    return cost.stages / 2;  // two DMMs
  };
  using mmm::gpu::fragment_addresses;
  using load = mmm::gpu::ldmatrix<4>;
  CHECK(stages(tile) == mmm::gpu::wavefronts<load>(fragment_addresses<a, load>(tile)));
  CHECK(stages(plain) == mmm::gpu::wavefronts<load>(fragment_addresses<a, load>(plain)));
  CHECK(stages(plain) == 32);
}

TEST_CASE("fragments of a part of a warp are refused", "[fragments]") {
  auto const program = [](auto& on) {
    on.each_dmm([=](auto& block, auto) {
      auto const r = block.template registers<std::uint32_t, 4>();
      auto const c = block.template registers<float, 4>();
      block.template multiply_lanes<mmm::gpu::mma<16, 8, 16, data_type::f16>>(c, r, r, 40);
    });
  };
  auto const p = mmm::threads(128);
  CHECK_THROWS_AS(static_cast<void>(mmm::simulate<machine>(p, program)), std::invalid_argument);
  CHECK_THROWS_AS(static_cast<void>(mmm::estimate<machine>(p, program)), std::invalid_argument);
  CHECK_THROWS_WITH(mmm::host_threads<machine>(p).launch(program),
                    Catch::Contains("threads with fragments") && Catch::Contains("40"));
}
