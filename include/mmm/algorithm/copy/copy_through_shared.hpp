// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

//! Copies between the global memory and the shared memories of an HMM (Nakano and Ito 2014, lemmas
//! 2 and 3).
MMM_BODIES_BEGIN
namespace mmm {

//! Every DMM reads its part of the n words of `a` from the global memory into its shared memory, in
//! rows of all threads, and writes it to `out`. Nakano and Ito 2014, lemma 2, in both directions.
//! Time for d t | n, w | t, with t threads per DMM: exactly
//!   `2 n/(t d) ((t d/w + L - 1) + (t/w + l - 1))`.
//! Needs `t ceil(n / (t d))` words of shared memory. Errors: std::length_error if there are fewer.
struct shared_copy {
  template <class Machine, class Iterator, class Output>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Iterator a, index n, Output out) const {
    using value = typename Iterator::value_type;
    index const columns = on.threads_per_dmm();
    index const pitch = on.threads();
    index const rows = detail::ceil_divide(n, pitch);
    on.each_dmm([=](auto& block, auto dmm) {
      auto s = block.template allocate<value>(columns * rows);
      block.repeat(rows, [=, &block](auto row) {
        block.each(columns, [=](auto i) {
          auto const place = row * pitch + dmm * columns + i;
          store_if(place < n, s[row * columns + i], load_if(place < n, a[place], value{}));
        });
      });
      block.repeat(rows, [=, &block](auto row) {
        block.each(columns, [=](auto i) {
          auto const place = row * pitch + dmm * columns + i;
          store_if(place < n, out[place], load_if(place < n, s[row * columns + i], value{}));
        });
      });
    });
  }
};

namespace detail {

//! The algorithm object behind mmm::copy_through_shared.
struct copy_algorithm : sequence_call<copy_algorithm> {
  static constexpr char const* name = "copy";
  static constexpr char const* paper = "Nakano and Ito 2014, lemmas 2 and 3";
  static constexpr machine_kinds kinds{.hmm = 2};

  struct problem {
    natural n;
    constexpr explicit problem(size words) : n(words.count) {}

    template <class On, class In = no_data, class Out = no_data>
    constexpr void run(On& on, In first = {}, Out out = {}) const {
      perform(on, shared_copy{}, reads(first, n), n.count, writes<iterator_value_t<In>>(out, n));
    }
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      return access_bound(m, 2 * n, m.p);
    }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
      return access_formula(m, "2n");
    }
    //! The papers' expression for l = 1; in general a shared access takes l - 1 more.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      return 2 * (n / m.at_once() + n * (m.L + (m.l - 1)) / smaller(larger(n, 1), m.p));
    }
  };
};

}  // namespace detail

//! Copies n words from the global memory of an HMM to the shared memories and back:
//! `mmm::copy_through_shared(on, first, last, out)`; `copy` in mmm-explore.
//! Errors: std::invalid_argument if they overlap; std::length_error if the shared memories are too
//! small.
//! Time: at most 4 (n/w + n (L + l - 1)/p). Source: Nakano and Ito 2014, lemmas 2 and 3.
inline constexpr detail::copy_algorithm copy_through_shared{};

}  // namespace mmm
MMM_BODIES_END
