// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_order.hpp"

#include "caller.hpp"
#include "modules.hpp"
#include "tables.hpp"

#include <unordered_map>

namespace device::runtime {

using namespace abi;

namespace {

constexpr unsigned non_blocking = 1;

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
      return "a free";
    default:
      return "";
  }
}

//! True for a launch that need not wait for the end of the one before it in its stream.
bool begins_early(work const& w) {
  auto const* const k = std::get_if<kernel_work>(&w);
  if (k == nullptr) return false;
  auto const found = k->attributes.find(cudaLaunchAttributeProgrammaticStreamSerialization);
  return found != k->attributes.end() &&
         found->second.programmaticStreamSerializationAllowed != 0;
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

//! Tells the instruments that an operation runs, until it is over.
struct told {
  told(process& p, operation_pointer const& op) : process_(p) {
    if (op != nullptr)
      for (auto const& i : p.watching) i->operation_begins(op);
  }
  ~told() {
    for (auto const& i : process_.watching) i->operation_ends();
  }
  told(told const&) = delete;
  told& operator=(told const&) = delete;

 private:
  process& process_;
};

}  // namespace

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

void program_order::advance(stream& s, order_clock after) {
  device_places& d = devices_[s.device];
  d.all.join(after);
  if (!s.is_legacy && (s.flags & non_blocking) == 0) d.blocking.join(after);
  s.place.done = std::move(after);
}

void program_order::execute(stream& s, work const& w) {
  order_clock before = before_next(s);
  advance(s, run(s, s.place.lane, std::move(before), w));
}

order_clock program_order::run(stream& s, lane_number lane, order_clock before, work const& w) {
  if (auto const* const child = std::get_if<child_work>(&w)) {
    s.place.dependents_begin.reset();
    if (child->of != nullptr) before.join(child->of->done);  // not beside another run of its own
    std::size_t lanes_used = 0;
    order_clock const after = run(s, std::move(before), *child->embedded, lanes_used);
    if (child->of != nullptr) child->of->done = after;
    return after;
  }
  if (auto const* const r = std::get_if<record_work>(&w)) {
    s.place.dependents_begin.reset();
    perform(process_, w);
    if (process_.table.events.contains(r->recorded)) r->recorded->before = before;
    return before;
  }
  if (auto const* const wait = std::get_if<wait_work>(&w)) {
    s.place.dependents_begin.reset();
    if (process_.table.events.contains(wait->awaited)) before.join(wait->awaited->before);
    return before;
  }
  if (std::holds_alternative<empty_work>(w)) return before;
  return run_operation(s, lane, std::move(before), w);
}

order_clock program_order::run(stream& s, order_clock before, graph const& g,
                               std::size_t& lanes_used) {
  struct done_node {
    order_clock after;
    lane_number lane = 0;
    bool continued = false;  //!< another node has its lane
  };
  std::unordered_map<graph_node const*, done_node> done;
  order_clock after_all = before;
  for (graph_node const* const n : in_order(g)) {
    order_clock before_node = before;
    done_node here;
    for (dependency const& d : n->after) {
      done_node& last = done[d.before];
      before_node.join(last.after);
      if (here.lane == 0 && !last.continued) {
        here.lane = last.lane;
        last.continued = true;
      }
    }
    if (here.lane == 0) {
      if (lanes_used == s.place.further.size()) s.place.further.push_back(++lanes_);
      here.lane = s.place.further[lanes_used++];
    }
    here.after = before_node;
    if (n->enabled) {
      if (auto const* const child = std::get_if<child_work>(&n->task)) {
        here.after = run(s, std::move(before_node), *child->embedded, lanes_used);
      } else {
        here.after = run(s, here.lane, std::move(before_node), n->task);
      }
    }
    after_all.join(here.after);
    done[n] = std::move(here);
    if (process_.current().fault != cudaSuccess) break;
  }
  return after_all;
}

operation_pointer program_order::begin_operation(stream const& s, lane_number lane,
                                                 order_clock before, std::string name) {
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

order_clock program_order::run_operation(stream& s, lane_number lane, order_clock before,
                                         work const& w) {
  ++operations_;
  std::uint64_t const number = operations_;
  bool const early = begins_early(w) && s.place.dependents_begin && lane == s.place.lane;
  operation_pointer op;
  if (watches_ || early || controls_grids(process_, w)) {
    op = begin_operation(s, lane, before, name_of(w));
    if (early) op->before_wait = s.place.dependents_begin;
    op->is_host_function = std::holds_alternative<host_work>(w);
  }
  {
    told const while_it_runs(process_, op);
    perform(process_, w);
  }
  s.place.dependents_begin.reset();
  if (op != nullptr) {
    if (op->launched_dependents) s.place.dependents_begin = op->before_wait.value_or(op->before);
    before.join(op->before);
  }
  before.note(lane, number);
  // Whoever waits for what the function has done knows what came before it.
  if (std::holds_alternative<host_work>(w)) host_knows(before);
  return before;
}

void program_order::note_memory(stream& s, char const* function, std::uint64_t begin,
                                std::uint64_t bytes) {
  order_clock before = before_next(s);
  ++operations_;
  if (watches_) {
    operation_pointer const op = begin_operation(s, s.place.lane, before, function);
    told const while_it_runs(process_, op);
    for (auto const& i : process_.watching) i->operation_accesses(begin, bytes, true);
  }
  s.place.dependents_begin.reset();
  before.note(s.place.lane, operations_);
  advance(s, std::move(before));
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
