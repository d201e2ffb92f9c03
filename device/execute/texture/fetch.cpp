// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/core/failure.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/memory/request.hpp>
#include <device/execute/texture/handlers.hpp>

#include <algorithm>
#include <string>

//! tex and tld4. operation::target is a fetch_form in bits; list: the four results, the layer and
//! the coordinates, the level of detail or the derivatives; d: the predicate of residency.
namespace device::texture_detail {
namespace {

using namespace memory_access_detail;

enum class detail_mode : std::uint8_t { base, level, gradient };

struct fetch_form {
  geometry shape = geometry::line;
  bool integer_coordinates = false;
  detail_mode mode = detail_mode::base;
  int component = 0;  //!< of tld4

  [[nodiscard]] std::uint32_t bits() const {
    return static_cast<std::uint32_t>(shape) | (integer_coordinates ? 8U : 0U) |
           static_cast<std::uint32_t>(mode) << 4 | static_cast<std::uint32_t>(component) << 8;
  }
  [[nodiscard]] static fetch_form parsed(operation const& op) {
    return {static_cast<geometry>(op.target & 7), (op.target & 8) != 0,
            static_cast<detail_mode>(op.target >> 4 & 3), static_cast<int>(op.target >> 8 & 3)};
  }
};

constexpr int results = 4;

//! A fetch's operands, lane by lane.
class fetch_operands {
 public:
  fetch_form const form;

  fetch_operands(warp const& w, operation const& op)
      : form(fetch_form::parsed(op)), w_(w), next_(op.list + results) {
    if (is_layered(form.shape)) layer_ = *next_++;
    for (int k = 0; k < coordinates_of(form.shape); ++k) coordinate_[k] = *next_++;
  }
  [[nodiscard]] place at(int lane) const {
    place p;
    p.is_integer = form.integer_coordinates;
    if (layer_ != no_slot) p.layer = w_.source<std::uint32_t>(layer_)[lane];
    for (int k = 0; k < coordinates_of(form.shape); ++k) {
      auto const d = static_cast<std::size_t>(k);
      if (p.is_integer)
        p.texel[d] = w_.source<std::int32_t>(coordinate_[k])[lane];
      else
        p.x[d] = static_cast<double>(w_.source<float>(coordinate_[k])[lane]);
    }
    return p;
  }
  //! The level of detail, for a texture that has several.
  [[nodiscard]] double level(texture_object const& t, int lane) const {
    switch (form.mode) {
      case detail_mode::base:
        return 0;
      case detail_mode::level:
        return bounded_level(t, form.integer_coordinates
                                    ? static_cast<double>(w_.source<std::int32_t>(*next_)[lane])
                                    : static_cast<double>(w_.source<float>(*next_)[lane]));
      case detail_mode::gradient:
        break;
    }
    if (is_cubemap(form.shape))
      throw unsupported("derivatives of a mipmapped cubemap's coordinates are not supported");
    if (t.max_anisotropy > 1)
      throw unsupported(
          "anisotropic filters are not supported: cudaTextureDesc::maxAnisotropy is " +
          std::to_string(t.max_anisotropy));
    std::array<double, 3> d[2]{};
    slot const* derivative = next_;
    for (auto& direction : d)
      for (int k = 0; k < coordinates_of(form.shape); ++k)
        direction[static_cast<std::size_t>(k)] =
            static_cast<double>(w_.source<float>(*derivative++)[lane]);
    return bounded_level(t, level_of(t, form.shape, d[0], d[1]));
  }

