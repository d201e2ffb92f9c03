// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/ordered_operation.hpp>
#include <device/runtime/work.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
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
  //! The stream's last operation was a launch: what has happened before a launch that need not wait
  //! for it.
  std::optional<order_clock> dependents_begin{};
};

//! Work with its place in the order.
struct placed_operation {
  operation_pointer op{};  //!< null if it is not told to the instruments
  lane_number lane = 0;
  std::uint64_t number = 0;  //!< 0: no operation of its own
  order_clock after{};       //!< what has happened before whatever waits for it
};

//! Tells the instruments that an operation runs, for as long as the object lives.
class operation_of_instruments {
 public:
  //! \param over at the end: false if the operation goes on later
  operation_of_instruments(process&, operation_pointer, bool const& over);
  ~operation_of_instruments();
  operation_of_instruments(operation_of_instruments const&) = delete;
  operation_of_instruments& operator=(operation_of_instruments const&) = delete;

 private:
  process& process_;
  operation_pointer op_;
  bool const& over_;
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

  //! The place of a stream's next work, all kinds but graphs.
  [[nodiscard]] placed_operation place(stream&, work const&);
  //! The places of the nodes of a graph that a stream launches, in an order that their edges allow.
  //! `run`: null if it is not known which executable graph it is.
  void begin_graph(stream&, executable_graph const* run);
  //! `programmatic`: of its edges, one says that it need not wait for a launch's end.
  [[nodiscard]] placed_operation place_node(stream&, work const&,
                                            std::vector<placed_operation const*> const& after,
                                            bool programmatic);
  [[nodiscard]] placed_operation end_graph(stream&, executable_graph* run,
                                           std::vector<placed_operation const*> const& all);
  //! Work has been done. `in`: its stream, null if it was destroyed.
  void ended(placed_operation const&, stream* in, bool was_host_function);
  //! A call that takes [begin, begin + bytes) into use, or gives it back, in a stream's order.
  void note_memory(stream&, char const* function, std::uint64_t begin, std::uint64_t bytes);
  //! The host has waited.
  void host_waited_for(stream&);
  void host_waited_for(event const&);
  void host_waited_for_device(int device);
  void host_waited_for_all();
  //! Passes the operations from now on to the instruments: there may be races.
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

  order_clock graph_begin_{};                        //!< of the graph that is being placed
  std::size_t graph_lanes_ = 0;                      //!< of stream_place::further, in use
  std::set<placed_operation const*> graph_taken_{};  //!< nodes whose lane goes on with another

  [[nodiscard]] order_clock before_next(stream&);
  void advance(stream&, order_clock const& after);
  [[nodiscard]] placed_operation place_at(stream&, lane_number, order_clock before, work const&);
  [[nodiscard]] operation_pointer make_operation(stream const&, lane_number, order_clock before,
                                                 std::string name) const;
  void host_knows(order_clock const&);
};

}  // namespace device::runtime
