// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/gpu/broken_rule.hpp>
#include <mmm/gpu/choose_layout.hpp>
#include <mmm/gpu/tensor_map.hpp>
#include <mmm/gpu/wgmma.hpp>
#include <mmm/layout/panel_layout.hpp>

//! The layout of least cost of a tile that a tensor map writes or wgmma reads: no padding is valid
//! then, and of the swizzles those of the hardware, in panels of columns.
//!
//!     constexpr auto tile = mmm::gpu::choose_layout(
//!         {64, 128, 2}, {}, mmm::gpu::box_access(map),
//!         mmm::gpu::operand_access<mmm::gpu::wgmma_operand<mmm::gpu::data_type::f16, 64>>());
//!     static_assert(tile.swizzle == mmm::gpu::tensor_swizzle::bytes_128 && tile.boxes == 2);
namespace mmm::gpu {

//! A tile that a tensor map copies, in boxes that are as high as the tile. Made by box_access.
struct box_access_pattern {
  tensor_map map;
  index times;
};
//! \param map the tensor; where its box has no elements, box and swizzle are chosen, in rank 2 and
//! above with all rows of the tile in dimension 1; otherwise they are as given. \param times weight
//! of its cost.
[[nodiscard]] constexpr box_access_pattern box_access(tensor_map const& map, index times = 1) {
  if (times < 1) mmm::detail::reject("the weight of an access to a tile", times, "1 or more");
  return {map, times};
}

//! A tile all of whose operands wgmma reads. Made by operand_access.
template <class Operand>
struct operand_access_pattern {
  index times;
};
//! \tparam Operand wgmma_operand<…>; one that is read along mn has a row of the tile for each
//! element along k. \param times weight of its cost.
template <class Operand>
[[nodiscard]] constexpr operand_access_pattern<Operand> operand_access(index times = 1) {
  if (times < 1) mmm::detail::reject("the weight of an access to a tile", times, "1 or more");
  return {times};
}

//! A layout that was tried: what it costs, or the first rule that it breaks.
struct operand_candidate {
  tensor_swizzle swizzle = tensor_swizzle::none;
  index panel = 0;        //!< columns of a panel
  index wavefronts = -1;  //!< of all accesses; -1 if one of them is not possible
  broken_rule broken;     //!< no rule where an access is not aligned, or there are no such panels
};

//! A layout for tensor maps and wgmma, its cost, and the search that found it.
struct operand_choice {
  panel_layout layout{0, 1, 1};
  tensor_swizzle swizzle = tensor_swizzle::none;
  index wavefronts = 0;  //!< of all accesses
  index bound = 0;      //!< lower bound for all layouts: a wavefront moves at most 4 bytes per bank
  index bytes = 0;      //!< of shared memory
  index boxes = 0;      //!< panels: copies by a tensor map, each of `layout.panel` columns
  index alignment = 0;  //!< that the tile's first byte has to have
  static constexpr int max_candidates = 5;
  operand_candidate candidates[max_candidates] = {};
  //! True if no layout can be better.
  [[nodiscard]] constexpr bool optimal() const { return wavefronts == bound; }
};

namespace detail {

template <class>
inline constexpr bool is_descriptor_access = false;
template <>
inline constexpr bool is_descriptor_access<box_access_pattern> = true;
template <class Operand>
inline constexpr bool is_descriptor_access<operand_access_pattern<Operand>> = true;

//! The swizzle of 16-byte chunks within a span, for offsets in elements.
[[nodiscard]] constexpr swizzle_bits bits_of_swizzle(tensor_swizzle s, index element_bytes) {
  if (s == tensor_swizzle::none) return {};
  return {mmm::detail::bit_width(span_of(s) / 16 - 1),
          4 - mmm::detail::bit_width(element_bytes - 1), 3};
}

//! The map with the box of a candidate, if it has none of its own.
[[nodiscard]] constexpr tensor_map map_with_box(tensor_map m, tile_shape const& area,
                                                operand_candidate const& c) {
  if (m.box[0] != 0) return m;
  m.swizzle = c.swizzle;
  m.box[0] = c.panel;
  for (int d = 1; d < m.rank; ++d) m.box[d] = d == 1 ? area.rows : 1;
  return m;
}

//! The first rule that a tensor map breaks whose boxes are the panels of a candidate.
[[nodiscard]] constexpr broken_rule rule_of_panels(box_access_pattern const& a,
                                                   tile_shape const& area,
                                                   operand_candidate const& c) {
  using enum descriptor_field;
  using enum accepted_values;
  tensor_map const m = map_with_box(a.map, area, c);
  index const bytes = bits_of(m.type) / 8;
  if (bytes != area.element_bytes) return {type, 0, bytes, bytes_of_the_elements_of_the_tile};
  if (broken_rule const r = broken_rule_of(m)) return r;
  if (m.interleave != tensor_interleave::none)
    return {interleave, 0, static_cast<index>(m.interleave), that_of_the_tensor_map};
  if (m.swizzle != c.swizzle) return {swizzle, 0, span_of(c.swizzle), that_of_the_tensor_map};
  if (m.box[0] != c.panel) return {columns, 0, c.panel, that_of_the_tensor_map};
  index in_box = 1;
  for (int d = 1; d < m.rank; ++d)
    in_box *= mmm::detail::ceil_divide(m.box[d], m.element_strides[d]);
  if (in_box != area.rows) return {rows, 0, area.rows, that_of_the_tensor_map};
  // The next panel begins with the swizzle's pattern.
  if (c.panel != area.columns && c.swizzle != tensor_swizzle::none && area.rows % 8 != 0)
    return {rows, 0, area.rows, multiples_of_the_swizzle_pattern};
  return {};
}

//! The first rule that an operand of wgmma breaks in the panels of a candidate: what
//! mmm::gpu::describe finds for each operand of the tile, without a look at the elements.
template <class Operand>
[[nodiscard]] constexpr broken_rule rule_of_panels(operand_access_pattern<Operand> const&,
                                                   tile_shape const& area,
                                                   operand_candidate const& c) {
  using enum descriptor_field;
  using enum accepted_values;
  constexpr bool along_k = Operand::direction == major::k;
  if (Operand::element_bytes != area.element_bytes)
    return {type, 0, Operand::element_bytes, bytes_of_the_elements_of_the_tile};
  if (area.rows % (along_k ? Operand::rows : Operand::columns) != 0)
    return {rows, 0, area.rows, multiples_of_the_operand};
  if (area.columns % (along_k ? Operand::columns : Operand::rows) != 0)
    return {columns, 0, area.columns, multiples_of_the_operand};
  index const span = mmm::detail::larger(span_of(c.swizzle), 16);
  if (!along_k && Operand::rows * Operand::element_bytes % span != 0)
    return {rows, 0, Operand::rows, at_most_the_span_of_the_swizzle};
  index const pitch = c.panel * area.element_bytes;
  if (pitch != span)
    return {place_of_element, along_k ? Operand::columns : 1, pitch, canonical_layout};
  return {};
}
template <class Access, class Row, class Column>
[[nodiscard]] constexpr broken_rule rule_of_panels(tile_access_pattern<Access, Row, Column> const&,
                                                   tile_shape const&, operand_candidate const&) {
  return {};
}

//! Wavefronts of a tile that tensor copies and wgmma move in chunks of 16 bytes, 8 of different
//! banks at a time.
template <bank_rules Rules>
[[nodiscard]] constexpr index wavefronts_of_chunks(index bytes) {
  return mmm::detail::ceil_divide(bytes, index{4} * Rules::banks);
}

//! The accesses of descriptors cost the same in all layouts that they can have; others are
//! searched.
template <bank_rules Rules>
struct operand_search {
  tile_search<Rules> search;
  index by_descriptors = 0;
  index bytes;

