// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/call/has_fast_variants.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/reduce/argmin.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/reduce/sum_in_one_block.hpp>
#include <mmm/algorithm/reduce/sum_wide.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/algorithm/scan/prefix_sums_in_one_block.hpp>
#include <mmm/algorithm/scan/prefix_sums_one_pass.hpp>
#include <mmm/choose/prefers.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/machine/machine.hpp>

#include <type_traits>

//! The default entries of folds and scans: one block, blocks of 256 threads or as many threads as
//! the handle has, or the papers' algorithms.
namespace mmm::detail {

//! The handle for programs with blocks of 256 threads, one on each multiprocessor.
inline constexpr index threads_of_small_blocks = 256;
template <class On>
[[nodiscard]] auto with_small_blocks(On const& on) {
  return with_blocks(on, [](index, index, index t) { return smaller(t, threads_of_small_blocks); });
}
//! True if so small blocks differ from those of `on`.
template <class On, class Small>
[[nodiscard]] bool are_smaller(On const& on, Small const& small) {
  return is_gpu<typename On::machine_type> && small.threads() < on.threads() &&
         small.threads() == small.machine().dmms() * threads_of_small_blocks;
}
//! Number of words up to which one block is a candidate; where it is the quickest one on a GPU, it
//! has fewer by far.
inline constexpr index max_words_of_one_block = 1 << 16;

struct fastest_sum {
  //! Calls `fold(handle, algorithm)` with the quickest algorithm for n words of `value_bytes` bytes
  //! and the handle that it runs on.
  template <class On, class Fold>
  static auto with_quickest(On const& on, index n, index value_bytes, Fold const& fold) {
    using machine_type = typename On::machine_type;
    if constexpr (has_fast_variants<machine_type>) {
      if constexpr (is_gpu<machine_type>) {
        auto const small = with_small_blocks(on);
        bool const smaller_blocks = are_smaller(on, small);
        auto const wide = [n](auto const& run) { return run(sum_wide, size(n)); };
        auto const literal = [n](auto const& run) { return run(sum, size(n)); };
        auto const one_block = [n](auto const& run) { return run(sum_in_one_block, size(n)); };
        int const taken = chosen_candidate(
            on.machine(), value_bytes, {n}, timed_candidate{true, on.threads(), wide},
            timed_candidate{n > 0, on.threads(), literal},
            candidate_on(small, smaller_blocks, wide),
            candidate_on(small, smaller_blocks && n > 0 && n <= max_words_of_one_block, one_block));
        if (taken == 1) return fold(on, sum);
        if (taken == 2) return fold(small, sum_wide);
        if (taken == 3) return fold(small, sum_in_one_block);
      }
      return fold(on, sum_wide);  // as sum does for few values
    } else {
      return fold(on, sum);
    }
  }
  //! Called as mmm::sum.
  template <class On, class Iterator, class... Form>
  auto operator()(On const& on, Iterator first, Iterator last, Form... form) const {
    static_assert(call_of<On, Iterator>::accepted);
    return with_quickest(on, static_cast<index>(last - first), sizeof(iterator_value_t<Iterator>),
                         [&](auto const& handle, auto const& algorithm) {
                           return algorithm(handle, first, last, form...);
                         });
  }
};

template <class Less>
struct fastest_located {
  //! Called as mmm::argmin.
  template <class On, class Iterator, class... Out>
  auto operator()(On const& on, Iterator first, Iterator last, Out... out) const {
    static_assert(call_of<On, Iterator>::accepted);
    return fastest_sum::with_quickest(
        on, static_cast<index>(last - first), sizeof(iterator_value_t<Iterator>),
        [&]<class Fold>(auto const& handle, Fold const&) {
          return located_algorithm<Fold, Less>{}(handle, first, last, out...);
        });
  }
};

template <bool Exclusive = false>
struct fastest_prefix_sums {
  //! True if one pass is possible on machine m with p threads.
  template <hierarchical_machine M>
  [[nodiscard]] static constexpr bool fits(M const& m, index p) {
    index const t = p / m.dmms();
    // sums, totals and their levels
    return checked_add(checked_multiply(10, t), 8 * M::width()) <= m.capacity();
  }
  //! True if one pass over n values is possible and has at least two tiles for each DMM: then it
  //! takes less time, by the model.
  template <hierarchical_machine M>
  [[nodiscard]] static constexpr bool one_pass(M const& m, index n, index p) {
    constexpr index of_thread = 32;
    return n / of_thread >= p && fits(m, p);
  }
  //! Calls `scan(handle, algorithm)` with the quickest algorithm for n words of `value_bytes` bytes
  //! and the handle that it runs on.
  template <class On, class Scan>
  static void with_quickest(On const& on, index n, index value_bytes, Scan const& scan) {
    using machine = typename On::machine_type;
    constexpr prefix_sums_algorithm<false, Exclusive> papers{};
    if constexpr (has_fast_variants<machine>) {
      constexpr one_pass_scan_algorithm<4, 8, Exclusive> in_one_pass{};
      auto const once = [n](auto const& run) { return run(prefix_sums_one_pass, size(n)); };
      auto const literal = [n](auto const& run) { return run(mmm::prefix_sums, size(n)); };
      bool const possible = is_gpu<machine> ? n > 0 && fits(on.machine(), on.threads())
                                            : one_pass(on.machine(), n, on.threads());
      timed_candidate const given{possible, on.threads(), once};
      timed_candidate const of_papers{true, on.threads(), literal};
      int taken = 0;
      if constexpr (is_gpu<machine>) {
        constexpr one_block_scan_algorithm<4, 2, Exclusive> in_one_block{};
        auto const one_block = [n](auto const& run) {
          return run(prefix_sums_in_one_block, size(n));
        };
        auto const small = with_small_blocks(on);
        bool const smaller_blocks = n > 0 && are_smaller(on, small);
        taken = chosen_candidate(
            on.machine(), value_bytes, {n}, given, of_papers,
            candidate_on(small, smaller_blocks && fits(small.machine(), small.threads()), once),
            candidate_on(small, smaller_blocks && n <= max_words_of_one_block, one_block));
        if (taken == 2) return scan(small, in_one_pass);
        if (taken == 3) return scan(small, in_one_block);
      } else {
        taken = chosen_candidate(on.machine(), value_bytes, {n}, given, of_papers);
      }
      if (taken == 0) return scan(on, in_one_pass);
    }
    scan(on, papers);
  }
  //! Called as mmm::prefix_sums.
  template <class On, class Iterator, class Output, class... Form>
  void operator()(On const& on, Iterator first, Iterator last, Output out, Form... form) const {
    static_assert(call_of<On, Iterator, Output>::accepted);
    with_quickest(on, static_cast<index>(last - first), sizeof(iterator_value_t<Iterator>),
                  [&](auto const& handle, auto const& algorithm) {
                    algorithm(handle, first, last, out, form...);
                  });
  }
};

}  // namespace mmm::detail
