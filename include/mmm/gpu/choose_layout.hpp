// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/gpu/access.hpp>
#include <mmm/gpu/cost.hpp>
#include <mmm/gpu/request.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/layout/layout.hpp>
#include <mmm/layout/tile_layout.hpp>
#include <mmm/machine/machine.hpp>

#include <cstdint>

//! The padding or swizzle of a tile in shared memory with the least cost for given accesses. All
//! are tried.
namespace mmm::gpu {

//! A tile of `rows * columns` elements of `element_bytes` bytes in shared memory.
struct tile_shape {
  index rows;
  index columns;
  index element_bytes = 4;
};

//! Limits of a tile's layout.
struct tile_limits {
  index budget = 49152;    //!< bytes of shared memory
  index alignment = 4;     //!< bytes that divide the start of every row; a power of two
  index max_padding = 33;  //!< elements after a row
  bool swizzles = true;    //!< true: swizzles are tried, too
};

//! An access that a tile must serve: item i, lane i % 32, accesses `Access` bytes from element
//! (row, column) on; for a matrix access, the row's first element. Made by tile_access.
template <static_access Access, expression Row, expression Column>
struct tile_access_pattern {
  Row row;
  Column column;
  index items;  //!< in warps of 32
  index times;  //!< the number of its repetitions, as a weight
};

//! \tparam Access load<4>, store<16>, ldmatrix<4>, ….
//! \param row, column expressions in mmm::item, or numbers.
//! \param times weight of its cost, 1 or more.
//! \param n items; a warp, if not given.
template <static_access Access, class Row, class Column>
[[nodiscard]] constexpr auto tile_access(Row const& row, Column const& column, index times = 1,
                                         size n = size(nvidia::lanes)) {
  if (times < 1) mmm::detail::reject("the weight of an access to a tile", times, "1 or more");
  auto const r = mmm::detail::as_expression(row);
  auto const c = mmm::detail::as_expression(column);
  return tile_access_pattern<Access, mmm::detail::remove_const_t<decltype(r)>,
                             mmm::detail::remove_const_t<decltype(c)>>{r, c, n.count, times};
}

//! The wavefronts of accesses to a tile with a layout, each multiplied by its weight. Errors: as
//! shared_cost_of, for an element that is not aligned to the access, too.
template <bank_rules Rules = nvidia, layout Layout, class... Access, class... Row, class... Column>
[[nodiscard]] constexpr index wavefronts_of_tile(
    tile_shape const& area, Layout const& layout,
    tile_access_pattern<Access, Row, Column> const&... accesses) {
  index sum = 0;
  ((sum = mmm::detail::checked_add(
        sum, mmm::detail::checked_multiply(
                 accesses.times, wavefronts<Access, Rules>(
                                     layout(accesses.row, accesses.column) * area.element_bytes,
                                     size(accesses.items))))),
   ...);
  return sum;
}

//! A layout, its cost, and the search that found it.
struct tile_choice {
  tile_layout layout;
  index wavefronts = 0;  //!< of all accesses
  //! wavefronts without padding or swizzle; -1 if the accesses are not aligned then
  index plain = 0;
  index bound = 0;  //!< lower bound for all layouts: a wavefront moves at most 4 bytes per bank
  index bytes = 0;  //!< of shared memory
  index price = 0;  //!< bytes that hold no element
  int tried = 0;    //!< layouts of the family that keep to the limits and align the accesses
  int family = 0;   //!< all layouts of the family
  //! True if no layout can be better.
  [[nodiscard]] constexpr bool optimal() const { return wavefronts == bound; }
};

namespace detail {

//! The layouts that are tried: all paddings, then all swizzles of up to 5 bits that do not split a
//! vector.
class tile_family {
 public:
  static constexpr int max_layouts = 160;
  constexpr tile_family(tile_shape const& area, tile_limits const& limits, index widest) {
    for (index padding = 0; padding <= limits.max_padding && size < max_layouts; ++padding)
      if ((area.columns + padding) * area.element_bytes % limits.alignment == 0) add(padding, {});
    if (!limits.swizzles || area.columns * area.element_bytes % limits.alignment != 0) return;
    index const vector = mmm::detail::larger(widest, limits.alignment) / area.element_bytes;
    int const base = mmm::detail::bit_width(mmm::detail::larger(vector, 1) - 1);
    for (int bits = 1; bits <= 5; ++bits)
      for (int shift = bits; shift <= bits + 7; ++shift) {
        if (area.rows * area.columns % (index{1} << (base + bits)) != 0) continue;
        if (index{1} << (base + shift) < area.rows * area.columns && size < max_layouts)
          add(0, {bits, base, shift});
      }
  }
  struct member {
    index padding = 0;
    swizzle_bits through;
    index panel = 0;  //!< columns of a panel (panel_layout); 0: rows are whole
  };
  //! No layout yet, for those that are added one by one.
  constexpr tile_family() = default;
  int size = 0;
  member members[max_layouts] = {};
  constexpr void add(index padding, swizzle_bits through, index panel = 0) {
    members[size++] = {padding, through, panel};
  }

