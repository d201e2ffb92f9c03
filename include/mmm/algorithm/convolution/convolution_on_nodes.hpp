// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/call/passed_words.hpp>
#include <mmm/algorithm/cluster.hpp>
#include <mmm/algorithm/halo_plan.hpp>
#include <mmm/algorithm/natural.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/nodes.hpp>

//! The direct convolution on a cluster: blocks of the outputs, with a halo of m - 1 words that
//! arrive while the nodes compute the outputs that do not need them.
namespace mmm::detail {

//! The words that are convolved: a node has as many as outputs, and the last node `extra` more.
template <class Outputs>
struct words_of_outputs {
  Outputs outputs;
  index nodes;
  index extra;
  [[nodiscard]] constexpr index words(index r) const {
    return outputs.words(r) + (r == nodes - 1 ? extra : 0);
  }
  [[nodiscard]] constexpr index place(index r, index i) const { return outputs.place(r, 0) + i; }
};

//! The window of the outputs that need words of other nodes, the last m - 1 of a node.
template <class Outputs>
struct convolution_window {
  Outputs outputs;
  index nodes;
  index extra;  //!< m - 1
  [[nodiscard]] constexpr index halo() const { return extra; }
  //! The number of these outputs.
  [[nodiscard]] constexpr index border(index r) const {
    return r == nodes - 1 ? 0 : smaller(extra, outputs.words(r));
  }
  [[nodiscard]] constexpr halo_window operator()(index r) const {
    index const b = border(r);
    return {.trailing = b, .after = b > 0 ? extra : 0};
  }
};

//! An algorithm whose calls are those of mmm::convolution.
template <class Algorithm>
concept convolution_object = requires(Algorithm const& a) {
  static_cast<convolution_call<Algorithm> const&>(a);
  typename Algorithm::problem;
};

//! The convolution by any algorithm that is called as mmm::convolution. The outputs and the words
//! lie on the nodes in blocks: node r has n_r outputs and n_r words, and the last node has m - 1
//! words more. Every node has all taps. On a cluster of processes each one passes all taps, and its
//! own outputs and words.
//! Time: the slower one of the exchange and of one node's time for its n_r - m + 1 inner outputs;
//! then one node's time for m - 1 outputs.
template <convolution_object Algorithm>
struct cluster_program<Algorithm> {
  struct problem : convolution_sizes {
    using convolution_sizes::convolution_sizes;
    using node_problem = typename Algorithm::problem;

    template <class On, class Taps = no_data, class Words = no_data, class Out = no_data,
              class... Form>
    constexpr void run(On& on, Taps x = {}, Words y = {}, Out z = {}, Form const&... form) const {
      auto const outputs = on.distribution_of(n);
      if (outputs.total() == 0) return;
      static_cast<void>(natural(outputs.total()) + (m - 1));  // rejects words over 64 bits
      // The last node sends the most words, in the most messages: an estimate examines it.
      index const k = on.nodes();
      index const extra = m - 1;
      words_of_outputs<decltype(outputs)> const given{outputs, k, extra};
      convolution_window<decltype(outputs)> const window{outputs, k, extra};
      halo_plan<decltype(given), decltype(window)> const plan{given, k, 1, window};
      if constexpr (!is_same_v<Taps, no_data> && !is_same_v<Out, no_data>)
        reject_overlap_of(writes<iterator_value_t<Out>>(z, passed_words(on, outputs)),
                          reads<iterator_value_t<Taps>>(x, m));
      compare_words(on, "taps of", x, m);
      auto const words = on.bring(y, given);
      auto const result = on.template results<iterator_value_t<Out>>(z, outputs);
      auto const edge = on.template allocate<iterator_value_t<Words>>(plan);
      auto const part = [x, m = m, form...](auto& local, auto y_part, auto z_part, index count) {
        if (count > 0) node_problem(size(count), taps(m)).run(local, x, y_part, z_part, form...);
      };
      auto const border = [=](index r) { return window.border(r); };
      auto const inner = [=](index r) { return outputs.words(r) - window.border(r); };
      auto const compute_inner = [=](auto& local, index r) {
        part(local, words.part(r), result.part(r), inner(r));
      };
      auto const compute_border = [=](auto& local, index r) {
        part(local, edge.part(r), result.part(r) + inner(r), border(r));
      };
      on.exchange(words, edge, plan, keyed_body{inner, compute_inner});
      on.each_node(keyed_body{border, compute_border});
      on.deliver(result, z, outputs);
    }
    //! The number of words that a caller on `on` has to pass: all words, or those of its process.
    template <class On>
    [[nodiscard]] constexpr index given_words(On const& on) const {
      auto const outputs = on.distribution_of(n);
      if (outputs.total() == 0) return 0;
      return passed_words(on, words_of_outputs<decltype(outputs)>{outputs, on.nodes(), m - 1});
    }
    //! The bounds of one node's n/k outputs. The last min(m - 1, n/k) outputs of the first node
    //! depend on words of other nodes by a matrix of full rank, so that as many words, or sums of
    //! them, have to be sent.
    template <cluster_machine M>
    [[nodiscard]] constexpr bound lower_bound(cluster_terms<M> const& t) const {
      if (n == 0) return {};
      bound b = of_node(n / t.k).lower_bound(t.node);
      if (t.k > 1) b.network_bandwidth = t.exchange(smaller(m - 1, n / t.k));
      return b;
    }
    //! The bounds of one node for its outputs and for the last m - 1 of them, and that of the
    //! exchange, in which a node sends its words to all nodes whose halo has them.
    template <cluster_machine M>
    [[nodiscard]] constexpr natural upper_bound(cluster_terms<M> const& t) const {
      if (n == 0) return 0;
      natural const own = n / t.k;
      natural const border = smaller(m - 1, own);
      natural const halo = m - 1;
      natural const others = t.k - 1;
      index const smallest = n.count / t.k.count;
      natural const receivers =
          smaller(others, smallest == 0 ? n : halo / natural(smallest) + (halo > 0 ? 1 : 0));
      natural const network =
          others == 0 ? 0 : exchange_time(t.machine, receivers * halo, larger(receivers, 1));
      return network + of_node(own).upper_bound(t.node) + of_node(border).upper_bound(t.node);
    }

   private:
    [[nodiscard]] constexpr node_problem of_node(natural outputs) const {
      return node_problem(size(outputs), taps(m));
    }
  };
};

}  // namespace mmm::detail
