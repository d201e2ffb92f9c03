// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/half_math.hpp>
#include <device/execute/texture/sampling.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace device::texture_detail {
namespace {

constexpr std::int64_t outside = -1;

//! The texel that stands for number i of n.
std::int64_t addressed(address_mode mode, std::int64_t i, std::int64_t n) {
  auto const modulo = [](std::int64_t a, std::int64_t m) { return (a % m + m) % m; };
  switch (mode) {
    case address_mode::wrap:
      return modulo(i, n);
    case address_mode::mirror: {
      std::int64_t const k = modulo(i, 2 * n);
      return k < n ? k : 2 * n - 1 - k;
    }
    case address_mode::border:
      return i < 0 || i >= n ? outside : i;
    case address_mode::clamp:
      break;
  }
  return std::clamp(i, std::int64_t{0}, n - 1);
}

//! A coordinate in texels.
double position(double x, bool is_normalized, address_mode mode, std::int64_t n) {
  constexpr double far = 1e12;  // from any texel
  bool const repeats = mode == address_mode::wrap || mode == address_mode::mirror;
  if (std::isnan(x) || (repeats && std::isinf(x))) return 0;
  if (repeats) x = std::fmod(x, 2.0);  // the period of both, exact
  if (is_normalized) x *= static_cast<double>(n);
  return std::clamp(x, -far, far);
}

//! The texels along one dimension, and the second one's part.
struct axis {
  std::array<std::int64_t, 2> texel{0, 0};
  double alpha = 0;
  [[nodiscard]] double weight(int k) const { return k == 0 ? 1 - alpha : alpha; }
};

constexpr double fractions = 256;

axis axis_of(texture_object const& t, std::size_t dimension, place const& p, std::uint64_t size,
             bool filters) {
  auto const n = static_cast<std::int64_t>(size);
  address_mode const mode = t.modes[dimension];
  if (p.is_integer) {
    std::int64_t const i = addressed(mode, p.texel[dimension], n);
    return {{i, i}, 0};
  }
  double const x = position(p.x[dimension], t.normalized_coordinates || t.is_cubemap, mode, n);
  if (!filters) {
    std::int64_t const i = addressed(mode, static_cast<std::int64_t>(std::floor(x)), n);
    return {{i, i}, 0};
  }
  auto const fixed = static_cast<std::int64_t>(std::floor((x - 0.5) * fractions + 0.5));
  auto const first = static_cast<std::int64_t>(std::floor(static_cast<double>(fixed) / fractions));
  double const alpha = static_cast<double>(fixed) / fractions - static_cast<double>(first);
  return {{addressed(mode, first, n), addressed(mode, first + 1, n)}, alpha};
}

//! A cubemap's coordinates as those of a face, which takes the place of a layer.
place on_face(place const& p) {
  auto const [x, y, z] = p.x;
  double const ax = std::fabs(x);
  double const ay = std::fabs(y);
  double const az = std::fabs(z);
  std::uint32_t face = 0;
  double major = 0;
  double s = 0;
  double t = 0;
  if (az >= ax && az >= ay) {
    face = z < 0 ? 5 : 4;
    major = az;
    s = z < 0 ? -x : x;
    t = -y;
  } else if (ay >= ax) {
    face = y < 0 ? 3 : 2;
    major = ay;
    s = x;
    t = y < 0 ? -z : z;
  } else {
    face = x < 0 ? 1 : 0;
    major = ax;
    s = x < 0 ? z : -z;
    t = -y;
  }
  place flat = p;
  flat.x = {(s / major + 1) / 2, (t / major + 1) / 2, 0};
  flat.layer = face;
  return flat;
}

struct axes {
  std::array<axis, 3> along{};
  std::uint64_t layer = 0;
};

axes axes_of(texture_object const& t, geometry g, place const& given, texel_box const& box,
             bool filters) {
  place const p = is_cubemap(g) ? on_face(given) : given;
  axes found;
  found.along[0] = axis_of(t, 0, p, box.width, filters);
  if (g >= geometry::plane) found.along[1] = axis_of(t, 1, p, box.height, filters);
  if (g == geometry::volume) found.along[2] = axis_of(t, 2, p, box.depth, filters);
  std::uint64_t const faces = is_cubemap(g) ? 6 : 1;
  std::uint64_t const last = box.depth / faces == 0 ? 0 : box.depth / faces - 1;
  if (is_layered(g)) found.layer = std::min<std::uint64_t>(given.layer, last) * faces;
  if (is_cubemap(g)) found.layer += p.layer;
  return found;
}

std::uint64_t address_of(texture_object const& t, texel_box const& box, axes const& a,
                         std::int64_t x, std::int64_t y, std::int64_t z) {
  if (x == outside || y == outside || z == outside) return 0;
  return box.begin + static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(t.format.bytes()) +
         static_cast<std::uint64_t>(y) * box.pitch +
         (static_cast<std::uint64_t>(z) + a.layer) * box.slice;
}

void add_level(texture_object const& t, geometry g, place const& p, std::size_t level,
               double weight, taps& into) {
  if (weight == 0) return;
  texel_box const& box = t.levels[level];
  axes const a = axes_of(t, g, p, box, t.filters && !t.format.is_integer());
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 2; ++x) {
        double const part =
            a.along[0].weight(x) * a.along[1].weight(y) * a.along[2].weight(z) * weight;
        if (part == 0) continue;
        auto const k = [&](std::size_t d, int n) {
          return a.along[d].texel[static_cast<std::size_t>(n)];
        };
        into.add(address_of(t, box, a, k(0, x), k(1, y), k(2, z)), part);
      }
}

float decoded_srgb(float encoded) {
  auto const c = static_cast<double>(encoded);
  return static_cast<float>(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
}

std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }

