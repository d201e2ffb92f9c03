// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names that the calls of docs/papers.md use.
// [names]
#include <mmm/model.hpp>

using dmm = mmm::dmm<32, 5>;           // w = 32, l = 5
using umm = mmm::umm<32, 400>;         // w = 32, l = 400
using hmm = mmm::hmm<16, 32, 5, 400>;  // d = 16, w = 32, l = 5, L = 400
using bpram = mmm::bpram<32>;          // w = 32
using mmm::pram;
constexpr mmm::size n(1 << 16);    // words
constexpr mmm::size side(128);     // of a matrix or an image
constexpr mmm::size vertices(32);  // of a polygon
constexpr mmm::threads p(4096);    // of all DMMs
constexpr mmm::taps m(64);
constexpr mmm::radius v(3);
constexpr mmm::tile tile(32);
constexpr mmm::segment rows[] = {{0, 40}, {64, 40}, {128, 40}, {192, 40}};
// [/names]

static_assert(mmm::cost_of<bpram>(mmm::contiguous, n, p).time == 2048);
static_assert(mmm::upper_bound<umm>(mmm::triangulation, vertices, p) > 0);
static_assert(mmm::cost_of<pram>(mmm::contiguous, n, p).time == 16);
static_assert(mmm::cost_of<dmm>(mmm::transpose_diagonal, side, p).time > 512);
static_assert(mmm::cost_of<umm>(mmm::contiguous, n, p).time > 512);
static_assert(mmm::upper_bound<hmm>(mmm::convolution, n, p, m) > 0);
static_assert(mmm::upper_bound<hmm>(mmm::image_convolution, side, p, v) > 0);
static_assert(mmm::upper_bound<hmm>(mmm::matrix_multiply, side, p, tile) > 0);
static_assert(mmm::words_of_segments(rows, rows + 4) == 160);

int main() { return 0; }
