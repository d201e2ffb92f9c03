// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

//! Operations of streams (launches, copies, fills, host functions, stream-ordered allocations), and
//! which of them have happened before others.
namespace device::runtime {

//! A sequence of operations of which each happens before the next: a stream's, or that of some
//! nodes of a graph. Numbered from 1.
using lane_number = std::uint32_t;

//! A vector clock: of each lane the latest operation that has happened before. Operations are
//! numbered in the order in which they are issued, those of all lanes together.
class order_clock {
 public:
  [[nodiscard]] bool knows(lane_number lane, std::uint64_t operation) const {
    if (operation <= floor_) return true;
    auto const found = place_of(lane);
    return found != last_.end() && found->first == lane && operation <= found->second;
  }
  void note(lane_number lane, std::uint64_t operation) {
    if (operation <= floor_) return;
    auto const found = last_.begin() + (place_of(lane) - last_.cbegin());
    if (found != last_.end() && found->first == lane)
      found->second = std::max(found->second, operation);
    else
      last_.insert(found, {lane, operation});
  }
  void join(order_clock const& other) {
    if (other.floor_ > floor_) note_all(other.floor_);
    for (auto const& [lane, operation] : other.last_) note(lane, operation);
  }
  //! All operations up to this one have happened before.
  void note_all(std::uint64_t operation) {
    floor_ = std::max(floor_, operation);
    std::erase_if(last_, [&](auto const& l) { return l.second <= floor_; });
  }

 private:
  using latest = std::vector<std::pair<lane_number, std::uint64_t>>;

  std::uint64_t floor_ = 0;  //!< all operations up to here
  latest last_;              //!< by lane, later ones

  [[nodiscard]] latest::const_iterator place_of(lane_number lane) const {
    return std::lower_bound(last_.begin(), last_.end(), lane,
                            [](auto const& l, lane_number n) { return l.first < n; });
  }
};

//! One operation that is executed, with its place in the order.
struct ordered_operation {
  lane_number lane = 0;
  std::uint64_t number = 0;
  order_clock before{};  //!< what has happened before; the device may find that it is more
  //! what has before griddepcontrol.wait, if the launch need not wait for the one before it
  std::optional<order_clock> before_wait{};
  //! of a node of a graph: the launch before it, for whose memory it need not wait; null when that
  //! has run
  std::shared_ptr<ordered_operation> launched_by{};
  bool is_launch = false;
  //! a block executed griddepcontrol.wait before it let dependents begin
  bool waited_before_dependents = false;
  bool is_host_function = false;
  bool in_graph = false;
  std::string name{};    //!< "cudaMemcpyAsync"; of a launch empty
  std::string stream{};  //!< "stream 3 (non-blocking)"
  std::vector<void*>
      caller{};  //!< the return addresses of the call that issued it, innermost first

  //! The operations before a launch that follows at once and need not wait for this one: such a
  //! launch begins when all blocks have executed griddepcontrol.launch_dependents or ended, before
  //! this launch's writes are visible.
  [[nodiscard]] order_clock const& before_dependents() const {
    return before_wait && !waited_before_dependents ? *before_wait : before;
  }
};
using operation_pointer = std::shared_ptr<ordered_operation>;

}  // namespace device::runtime
