// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/permutation/edge_coloring.hpp>
#include <mmm/algorithm/permutation/permutation_places.hpp>
#include <mmm/algorithm/permutation/permutation_shape.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/host_array.hpp>
#include <mmm/machine/machine.hpp>

#include <cstdint>

//! The schedule of a permutation that is known beforehand.
namespace mmm {
namespace detail {

//! Divides the moves of permutations in a memory of w banks into rounds without bank conflicts.
//!
//! A move from word i to word s(i) is an edge from bank i mod w to bank s(i) mod w. The edges of a
//! colour have different banks at both ends: they are a round. n words have ceil(n/w) rounds, each
//! of floor(n / rounds) moves or one more, the longer ones first, so that the number of moves of a
//! round depends on n and w only.
class bank_rounds {
 public:
  constexpr bank_rounds(index max_words, index w)
      : w_(w),
        coloring_(checked_multiply(ceil_divide(max_words, w), w), w),
        place_(ceil_divide(max_words, w)),
        moves_(ceil_divide(max_words, w)),
        at_source_(max_words % w == 0 ? 0 : ceil_divide(max_words, w) * w),
        at_target_(max_words % w == 0 ? 0 : ceil_divide(max_words, w) * w) {}

  //! Writes the rounds of the n moves i -> target(i): move k of round r is at `r w + k` of
  //! `sources` and `targets`. n is `max_words`, or a smaller multiple of w.
  template <class Target>
  constexpr void schedule(index n, Target target, std::int32_t* sources, std::int32_t* targets) {
    index const rounds = ceil_divide(n, w_);
    index const rest = n % w_;
    for (index i = 0; i < n; ++i)
      coloring_.edge(i) = {static_cast<std::int32_t>(i % w_),
                           static_cast<std::int32_t>(target(i) % w_), static_cast<std::int32_t>(i)};
    if (rest != 0)  // edges that make the graph regular
      for (index i = n, bank = rest; bank < w_; ++i, ++bank)
        coloring_.edge(i) = {static_cast<std::int32_t>(bank), static_cast<std::int32_t>(bank),
                             static_cast<std::int32_t>(i)};
    coloring_.color(w_, rounds);
    if (rest != 0) balance(n, target);
    order_rounds(n, rounds);
    for (index i = 0; i < n; ++i) {
      index const k = place_[coloring_.color_of(i)]++;
      sources[k] = static_cast<std::int32_t>(i);
      targets[k] = static_cast<std::int32_t>(target(i));
    }
  }

 private:
  static constexpr std::int32_t none = -1;

  //! Moves edges between colours until all colours have the same number of edges or one more.
  template <class Target>
  constexpr void balance(index n, Target target) {
    index const rounds = ceil_divide(n, w_);
    for (index k = 0; k < rounds * w_; ++k) at_source_[k] = at_target_[k] = none;
    for (index r = 0; r < rounds; ++r) moves_[r] = 0;
    for (index i = 0; i < n; ++i) {
      index const r = coloring_.color_of(i);
      at_source_[r * w_ + i % w_] = at_target_[r * w_ + target(i) % w_] =
          static_cast<std::int32_t>(i);
      ++moves_[r];
    }
    for (;;) {
      index longest = 0, shortest = 0;
      for (index r = 1; r < rounds; ++r) {
        if (moves_[r] > moves_[longest]) longest = r;
        if (moves_[r] < moves_[shortest]) shortest = r;
      }
      if (moves_[longest] - moves_[shortest] < 2) return;
      exchange_a_path(longest, shortest, target);
      --moves_[longest];
      ++moves_[shortest];
    }
  }
  //! Exchanges the colours `a` and `b` on a path of these two colours that begins and ends with
  //! `a`: there is one, since more edges have the colour `a`.
  template <class Target>
  constexpr void exchange_a_path(index a, index b, Target target) {
    for (index bank = 0; bank < w_; ++bank) {
      // An end of a path with an edge of colour `a`, at a source or at a target bank.
      if (at_source_[a * w_ + bank] != none && at_source_[b * w_ + bank] == none)
        if (ends_with(a, b, bank, true, target)) return recolor(a, b, bank, true, target);
      if (at_target_[a * w_ + bank] != none && at_target_[b * w_ + bank] == none)
        if (ends_with(a, b, bank, false, target)) return recolor(a, b, bank, false, target);
    }
  }
  [[nodiscard]] constexpr std::int32_t edge_at(index color, index bank, bool source) {
    return source ? at_source_[color * w_ + bank] : at_target_[color * w_ + bank];
  }
  //! True if the path from `bank` on, with the colours `a`, `b`, `a`, …, ends with `a`.
  template <class Target>
  [[nodiscard]] constexpr bool ends_with(index a, index b, index bank, bool source, Target target) {
    for (bool next_is_a = true;; next_is_a = !next_is_a) {
      std::int32_t const i = edge_at(next_is_a ? a : b, bank, source);
      if (i == none) return !next_is_a;
      bank = (source ? target(i) : index{i}) % w_;
      source = !source;
    }
  }
  template <class Target>
  constexpr void recolor(index a, index b, index bank, bool source, Target target) {
    // The places of both colours at a bank are exchanged after the edges were followed.
    std::int32_t i = edge_at(a, bank, source);
    exchange_at(a, b, bank, source);
    for (bool is_a = true; i != none; is_a = !is_a) {
      coloring_.set_color(i, static_cast<std::int32_t>(is_a ? b : a));
      bank = (source ? target(i) : index{i}) % w_;
      source = !source;
      i = edge_at(is_a ? b : a, bank, source);
      exchange_at(a, b, bank, source);
    }
  }
  constexpr void exchange_at(index a, index b, index bank, bool source) {
    auto& edges = source ? at_source_ : at_target_;
    std::int32_t const edge = edges[a * w_ + bank];
    edges[a * w_ + bank] = edges[b * w_ + bank];
    edges[b * w_ + bank] = edge;
  }
  //! The place of each colour's first move: rounds with more moves first.
  constexpr void order_rounds(index n, index rounds) {
    index const longer = n % rounds;
    index next_longer = 0, next_shorter = longer;
    for (index r = 0; r < rounds; ++r) {
      bool const is_longer = n % w_ != 0 && longer != 0 && moves_[r] > n / rounds;
      place_[r] = w_ * (longer == 0 ? r : is_longer ? next_longer++ : next_shorter++);
    }
  }

