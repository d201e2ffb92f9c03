// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fence.hpp"

#include <device/core/failure.hpp>
#include <device/decode/linked_module.hpp>
#include <device/execute/memory/bulk.hpp>
#include <device/execute/memory/form.hpp>
#include <device/execute/memory/request.hpp>
#include <device/memory/tensor_map.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

//! tensormap.replace, which changes one field of a tensor map in memory, and
//! tensormap.cp_fenceproxy, which copies a map from shared to global memory for other threads.
namespace device::memory_access_detail {
namespace {

//! Fields in the order of their names.
enum class field : std::uint32_t {
  box_dim,
  element_stride,
  elemtype,
  fill_mode,
  global_address,
  global_dim,
  global_stride,
  interleave_layout,
  rank,
  swizzle_atomicity,
  swizzle_mode
};
constexpr std::array<std::string_view, 11> field_names{
    "box_dim",        "element_stride",    "elemtype",      "fill_mode",
    "global_address", "global_dim",        "global_stride", "interleave_layout",
    "rank",           "swizzle_atomicity", "swizzle_mode"};

//! The fields that have a value for each dimension.
[[nodiscard]] bool is_array(field f) {
  return f == field::box_dim || f == field::element_stride || f == field::global_dim ||
         f == field::global_stride;
}

//! The types that .elemtype numbers (PTX ISA, tensormap.replace).
[[nodiscard]] mmm::gpu::data_type element_type(std::uint64_t number) {
  using enum mmm::gpu::data_type;
  constexpr mmm::gpu::data_type types[] = {u8,  u16, u32, s32,  u64,  s64, f16,
                                           f32, f32, f64, bf16, tf32, tf32};
  if (number >= std::size(types))
    throw device_fault(device_fault::kind_type::illegal_instruction,
                       "elemtype of a tensor map is " + std::to_string(number) +
                           "; accepted: 0 to 12 (types packed in 4 and 6 bits are not supported)");
  return types[number];
}

//! \param value of .rank: less by 1; of .global_stride: in bytes, as since PTX 8.5
void change(tensor_map_image& image, field f, std::size_t dimension, std::uint64_t value) {
  constexpr std::uint8_t bytes_128 = 3;
  switch (f) {
    case field::box_dim:
      image.box[dimension] = static_cast<std::uint16_t>(std::min<std::uint64_t>(value, 0xffff));
      return;
    case field::element_stride:
      image.element_strides[dimension] =
          static_cast<std::uint8_t>(std::min<std::uint64_t>(value, 0xff));
      return;
    case field::elemtype:
      image.type = static_cast<std::uint8_t>(element_type(value));
      return;
    case field::fill_mode:
      image.fill_with_nan = value != 0 ? 1 : 0;
      return;
    case field::global_address:
      image.address = value;
      return;
    case field::global_dim:
      if (dimension == 0)
        image.size_0 = value;
      else
        image.sizes_less_1[dimension - 1] = static_cast<std::uint32_t>(value - 1);
      return;
    case field::global_stride:
      image.strides[dimension] = value;
      return;
    case field::interleave_layout:
      if (value != 0)
        throw device_fault(device_fault::kind_type::illegal_instruction,
                           "interleaved tensors are not supported");
      image.interleave = 0;
      return;
    case field::rank:
      image.rank = static_cast<std::uint8_t>(std::min<std::uint64_t>(value, 5) + 1);
      return;
    case field::swizzle_atomicity:
      if (image.swizzle >= bytes_128)
        image.swizzle = static_cast<std::uint8_t>(bytes_128 + std::min<std::uint64_t>(value, 3));
      return;
    case field::swizzle_mode:
      if (value > bytes_128)
        throw device_fault(
            device_fault::kind_type::illegal_instruction,
            "swizzle_mode of a tensor map is " + std::to_string(value) + "; accepted: 0 to 3");
      image.swizzle = static_cast<std::uint8_t>(value);
      return;
  }
}

//! The place of the map at a lane's address all of which is checked; the observers are told.
std::byte* map_at(warp& w, operation const& op, device::space where, access_kind kind, int lane,
                  std::uint64_t address) {
  constexpr int part = 64;  // the alignment of a CUtensorMap
  lane_mask const one = lane_mask{1} << lane;
  request r;
  std::byte* first = nullptr;
  for (std::uint64_t k = tensor_map_bytes / part; k-- > 0;) {
    r.address[lane] = address + k * part;
    locate_given(w, op, where, kind, part, one, r);
    first = r.pointer[lane];
  }
  settle_bulk(w, lane, first, tensor_map_bytes);
  std::uint64_t const found = r.address[lane];
  constexpr int piece = 16;
  for (std::uint64_t k = 0; k < tensor_map_bytes; k += piece) {
    r.address[lane] = found + k;
    notify(w, op, kind, piece, one, r);
  }
  return first;
}

void run_replace(warp& w, operation const& op) {
  if (w.of_block->of_launch->code->version() < 85)
    throw unsupported("tensormap.replace is supported from PTX 8.5 on");
  std::uint64_t address[lanes];
  addresses_of(w, op, address);
  auto const f = static_cast<field>(op.target);
  bool const wide = f == field::global_address || f == field::global_stride;
  w.each_active([&](int t) {
    std::byte* const image_bytes = map_at(w, op, op.where, access_kind::write, t, address[t]);
    std::uint64_t const value =
        wide ? w.source<std::uint64_t>(op.b)[t] : w.source<std::uint32_t>(op.b)[t];
    tensor_map_image image;
    std::memcpy(&image, image_bytes, sizeof image);
    image.mark = tensor_map_image::mark_value;  // of a map that begins as zeros, too
    change(image, f, op.bytes, value);
    std::memcpy(image_bytes, &image, sizeof image);
  });
}

//! All lanes have the same operands: one copies.
void run_copy(warp& w, operation const& op) {
  std::uint64_t to[lanes];
  std::uint64_t source[lanes];
  addresses_of(w, {op.list[0], op.list[1]}, (op.flags & base_of_4_bytes) != 0, to);
  addresses_of(w, {op.list[2], op.list[3]}, (op.flags & base_2_of_4_bytes) != 0, source);
  int const lane = std::countr_zero(w.active);
  std::byte const* const map = map_at(w, op, space::shared, access_kind::read, lane, source[lane]);
  std::memcpy(map_at(w, op, space::global, access_kind::write, lane, to[lane]), map,
              tensor_map_bytes);
}

void build_replace(ptx::instruction const& i, decode::context& c) {
  operation op;
  auto chosen = field_names.end();
  for (std::string_view const m : i.modifiers) {
    auto const name = std::ranges::find(field_names, m);
    if (name != field_names.end())
      chosen = name;
    else if (m == "global")
      op.where = space::global;
    else if (m == "shared::cta")
      op.where = space::shared;
    else if (m != "replace" && m != "tile" && m != "b1024" && m != "b32" && m != "b64")
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  if (chosen == field_names.end()) c.refuse(i, "it names no field");
  auto const f = static_cast<field>(chosen - field_names.begin());
  std::size_t const operands = is_array(f) ? 3 : 2;
  require_operands(i, c, operands, operands);
  if (is_array(f)) {
    ptx::operand const& dimension = i.operands[1];
    std::uint64_t const last_dimension = f == field::global_stride ? 3 : 4;
    if (dimension.kind != ptx::operand::kind_type::integer || dimension.bits > last_dimension)
      c.refuse(i, "its dimension is not one of 0 to " + std::to_string(last_dimension));
    op.bytes = static_cast<std::uint8_t>(dimension.bits);
  }
  op.target = static_cast<std::uint32_t>(f);
  op.kind = instruction_kind::store;
  op.run = run_replace;
  op.b = c.source(i.operands.back(), i.has("b64") ? 8 : 4);
  set_address(op, i, i.operands[0], c);
  c.emit(op);
}

void build_copy(ptx::instruction const& i, decode::context& c) {
  device::scope reach = scope::none;
  for (std::string_view const m : i.modifiers) {
    if (scope_of(m) != scope::none)
      reach = scope_of(m);
    else if (m != "cp_fenceproxy" && m != "global" && m != "shared::cta" &&
             m != "tensormap::generic" && m != "release" && m != "sync" && m != "aligned")
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  require_operands(i, c, 3, 3);
  if (reach == scope::none || i.operands[2].bits != tensor_map_bytes)
    c.refuse(i, "this form is not supported");
  operation op;
  op.kind = instruction_kind::store;
  op.run = run_copy;
  other_address const to = other_address_of(op, base_of_4_bytes, i.operands[0], c);
  other_address const source = other_address_of(op, base_2_of_4_bytes, i.operands[1], c);
  op.list = c.list({to.base, to.offset, source.base, source.offset});
  op.list_size = 4;
  c.emit(op);
  emit_fence(c, strength::release, reach);
}

}  // namespace

void build_tensor_map_change(ptx::instruction const& i, decode::context& c) {
  if (i.has("replace"))
    build_replace(i, c);
  else if (i.has("cp_fenceproxy"))
    build_copy(i, c);
  else
    c.refuse(i, "this form is not supported");
}

}  // namespace device::memory_access_detail
