// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/call/fold_forms.hpp>
#include <mmm/algorithm/call/perform.hpp>
#include <mmm/algorithm/cluster.hpp>
#include <mmm/algorithm/reduce/fold_bounds_on_nodes.hpp>
#include <mmm/algorithm/scan/prefix_sums_on_nodes.hpp>
#include <mmm/algorithm/scan/scan_of_node.hpp>
#include <mmm/algorithm/scan/segmented_prefix_sums.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/nodes.hpp>

//! Segmented prefix-sums on a cluster: the scan of mmm::prefix_sums on a cluster over pairs of a
//! flag and a value.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! A value with the flag of its head. At a head an exclusive scan combines it with the initial
//! value.
template <class Operator, class Init>
struct with_head_and_initial {
  Operator op;
  Init initial;
  template <class T, class Head>
  [[nodiscard]] MMM_HOST_DEVICE constexpr segment_sum<T> operator()(T const& x,
                                                                    Head const& head) const {
    if constexpr (is_init<Init>)
      return with_head{}(head != Head{} ? static_cast<T>(op(initial.value, x)) : x, head);
    else
      return with_head{}(x, head);
  }
};

//! Packs a node's values and heads into pairs, then node_scan.
template <class Operator, class Init>
struct segmented_node_scan {
  Operator op;
  Init initial;

  template <class On, class Array, class Heads, class Sums, class... More>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Array a, Heads heads, index n, Sums sums,
                                            More... more) const {
    with_head_and_initial<Operator, Init> const pack{op, initial};
    on.each(n, [=](auto i) {
      auto const x = load(a[i]);
      auto const head = load(heads[i]);
      sums[i] = apply(pack, x, head);
    });
    node_scan<within_segments<Operator>>{{op}}(on, sums, n, more...);
  }
};

//! The initial value at a head, otherwise the sum before the word.
template <class T>
struct sum_or_initial {
  T initial;
  template <class Head>
  [[nodiscard]] MMM_HOST_DEVICE constexpr T operator()(segment_sum<T> const& before,
                                                       Head const& head) const {
    return head != Head{} ? initial : before.value;
  }
};

//! The exclusive results of a node: `Program`, a node_results, then a step with the heads.
template <class Program, class T>
struct exclusive_segmented_results {
  Program program;
  T initial;

  template <class On, class Sums, class Totals, class Heads, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Sums sums, index n, Totals totals, Heads heads,
                                            Out out) const {
    auto const before = on.template allocate<segment_sum<T>>(n);
    program(on, sums, n, totals, before);
    sum_or_initial<T> const choose{initial};
    on.each(n, [=](auto i) {
      auto const sum = load(before[i]);
      auto const head = load(heads[i]);
      out[i] = apply(choose, sum, head);
    });
  }
};

template <bool Exclusive>
struct cluster_program<segmented_prefix_sums_algorithm<Exclusive>> {
  using one_node = typename segmented_prefix_sums_algorithm<Exclusive>::problem;

  struct problem {
    natural n;
    constexpr explicit problem(size words) : n(words.count) {}

    //! The segmented prefix-sums of the words of all nodes. Segments extend over nodes. Forms as of
    //! mmm::segmented_prefix_sums.
    template <class On, class In = no_data, class Heads = no_data, class Out = no_data,
              class... Form>
    constexpr void run(On& on, In first = {}, Heads heads = {}, Out out = {},
                       Form const&... form) const {
      static_assert(integral<iterator_value_t<Heads>> || is_same_v<Heads, no_data>,
                    "mmm: the heads of segments, after the values, are integers");
      auto const combine = scan_combination_of<Exclusive, In>(form...);
      compare_initial(on, combine.initial);
      using initial = decltype(combine.initial);
      static_assert(Exclusive || !is_init<initial>,
                    "mmm: mmm::init(x) is for mmm::exclusive_segmented_prefix_sums");
      using value = combined_t<iterator_value_t<In>, decltype(combine.op), initial>;
      using pair = segment_sum<value>;
      auto const op = combining_in<value>(combine.op);
      using combine_values = remove_const_t<decltype(op)>;
      if constexpr (!is_same_v<In, no_data>) {
        auto result = writes<value>(out, n);
        result.in_place = updates(first, n, out).in_place;
        reject_overlap_of(result, reads<value>(first, n));
        result.in_place = false;
        reject_overlap_of(result, reads(heads, n));
      }
      auto const parts = on.distribution_of(n);
      auto const a = on.bring(first, parts);
      auto const h = on.bring(heads, parts);
      auto const b = on.template results<iterator_value_t<Out>>(out, parts);
      if (on.nodes() == 1) {
        on.each_node([=](auto& local, index r) {
          one_node(size(parts.words(r))).run(local, a.part(r), h.part(r), b.part(r), form...);
        });
      } else {
        auto const start = [&] {
          if constexpr (Exclusive)
            return init<pair>(pair{0, combine.initial.value});
          else
            return no_init{};
        }();
        scan_on_nodes<pair, Exclusive>(
            on, parts, within_segments<combine_values>{op}, start,
            [=](auto& local, index r, index words, auto const& sums, auto const&... more) {
              perform(local, segmented_node_scan<combine_values, initial>{op, combine.initial},
                      reads<value>(a.part(r), words), reads(h.part(r), words), words,
                      writes<pair>(sums, words), more...);
            },
            [=](auto& local, index r, index words, auto const& program, auto const& sums,
                auto const& totals) {
              auto const results_of_node = writes<value>(b.part(r), words);
              if constexpr (Exclusive)
                perform(local,
                        exclusive_segmented_results<remove_cvref_t<decltype(program)>, value>{
                            program, combine.initial.value},
                        sums, words, totals, reads(h.part(r), words), results_of_node);
              else
                perform(local, program, sums, words, totals, results_of_node);
            });
      }
      on.deliver(b, out, parts);
    }
    //! The bounds of one node's part, and those of merging the nodes' sums, since one segment may
    //! contain all values.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      bound b = fold_bound_on_nodes(m, n);
      bound const part = one_node(size(n / m.k)).lower_bound(m.node);
      b.bandwidth = part.bandwidth;
      b.latency = part.latency;
      b.speed_up = part.speed_up;
      b.reduction = part.reduction;
      return b;
    }
    //! The expression of mmm::prefix_sums on a cluster and a latency: a single value is read and
    //! written, too.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      natural const part = n / m.k;
      return scan_time_on_nodes(m, part, one_node(size(part)).upper_bound(m.node));
    }
  };
};

}  // namespace mmm::detail
MMM_BODIES_END
