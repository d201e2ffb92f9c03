// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/algorithm/scatter.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/nodes.hpp>

//! Exact splitting: where each node cuts its sorted words, so that all words of the first parts
//! together are the words before a border of the whole.
//!
//! A word's rank is its own place and, of every other node, the number of words before it. Equal
//! words are in the order of their nodes' ranks and of their places. Every node searches its cuts
//! for all borders at once: it sends pivots, words at regular distances, to all other nodes, gets
//! the number of their words before each pivot, and goes on between two pivots. The number of
//! rounds and of pivots depends on the sizes alone. A round sends about k^2 words from each of k
//! nodes, and k in the first: the search is small beside the sort where a node has many more than
//! k^2 words.
//! Source: regular samples are those of Shi and Schaeffer, Parallel Sorting by Regular Sampling,
//! JPDC 14(4), 1992; exact splitters those of Varman, Scheufler, Iyer and Ricard, Merging Multiple
//! Lists on Hierarchical-Memory Multiprocessors, JPDC 12(2), 1991.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! A search in `rounds` rounds, each of which divides the places by `fan`.
struct split_search {
  index fan = 2;
  index rounds = 0;

  //! Distance of the pivots in a round: fan to the power of the number of rounds after it.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index distance(index round) const {
    index d = 1;
    for (index r = round + 1; r < rounds; ++r) d *= fan;
    return d;
  }
  //! Pivots for one border.
  [[nodiscard]] constexpr index pivots() const { return fan - 1; }
  //! Pivots that a node sends to each other one of `nodes`. In the first round the pivots of all
  //! borders are the same.
  [[nodiscard]] constexpr index pivots(index round, index nodes) const {
    return checked_multiply(pivots(), round == 0 ? 1 : nodes - 1);
  }
};

//! The traffic of a search: pivots and answers of each round.
template <cluster_machine M>
[[nodiscard]] constexpr network_traffic traffic_of(M const& m, split_search const& chosen) {
  index const others = m.nodes() - 1;
  network_traffic all{};
  for (index round = 0; round < smaller(chosen.rounds, 2); ++round) {
    index const words = checked_multiply(chosen.pivots(round, m.nodes()), others);
    all = all + (round == 0 ? 2 : 2 * (chosen.rounds - 1)) * exchange_traffic(m, words, others);
  }
  return all;
}

//! The search with the least traffic, in time, where a node has up to `words` words.
template <cluster_machine M>
[[nodiscard]] constexpr split_search split_search_of(M const& m, index words) {
  split_search best{};
  network_traffic least{};
  for (index rounds = 1; rounds <= ceil_log2(words + 1); ++rounds) {
    split_search const chosen{ceil_root(words + 1, rounds), rounds};
    network_traffic const traffic = traffic_of(m, chosen);
    if (rounds == 1 || traffic.time < least.time) {
      best = chosen;
      least = traffic;
    }
  }
  return best;
}

//! Pieces of `words` words from every node to every other one. The receiver has them in the order
//! of the senders' ranks. The sender has the same words for all, or words for each receiver, in
//! the order of their ranks.
struct pieces_to_others {
  index nodes;
  index words;
  bool same_for_all;
  //! The place of node s among the nodes other than r.
  [[nodiscard]] static constexpr index place(index s, index r) { return s < r ? s : s - 1; }
  [[nodiscard]] constexpr piece operator()(index r, index s) const {
    if (r == s) return {};
    return {same_for_all ? 0 : place(s, r) * words, place(r, s) * words, words};
  }
  [[nodiscard]] constexpr node_relation relation(index) const {
    return {checked_multiply(nodes - 1, words), nodes - 1};
  }
};
//! One word from every node to every one: word s of node r, or its only one, is word r of node s.
struct word_for_each {
  index nodes;
  bool same_for_all;
  [[nodiscard]] constexpr piece operator()(index r, index s) const {
    return {same_for_all ? 0 : s, r, 1};
  }
  [[nodiscard]] constexpr node_relation relation(index) const { return {nodes - 1, nodes - 1}; }
};

//! Writes a number to a word.
struct store_number_program {
  index number;
  template <class On, class Word>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Word word) const {
    auto const x = number;
    on.each(1, [=](auto i) { word[i] = x + 0 * i; });
  }
};

//! One round of a search on a node with n sorted words, for the borders between `nodes` nodes.
template <class Order, class Scatter>
struct split_round {
  split_search search;
  index round;
  index nodes;
  index n;
  Order before{};

