// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/gpu/access.hpp>
#include <mmm/gpu/bank_map_search.hpp>
#include <mmm/gpu/choose_layout.hpp>
#include <mmm/gpu/layout_check.hpp>
#include <mmm/gpu/request.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/layout/linear_layout.hpp>

//! The layout of a tile in shared memory with the least cost for given accesses among all
//! invertible maps that are linear over F2 and all paddings, with the proof that it is the least.
namespace mmm::gpu {

namespace detail {

//! The search, access by access; of tiles and accesses that only a run knows, too.
template <bank_rules Rules>
class optimal_tile_search {
 public:
  //! \param widest bytes of the widest access. Errors: as optimal_layout.
  constexpr optimal_tile_search(tile_shape const& area, tile_limits const& limits, index widest)
      : area_(area),
        limits_(limits),
        bits_(mmm::detail::log2_of_side("the rows of a tile for linear maps", area.rows) +
              mmm::detail::log2_of_side("the columns of a tile for linear maps", area.columns)),
        granule_(granule_of(area, limits, widest)),
        sets_(granule_ / 4, Rules::banks),
        paddings_{area, paddings_of(area, limits)},
        map(bits_) {
    index const bytes = area.rows * area.columns * area.element_bytes;
    if (bytes > limits.budget)
      mmm::detail::reject_length("bytes of shared memory for a tile", bytes, limits.budget);
  }

  template <class Access, class Row, class Column>
  constexpr void add(tile_access_pattern<Access, Row, Column> const& a) {
    constexpr Access access;
    for (index warp = 0; warp * Rules::lanes < a.items; ++warp) {
      tile_lanes const lanes = lanes_of_tile<Rules>(area_, a, warp);
      auto const number = [&](int t) { return lanes.row[t] * area_.columns + lanes.column[t]; };
      for_each_lane(lanes.active,
                    [&](int t) { require_aligned(access, number(t) * area_.element_bytes); });
      static_cast<void>(with_phases<Rules>(access, number, lanes.active, [&](auto const& table) {
        for (int p = 0; p < table.phases; ++p) {
          index word[max_lanes] = {};
          int count = 0;
          for_each_lane(table.lanes[p] & lanes.active,
                        [&](int t) { word[count++] = number(t) * area_.element_bytes / 4; });
          sets_.add(word, count, a.times);
        }
        return 0;
      }));
    }
  }

  //! Searches the linear maps. \param max_steps limit of the search.
  constexpr void search_maps(index max_steps) {
    wavefronts = plain = wavefronts_of(map);
    bank_map_search search(sets_, max_steps);
    search.run(plain);
    if (search.found()) {
      map = tile_map(search);
      wavefronts = search.best();
    }
    nodes = search.nodes();
    steps = search.steps();
    proof = wavefronts == bound() ? layout_proof::capacity
            : search.complete()   ? layout_proof::search
                                  : layout_proof::open;
  }
  //! True if no padding can be better.
  [[nodiscard]] constexpr bool bound_reached() const { return wavefronts == bound(); }
  //! Adds an access to those for which the paddings are compared.
  template <class Access, class Row, class Column>
  constexpr void add_to_paddings(tile_access_pattern<Access, Row, Column> const& a) {
    paddings_.add(a);
  }
  //! Takes the best padding, if it is better than the linear maps.
  constexpr void search_paddings() {
    for (int k = 0; k < paddings_.family.size; ++k) {
      tile_layout const candidate = paddings_.family.layout(area_, k);
      if (paddings_.out[k] || candidate.words() * area_.element_bytes > limits_.budget ||
          paddings_.cost[k] >= wavefronts)
        continue;
      wavefronts = paddings_.cost[k];
      padding = candidate.padding;
      map = linear_map(bits_);
      if (bound_reached()) proof = layout_proof::capacity;
    }
  }

