// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_order.hpp"

#include "caller.hpp"
#include "modules.hpp"
#include "tables.hpp"

#include <unordered_map>
#include <utility>

namespace device::runtime {

using namespace abi;

namespace {

std::string name_of(stream const& s) {
  if (s.is_legacy) return "the legacy default stream";
  if (s.is_per_thread) return "the default stream of thread " + std::to_string(s.number);
  return "stream " + std::to_string(s.number) +
         ((s.flags & non_blocking) != 0 ? " (non-blocking)" : "");
}

char const* name_of(work const& w) {
  switch (type_of(w)) {
    case cudaGraphNodeTypeMemcpy:
      return "a copy";
    case cudaGraphNodeTypeMemset:
      return "a fill";
    case cudaGraphNodeTypeHost:
      return "a host function";
    case cudaGraphNodeTypeMemAlloc:
      return "an allocation";
    case cudaGraphNodeTypeMemFree:
      return "cudaFreeAsync";
    case cudaGraphNodeTypeConditional:
      return "a conditional node";
    case cudaGraphNodeTypeGraph:
      return "graphs that device code launched";
    default:
      return "";
  }
}

//! True for a launch that need not wait for the end of the one before it in its stream.
bool begins_early(work const& w) {
  auto const* const k = std::get_if<kernel_work>(&w);
  if (k == nullptr) return false;
  auto const found = k->attributes.find(cudaLaunchAttributeProgrammaticStreamSerialization);
  return found != k->attributes.end() && found->second.programmaticStreamSerializationAllowed != 0;
}

//! True for a launch of a kernel that launches its dependents, or waits for those before it.
bool controls_grids(process& p, work const& w) {
  auto const* const k = std::get_if<kernel_work>(&w);
  if (k == nullptr) return false;
  static auto& known = *new std::unordered_map<kernel const*, bool>;
  auto const [found, is_new] = known.try_emplace(k->function);
  if (is_new)
    found->second = program_of(p, *k->function, k->device).source->text.find("griddepcontrol") !=
                    std::string_view::npos;
  return found->second;
}

}  // namespace

operation_of_instruments::operation_of_instruments(process& p, operation_pointer op,
                                                   bool const& over)
    : process_(p), op_(std::move(op)), over_(over) {
  if (op_ == nullptr) return;
  if (operation_pointer const first = std::exchange(op_->launched_by, nullptr);
      first != nullptr && first->is_launch)
    op_->before_wait = first->before_dependents();
  for (auto const& i : process_.watching) i->operation_begins(op_);
}

operation_of_instruments::~operation_of_instruments() {
  if (op_ != nullptr)
    for (auto const& i : process_.watching) i->operation_ends(op_, over_);
}

order_clock program_order::before_next(stream& s) {
  if (s.place.lane == 0) s.place.lane = ++lanes_;
  order_clock before = host_;
  before.join(s.place.done);
  if (s.is_legacy) {
    before.join(devices_[s.device].blocking);
  } else if ((s.flags & non_blocking) == 0) {
    auto const legacy = process_.table.legacy.find(s.device);
    if (legacy != process_.table.legacy.end()) before.join(legacy->second->place.done);
  }
  return before;
}

void program_order::advance(stream& s, order_clock const& after) {
  device_places& d = devices_[s.device];
  d.all.join(after);
  if (!s.is_legacy && (s.flags & non_blocking) == 0) d.blocking.join(after);
  s.place.done = after;
}

placed_operation program_order::place_at(stream& s, lane_number lane, order_clock before,
                                         work const& w) {
  placed_operation made;
  made.lane = lane;
  if (auto const* const r = std::get_if<record_work>(&w)) {
    if (process_.table.events.contains(r->recorded)) r->recorded->before = before;
  } else if (auto const* const wait = std::get_if<wait_work>(&w)) {
    if (process_.table.events.contains(wait->awaited)) before.join(wait->awaited->before);
  } else if (!std::holds_alternative<empty_work>(w)) {
    made.number = ++operations_;
    bool const in_stream = lane == s.place.lane;
    bool const early = begins_early(w) && s.place.dependents_begin && in_stream;
    if (watches_ || early || controls_grids(process_, w)) {
      made.op = make_operation(s, lane, before, name_of(w));
      if (early) made.op->before_wait = s.place.dependents_begin;
      made.op->is_launch = std::holds_alternative<kernel_work>(w);
      made.op->is_host_function = std::holds_alternative<host_work>(w);
    }
    before.note(lane, made.number);
  }
  s.place.dependents_begin.reset();
  made.after = std::move(before);
  return made;
}

placed_operation program_order::place(stream& s, work const& w) {
  order_clock before = before_next(s);
  placed_operation made = place_at(s, s.place.lane, std::move(before), w);
  advance(s, made.after);
  return made;
}

void program_order::begin_graph(stream& s, executable_graph const* run) {
  graph_begin_ = before_next(s);
  if (run != nullptr) graph_begin_.join(run->done);  // not beside another run of its own
  graph_lanes_ = 0;
  graph_taken_.clear();
}

placed_operation program_order::place_node(stream& s, work const& w,
                                           std::vector<placed_operation const*> const& after,
                                           bool programmatic) {
  order_clock before = graph_begin_;
  lane_number lane = 0;
  for (placed_operation const* const p : after) {
    before.join(p->after);
    if (lane == 0 && graph_taken_.insert(p).second) lane = p->lane;
  }
  if (lane == 0) {
    if (graph_lanes_ == s.place.further.size()) s.place.further.push_back(++lanes_);
    lane = s.place.further[graph_lanes_++];
  }
  placed_operation made = place_at(s, lane, std::move(before), w);
  bool const early = programmatic || begins_early(w);
  if (early && after.size() == 1 && made.op != nullptr) made.op->launched_by = after[0]->op;
  return made;
}

placed_operation program_order::end_graph(stream& s, executable_graph* run,
                                          std::vector<placed_operation const*> const& all) {
  placed_operation end;
  end.after = graph_begin_;
  for (placed_operation const* const p : all) end.after.join(p->after);
  if (run != nullptr) run->done = end.after;
  advance(s, end.after);
  return end;
}

void program_order::ended(placed_operation const& p, stream* in, bool was_host_function) {
  if (p.op != nullptr && in != nullptr) {
    in->place.done.join(p.op->before);
    if (p.op->is_launch && !p.op->in_graph) in->place.dependents_begin = p.op->before_dependents();
  }
  // Whoever waits for what the function has done knows what came before it.
  if (was_host_function) host_knows(p.after);
}

operation_pointer program_order::make_operation(stream const& s, lane_number lane,
                                                order_clock before, std::string name) const {
  auto op = std::make_shared<ordered_operation>();
  op->lane = lane;
  op->number = operations_;
  op->before = std::move(before);
  op->name = std::move(name);
  op->stream = name_of(s);
  op->in_graph = lane != s.place.lane;
  op->caller = callers();
  return op;
}

void program_order::note_memory(stream& s, char const* function, std::uint64_t begin,
                                std::uint64_t bytes) {
  order_clock before = before_next(s);
  ++operations_;
  if (watches_) {
    bool const over = true;
    operation_of_instruments const notified(
        process_, make_operation(s, s.place.lane, before, function), over);
    for (auto const& i : process_.watching) i->operation_accesses(begin, bytes, true);
  }
  s.place.dependents_begin.reset();
  before.note(s.place.lane, operations_);
  advance(s, before);
}

void program_order::host_knows(order_clock const& more) {
  host_.join(more);
  if (!watches_) return;
  for (auto const& i : process_.watching) i->host_knows(host_);
}

void program_order::host_waited_for(stream& s) { host_knows(before_next(s)); }
void program_order::host_waited_for(event const& e) { host_knows(e.before); }
void program_order::host_waited_for_device(int device) {
  if (process_.contexts.size() == 1)
    host_waited_for_all();
  else
    host_knows(devices_[device].all);
}
void program_order::host_waited_for_all() {
  order_clock all;
  all.note_all(operations_);
  host_knows(all);
}

}  // namespace device::runtime
