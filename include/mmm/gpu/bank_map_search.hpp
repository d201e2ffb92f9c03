// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/host_array.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/layout/linear_layout.hpp>

#include <cstdint>

//! The least wavefronts of accesses over all maps of words to banks that are linear over F2.
//!
//! Two words meet in a bank exactly if their difference (by exclusive or) is in the kernel of the
//! map to the banks. So the wavefronts of a phase are the largest number of its words in one coset
//! of the kernel, and only the part of the kernel within the span T of the differences of words of
//! one phase matters. A map restricted to T is given by the banks of the vectors of a basis of T.
//! Banks are renamed so that the first vector that is independent of those before gets bank 1, the
//! second bank 2, the third bank 4, …: then every kernel belongs to exactly one choice (its reduced
//! echelon form), and the search walks the tree of choices vector by vector. A part of a choice
//! decides which words meet already, and more words never take fewer wavefronts: that is the bound
//! which prunes.
namespace mmm::gpu::detail {

//! The phases of accesses as sets of words, as far as linear maps tell them apart. Words are
//! numbers of granules: what a map never splits. Words at different places in their granules are in
//! different banks, whatever the map: they are in different classes.
class phase_sets {
 public:
  //! Words of one phase, or of several that differ by a translation.
  struct set {
    index weight = 0;
    index first = 0;  //!< of its members
    int count = 0;
    int least = 1;  //!< wavefronts: the largest class needs so many for its different granules
    bool linear = false;  //!< the members are a subspace: one class, which stands for all
  };
  static constexpr int class_shift = 40;  //!< of a member: the granule, and above it the class

  //! \param granule_words words of a granule, a power of two. \param banks of 4 bytes.
  constexpr phase_sets(index granule_words, index banks)
      : in_granule_(granule_words - 1),
        granule_shift_(bit_width_of(granule_words)),
        bank_bits_(bit_width_of(banks) - granule_shift_) {}

  //! Adds a phase that asks for some words, `weight` times. Words may repeat.
  constexpr void add(index const* word, int count, index weight) {
    if (count == 0) return;
    index sorted[max_lanes] = {};
    int const different = sort_words(word, count, sorted);
    set s;
    s.weight = weight;
    s.first = members_.size();
    int classes = 0;
    int least_class = max_lanes;
    for (int k = 0, size = 0; k < different; k += size) {
      size = class_size(sorted, k, different);
      if (size == 1) continue;  // its word meets no other
      s.least = larger_of(s.least,
                          static_cast<int>(mmm::detail::ceil_divide(size, index{1} << bank_bits_)));
      for (int i = k; i < k + size; ++i)
        members_.push_back((sorted[i] ^ sorted[k]) | index{classes} << class_shift);
      ++classes;
      least_class = size < least_class ? size : least_class;
    }
    s.count = static_cast<int>(members_.size() - s.first);
    bound_ = mmm::detail::checked_add(bound_, mmm::detail::checked_multiply(weight, s.least));
    if (s.count == 0) {
      free_ += weight;
      return;
    }
    mmm::detail::independent_vectors span;
    for (int k = 0; k < s.count; ++k) span.add(granule(s, k));
    s.linear = index{1} << span.size == least_class && s.count == least_class * classes;
    if (s.linear) drop_other_classes(s, least_class);
    if (!known(s)) sets_.push_back(s);
  }

  [[nodiscard]] constexpr int bank_bits() const { return bank_bits_; }
  //! No layout that keeps granules whole takes fewer wavefronts: each wavefront serves as many
  //! granules of a class as there are banks for the class.
  [[nodiscard]] constexpr index bound() const { return bound_; }
  [[nodiscard]] constexpr index free_wavefronts() const { return free_; }
  [[nodiscard]] constexpr index size() const { return sets_.size(); }
  [[nodiscard]] constexpr index member_count() const { return members_.size(); }
  [[nodiscard]] constexpr set const& operator[](index k) const { return sets_.data()[k]; }
  [[nodiscard]] constexpr index member(set const& s, index k) const {
    return members_.data()[s.first + k];
  }
  [[nodiscard]] constexpr index granule(set const& s, index k) const {
    return member(s, k) & ((index{1} << class_shift) - 1);
  }

