// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/arrays.hpp>
#include <device/runtime/program_order.hpp>
#include <device/runtime/work.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

//! The objects behind handles: streams, events, captures, graphs, pools.
namespace device::runtime {

using attribute_values = std::map<unsigned, abi::cudaLaunchAttributeValue>;

struct graph_node;
struct task;  // agenda.hpp

//! A flag of streams: not ordered with the legacy stream.
inline constexpr unsigned non_blocking = 1;

struct dependency {
  graph_node* before = nullptr;
  abi::cudaGraphEdgeData data{};
};

struct graph_node {
  graph* owner = nullptr;
  std::uint64_t number = 0;  //!< of all nodes of the process; also in executable copies
  std::uint64_t origin = 0;  //!< number of the node that it is a copy of; its own else
  work task;
  std::vector<dependency> after{};          //!< what it waits for
  bool enabled = true;                      //!< of an executable graph
  std::vector<void*> parameter_pointers{};  //!< what cudaGraphKernelNodeGetParams gives
};

//! An object that the program ties to graphs.
struct user_object {
  void* data = nullptr;
  abi::cudaHostFn_t destroy = nullptr;
  std::uint64_t references = 0;
};

struct graph {
  std::vector<std::unique_ptr<graph_node>> nodes{};  //!< in the order in which they were added
  std::map<user_object*, std::uint64_t> objects{};
  bool is_clone = false;
  std::vector<std::shared_ptr<void>> conditions{};  //!< that were made for it
};

//! Work that runs keeps its graph, which the program may destroy before.
struct executable_graph : std::enable_shared_from_this<executable_graph> {
  std::unique_ptr<graph> code{};
  unsigned long long flags = 0;
  order_clock done{};            //!< what has happened before its next run
  std::shared_ptr<task> last{};  //!< the end of its last run
  //! number of the node in the graph it was made of
  std::unordered_map<std::uint64_t, graph_node*> by_origin{};
  bool is_uploaded = false;  //!< device code may launch it
  bool is_queued = false;    //!< device code has launched it, and it has not begun
  bool is_running = false;   //!< of a launch by device code
  //! that its kernels have launched; tails begin when all else is done
  std::deque<std::weak_ptr<executable_graph>> fire_and_forget{}, tails{};
};

struct stream;

//! A sequence of calls that becomes a graph.
struct capture {
  std::uint64_t number = 0;
  graph* into = nullptr;
  bool made_graph = true;  //!< false: into a graph of the program
  abi::cudaStreamCaptureMode mode = abi::cudaStreamCaptureModeGlobal;
  std::thread::id by{};
  stream* origin = nullptr;
  std::set<stream*> members{};
  bool invalid = false;
};

struct stream {
  int device = 0;
  context const* owner = nullptr;  //!< in which it was created
  unsigned flags = 0;
  int priority = 0;
  unsigned long long number = 0;
  bool is_legacy = false;
  bool is_per_thread = false;
  stream_place place{};
  std::shared_ptr<task> last{};  //!< what was issued last
  attribute_values attributes{};
  capture* capturing = nullptr;
  //! what the next node of the capture waits for
  std::vector<dependency> tail{};
  std::vector<abi::cudaGraphNode_t> tail_handles{};  //!< what cudaStreamGetCaptureInfo gives
  std::vector<abi::cudaGraphEdgeData> tail_edges{};
};

constexpr unsigned disable_timing = 2;  //!< cudaEventDisableTiming
struct event {
  context const* owner = nullptr;  //!< in which it was created
  unsigned flags = 0;
  int device = 0;
  bool recorded = false;
  std::chrono::steady_clock::time_point time{};
  order_clock before{};          //!< what has happened before it was recorded last
  std::shared_ptr<task> last{};  //!< the last recording
  //! number of the capture in which it was last recorded; 0 if not captured
  std::uint64_t captured_in = 0;
  std::vector<dependency> captured{};
};

struct pool {
  int device = 0;
  bool is_default = false;
  abi::cudaMemPoolProps props{};
  std::uint64_t threshold = 0;  //!< bytes that stay reserved at a synchronisation
  std::uint64_t used = 0, used_high = 0, reserved = 0, reserved_high = 0;
  int reuse[3] = {1, 1, 1};
  std::map<int, abi::cudaMemAccessFlags> access{};  //!< by device; its own has all
  bool destroyed = false;
};

struct tables {
  std::unordered_map<stream*, std::unique_ptr<stream>> streams{};
  std::map<int, std::unique_ptr<stream>> legacy{};  //!< by device
  //! by device and thread_state::number
  std::map<std::pair<int, std::uint64_t>, std::unique_ptr<stream>> per_thread{};
  std::unordered_map<event*, std::unique_ptr<event>> events{};
  std::map<std::uint64_t, std::unique_ptr<capture>> captures{};
  std::unordered_map<graph*, std::unique_ptr<graph>> graphs{};
  std::unordered_set<graph const*> embedded_graphs{};
  std::unordered_set<graph_node const*> nodes{};
  std::unordered_map<executable_graph*, std::shared_ptr<executable_graph>> executables{};
  bool has_device_graphs = false;  //!< device code may have launched graphs
  std::unordered_map<user_object*, std::unique_ptr<user_object>> objects{};
  std::unordered_map<pool*, std::unique_ptr<pool>> pools{};
  std::vector<pool*> default_pool{}, current_pool{};  //!< by device
  struct pooled {
    pool* owner;
    std::uint64_t bytes;
  };
  std::unordered_map<std::uint64_t, pooled> pooled_memory{};  //!< by address
  struct of_graph {
    std::uint64_t bytes = 0;
    int device = 0;
    bool live = false;    //!< allocated by a graph that ran, not freed since
    bool orphan = false;  //!< no graph has a node for it any more
  };
  std::unordered_map<std::uint64_t, of_graph> graph_memory{};  //!< by address
  //! by device: most bytes used, reserved
  std::map<int, std::array<std::uint64_t, 2>> graph_memory_high{};
  struct advice {
    bool read_mostly = false;
    int preferred = -2, last_prefetch = -2;  //!< cudaInvalidDeviceId
    std::set<int> accessed_by{};
  };
  std::unordered_map<std::uint64_t, advice> advised{};  //!< of managed memory, by address
  //! of pinned and registered memory, by address
  std::unordered_map<std::uint64_t, unsigned> host_flags{};
  struct condition {
    unsigned value = 0;
    unsigned at_launch = 0;  //!< its value when a graph is launched
    bool begins_so = false;  //!< cudaGraphCondAssignDefault; else it keeps its value
    bool is_used = false;    //!< a node has it
    //! of the entry, by its graph and the copies of its node; the last of them erases it
    std::weak_ptr<void> owners{};
  };
  //! of conditional nodes, by cudaGraphConditionalHandle
  std::unordered_map<abi::cudaGraphConditionalHandle, condition> conditions{};
  std::unordered_map<array*, std::unique_ptr<array>> arrays{};  //!< levels, too
  std::unordered_map<mipmapped_array*, std::unique_ptr<mipmapped_array>> mipmapped{};
  texture_objects textures{};
  std::unordered_map<std::uint64_t, object_descriptions> described{};  //!< by number of an object
  std::uint64_t next_number = 1;