 private:
  warp const& w_;
  slot const* next_;
  slot layer_ = no_slot;
  slot coordinate_[3] = {no_slot, no_slot, no_slot};
};

//! The texels that each lane reads, and of which texture.
struct warp_taps {
  std::array<texture_object const*, lanes> texture{};
  std::array<taps, lanes> read{};
};

//! Checks and announces texels number `k` of the lanes. It is no request that is counted: NVIDIA
//! publishes no rule for those of the texture units.
void reach(warp& w, operation const& op, warp_taps const& all, int k) {
  request r;
  lane_mask left = 0;
  w.each_active([&](int t) {
    taps const& read = all.read[static_cast<std::size_t>(t)];
    if (k >= read.count) return;
    r.address[t] = read.all[static_cast<std::size_t>(k)].address;
    left |= static_cast<lane_mask>(r.address[t] != 0) << t;
  });
  while (left != 0) {
    int const bytes = all.texture[static_cast<std::size_t>(std::countr_zero(left))]->format.bytes();
    lane_mask same = 0;
    for (lane_mask rest = left; rest != 0; rest &= rest - 1) {
      int const t = std::countr_zero(rest);
      if (all.texture[static_cast<std::size_t>(t)]->format.bytes() == bytes)
        same |= lane_mask{1} << t;
    }
    locate_given(w, op, space::global, access_kind::read, bytes, same, r);
    announce_texels(w, op, access_kind::read, bytes, same, r);
    left &= ~same;
  }
}

void reach_all(warp& w, operation const& op, warp_taps const& all) {
  int max_taps = 0;
  w.each_active(
      [&](int t) { max_taps = std::max(max_taps, all.read[static_cast<std::size_t>(t)].count); });
  for (int k = 0; k < max_taps; ++k) reach(w, op, all, k);
}

void set_resident(warp const& w, operation const& op) {
  if (op.d != no_slot) w.set_predicate(op.d, all_lanes);
}

void run_fetch(warp& w, operation const& op) {
  fetch_operands const operands(w, op);
  lane_objects objects(w, op, false, operands.form.shape);
  warp_taps all;
  w.each_active([&](int t) {
    auto const k = static_cast<std::size_t>(t);
    texture_object const& texture = objects.at(t);
    double const level = texture.levels.size() > 1 ? operands.level(texture, t) : 0;
    if (texture.is_cubemap && texture.is_seamless && texture.filters)
      throw unsupported(
          "filters across the edges of a cubemap (seamlessCubemap) are not supported");
    all.texture[k] = &texture;
    all.read[k] = fetch(texture, operands.form.shape, operands.at(t), level);
  });
  reach_all(w, op, all);
  w.each_active([&](int t) {
    auto const k = static_cast<std::size_t>(t);
    texel const value = combine(*all.texture[k], all.read[k]);
    for (std::size_t c = 0; c < results; ++c)
      w.destination<std::uint32_t>(op.list[c])[t] = value[c];
  });
  set_resident(w, op);
}

void run_gather(warp& w, operation const& op) {
  fetch_operands const operands(w, op);
  lane_objects objects(w, op, false, operands.form.shape);
  warp_taps all;
  w.each_active([&](int t) {
    auto const k = static_cast<std::size_t>(t);
    all.texture[k] = &objects.at(t);
    all.read[k] = gather(*all.texture[k], operands.form.shape, operands.at(t));
  });
  reach_all(w, op, all);
  w.each_active([&](int t) {
    auto const k = static_cast<std::size_t>(t);
    for (std::size_t c = 0; c < results; ++c)
      w.destination<std::uint32_t>(op.list[c])[t] =
          read_texel(*all.texture[k],
                     all.read[k].all[c].address)[static_cast<std::size_t>(operands.form.component)];
  });
  set_resident(w, op);
}

//! The slots of the results, and that of the predicate of residency, if it is asked for.
std::vector<slot> results_of(ptx::instruction const& i, decode::context& c, operation& op) {
  ptx::operand const* values = &i.operands[0];
  if (values->pair) {
    op.d = c.predicate_destination(values->parts[1]);
    values = &values->parts[0];
  }
  std::vector<slot> list;
  for (ptx::operand const* const o : parts_of(*values, results, i, c))
    list.push_back(c.destination(*o, 4));
  return list;
}

bool is_32_bit(ptx::scalar s) {
  return s == ptx::scalar::f32 || s == ptx::scalar::s32 || s == ptx::scalar::u32;
}

void finish(operation& op, std::vector<slot> list, decode::context& c) {
  op.kind = instruction_kind::texture;
  op.where = space::global;
  op.list_size = static_cast<std::uint8_t>(list.size());
  op.list = c.list(std::move(list));
  c.emit(op);
}

}  // namespace

void build_fetch(ptx::instruction const& i, decode::context& c) {
  fetch_form form;
  bool has_shape = false;
  bool has_vector = false;
  std::vector<ptx::scalar> types;
  for (std::string_view const m : i.modifiers) {
    if (m == "level") {
      form.mode = detail_mode::level;
    } else if (m == "grad") {
      form.mode = detail_mode::gradient;
    } else if (m == "v4") {
      has_vector = true;
    } else if (read_geometry(m, form.shape)) {
      has_shape = true;
    } else if (ptx::scalar const s = ptx::scalar_of(m); is_32_bit(s)) {
      types.push_back(s);
    } else if (m != "base") {
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
    }
  }
  if (!has_shape || !has_vector || types.size() != 2 || types[1] == ptx::scalar::u32)
    c.refuse(i, "its shape or types are not supported");
  form.integer_coordinates = types[1] == ptx::scalar::s32;
  if (form.integer_coordinates && is_cubemap(form.shape))
    c.refuse(i, "a cubemap has no integer coordinates");
  std::size_t const further = form.mode == detail_mode::base    ? 0
                              : form.mode == detail_mode::level ? 1
                                                                : 2;
  if (i.operands.size() != 2 + further)
    c.refuse(i, "offsets and comparisons of depth are not supported");
  operation op;
  op.target = form.bits();
  op.run = run_fetch;
  std::vector<slot> list = results_of(i, c, op);
  op.a = object_slot(i, i.operands[1], c);
  append_coordinates(i, form.shape, !form.integer_coordinates, c, i.operands[1], list);
  if (form.mode == detail_mode::level)
    append_sources({&i.operands[2]}, !form.integer_coordinates, c, list);
  if (form.mode == detail_mode::gradient)
    for (std::size_t k = 2; k < 4; ++k)
      append_sources(
          parts_of(i.operands[k], static_cast<std::size_t>(coordinates_of(form.shape)), i, c), true,
          c, list);
  finish(op, std::move(list), c);
}

void build_gather(ptx::instruction const& i, decode::context& c) {
  fetch_form form;
  bool has_shape = false;
  constexpr std::string_view components = "rgba";
  for (std::string_view const m : i.modifiers) {
    if (m.size() == 1 && components.find(m) != std::string_view::npos)
      form.component = static_cast<int>(components.find(m));
    else if (read_geometry(m, form.shape))
      has_shape = true;
    else if (m != "v4" && !is_32_bit(ptx::scalar_of(m)))
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  if (!has_shape || (form.shape != geometry::plane && form.shape != geometry::planes))
    c.refuse(i, "its shape is not supported");
  if (i.operands.size() != 2) c.refuse(i, "offsets and comparisons of depth are not supported");
  operation op;
  op.target = form.bits();
  op.run = run_gather;
  std::vector<slot> list = results_of(i, c, op);
  op.a = object_slot(i, i.operands[1], c);
  append_coordinates(i, form.shape, true, c, i.operands[1], list);
  finish(op, std::move(list), c);
}

}  // namespace device::texture_detail
