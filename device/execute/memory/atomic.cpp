// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/instructions.hpp>
#include <device/execute/memory/asynchronous.hpp>
#include <device/execute/memory/atomic_lanes.hpp>
#include <device/execute/memory/form.hpp>

#include <optional>

//! atom and red.
namespace device {
namespace {

using namespace memory_access_detail;

std::optional<atomic_name> name_of_operation(std::string_view text) {
  using enum atomic_name;
  static std::unordered_map<std::string_view, atomic_name> const names{
      {"add", add},       {"inc", increment}, {"dec", decrement}, {"min", min},
      {"max", max},       {"and", bit_and},   {"or", bit_or},     {"xor", bit_xor},
      {"exch", exchange}, {"cas", compare}};
  auto const found = names.find(text);
  if (found == names.end()) return std::nullopt;
  return found->second;
}

bool is_floating(ptx::scalar s) {
  using enum ptx::scalar;
  return s == f16 || s == f16x2 || s == bf16 || s == bf16x2 || s == f32 || s == f64;
}

slot result(ptx::operand const& o, int bytes, ptx::instruction const& i, decode::context& c) {
  int const held = c.register_bytes(o);
  if (held != 0 && held != bytes)
    c.refuse(i, "its result's register has another width than its type");
  return c.destination(o, bytes);
}

//! Operands are exactly as wide as memory's values.
slot given(ptx::operand const& o, access_form const& f, int bytes, decode::context& c) {
  return c.register_bytes(o) != 0 ? c.source(o, bytes) : value_of(o, f.type, c).where;
}

void build_atomic(ptx::instruction const& i, decode::context& c, bool has_result) {
  access_form const f = form_of(i, c, true);
  std::optional<atomic_name> const name = name_of_operation(f.operation);
  if (!name) c.refuse(i, "it has no operation that is supported");
  bool const compares = *name == atomic_name::compare;
  std::size_t const needed = 1 + (has_result ? 1U : 0U) + (compares ? 2U : 1U);
  // a policy has no effect here
  require_operands(i, c, needed, needed + (f.cache_policy ? 1U : 0U));
  operation op;
  op.kind = instruction_kind::atomic;
  op.where = f.where;
  op.order = f.ordered ? f.order : strength::relaxed;
  op.reach = f.reach == scope::none ? scope::gpu : f.reach;
  if (f.where != space::generic && f.where != space::global && f.where != space::shared)
    c.refuse(i, "atomic operations are on global and shared memory");
  if (op.order == strength::weak || op.order == strength::is_volatile)
    c.refuse(i, "its order is not supported");
  int const bytes = element_bytes(f, i, c);
  op.bytes = static_cast<std::uint8_t>(bytes);
  std::size_t next = has_result ? 1 : 0;
  set_address(op, i, i.operands[next++], c);
  std::vector<ptx::operand const*> const values = elements_of(i.operands[next++], f, i, c);
  std::vector<ptx::operand const*> results(values.size(), nullptr);
  if (has_result) results = elements_of(i.operands[0], f, i, c);
  if (f.vector == 1) {
    op.b = given(*values[0], f, bytes, c);
    if (compares) op.c = given(i.operands[next], f, bytes, c);
    if (has_result) op.d = result(*results[0], bytes, i, c);
  } else {
    bool const allowed =
        is_floating(f.type) && f.type != ptx::scalar::f64 && f.where != space::shared;
    if (!allowed) c.refuse(i, "vectors of this type or space have no atomic operations");
    std::vector<slot> slots;
    for (ptx::operand const* const o : results)
      slots.push_back(o == nullptr ? no_slot : result(*o, bytes, i, c));
    for (ptx::operand const* const o : values) slots.push_back(given(*o, f, bytes, c));
    op.list_size = static_cast<std::uint8_t>(f.vector);
    op.list = c.list(std::move(slots));
  }
  op.run = is_floating(f.type) ? floating_atomic_handler(*name, f.type)
                               : integer_atomic_handler(*name, f.type);
  if (op.run == nullptr) c.refuse(i, "its type does not have this operation");
  c.emit(op);
}

void build_atom(ptx::instruction const& i, decode::context& c) { build_atomic(i, c, true); }
void build_red(ptx::instruction const& i, decode::context& c) {
  if (i.has("async")) return build_store_async(i, c);
  build_atomic(i, c, false);
}

}  // namespace

void add_atomic_instructions(decode::instruction_table& table) {
  table["atom"] = build_atom;
  table["red"] = build_red;
}

}  // namespace device
