// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tiles of 16 x 16 words, the smallest on the list, need 512 words; a DMM has 500.
// expect: mmm: no tile of the list fits: more words of shared memory needed than available
// expect(gcc): needed_words<512>, mmm::available_words<500>
// expect(clang): needed_words<512>, mmm::available_words<500>
// expect(nvcc): with Needed=512L, Available=500L
#include <mmm/choose/best_tile.hpp>

#include <boost/hana/tuple.hpp>

using machine = mmm::hmm<4, 32, 1, 400, 500>;
#ifdef MMM_REJECT_CONTROL
constexpr auto tiles = boost::hana::tuple_c<mmm::index, 8, 16>;
#else
constexpr auto tiles = boost::hana::tuple_c<mmm::index, 16, 32>;
#endif
static_assert(mmm::best_tile<machine>(tiles, 64, mmm::threads(512)).side == 8);
