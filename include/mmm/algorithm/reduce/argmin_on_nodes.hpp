// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/cluster.hpp>
#include <mmm/algorithm/reduce/argmin.hpp>
#include <mmm/algorithm/reduce/fold_bounds_on_nodes.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/reduce/sum_on_nodes.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/nodes.hpp>

//! The smallest and the largest value on a cluster: each node's, with its place in the whole
//! sequence, and their fold by the network.
namespace mmm::detail {

template <class Less>
struct cluster_program<located_algorithm<sum_algorithm<false>, Less>> {
  using one_node = typename located_algorithm<sum_algorithm<false>, Less>::problem;

  struct problem {
    natural n;
    constexpr explicit problem(size words) : n(words.count) {}

    //! The first of the smallest values of all nodes, known everywhere. The place is counted from
    //! the first word of the first node. Errors: std::invalid_argument for no values on all nodes.
    template <class On, class In = no_data, class... Form>
    constexpr auto run(On& on, In first = {}, Form const&...) const {
      static_assert(sizeof...(Form) == 0,
                    "mmm: on a cluster, argmin and argmax return their result: nothing follows the "
                    "words");
      using value = iterator_value_t<In>;
      using partial = partial_fold<numbered<value>>;
      auto const parts = on.distribution_of(n);
      // an estimate has costs for no values, as that of one machine does
      if constexpr (!is_same_v<In, no_data>)
        if (parts.total() == 0)
          reject("the number of values to fold", 0, "1 or more, for this operator");
      auto const a = on.bring(first, parts);
      auto const own = on.each_node([=](auto& local, index r) {
        if (parts.words(r) == 0) return partial{};
        one_node const part(size(parts.words(r)));
        if constexpr (is_same_v<In, no_data>) {
          static_cast<void>(part.run(local, a.part(r)));
          return partial{};
        } else {
          located<value> const found = part.run(local, a.part(r));
          return partial{numbered<value>(found.value, parts.place(r, found.place)), true};
        }
      });
      partial const all = on.all_reduce(own, fold_present<first_in_order<Less>>{});
      if constexpr (is_same_v<In, no_data>)
        return;
      else
        return located<value>(all.value);
    }
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      return fold_bound_on_nodes(m, n);
    }
    //! The node's for its part, and merge_time of all nodes' values.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      return one_node(size(n / m.k)).upper_bound(m.node) + natural(merge_time(m.machine, m.k));
    }
  };
};

}  // namespace mmm::detail
