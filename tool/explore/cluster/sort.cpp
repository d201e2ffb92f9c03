// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/sort/merge_sort.hpp>
#include <mmm/algorithm/sort/radix_sort.hpp>
#include <mmm/algorithm/sort/sort.hpp>

#include "cluster_problem.hpp"

namespace explore::cluster {

namespace {

//! The places of the words of a warp's request depend on the keys.
struct by_data : size_alone {
  using size_alone::more;
  [[nodiscard]] static std::tuple<mmm::scatter> more(extra_numbers const&, mmm::scatter places) {
    return {places};
  }
};
struct by_digits : size_alone {
  static constexpr bool on_hmm = false;
  [[nodiscard]] static std::tuple<mmm::key_bits> more(extra_numbers const&) {
    return {mmm::key_bits(64)};
  }
  [[nodiscard]] static std::tuple<mmm::key_bits, mmm::scatter> more(extra_numbers const&,
                                                                    mmm::scatter places) {
    return {mmm::key_bits(64), places};
  }
};

}  // namespace

std::vector<program> sort_programs() {
  return {program_for<mmm::sort, by_data>(), program_for<mmm::radix_sort, by_digits>(),
          program_for<mmm::merge_sort, by_data>()};
}

}  // namespace explore::cluster
