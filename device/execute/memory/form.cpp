// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/memory/form.hpp>

#include <bit>
#include <string>
#include <unordered_set>

namespace device::memory_access_detail {
namespace {

using namespace std::string_view_literals;

bool set_space(std::string_view m, access_form& f) {
  if (m == "global")
    f.where = space::global;
  else if (m == "shared" || m == "shared::cta" || m == "shared::cluster")
    f.where = space::shared;
  else if (m == "local")
    f.where = space::local;
  else if (m == "const")
    f.where = space::constant;
  else if (m == "param" || m == "param::entry" || m == "param::func")
    f.where = space::param;
  else
    return false;
  return true;
}

bool set_order(std::string_view m, access_form& f) {
  if (m == "weak")
    f.order = strength::weak;
  else if (m == "relaxed")
    f.order = strength::relaxed;
  else if (m == "acquire")
    f.order = strength::acquire;
  else if (m == "release")
    f.order = strength::release;
  else if (m == "acq_rel")
    f.order = strength::acquire_release;
  else if (m == "volatile" || m == "cv")  // .cv fetches again what others may have written
    f.order = strength::is_volatile;
  else
    return false;
  f.ordered = true;
  return true;
}

bool set_scope(std::string_view m, access_form& f) {
  if (m == "cta")
    f.reach = scope::cta;
  else if (m == "cluster")
    f.reach = scope::cluster;
  else if (m == "gpu")
    f.reach = scope::gpu;
  else if (m == "sys")
    f.reach = scope::system;
  else
    return false;
  return true;
}

//! True for hints to caches: they have no effect on what is read or written, and the counts
//! are those of requests.
bool is_hint(std::string_view m) {
  static std::unordered_set<std::string_view> const hints{
      "ca", "cg", "cs", "lu", "wb", "wt", "unified", "mmio",
      // .mmio forbids to merge accesses, which nothing here does
      "L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last",
      "L1::no_allocate", "L2::evict_normal", "L2::evict_first", "L2::evict_last", "L2::64B",
      "L2::128B", "L2::256B", "noftz"};
  return hints.contains(m);
}

bool is_operation(std::string_view m) {
  static std::unordered_set<std::string_view> const names{"add", "inc", "dec", "min",  "max",
                                                          "and", "or",  "xor", "exch", "cas"};
  return names.contains(m);
}

}  // namespace

access_form form_of(ptx::instruction const& i, decode::context& c, bool operations) {
  access_form f;
  for (std::string_view const m : i.modifiers) {
    if (set_space(m, f) || set_order(m, f) || set_scope(m, f)) continue;
    if (m == "nc") {
      f.read_only = true;
    } else if (m == "L2::cache_hint") {
      f.cache_policy = true;
    } else if (m == "v2" || m == "v4" || m == "v8") {
      f.vector = m[1] - '0';
    } else if (operations && is_operation(m)) {
      f.operation = m;
    } else if (ptx::scalar const s = ptx::scalar_of(m);
               s != ptx::scalar::none && s != ptx::scalar::other) {
      f.type = s;
    } else if (!is_hint(m)) {
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
    }
  }
  if (f.type == ptx::scalar::none) c.refuse(i, "it has no type that is supported");
  return f;
}

int element_bytes(access_form const& f, ptx::instruction const& i, decode::context& c) {
  int const bytes = ptx::bytes_of(f.type);
  if (bytes == 0) c.refuse(i, "values of this type are not in memory");
  if (bytes * f.vector > 32) c.refuse(i, "it reaches more than 32 bytes");
  return bytes;
}

std::vector<ptx::operand const*> elements_of(ptx::operand const& o, access_form const& f,
                                             ptx::instruction const& i, decode::context& c) {
  std::vector<ptx::operand const*> all;
  if (o.kind == ptx::operand::kind_type::vector && !o.pair)
    for (ptx::operand const& p : o.parts) all.push_back(&p);
  else
    all.push_back(&o);
  if (all.size() != static_cast<std::size_t>(f.vector))
    c.refuse(i, "its operands are not as many as its vector has");
  return all;
}

value_slot value_of(ptx::operand const& o, ptx::scalar type, decode::context& c) {
  int const bytes = std::max(ptx::bytes_of(type), 2);  // a value of 8 bits is held in 16
  if (o.kind == ptx::operand::kind_type::floating && type == ptx::scalar::f32 &&
      o.float_bits != 32) {
    auto const narrow = static_cast<float>(std::bit_cast<double>(o.bits));
    return {c.constant(std::bit_cast<std::uint32_t>(narrow), 4), 4};
  }
  int const held = c.register_bytes(o);
  if (held > bytes) return {c.source(o, held), held};  // its low bytes are what is written
  return {c.source(o, bytes), bytes};
}

void require_operands(ptx::instruction const& i, decode::context& c, std::size_t min_operands,
                      std::size_t max_operands) {
  if (i.operands.size() < min_operands || i.operands.size() > max_operands)
    c.refuse(i, "its operands are too few or too many");
}

}  // namespace device::memory_access_detail
