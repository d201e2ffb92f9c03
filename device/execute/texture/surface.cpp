// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/core/finding.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/memory/bulk.hpp>
#include <device/execute/memory/form.hpp>
#include <device/execute/texture/handlers.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

//! suld, sust and sured. operation::target is a surface_form in bits; list: the layer, the
//! coordinates, the registers of the elements; immediate: of sured the address of its reducer.
namespace device::texture_detail {
namespace {

using namespace memory_access_detail;

//! The effect of an access outside of a surface.
enum class outside_mode : std::uint8_t { trap, clamp, zero };

struct surface_form {
  geometry shape = geometry::line;
  outside_mode outside = outside_mode::trap;
  bool formatted =
      false;         //!< sust.p: coordinates count texels, whose format values are turned into
  int elements = 1;  //!< registers
  int register_bytes = 4;

  [[nodiscard]] std::uint32_t bits() const {
    return static_cast<std::uint32_t>(shape) | static_cast<std::uint32_t>(outside) << 4 |
           (formatted ? 64U : 0U) | static_cast<std::uint32_t>(elements) << 8 |
           static_cast<std::uint32_t>(register_bytes) << 16;
  }
  [[nodiscard]] static surface_form parsed(operation const& op) {
    return {static_cast<geometry>(op.target & 7), static_cast<outside_mode>(op.target >> 4 & 3),
            (op.target & 64) != 0, static_cast<int>(op.target >> 8 & 15),
            static_cast<int>(op.target >> 16 & 31)};
  }
  [[nodiscard]] std::size_t coordinates() const {
    return static_cast<std::size_t>(coordinates_of(shape) + (is_layered(shape) ? 1 : 0));
  }
};

//! The largest element of a vector.
constexpr std::size_t max_bytes = 32;

//! One lane's access.
struct surface_place {
  texture_object const* surface = nullptr;
  std::uint64_t address = 0;  //!< 0: outside, and nothing is accessed
};

class surface_access {
 public:
  surface_form const form;
  std::array<surface_place, lanes> places{};

  surface_access(warp& w, operation const& op, access_kind kind)
      : form(surface_form::parsed(op)),
        w_(w),
        op_(op),
        kind_(kind),
        objects_(w, op, true, form.shape) {
    w.each_active([&](int t) { places[static_cast<std::size_t>(t)] = place_of(t); });
    each_size([&](int size, lane_mask same, request& r) {
      locate_given(w, op, space::global, kind, size, same, r);
    });
  }

  //! Bytes that a lane moves.
  [[nodiscard]] int bytes(texture_object const& s) const {
    return form.formatted ? s.format.bytes() : op_.bytes * form.elements;
  }

  //! Tells the observers. `values`: of a store, max_bytes for each lane.
  void announce(std::byte const* values = nullptr) {
    each_size([&](int size, lane_mask same, request& r) {
      std::byte packed[lanes * max_bytes];
      for (std::size_t t = 0; values != nullptr && t < lanes; ++t)
        std::memcpy(packed + t * static_cast<std::size_t>(size), values + t * max_bytes,
                    static_cast<std::size_t>(size));
      announce_texels(w_, op_, kind_, size, same, r, values == nullptr ? nullptr : packed);
    });
  }