  [[nodiscard]] constexpr index bound() const { return sets_.bound(); }
  [[nodiscard]] constexpr phase_sets const& sets() const { return sets_; }
  [[nodiscard]] constexpr index granule_bytes() const { return granule_; }
  //! The wavefronts of all accesses with a map.
  [[nodiscard]] constexpr index wavefronts_of(linear_map const& by) const {
    index sum = sets_.free_wavefronts();
    int const low = mmm::detail::bit_width(granule_ / area_.element_bytes) - 1;
    index const banks = index{1} << sets_.bank_bits();
    for (index k = 0; k < sets_.size(); ++k) {
      phase_sets::set const& s = sets_[k];
      index bank[max_lanes] = {};
      index longest = 1;
      for (int i = 0; i < s.count; ++i) {
        bank[i] = (by(sets_.granule(s, i) << low) >> low & (banks - 1)) |
                  sets_.member(s, i) >> phase_sets::class_shift << phase_sets::class_shift;
        index same = 1;
        for (int j = 0; j < i; ++j) same += bank[j] == bank[i] ? 1 : 0;
        longest = mmm::detail::larger(longest, same);
      }
      sum += s.weight * longest;
    }
    return sum;
  }

 private:
  //! Bytes that linear maps keep together: a word, the widest access, the rows' alignment.
  [[nodiscard]] static constexpr index granule_of(tile_shape const& area, tile_limits const& limits,
                                                  index widest) {
    using mmm::detail::larger;
    if (access_of(instruction::load, area.element_bytes).bytes > 16)
      mmm::detail::reject("the bytes of a tile's element", area.element_bytes, "16 or fewer");
    if (limits.alignment < 1 || (limits.alignment & (limits.alignment - 1)) != 0 ||
        limits.alignment > 4 * Rules::banks)
      mmm::detail::reject("the alignment of a tile's rows", limits.alignment,
                          "a power of two, at most the bytes that all banks serve at once");
    return larger(larger(4, limits.alignment), larger(widest, area.element_bytes));
  }
  [[nodiscard]] static constexpr tile_family paddings_of(tile_shape const& area,
                                                         tile_limits limits) {
    limits.swizzles = false;
    return {area, limits, area.element_bytes};
  }
  //! The map of elements for the banks that a search has found: the elements of a granule stay as
  //! they are.
  [[nodiscard]] constexpr linear_map tile_map(bank_map_search const& search) const {
    int const low = mmm::detail::bit_width(granule_ / area_.element_bytes) - 1;
    linear_map of_elements(bits_);
    if (low >= bits_) return of_elements;
    linear_map const of_granules = extended_map(search, bits_ - low, sets_.bank_bits());
    for (int i = low; i < bits_; ++i) of_elements.image[i] = of_granules.image[i - low] << low;
    return of_elements;
  }

  tile_shape area_;
  tile_limits limits_;
  int bits_;
  index granule_;
  phase_sets sets_;
  tile_search<Rules> paddings_;

 public:
  linear_map map;
  index padding = 0;
  index wavefronts = 0;
  index plain = 0;
  index nodes = 0;
  index steps = 0;
  layout_proof proof = layout_proof::open;
};

//! The wavefronts of an access to a tile with a layout, times its weight.
template <bank_rules Rules, layout Layout, class Access, class Row, class Column>
[[nodiscard]] constexpr index wavefronts_of_access(
    tile_shape const& area, Layout const& layout,
    tile_access_pattern<Access, Row, Column> const& a) {
  index sum = 0;
  for (index warp = 0; warp * Rules::lanes < a.items; ++warp) {
    tile_lanes const lanes = lanes_of_tile<Rules>(area, a, warp);
    sum += count_shared<Rules>(
               Access{},
               [&](int t) { return layout(lanes.row[t], lanes.column[t]) * area.element_bytes; },
               lanes.active)
               .wavefronts;
  }
  return sum * a.times;
}

}  // namespace detail

//! The limit of optimal_layout's search if it is not told otherwise: what clang's default limit of
//! a constant evaluation allows.
inline constexpr index max_layout_steps = 50000;

//! A layout and the proof that no other takes fewer wavefronts.
//! \tparam Area, Limits, Rules as optimal_layout. \tparam Accesses their number.
template <tile_shape Area, tile_limits Limits, bank_rules Rules, int Accesses>
struct layout_certificate {
  static constexpr int bits = mmm::detail::bit_width(Area.rows * Area.columns) - 1;
  linear_layout<bits> layout{Area.rows, Area.columns};
  index cost[Accesses] = {};  //!< wavefronts of each access, times its weight
  index wavefronts = 0;       //!< their sum
  index plain = 0;            //!< wavefronts without map and padding
  index bound = 0;  //!< of all layouts that keep the words of a lane together: see layout_proof
  layout_proof proof = layout_proof::open;
  index nodes = 0;  //!< of the tree that the search for linear maps walked over
  index steps = 0;  //!< that it took
  index bytes = 0;  //!< of shared memory
  index price = 0;  //!< bytes that hold no element
  //! True if no linear map and no padding is better.
  [[nodiscard]] constexpr bool optimal() const { return proof != layout_proof::open; }

