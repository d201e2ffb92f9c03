// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/memory/form.hpp>
#include <device/execute/memory/handlers.hpp>
#include <device/execute/memory/request.hpp>

//! ld and ldu.
namespace device::memory_access_detail {
namespace {

bool is_signed(ptx::scalar s) {
  return s == ptx::scalar::s8 || s == ptx::scalar::s16 || s == ptx::scalar::s32 ||
         s == ptx::scalar::s64;
}

}  // namespace

void build_load(ptx::instruction const& i, decode::context& c) {
  access_form const f = form_of(i, c, false);
  require_operands(i, c, 2, f.cache_policy ? 3 : 2);  // a policy has no effect here
  operation op;
  op.kind = f.where == space::param ? instruction_kind::move : instruction_kind::load;
  op.where = f.where;
  op.order = f.order;
  op.reach = f.reach;
  if (f.order == strength::release || f.order == strength::acquire_release)
    c.refuse(i, "a load cannot release");
  int const bytes = element_bytes(f, i, c);
  op.bytes = static_cast<std::uint8_t>(bytes);
  set_address(op, i, i.operands[1], c);
  std::vector<ptx::operand const*> const parts = elements_of(i.operands[0], f, i, c);
  // The elements of a vector go to registers of one width; what is dropped may be of any.
  int register_bytes = 0;
  for (ptx::operand const* const o : parts) {
    int const held = c.register_bytes(*o);
    if (held == 0) continue;
    if (register_bytes != 0 && held != register_bytes)
      c.refuse(i, "its registers have different widths");
    register_bytes = held;
  }
  if (register_bytes == 0) register_bytes = std::max(bytes, 2);
  std::vector<slot> slots;
  for (ptx::operand const* const o : parts) slots.push_back(c.destination(*o, register_bytes));
  if (f.vector == 1) {
    op.d = slots[0];
  } else {
    op.list_size = static_cast<std::uint8_t>(slots.size());
    op.list = c.list(std::move(slots));
  }
  op.run = handlers_in_use().load(op, bytes, is_signed(f.type), register_bytes);
  if (op.run == nullptr) c.refuse(i, "its register is narrower than what it loads");
  op.simple = f.order == strength::weak;
  c.emit(op);
}

}  // namespace device::memory_access_detail