 private:
  [[nodiscard]] surface_place place_of(int lane) {
    texture_object const& s = objects_.at(lane);
    texel_box const& box = s.levels[0];
    int const size = bytes(s);
    std::int64_t const unit = form.formatted ? s.format.bytes() : 1;
    slot const* next = op_.list;
    auto const coordinate = [&] { return std::int64_t{w_.source<std::int32_t>(*next++)[lane]}; };
    bool const layered = is_layered(form.shape);
    std::int64_t const layer = layered ? coordinate() : 0;
    std::int64_t const x = coordinate() * unit;
    std::int64_t const y = coordinates_of(form.shape) > 1 ? coordinate() : 0;
    std::int64_t const z = coordinates_of(form.shape) > 2 ? coordinate() : layer;
    auto const last_x = static_cast<std::int64_t>(box.width) * s.format.bytes() - size;
    auto const last_y = static_cast<std::int64_t>(box.height) - 1;
    auto const last_z = static_cast<std::int64_t>(box.depth) - 1;
    bool const inside = x >= 0 && x <= last_x && y >= 0 && y <= last_y && z >= 0 && z <= last_z;
    if (!inside && form.outside == outside_mode::zero) return {&s, 0};
    if (last_x < 0 || (!inside && form.outside == outside_mode::trap))
      refuse_object(w_, op_, lane, check_kind::bounds, outside_text(s, box, x, y, z));
    if (x % size != 0)
      refuse_object(w_, op_, lane, check_kind::misaligned,
                    "byte " + std::to_string(x) + " of a row is no multiple of " +
                        std::to_string(size) + ", the bytes that are accessed");
    auto const within = [](std::int64_t n, std::int64_t last) {
      return static_cast<std::uint64_t>(std::clamp(n, std::int64_t{0}, last));
    };
    // The nearest place for the whole access.
    std::uint64_t const byte = within(x, last_x / size * size);
    return {&s, box.begin + byte + within(y, last_y) * box.pitch + within(z, last_z) * box.slice};
  }

  [[nodiscard]] static std::string outside_text(texture_object const& s, texel_box const& box,
                                                std::int64_t x, std::int64_t y, std::int64_t z) {
    bool const has_layers = s.is_layered || s.is_cubemap;
    std::string text = "byte " + std::to_string(x) + " of a row";
    std::string size = std::to_string(box.width);
    if (s.dimensions > 1) {
      text += ", row " + std::to_string(y);
      size += " x " + std::to_string(box.height);
    }
    if (s.dimensions > 2 || has_layers) {
      text += (has_layers ? ", layer " : ", depth ") + std::to_string(z);
      size += " x " + std::to_string(box.depth);
    }
    return text + ": the surface has " + size + " texels of " + std::to_string(s.format.bytes()) +
           " bytes";
  }

  //! `f(bytes, lanes, request)` for the lanes that reach texels, by the bytes that they move.
  template <class F>
  void each_size(F const& f) {
    request r;
    lane_mask left = 0;
    w_.each_active([&](int t) {
      r.address[t] = places[static_cast<std::size_t>(t)].address;
      left |= static_cast<lane_mask>(r.address[t] != 0) << t;
    });
    auto const size_of = [&](int t) { return bytes(*places[static_cast<std::size_t>(t)].surface); };
    while (left != 0) {
      int const size = size_of(std::countr_zero(left));
      lane_mask same = 0;
      for (lane_mask rest = left; rest != 0; rest &= rest - 1)
        if (int const t = std::countr_zero(rest); size_of(t) == size) same |= lane_mask{1} << t;
      f(size, same, r);
      left &= ~same;
    }
  }

