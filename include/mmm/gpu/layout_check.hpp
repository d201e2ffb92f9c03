// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/host_array.hpp>
#include <mmm/gpu/access.hpp>
#include <mmm/gpu/bank_map_search.hpp>
#include <mmm/gpu/choose_layout.hpp>
#include <mmm/gpu/request.hpp>
#include <mmm/gpu/rules.hpp>

//! The check of a layout's certificate: costs by enumeration of the bytes in every bank, and the
//! proof by a walk over the tree of all kernels, leaf by leaf.
namespace mmm::gpu {

//! The reason why no layout is better.
enum class layout_proof {
  capacity,  //!< every wavefront serves as much as it can: no layout whatsoever is better
  search,    //!< all linear maps and all paddings were ruled out
  open       //!< none: the search ended at its limit
};

namespace detail {

//! Bytes of the widest access to a tile, or of its elements.
template <class... Access, class... Row, class... Column>
[[nodiscard]] constexpr index widest_access(tile_shape const& area,
                                            tile_access_pattern<Access, Row, Column> const&...) {
  index widest = area.element_bytes;
  ((widest = mmm::detail::larger(widest, Access{}.bytes)), ...);
  return widest;
}

//! The span of vectors over F2 for the check: a vector is in it if nothing is left of it.
class plain_span {
 public:
  [[nodiscard]] constexpr index rest(index x) const {
    for (int k = 0; k < size_; ++k) x = mmm::detail::smaller(x, x ^ row_[k]);
    return x;
  }
  constexpr bool add(index x) {
    x = rest(x);
    if (x == 0) return false;
    row_[size_++] = x;
    return true;
  }

 private:
  index row_[64] = {};
  int size_ = 0;
};

//! The walk over all choices of banks for the vectors of a basis: demands that a search's leaves
//! leave no choice out. Vector k has as its bank a new one, 2^rank, or a sum of the banks of those
//! before; the new one comes first, then 0, 1, 2, ….
class choice_walk {
 public:
  constexpr choice_walk(int vectors, int bank_bits) : vectors_(vectors), bank_bits_(bank_bits) {}

  //! Accepts the next leaf: all choices that begin with these `count` banks.
  constexpr bool accept(int const* bank, int count) {
    if (ended_ || count > vectors_ || count < fixed_) return false;
    int rank = 0;
    for (int k = 0; k < count; ++k) {
      if (bank[k] != (k < fixed_ ? next_[k] : first(rank))) return false;
      rank += bank[k] >> rank;
    }
    // the last bank that has a successor is replaced by it
    fixed_ = 0;
    rank = 0;
    int successor = 0;
    for (int k = 0; k < count; ++k) {
      next_[k] = bank[k];
      int const after = bank[k] >> rank != 0 ? 0 : bank[k] + 1;
      if (may_stay(rank, k) && after < 1 << rank) {
        fixed_ = k + 1;
        successor = after;
      }
      rank += bank[k] >> rank;
    }
    ended_ = fixed_ == 0;
    if (!ended_) next_[fixed_ - 1] = successor;
    return true;
  }
  [[nodiscard]] constexpr bool ended() const { return ended_; }

 private:
  [[nodiscard]] constexpr int first(int rank) const { return rank < bank_bits_ ? 1 << rank : 0; }
  //! True if the rank becomes as large as it can without vector k: choices whose kernel is larger
  //! than it need be contain one that is smaller.
  [[nodiscard]] constexpr bool may_stay(int rank, int k) const {
    int const target = vectors_ < bank_bits_ ? vectors_ : bank_bits_;
    return rank + vectors_ - k - 1 >= target;
  }
  int vectors_;
  int bank_bits_;
  int fixed_ = 0;  //!< banks that the next leaf begins with
  bool ended_ = false;
  int next_[64] = {};
};

//! Checks a certificate:
//! - the layout is injective, and keeps granules together and aligned;
//! - the costs are those of an enumeration of every byte in every bank, for the layout and for rows
//!   without padding;
//! - the bound is a count of the granules of every phase and class;
//! - capacity: the wavefronts are the bound;
//! - search: every padding is enumerated; the vectors of the basis are independent and span all
//!   differences; the leaves of the tree leave out no kernel; and the kernel of each leaf alone
//!   lets so many words meet, counted word by word, that no fewer wavefronts are possible.
template <bank_rules Rules>
class layout_check {
 public:
  constexpr layout_check(tile_shape const& area, tile_limits const& limits, index widest)
      : area_(area), limits_(limits) {
    using mmm::detail::larger;
    granule_ = larger(larger(4, limits.alignment), larger(widest, area.element_bytes));
  }

