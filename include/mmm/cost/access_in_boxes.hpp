// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/cost/affine.hpp>
#include <mmm/cost/enumeration.hpp>
#include <mmm/cost/search.hpp>
#include <mmm/index/box.hpp>
#include <mmm/index/evaluation.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/item_share.hpp>
#include <mmm/machine/machine.hpp>

//! One access over boxes of warps, as the searches for closed forms know it.
namespace mmm::detail {

//! The findings of an evaluation over a box.
template <int W>
struct examination {
  bool covered = false;  //!< the normal form below holds for the whole box
  bool none = false;     //!< no lane is active anywhere in the box
  normal_form<W> address;
  lane_truth<W> active;
  int active_lanes = 0;
  bool one_group = false;  //!< all that is known: the lanes of each warp are in one address group
  bool monotone = false;   //!< only one comparison is open: of `open_difference` with 0
  linear_form open_difference;
  refinement needed;
};

//! One access: an address expression under a predicate. Closed forms and searches use this
//! interface only, so that they are compiled once for all accesses.
template <int W>
class examined_access {
 public:
  bool everywhere = false;  //!< without a predicate

  //! The items for which the predicate holds, where the variables stay below `below`.
  [[nodiscard]] constexpr virtual item_prefix active(index const (&below)[all_slots]) const = 0;
  //! The address as a sum of multiples of variables, if it is one.
  [[nodiscard]] constexpr virtual affine_form affine() const = 0;
  //! The rows that quotients divide the items into.
  [[nodiscard]] constexpr virtual row_items rows(index items) const = 0;
  //! See detail::unmoved.
  [[nodiscard]] constexpr virtual bool unmoved(int slot, index step, int other_slot,
                                               index other_step) const = 0;
  //! One evaluation over a box, paid from the budget of `memory`.
  [[nodiscard]] constexpr virtual examination<W> examine(warp_box<W> const& box,
                                                         search& memory) const = 0;
  //! Stages of one warp at a point of a box, lane by lane.
  [[nodiscard]] constexpr virtual index enumerated(warp_box<W> const& box,
                                                   index const (&point)[max_dimensions]) const = 0;

 protected:
  constexpr examined_access() = default;
  constexpr examined_access(examined_access const&) = default;
  constexpr examined_access& operator=(examined_access const&) = default;
  constexpr ~examined_access() = default;
};

//! The answers of an address and a predicate on one kind of memory.
template <conflict Conflict, class Width, class Address, class Predicate>
class access_in_boxes final : public examined_access<Width::max_lanes> {
  static constexpr int W = Width::max_lanes;

 public:
  constexpr access_in_boxes(Width const& width, Address const& address, Predicate const& predicate)
      : width_(width), address_(address), predicate_(predicate) {
    this->everywhere = is_same_v<Predicate, always>;
  }

  [[nodiscard]] constexpr item_prefix active(index const (&below)[all_slots]) const override {
    return prefix_of(predicate_, below);
  }
  [[nodiscard]] constexpr affine_form affine() const override { return affine_of(address_); }
  [[nodiscard]] constexpr row_items rows([[maybe_unused]] index items) const override {
    if constexpr (Address::divides || Predicate::divides)
      return items_of_rows(address_, predicate_, items);
    else
      return {};
  }
  [[nodiscard]] constexpr bool unmoved(int slot, index step, int other_slot,
                                       index other_step) const override {
    return detail::unmoved(address_, predicate_, slot, step, other_slot, other_step);
  }
  [[nodiscard]] constexpr examination<W> examine(warp_box<W> const& box,
                                                 search& memory) const override {
    examination<W> examined;
    if (memory.exhausted()) return examined;
    --memory.budget;
    ++memory.evaluations;
    evaluation<W> now(box, &memory.keys);
    now.note(box.dimensions);
    for (int d = 0; d < box.dimensions; ++d) now.note(box.extent[d]);
    now.note(box.lanes);
    if constexpr (is_same_v<Predicate, always>) {
      examined.active.lanes = lane_set<W>::first(box.lanes);
      examined.active_lanes = box.lanes;
    } else {
      examined.active = predicate_.fold(now);
      examined.active_lanes = examined.active.lanes.count();
      if (examined.active.uniform && examined.active_lanes == 0) {
        examined.none = true;
        return examined;
      }
      examined.monotone = now.monotone();
      if (examined.monotone) examined.open_difference = now.open_difference();
      if (examined.active.uniform) now.note_truth(examined.active);
    }
    if constexpr (has_stages(Conflict)) {
      examined.address = address_.fold(now);
      if (examined.address.valid || examined.address.modulus != 0) now.note_shape(examined.address);
      now.note(floor_modulo(examined.address.origin, width_.width()));
    }
    examined.one_group = by_groups && !examined.address.valid && examined.address.in_block &&
                         width_.width() % examined.address.modulus == 0;
    examined.covered = examined.active.uniform && (examined.address.valid || examined.one_group ||
                                                   right_enough(box, examined));
    if (examined.covered && examined.address.valid)
      static_cast<void>(value_range(box, examined.address));  // addresses over 64 bits are refused
    examined.needed = now.needed();
    return examined;
  }

  [[nodiscard]] constexpr index enumerated(warp_box<W> const& box,
                                           index const (&point)[max_dimensions]) const override {
    return enumerated_stages<Conflict>(width_, box, point, address_, predicate_);
  }

 private:
  static constexpr bool by_banks = is(Conflict, conflict::banks);
  static constexpr bool by_groups = is(Conflict, conflict::groups);
  static constexpr bool by_updates = is(Conflict, conflict::updates);
  [[no_unique_address]] Width width_;
  Address const& address_;
  Predicate const& predicate_;

  //! True if the stages do not depend on more than the address modulo its modulus. A shift of the
  //! whole warp by a multiple of w changes no stages; a shift of single lanes by such multiples
  //! changes none if every lane has a bank of its own, or is served for itself.
  [[nodiscard]] constexpr bool right_enough(warp_box<W> const& box,
                                            examination<W> const& examined) const {
    index const w = width_.width();
    if (examined.address.modulus == 0 || examined.address.modulus % w != 0) return false;
    if (examined.address.together || by_updates) return true;
    if (!by_banks) return false;
    lane_set<W> banks;
    for (int t = 0; t < box.lanes; ++t) {
      if (!examined.active.lanes.has(t)) continue;
      int const bank = static_cast<int>(floor_modulo(examined.address.at(t), w));
      if (banks.has(bank)) return false;
      banks.insert(bank);
    }
    return true;
  }
};

}  // namespace mmm::detail