  warp& w_;
  operation const& op_;
  access_kind kind_;
  lane_objects objects_;
};

void run_load(warp& w, operation const& op) {
  surface_access access(w, op, access_kind::read);
  access.announce();
  auto const width = static_cast<std::size_t>(access.form.register_bytes);
  slot const* const elements = op.list + access.form.coordinates();
  w.each_active([&](int t) {
    auto const k = static_cast<std::size_t>(t);
    std::byte read[max_bytes] = {};
    if (access.places[k].address != 0)
      std::memcpy(read, reinterpret_cast<std::byte const*>(access.places[k].address),
                  static_cast<std::size_t>(op.bytes * access.form.elements));
    for (int e = 0; e < access.form.elements; ++e) {
      std::uint64_t value = 0;
      std::memcpy(&value, read + e * op.bytes, op.bytes);
      std::memcpy(w.destination<std::byte>(elements[e]) + k * width, &value, width);
    }
  });
}

//! The registers of a lane's elements, one after another, each of its low `op.bytes`.
void gather_elements(warp const& w, operation const& op, surface_form const& form, int lane,
                     std::byte* to) {
  slot const* const elements = op.list + form.coordinates();
  for (int e = 0; e < form.elements; ++e)
    std::memcpy(to + e * op.bytes, w.source<std::byte>(elements[e]) + lane * form.register_bytes,
                op.bytes);
}

//! The bytes that a lane stores, in the surface's format.
void stored_bytes(warp const& w, operation const& op, surface_access const& access, int lane,
                  std::byte* to) {
  std::byte given[max_bytes] = {};
  gather_elements(w, op, access.form, lane, given);
  surface_place const& p = access.places[static_cast<std::size_t>(lane)];
  if (!access.form.formatted) {
    std::memcpy(to, given, max_bytes);
    return;
  }
  // Channels that are not given stay as they are, which CUDA leaves open.
  std::memcpy(to, reinterpret_cast<std::byte const*>(p.address),
              static_cast<std::size_t>(access.bytes(*p.surface)));
  auto const channel_bytes = static_cast<std::size_t>(p.surface->format.bits / 8);
  for (int c = 0; c < std::min(access.form.elements, p.surface->format.channels); ++c) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, given + c * 4, 4);
    bits = stored_channel(p.surface->format, bits);
    std::memcpy(to + static_cast<std::size_t>(c) * channel_bytes, &bits, channel_bytes);
  }
}

void run_store(warp& w, operation const& op) {
  surface_access access(w, op, access_kind::write);
  std::byte values[lanes * max_bytes] = {};
  auto const stores = [&](int t) {
    return access.places[static_cast<std::size_t>(t)].address != 0;
  };
  auto const bytes_of = [&](int t) { return values + static_cast<std::size_t>(t) * max_bytes; };
  w.each_active([&](int t) {
    if (stores(t)) stored_bytes(w, op, access, t, bytes_of(t));
  });
  access.announce(values);
  w.each_active([&](int t) {
    surface_place const& p = access.places[static_cast<std::size_t>(t)];
    if (stores(t))
      std::memcpy(reinterpret_cast<std::byte*>(p.address), bytes_of(t),
                  static_cast<std::size_t>(access.bytes(*p.surface)));
  });
}

void run_reduction(warp& w, operation const& op) {
  surface_access access(w, op, access_kind::update);
  access.announce();
  auto const reduce = reinterpret_cast<reducer>(op.immediate);
  w.each_active([&](int t) {
    surface_place const& p = access.places[static_cast<std::size_t>(t)];
    if (p.address == 0) return;
    alignas(8) std::byte given[max_bytes] = {};
    gather_elements(w, op, access.form, t, given);
    reduce(reinterpret_cast<std::byte*>(p.address), given, op.bytes, true);
  });
}

//! The modifiers of an instruction on surfaces.
struct modifiers {
  surface_form form{};
  ptx::scalar type = ptx::scalar::none;
  std::string_view operation{};  //!< of sured
};

