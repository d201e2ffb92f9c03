// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/model.hpp>

constexpr mmm::index n = mmm::index{1} << 30;
constexpr auto on_dmm =
    mmm::cost_of<mmm::dmm<32, 2>>(mmm::prefix_sums, mmm::size(n), mmm::threads(1 << 16));
constexpr auto on_umm =
    mmm::cost_of<mmm::umm<32, 400>>(mmm::prefix_sums, mmm::size(n), mmm::threads(1 << 16));
constexpr auto on_hmm =
    mmm::cost_of<mmm::hmm<128, 32, 2, 400>>(mmm::prefix_sums, mmm::size(n), mmm::threads(1 << 17));
static_assert(on_dmm.closed_form && on_dmm.time > n / 32);
static_assert(on_umm.closed_form && on_umm.time > n / 32);
static_assert(on_hmm.closed_form && on_hmm.time > n / 32);
