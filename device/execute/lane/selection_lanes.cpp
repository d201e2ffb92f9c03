// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/lane_tables.hpp>
#include <device/execute/lane/lanewise.hpp>

#include <limits>

// mov of whole values, selp, slct.
namespace device::DEVICE_ISA {

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <class T>
T copy(T a) {
  return a;
}
template <class T>
T select(T a, T b, bool c) {
  return c ? a : b;
}
template <class T>
T select_by_sign(T a, T b, std::int32_t c) {
  return c >= 0 ? a : b;
}
template <class T>
T select_by_number(T a, T b, float c) {
  return c >= 0 ? a : b;
}
template <class T>
T select_by_flushed(T a, T b, float c) {
  return c > -std::numeric_limits<float>::min() ? a : b;
}

void copy_predicate(warp& w, operation const& o) { w.set_predicate(o.d, w.predicate(o.a)); }

//! A row of integers whose literals are floating: its values are bits, and NaN stays what it is.
template <auto F, int Values>
constexpr row floating_row(char const* name, instruction_kind kind) {
  row r = row_of<F>(name, kind);
  for (int i = 0; i < Values; ++i) r.source[i].floating = true;
  return r;
}
constexpr row predicate_copy() {
  row r{"mov.pred", copy_predicate, instruction_kind::predicate};
  r.sources = 1;
  return r;
}

constexpr instruction_kind kind = instruction_kind::move;

#define DEVICE_WIDTH(name, rest, f, bits)                                     \
  row_of<f>(name ".b" bits rest, kind), row_of<f>(name ".u" bits rest, kind), \
      row_of<f>(name ".s" bits rest, kind)
#define DEVICE_ALL(name, rest, f, values)                                         \
  DEVICE_WIDTH(name, rest, f<u16>, "16"), DEVICE_WIDTH(name, rest, f<u32>, "32"), \
      DEVICE_WIDTH(name, rest, f<u64>, "64"),                                     \
      floating_row<f<u32>, values>(name ".f32" rest, kind),                       \
      floating_row<f<u64>, values>(name ".f64" rest, kind)

constexpr row rows[] = {
    DEVICE_ALL("mov", "", copy, 1),
    row_of<copy<two_words>>("mov.b128", kind),
    predicate_copy(),
    DEVICE_ALL("selp", "", select, 2),
    DEVICE_ALL("slct", ".s32", select_by_sign, 2),
    DEVICE_ALL("slct", ".f32", select_by_number, 2),
    DEVICE_ALL("slct.ftz", ".f32", select_by_flushed, 2),
};

}  // namespace

row_list select_rows() { return {rows, sizeof rows / sizeof rows[0]}; }

}  // namespace device::DEVICE_ISA