  template <class Access, class Row, class Column>
  constexpr void add(tile_access_pattern<Access, Row, Column> const& a) {
    constexpr Access access;
    for (index warp = 0; warp * Rules::lanes < a.items; ++warp) {
      tile_lanes const lanes = lanes_of_tile<Rules>(area_, a, warp);
      auto const number = [&](int t) { return lanes.row[t] * area_.columns + lanes.column[t]; };
      static_cast<void>(with_phases<Rules>(access, number, lanes.active, [&](auto const& table) {
        for (int p = 0; p < table.phases; ++p) {
          phase asked;
          asked.bytes = access.bytes;
          asked.weight = a.times;
          asked.access = accesses_;
          for (int t = 0; t < Rules::lanes; ++t)
            if ((table.lanes[p] & lanes.active) >> t & 1) {
              asked.row[asked.count] = lanes.row[t];
              asked.column[asked.count++] = lanes.column[t];
            }
          if (asked.count > 0) phases_.push_back(asked);
        }
        return 0;
      }));
    }
    ++accesses_;
  }

  template <class Certificate>
  [[nodiscard]] constexpr bool holds(Certificate const& c) {
    return granules_are_whole(c.layout) && c.bytes == c.layout.words() * area_.element_bytes &&
           c.price == c.bytes - area_.rows * area_.columns * area_.element_bytes &&
           c.bytes <= limits_.budget && costs_hold(c) && c.bound == capacity_bound() &&
           c.bound <= c.wavefronts && proof_holds(c);
  }

 private:
  struct phase {
    index weight = 0;
    int bytes = 0;
    int access = 0;
    int count = 0;
    index row[max_lanes] = {};
    index column[max_lanes] = {};
  };

  //! The first byte of a lane's access in a row-major tile.
  [[nodiscard]] constexpr index byte_of(phase const& p, int k) const {
    return (p.row[k] * area_.columns + p.column[k]) * area_.element_bytes;
  }

  template <class Layout>
  [[nodiscard]] constexpr bool granules_are_whole(Layout const& l) const {
    index const together = mmm::detail::smaller(granule_ / area_.element_bytes, area_.columns);
    mmm::detail::host_array<char> taken(l.words());
    for (index row = 0; row < l.rows(); ++row)
      for (index column = 0; column < l.columns(); ++column) {
        index const word = l(row, column);
        if (word < 0 || word >= l.words() || taken[word] != 0) return false;
        taken[word] = 1;
        if (l.padding != 0) continue;  // whose rows are aligned to the limits only
        index const first = l(row, column / together * together);
        if (first % together != 0 || word != first + column % together) return false;
      }
    return true;
  }

  //! The largest number of different words in a bank, or -1 if an access is not aligned.
  template <class Place>
  [[nodiscard]] constexpr index longest_bank(phase const& p, Place place) const {
    mmm::detail::host_array<index> word[Rules::banks];
    index longest = 0;
    for (int k = 0; k < p.count; ++k) {
      index const first = place(p.row[k], p.column[k]) * area_.element_bytes;
      if (first % p.bytes != 0) return -1;
      for (index byte = first; byte < first + p.bytes; ++byte) {
        auto& bank = word[byte / 4 % Rules::banks];
        bool repeated = false;
        for (index i = 0; i < bank.size() && !repeated; ++i) repeated = bank[i] == byte / 4;
        if (!repeated) bank.push_back(byte / 4);
        longest = mmm::detail::larger(longest, bank.size());
      }
    }
    return longest;
  }
  //! The wavefronts of all accesses, or of one; -1 if one is not aligned.
  template <class Place>
  [[nodiscard]] constexpr index enumerated(Place place, int access = -1) {
    index sum = 0;
    for (index k = 0; k < phases_.size(); ++k) {
      if (access >= 0 && phases_[k].access != access) continue;
      index const longest = longest_bank(phases_[k], place);
      if (longest < 0) return -1;
      sum += phases_[k].weight * longest;
    }
    return sum;
  }
  template <class Certificate>
  [[nodiscard]] constexpr bool costs_hold(Certificate const& c) {
    auto const place = [&](index row, index column) { return c.layout(row, column); };
    index const* const cost = &c.cost[0];
    index sum = 0;
    for (int k = 0; k < accesses_; ++k) {
      if (cost[k] != enumerated(place, k)) return false;
      sum += cost[k];
    }
    return sum == c.wavefronts && c.plain == enumerated([&](index row, index column) {
                                    return row * area_.columns + column;
                                  });
  }