modifiers modifiers_of(ptx::instruction const& i, decode::context& c) {
  modifiers found;
  bool has_shape = false;
  for (std::string_view const m : i.modifiers) {
    if (m == "trap")
      found.form.outside = outside_mode::trap;
    else if (m == "clamp")
      found.form.outside = outside_mode::clamp;
    else if (m == "zero")
      found.form.outside = outside_mode::zero;
    else if (m == "p")
      found.form.formatted = true;
    else if (m == "v2" || m == "v4")
      found.form.elements = m[1] - '0';
    else if (read_geometry(m, found.form.shape))
      has_shape = true;
    else if (ptx::bytes_of(ptx::scalar_of(m)) != 0)
      found.type = ptx::scalar_of(m);
    else if (i.opcode == "sured" && reducer_of(m, ptx::scalar::b32) != nullptr)
      found.operation = m;
    else if (i.opcode == "sured" && reducer_of(m, ptx::scalar::u32) != nullptr)
      found.operation = m;
    else if (m != "b" && m != "ca" && m != "cg" && m != "cs" && m != "cv" && m != "wb" && m != "wt")
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  if (!has_shape || is_cubemap(found.form.shape)) c.refuse(i, "its shape is not supported");
  if (ptx::bytes_of(found.type) == 0 || ptx::bytes_of(found.type) > 8)
    c.refuse(i, "its type is not supported");
  return found;
}

//! The instruction's operation, but for its elements.
operation begin(ptx::instruction const& i, ptx::operand const& surface, modifiers const& m,
                decode::context& c, std::vector<slot>& list) {
  operation op;
  op.kind = instruction_kind::texture;
  op.where = space::global;
  op.bytes = static_cast<std::uint8_t>(ptx::bytes_of(m.type));
  op.a = object_slot(i, surface, c);
  append_coordinates(i, m.form.shape, false, c, surface, list);
  return op;
}

void finish(operation& op, surface_form const& form, std::vector<slot> list, decode::context& c) {
  op.target = form.bits();
  op.list_size = static_cast<std::uint8_t>(list.size());
  op.list = c.list(std::move(list));
  c.emit(op);
}

//! Adds the slots of values that are stored; their width becomes the form's.
void append_values(ptx::operand const& values, modifiers& m, ptx::instruction const& i,
                   decode::context& c, std::vector<slot>& list) {
  m.form.register_bytes = 0;
  for (ptx::operand const* const o :
       parts_of(values, static_cast<std::size_t>(m.form.elements), i, c)) {
    value_slot const v = value_of(*o, m.type, c);
    if (m.form.register_bytes != 0 && v.bytes != m.form.register_bytes)
      c.refuse(i, "its registers have different widths");
    m.form.register_bytes = v.bytes;
    list.push_back(v.where);
  }
}

}  // namespace

void build_surface_load(ptx::instruction const& i, decode::context& c) {
  modifiers m = modifiers_of(i, c);
  require_operands(i, c, 2, 2);
  if (m.form.formatted) c.refuse(i, "formatted loads are not supported");
  std::vector<slot> list;
  operation op = begin(i, i.operands[1], m, c, list);
  op.run = run_load;
  int const least = std::max<int>(op.bytes, 2);
  m.form.register_bytes = 0;
  auto const parts = parts_of(i.operands[0], static_cast<std::size_t>(m.form.elements), i, c);
  for (ptx::operand const* const o : parts)
    m.form.register_bytes = std::max(m.form.register_bytes, c.register_bytes(*o));
  if (m.form.register_bytes == 0) m.form.register_bytes = least;
  if (m.form.register_bytes < least) c.refuse(i, "its register is narrower than what it loads");
  for (ptx::operand const* const o : parts) {
    int const held = c.register_bytes(*o);
    if (held != 0 && held != m.form.register_bytes)
      c.refuse(i, "its registers have different widths");
    list.push_back(c.destination(*o, m.form.register_bytes));
  }
  finish(op, m.form, std::move(list), c);
}

void build_surface_store(ptx::instruction const& i, decode::context& c) {
  modifiers m = modifiers_of(i, c);
  require_operands(i, c, 2, 2);
  if (m.form.formatted && ptx::bytes_of(m.type) != 4) c.refuse(i, "its type is not supported");
  std::vector<slot> list;
  operation op = begin(i, i.operands[0], m, c, list);
  op.run = run_store;
  append_values(i.operands[1], m, i, c, list);
  finish(op, m.form, std::move(list), c);
}

void build_surface_reduction(ptx::instruction const& i, decode::context& c) {
  modifiers m = modifiers_of(i, c);
  require_operands(i, c, 2, 2);
  if (m.form.formatted || m.form.elements != 1)
    c.refuse(i, "reductions of formatted texels or vectors are not supported");
  reducer const reduce = reducer_of(m.operation, m.type);
  if (reduce == nullptr) c.refuse(i, "its type has no such operation");
  std::vector<slot> list;
  operation op = begin(i, i.operands[0], m, c, list);
  op.run = run_reduction;
  op.immediate = reinterpret_cast<std::uint64_t>(reduce);
  append_values(i.operands[1], m, i, c, list);
  finish(op, m.form, std::move(list), c);
}

}  // namespace device::texture_detail