  template <class Access, class Row, class Column>
  constexpr void add(tile_access_pattern<Access, Row, Column> const& a) {
    search.add(a);
  }
  constexpr void add(box_access_pattern const& a) {
    by_descriptors += a.times * wavefronts_of_chunks<Rules>(bytes);
  }
  template <class Operand>
  constexpr void add(operand_access_pattern<Operand> const& a) {
    by_descriptors += a.times * wavefronts_of_chunks<Rules>(bytes);
  }
};

//! The search of choose_layout; no boxes if all candidates break a rule or misalign an access.
template <bank_rules Rules, class... Access>
[[nodiscard]] constexpr operand_choice search_layout(tile_shape const& area,
                                                     tile_limits const& limits,
                                                     Access const&... accesses) {
  using enum tensor_swizzle;
  if (access_of(instruction::load, area.element_bytes).bytes > 16)
    mmm::detail::reject("the bytes of a tile's element", area.element_bytes, "16 or fewer");
  if (area.rows < 1) mmm::detail::reject("the rows of a tile", area.rows, "1 or more");
  if (area.columns < 1) mmm::detail::reject("the columns of a tile", area.columns, "1 or more");
  index const bytes = area.rows * area.columns * area.element_bytes;
  if (bytes > limits.budget)
    mmm::detail::reject_length("bytes of shared memory for a tile", bytes, limits.budget);

  operand_choice choice;
  choice.bytes = bytes;
  operand_search<Rules> all{{area, {}}, 0, bytes};
  constexpr tensor_swizzle swizzles[] = {none, none, bytes_32, bytes_64, bytes_128};
  for (int k = 0; k < operand_choice::max_candidates; ++k) {
    operand_candidate& c = choice.candidates[k];
    c.swizzle = swizzles[k];
    index const span = mmm::detail::larger(span_of(c.swizzle), 16);
    c.panel = k == 0 ? area.columns : span / area.element_bytes;
    if (area.columns % c.panel != 0)
      c.broken = {descriptor_field::columns, 0, area.columns,
                  accepted_values::multiples_of_the_span};
    ((c.broken = c.broken ? c.broken : rule_of_panels(accesses, area, c)), ...);
    if (c.swizzle != none && !limits.swizzles && !c.broken)
      c.broken = {descriptor_field::swizzle, 0, span, accepted_values::no_swizzle_by_the_limits};
    all.search.family.add(0, bits_of_swizzle(c.swizzle, area.element_bytes), c.panel);
    all.search.out[k] = static_cast<bool>(c.broken);
  }
  (all.add(accesses), ...);
  choice.bound = all.search.bound + all.by_descriptors;
  operand_candidate const* best = nullptr;
  for (int k = 0; k < operand_choice::max_candidates; ++k) {
    operand_candidate& c = choice.candidates[k];
    if (all.search.out[k]) continue;
    c.wavefronts = all.search.cost[k] + all.by_descriptors;
    if (best == nullptr || c.wavefronts < best->wavefronts ||
        (c.wavefronts == best->wavefronts && c.panel > best->panel))
      best = &c;
  }
  if (best == nullptr) return choice;
  choice.layout = {area.rows, area.columns, best->panel,
                   bits_of_swizzle(best->swizzle, area.element_bytes)};
  choice.swizzle = best->swizzle;
  choice.wavefronts = best->wavefronts;
  choice.boxes = area.columns / best->panel;
  choice.alignment = best->swizzle == none ? 128 : index{8} * span_of(best->swizzle);
  return choice;
}

//! The rule that the last candidate breaks, if a search found nothing.
[[nodiscard]] constexpr broken_rule rule_of_search(operand_choice const& c) {
  broken_rule last;
  for (operand_candidate const& tried : c.candidates)
    if (c.boxes == 0 && tried.broken) last = tried.broken;
  return last;
}

}  // namespace detail

//! The layout of least cost of a tile that a tensor map copies or wgmma reads, beside accesses and
//! fragments. Tried are whole rows without a swizzle, columns of 16 bytes, and the swizzles of 32,
//! 64 and 128 bytes in panels as wide; all accesses have to be possible. Among equal costs the
//! fewest boxes win, then the first one in this order.
//!
//! \param accesses made by box_access, operand_access, tile_access and fragment_access, at least
//! one of the first two. Errors: as choose_layout; std::invalid_argument, in a constant expression
//! a compile error, with the rule of the last candidate if all of them break one. Time: as
//! choose_layout, of a family of 5.
template <bank_rules Rules = nvidia, class... Access>
requires(detail::is_descriptor_access<Access> || ...)
[[nodiscard]] constexpr operand_choice choose_layout(tile_shape const& area,
                                                     tile_limits const& limits,
                                                     Access const&... accesses) {
  auto const choice = detail::search_layout<Rules>(area, limits, accesses...);
  detail::require(detail::rule_of_search(choice));
  if (choice.boxes == 0)
    mmm::detail::reject("the columns of a tile", area.columns, "so many that accesses are aligned");
  return choice;
}

namespace detail {
template <tile_shape Area, tile_limits Limits, auto... Accesses>
[[nodiscard]] constexpr auto assert_layout() {
  constexpr auto choice = search_layout<nvidia>(Area, Limits, Accesses...);
  if constexpr (rule_of_search(choice)) {
    return assert_no_broken_rule<rule_of_search(choice)>();
  } else {
    static_assert(choice.boxes != 0, "mmm: no layout of the tile aligns the accesses");
    return true;
  }
}
}  // namespace detail

//! choose_layout finds a layout; otherwise a compile error with the field of a rule that the tile
//! breaks, its value and what is accepted.
//!
//!     using operand = wgmma_operand<data_type::f16, 64>;
//!     static_assert(
//!         assert_layout<tile_shape{64, 64, 2}, tile_limits{}, operand_access<operand>()>);
template <tile_shape Area, tile_limits Limits, auto... Accesses>
inline constexpr auto assert_layout = detail::assert_layout<Area, Limits, Accesses...>();

}  // namespace mmm::gpu
