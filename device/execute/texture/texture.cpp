// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/core/finding.hpp>
#include <device/execute/instructions.hpp>
#include <device/execute/memory/form.hpp>
#include <device/execute/texture/handlers.hpp>

#include <string>
#include <utility>

namespace device {

void add_texture_instructions(decode::instruction_table& table) {
  using namespace texture_detail;
  table["tex"] = build_fetch;
  table["tld4"] = build_gather;
  table["txq"] = build_query;
  table["suld"] = build_surface_load;
  table["sust"] = build_surface_store;
  table["sured"] = build_surface_reduction;
  table["suq"] = build_query;
}

namespace texture_detail {

namespace {

constexpr std::pair<std::string_view, geometry> geometries[] = {
    {"1d", geometry::line},    {"a1d", geometry::lines}, {"2d", geometry::plane},
    {"a2d", geometry::planes}, {"3d", geometry::volume}, {"cube", geometry::cube},
    {"acube", geometry::cubes}};

std::string shape_text(bool layered, bool cubemap, int dimensions) {
  std::string const kind = cubemap ? "cubemap" : std::to_string(dimensions) + "D";
  return layered ? "layered " + kind : kind;
}

}  // namespace

bool read_geometry(std::string_view modifier, geometry& to) {
  for (auto const& [name, g] : geometries)
    if (name == modifier) {
      to = g;
      return true;
    }
  return false;
}

slot object_slot(ptx::instruction const& i, ptx::operand const& o, decode::context& c) {
  if (o.kind != ptx::operand::kind_type::memory) c.refuse(i, "it names no texture or surface");
  if (o.reg == ptx::none)
    c.refuse(i,
             "texture and surface references are not supported: CUDA has objects in their place");
  if (o.bits != 0) c.refuse(i, "the number of a texture or surface has no offset");
  ptx::operand number;
  number.kind = ptx::operand::kind_type::reg;
  number.reg = o.reg;
  return c.source(number, 8);
}

std::vector<ptx::operand const*> parts_of(ptx::operand const& o, std::size_t count,
                                          ptx::instruction const& i, decode::context& c) {
  std::vector<ptx::operand const*> all;
  if (o.kind == ptx::operand::kind_type::vector && !o.pair)
    for (ptx::operand const& p : o.parts) all.push_back(&p);
  else
    all.push_back(&o);
  if (all.size() < count) c.refuse(i, "a vector has too few elements");
  all.resize(count);
  return all;
}

void append_sources(std::vector<ptx::operand const*> const& parts, bool floating,
                    decode::context& c, std::vector<slot>& to) {
  using memory_access_detail::value_of;
  ptx::scalar const type = floating ? ptx::scalar::f32 : ptx::scalar::b32;
  for (ptx::operand const* const o : parts)
    to.push_back(c.register_bytes(*o) > 4 ? c.source(*o, 4) : value_of(*o, type, c).where);
}

void append_coordinates(ptx::instruction const& i, geometry g, bool floating, decode::context& c,
                        ptx::operand const& o, std::vector<slot>& to) {
  if (o.parts.size() != 1)
    c.refuse(i, "a sampler of its own (texmode_independent) is not supported");
  auto const count = static_cast<std::size_t>(coordinates_of(g) + (is_layered(g) ? 1 : 0));
  std::vector<ptx::operand const*> parts = parts_of(o.parts[0], count, i, c);
  if (is_layered(g)) {
    append_sources({parts[0]}, false, c, to);
    parts.erase(parts.begin());
  }
  append_sources(parts, floating, c, to);
}

texture_object const& object_of(warp& w, operation const& op, int lane, bool is_surface,
                                geometry g) {
  using memory_access_detail::refuse_object;
  launch const& launched = *w.of_block->of_launch;
  std::uint64_t const number = w.source<std::uint64_t>(op.a)[lane];
  texture_object const* const found =
      launched.textures == nullptr ? nullptr : launched.textures->find(number);
  std::string const name = is_surface ? "surface object" : "texture object";
  if (found == nullptr || found->is_surface != is_surface)
    refuse_object(w, op, lane, check_kind::bounds,
                  "there is no " + name + " of number " + std::to_string(number));
  if (found->destroyed)
    refuse_object(w, op, lane, check_kind::free, "the " + name + " was destroyed");
  int const dimensions = is_cubemap(g) ? 2 : coordinates_of(g);
  // A surface's faces are layers of planes; a single row is read as a line or as a plane.
  bool const layered = is_surface ? found->is_layered || found->is_cubemap : found->is_layered;
  bool const cubemap = !is_surface && found->is_cubemap;
  bool const fits =
      layered == is_layered(g) && cubemap == is_cubemap(g) && found->dimensions == dimensions;
  if (!fits)
    refuse_object(w, op, lane, check_kind::descriptor,
                  "the " + name + " is " +
                      shape_text(found->is_layered, found->is_cubemap, found->dimensions) +
                      ", the instruction's shape is " +
                      shape_text(is_layered(g), is_cubemap(g), dimensions));
  return *found;
}

void announce_texels(warp& w, operation const& op, access_kind kind, int bytes, lane_mask mask,
                     memory_access_detail::request const& r, std::byte const* values) {
  if (mask == 0 || !memory_access_detail::observed(w)) return;
  memory_access access{w.of_block, &w,   &op,       kind,           space::global,
                       bytes,      mask, r.address, strength::weak, scope::none};
  access.values = values;
  access.counted = false;
  if (kind == access_kind::update) {  // sured
    access.order = strength::relaxed;
    access.reach = scope::gpu;
  }
  for (observer* const o : *w.of_block->observers) o->access(access);
}

}  // namespace texture_detail
}  // namespace device
