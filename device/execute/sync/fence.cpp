// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fence.hpp"

#include <device/execute/instructions.hpp>
#include <device/execute/memory/request.hpp>
#include <device/execute/memory/values.hpp>

//! fence and membar.
namespace device::memory_access_detail {

namespace {

void run_fence(warp& w, operation const& op) {
  if (observed(w))
    for (observer* const o : *w.of_block->observers)
      o->fence(w, op, op.order, observed_scope(w, op.reach));
  if (op.order != strength::acquire) release(w, op.reach);
  host_fence(std::memory_order_seq_cst);
}

//! Orders accesses through different proxies (generic, asynchronous, texture), of which there is
//! one here. Observers are told of those that order generic and asynchronous ones.
void run_proxy_fence(warp& w, operation const& op) {
  if (op.immediate == 0) return;
  for (observer* const o : *w.of_block->observers) o->proxy_fence(w);
}

void emit_proxy_fence(ptx::instruction const& i, decode::context& c) {
  operation op;
  op.immediate = i.has("async") || i.has("proxy::async") ? 1 : 0;
  op.run = run_proxy_fence;
  op.kind = instruction_kind::barrier;
  c.emit(op);
}

bool is_proxy(std::string_view m) { return m == "proxy" || m.starts_with("proxy::"); }

//! fence.proxy.tensormap::generic, between a change of a tensor map and its use.
void build_tensor_map_fence(ptx::instruction const& i, decode::context& c) {
  device::scope reach = scope::none;
  for (std::string_view const m : i.modifiers) {
    if (scope_of(m) != scope::none)
      reach = scope_of(m);
    else if (!is_proxy(m) && m != "tensormap::generic" && m != "acquire" && m != "release")
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  if (reach == scope::none || i.has("acquire") == i.has("release"))
    c.refuse(i, "this form is not supported");
  emit_fence(c, i.has("acquire") ? strength::acquire : strength::release, reach);
}

bool is_proxy_part(std::string_view m) {
  return is_proxy(m) || m == "alias" || m == "async" || m == "async::generic" || m == "global" ||
         m == "shared::cta" || m == "shared::cluster" || m.starts_with("sync_restrict::");
}

void build_fence(ptx::instruction const& i, decode::context& c) {
  if (i.has("tensormap::generic")) return build_tensor_map_fence(i, c);
  for (std::string_view const m : i.modifiers)
    if (is_proxy(m)) {
      for (std::string_view const n : i.modifiers)
        if (!is_proxy_part(n) && n != "acquire" && n != "release" && n != "cta" && n != "cluster" &&
            n != "gpu" && n != "sys")
          c.refuse(i, "the modifier ." + std::string(n) + " is not supported");
      emit_proxy_fence(i, c);
      return;
    }
  strength order = strength::acquire_release;
  device::scope reach = scope::none;
  for (std::string_view const m : i.modifiers) {
    if (m == "sc" || m == "acq_rel")
      // .sc orders all fences, which one memory for all threads does anyway
      order = strength::acquire_release;
    else if (m == "acquire")
      order = strength::acquire;
    else if (m == "release" || m == "mbarrier_init")
      order = strength::release;
    else if (scope_of(m) != scope::none)
      reach = scope_of(m);
    else if (!m.starts_with("sync_restrict::"))
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  if (reach == scope::none) c.refuse(i, "it has no scope");
  emit_fence(c, order, reach);
}

void build_membar(ptx::instruction const& i, decode::context& c) {
  for (std::string_view const m : i.modifiers)
    if (is_proxy(m)) {
      for (std::string_view const n : i.modifiers)
        if (!is_proxy_part(n)) c.refuse(i, "the modifier ." + std::string(n) + " is not supported");
      emit_proxy_fence(i, c);
      return;
    }
  if (i.modifiers.size() != 1) c.refuse(i, "it has not one scope");
  std::string_view const m = i.modifiers[0];
  if (m == "cta")
    emit_fence(c, strength::acquire_release, scope::cta);
  else if (m == "gl")
    emit_fence(c, strength::acquire_release, scope::gpu);
  else if (m == "sys")
    emit_fence(c, strength::acquire_release, scope::system);
  else
    c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
}

}  // namespace

device::scope scope_of(std::string_view name) {
  return name == "cta"       ? scope::cta
         : name == "cluster" ? scope::cluster
         : name == "gpu"     ? scope::gpu
         : name == "sys"     ? scope::system
                             : scope::none;
}

void emit_fence(decode::context& c, strength order, device::scope reach) {
  operation op;
  op.run = run_fence;
  op.kind = instruction_kind::barrier;
  op.order = order;
  op.reach = reach;
  c.emit(op);
}

}  // namespace device::memory_access_detail

namespace device {

void add_fence_instructions(decode::instruction_table& table) {
  table["fence"] = memory_access_detail::build_fence;
  table["membar"] = memory_access_detail::build_membar;
  table["tensormap"] = memory_access_detail::build_tensor_map_change;
}

}  // namespace device
