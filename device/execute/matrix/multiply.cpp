// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/matrix/element.hpp>
#include <device/execute/matrix/handlers.hpp>
#include <device/execute/matrix/sparse.hpp>
#include <device/execute/memory/form.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <string>

//! mma.sync and mma.sp: D = A B + C for matrices whose elements a warp's registers hold, as
//! mmm::gpu::mma says. They hold half of the elements of a sparse A, as those of an A of half the
//! depth; operation::a is its metadata, flags its selector and, in bit 2, whether it is ordered.
//! Products and sums of 16-bit floats are exact to 53 bits and rounded once; a GPU's own sum may
//! differ in its last bits, which PTX leaves open.
namespace device::matrix_detail {
namespace {

//! Treatment of the products and of the sum.
enum class variant : std::uint8_t { plain, saturate, popc_of_xor, popc_of_and };

//! The meaning of operation::immediate.
struct shape {
  std::uint8_t rows = 0;  //!< 8 or 16; columns are 8
  variant how = variant::plain;
  std::uint8_t fours = 0;  //!< columns of A, in fours
  bool sparse = false;
  data_type d{}, a{}, b{}, c{};

  [[nodiscard]] int depth() const { return 4 * fours; }
  //! Elements that are stored of a row of A: the depth of the dense shape with as many registers.
  [[nodiscard]] int stored() const { return sparse ? depth() / 2 : depth(); }
  [[nodiscard]] fragment_form operand(data_type t, int of_rows, int columns) const {
    // 32 bits of a row are in a register, as one element of so many bits would be
    if (t == data_type::b1) return {of_rows, columns / 32, 32, 1};
    int const bits = mmm::gpu::detail::operand_bits(t, stored());
    return {of_rows, columns, bits, mmm::gpu::detail::packed_elements(bits)};
  }
  [[nodiscard]] fragment_form left() const { return operand(a, rows, stored()); }
  //! B, with a row for each column of the product.
  [[nodiscard]] fragment_form right() const { return operand(b, 8, depth()); }
  [[nodiscard]] fragment_form sum(data_type t) const { return {rows, 8, mmm::gpu::bits_of(t), 2}; }
};

//! The registers of an operation's result and operands, which its list has one after the other.
struct operand_registers {
  slot const* d;
  slot const* a;
  slot const* b;
  slot const* c;
  operand_registers(operation const& op, shape const& s)
      : d(op.list),
        a(d + s.sum(s.d).registers()),
        b(a + s.left().registers()),
        c(b + s.right().registers()) {}
};

template <int Rows, int Columns>
using matrix = std::array<std::array<double, Columns>, Rows>;

template <bool Sparse>
void run_multiply(warp& w, operation const& op) {
  require_whole_warp(w, "mma");
  auto const s = std::bit_cast<shape>(op.immediate);
  auto const [d, a, b, c] = operand_registers(op, s);
  matrix<16, 64> left;
  matrix<8, Sparse ? 128 : 64> right;
  matrix<16, 8> sum;
  stored_columns columns;
  if constexpr (Sparse)
    columns = columns_of(w, op, "mma.sp", {s.a, s.depth()}, op.a, op.flags & 3, op.flags >= 4);
  auto const into = [](auto& m) {
    return [&m](int row, int column, double v) {
      m[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = v;
    };
  };
  each_value(w, s.left(), s.a, a, into(left));
  each_value(w, s.right(), s.b, b, into(right));
  each_value(w, s.sum(s.c), s.c, c, into(sum));
  for (std::size_t row = 0; row < s.rows; ++row)
    for (std::size_t column = 0; column < 8; ++column) {
      double& total = sum[row][column];
      for (std::size_t k = 0; k < static_cast<std::size_t>(s.stored()); ++k) {
        double const x = left[row][k];
        double const y = right[column][Sparse ? columns[row][k] : k];
        // of fewer bits: the product is exact
        total = s.a == data_type::f64 ? std::fma(x, y, total) : total + x * y;
      }
    }
  write_values(w, s.sum(s.d), s.d, s.how == variant::saturate, d, [&](int row, int column) {
    return sum[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
  });
}

//! Multiplies matrices of single bits: adds the number of bits that are set in `x ^ y` or `x & y`
//! of a row x of A and a column y of B.
void run_multiply_bits(warp& w, operation const& op) {
  require_whole_warp(w, "mma");
  auto const s = std::bit_cast<shape>(op.immediate);
  auto const [d, a, b, c] = operand_registers(op, s);
  matrix<16, 8> left;
  matrix<8, 8> right;
  matrix<16, 8> sum;
  auto const read = [&](fragment_form const& form, slot const* registers, auto& to) {
    each_element(form, [&](int lane, int e, int row, int column) {
      to[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] =
          w.source<std::uint32_t>(registers[e])[lane];
    });
  };
  read(s.left(), a, left);
  read(s.right(), b, right);
  each_value(w, s.sum(s.c), s.c, c, [&](int row, int column, double v) {
    sum[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = v;
  });
  for (std::size_t row = 0; row < s.rows; ++row)
    for (std::size_t column = 0; column < 8; ++column)
      for (std::size_t k = 0; k < s.fours / 8U; ++k) {
        auto const x = static_cast<std::uint32_t>(left[row][k]);
        auto const y = static_cast<std::uint32_t>(right[column][k]);
        sum[row][column] += std::popcount(s.how == variant::popc_of_xor ? x ^ y : x & y);
      }
  write_values(w, s.sum(s.d), s.d, false, d, [&](int row, int column) {
    return sum[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
  });
}

//! Rows and depth of "m16n8k8".
bool read_size(std::string_view m, shape& s) {
  std::size_t const k = m.find("n8k");
  if (m.size() < 6 || m[0] != 'm' || k == std::string_view::npos) return false;
  auto const number = [](std::string_view text) {
    int n = 0;
    for (char const c : text) n = c < '0' || c > '9' || n > 25 ? 0 : 10 * n + (c - '0');
    return n;
  };
  s.rows = static_cast<std::uint8_t>(number(m.substr(1, k - 1)));
  int const depth = number(m.substr(k + 3));
  s.fours = static_cast<std::uint8_t>(depth / 4);
  return s.rows != 0 && s.fours != 0 && depth % 4 == 0;
}

//! True if the library knows the shape and the types (mmm::gpu::mma), but for the shapes of 4 bits
//! that scale blocks. A sparse shape is as deep as two of a dense one of the same types.
bool is_supported(shape const& s) {
  using enum data_type;
  int const depth = s.stored();
  if (s.a == e2m1 && depth == 64) return false;
  if ((s.a == b1) != (s.how >= variant::popc_of_xor)) return false;
  if (mmm::gpu::detail::mma_capability(s.rows, 8, depth, s.a, s.b) == 0) return false;
  bool const of_8_bits = mmm::gpu::is_floating(s.a) && mmm::gpu::bits_of(s.a) <= 8;
  if (s.sparse && (s.rows != 16 || s.a == f64 || s.a == b1 || (of_8_bits && depth != 32)))
    return false;
  if (s.how == variant::saturate && s.c != s32) return false;
  bool const may_differ = s.a == f16;  // the type of D from that of C
  return mmm::gpu::detail::accumulates(s.a, s.c) && mmm::gpu::detail::accumulates(s.a, s.d) &&
         (may_differ || s.c == s.d);
}

}  // namespace

void build_multiply(ptx::instruction const& i, decode::context& c) {
  shape s;
  std::string layout;
  std::vector<data_type> types;
  bool ordered = false;
  for (std::string_view const m : i.modifiers) {
    // kind::f8f6f4 announces types of 8 bits and fewer, which are written anyway.
    if (m == "sync" || m == "aligned" || m == "kind::f8f6f4" || read_size(m, s)) continue;
    if (m == "row" || m == "col")
      layout += m;
    else if (m == "sp" || m == "sp::ordered_metadata") {
      s.sparse = true;
      ordered = m != "sp";
    } else if (std::optional<data_type> const e = type_of(m))
      types.push_back(*e);
    else if (m == "satfinite")
      s.how = variant::saturate;
    else if (m == "xor" || m == "and")
      s.how = m == "xor" ? variant::popc_of_xor : variant::popc_of_and;
    else if (m == "popc" && s.how >= variant::popc_of_xor)
      continue;
    else
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  if (types.size() != 4) c.refuse(i, "it has not four types that are supported");
  s.d = types[0];
  s.a = types[1];
  s.b = types[2];
  s.c = types[3];
  if (layout != "rowcol" || !is_supported(s)) c.refuse(i, "this form of mma is not supported");
  std::size_t const operands = s.sparse ? 6 : 4;
  memory_access_detail::require_operands(i, c, operands, operands);
  fragment_form const forms[4] = {s.sum(s.d), s.left(), s.right(), s.sum(s.c)};
  std::vector<slot> slots;
  for (std::size_t k = 0; k < 4; ++k) {
    std::vector<ptx::operand const*> const registers = registers_of(i.operands[k]);
    if (registers.size() != static_cast<std::size_t>(forms[k].registers()))
      c.refuse(i, "an operand has too few or too many registers");
    int const bytes = forms[k].register_bytes();
    for (ptx::operand const* const o : registers)
      slots.push_back(k == 0 ? c.destination(*o, bytes) : c.source(*o, bytes));
  }
  operation op;
  op.kind = instruction_kind::other;
  op.list = c.list(std::move(slots));
  op.immediate = std::bit_cast<std::uint64_t>(s);
  op.run = s.a == data_type::b1 ? run_multiply_bits
           : s.sparse           ? run_multiply<true>
                                : run_multiply<false>;
  if (s.sparse) {
    op.a = c.source(i.operands[4], 4);
    op.flags = static_cast<std::uint8_t>(selector_of(i.operands[5], {s.a, s.depth()}, i, c) |
                                         (ordered ? 4 : 0));
  }
  c.emit(op);
}

}  // namespace device::matrix_detail