 private:
  [[nodiscard]] static constexpr int bit_width_of(index power) {
    return mmm::detail::bit_width(power) - 1;
  }
  [[nodiscard]] static constexpr int larger_of(int a, int b) { return a < b ? b : a; }
  //! The different words, sorted by class and granule, and their number.
  constexpr int sort_words(index const* word, int count, index* sorted) const {
    int different = 0;
    for (int k = 0; k < count; ++k) {
      index const key = (word[k] & in_granule_) << class_shift | word[k] >> granule_shift_;
      int place = different;
      while (place > 0 && sorted[place - 1] > key) --place;
      if (place > 0 && sorted[place - 1] == key) continue;
      for (int i = different; i > place; --i) sorted[i] = sorted[i - 1];
      sorted[place] = key;
      ++different;
    }
    return different;
  }
  [[nodiscard]] static constexpr int class_size(index const* sorted, int first, int count) {
    int size = 1;
    while (first + size < count && (sorted[first + size] ^ sorted[first]) >> class_shift == 0)
      ++size;
    return size;
  }
  constexpr void drop_other_classes(set& s, int size) {
    s.count = size;
    members_.shrink(s.first + size);
    index* const first = members_.data() + s.first;  // sorted, so that equal subspaces are found
    for (int k = 1; k < size; ++k) {
      index const x = first[k];
      int place = k;
      for (; place > 0 && first[place - 1] > x; --place) first[place] = first[place - 1];
      first[place] = x;
    }
  }
  //! Adds the weight of a new set to an equal one, if there is one, and drops it then.
  constexpr bool known(set const& s) {
    for (index k = 0; k < sets_.size(); ++k) {
      set& other = sets_[k];
      if (other.count != s.count || other.linear != s.linear || other.least != s.least) continue;
      bool equal = true;
      for (int i = 0; i < s.count && equal; ++i) equal = member(other, i) == member(s, i);
      if (!equal) continue;
      other.weight += s.weight;
      members_.shrink(s.first);
      return true;
    }
    return false;
  }

  index in_granule_;
  int granule_shift_;
  int bank_bits_;
  index bound_ = 0;
  index free_ = 0;  //!< wavefronts of phases of which no two words can meet
  mmm::detail::host_array<index> members_;
  mmm::detail::host_array<set> sets_;
};

//! A leaf of the search that nobody asks for.
struct ignored_leaf {
  constexpr void operator()(int const*, int) const {}
};

//! The search. Time: a node of the tree takes as many steps as there are members of subspaces,
//! pairs of members of other sets, and banks. The number of nodes is exponential in the dimension
//! of T at most, and about that dimension where the bound can be reached without detours.
class bank_map_search {
 public:
  static constexpr int max_span = mmm::detail::max_linear_bits;

  //! \param limit of the steps: words looked at, pairs of them, and banks.
  constexpr bank_map_search(phase_sets const& sets, index limit)
      : sets_(sets),
        limit_(limit),
        bank_bits_(sets.bank_bits()),
        basis_(basis_of(sets, vector_)),
        target_(dimension() < bank_bits_ ? dimension() : bank_bits_),
        item_((dimension() + 1) * sets.member_count()),
        count_((dimension() + 1) * sets.member_count()),
        state_((dimension() + 1) * sets.size()) {
    for (index k = 0; k < sets.size(); ++k) {
      phase_sets::set const& s = sets[k];
      state_[k] = {s.count, 1};
      for (int i = 0; i < s.count; ++i) {
        index const tag = sets.member(s, i) >> phase_sets::class_shift << phase_sets::class_shift;
        item_[s.first + i] = basis_.coordinates(sets.granule(s, i)) << bank_bits_ | tag;
        count_[s.first + i] = 1;
      }
    }
  }

  //! The dimension of the span T of the differences.
  [[nodiscard]] constexpr int dimension() const { return basis_.size; }
  //! A vector of the basis of T.
  [[nodiscard]] constexpr index vector(int k) const { return vector_[k]; }
  //! The banks of the basis in the best choice found.
  [[nodiscard]] constexpr int const* banks() const { return best_path_; }
  [[nodiscard]] constexpr index best() const { return best_; }
  [[nodiscard]] constexpr bool found() const { return found_; }
  [[nodiscard]] constexpr index nodes() const { return nodes_; }
  [[nodiscard]] constexpr index steps() const { return steps_; }
  //! True if no choice is left out: none takes fewer wavefronts than best().
  [[nodiscard]] constexpr bool complete() const { return steps_ <= limit_; }

