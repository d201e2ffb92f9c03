// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/convolution/convolution.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/cluster.hpp>
#include <mmm/machine/clustered.hpp>

//! The direct convolution on machines with clusters: what several DMMs of a cluster need comes from
//! the global memory once.
MMM_BODIES_BEGIN
namespace mmm {

//! hmm_convolution with clusters of C DMMs. Each DMM reads 1/C of the taps and the words of its own
//! c = ceil(n/d) outputs; the other taps, and the m - 1 words after its own, come from its peers.
//! Words after the cluster's last output come from the global memory. On an hmm every DMM reads all
//! m taps and c + m - 1 words, so that the global memory serves 2 md words for n outputs besides
//! 2n; here it serves about 2 md/C.
//! Time: with a share s of the taps, ceil(m/C) rounded up to a multiple of w, that of
//! - copies of s and of c words to each DMM, and of m - 1 words for each cluster, from the global
//!   memory;
//! - copies of C s taps and of m - 1 words to each DMM from peers, where each DMM asks another one;
//! - memory_convolution on a DMM, and a copy of c words from each to the global memory.
//! Needs s + m + (c + m - 1) + c words of shared memory, each array rounded up to a multiple of w,
//! and more where memory_convolution has groups. Errors: std::length_error if there are fewer.
struct cluster_convolution {
  template <class Machine, class Taps, class Words, class Output>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Taps x, index m, Words y, Output z,
                                            index n) const {
    using value = typename Output::value_type;
    if (n == 0) return;
    index const size = on.machine().cluster_size();
    index const w = on.machine().width();
    index const own = detail::ceil_divide(n, on.dmms());
    index const share = detail::ceil_divide(detail::ceil_divide(m, size), w) * w;
    index const words = n + m - 1;
    on.each_cluster(detail::ceil_divide(n, own * size), [=](auto& cluster, auto k) {
      auto const parts = cluster.template allocate<value>(share);
      auto const taps = cluster.template allocate<value>(m);
      auto const window = cluster.template allocate<value>(own + m - 1);
      cluster.each_dmm([=](auto& block, auto r) {
        auto const first = (k * size + r) * own;
        block.each(
            share,
            [=](auto i) { parts[i] = load_if(r * share + i < m, x[r * share + i], value{}); },
            no_barrier);
        block.each(
            own, [=](auto i) { window[i] = load_if(first + i < words, y[first + i], value{}); },
            no_barrier);
        block.each(m - 1, [=](auto h) {
          auto const outside = r + (own + h) / own >= size && first + own + h < words;
          window[own + h] = load_if(outside, y[first + own + h], value{});
        });
      });
      cluster.each_dmm([=](auto& block, auto r) {
        auto const first = (k * size + r) * own;
        auto const own_z = block.template allocate<value>(own);
        block.each(
            size * share,
            [=](auto i) {  // from the own part on, so that every DMM asks another peer
              auto const tap = (i + r * share) % (size * share);
              store_if(tap < m, taps[tap],
                       load_if(tap < m, parts(tap / share, tap % share), value{}));
            },
            no_barrier);
        block.each(m - 1, [=](auto h) {
          auto const rank = r + (own + h) / own;
          store_if(rank < size, window[own + h],
                   load_if(rank < size, window(rank % size, (own + h) % own), value{}));
        });
        memory_convolution<>{}(block, taps.own(), m, window.own(), own_z, own);
        block.each(own, [=](auto i) {
          auto const inside = first + i < n;
          store_if(inside, z[first + i], load_if(inside, own_z[i], value{}));
        });
      });
    });
  }
};

namespace detail {

//! The algorithm object behind mmm::convolution_in_clusters.
struct convolution_in_clusters_algorithm : convolution_call<convolution_in_clusters_algorithm> {
  static constexpr char const* name = "convolution-in-clusters";
  static constexpr char const* paper = "this library";
  static constexpr machine_kinds kinds{.hmm = 6};

  struct problem : convolution_algorithm<false>::problem {
    using base = convolution_algorithm<false>::problem;
    using base::base;

    template <class On, class Taps = no_data, class Words = no_data, class Out = no_data,
              class... Form>
    constexpr void run(On& on, Taps x = {}, Words y = {}, Out z = {}, Form const&...) const {
      static_assert(clustered_machine<typename On::machine_type>,
                    "mmm: convolution_in_clusters needs a machine with clusters: mmm::clustered");
      using value = accumulated_t<typename named_accumulator<Form...>::type, Out, Taps, Words>;
      if (this->n == 0) return;
      perform(on, cluster_convolution{}, reads<value>(x, this->m), this->m.count,
              reads<value>(y, this->words()), writes<value>(z, this->n), this->n.count);
    }
    //! The bound of the convolution on an HMM, with md/C for md words, and the words that come from
    //! peers: m + Cw taps and as many words at most, at each DMM's port.
    [[nodiscard]] constexpr natural upper_bound(auto const& t) const {
      natural const outputs = this->n;
      natural const taps = this->m;
      if (outputs == 0) return 0;
      natural const useful = smaller(t.p, taps * outputs);
      natural const copied = taps * t.d / t.c + outputs;
      natural const at_once = smaller(t.w, t.t);
      natural const both = t.L + (t.l - 1);
      natural const asked = taps + t.c * t.w;  // each part of the taps is rounded up to w
      natural const from_peers = 2 * asked / at_once + 2 * asked * (t.lp + t.l) / t.t + t.lp;
      return larger(copied / at_once, outputs / (outputs / t.d)) + taps * outputs / at_once / t.d +
             copied * both / t.p + taps * outputs * (t.l - 1) / useful + both + t.l * log2(taps) +
             from_peers;
    }
  };
};

}  // namespace detail

//! The convolution of mmm::convolution on a machine with clusters (mmm::clustered), whose DMMs get
//! taps and neighbouring words from their peers; see cluster_convolution. Time: at most 6 (n/w +
//! md/(Cw) + mn/(dw) + …), the upper bound of mmm::upper_bound.
inline constexpr detail::convolution_in_clusters_algorithm convolution_in_clusters{};

}  // namespace mmm
MMM_BODIES_END