  [[nodiscard]] constexpr int bank_bits() const {
    return mmm::detail::bit_width(4 * Rules::banks / granule_) - 1;
  }
  //! True if lanes j and k of a phase ask for different words, which a map may put into one bank.
  [[nodiscard]] constexpr bool may_meet(phase const& p, int j, int k) const {
    index const x = byte_of(p, j) / 4;
    index const y = byte_of(p, k) / 4;
    return x != y && x % (granule_ / 4) == y % (granule_ / 4);
  }
  //! True if an earlier lane asks for the same word.
  [[nodiscard]] constexpr bool repeats(phase const& p, int k) const {
    for (int j = 0; j < k; ++j)
      if (byte_of(p, j) / 4 == byte_of(p, k) / 4) return true;
    return false;
  }
  //! The wavefronts that follow from some pairs of words being in one bank, and from the number of
  //! words of a class.
  template <class Meet>
  [[nodiscard]] constexpr index forced(Meet meet) {
    index sum = 0;
    for (index n = 0; n < phases_.size(); ++n) {
      phase const& p = phases_[n];
      index longest = 1;
      for (int k = 0; k < p.count; ++k) {
        index same = 1;
        index of_class = 1;
        for (int j = 0; j < p.count; ++j) {
          if (!may_meet(p, j, k) || repeats(p, j)) continue;
          ++of_class;
          same += meet((byte_of(p, j) ^ byte_of(p, k)) / granule_) ? 1 : 0;
        }
        longest = mmm::detail::larger(longest, same);
        longest = mmm::detail::larger(longest,
                                      mmm::detail::ceil_divide(of_class, index{1} << bank_bits()));
      }
      sum += p.weight * longest;
    }
    return sum;
  }
  [[nodiscard]] constexpr index capacity_bound() {
    return forced([](index) { return false; });
  }

  template <class Certificate>
  [[nodiscard]] constexpr bool proof_holds(Certificate const& c) {
    if (c.proof == layout_proof::open) return true;
    if (c.proof == layout_proof::capacity) return c.wavefronts == c.bound;
    for (index padding = 0; padding <= limits_.max_padding; ++padding) {
      index const pitch = area_.columns + padding;
      index const bytes = ((area_.rows - 1) * pitch + area_.columns) * area_.element_bytes;
      if (pitch * area_.element_bytes % limits_.alignment != 0 || bytes > limits_.budget) continue;
      index const sum = enumerated([&](index row, index column) { return row * pitch + column; });
      if (sum >= 0 && sum < c.wavefronts) return false;
    }
    return maps_are_ruled_out(c.wavefronts, c.steps);
  }

  [[nodiscard]] constexpr bool maps_are_ruled_out(index wavefronts, index steps) {
    phase_sets sets(granule_ / 4, Rules::banks);
    for (index n = 0; n < phases_.size(); ++n) {
      index word[max_lanes] = {};
      for (int k = 0; k < phases_[n].count; ++k) word[k] = byte_of(phases_[n], k) / 4;
      sets.add(word, phases_[n].count, phases_[n].weight);
    }
    bank_map_search search(sets, steps);
    plain_span basis;
    for (int k = 0; k < search.dimension(); ++k)
      if (!basis.add(search.vector(k))) return false;
    for (index n = 0; n < phases_.size(); ++n)
      for (int k = 1; k < phases_[n].count; ++k)
        for (int j = 0; j < k; ++j)
          if (may_meet(phases_[n], j, k) &&
              basis.rest((byte_of(phases_[n], j) ^ byte_of(phases_[n], k)) / granule_) != 0)
            return false;
    choice_walk walk(search.dimension(), bank_bits());
    bool holds = true;
    search.run(wavefronts, true, [&](int const* bank, int count) {
      holds = holds && walk.accept(bank, count) && leaf_bound(search, bank, count) >= wavefronts;
    });
    return holds && walk.ended();
  }
  [[nodiscard]] constexpr index leaf_bound(bank_map_search const& search, int const* bank,
                                           int count) {
    index pivot[64] = {};  // the vector with bank 2^k
    int rank = 0;
    plain_span kernel;
    for (int k = 0; k < count; ++k) {
      if (bank[k] >> rank != 0) {
        pivot[rank++] = search.vector(k);
        continue;
      }
      index together = search.vector(k);
      for (int i = 0; i < rank; ++i) together ^= (bank[k] >> i & 1) != 0 ? pivot[i] : 0;
      kernel.add(together);
    }
    return forced([&](index difference) { return kernel.rest(difference) == 0; });
  }

  tile_shape area_;
  tile_limits limits_;
  index granule_ = 4;
  int accesses_ = 0;
  mmm::detail::host_array<phase> phases_;
};

}  // namespace detail
}  // namespace mmm::gpu
