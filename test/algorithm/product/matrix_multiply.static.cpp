// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exact times of matrix products, costs of large ones, and the choice of a tile at compile time.
#include <mmm/algorithm/product/matrix_multiply.hpp>
#include <mmm/choose/best_tile.hpp>
#include <mmm/machine/machine.hpp>

#include <boost/hana/integral_constant.hpp>
#include <boost/hana/tuple.hpp>

namespace {

using mmm::index;

constexpr index w = 32, l = 16, L = 400, d = 132, t = 256;
using dmm = mmm::dmm<w, l>;
using hmm = mmm::hmm<d, w, l, L, 12288>;  // 48 KiB of floats
constexpr mmm::threads p(t* d);

constexpr index on_dmm(index n, index threads, index per_product) {
  return (per_product * n + 1) * (threads / w + l - 1) * (n * n / threads);
}
static_assert(mmm::cost_of<dmm>(mmm::matrix_multiply, mmm::size(64), mmm::threads(128)).time ==
              on_dmm(64, 128, 2));
static_assert(mmm::cost_of<dmm>(mmm::matrix_multiply, mmm::size(8192), mmm::threads(1024)).time ==
              on_dmm(8192, 1024, 2));
static_assert(mmm::cost_of<dmm>(mmm::matrix_multiply_in_memory, mmm::size(8192), mmm::threads(1024))
                  .time == on_dmm(8192, 1024, 4));

//! The time on an HMM, for d | (n/m)^2.
constexpr index on_hmm(index n, index m, index threads_per_dmm, index dmms, index shared_rounds) {
  index const global = threads_per_dmm * dmms / w + L - 1;
  index const shared = threads_per_dmm / w + l - 1;
  return n * n / (threads_per_dmm * dmms) * ((2 * n / m + 1) * global + shared_rounds * shared);
}
using of_128 = mmm::hmm<128, w, l, L>;
constexpr mmm::cost large = mmm::cost_of<of_128>(mmm::matrix_multiply, mmm::size(8192),
                                                 mmm::threads(128 * t), mmm::tile(32));
static_assert(large.closed_form && large.time == on_hmm(8192, 32, t, 128, 2 * 256 + 2 * 8192));
static_assert(mmm::cost_of<of_128>(mmm::matrix_multiply_in_memory, mmm::size(8192),
                                   mmm::threads(128 * t), mmm::tile(32))
                  .time == on_hmm(8192, 32, t, 128, 2 * 256 + 4 * 8192 + 2));

// 132 DMMs, which do not divide the 65536 submatrices: 496 passes with all DMMs and one with 64.
constexpr mmm::cost with_132 =
    mmm::cost_of<hmm>(mmm::matrix_multiply, mmm::size(8192), p, mmm::tile(32));
static_assert(with_132.closed_form);
static_assert(with_132.time ==
              4 * (496 * (513 * (t * d / w + L - 1) + (512 + 16384) * (t / w + l - 1)) +
                   (513 * (t * 64 / w + L - 1) + (512 + 16384) * (t / w + l - 1))));
static_assert(mmm::lower_bound<hmm>(mmm::matrix_multiply, mmm::size(8192), p, mmm::tile(32)).time <=
              with_132.time);

constexpr auto tiles = boost::hana::tuple_c<index, 32, 64, 96, 128>;
constexpr mmm::tile chosen = mmm::best_tile<hmm>(tiles, mmm::size(8192).count, p);
static_assert(chosen.side == 64);  // 2 * 64^2 of 12288 words; 96 and 128 do not fit
static_assert(mmm::cost_of<hmm>(mmm::matrix_multiply, mmm::size(8192), p, chosen).time <
              with_132.time);
static_assert(mmm::best_tile<hmm>(boost::hana::tuple_c<index, 8, 32>,
                                  mmm::product_shape(16, 16, 16), p)
                  .side == 8);

}  // namespace
