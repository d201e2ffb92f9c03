// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work.hpp"

#include "agenda.hpp"
#include "program_order.hpp"
#include "tables.hpp"

#include <cstring>
#include <utility>

namespace device::runtime {

using namespace abi;

namespace {

template <class... F>
struct overloaded : F... {
  using F::operator()...;
};
template <class... F>
overloaded(F...) -> overloaded<F...>;

enum class memory_of { device, pinned, pageable };
memory_of whose(process& p, void const* pointer) {
  if (!p.memory.holds(address_of(pointer), 1)) return memory_of::pageable;
  allocation_kind const kind = p.memory.find(address_of(pointer))->kind;
  bool const pinned = kind == allocation_kind::pinned || kind == allocation_kind::registered;
  return pinned ? memory_of::pinned : memory_of::device;
}

//! True for an asynchronous copy that returns when it has ended, since its target is no memory that
//! the device may write.
bool copies_to_pageable(process& p, work const& w) {
  auto const* const c = std::get_if<copy_work>(&w);
  return c != nullptr && whose(p, c->box.dstPtr.ptr) == memory_of::pageable;
}

//! Copies what a copy will read of the program's own memory, which the program may change once the
//! call has returned.
void stage(process& p, work& w) {
  auto* const c = std::get_if<copy_work>(&w);
  if (c == nullptr || whose(p, c->box.srcPtr.ptr) != memory_of::pageable) return;
  cudaMemcpy3DParms& b = c->box;
  auto const [width, height, depth] = b.extent;
  if (width == 0 || height == 0 || depth == 0) return;
  auto const bytes = std::make_shared<std::vector<std::byte>>(width * height * depth);
  auto const* const first = static_cast<std::byte const*>(b.srcPtr.ptr);
  for (std::size_t z = 0; z < depth; ++z)
    for (std::size_t y = 0; y < height; ++y)
      std::memcpy(bytes->data() + (z * height + y) * width,
                  first + ((b.srcPos.z + z) * b.srcPtr.ysize + b.srcPos.y + y) * b.srcPtr.pitch +
                      b.srcPos.x,
                  width);
  b.srcPtr = {bytes->data(), width, width, height};
  b.srcPos = {};
  c->staged = bytes;
}

//! Memory takes the place of the arrays of a copy that is not kept as a graph's node.
void replace_arrays(process& p, work& w) {
  if (auto* const c = std::get_if<copy_work>(&w)) c->box = without_arrays(p, c->box);
}

//! False for the calls that return before their work has ended, though their names do not say it:
//! those within the device's memory.
bool waits_for_end(process& p, work const& w) {
  auto const of_host = [&](void const* q) { return whose(p, q) != memory_of::device; };
  if (auto const* const c = std::get_if<copy_work>(&w))
    return of_host(c->box.srcPtr.ptr) || of_host(c->box.dstPtr.ptr);
  if (auto const* const f = std::get_if<fill_work>(&w)) return of_host(f->rows.dst);
  return true;
}

}  // namespace

std::vector<graph*> embedded_in(work const& w) {
  std::vector<graph*> found;
  if (auto const* const child = std::get_if<child_work>(&w)) found = {child->embedded.get()};
  if (auto const* const c = std::get_if<condition_work>(&w))
    for (auto const& body : c->bodies) found.push_back(body.get());
  return found;
}

cudaGraphNodeType type_of(work const& w) {
  return std::visit(overloaded{
                        [](empty_work const&) { return cudaGraphNodeTypeEmpty; },
                        [](kernel_work const&) { return cudaGraphNodeTypeKernel; },
                        [](copy_work const&) { return cudaGraphNodeTypeMemcpy; },
                        [](fill_work const&) { return cudaGraphNodeTypeMemset; },
                        [](host_work const&) { return cudaGraphNodeTypeHost; },
                        [](record_work const&) { return cudaGraphNodeTypeEventRecord; },
                        [](wait_work const&) { return cudaGraphNodeTypeWaitEvent; },
                        [](allocate_work const&) { return cudaGraphNodeTypeMemAlloc; },
                        [](free_work const&) { return cudaGraphNodeTypeMemFree; },
                        [](child_work const&) { return cudaGraphNodeTypeGraph; },
                        [](condition_work const&) { return cudaGraphNodeTypeConditional; },
                        [](launched_work const&) { return cudaGraphNodeTypeGraph; },
                    },
                    w);
}

void check(process& p, work const& w) {
  std::visit(overloaded{
                 [&](kernel_work const& k) { check_kernel(p, k); },
                 [&](copy_work const& c) { check_copy(p, c.box); },
                 [&](fill_work const& f) { check_fill(p, f); },
                 [](host_work const& h) { require(h.function != nullptr, cudaErrorInvalidValue); },
                 [](auto const&) {},
             },
             w);
}

void perform(process& p, work const& w) {
  std::visit(overloaded{
                 [&](copy_work const& c) { execute_copy(p, c.box); },
                 [&](fill_work const& f) { execute_fill(p, f); },
                 [&](record_work const& r) {
                   // destroyed since the graph was made
                   if (!p.table.events.contains(r.recorded)) return;
                   r.recorded->recorded = true;
                   r.recorded->captured_in = 0;
                   r.recorded->time = std::chrono::steady_clock::now();
                 },
                 [&](empty_work const& e) { begin_conditions(p, e.conditions); },
                 [&](allocate_work const& a) { graph_allocated(p, a); },
                 [&](free_work const& f) { freed_in_order(p, f.address, f.callers); },
                 [](auto const&) {},
             },
             w);
}

void issue(process& p, cudaStream_t handle, work w) {
  stream& s = stream_of(p, handle);
  require(s.device == p.current().number, cudaErrorInvalidResourceHandle);
  check(p, w);
  if (s.capturing != nullptr) {
    add_captured(p, s, std::move(w));
    return;
  }
  if (s.is_legacy) forbid_legacy_during_capture(p);
  replace_arrays(p, w);
  bool const waits = copies_to_pageable(p, w);
  if (p.todo.may_defer()) stage(p, w);
  p.todo.issue(s, std::move(w));
  if (!waits) return;
  p.todo.wait_for(s);
  if (p.order != nullptr) p.order->host_waited_for(s);
}

void issue_and_wait(process& p, work w) {
  forbid_legacy_during_capture(p);
  forbid_during_capture(p);
  check(p, w);
  replace_arrays(p, w);
  stream& s = stream_of(p, nullptr);
  bool const waits = waits_for_end(p, w);
  p.todo.issue(s, std::move(w));
  if (!waits) return;
  p.todo.wait_for(s);
  if (p.order != nullptr) p.order->host_waited_for(s);
}

}  // namespace device::runtime