//! One channel's bits as a register has them.
std::uint32_t channel_of(texel_format const& f, std::uint32_t raw) {
  using enum texel_format::number_type;
  if (f.bits == 32) return raw;
  auto const extended = f.bits == 8 ? std::int32_t{static_cast<std::int8_t>(raw)}
                                    : std::int32_t{static_cast<std::int16_t>(raw)};
  auto const greatest = static_cast<float>((1U << (f.bits - 1)) - 1);
  switch (f.numbers) {
    case signed_integer:
      return static_cast<std::uint32_t>(extended);
    case unsigned_integer:
      return raw;
    case floating:
      return bits_of(DEVICE_ISA::math::widened(DEVICE_ISA::f16{static_cast<std::uint16_t>(raw)}));
    case signed_normalized:
      return bits_of(std::max(static_cast<float>(extended) / greatest, -1.0F));
    case unsigned_normalized:
      return bits_of(static_cast<float>(raw) / static_cast<float>((1U << f.bits) - 1));
  }
  return raw;
}

}  // namespace

taps fetch(texture_object const& t, geometry g, place const& p, double level) {
  taps found;
  auto const last = static_cast<double>(t.levels.size() - 1);
  level = std::clamp(std::isnan(level) ? 0 : level, 0.0, last);
  if (!t.filters_levels) {
    add_level(t, g, p, static_cast<std::size_t>(std::floor(level + 0.5)), 1, found);
    return found;
  }
  double const fixed = std::floor(level * fractions + 0.5) / fractions;
  double const first = std::floor(fixed);
  add_level(t, g, p, static_cast<std::size_t>(first), 1 - (fixed - first), found);
  if (fixed > first) add_level(t, g, p, static_cast<std::size_t>(first) + 1, fixed - first, found);
  return found;
}

taps gather(texture_object const& t, geometry g, place const& p) {
  taps found;
  texel_box const& box = t.levels[0];
  axes const a = axes_of(t, g, p, box, true);
  auto const add = [&](std::size_t x, std::size_t y) {
    found.add(address_of(t, box, a, a.along[0].texel[x], a.along[1].texel[y], 0), 1);
  };
  add(0, 1);
  add(1, 1);
  add(1, 0);
  add(0, 0);
  return found;
}

double bounded_level(texture_object const& t, double level) {
  double const biased = (std::isnan(level) ? 0 : level) + static_cast<double>(t.level_bias);
  return std::min(std::max(biased, static_cast<double>(t.min_level)),
                  static_cast<double>(t.max_level));
}

double level_of(texture_object const& t, geometry g, std::array<double, 3> const& dx,
                std::array<double, 3> const& dy) {
  texel_box const& box = t.levels[0];
  std::array<double, 3> const size{static_cast<double>(box.width), static_cast<double>(box.height),
                                   static_cast<double>(box.depth)};
  auto const length = [&](std::array<double, 3> const& d) {
    double sum = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(coordinates_of(g)); ++k) {
      double const step = t.normalized_coordinates ? d[k] * size[k] : d[k];
      sum += step * step;
    }
    return std::sqrt(sum);
  };
  return std::log2(std::max(length(dx), length(dy)));
}

texel read_texel(texture_object const& t, std::uint64_t address) {
  if (address == 0) return t.border;
  texel found{};
  auto const bytes = static_cast<std::size_t>(t.format.bits / 8);
  auto const* const first = reinterpret_cast<std::byte const*>(address);
  for (std::size_t k = 0; k < static_cast<std::size_t>(t.format.channels); ++k) {
    std::uint32_t raw = 0;
    std::memcpy(&raw, first + k * bytes, bytes);
    found[k] = channel_of(t.format, raw);
    if (t.decodes_srgb && k < 3) found[k] = bits_of(decoded_srgb(std::bit_cast<float>(found[k])));
  }
  return found;
}

std::uint32_t stored_channel(texel_format const& f, std::uint32_t bits) {
  using enum texel_format::number_type;
  if (f.bits == 32) return bits;
  auto const greatest = static_cast<std::int64_t>((1U << (f.bits - 1)) - 1);
  std::int64_t const all = 2 * greatest + 1;
  auto const normalized = [&](double least, std::int64_t scale) {
    auto const x = static_cast<double>(std::bit_cast<float>(bits));
    if (std::isnan(x)) return std::uint32_t{0};
    double const scaled = std::nearbyint(std::clamp(x, least, 1.0) * static_cast<double>(scale));
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(scaled));
  };
  switch (f.numbers) {
    case signed_integer:
      return static_cast<std::uint32_t>(
          std::clamp(std::int64_t{static_cast<std::int32_t>(bits)}, -greatest - 1, greatest));
    case unsigned_integer:
      return static_cast<std::uint32_t>(std::min(std::int64_t{bits}, all));
    case floating:
      return DEVICE_ISA::math::narrowed<DEVICE_ISA::f16>(std::bit_cast<float>(bits)).bits;
    case signed_normalized:
      return normalized(-1, greatest);
    case unsigned_normalized:
      return normalized(0, all);
  }
  return bits;
}

texel combine(texture_object const& t, taps const& read) {
  if (read.count == 1) return read_texel(t, read.all[0].address);
  std::array<double, 4> sum{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(read.count); ++k) {
    texel const one = read_texel(t, read.all[k].address);
    for (std::size_t c = 0; c < 4; ++c)
      sum[c] += read.all[k].weight * static_cast<double>(std::bit_cast<float>(one[c]));
  }
  texel result{};
  for (std::size_t c = 0; c < 4; ++c) result[c] = bits_of(static_cast<float>(sum[c]));
  return result;
}

}  // namespace device::texture_detail