  index w_;
  edge_coloring coloring_;
  host_array<index> place_;
  host_array<index> moves_;
  host_array<std::int32_t> at_source_;
  host_array<std::int32_t> at_target_;
};

//! Writes the conflict-free rounds of each of a matrix's rows: `target(row, column)` is the column
//! that a word goes to.
template <class Target>
constexpr void schedule_rows(index rows, index columns, index w, Target target,
                             std::int32_t* sources, std::int32_t* targets) {
  bank_rounds of_row(columns, w);
  for (index r = 0; r < rows; ++r)
    of_row.schedule(
        columns, [&](index c) { return target(r, c); }, sources + r * columns,
        targets + r * columns);
}

//! The most stages that a round of a schedule takes in a memory with banks.
[[nodiscard]] constexpr index max_stages_of(permutation_shape const& shape,
                                            std::int32_t const* words) {
  index stages = 0;
  index const rounds = shape.rounds(), columns = shape.columns, w = shape.width;
  host_array<index> asked(w);  // words of a round in each bank
  for (index r = 0; r * w < shape.schedule_words(); ++r) {
    index const moves = columns / rounds + (r % rounds < columns % rounds);
    for (index k = 0; k < moves; ++k) stages = larger(stages, ++asked[words[r * w + k] % w]);
    for (index bank = 0; bank < w; ++bank) asked[bank] = 0;
  }
  return stages;
}

}  // namespace detail

//! A schedule whose indices lie in memory that a machine reads: the argument of mmm::permutation.
template <class Iterator>
struct permutation_indices {
  permutation_shape shape;
  Iterator first;
};

//! The schedule of a permutation known beforehand, for mmm::permutation: computed once on the host,
//! or in a constant expression, for machines of one kind and width and any number of threads.
//!
//! In one memory, the words are moved in rounds of w words from different banks to different banks.
//! On an HMM, a matrix of words is permuted in three phases: within its rows, within its columns,
//! within its rows; each row or column is moved in such rounds. Both come from edge colourings of
//! regular bipartite multigraphs (König 1916). Sources: Kasagi, Nakano and Ito 2013,
//! 2014.
//!
//! Time: O(n log n). Memory: 8 bytes for each word, 24 on a matrix, and 80 bytes for each word
//! while it is computed. Errors: std::invalid_argument if the numbers are no permutation of 0 … n -
//! 1, with the two places that go to one; a compile error in a constant expression.
class permutation_schedule {
 public:
  //! The schedule on machine `m` for moving word i to place `first[i]`; [first, last) are integers.
  template <machine M, class Iterator>
  constexpr permutation_schedule(M const& m, Iterator first, Iterator last)
      : shape_(permutation_shape::on_machine(m, static_cast<index>(last - first))),
        words_(checked_words(shape_)) {
    detail::host_array<index> target(shape_.area());
    for (index i = 0; i < shape_.n; ++i) target[i] = static_cast<index>(first[i]);
    for (index i = shape_.n; i < shape_.area(); ++i) target[i] = i;
    detail::demand_permutation(target.data(), shape_.n);
    if (shape_.n == 0) return;
    if (shape_.rows == 1)
      detail::schedule_rows(
          1, shape_.columns, shape_.width, [&](index, index c) { return target[c]; }, words_.data(),
          words_.data() + words_.size() / 2);
    else
      schedule_phases(target);
  }

