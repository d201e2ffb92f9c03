// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/gpu/access.hpp>
#include <mmm/gpu/choose_layout.hpp>
#include <mmm/gpu/request.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/layout/record_layout.hpp>

//! The layout of records in global memory with the fewest sectors for given accesses: an array of
//! structures, a structure of arrays, or groups of records. All are tried.
namespace mmm::gpu {

//! A layout of records, its cost, and the search that found it.
struct record_choice {
  record_layout layout;
  index sectors = 0;  //!< of 32 bytes, of all accesses
  index plain = 0;    //!< sectors of an array of structures; -1 if it misaligns the accesses
  index bound = 0;    //!< lower bound for all layouts: a request's different bytes
  index bytes = 0;    //!< of global memory
  index price = 0;    //!< bytes that hold no field
  int tried = 0;      //!< layouts of the family that align the accesses and keep vectors whole
  //! True if no layout can be better.
  [[nodiscard]] constexpr bool optimal() const { return sectors == bound; }
};

namespace detail {

//! The sectors of all layouts of the family, summed up access by access. A layout that misaligns an
//! access, or splits the fields that it moves, is out.
struct record_search {
  static constexpr int max_layouts = 32;
  tile_shape area;
  int size = 0;
  index bound = 0;
  record_layout member[max_layouts];
  index cost[max_layouts] = {};
  bool out[max_layouts] = {};

  constexpr explicit record_search(tile_shape const& records) : area(records), member{} {
    add({area.rows, area.columns});
    if (area.rows > 1) add({area.rows, area.columns, area.rows});
    for (index group = 2; group <= 128 && group < area.rows; group *= 2)
      add({area.rows, area.columns, group});
    for (index padding = 1; padding * area.element_bytes <= 16; ++padding)
      add({area.rows, area.columns, 1, padding});
  }

  template <class Access, class Row, class Column>
  constexpr void add(tile_access_pattern<Access, Row, Column> const& a) {
    constexpr Access access;
    for (int k = 0; k < size; ++k)
      out[k] = out[k] || (access.bytes > area.element_bytes && member[k].group > 1);
    for (index warp = 0; warp * nvidia::lanes < a.items; ++warp) {
      tile_lanes const lanes = lanes_of_tile<nvidia>(area, a, warp);
      bound += a.times * bound_of_sectors(access, lanes);
      for (int k = 0; k < size; ++k) {
        if (out[k]) continue;
        index const group = member[k].group;
        index const pitch = (area.columns + member[k].padding) * group;
        index address[max_lanes] = {};
        index all = 0;
        for (int t = 0; t < nvidia::lanes; ++t) {
          index const row = lanes.row[t];
          address[t] =
              (row / group * pitch + lanes.column[t] * group + row % group) * area.element_bytes;
          all |= address[t];
        }
        out[k] = (all & (access.bytes - 1)) != 0;
        if (!out[k])
          cost[k] +=
              a.times * count_global([&](int t) { return address[t]; }, lanes.active).sectors;
      }
    }
  }

 private:
  constexpr void add(record_layout const& candidate) { member[size++] = candidate; }
  //! The least number of sectors that hold a request's different bytes.
  [[nodiscard]] constexpr index bound_of_sectors(warp_access const& a,
                                                 tile_lanes const& lanes) const {
    index number[max_lanes] = {};
    int count = 0;
    for_each_lane(lanes.active,
                  [&](int t) { number[count++] = lanes.row[t] * area.columns + lanes.column[t]; });
    index different = 0;
    mmm::detail::shared_unit_table<max_lanes>{}.visit(
        number, count, [&](int t, int first) { different += first == t ? 1 : 0; });
    return mmm::detail::ceil_divide(different * a.bytes, sector_bytes);
  }
};

}  // namespace detail

//! The layout of least sectors for the accesses that records in global memory must serve: an array
//! of structures, a structure of arrays, groups of 2 to 128 records, an array of structures with up
//! to 16 bytes of padding. Among equal sectors the fewest bytes win, then the first one in this
//! order.
//! \param records a row for each record, a column for each field of `element_bytes` bytes.
//! \param accesses made by tile_access: item i accesses from field `column` of record `row` on.
//! Errors: as mmm::gpu::choose_layout. Time: O(family * lanes) per warp of an access; a family has
//! up to 25 layouts. A few warps suffice where rows and columns repeat.
template <class... Access, class... Row, class... Column>
[[nodiscard]] constexpr record_choice choose_record_layout(
    tile_shape const& records, tile_access_pattern<Access, Row, Column> const&... accesses) {
  static_assert(sizeof...(accesses) > 0,
                "mmm: a layout is chosen for one access or more (tile_access)");
  static_assert((!Access{}.of_matrices() && ...), "mmm: matrix accesses are to shared memory");
  static_cast<void>(access_of(instruction::load, records.element_bytes));
  detail::record_search search(records);
  (search.add(accesses), ...);
  record_choice choice;
  choice.plain = search.out[0] ? -1 : search.cost[0];
  choice.bound = search.bound;
  choice.sectors = -1;
  for (int k = 0; k < search.size; ++k) {
    if (search.out[k]) continue;
    ++choice.tried;
    index const bytes = search.member[k].words() * records.element_bytes;
    if (choice.sectors >= 0 && (search.cost[k] > choice.sectors ||
                                (search.cost[k] == choice.sectors && bytes >= choice.bytes)))
      continue;
    choice.layout = search.member[k];
    choice.sectors = search.cost[k];
    choice.bytes = bytes;
  }
  if (choice.tried == 0)
    mmm::detail::reject("the bytes of a record's fields", records.element_bytes,
                        "as wide as the accesses, or with fields of which they are multiples");
  choice.price = choice.bytes - records.rows * records.columns * records.element_bytes;
  return choice;
}

}  // namespace mmm::gpu
