// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/overlap.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/machine/machine.hpp>

#include <iterator>

//! Copies between the global memory and the shared memories of an HMM (paper 003, lemmas 2 and 3).
MMM_BODIES_BEGIN
namespace mmm {

//! Every DMM reads its part of the n words of `a` from the global memory into its shared memory,
//! row by row of all threads, and writes it to `out`. Paper 003, lemma 2, both ways.
//! Time for d t | n, w | t, with t threads per DMM: exactly
//! `2 n/(t d) ((t d/w + L - 1) + (t/w + l - 1))`. Needs `t ceil(n / (t d))` words of shared memory:
//! else std::length_error.
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
          auto const at = row * pitch + dmm * columns + i;
          store_if(at < n, s[row * columns + i], load_if(at < n, a[at], value{}));
        });
      });
      block.repeat(rows, [=, &block](auto row) {
        block.each(columns, [=](auto i) {
          auto const at = row * pitch + dmm * columns + i;
          store_if(at < n, out[at], load_if(at < n, s[row * columns + i], value{}));
        });
      });
    });
  }
};

namespace detail {

struct copy_algorithm {
  char const* name = "copy";
  char const* paper = "003 lemmas 2 and 3";
  machine_kinds kinds{.hmm = true};

  //! Copies [first, last) through the shared memories to `out`, which must not overlap it.
  //! Errors: std::invalid_argument if it does; std::length_error if the shared memories are too
  //! small.
  template <class On, class Iterator, class Output>
  void operator()(On on, Iterator first, Iterator last, Output out) const {
    using value = std::iter_value_t<Iterator>;
    auto const n = static_cast<index>(last - first);
    reject_overlap("the copy", first, n, out, n);
    mmm::run(on, shared_copy{}, reads<value>(first, n), n, writes<value>(out, n));
  }

  template <class On>
  constexpr void model(On& on, index n) const {
    auto const a = on.template allocate<float>(n);
    shared_copy{}(on, a, n, on.template allocate<float>(n));
  }

  template <hierarchical_machine M>
  [[nodiscard]] constexpr bound limitations(M const& m, index n, index p) const {
    return access_limitations(m, checked_multiply(2, n), p);
  }

  template <hierarchical_machine M>
  [[nodiscard]] constexpr index expression(M const& m, index n, index p) const {
    return checked_multiply(2,
                            checked_add(ceil_divide(n, M::width),
                                        share(n, m.global().latency(), smaller(n < 1 ? 1 : n, p))));
  }

  template <machine M>
  [[nodiscard]] constexpr index constant(M const&) const {
    return 2;
  }
};

}  // namespace detail

//! Global memory to shared memories and back. Paper 003, lemmas 2 and 3; `copy` in mmm-explore.
inline constexpr detail::copy_algorithm copy_through_shared{};

}  // namespace mmm
MMM_BODIES_END
