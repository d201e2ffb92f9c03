// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/call/fold_forms.hpp>
#include <mmm/algorithm/cluster.hpp>
#include <mmm/algorithm/natural.hpp>
#include <mmm/algorithm/reduce/fold_bounds_on_nodes.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/nodes.hpp>

//! The sum on a cluster: each node's sum, and their fold by the network.
namespace mmm::detail {

//! The fold of a node's values, if it has any.
template <class T>
struct partial_fold {
  T value{};
  bool present = false;
};
//! The operator of partial folds.
template <class Operator>
struct fold_present {
  Operator op;
  template <class T>
  [[nodiscard]] constexpr partial_fold<T> operator()(partial_fold<T> const& x,
                                                     partial_fold<T> const& y) const {
    if (!x.present) return y;
    if (!y.present) return x;
    return {static_cast<T>(op(x.value, y.value)), true};
  }
};

template <>
struct cluster_program<sum_algorithm<false>> {
  struct problem {
    natural n;
    constexpr explicit problem(size words) : n(words.count) {}

    //! The fold of the words of all nodes, known everywhere. Forms as of mmm::sum, without an
    //! output iterator.
    template <class On, class In = no_data, class... Form>
    constexpr auto run(On& on, In first = {}, Form const&... form) const {
      auto const combine = combination_of(form...);
      compare_initial(on, combine.initial);
      using value =
          combined_t<iterator_value_t<In>, decltype(combine.op), decltype(combine.initial)>;
      auto const op = combining_in<value>(combine.op);
      auto const parts = on.distribution_of(n);
      if constexpr (!is_init<decltype(combine.initial)> && !is_same_v<decltype(combine.op), plus>)
        if (parts.total() == 0)
          reject("the number of values to fold", 0, "1 or more, for this operator");
      auto const a = on.bring(first, parts);
      auto const own = on.each_node([=](auto& local, index r) {
        if (parts.words(r) == 0) return partial_fold<value>{};
        using node_problem = typename sum_algorithm<false>::problem;
        return partial_fold<value>{
            static_cast<value>(node_problem(size(parts.words(r))).run(local, a.part(r), op)), true};
      });
      partial_fold<value> const all = on.all_reduce(own, fold_present<decltype(op)>{op});
      if constexpr (is_init<decltype(combine.initial)>)
        return all.present ? after_initial(op, combine.initial, all.value) : combine.initial.value;
      else
        return all.value;
    }
    //! A node's part, and the merge of all nodes' sums.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      return fold_bound_on_nodes(m, n);
    }
    //! The node's for its part, and merge_time of all nodes' sums.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      return typename sum_algorithm<false>::problem(size(n / m.k)).upper_bound(m.node) +
             natural(merge_time(m.machine, m.k));
    }
  };
};

}  // namespace mmm::detail
