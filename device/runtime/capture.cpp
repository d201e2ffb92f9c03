// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tables.hpp"

#include <algorithm>

// Capturing streams into graphs, by the rules of the CUDA C++ Programming Guide (stream capture).
namespace device::runtime {

using namespace abi;

namespace {

[[noreturn]] void fail_capture(capture& c, cudaError_t e) {
  c.invalid = true;
  throw failure{e};
}

void close(process& p, capture& c) {
  for (stream* const s : c.members) {
    s->capturing = nullptr;
    s->tail.clear();
  }
  p.table.captures.erase(c.number);
}

void begin(process& p, stream& s, graph& into, bool made, std::vector<dependency> tail,
           cudaStreamCaptureMode mode) {
  auto c = std::make_unique<capture>();
  c->number = p.table.next_number++;
  c->into = &into;
  c->made_graph = made;
  c->mode = mode;
  c->by = std::this_thread::get_id();
  c->origin = &s;
  c->members = {&s};
  s.capturing = c.get();
  s.tail = std::move(tail);
  p.table.captures.emplace(c->number, std::move(c));
}

stream& stream_to_capture(process& p, cudaStream_t handle, cudaStreamCaptureMode mode) {
  require(mode <= cudaStreamCaptureModeRelaxed, cudaErrorInvalidValue);
  stream& s = stream_of(p, handle);
  require(!s.is_legacy, cudaErrorStreamCaptureUnsupported);
  require(s.capturing == nullptr, cudaErrorIllegalState);
  return s;
}

void add_to_tail(stream& s, std::vector<dependency> const& more) {
  for (dependency const& d : more)
    if (std::none_of(s.tail.begin(), s.tail.end(),
                     [&](dependency const& t) { return t.before == d.before; }))
      s.tail.push_back(d);
}

//! True if all work of the capture is before the origin's last nodes.
bool is_joined(capture const& c) {
  std::set<graph_node const*> reached;
  std::vector<graph_node const*> left;
  for (dependency const& d : c.origin->tail) left.push_back(d.before);
  while (!left.empty()) {
    graph_node const* const n = left.back();
    left.pop_back();
    if (!reached.insert(n).second) continue;
    for (dependency const& d : n->after) left.push_back(d.before);
  }
  for (stream const* const s : c.members)
    for (dependency const& d : s->tail)
      if (!reached.contains(d.before)) return false;
  return true;
}

cudaStreamCaptureStatus status_of(stream const& s) {
  if (s.capturing == nullptr) return cudaStreamCaptureStatusNone;
  return s.capturing->invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

}  // namespace

void forbid_during_capture(process& p) {
  cudaStreamCaptureMode const mode = this_thread().capture_mode;
  if (mode == cudaStreamCaptureModeRelaxed) return;
  auto const me = std::this_thread::get_id();
  bool forbidden = false;
  for (auto const& [number, c] : p.table.captures) {
    bool const mine = c->by == me && c->mode != cudaStreamCaptureModeRelaxed;
    bool const global =
        mode == cudaStreamCaptureModeGlobal && c->mode == cudaStreamCaptureModeGlobal;
    if (mine || global) c->invalid = forbidden = true;
  }
  require(!forbidden, cudaErrorStreamCaptureUnsupported);
}

void forbid_if_capturing(process&, stream& s) {
  if (s.capturing != nullptr) fail_capture(*s.capturing, cudaErrorStreamCaptureUnsupported);
}

void forbid_legacy_during_capture(process& p) {
  bool forbidden = false;
  for (auto const& [number, c] : p.table.captures)
    for (stream const* const s : c->members)
      if (s->device == p.current().number && (s->flags & non_blocking) == 0)
        c->invalid = forbidden = true;
  require(!forbidden, cudaErrorStreamCaptureImplicit);
}

void add_captured(process& p, stream& s, work w) {
  require(!s.capturing->invalid, cudaErrorStreamCaptureInvalidated);
  graph_node& n = add_node(p, *s.capturing->into, std::move(w), s.tail);
  s.tail = {{&n, {}}};
}

void capture_event_record(process&, stream& s, event& e) {
  require(!s.capturing->invalid, cudaErrorStreamCaptureInvalidated);
  e.captured_in = s.capturing->number;
  e.captured = s.tail;
}

void capture_event_wait(process& p, stream& s, event& e) {
  if (e.captured_in == 0) {
    if (s.capturing != nullptr && e.recorded)
      fail_capture(*s.capturing, cudaErrorStreamCaptureIsolation);
    return;
  }
  auto const found = p.table.captures.find(e.captured_in);
  require(found != p.table.captures.end(), cudaErrorCapturedEvent);
  capture& c = *found->second;
  require(!c.invalid, cudaErrorStreamCaptureInvalidated);
  if (s.is_legacy) fail_capture(c, cudaErrorStreamCaptureImplicit);
  if (s.capturing != nullptr && s.capturing != &c) {
    s.capturing->invalid = true;
    fail_capture(c, cudaErrorStreamCaptureMerge);
  }
  s.capturing = &c;
  c.members.insert(&s);
  add_to_tail(s, e.captured);
}

MMM_CUDA_API cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return api([&](process& p) {
    stream& s = stream_to_capture(p, handle, mode);
    auto made = make_graph(p);
    graph* const g = made.get();
    p.table.graphs.emplace(g, std::move(made));
    begin(p, s, *g, true, {}, mode);
  });
}

MMM_CUDA_API cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t into,
                                                       cudaGraphNode_t const* after,
                                                       cudaGraphEdgeData const* edges,
                                                       std::size_t count,
                                                       cudaStreamCaptureMode mode) {
  return api([&](process& p) {
    stream& s = stream_to_capture(p, handle, mode);
    graph& g = graph_of(p, into);
    begin(p, s, g, false, dependencies_of(p, g, after, edges, count), mode);
  });
}