  [[nodiscard]] constexpr tile_layout layout(tile_shape const& area, int k) const {
    return {area.rows, area.columns, members[k].padding, members[k].through};
  }
};

//! The coordinates that a warp's lanes access.
struct tile_lanes {
  lane_mask active = 0;
  index row[max_lanes] = {};
  index column[max_lanes] = {};
};

template <bank_rules Rules, class Access, class Row, class Column>
[[nodiscard]] constexpr tile_lanes lanes_of_tile(tile_shape const& area,
                                                 tile_access_pattern<Access, Row, Column> const& a,
                                                 index warp) {
  tile_lanes lanes;
  mmm::detail::assignment variables;
  lane_mask const giving = lanes_of<Rules>(Access{});
  index const wide = mmm::detail::larger(1, Access{}.bytes / area.element_bytes);
  for (int t = 0; t < Rules::lanes && warp * Rules::lanes + t < a.items; ++t) {
    if ((giving >> t & 1) == 0) continue;
    variables.slot[mmm::detail::item_slot] = warp * Rules::lanes + t;
    index const row = a.row.template value<mmm::detail::checked_arithmetic>(variables);
    index const column = a.column.template value<mmm::detail::checked_arithmetic>(variables);
    if (row < 0 || row >= area.rows)
      mmm::detail::reject("the row of an access to a tile", row, "within the tile");
    if (column < 0 || column + wide > area.columns)
      mmm::detail::reject("the column of an access to a tile", column,
                          "within the tile, with all of its bytes");
    lanes.row[t] = row;
    lanes.column[t] = column;
    lanes.active |= lane_mask{1} << t;
  }
  return lanes;
}

//! A lower bound on the wavefronts of all injective layouts: every phase moves its different bytes,
//! 4 per bank at a time.
template <bank_rules Rules>
[[nodiscard]] constexpr index bound_of_lanes(tile_shape const& area, warp_access const& a,
                                             tile_lanes const& lanes) {
  auto const number = [&](int t) { return lanes.row[t] * area.columns + lanes.column[t]; };
  return with_phases<Rules>(a, number, lanes.active, [&](phase_table const& table) {
    index sum = 0;
    for (int p = 0; p < table.phases; ++p) {
      index word[max_lanes];
      int count = 0;
      for_each_lane(table.lanes[p] & lanes.active, [&](int t) { word[count++] = number(t); });
      index different = 0;
      mmm::detail::shared_unit_table<max_lanes>{}.visit(
          word, count, [&](int t, int first) { different += first == t ? 1 : 0; });
      sum += mmm::detail::ceil_divide(different * a.bytes, index{4} * Rules::banks);
    }
    return sum;
  });
}

//! The costs of all members of a family, summed up access by access. A member that misaligns an
//! access is out.
template <bank_rules Rules>
struct tile_search {
  tile_shape area;
  tile_family family;
  index bound = 0;
  index cost[tile_family::max_layouts] = {};
  bool out[tile_family::max_layouts] = {};

