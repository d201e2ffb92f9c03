// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/half_math.hpp>
#include <device/execute/lane/lane_tables.hpp>

// setp and set. operation::flags says how the comparison is combined with the predicate c: 0 not at
// all, 1 and, 2 or, 3 xor.
// setp writes the predicate d and, if there is a list, list[0]. set writes operation::immediate or
// 0 to d.
namespace device::DEVICE_ISA {

namespace {

enum class relation { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };

template <bool, class T>
T value(T a) {
  return a;
}
template <bool Flush>
float value(f16 a) {
  return math::widened(Flush ? math::flushed_half(a) : a);
}
template <bool>
float value(bf16 a) {
  return math::widened(a);
}
template <bool Flush>
float value(float a) {
  return Flush && math::abs(a) < std::numeric_limits<float>::min() ? 0.0F : a;
}

template <relation R, class T>
bool holds(T a, T b) {
  switch (R) {
    case relation::eq:
      return a == b;
    case relation::ne:
      return a < b || a > b;
    case relation::lt:
      return a < b;
    case relation::le:
      return a <= b;
    case relation::gt:
      return a > b;
    case relation::ge:
      return a >= b;
    case relation::equ:
      return !(a < b || a > b);
    case relation::neu:
      return !(a == b);
    case relation::ltu:
      return !(a >= b);
    case relation::leu:
      return !(a > b);
    case relation::gtu:
      return !(a <= b);
    case relation::geu:
      return !(a < b);
    case relation::num:
      return a == a && b == b;
    case relation::nan:
      return a != a || b != b;
  }
}

inline lane_mask combined(warp const& w, operation const& o, lane_mask m) {
  switch (o.flags) {
    case 1:
      return m & w.predicate(o.c);
    case 2:
      return m | w.predicate(o.c);
    case 3:
      return m ^ w.predicate(o.c);
    default:
      return m;
  }
}

//! For which lanes a relation holds, of their lower (half = 0) or upper halves.
using mask_function = lane_mask (*)(warp const&, operation const&, int half);

template <relation R, class T, int PerLane, bool Flush>
[[gnu::noinline]] lane_mask mask(warp const& w, operation const& o, int half) {
  reader<T, PerLane> const a(w, o.a), b(w, o.b);
  lane_mask m = 0;
  for (int t = 0; t < lanes; ++t) {
    int const i = PerLane * t + half;
    m |= holds<R>(value<Flush>(a[i]), value<Flush>(b[i])) ? lane_bit<1>.bit[t] : 0U;
  }
  return m;
}

void set_predicates(warp& w, operation const& o, lane_mask m, lane_mask second) {
  // c may be one of the destinations
  lane_mask const p = combined(w, o, m), q = combined(w, o, second);
  w.set_predicate(o.d, p);
  if (o.list_size != 0) w.set_predicate(o.list[0], q);
}

template <mask_function Mask, int PerLane>
void run_setp(warp& w, operation const& o) {
  lane_mask const m = Mask(w, o, 0);
  if (o.list_size == 0 && o.flags == 0) return w.set_predicate(o.d, m);
  set_predicates(w, o, m, PerLane == 2 ? Mask(w, o, 1) : ~m);
}

template <class D>
void write_values(warp& w, operation const& o, lane_mask m) {
  D* const d = w.destination<D>(o.d);
  auto const yes = static_cast<D>(o.immediate);
#pragma GCC ivdep
  for (int t = 0; t < lanes; ++t) {
    lane_mask const bit = lane_bit<1>.bit[t];
    D const r = (m & bit) != 0 ? yes : D{0};
    d[t] = (w.active & bit) != 0 ? r : d[t];
  }
}
void set_values(warp& w, operation const& o, lane_mask m) {
  switch (o.bytes) {
    case 2:
      return write_values<std::uint16_t>(w, o, m);
    case 4:
      return write_values<std::uint32_t>(w, o, m);
    default:
      return write_values<std::uint64_t>(w, o, m);
  }
}
void set_halves(warp& w, operation const& o, lane_mask low, lane_mask high) {
  auto* const d = w.destination<std::uint32_t>(o.d);
  auto const yes = static_cast<std::uint32_t>(o.immediate & 0xffff);
  w.each_active(
      [&](int t) { d[t] = (((low >> t) & 1) * yes) | (((high >> t) & 1) * (yes << 16)); });
}

template <mask_function Mask, int PerLane>
void run_set(warp& w, operation const& o) {
  lane_mask const m = combined(w, o, Mask(w, o, 0));
  if constexpr (PerLane == 2)
    set_halves(w, o, m, combined(w, o, Mask(w, o, 1)));
  else
    set_values(w, o, m);
}

template <relation R, class T, int PerLane = 1, bool Flush = false>
constexpr row compare_row(char const* name) {
  constexpr mask_function mask_of = mask<R, T, PerLane, Flush>;
  bool const is_setp = name[3] == 'p';
  row r{name, is_setp ? run_setp<mask_of, PerLane> : run_set<mask_of, PerLane>,
        instruction_kind::predicate};
  r.sources = 2;
  r.source[0] = r.source[1] = {sizeof(T) * PerLane, std::is_floating_point_v<T>};
  return r;
}

#define DEVICE_BOTH(relation_name, suffix, ...)           \
  compare_row<__VA_ARGS__>("setp." relation_name suffix), \
      compare_row<__VA_ARGS__>("set." relation_name suffix)
#define DEVICE_EQUAL(suffix, type) \
  DEVICE_BOTH("eq", suffix, relation::eq, type), DEVICE_BOTH("ne", suffix, relation::ne, type)
#define DEVICE_ORDERED(suffix, ...)                         \
  DEVICE_BOTH("eq", suffix, relation::eq, __VA_ARGS__),     \
      DEVICE_BOTH("ne", suffix, relation::ne, __VA_ARGS__), \
      DEVICE_BOTH("lt", suffix, relation::lt, __VA_ARGS__), \
      DEVICE_BOTH("le", suffix, relation::le, __VA_ARGS__), \
      DEVICE_BOTH("gt", suffix, relation::gt, __VA_ARGS__), \
      DEVICE_BOTH("ge", suffix, relation::ge, __VA_ARGS__)
#define DEVICE_UNSIGNED(suffix, type)                                          \
  DEVICE_ORDERED(suffix, type), DEVICE_BOTH("lo", suffix, relation::lt, type), \
      DEVICE_BOTH("ls", suffix, relation::le, type),                           \
      DEVICE_BOTH("hi", suffix, relation::gt, type), DEVICE_BOTH("hs", suffix, relation::ge, type)
#define DEVICE_FLOATING(suffix, ...)                                                           \
  DEVICE_ORDERED(suffix, __VA_ARGS__), DEVICE_BOTH("equ", suffix, relation::equ, __VA_ARGS__), \
      DEVICE_BOTH("neu", suffix, relation::neu, __VA_ARGS__),                                  \
      DEVICE_BOTH("ltu", suffix, relation::ltu, __VA_ARGS__),                                  \
      DEVICE_BOTH("leu", suffix, relation::leu, __VA_ARGS__),                                  \
      DEVICE_BOTH("gtu", suffix, relation::gtu, __VA_ARGS__),                                  \
      DEVICE_BOTH("geu", suffix, relation::geu, __VA_ARGS__),                                  \
      DEVICE_BOTH("num", suffix, relation::num, __VA_ARGS__),                                  \
      DEVICE_BOTH("nan", suffix, relation::nan, __VA_ARGS__)

constexpr row rows[] = {
    DEVICE_EQUAL(".b16", std::uint16_t),
    DEVICE_EQUAL(".b32", std::uint32_t),
    DEVICE_EQUAL(".b64", std::uint64_t),
    DEVICE_ORDERED(".s16", std::int16_t),
    DEVICE_ORDERED(".s32", std::int32_t),
    DEVICE_ORDERED(".s64", std::int64_t),
    DEVICE_UNSIGNED(".u16", std::uint16_t),
    DEVICE_UNSIGNED(".u32", std::uint32_t),
    DEVICE_UNSIGNED(".u64", std::uint64_t),
    DEVICE_FLOATING(".f32", float),
    DEVICE_FLOATING(".ftz.f32", float, 1, true),
    DEVICE_FLOATING(".f64", double),
    DEVICE_FLOATING(".f16", f16),
    DEVICE_FLOATING(".ftz.f16", f16, 1, true),
    DEVICE_FLOATING(".bf16", bf16),
    DEVICE_FLOATING(".f16x2", f16, 2),
    DEVICE_FLOATING(".ftz.f16x2", f16, 2, true),
    DEVICE_FLOATING(".bf16x2", bf16, 2),
};

}  // namespace

row_list compare_rows() { return {rows, sizeof rows / sizeof rows[0]}; }

}  // namespace device::DEVICE_ISA
