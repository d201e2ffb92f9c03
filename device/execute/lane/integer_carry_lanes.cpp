// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/lane_tables.hpp>
#include <device/execute/lane/lanewise.hpp>

// Sums that read or write the carry flag, which is a predicate in operation::list[0].
namespace device::DEVICE_ISA {

namespace {

enum class term { sum, difference, low_product, high_product };

template <class T, term What>
struct carried {
  static constexpr bool is_product = What == term::low_product || What == term::high_product;
  using product = std::conditional_t<
      std::is_same_v<T, std::uint32_t>, std::uint64_t,
      std::conditional_t<std::is_same_v<T, std::int32_t>, std::int64_t,
                         std::conditional_t<std::is_same_v<T, std::uint64_t>, uint128, int128>>>;
  using word = raw<T>;

  template <bool In, bool Out>
  static void run(warp& w, operation const& o) {
    word const *a = w.source<word>(o.a), *b = w.source<word>(o.b),
               *c = is_product ? w.source<word>(o.c) : b;
    word* const d = w.destination<word>(o.d);
    lane_mask const in = In ? w.predicate(o.list[0]) : 0;
    lane_mask out = 0;
#pragma GCC ivdep
    for (int t = 0; t < lanes; ++t) {
      lane_mask const bit = lane_bit<1>.bit[t];
      // After a difference the flag says that nothing was borrowed, as nvcc's own division of 128
      // bits expects.
      word const carry = In && ((in & bit) != 0) == (What != term::difference) ? 1 : 0;
      word x = a[t];
      word const y = c[t];
      if constexpr (is_product) {
        product const p = product{static_cast<T>(a[t])} * product{static_cast<T>(b[t])};
        x = static_cast<word>(What == term::low_product ? p : p >> (8 * sizeof(T)));
      }
      word r;
      bool carries;
      if constexpr (What == term::difference) {
        r = x - y - carry;
        carries = x < y || (carry != 0 && x == y);
      } else {
        r = x + y + carry;
        carries = r < x || (carry != 0 && r == x);
      }
      out |= carries == (What != term::difference) ? bit : 0U;
      d[t] = (w.active & bit) != 0 ? r : d[t];
    }
    if constexpr (Out) w.set_predicate(o.list[0], out);
  }
};

template <class T, term What, bool In, bool Out>
constexpr row carry_row(char const* name) {
  using family = carried<T, What>;
  row r{name, &family::template run<In, Out>, instruction_kind::integer};
  r.carry = true;
  r.sources = family::is_product ? 3 : 2;
  r.d = r.source[0] = r.source[1] = {sizeof(T), false};
  if (family::is_product) r.source[2] = r.d;
  return r;
}

#define DEVICE_TYPES(name, action, in, out)                         \
  carry_row<std::uint32_t, term::action, in, out>(name ".u32"),     \
      carry_row<std::int32_t, term::action, in, out>(name ".s32"),  \
      carry_row<std::uint64_t, term::action, in, out>(name ".u64"), \
      carry_row<std::int64_t, term::action, in, out>(name ".s64")
#define DEVICE_FAMILY(first, next, rest, action)       \
  DEVICE_TYPES(first rest ".cc", action, false, true), \
      DEVICE_TYPES(next rest, action, true, false),    \
      DEVICE_TYPES(next rest ".cc", action, true, true)

constexpr row rows[] = {
    DEVICE_FAMILY("add", "addc", "", sum),
    DEVICE_FAMILY("sub", "subc", "", difference),
    DEVICE_FAMILY("mad", "madc", ".lo", low_product),
    DEVICE_FAMILY("mad", "madc", ".hi", high_product),
};

}  // namespace

row_list integer_carry_rows() { return {rows, sizeof rows / sizeof rows[0]}; }

}  // namespace device::DEVICE_ISA
