// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/core/finding.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/texture/handlers.hpp>

#include <algorithm>
#include <string>
#include <utility>

//! txq and suq. operation::target: the attribute; b: the level of detail, or no slot; flags: 1 for
//! a surface.
namespace device::texture_detail {
namespace {

enum class attribute : std::uint32_t { width, height, depth, array_size, levels, normalized };
constexpr std::pair<std::string_view, attribute> attributes[] = {
    {"width", attribute::width},
    {"height", attribute::height},
    {"depth", attribute::depth},
    {"array_size", attribute::array_size},
    {"num_mipmap_levels", attribute::levels},
    {"normalized_coords", attribute::normalized}};

//! An extent that the object's shape has not is 0, as where CUDA's functions describe an array.
std::uint32_t attribute_value(texture_object const& o, attribute a, std::size_t level) {
  texel_box const& box = o.levels[level];
  bool const has_layers = o.is_layered || o.is_cubemap;
  switch (a) {
    case attribute::width:
      return static_cast<std::uint32_t>(box.width);
    case attribute::height:
      return o.dimensions < 2 ? 0 : static_cast<std::uint32_t>(box.height);
    case attribute::depth:
      return o.dimensions < 3 ? 0 : static_cast<std::uint32_t>(box.depth);
    case attribute::array_size:
      return !has_layers ? 0 : static_cast<std::uint32_t>(box.depth / (o.is_cubemap ? 6 : 1));
    case attribute::levels:
      return static_cast<std::uint32_t>(o.levels.size());
    case attribute::normalized:
      return o.normalized_coordinates ? 1 : 0;
  }
  return 0;
}

void run_query(warp& w, operation const& op) {
  using memory_access_detail::refuse_object;
  launch const& launched = *w.of_block->of_launch;
  bool const is_surface = (op.flags & 1) != 0;
  w.each_active([&](int t) {
    std::uint64_t const number = w.source<std::uint64_t>(op.a)[t];
    texture_object const* const o =
        launched.textures == nullptr ? nullptr : launched.textures->find(number);
    if (o == nullptr || o->is_surface != is_surface)
      refuse_object(w, op, t, check_kind::bounds,
                    "there is no such object of number " + std::to_string(number));
    if (o->destroyed) refuse_object(w, op, t, check_kind::free, "the object was destroyed");
    std::int64_t const level = op.b == no_slot ? 0 : w.source<std::int32_t>(op.b)[t];
    w.destination<std::uint32_t>(op.d)[t] =
        attribute_value(*o, static_cast<attribute>(op.target),
                        static_cast<std::size_t>(std::clamp<std::int64_t>(
                            level, 0, static_cast<std::int64_t>(o->levels.size()) - 1)));
  });
}

}  // namespace

void build_query(ptx::instruction const& i, decode::context& c) {
  operation op;
  op.run = run_query;
  op.kind = instruction_kind::texture;
  op.flags = i.opcode == "suq" ? 1 : 0;
  bool has_level = false;
  bool has_attribute = false;
  for (std::string_view const m : i.modifiers) {
    auto const known = std::find_if(std::begin(attributes), std::end(attributes),
                                    [&](auto const& a) { return a.first == m; });
    if (known != std::end(attributes)) {
      op.target = static_cast<std::uint32_t>(known->second);
      has_attribute = true;
    } else if (m == "level") {
      has_level = true;
    } else if (m != "b32") {
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
    }
  }
  if (!has_attribute || i.operands.size() != (has_level ? 3U : 2U))
    c.refuse(i, "its attribute or operands are not supported");
  op.d = c.destination(i.operands[0], 4);
  op.a = object_slot(i, i.operands[1], c);
  if (has_level) op.b = c.source(i.operands[2], 4);
  c.emit(op);
}

}  // namespace device::texture_detail
