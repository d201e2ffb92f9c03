// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expected congestion as a constant; expected_congestion.cpp compares it with enumeration.
#include <mmm/cost/expected_congestion.hpp>

namespace {

using mmm::matrix_access;
using mmm::shift_scheme;

// Nakano, Matsumae and Ito 2013 print 3.08, 3.53 and 3.96 for w = 16, 32 and 64.
static_assert(mmm::expected_congestion<mmm::dmm<4, 1>>(matrix_access::stride, shift_scheme::ras)
                  .value == 2.125);
constexpr double column =
    mmm::expected_congestion<mmm::dmm<32, 1>>(matrix_access::stride, shift_scheme::ras).value;
static_assert(3.5329409 < column && column < 3.5329410);
static_assert(
    mmm::expected_congestion<mmm::dmm<32, 1>>(matrix_access::stride, shift_scheme::rap).value == 1);
static_assert(
    mmm::expected_congestion<mmm::dmm<7, 1>>(matrix_access::diagonal, shift_scheme::rap).exact);
static_assert(
    mmm::expected_congestion<mmm::dmm<32, 1>>(matrix_access::random, shift_scheme::none).exact);

}  // namespace