MMM_CUDA_API cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* out) {
  return api([&](process& p) {
    stream& s = stream_of(p, handle);
    // A graph of the program's own it need not be told.
    bool const is_known = s.capturing != nullptr && !s.capturing->made_graph;
    require(out != nullptr || is_known, cudaErrorInvalidValue);
    if (out != nullptr) *out = nullptr;
    require(s.capturing != nullptr, cudaErrorIllegalState);
    capture& c = *s.capturing;
    if (c.origin != &s) fail_capture(c, cudaErrorStreamCaptureUnmatched);
    require(c.mode == cudaStreamCaptureModeRelaxed || c.by == std::this_thread::get_id(),
            cudaErrorStreamCaptureWrongThread);
    cudaError_t const result = c.invalid       ? cudaErrorStreamCaptureInvalidated
                               : !is_joined(c) ? cudaErrorStreamCaptureUnjoined
                                               : cudaSuccess;
    graph* const g = c.into;
    bool const made = c.made_graph;
    close(p, c);
    if (result == cudaSuccess) {
      if (out != nullptr) *out = handle_of(g);
    } else if (made) {
      dismantle(p, *g);
      p.table.graphs.erase(g);
    }
    return result;
  });
}

MMM_CUDA_API cudaError_t cudaStreamIsCapturing(cudaStream_t handle,
                                               cudaStreamCaptureStatus* status) {
  return api([&](process& p) {
    require(status != nullptr, cudaErrorInvalidValue);
    stream& s = stream_of(p, handle);
    if (s.is_legacy) forbid_legacy_during_capture(p);
    *status = status_of(s);
  });
}

MMM_CUDA_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle,
                                                  cudaStreamCaptureStatus* status,
                                                  unsigned long long* number, cudaGraph_t* into,
                                                  cudaGraphNode_t const** after,
                                                  cudaGraphEdgeData const** edges,
                                                  std::size_t* count) {
  return api([&](process& p) {
    require(status != nullptr, cudaErrorInvalidValue);
    stream& s = stream_of(p, handle);
    if (s.is_legacy) forbid_legacy_during_capture(p);
    *status = status_of(s);
    if (*status != cudaStreamCaptureStatusActive) return;
    s.tail_handles.clear();
    s.tail_edges.clear();
    bool plain = true;
    for (dependency const& d : s.tail) {
      s.tail_handles.push_back(handle_of(d.before));
      s.tail_edges.push_back(d.data);
      plain = plain && d.data.type == 0 && d.data.from_port == 0 && d.data.to_port == 0;
    }
    require(edges != nullptr || plain, cudaErrorLossyQuery);
    if (number != nullptr) *number = s.capturing->number;
    if (into != nullptr) *into = handle_of(s.capturing->into);
    if (after != nullptr) *after = s.tail_handles.data();
    if (edges != nullptr) *edges = plain ? nullptr : s.tail_edges.data();
    if (count != nullptr) *count = s.tail.size();
  });
}

MMM_CUDA_API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle,
                                                             cudaGraphNode_t* after,
                                                             cudaGraphEdgeData const* edges,
                                                             std::size_t count, unsigned flags) {
  return api([&](process& p) {
    require(flags <= cudaStreamSetCaptureDependencies, cudaErrorInvalidValue);
    stream& s = stream_of(p, handle);
    require(s.capturing != nullptr, cudaErrorIllegalState);
    require(!s.capturing->invalid, cudaErrorStreamCaptureInvalidated);
    auto const more = dependencies_of(p, *s.capturing->into, after, edges, count);
    if (flags == cudaStreamSetCaptureDependencies) s.tail.clear();
    add_to_tail(s, more);
  });
}

MMM_CUDA_API cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return api([&](process&) {
    require(mode != nullptr && *mode <= cudaStreamCaptureModeRelaxed, cudaErrorInvalidValue);
    std::swap(this_thread().capture_mode, *mode);
  });
}

}  // namespace device::runtime
