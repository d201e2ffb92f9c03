// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/mmm.cuh>

#include "groups.cuh"
#include "race.cuh"
#include "samples.cuh"

//! The candidates of mmm::known, each with its launch, on sizes where another one may be quickest:
//! what mmm::best chooses is compared with what was quickest here.
namespace bench {

namespace {

void sums_of_sizes(session& s) {
  for (int const k : {10, 14, 16, 18, 20, 22, 24, 26}) {
    index const n = index{1} << k;
    buffer<float> a(n);
    buffer<float> out(1);
    fill(a, small_periodic());
    auto const sum = static_cast<float>(periodic_sum(n));
    auto const by = [&](auto const& algorithm) {
      return [&](auto const& on) { algorithm(on, a.begin(), a.end(), out.begin()); };
    };
    race(s,
         {"candidates: sum", "n = " + number(n) + " floats", n, 4.0 * static_cast<double>(n),
          static_cast<double>(n), [&] { out.poison(); }},
         [&] { return out.word(0) == sum; })
        .on_blocks("mmm::sum_wide", 1, 1024, by(mmm::sum_wide))
        .on_blocks("mmm::sum_wide", 2, 512, by(mmm::sum_wide))
        .on_blocks("mmm::sum_wide", 1, 256, by(mmm::sum_wide))
        .on_blocks("mmm::sum", 1, 1024, by(mmm::sum))
        .on_umm("mmm::sum", by(mmm::sum))
        .on_blocks("mmm::sum_on_one_dmm", 1, 1024, by(mmm::sum_on_one_dmm))
        .run();
  }
}

void scans_of_sizes(session& s) {
  for (int const k : {10, 14, 16, 18, 20, 22, 24, 26}) {
    index const n = index{1} << k;
    buffer<float> a(n);
    buffer<float> out(n);
    fill(a, small_periodic());
    auto const by = [&](auto const& algorithm) {
      return [&](auto const& on) { algorithm(on, a.begin(), a.end(), out.begin()); };
    };
    race(s,
         {"candidates: prefix-sums", "n = " + number(n) + " floats", n,
          8.0 * static_cast<double>(n), static_cast<double>(n), [&] { out.poison(); }},
         [&] { return is_all(out, periodic_sums()); })
        .on_blocks("mmm::prefix_sums_one_pass", 4, 256, by(mmm::prefix_sums_one_pass))
        .on_blocks("mmm::prefix_sums_one_pass", 1, 512, by(mmm::prefix_sums_one_pass))
        .on_blocks("mmm::prefix_sums", 1, 1024, by(mmm::prefix_sums))
        .on_umm("mmm::prefix_sums", by(mmm::prefix_sums))
        .run();
  }
}

void transposes_of_sizes(session& s) {
  // Columns of 1023 and 1025 words are not apart by a power of two of bytes.
  for (index const side : {256, 512, 1000, 1023, 1024, 1025, 2047, 2048, 4095, 4096}) {
    buffer<float> a(side * side);
    buffer<float> out(side * side);
    auto const by = [&](auto const& algorithm) {
      return [&](auto const& on) { algorithm(on, a.begin(), mmm::shape(side, side), out.begin()); };
    };
    problem const what{"candidates: transpose",
                       std::to_string(side) + " x " + std::to_string(side) + " floats",
                       side,
                       8.0 * static_cast<double>(side * side),
                       0,
                       [&] {
                         fill(a, scattered{2});
                         out.poison();
                       }};
    race(s, what, [&] { return is_all(out, transposed_word{side}); })
        .on_blocks("mmm::transpose_swizzled", 4, 256, by(mmm::transpose_swizzled))
        .on_blocks("mmm::transpose_swizzled", 2, 256, by(mmm::transpose_swizzled))
        .on_blocks("mmm::transpose_swizzled", 1, 1024, by(mmm::transpose_swizzled))
        .run();
    auto const in_place = [&](auto const& on) {
      mmm::transpose_straightforward(on, a.begin(), side);
    };
    race(s, what, [&] { return is_all(a, transposed_word{side}); })
        .on_umm("mmm::transpose_straightforward", in_place)
        .run();
  }
}

}  // namespace

void candidates_for_sequences(session& s) {
  sums_of_sizes(s);
  scans_of_sizes(s);
  transposes_of_sizes(s);
}

}  // namespace bench
