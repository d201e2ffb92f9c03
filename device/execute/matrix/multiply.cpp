// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/matrix/handlers.hpp>
#include <device/execute/memory/atomic_half.hpp>
#include <device/execute/memory/form.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>

//! mma.sync: D = A B + C for matrices whose elements a warp's registers hold. In all forms that are
//! supported, with
//!   g = lane / 4, q = lane % 4 and p elements in a register,
//! element e of register r is
//!   of A: row g + 8 (r % rows of 8), column p q + e + 4 p (r / rows of 8)
//!   of B: row p q + e + 4 p r, column g
//!   of C, D: element number n of the lane is in row g + 8 (n / 2), column 2 q + n % 2.
//! Products and sums of 16-bit floats are exact to 53 bits and rounded once; a GPU's own sum may
//! differ in its last bits, which PTX leaves open.
namespace device::matrix_detail {
namespace {

using memory_access_detail::bfloat_format;
using memory_access_detail::half_format;

enum class element : std::uint8_t { f16, bf16, tf32, f32, f64, s8, u8, s32 };

std::optional<element> element_of(std::string_view name) {
  using enum element;
  static std::unordered_map<std::string_view, element> const names{
      {"f16", f16}, {"bf16", bf16}, {"tf32", tf32}, {"f32", f32},
      {"f64", f64}, {"s8", s8},     {"u8", u8},     {"s32", s32}};
  auto const found = names.find(name);
  if (found == names.end()) return std::nullopt;
  return found->second;
}

int bits_of(element e) {
  switch (e) {
    case element::f64:
      return 64;
    case element::f16:
    case element::bf16:
      return 16;
    case element::s8:
    case element::u8:
      return 8;
    default:
      return 32;
  }
}
int register_bytes_of(element e) { return e == element::f64 ? 8 : 4; }
int in_register(element e) { return register_bytes_of(e) * 8 / bits_of(e); }

//! The meaning of operation::immediate.
struct shape {
  std::uint8_t rows = 0;   //!< 8 or 16; columns are 8
  std::uint8_t depth = 0;  //!< columns of A
  element d{}, a{}, b{}, c{};
  bool saturate = false;
  std::uint8_t unused = 0;

