// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/process.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <variant>
#include <vector>

//! Streams and graphs consist of pieces of work, executed at once or kept as nodes of a
//! graph.
namespace device::runtime {

struct kernel;
struct graph;
struct executable_graph;
struct stream;
struct event;
struct pool;

struct empty_work {
  //! conditions of a graph that get their first values: at its begin
  std::vector<abi::cudaGraphConditionalHandle> conditions{};
};

struct kernel_work {
  kernel* function = nullptr;
  int device = 0;
  abi::dim3 grid{1, 1, 1}, block{1, 1, 1};
  std::size_t shared = 0;  //!< dynamic
  std::vector<std::byte> params{};
  bool cooperative = false;
  //! by cudaLaunchAttributeID; without effect here
  std::map<unsigned, abi::cudaLaunchAttributeValue> attributes{};
  std::shared_ptr<executable_graph> of_graph{};  //!< that it belongs to when it is executed
};

//! A box of bytes, as cudaMemcpy3D describes it.
struct copy_work {
  abi::cudaMemcpy3DParms box{};
  std::shared_ptr<std::vector<std::byte>> staged{};  //!< what it reads, if not the program's memory
};

struct fill_work {
  abi::cudaMemsetParams rows{};
  std::size_t layers = 1;
  std::size_t layer_bytes = 0;  //!< from layer to layer
};

struct host_work {
  abi::cudaHostFn_t function = nullptr;
  void* data = nullptr;
};

struct record_work {
  event* recorded = nullptr;
};
struct wait_work {
  event* awaited = nullptr;
};

//! Allocates for the graph: the address is chosen when the node is made and stays.
struct allocate_work {
  abi::cudaMemAllocNodeParams params{};
  std::vector<abi::cudaMemAccessDesc> access{};
  std::shared_ptr<void> reservation{};  //!< holds the address; shared by copies of the node
};
struct free_work {
  void* address = nullptr;
  std::vector<void*> callers{};  //!< of cudaFreeAsync; empty in a graph
};

struct child_work {
  std::shared_ptr<graph> embedded{};
  executable_graph* run = nullptr;  //!< whose launch it is, if it is one
};

//! Executes some of its graphs, or one several times, as a condition says.
struct condition_work {
  abi::cudaGraphConditionalHandle condition = 0;
  std::shared_ptr<void> owner{};  //!< of the condition; shared by copies of the node
  abi::cudaGraphConditionalNodeType type = abi::cudaGraphCondTypeIf;
  std::vector<std::shared_ptr<graph>> bodies{};
  std::shared_ptr<std::vector<abi::cudaGraph_t>> handles{};  //!< the program's array of bodies
  std::shared_ptr<executable_graph> of_graph{};  //!< that it belongs to when it is executed
};

//! Executes the graphs that the kernels of a graph have launched, when that one's nodes are done.
struct launched_work {
  std::shared_ptr<executable_graph> by{};
};

//! In the order of cudaGraphNodeType's values, as far as that goes.
using work =
    std::variant<empty_work, kernel_work, copy_work, fill_work, host_work, record_work, wait_work,
                 allocate_work, free_work, child_work, condition_work, launched_work>;

//! The graphs in a piece of work: a child graph, or the bodies of a condition.
[[nodiscard]] std::vector<graph*> embedded_in(work const&);

[[nodiscard]] abi::cudaGraphNodeType type_of(work const&);

//! Fails if the work cannot be done: bad bounds, pitches, configurations.
void check(process&, work const&);
//! Does it now; but for launches, host functions and graphs, which the agenda executes.
void perform(process&, work const&);

// --- kinds of work that have files of their own --------------------------------------------------
void check_kernel(process&, kernel_work const&);
void check_copy(process&, abi::cudaMemcpy3DParms const&);
void execute_copy(process&, abi::cudaMemcpy3DParms const&);
void check_fill(process&, fill_work const&);
void execute_fill(process&, fill_work const&);
//! A piece of work that allocates `bytes` on a device; fails with cudaErrorMemoryAllocation.
[[nodiscard]] allocate_work reserve_for_graph(process&, std::size_t bytes, int device);
//! Memory of a graph is allocated while the graph runs; memory of graphs and others is freed in the
//! order of a stream, for the call that has these callers.
void graph_allocated(process&, allocate_work const&);
void freed_in_order(process&, void* address, std::vector<void*> const& callers);

//! A row of bytes as a box.
[[nodiscard]] copy_work copy_of(void* destination, void const* source, std::size_t bytes,
                                abi::cudaMemcpyKind);
//! Rows of bytes as a box.
[[nodiscard]] copy_work copy_of(void* destination, std::size_t destination_pitch,
                                void const* source, std::size_t source_pitch, std::size_t width,
                                std::size_t height, abi::cudaMemcpyKind);
[[nodiscard]] fill_work fill_of(void* destination, unsigned value, unsigned element,
                                std::size_t pitch, std::size_t width, std::size_t height);
//! A box of bytes, each with the lowest byte of `value`; fails if the box is no part of its layers.
[[nodiscard]] fill_work fill_of(abi::cudaPitchedPtr const&, int value, abi::cudaExtent const&);

//! Checks the work, then puts it on the agenda or, if the stream is being captured, makes it a
//! node.
void issue(process&, abi::cudaStream_t, work);
//! Issues the work of a call that waits for it, which cannot be captured.
void issue_and_wait(process&, work);

}  // namespace device::runtime
