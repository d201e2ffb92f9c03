// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pattern of 600 characters: 256 of them are shown, or 60 words.
// expect-first(gcc): bank_conflict.*pattern<mmm::expression_text<256>\{"\(\(item \* 2 \+ 1\) % 7 .*\.\.\."\}>, mmm::found_stages<26>
// expect-first(clang, nvcc): bank_conflict.*pattern<(mmm::expression_text<32>\{"\(\(item \* 2 \+ 1\) % 7 .*\.\.\."\}|mmm::words::open, .*, mmm::words::and_so_on)>, mmm::found_stages<26L?>
// expect-first(sentence): error: .*: mmm: bank conflict: \(\(item \* 2 \+ 1\) % 7 .*\.\.\.; found stages 26; allowed stages 1
#include <mmm/cost/assert.hpp>

using shared = mmm::dmm<32, 1>;
constexpr auto mixed = (mmm::item * 2 + 1) % 7 + (mmm::item * 3 + 2) % 11 +
                       (mmm::item * 5 + 3) % 13 + (mmm::item * 7 + 4) % 17 +
                       (mmm::item * 9 + 5) % 19 + (mmm::item * 11 + 6) % 23 +
                       (mmm::item * 13 + 7) % 29 + (mmm::item * 15 + 7) % 31;
constexpr auto pattern = (mixed + mixed * 3 + mmm::min(mixed * 5, mixed * 7) + mixed / 2) * 32;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::assert_conflict_free<shared, pattern / 4096 + mmm::item>);
#else
static_assert(mmm::assert_conflict_free<shared, pattern>);
#endif