  //! Finds the best of the choices with fewer wavefronts than `below`. Calls `leaf(banks, n)` for
  //! every leaf of the tree: the first n vectors have these banks, and whatever the others have, no
  //! map takes fewer than best() wavefronts. \param in_order true: all leaves are visited, in the
  //! order of choice_walk; otherwise the search ends as soon as the bound is reached.
  template <class Leaf = ignored_leaf>
  constexpr void run(index below, bool in_order = false, Leaf leaf = {}) {
    best_ = below;
    nodes_ = 0;
    steps_ = 0;
    found_ = false;
    index total = sets_.free_wavefronts();
    for (index k = 0; k < sets_.size(); ++k) total += sets_[k].weight * sets_[k].least;
    in_order_ = in_order;
    descend(0, 0, total, leaf);
  }

 private:
  struct state {
    int count = 0;  //!< of different words that are left
    int cost = 0;   //!< wavefronts that the decided vectors force
  };

  //! A basis of the differences: those of the heaviest sets first, so that their words are decided
  //! early.
  [[nodiscard]] static constexpr mmm::detail::independent_vectors basis_of(phase_sets const& sets,
                                                                           index* vector) {
    mmm::detail::independent_vectors basis;
    mmm::detail::host_array<char> used(sets.size());
    for (index round = 0; round < sets.size(); ++round) {
      index next = -1;
      for (index k = 0; k < sets.size(); ++k)
        if (used[k] == 0 && (next < 0 || sets[k].weight > sets[next].weight)) next = k;
      used[next] = 1;
      for (int i = 0; i < sets[next].count; ++i) {
        index const x = sets.granule(sets[next], i);
        if (basis.add(x)) vector[basis.size - 1] = x;
      }
    }
    return basis;
  }

  [[nodiscard]] constexpr index* items(int level, phase_sets::set const& s) {
    return item_.data() + level * sets_.member_count() + s.first;
  }
  [[nodiscard]] constexpr int* counts(int level, phase_sets::set const& s) {
    return count_.data() + level * sets_.member_count() + s.first;
  }
  [[nodiscard]] static constexpr index over(int cost, int least) {
    return cost < least ? least : cost;
  }

  template <class Leaf>
  constexpr void descend(int level, int rank, index total, Leaf& leaf) {
    if (!complete()) return;
    if (level == dimension()) {
      if (total < best_) {
        best_ = total;
        found_ = true;
        for (int k = 0; k < level; ++k) best_path_[k] = path_[k];
      }
      leaf(static_cast<int const*>(path_), level);
      return;
    }
    ++nodes_;
    if (steps_ > limit_) return;
    index more[max_lanes + 1] = {};
    weigh(level, rank, more);
    // The new bank comes first, then the sums of the others from 0 on, so that the maps are simple.
    bool const grows = rank < target_;
    bool const stays = rank + dimension() - level > target_;
    for (int pass = in_order_ ? 1 : 0; pass < 2; ++pass)
      for (int k = grows ? 0 : 1; k <= (stays ? 1 << rank : 0); ++k) {
        int const bank = k == 0 ? 1 << rank : k - 1;
        if (!in_order_ && (more[bank] != 0) != (pass == 1)) continue;
        if (!in_order_ && best_ == sets_.bound()) return;
        path_[level] = bank;
        if (total + more[bank] >= best_) {
          leaf(static_cast<int const*>(path_), level + 1);
          continue;
        }
        decide(level, bank);
        descend(level + 1, rank + (bank >> rank), total + more[bank], leaf);
      }
  }

  //! The wavefronts that each bank of the next vector adds.
  constexpr void weigh(int level, int rank, index* more) {
    index const only_next = index{1} << level;
    int const banks = 1 << rank;
    steps_ += banks;
    for (index k = 0; k < sets_.size(); ++k) {
      phase_sets::set const& s = sets_[k];
      state const& now = state_[level * sets_.size() + k];
      index const* const x = items(level, s);
      steps_ += s.linear ? now.count : now.count * (now.count + 1) / 2;
      if (s.linear) {
        index const doubled = s.weight * (over(2 * now.cost, s.least) - over(now.cost, s.least));
        for (int i = 0; i < now.count; ++i)
          if (x[i] >> bank_bits_ == only_next) more[x[i] & (banks - 1)] += doubled;
        continue;
      }
      int longest[max_lanes] = {};
      int const* const times = counts(level, s);
      bool meets = false;
      for (int i = 1; i < now.count; ++i)
        for (int j = 0; j < i; ++j) {
          index const d = x[i] ^ x[j];
          if (d >> bank_bits_ != only_next) continue;
          int& there = longest[d & (banks - 1)];
          int const both = times[i] + times[j];
          there = there < both ? both : there;
          meets = true;
        }
      if (!meets) continue;
      for (int bank = 0; bank < banks; ++bank)
        if (longest[bank] > now.cost)
          more[bank] += s.weight * (over(longest[bank], s.least) - over(now.cost, s.least));
    }
  }