  //! False for a stream that was destroyed.
  [[nodiscard]] bool has(stream* s) const {
    if (streams.contains(s)) return true;
    for (auto const& [device, l] : legacy)
      if (l.get() == s) return true;
    for (auto const& [thread, t] : per_thread)
      if (t.get() == s) return true;
    return false;
  }
};

// --- streams.cpp ---------------------------------------------------------------------------------
//! The stream that a handle stands for; fails with cudaErrorInvalidResourceHandle.
[[nodiscard]] stream& stream_of(process&, abi::cudaStream_t);
[[nodiscard]] event& event_of(process&, abi::cudaEvent_t);

// --- capture.cpp ---------------------------------------------------------------------------------
//! Fails, and ends the captures concerned, if a call that cannot be captured is made during one.
void forbid_during_capture(process&);
//! Fails if a call would wait for a stream that is captured.
void forbid_if_capturing(process&, stream&);
//! Fails if a call in the legacy stream would wait for a stream that is captured.
void forbid_legacy_during_capture(process&);
//! Makes the work a node after the stream's last one.
void add_captured(process&, stream&, work);
void capture_event_record(process&, stream&, event&);
void capture_event_wait(process&, stream&, event&);

// --- graphs.cpp ----------------------------------------------------------------------------------
[[nodiscard]] graph& graph_of(process&, abi::cudaGraph_t);
[[nodiscard]] graph_node& node_of(process&, abi::cudaGraphNode_t);
[[nodiscard]] executable_graph& executable_of(process&, abi::cudaGraphExec_t);
[[nodiscard]] std::unique_ptr<graph> make_graph(process&);
[[nodiscard]] graph_node& add_node(process&, graph&, work, std::vector<dependency> after);
[[nodiscard]] std::vector<dependency> dependencies_of(process&, graph&, abi::cudaGraphNode_t const*,
                                                      abi::cudaGraphEdgeData const*, std::size_t);
//! A copy with nodes of its own, whose origins are the nodes copied. The program may name them if
//! it is published.
[[nodiscard]] std::unique_ptr<graph> clone(process&, graph const&, bool published);
//! A copy of a piece of work; its child graphs are cloned.
[[nodiscard]] work clone(process&, work const&, bool published);
//! Frees what a graph refers to; its nodes' handles are invalid afterwards.
void dismantle(process&, graph&);
//! The nodes, each after those that it waits for; fails with cudaErrorInvalidValue if there is a
//! cycle.
[[nodiscard]] std::vector<graph_node*> in_order(graph const&);

//! Does what was issued to a graph's memory: for cudaFree, too. False if the address is no graph's.
bool free_graph_memory(process&, std::uint64_t address);

//! Device code sets the value of a condition; a handle that is none is an illegal address.
void set_condition(process&, abi::cudaGraphConditionalHandle, unsigned value);

//! Conditions get the values with which a graph begins.
void begin_conditions(process&, std::vector<abi::cudaGraphConditionalHandle> const&);
//! The conditions of a graph's nodes that begin with a value of their own, of graphs in it too.
[[nodiscard]] std::vector<abi::cudaGraphConditionalHandle> conditions_of(process&, graph const&);
//! True if a node of the graph, or of a graph in it, is conditional: then CUDA clones it for
//! execution only.
[[nodiscard]] bool has_condition(graph const&);
//! The work of a conditional node, whose bodies are empty graphs; fails if it cannot be one.
[[nodiscard]] condition_work condition_of(process&, abi::cudaConditionalNodeParams&);
//! The body that is next, or null: `before` is the number of bodies that have been executed.
[[nodiscard]] graph* next_body(process&, condition_work const&, std::uint64_t before);

//! Counts up or down; at 0 the object's destructor is called.
void retain(user_object&, std::uint64_t count);
void release(process&, user_object&, std::uint64_t count);

inline abi::cudaGraph_t handle_of(graph* g) { return reinterpret_cast<abi::cudaGraph_t>(g); }
inline abi::cudaGraphNode_t handle_of(graph_node* n) {
  return reinterpret_cast<abi::cudaGraphNode_t>(n);
}
inline abi::cudaGraphExec_t handle_of(executable_graph* g) {
  return reinterpret_cast<abi::cudaGraphExec_t>(g);
}
inline abi::cudaEvent_t handle_of(event* e) { return reinterpret_cast<abi::cudaEvent_t>(e); }
inline abi::cudaStream_t handle_of(stream* s) { return reinterpret_cast<abi::cudaStream_t>(s); }
inline abi::cudaMemPool_t handle_of(pool* p) { return reinterpret_cast<abi::cudaMemPool_t>(p); }

inline abi::cudaStream_t const legacy_stream = reinterpret_cast<abi::cudaStream_t>(1);
inline abi::cudaStream_t const per_thread_stream = reinterpret_cast<abi::cudaStream_t>(2);

// --- pools.cpp -----------------------------------------------------------------------------------
void make_default_pools(process&);
//! Allocates from a pool; null if there is no memory.
[[nodiscard]] void* allocate_from(process&, pool&, std::size_t bytes);
//! Gives memory back to the pool that it was allocated from. False if it is of no pool.
bool give_back_to_pool(process&, std::uint64_t address);
[[nodiscard]] bool is_stream_ordered(process&, std::uint64_t address);
//! Frees the unused memory of a device's pools above their release thresholds, as CUDA does when
//! the host synchronises.
void trim_pools(process&, int device);

}  // namespace device::runtime
