// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/ordered_operation.hpp>
#include <device/runtime/work.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace device::runtime {

struct stream;
struct event;
struct executable_graph;

//! A stream's place in the order.
struct stream_place {
  lane_number lane = 0;  //!< 0: none yet
  order_clock done{};    //!< what has happened before its next operation
  //! lanes of its graphs' nodes beside the stream's own
  std::vector<lane_number> further{};
  //! The stream's last operation was a launch that has launched its dependents: what has happened
  //! before a launch that need not wait for it.
  std::optional<order_clock> dependents_begin{};
};

//! The order of all operations of the program: what streams, events, the edges of graphs and the
//! host's waiting say, whatever the order in which they are executed here. It is kept where races
//! are looked for.
//!
//! All threads of the host are taken for one: what one has waited for has happened before what any
//! of them issues afterwards. So two threads that order themselves by a mutex are no finding.
class program_order {
 public:
  explicit program_order(process& p) : process_(p) {}

  //! Executes work in a stream, after all that orders it, and tells the instruments.
  void execute(stream&, work const&);
  //! A call that takes [begin, begin + bytes) into use, or gives it back, in a stream's order.
  void note_memory(stream&, char const* function, std::uint64_t begin, std::uint64_t bytes);
  //! The host has waited.
  void host_waited_for(stream&);
  void host_waited_for(event const&);
  void host_waited_for_device(int device);
  void host_waited_for_all();
  //! From now on there may be races: operations are told to the instruments.
  void watch() { watches_ = true; }

 private:
  struct device_places {
    order_clock all{};       //!< all operations
    order_clock blocking{};  //!< those of streams that the legacy stream waits for
  };

  process& process_;
  bool watches_ = false;
  std::uint64_t operations_ = 0;
  lane_number lanes_ = 0;
  order_clock host_{};  //!< what the host has waited for
  std::map<int, device_places> devices_{};

  [[nodiscard]] order_clock before_next(stream&);
  void advance(stream&, order_clock after);
  //! Each gives what has happened before whatever comes after the work.
  [[nodiscard]] order_clock run(stream&, lane_number, order_clock before, work const&);
  [[nodiscard]] order_clock run(stream&, order_clock before, graph const&,
                                std::size_t& lanes_used);
  [[nodiscard]] order_clock run_operation(stream&, lane_number, order_clock before, work const&);
  [[nodiscard]] operation_pointer begin_operation(stream const&, lane_number, order_clock before,
                                                  std::string name);
  void host_knows(order_clock const&);
};

}  // namespace device::runtime
