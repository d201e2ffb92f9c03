// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/call/perform.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/arguments.hpp>

//! Checks of the sequences that callers pass to programs on clusters.
namespace mmm::detail {

//! The number of words of a distribution that a caller on `on` passes: all of them, or those of its
//! process.
template <class On, class Distribution>
[[nodiscard]] constexpr index passed_words(On const& on, Distribution const& distribution) {
  index n = 0;
  on.each_node([&](auto&, index r) { n += distribution.words(r); });
  return n;
}

//! Rejects results that overlap a sequence to be read. Errors: std::invalid_argument. An estimate
//! has no sequences.
template <class On, class In, class Read, class Out, class Written>
constexpr void reject_overlap_on_nodes(On const& on, In in, Read const& read, Out out,
                                       Written const& written) {
  if constexpr (!is_same_v<In, no_data> && !is_same_v<Out, no_data>)
    reject_overlap_of(writes<iterator_value_t<Out>>(out, passed_words(on, written)),
                      reads<iterator_value_t<In>>(in, passed_words(on, read)));
}

}  // namespace mmm::detail
