// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/permutation/permutation_places.hpp>
#include <mmm/algorithm/scatter.hpp>
#include <mmm/algorithm/tile/whole_or_part.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/host_array.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <cstdint>

//! The permutation of words on a GPU, for permutations known beforehand, in two passes over tiles.
MMM_BODIES_BEGIN
namespace mmm {

//! A schedule for mmm::permutation_in_tiles whose numbers lie in memory that a machine reads.
template <class Offsets, class Addresses>
struct tile_permutation_indices {
  index n;
  index tile;       //!< words of a tile
  Offsets sources;  //!< of the first pass: places in a tile, in the order of their targets' tiles
  Addresses addresses;  //!< of the first pass: the place between the passes, for each of these
  Offsets targets;      //!< of the second pass: places in a tile
};

//! The schedule of a permutation known beforehand, for mmm::permutation_in_tiles: 8 bytes for each
//! word. Time: O(n + m^2) for m tiles. Errors: as mmm::permutation_schedule.
class tile_permutation_schedule {
 public:
  //! \param tile the number of words of a tile, up to 2^16: that of the algorithm.
  template <class Iterator>
  tile_permutation_schedule(Iterator first, Iterator last, index tile = 16384)
      : tile_(tile),
        sources_(checked(last - first, tile)),
        addresses_(last - first),
        targets_(last - first) {
    index const n = last - first, tiles = detail::ceil_divide(n, tile);
    detail::demand_permutation(first, n);
    detail::host_array<index> end(tiles);   // of the words that have come to a tile
    detail::host_array<index> slot(tiles);  // of the next word for each tile
    for (index t = 0; t < tiles; ++t) end[t] = t * tile;
    for (index begin = 0; begin < n; begin += tile) {
      index const words = detail::smaller(tile, n - begin);
      for (index t = 0; t < tiles; ++t) slot[t] = 0;
      for (index i = 0; i < words; ++i) ++slot[static_cast<index>(first[begin + i]) / tile];
      for (index t = 0, before = begin; t < tiles; ++t) {
        index const count = slot[t];
        slot[t] = before;
        before += count;
      }
      for (index i = 0; i < words; ++i) {
        auto const place = static_cast<index>(first[begin + i]);
        index const own = slot[place / tile]++, between = end[place / tile]++;
        sources_[own] = static_cast<std::uint16_t>(i);
        addresses_[own] = static_cast<std::int32_t>(between);
        targets_[between] = static_cast<std::uint16_t>(place % tile);
      }
    }
  }

  //! Number of words, and of each of the three lists of numbers.
  [[nodiscard]] index size() const { return sources_.size(); }
  [[nodiscard]] std::uint16_t const* sources() const { return sources_.data(); }
  [[nodiscard]] std::int32_t const* addresses() const { return addresses_.data(); }
  [[nodiscard]] std::uint16_t const* targets() const { return targets_.data(); }

  [[nodiscard]] auto indices() const { return with_indices(sources(), addresses(), targets()); }
  //! The schedule for kernels, with copies of the three lists that a GPU can read.
  template <class Offsets, class Addresses>
  [[nodiscard]] tile_permutation_indices<Offsets, Addresses> with_indices(
      Offsets sources_copy, Addresses addresses_copy, Offsets targets_copy) const {
    return {size(), tile_, sources_copy, addresses_copy, targets_copy};
  }

 private:
  [[nodiscard]] static index checked(index n, index tile) {
    if (tile < 1 || tile > 65536)
      detail::reject("the number of words of a tile", tile, "1 to 65536");
    if (n > INT32_MAX) detail::reject("the number of words to permute", n, "less than 2^31");
    return n;
  }
  index tile_;
  detail::host_array<std::uint16_t> sources_;
  detail::host_array<std::int32_t> addresses_;
  detail::host_array<std::uint16_t> targets_;
};

namespace detail {

//! b[s(i)] = a[i] in two passes. The first reads tiles of `a` into shared memories and writes each
//! word to the tile of its target, in runs of the words with the same target tile. The second reads
//! these tiles, moves every word to its place in a shared memory, and writes tiles of `b`. A thread
//! loads V words before it uses the first one.
template <index Tile, index V, class Scatter>
struct tile_permutation {
  static_assert(Tile % V == 0 && Tile <= 65536, "mmm: offsets in a tile have 16 bits");
  index all;  //!< words to permute