  [[nodiscard]] MMM_HOST_DEVICE constexpr index sets() const { return round == 0 ? 1 : nodes - 1; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index all() const { return sets() * (search.fan - 1); }

  //! The place of pivot i; `r` is a register for it.
  template <class Item, class Cuts, class R>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto place_of(Item const& i, Cuts cuts, index each,
                                                               index distance, R r) {
    r(i, 0) = (i % each + 1) * distance - 1;
    return load(cuts[i / each]) + load(r(i, 0));
  }

  //! Copies the pivots. A place after the last word has a copy of that.
  template <class On, class Keys, class Cuts, class Pivots>
  MMM_HOST_DEVICE constexpr void copy_pivots(On& on, Keys keys, Cuts cuts, Pivots pivots) const {
    if (n == 0) return;
    index const last = n - 1, each = search.fan - 1, d = search.distance(round);
    index const p = on.threads(), w = on.machine().width();
    auto const r = on.template registers<index, 1>();
    if (round == 0) {
      index const existing = smaller(each, n / d);
      on.each(existing, [=](auto i) { pivots[i] = load(keys[(i + 1) * d - 1]); }, no_barrier);
      on.each(each - existing, [=](auto i) { pivots[existing + i] = load(keys[last + 0 * i]); });
    } else {
      on.each(all(), [=](auto i) {
        auto const place = min(place_of(i, cuts, each, d, r), last);
        pivots[i] = load(keys[address_by<Scatter>(i, p, w, place)]);
      });
    }
  }
  //! Counts the words before each of the pivots of all other nodes. Equal words are before pivots
  //! of later nodes only; `own` is the node's rank.
  template <class On, class Keys, class Others, class Counts>
  MMM_HOST_DEVICE constexpr void count(On& on, index own, Keys keys, Others others,
                                       Counts counts) const {
    index const words = n, of_earlier = own * all();
    index const p = on.threads(), w = on.machine().width();
    index const largest_step = words == 0 ? 0 : index{1} << (ceil_log2(words + 1) - 1);
    auto const comes_before = before;
    auto const found = on.template registers<index, 1>();
    on.each((nodes - 1) * all(), [=](auto i) {
      auto const x = load(others[i]);
      auto const earlier = i < of_earlier;
      found(i, 0) = 0 * i;
      for (index step = largest_step; step > 0; step /= 2) {
        auto const upto = min(load(found(i, 0)) + step, words);
        auto const y = load(keys[address_by<Scatter>(i, p, w, upto - 1)]);
        auto const first = apply(comes_before, select(earlier, y, x), select(earlier, x, y));
        auto const next = select(first, upto, load(found(i, 0)));
        auto const not_next = select(first, load(found(i, 0)), upto);
        found(i, 0) = select(earlier, next, not_next);
      }
      counts[i] = load(found(i, 0));
    });
  }
  //! Moves each cut to the last pivot before its border. `total` is the number of all nodes' words.
  template <class On, class Answers, class Ranks, class Borders, class Cuts>
  MMM_HOST_DEVICE constexpr void move_cuts(On& on, index total, Answers answers, Ranks ranks,
                                           Borders borders, Cuts cuts) const {
    index const words = n, each = search.fan - 1, d = search.distance(round), pivots = all();
    index const p = on.threads(), w = on.machine().width();
    index const largest_step = index{1} << (ceil_log2(each + 1) - 1);
    bool const begins = round == 0;
    auto const r = on.template registers<index, 1>();
    if (begins)
      on.each(pivots, [=](auto i) {
        auto const place = (i + 1) * d - 1;
        ranks[i] = select(place < words, place, total);
      });
    else
      on.each(pivots, [=](auto i) {
        auto const place = place_of(i, cuts, each, d, r);
        ranks[i] = select(place < words, place, total);
      });
    on.repeat(nodes - 1, [=, &on](auto s) {
      on.each(pivots, [=](auto i) { ranks[i] = load(ranks[i]) + load(answers[s * pivots + i]); });
    });
    auto const found = on.template registers<index, 1>();
    on.each(nodes - 1, [=](auto j) {
      auto const border = load(borders[j + 1]);
      found(j, 0) = 0 * j;
      r(j, 0) = j * (begins ? 0 : each) - 1;
      for (index step = largest_step; step > 0; step /= 2) {
        auto const upto = min(load(found(j, 0)) + step, each);
        auto const rank = load(ranks[address_by<Scatter>(j, p, w, upto + load(r(j, 0)))]);
        found(j, 0) = select(rank < border, upto, load(found(j, 0)));
      }
      if (begins)
        cuts[j] = load(found(j, 0)) * d;
      else
        cuts[j] = load(cuts[j]) + load(found(j, 0)) * d;
    });
  }
};

template <class Round>
struct copy_pivots_program {
  Round round;
  template <class On, class Keys, class Cuts, class Pivots>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Keys keys, Cuts cuts, Pivots pivots) const {
    round.copy_pivots(on, keys, cuts, pivots);
  }
};
template <class Round>
struct count_before_program {
  Round round;
  index own;
  template <class On, class Keys, class Others, class Counts>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Keys keys, Others others, Counts counts) const {
    round.count(on, own, keys, others, counts);
  }
};
template <class Round>
struct move_cuts_program {
  Round round;
  index total;
  template <class On, class Answers, class Ranks, class Borders, class Cuts>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Answers answers, Ranks ranks, Borders borders,
                                            Cuts cuts) const {
    round.move_cuts(on, total, answers, ranks, borders, cuts);
  }
};

//! Writes the number of words between the cuts for each node; the last cut is after n words.
struct count_runs_program {
  index nodes;
  index n;
  template <class On, class Cuts, class Counts>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Cuts cuts, Counts counts) const {
    index const last = nodes - 1, words = n;
    on.each(1, [=](auto i) { cuts[i + last] = words + 0 * i; });
    on.each(nodes, [=](auto s) {
      counts[s] = load(cuts[s]) - load_if(0 < s, cuts[max(s - 1, 0)], index{0});
    });
  }
};

}  // namespace mmm::detail
MMM_BODIES_END