  [[nodiscard]] int a_registers() const { return rows / 8 * depth / (4 * in_register(a)); }
  [[nodiscard]] int b_registers() const { return depth / (4 * in_register(b)); }
  [[nodiscard]] int c_registers(element e) const { return rows / 8 * 2 / in_register(e); }
};

double value_in(std::uint64_t held, element e, int k) {
  auto const word = static_cast<std::uint32_t>(held);
  switch (e) {
    case element::f16:
      return static_cast<double>(half_format::widen(static_cast<std::uint16_t>(word >> 16 * k)));
    case element::bf16:
      return static_cast<double>(bfloat_format::widen(static_cast<std::uint16_t>(word >> 16 * k)));
    case element::tf32:  // the 13 low bits are not looked at
      return static_cast<double>(std::bit_cast<float>(word & 0xffffe000U));
    case element::f32:
      return static_cast<double>(std::bit_cast<float>(word));
    case element::f64:
      return std::bit_cast<double>(held);
    case element::s8:
      return static_cast<double>(static_cast<std::int8_t>(word >> 8 * k));
    case element::u8:
      return static_cast<double>(static_cast<std::uint8_t>(word >> 8 * k));
    case element::s32:
      return static_cast<double>(static_cast<std::int32_t>(word));
  }
  return 0;
}

std::uint64_t held_by(warp const& w, slot s, element e, int lane) {
  return e == element::f64 ? w.source<std::uint64_t>(s)[lane] : w.source<std::uint32_t>(s)[lane];
}

//! The bits of an element of D.
std::uint64_t bits_from(double v, element e, bool saturate) {
  switch (e) {
    case element::f16:
      return half_format::narrow(static_cast<float>(v));
    case element::f32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(v));
    case element::s32: {
      constexpr double least = std::numeric_limits<std::int32_t>::min();
      constexpr double greatest = std::numeric_limits<std::int32_t>::max();
      if (saturate) v = std::clamp(v, least, greatest);
      return static_cast<std::uint32_t>(static_cast<std::int64_t>(v));
    }
    default:
      return std::bit_cast<std::uint64_t>(v);
  }
}

template <int Rows, int Columns>
using matrix = std::array<std::array<double, Columns>, Rows>;

void run_multiply(warp& w, operation const& op) {
  require_whole_warp(w, "mma");
  auto const s = std::bit_cast<shape>(op.immediate);
  int const high = s.rows / 8;
  slot const* const d = op.list;
  slot const* const a = d + s.c_registers(s.d);
  slot const* const b = a + s.a_registers();
  slot const* const c = b + s.b_registers();
  matrix<16, 32> left{};
  matrix<32, 8> right{};
  matrix<16, 8> sum{};
  auto const index = [](int n) { return static_cast<std::size_t>(n); };
  for (int t = 0; t < lanes; ++t) {
    int const g = t / 4;
    int const q = t % 4;
    int p = in_register(s.a);
    for (int r = 0; r < s.a_registers(); ++r)
      for (int e = 0; e < p; ++e)
        left[index(g + 8 * (r % high))][index(p * q + e + 4 * p * (r / high))] =
            value_in(held_by(w, a[r], s.a, t), s.a, e);
    p = in_register(s.b);
    for (int r = 0; r < s.b_registers(); ++r)
      for (int e = 0; e < p; ++e)
        right[index(p * q + e + 4 * p * r)][index(g)] = value_in(held_by(w, b[r], s.b, t), s.b, e);
    p = in_register(s.c);
    for (int n = 0; n < 2 * high; ++n)
      sum[index(g + 8 * (n / 2))][index(2 * q + n % 2)] =
          value_in(held_by(w, c[n / p], s.c, t), s.c, n % p);
  }
  for (int row = 0; row < s.rows; ++row)
    for (int column = 0; column < 8; ++column) {
      double& total = sum[index(row)][index(column)];
      for (std::size_t k = 0; k < s.depth; ++k) {
        double const x = left[index(row)][k];
        double const y = right[k][index(column)];
        // of fewer bits: the product is exact
        total = s.a == element::f64 ? std::fma(x, y, total) : total + x * y;
      }
    }
  int const p = in_register(s.d);
  for (int t = 0; t < lanes; ++t)
    for (int r = 0; r < s.c_registers(s.d); ++r) {
      std::uint64_t made = 0;
      for (int e = 0; e < p; ++e) {
        int const n = r * p + e;
        double const v = sum[index(t / 4 + 8 * (n / 2))][index(2 * (t % 4) + n % 2)];
        made |= bits_from(v, s.d, s.saturate) << bits_of(s.d) % 64 * e;
      }
      if (s.d == element::f64)
        w.destination<std::uint64_t>(d[r])[t] = made;
      else
        w.destination<std::uint32_t>(d[r])[t] = static_cast<std::uint32_t>(made);
    }
}

//! Rows and depth of "m16n8k8".
bool read_size(std::string_view m, shape& s) {
  std::size_t const k = m.find("n8k");
  if (m.size() < 6 || m[0] != 'm' || k == std::string_view::npos) return false;
  auto const number = [](std::string_view text) {
    int n = 0;
    for (char const c : text) n = c < '0' || c > '9' || n > 25 ? 256 : 10 * n + (c - '0');
    return static_cast<std::uint8_t>(n);  // 0 of what is no number below 256
  };
  s.rows = number(m.substr(1, k - 1));
  s.depth = number(m.substr(k + 3));
  return s.rows != 0 && s.depth != 0;
}

bool is_supported(shape const& s) {
  using enum element;
  bool const bytes = (s.a == s8 || s.a == u8) && (s.b == s8 || s.b == u8);
  if (bytes) {
    bool const sized =
        s.rows == 8 ? s.depth == 16 : s.rows == 16 && (s.depth == 16 || s.depth == 32);
    return sized && s.c == s32 && s.d == s32;
  }
  if (s.a != s.b || s.saturate) return false;
  if (s.a == f64) {
    bool const sized = s.rows == 8
                           ? s.depth == 4
                           : s.rows == 16 && (s.depth == 4 || s.depth == 8 || s.depth == 16);
    return sized && s.c == f64 && s.d == f64;
  }
  if (s.rows != 16) return false;
  if (s.a == tf32) return (s.depth == 4 || s.depth == 8) && s.c == f32 && s.d == f32;
  if (s.a == bf16) return (s.depth == 8 || s.depth == 16) && s.c == f32 && s.d == f32;
  bool const sums = (s.c == f16 || s.c == f32) && (s.d == f16 || s.d == f32);
  return s.a == f16 && (s.depth == 8 || s.depth == 16) && sums;
}

}  // namespace

void build_multiply(ptx::instruction const& i, decode::context& c) {
  shape s;
  std::vector<element> types;
  for (std::string_view const m : i.modifiers) {
    if (m == "sync" || m == "aligned" || m == "row" || m == "col" || read_size(m, s)) continue;
    if (std::optional<element> const e = element_of(m))
      types.push_back(*e);
    else if (m == "satfinite")
      s.saturate = true;
    else
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  if (types.size() != 4) c.refuse(i, "it has not four types that are supported");
  s.d = types[0];
  s.a = types[1];
  s.b = types[2];
  s.c = types[3];
  bool const layout = i.modifiers.size() > 4 && i.modifiers[3] == "row" && i.modifiers[4] == "col";
  if (!layout || !is_supported(s)) c.refuse(i, "this form of mma is not supported");
  memory_access_detail::require_operands(i, c, 4, 4);
  int const counts[4] = {s.c_registers(s.d), s.a_registers(), s.b_registers(), s.c_registers(s.c)};
  element const held[4] = {s.d, s.a, s.b, s.c};
  std::vector<slot> slots;
  for (std::size_t k = 0; k < 4; ++k) {
    std::vector<ptx::operand const*> const registers = registers_of(i.operands[k]);
    if (registers.size() != static_cast<std::size_t>(counts[k]))
      c.refuse(i, "an operand has too few or too many registers");
    for (ptx::operand const* const o : registers)
      slots.push_back(k == 0 ? c.destination(*o, register_bytes_of(held[k]))
                             : c.source(*o, register_bytes_of(held[k])));
  }
  operation op;
  op.kind = instruction_kind::other;
  op.list = c.list(std::move(slots));
  op.immediate = std::bit_cast<std::uint64_t>(s);
  op.run = run_multiply;
  c.emit(op);
}

}  // namespace device::matrix_detail