  //! Gives the next vector its bank: words that meet become one.
  constexpr void decide(int level, int bank) {
    index const vector = index{1} << (bank_bits_ + level);
    for (index k = 0; k < sets_.size(); ++k) {
      phase_sets::set const& s = sets_[k];
      state const& now = state_[level * sets_.size() + k];
      state& then = state_[(level + 1) * sets_.size() + k];
      index const* const x = items(level, s);
      index* const y = items(level + 1, s);
      int const* const times = counts(level, s);
      int* const sum = counts(level + 1, s);
      steps_ += s.linear ? now.count : now.count * (now.count + 1) / 2;
      then = {0, now.cost};
      for (int i = 0; i < now.count; ++i)
        if ((x[i] & vector) == 0) {
          y[then.count] = x[i];
          sum[then.count++] = times[i];
        }
      int const resting = then.count;
      bool meets = true;  // perhaps
      for (int i = 0; i < now.count; ++i) {
        if ((x[i] & vector) == 0) continue;
        index const moved = x[i] ^ vector ^ bank;
        int same = 0;
        while (meets && same < resting && y[same] != moved) ++same;
        if (meets && same < resting) {
          sum[same] += times[i];
          then.cost = then.cost < sum[same] ? sum[same] : then.cost;
          if (!s.linear) continue;
          then.cost = 2 * now.cost;  // as one word of a subspace meets another, so does every one
          break;
        }
        if (s.linear) meets = false;
        y[then.count] = moved;
        sum[then.count++] = times[i];
      }
    }
  }

  phase_sets const& sets_;
  index limit_;
  int bank_bits_;
  index vector_[max_span] = {};
  mmm::detail::independent_vectors basis_;
  int target_;  //!< the rank of a map that spreads T most
  bool in_order_ = false;
  bool found_ = false;
  index best_ = 0;
  index nodes_ = 0;
  index steps_ = 0;
  int path_[max_span] = {};
  int best_path_[max_span] = {};
  mmm::detail::host_array<index> item_;
  mmm::detail::host_array<int> count_;
  mmm::detail::host_array<state> state_;
};

//! An invertible map of `bits` bits of granules whose lowest `bank_bits` bits give the banks that a
//! search has found for the basis of T. The other bits are bits of the granule.
[[nodiscard]] constexpr linear_map extended_map(bank_map_search const& found, int bits,
                                                int bank_bits) {
  // The images of a basis of all granules: that of T, and bits that are independent of it, which
  // get the banks that are left.
  mmm::detail::independent_vectors all;
  index bank_of[mmm::detail::max_linear_bits] = {};
  mmm::detail::independent_vectors banks;
  for (int k = 0; k < found.dimension(); ++k) {
    all.add(found.vector(k));
    bank_of[k] = found.banks()[k];
    banks.add(bank_of[k]);
  }
  for (int i = 0; i < bits; ++i) {
    int const number = all.size;
    if (!all.add(index{1} << i) || banks.size == bank_bits) continue;
    bank_of[number] = index{1} << banks.size;
    banks.add(bank_of[number]);
  }
  auto const bank_of_bit = [&](int i) {
    index const sum = all.coordinates(index{1} << i);
    index bank = 0;
    for (int k = 0; k < bits; ++k) bank ^= (sum >> k & 1) != 0 ? bank_of[k] : 0;
    return bank;
  };
  // The first bits with independent banks keep their values as the lowest bits of the image; the
  // others stand above, and flip those.
  mmm::detail::independent_vectors pivots;
  linear_map map(bits);
  int above = banks.size;
  for (int i = 0; i < bits; ++i)
    if (pivots.add(bank_of_bit(i)))
      map.image[i] = index{1} << (pivots.size - 1);
    else
      map.image[i] = index{1} << above++;
  for (int i = 0; i < bits; ++i)
    if (map.image[i] >> banks.size != 0) map.image[i] |= pivots.coordinates(bank_of_bit(i));
  return map;
}

}  // namespace mmm::gpu::detail
