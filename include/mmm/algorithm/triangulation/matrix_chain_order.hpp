// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/triangulation/matrix_chain.hpp>
#include <mmm/algorithm/triangulation/polygon_triangulation.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/arguments.hpp>

//! The optimal order of a chain of matrix products on data: the call and its result.
MMM_BODIES_BEGIN
namespace mmm::detail {

template <class On, class Iterator>
auto matrix_chain_algorithm::operator()(On on, Iterator first, Iterator last) const {
  static_assert(call_of<On, Iterator>::accepted);
  using value = iterator_value_t<Iterator>;
  problem const chain{size(last - first - 1)};
  index const n = chain.n + 1;
  return with_finished_table<value>(
      chain, on, first,
      [n, first](auto const& handle, value* table, index words, polygon_table const& places) {
        if constexpr (has_device_rooms<On>) {
          if (n > 2)
            return triangulation_on_device(handle, table, words, n, places, reads<value>(first, n));
          return polygon_triangulation<value>{};
        } else {
          static_cast<void>(words);
          return triangulation_of<value>(
              n, [&](index i, index j) { return table[places.entry(i, j)]; },
              [&](index i, index k, index j) {
                using distance = iterator_difference_t<Iterator>;
                auto const side = [&](index v) { return value(first[static_cast<distance>(v)]); };
                return static_cast<value>(side(i) * side(k) * side(j));
              });
        }
      });
}

}  // namespace mmm::detail
MMM_BODIES_END