  [[nodiscard]] constexpr permutation_shape const& shape() const { return shape_; }
  //! The indices: for each phase the places to read from, round by round, and those to write to.
  //! There are `shape().schedule_words()` of them.
  [[nodiscard]] constexpr std::int32_t const* begin() const { return words_.data(); }
  [[nodiscard]] constexpr std::int32_t const* end() const { return words_.data() + words_.size(); }
  //! The schedule for kernels, with the indices in a copy that a GPU can read:
  //! `schedule.with_indices(device_pointer)`, after the words [begin(), end()) were copied there.
  template <class Iterator>
  [[nodiscard]] constexpr permutation_indices<Iterator> with_indices(Iterator copy) const {
    return {shape_, copy};
  }
  [[nodiscard]] constexpr permutation_indices<std::int32_t const*> indices() const {
    return {shape_, begin()};
  }

  //! The most stages that any round takes in a memory with banks, reading or writing: 1, or 0 where
  //! there are no words. Evaluates all rounds: a static_assert of `max_stages() <= 1` is a proof.
  [[nodiscard]] constexpr index max_stages() const {
    return detail::max_stages_of(shape_, words_.data());
  }

 private:
  [[nodiscard]] static constexpr index checked_words(permutation_shape const& s) {
    if (s.columns > INT32_MAX - s.width)
      detail::reject("the number of words to permute in one memory", s.columns, "less than 2^31");
    return s.schedule_words();
  }
  //! The three phases on a matrix. A word goes from row i / columns to row target / columns: the
  //! words of a colour come from different rows and go to different rows. They meet in a column.
  constexpr void schedule_phases(detail::host_array<index>& target) {
    index const rows = shape_.rows, columns = shape_.columns, w = shape_.width, all = shape_.area();
    std::int32_t* const phase = words_.data();
    detail::host_array<std::int32_t> column(all);   // of a word, between the phases
    detail::host_array<std::int32_t> source(all);   // of the word at a place, between them: its row
    detail::host_array<std::int32_t> arrives(all);  // of the word at a place after the second
    {
      detail::edge_coloring coloring(all, rows);
      for (index i = 0; i < all; ++i)
        coloring.edge(i) = {static_cast<std::int32_t>(i / columns),
                            static_cast<std::int32_t>(target[i] / columns),
                            static_cast<std::int32_t>(i)};
      coloring.color(rows, columns);
      for (index i = 0; i < all; ++i) column[i] = coloring.color_of(i);
    }
    for (index i = 0; i < all; ++i) {
      source[column[i] * rows + i / columns] = static_cast<std::int32_t>(target[i] / columns);
      arrives[target[i] / columns * columns + column[i]] =
          static_cast<std::int32_t>(target[i] % columns);
    }
    detail::schedule_rows(
        rows, columns, w, [&](index r, index c) { return index{column[r * columns + c]}; }, phase,
        phase + all);
    detail::schedule_rows(
        columns, rows, w, [&](index k, index r) { return index{source[k * rows + r]}; },
        phase + 2 * all, phase + 3 * all);
    detail::schedule_rows(
        rows, columns, w, [&](index r, index k) { return index{arrives[r * columns + k]}; },
        phase + 4 * all, phase + 5 * all);
  }

  permutation_shape shape_;
  detail::host_array<std::int32_t> words_;
};

//! A schedule that a compiler computed: see mmm::permutation_table.
template <index Words>
struct permutation_words {
  permutation_shape shape;
  std::int32_t words[static_cast<decltype(sizeof(0))>(Words)];

  //! The schedule for mmm::permutation. It refers to this object.
  [[nodiscard]] constexpr permutation_indices<std::int32_t const*> indices() const {
    return {shape, words};
  }
  //! The same as mmm::permutation_schedule::max_stages.
  [[nodiscard]] constexpr index max_stages() const { return detail::max_stages_of(shape, words); }
};

//! The schedule of a permutation that is known when a program is compiled, as a constant:
//! `constexpr auto table = mmm::permutation_table<M, n>([](mmm::index i) { return …; })`, where
//! word i of n goes to the value of the function, which captures nothing. Compilers accept about
//! 2000 words at their default limits. A permutation that is none is a compile error with the words
//! and the place that they go to.
template <machine M, index N, class Place>
[[nodiscard]] constexpr auto permutation_table(Place) {
  constexpr M m = detail::machine_of<M>();
  constexpr permutation_shape shape = permutation_shape::on_machine(m, N);
  constexpr auto with_places = [](auto const& use) {
    detail::host_array<index> places(N);
    for (index i = 0; i < N; ++i) places[i] = static_cast<index>(Place{}(i));
    return use(places.data());
  };
  constexpr detail::misplaced_word found =
      with_places([](index* places) { return detail::misplaced_in(places, N); });
  permutation_words<detail::larger(1, shape.schedule_words())> table{shape, {}};
  if constexpr (detail::place_of_word<found.word, found.other, found.place, N>::accepted &&
                found.word < 0)
    with_places([&](index* places) {
      permutation_schedule const schedule(m, places, places + N);
      index k = 0;
      for (std::int32_t const word : schedule) table.words[k++] = word;
      return 0;
    });
  return table;
}

}  // namespace mmm