  //! Checks the certificate for the accesses that it was made for, by other means than those that
  //! made it: see detail::layout_check. Time: O(rows * columns) for the layout; nodes of the search
  //! times O(lanes^2) for its proof.
  template <class... Access, class... Row, class... Column>
  [[nodiscard]] constexpr bool verify(
      tile_access_pattern<Access, Row, Column> const&... accesses) const {
    static_assert(sizeof...(accesses) == Accesses, "mmm: verify takes the accesses of the search");
    detail::layout_check<Rules> check(Area, Limits, detail::widest_access(Area, accesses...));
    (check.add(accesses), ...);
    return check.holds(*this);
  }
};

//! The layout of least cost for the accesses that a tile must serve, among all linear maps and all
//! paddings, and the proof.
//!
//! A linear map is any invertible map over F2 of the offsets (row * columns + column) that keeps
//! aligned groups of elements together, as long as a word of 4 bytes, the widest access and
//! `Limits.alignment`, whichever is longest. A padding is 0 to `Limits.max_padding` elements after
//! each row that keep to `Limits.alignment` and `Limits.budget`. Among equal costs a linear map
//! wins. The accesses are served by one width each; mmm::gpu::optimal_width chooses it, too.
//!
//! \tparam Area the tile, with powers of two of rows and columns. \tparam Limits as choose_layout
//! has them. \tparam Steps limit of the search: the proof is `open` if it ends there.
//! \param accesses made by tile_access.
//! Errors, in a constant expression compile errors: std::invalid_argument for a tile that is no
//! power of two, elements outside of it, and accesses that are not aligned in it;
//! std::length_error if it does not fit the budget. Time: see bank_map_search.
template <tile_shape Area, tile_limits Limits = tile_limits(), bank_rules Rules = nvidia,
          index Steps = max_layout_steps, class... Access, class... Row, class... Column>
[[nodiscard]] constexpr auto optimal_layout(
    tile_access_pattern<Access, Row, Column> const&... accesses) {
  static_assert(sizeof...(accesses) > 0,
                "mmm: a layout is chosen for one access or more (tile_access)");
  detail::optimal_tile_search<Rules> search(Area, Limits, detail::widest_access(Area, accesses...));
  (search.add(accesses), ...);
  search.search_maps(Steps);
  if (!search.bound_reached()) {
    (search.add_to_paddings(accesses), ...);
    search.search_paddings();
  }
  layout_certificate<Area, Limits, Rules, int{sizeof...(accesses)}> found;
  if (search.padding == 0)
    found.layout = {Area.rows, Area.columns, search.map};
  else
    found.layout = {Area.rows, Area.columns, search.padding};
  int k = 0;
  ((found.cost[k] = detail::wavefronts_of_access<Rules>(Area, found.layout, accesses),
    found.wavefronts += found.cost[k++]),
   ...);
  found.plain = search.plain;
  found.bound = search.bound();
  found.proof = search.proof;
  found.nodes = search.nodes;
  found.steps = search.steps;
  found.bytes = found.layout.words() * Area.element_bytes;
  found.price = found.bytes - Area.rows * Area.columns * Area.element_bytes;
  return found;
}

//! The certificate with the fewest wavefronts, then the fewest bytes, then the first: of accesses
//! that move the same elements by vectors of different widths, each with its own best layout.
//! Its proof is `open` if that of another one is and its bound is lower.
template <class Certificate, mmm::detail::same_as<Certificate>... Others>
[[nodiscard]] constexpr Certificate best_of(Certificate const& first, Others const&... others) {
  Certificate least = first;
  // The greater one stands first: nvcc takes `c.bytes <` for the begin of a template's arguments.
  [[maybe_unused]] auto const compare = [&](Certificate const& c) {
    if (least.wavefronts > c.wavefronts ||
        (c.wavefronts == least.wavefronts && least.bytes > c.bytes))
      least = c;
  };
  (compare(others), ...);
  auto const examine = [&](Certificate const& c) {
    if (!c.optimal() && least.wavefronts > c.bound) least.proof = layout_proof::open;
  };
  examine(first);
  (examine(others), ...);
  return least;
}

}  // namespace mmm::gpu
