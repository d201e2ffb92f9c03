// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/conversion.hpp>
#include <device/execute/lane/lanewise_build.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/warp.hpp>
#include <device/memory/memory.hpp>

#include <string>
#include <string_view>

// Addresses: windows of the generic address space, and the blocks of a cluster.
namespace device {

namespace {

//! d = a + immediate
void run_add(warp& w, operation const& o) {
  auto const* const a = w.source<std::uint64_t>(o.a);
  auto* const d = w.destination<std::uint64_t>(o.d);
  w.each_active([&](int t) { d[t] = a[t] + o.immediate; });
}
//! The generic address of a byte of the thread's local memory.
void run_local_address(warp& w, operation const& o) {
  run_add(w, o);
  block const& b = *w.of_block;
  if (!b.of_launch->names_owners) return;
  auto* const d = w.destination<std::uint64_t>(o.d);
  w.each_active([&](int t) {
    if ((d[t] & ~window_mask) <= local_offset_mask)
      d[t] |= owner_of_local(b.number, w.number * lanes + static_cast<std::uint32_t>(t))
              << owner_shift;
  });
}
//! The address of a byte in the block of rank b.
template <class Address>
void run_mapa(warp& w, operation const& o) {
  std::uint32_t const size = w.of_block->cluster_size();
  auto const* const a = w.source<Address>(o.a);
  auto const* const b = w.source<std::uint32_t>(o.b);
  auto* const d = w.destination<Address>(o.d);
  w.each_active([&](int t) {
    if (b[t] >= size)
      throw device_fault(device_fault::kind_type::illegal_instruction,
                         "mapa: the cluster has " + std::to_string(size) +
                             " blocks, none of rank " + std::to_string(b[t]));
    constexpr auto ranks = static_cast<Address>(0xffU) << rank_shift;
    Address const rank = size == 1 ? 0 : static_cast<Address>(b[t] + 1) << rank_shift;
    d[t] = (a[t] & static_cast<Address>(~ranks)) | rank;
  });
}
template <class Address>
void run_getctarank(warp& w, operation const& o) {
  auto const* const a = w.source<Address>(o.a);
  auto* const d = w.destination<std::uint32_t>(o.d);
  w.each_active([&](int t) {
    auto const named = static_cast<std::uint32_t>(a[t] >> rank_shift) & 0xffU;
    d[t] = named == 0 ? w.of_block->rank : named - 1;
  });
}
//! True if a is in the window `immediate`; global memory is outside of all.
void run_is_in(warp& w, operation const& o) {
  auto const* const a = w.source<std::uint64_t>(o.a);
  lane_mask m = 0;
  for (int t = 0; t < lanes; ++t)
    if ((a[t] & window_mask) == o.immediate) m |= lane_mask{1} << t;
  w.set_predicate(o.d, m);
}

//! The window of a space; false if it has none.
bool window_of(std::string_view space, std::uint64_t& window) {
  if (space == "global" || space == "const")
    window = 0;
  else if (space == "shared" || space == "shared::cta" || space == "shared::cluster")
    window = shared_window;
  else if (space == "local")
    window = local_window;
  else if (space == "param" || space == "param::entry")
    window = param_window;
  else
    return false;
  return true;
}

constexpr operand_class address{8, false};

//! `cvta.shared.u64 d, a`: generic from an address of that space; `cvta.to.shared.u64` the reverse.
void build_cvta(ptx::instruction const& i, decode::context& c) {
  bool const to = !i.modifiers.empty() && i.modifiers[0] == "to";
  std::size_t const first = to ? 1 : 0;
  std::uint64_t window = 0;
  if (i.operands.size() != 2 || i.modifiers.size() != first + 2 ||
      i.modifiers[first + 1] != "u64" || !window_of(i.modifiers[first], window))
    c.refuse(i, "this form is not known");
  operation o;
  o.run = !to && window == local_window ? run_local_address : run_add;
  o.kind = instruction_kind::move;
  o.a = source_of(i, c, i.operands[1], address);
  o.immediate = to ? 0 - window : window;
  o.d = destination_of(i, c, i.operands[0], address);
  o.simple = true;
  c.emit(o);
}

void build_isspacep(ptx::instruction const& i, decode::context& c) {
  std::uint64_t window = 0;
  if (i.operands.size() != 2 || i.modifiers.size() != 1 || !window_of(i.modifiers[0], window))
    c.refuse(i, "this form is not known");
  if (i.modifiers[0] == "const") c.refuse(i, "constant memory is part of global memory here");
  operation o;
  o.run = run_is_in;
  o.kind = instruction_kind::predicate;
  o.a = source_of(i, c, i.operands[1], address);
  o.immediate = window;
  o.d = c.predicate_destination(i.operands[0]);
  o.simple = true;
  c.emit(o);
}

//! mapa: maps an address to the shared memory of another block of the cluster.
void build_mapa(ptx::instruction const& i, decode::context& c) {
  bool const shared = i.has("shared::cluster");
  bool const wide = i.has("u64");
  if (i.operands.size() != 3 || i.modifiers.size() != (shared ? 2U : 1U) ||
      !(wide || (shared && i.has("u32"))))
    c.refuse(i, "this form is not known");
  operand_class const size{static_cast<std::uint8_t>(wide ? 8 : 4), false};
  operation o;
  o.run = wide ? run_mapa<std::uint64_t> : run_mapa<std::uint32_t>;
  o.kind = instruction_kind::move;
  o.a = source_of(i, c, i.operands[1], size);
  o.b = c.source(i.operands[2], 4);
  o.d = destination_of(i, c, i.operands[0], size);
  c.emit(o);
}

void build_getctarank(ptx::instruction const& i, decode::context& c) {
  if (i.operands.size() != 2) c.refuse(i, "this form is not known");
  for (std::string_view const m : i.modifiers)
    if (m != "shared::cluster" && m != "u32" && m != "u64") c.refuse(i, "this form is not known");
  operation o;
  bool const wide = i.has("u64");
  o.run = wide ? run_getctarank<std::uint64_t> : run_getctarank<std::uint32_t>;
  o.kind = instruction_kind::move;
  o.a = source_of(i, c, i.operands[1], {static_cast<std::uint8_t>(wide ? 8 : 4), false});
  o.d = destination_of(i, c, i.operands[0], {4, false});
  c.emit(o);
}

}  // namespace

void add_address_instructions(decode::instruction_table& table) {
  table.emplace("cvta", build_cvta);
  table.emplace("isspacep", build_isspacep);
  table.emplace("mapa", build_mapa);
  table.emplace("getctarank", build_getctarank);
}

}  // namespace device