  template <class Access, class Row, class Column>
  constexpr void add(tile_access_pattern<Access, Row, Column> const& a) {
    constexpr Access access;
    index const low = access.bytes - 1;
    for (index warp = 0; warp * Rules::lanes < a.items; ++warp) {
      tile_lanes const lanes = lanes_of_tile<Rules>(area, a, warp);
      bound += a.times * bound_of_lanes<Rules>(area, access, lanes);
      for (int k = 0; k < family.size; ++k) {
        if (out[k]) continue;
        tile_family::member const& m = family.members[k];
        index const pitch = area.columns + m.padding;
        index address[max_lanes] = {};
        index all = 0;
        for (int t = 0; t < Rules::lanes; ++t) {
          index const x = m.panel == 0
                              ? lanes.row[t] * pitch + lanes.column[t]
                              : (lanes.column[t] / m.panel * area.rows + lanes.row[t]) * m.panel +
                                    lanes.column[t] % m.panel;
          address[t] = m.through(x) * area.element_bytes;
          all |= address[t];
        }
        out[k] = (all & low) != 0;
        if (!out[k])
          cost[k] += a.times * count_shared<Rules>(
                                   access, [&](int t) { return address[t]; }, lanes.active)
                                   .wavefronts;
      }
    }
  }
};

}  // namespace detail

//! The padding or swizzle of least cost for the accesses that a tile must serve. All of the family
//! are tried. Among equal costs the fewest bytes win, then no swizzle, then the fewest bits, then
//! the least shift.
//!
//! \tparam Rules how the GPU serves requests. \param accesses made by tile_access.
//! Errors, in a constant expression compile errors: std::invalid_argument for elements outside of
//! the tile, for an element that has not 1, 2, 4, 8 or 16 bytes, or if no layout of the family
//! aligns the accesses; std::length_error if none fits the budget. Time: O(family * lanes) per warp
//! of an access; a family has 34 paddings and up to 40 swizzles.
template <bank_rules Rules = nvidia, class... Access, class... Row, class... Column>
[[nodiscard]] constexpr tile_choice choose_layout(
    tile_shape const& area, tile_limits const& limits,
    tile_access_pattern<Access, Row, Column> const&... accesses) {
  static_assert(sizeof...(accesses) > 0,
                "mmm: a layout is chosen for one access or more (tile_access)");
  if (access_of(instruction::load, area.element_bytes).bytes > 16)
    mmm::detail::reject("the bytes of a tile's element", area.element_bytes, "16 or fewer");
  if (limits.alignment < 1 || (limits.alignment & (limits.alignment - 1)) != 0)
    mmm::detail::reject("the alignment of a tile's rows", limits.alignment, "a power of two");
  index widest = area.element_bytes;
  ((widest = mmm::detail::larger(widest, Access{}.bytes)), ...);
  detail::tile_search<Rules> search{area, {area, limits, widest}};
  (search.add(accesses), ...);

  int best = -1;
  tile_choice choice{{area.rows, area.columns}};
  choice.family = search.family.size;
  choice.bound = search.bound;
  choice.plain = -1;
  index least_bytes = INT64_MAX;
  for (int k = 0; k < search.family.size; ++k) {
    if (search.out[k]) continue;
    tile_layout const candidate = search.family.layout(area, k);
    index const bytes = candidate.words() * area.element_bytes;
    if (k == 0 && candidate.padding == 0) choice.plain = search.cost[k];
    least_bytes = mmm::detail::smaller(least_bytes, bytes);
    if (bytes > limits.budget) continue;
    ++choice.tried;
    if (best >= 0 && (search.cost[k] > choice.wavefronts ||
                      (search.cost[k] == choice.wavefronts && bytes >= choice.bytes)))
      continue;
    best = k;
    choice.layout = candidate;
    choice.wavefronts = search.cost[k];
    choice.bytes = bytes;
  }
  if (least_bytes == INT64_MAX)
    mmm::detail::reject(
        "the bytes of the widest access to a tile", widest,
        "what some padding aligns: the columns of the accesses are multiples of it");
  if (best < 0)
    mmm::detail::reject_length("bytes of shared memory for a tile", least_bytes, limits.budget);
  choice.price = choice.bytes - area.rows * area.columns * area.element_bytes;
  return choice;
}

}  // namespace mmm::gpu