  template <class On, class In, class Offsets, class Addresses, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, In a, Offsets sources, Addresses addresses,
                                            Offsets targets, Out b) const {
    auto const between = on.template allocate<typename Out::value_type>(all);
    index const whole = all / Tile;
    index const rest = ceil_divide(all, Tile) - whole;
    auto const self = *this;
    on.each_tile(
        0, whole,
        [=](auto& block, auto tile) {
          self.template to_target_tiles<true>(block, tile * Tile, a, sources, addresses, between);
        },
        no_barrier);
    on.each_tile(whole, rest, [=](auto& block, auto tile) {
      self.template to_target_tiles<false>(block, tile * Tile, a, sources, addresses, between);
    });
    on.each_tile(
        0, whole,
        [=](auto& block, auto tile) {
          self.template to_places<true>(block, tile * Tile, between, targets, b);
        },
        no_barrier);
    on.each_tile(whole, rest, [=](auto& block, auto tile) {
      self.template to_places<false>(block, tile * Tile, between, targets, b);
    });
  }

 private:
  static constexpr index apart = Tile / V;  //!< words between those of a thread

  //! The tile's words from `begin` on, V to an item: `use(words)` for the vec of `word(place)`.
  template <class Word>
  MMM_HOST_DEVICE static constexpr auto vec_of(Word const& word) {
    return make_vec<V>([&](index k) { return word(k * apart); });
  }

  template <bool Whole, class Block, class Begin, class In, class Offsets, class Addresses,
            class Between>
  MMM_HOST_DEVICE constexpr void to_target_tiles(Block& block, Begin begin, In a, Offsets sources,
                                                 Addresses addresses, Between between) const {
    using value = typename Between::value_type;
    index const n = all, w = block.machine().width();
    auto const words = block.template allocate<value>(Tile);
    block.each(apart, [=](auto i) {
      auto const x = vec_of([&](index more) {
        return load_within<Whole>(begin + i + more < n, a[begin + i + more]);
      });
      unroll<V>([&](index k) { words[i + k * apart] = x[k]; });
    });
    block.each(apart, [=](auto i) {
      auto const source = vec_of([&](index more) {
        return load_within<Whole>(begin + i + more < n, sources[begin + i + more]);
      });
      auto const address = vec_of([&](index more) {
        return load_within<Whole>(begin + i + more < n, addresses[begin + i + more]);
      });
      unroll<V>([&](index k) {
        using runs = typename scatter_of_lanes<Scatter>::neighbouring;
        auto const place = i + k * apart;
        auto const inside = begin + place < n;
        auto const source_place = address_by<Scatter>(place, w, w, source[k]);
        auto const to = address_by<runs>(place, w, w, address[k]);
        store_within<Whole>(inside, between[to], load_within<Whole>(inside, words[source_place]));
      });
    });
  }

  template <bool Whole, class Block, class Begin, class Between, class Offsets, class Out>
  MMM_HOST_DEVICE constexpr void to_places(Block& block, Begin begin, Between between,
                                           Offsets targets, Out b) const {
    using value = typename Out::value_type;
    index const n = all, w = block.machine().width();
    auto const words = block.template allocate<value>(Tile);
    block.each(apart, [=](auto i) {
      auto const target = vec_of([&](index more) {
        return load_within<Whole>(begin + i + more < n, targets[begin + i + more]);
      });
      auto const x = vec_of([&](index more) {
        return load_within<Whole>(begin + i + more < n, between[begin + i + more]);
      });
      unroll<V>([&](index k) {
        auto const place = i + k * apart;
        auto const to = address_by<Scatter>(place, w, w, target[k]);
        store_within<Whole>(begin + place < n, words[to], x[k]);
      });
    });
    block.each(apart, [=](auto i) {
      unroll<V>([&](index k) {
        auto const place = i + k * apart;
        auto const inside = begin + place < n;
        store_within<Whole>(inside, b[begin + place], load_within<Whole>(inside, words[place]));
      });
    });
  }
};

//! The algorithm object behind mmm::permutation_in_tiles.
template <index Tile, index V>
struct tile_permutation_algorithm {
  static constexpr char const* name = "permutation-in-tiles";
  static constexpr char const* paper = "this library";
  static constexpr machine_kinds kinds{.hmm = 7};

