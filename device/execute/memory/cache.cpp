// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/memory/form.hpp>
#include <device/execute/memory/handlers.hpp>
#include <device/execute/memory/request.hpp>

#include <unordered_set>

//! Instructions for caches, which this device does not have: prefetch, prefetchu, applypriority,
//! discard, createpolicy.
namespace device::memory_access_detail {
namespace {

void run_hint(warp&, operation const&) {}

void run_policy(warp& w, operation const& op) {
  auto* const d = w.destination<std::uint64_t>(op.d);
  w.each_active([&](int t) { d[t] = 0; });
}

}  // namespace

void build_cache_hint(ptx::instruction const& i, decode::context& c) {
  static std::unordered_set<std::string_view> const known{"global",
                                                          "local",
                                                          "const",
                                                          "param",
                                                          "L1",
                                                          "L2",
                                                          "L2::evict_last",
                                                          "L2::evict_normal",
                                                          "L1::evict_normal",
                                                          "tensormap"};
  for (std::string_view const m : i.modifiers)
    if (!known.contains(m)) c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  require_operands(i, c, 1, 2);
  operation op;
  op.run = run_hint;
  op.kind = instruction_kind::load;
  c.emit(op);
}

void build_cache_policy(ptx::instruction const& i, decode::context& c) {
  if (i.operands.empty()) c.refuse(i, "it has no destination");
  // Whatever it says of L2, a policy is a number that only cache hints read.
  operation op;
  op.run = run_policy;
  op.kind = instruction_kind::move;
  op.d = c.destination(i.operands[0], 8);
  c.emit(op);
}

}  // namespace device::memory_access_detail
