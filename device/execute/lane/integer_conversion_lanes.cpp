// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/lane_tables.hpp>
#include <device/execute/lane/lanewise.hpp>

#include <limits>

// cvt between integers. operation::bytes is the size of the destination register, into which the
// result is extended.
namespace device::DEVICE_ISA {

namespace {

//! The type in which values of a type are stored: 8 bits in 16.
template <class T>
using register_type = std::conditional_t<sizeof(T) == 1, std::int16_t, T>;

template <class S, class D>
D clamped(S v) {
  using limits = std::numeric_limits<D>;
  if (std::cmp_less(v, limits::min())) return limits::min();
  return std::cmp_greater(v, limits::max()) ? limits::max() : static_cast<D>(v);
}

template <class S, class D, class R, bool Saturate>
R converted(register_type<S> value) {
  auto const v = static_cast<S>(value);
  return static_cast<R>(Saturate ? clamped<S, D>(v) : static_cast<D>(v));
}

template <class S, class D, bool Saturate>
void run_wide(warp& w, operation const& o) {
  switch (o.bytes) {
    case 2:
      return lanewise<&converted<S, D, std::int16_t, Saturate>>::run(w, o);
    case 4:
      return lanewise<&converted<S, D, std::int32_t, Saturate>>::run(w, o);
    default:
      return lanewise<&converted<S, D, std::int64_t, Saturate>>::run(w, o);
  }
}

template <class S, class D>
void run(warp& w, operation const& o) {
  if (o.immediate != 0) return run_wide<S, D, true>(w, o);
  if (o.bytes == sizeof(register_type<D>))
    return lanewise<&converted<S, D, register_type<D>, false>>::run(w, o);
  run_wide<S, D, false>(w, o);
}

using ptx::scalar;
#define DEVICE_TO(to, value) {scalar::to, scalar::value, run<value, to>}
#define DEVICE_FROM(value)                                                                  \
  DEVICE_TO(s8, value), DEVICE_TO(u8, value), DEVICE_TO(s16, value), DEVICE_TO(u16, value), \
      DEVICE_TO(s32, value), DEVICE_TO(u32, value), DEVICE_TO(s64, value), DEVICE_TO(u64, value)

using s8 = std::int8_t;
using u8 = std::uint8_t;
using s16 = std::int16_t;
using u16 = std::uint16_t;
using s32 = std::int32_t;
using u32 = std::uint32_t;
using s64 = std::int64_t;
using u64 = std::uint64_t;

constexpr conversion all[] = {
    DEVICE_FROM(s8),  DEVICE_FROM(u8),  DEVICE_FROM(s16), DEVICE_FROM(u16),
    DEVICE_FROM(s32), DEVICE_FROM(u32), DEVICE_FROM(s64), DEVICE_FROM(u64),
};

}  // namespace

conversion_list integer_conversions() { return {all, sizeof all / sizeof all[0]}; }

}  // namespace device::DEVICE_ISA