  struct problem {
    natural n;
    scatter places;
    constexpr explicit problem(size words, scatter s = scatter::unknown)
        : n(words.count), places(s) {}

    template <class On, class In = no_data, class Offsets = no_data, class Addresses = no_data,
              class Out = no_data>
    constexpr void run(On& on, In first = {}, Offsets sources = {}, Addresses addresses = {},
                       Offsets targets = {}, Out out = {}) const {
      if constexpr (!is_same_v<In, no_data>) {
        start(on, scatter_of_data{}, first, sources, addresses, targets, out);
      } else {
        if (places == scatter::unknown)
          throw_invalid_argument(failure_text(
              "mmm: the cost of a permutation in tiles depends on the places: write "
              "mmm::scatter::contiguous or mmm::scatter::conflicting after the threads, or "
              "mmm::simulate it on data"));
        places == scatter::contiguous ? start(on, scatter_contiguous{})
                                      : start(on, scatter_conflicting{});
      }
    }
    //! Runs the program with these addresses of what depends on the places.
    template <class On, class Scatter, class In = no_data, class Offsets = no_data,
              class Addresses = no_data, class Out = no_data>
    constexpr void start(On& on, Scatter, In first = {}, Offsets sources = {},
                         Addresses addresses = {}, Offsets targets = {}, Out out = {}) const {
      perform(on, tile_permutation<Tile, V, Scatter>{n}, reads(first, n),
              reads<std::uint16_t>(sources, n), reads<std::int32_t>(addresses, n),
              reads<std::uint16_t>(targets, n), writes<iterator_value_t<In>>(out, n));
    }
    //! Every word is read once, and every word is written once.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      return access_bound(m, 2 * n, m.p);
    }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
      return access_formula(m, "2n");
    }
    //! The bound for all permutations, n/g + n/d + n(L + l)/p + L + l, with n rounded up to whole
    //! tiles for each DMM, and at most Tile/V threads of a DMM: as if all accesses that depend on
    //! the places were served one by one.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      if (n == 0) return 0;
      natural const area = n / natural(Tile) / m.d * Tile;  // words of a DMM
      return n / m.g + smaller(n, area) + area * (m.L + m.l) / smaller(m.t, Tile / V) + m.L + m.l;
    }
  };

  template <class On, class In, class Offsets, class Addresses, class Out>
  void operator()(On on, In first, In last,
                  tile_permutation_indices<Offsets, Addresses> const& schedule, Out out) const {
    static_assert(call_of<On, In, Offsets, Addresses, Out>::accepted);
    auto const n = static_cast<index>(last - first);
    if (schedule.n != n || schedule.tile != Tile)
      throw_invalid_argument(failure_text(
          "mmm: the schedule permutes ", schedule.n, " words in tiles of ", schedule.tile,
          "; accepted: a schedule of ", n, " words in tiles of ", Tile));
    problem(size(n)).run(on, first, schedule.sources, schedule.addresses, schedule.targets, out);
  }
  template <class On, class In, class Out>
  void operator()(On on, In first, In last, tile_permutation_schedule const& schedule,
                  Out out) const {
    (*this)(on, first, last, schedule.indices(), out);
  }

  //! Number of words of shared memory that a DMM needs.
  [[nodiscard]] static constexpr index shared_words() { return Tile; }
};

}  // namespace detail

//! The permutation of words on an HMM in two passes over tiles of 16384 words, for permutations
//! known beforehand: `mmm::permutation_in_tiles(on, first, last, schedule, out)` does what
//! mmm::permutation does, by a mmm::tile_permutation_schedule. The accesses of the global memory
//! are coalesced but for the first pass's writes, which are runs of n/m words on average for m
//! tiles of n words, and in a random permutation of n <= 2^25 words runs of 8 words, a sector, or
//! more. The shared memories have the bank conflicts of the permutation. Errors:
//! std::invalid_argument if the schedule is for another number of words or another tile, if `out`
//! overlaps an input, and from mmm::cost_of without a mmm::scatter; std::length_error if a shared
//! memory has no room for a tile. Time: at most 7 (n/g + n/d + n(L + l)/p + L + l) for whole tiles;
//! 7 accesses of each word in the global memory and 4 in a shared one.
inline constexpr detail::tile_permutation_algorithm<16384, 8> permutation_in_tiles{};

}  // namespace mmm
MMM_BODIES_END
