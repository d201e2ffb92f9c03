// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/memory/asynchronous.hpp>
#include <device/execute/memory/form.hpp>
#include <device/execute/memory/handlers.hpp>
#include <device/execute/memory/request.hpp>

//! st.
namespace device::memory_access_detail {
namespace {}  // namespace

void build_store(ptx::instruction const& i, decode::context& c) {
  if (i.has("async")) return build_store_async(i, c);
  access_form const f = form_of(i, c, false);
  require_operands(i, c, 2, f.cache_policy ? 3 : 2);  // a policy has no effect here
  operation op;
  op.kind = f.where == space::param ? instruction_kind::move : instruction_kind::store;
  op.where = f.where;
  op.order = f.order;
  op.reach = f.reach;
  if (f.read_only || f.order == strength::acquire || f.order == strength::acquire_release)
    c.refuse(i, "a store can neither acquire nor be read-only");
  if (f.where == space::constant) c.refuse(i, "constant memory is only read");
  int const bytes = element_bytes(f, i, c);
  op.bytes = static_cast<std::uint8_t>(bytes);
  set_address(op, i, i.operands[0], c);
  if (op.where == space::param && (op.flags & kernel_parameter) != 0)
    c.refuse(i, "the kernel's parameters are only read");
  std::vector<ptx::operand const*> const parts = elements_of(i.operands[1], f, i, c);
  // All elements of a vector must be as wide as the widest; constants adapt to it.
  int register_bytes = 0;
  for (ptx::operand const* const o : parts) {
    int const held = c.register_bytes(*o);
    if (register_bytes != 0 && held != 0 && held != register_bytes)
      c.refuse(i, "its registers have different widths");
    if (held != 0) register_bytes = held;
  }
  std::vector<slot> slots;
  for (ptx::operand const* const o : parts) {
    value_slot const v = value_of(*o, f.type, c);
    if (c.register_bytes(*o) == 0 && register_bytes > v.bytes) {
      slots.push_back(c.source(*o, register_bytes));
    } else {
      slots.push_back(v.where);
      register_bytes = v.bytes;
    }
  }
  if (f.vector == 1) {
    op.b = slots[0];
  } else {
    op.list_size = static_cast<std::uint8_t>(slots.size());
    op.list = c.list(std::move(slots));
  }
  op.run = handlers_in_use().store(op, bytes, register_bytes);
  if (op.run == nullptr) c.refuse(i, "its register is narrower than what it stores");
  op.simple = f.order == strength::weak;
  c.emit(op);
}

}  // namespace device::memory_access_detail
