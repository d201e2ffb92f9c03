// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/matrix/element.hpp>
#include <device/execute/matrix/handlers.hpp>
#include <device/execute/memory/form.hpp>
#include <device/execute/memory/request.hpp>
#include <device/execute/memory/values.hpp>
#include <device/memory/weak_memory.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

//! wmma: matrices in a warp's registers, at places that PTX leaves open. Here they are those of
//! mma's fragments. A load or store is one of 4 bytes for each register where neighbours in a
//! register are neighbours in memory, otherwise one for each element.
namespace device::matrix_detail {
namespace {

using namespace memory_access_detail;

//! The meaning of operation::immediate.
struct wmma_shape {
  std::uint8_t m = 0, n = 0, k = 0;
  data_type type{};         //!< of A and B, or of the matrix that is loaded or stored
  data_type c{}, d{};       //!< of a product
  bool transposed = false;  //!< neighbours in a fragment's row are not neighbours in memory
  bool saturate = false;

  [[nodiscard]] fragment_form left() const { return operand(m); }
  [[nodiscard]] fragment_form right() const { return operand(n); }
  [[nodiscard]] fragment_form sum(data_type t) const { return {m, n, mmm::gpu::bits_of(t), 2}; }

 private:
  [[nodiscard]] fragment_form operand(int rows) const {
    int const bits = mmm::gpu::bits_of(type);
    return {rows, k, bits, mmm::gpu::detail::packed_elements(bits)};
  }
};

//! operation::bytes: the matrix.
enum class matrix_name : std::uint8_t { a, b, sum };

fragment_form form_of(wmma_shape const& s, matrix_name m) {
  return m == matrix_name::a ? s.left() : m == matrix_name::b ? s.right() : s.sum(s.type);
}

//! Registers that a matrix has: A and B of f16 take 8 in any shape, some of them copies.
int registers_with_copies(fragment_form const& f, data_type t, matrix_name m) {
  return m != matrix_name::sum && t == data_type::f16 ? 8 : f.registers();
}

//! `f(first element, elements, request)` for each request of a load or store, located.
template <class F>
void each_request(warp& w, operation const& op, access_kind kind, F const& f) {
  auto const s = std::bit_cast<wmma_shape>(op.immediate);
  fragment_form const form = form_of(s, static_cast<matrix_name>(op.bytes));
  int const element_bytes = form.bits / 8;
  // Neighbours of a group are in one register only if it holds several.
  int const together = s.transposed ? 1 : std::min(form.packed, form.in_register());
  std::uint64_t base[lanes];
  addresses_of(w, {op.list[0], op.list[1]}, (op.flags & base_of_4_bytes) != 0, base);
  auto const* const stride = w.source<std::uint32_t>(op.b);
  std::vector<request> requests(static_cast<std::size_t>(form.elements() / together));
  each_element(form, [&](int lane, int e, int row, int column) {
    if (e % together != 0) return;
    auto const outer = static_cast<std::uint64_t>(s.transposed ? column : row);
    auto const inner = static_cast<std::uint64_t>(s.transposed ? row : column);
    requests[static_cast<std::size_t>(e / together)].address[lane] =
        base[lane] + (outer * stride[lane] + inner) * static_cast<std::uint64_t>(element_bytes);
  });
  int const bytes = together * element_bytes;
  for (std::size_t k = 0; k < requests.size(); ++k) {
    request& r = requests[k];
    locate_given(w, op, op.where, kind, bytes, all_lanes, r);
    notify(w, op, kind, bytes, all_lanes, r);
    if (w.of_block->weak != nullptr)
      for (int t = 0; t < lanes; ++t)
        w.of_block->weak->settle(w.of_block->number, thread_number(w, t), r.pointer[t], bytes);
    f(static_cast<int>(k) * together, bytes, r);
  }
}

void run_wmma_load(warp& w, operation const& op) {
  require_whole_warp(w, "wmma");
  auto const s = std::bit_cast<wmma_shape>(op.immediate);
  fragment_form const form = form_of(s, static_cast<matrix_name>(op.bytes));
  slot const* const registers = op.list + 2;
  each_request(w, op, access_kind::read, [&](int e, int bytes, request const& r) {
    slot const to = registers[e / form.in_register()];
    auto const offset = static_cast<std::size_t>(e % form.in_register() * form.bits / 8);
    auto const width = static_cast<std::size_t>(form.register_bytes());
    for (std::size_t t = 0; t < lanes; ++t)
      std::memcpy(w.destination<std::byte>(to) + width * t + offset, r.pointer[t],
                  static_cast<std::size_t>(bytes));
  });
  for (int k = form.registers(); k < op.list_size - 2; ++k)
    std::copy_n(w.source<std::uint32_t>(registers[k % form.registers()]), lanes,
                w.destination<std::uint32_t>(registers[k]));
}

void run_wmma_store(warp& w, operation const& op) {
  require_whole_warp(w, "wmma");
  auto const s = std::bit_cast<wmma_shape>(op.immediate);
  fragment_form const form = form_of(s, static_cast<matrix_name>(op.bytes));
  each_request(w, op, access_kind::write, [&](int e, int bytes, request const& r) {
    slot const value = op.list[2 + e / form.in_register()];
    auto const offset = static_cast<std::size_t>(e % form.in_register() * form.bits / 8);
    auto const width = static_cast<std::size_t>(form.register_bytes());
    for (std::size_t t = 0; t < lanes; ++t)
      std::memcpy(r.pointer[t], w.source<std::byte>(value) + width * t + offset,
                  static_cast<std::size_t>(bytes));
  });
  note_change(w);
}

void run_wmma(warp& w, operation const& op) {
  require_whole_warp(w, "wmma");
  auto const s = std::bit_cast<wmma_shape>(op.immediate);
  slot const* const d = op.list;
  slot const* const a = d + s.sum(s.d).registers();
  slot const* const b = a + registers_with_copies(s.left(), s.type, matrix_name::a);
  slot const* const c = b + registers_with_copies(s.right(), s.type, matrix_name::b);
  std::array<std::array<double, 16>, 32> left;
  std::array<std::array<double, 16>, 32> right;
  std::array<std::array<double, 32>, 32> sum;
  auto const into = [](auto& m) {
    return [&m](int row, int column, double v) {
      m[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = v;
    };
  };
  each_value(w, s.left(), s.type, a, into(left));
  each_value(w, s.right(), s.type, b, into(right));
  each_value(w, s.sum(s.c), s.c, c, into(sum));
  for (std::size_t row = 0; row < s.m; ++row)
    for (std::size_t column = 0; column < s.n; ++column)
      for (std::size_t k = 0; k < s.k; ++k)
        sum[row][column] = std::fma(left[row][k], right[column][k], sum[row][column]);
  write_values(w, s.sum(s.d), s.d, s.saturate, d, [&](int row, int column) {
    return sum[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
  });
}

//! "m16n16k16"; 0 in `m` for a shape that wmma does not have.
bool read_wmma_size(std::string_view name, wmma_shape& s) {
  struct known {
    std::string_view name;
    std::uint8_t m, n, k;
  };
  static constexpr known sizes[] = {{"m16n16k16", 16, 16, 16},
                                    {"m32n8k16", 32, 8, 16},
                                    {"m8n32k16", 8, 32, 16},
                                    {"m16n16k8", 16, 16, 8},
                                    {"m8n8k4", 8, 8, 4}};
  for (known const& x : sizes)
    if (x.name == name) {
      s.m = x.m;
      s.n = x.n;
      s.k = x.k;
      return true;
    }
  return false;
}

bool is_wmma_type(wmma_shape const& s, data_type t) {
  using enum data_type;
  if (s.k == 4) return t == f64;
  if (s.k == 8) return t == tf32;
  return t == f16 || t == bf16 || t == s8 || t == u8;
}

void build_wmma_move(ptx::instruction const& i, decode::context& c, bool stores) {
  wmma_shape s;
  operation op;
  op.kind = stores ? instruction_kind::store : instruction_kind::load;
  matrix_name matrix = matrix_name::sum;
  bool row = false;
  bool typed = false;
  for (std::string_view const m : i.modifiers) {
    if (read_wmma_size(m, s)) continue;
    if (m == "a" || m == "b")
      matrix = m == "a" ? matrix_name::a : matrix_name::b;
    else if (m == "row")
      row = true;
    else if (m == "shared" || m == "shared::cta")
      op.where = space::shared;
    else if (m == "global")
      op.where = space::global;
    else if (auto const t = type_of(m)) {
      s.type = *t;
      typed = true;
    } else if (m != "load" && m != "store" && m != "c" && m != "d" && m != "col" && m != "sync" &&
               m != "aligned")
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  using enum data_type;
  bool const of_sum = s.type == f16 || s.type == f32 || s.type == f64 || s.type == s32;
  if (s.m == 0 || !typed || !(matrix == matrix_name::sum ? of_sum : is_wmma_type(s, s.type)))
    c.refuse(i, "this form of wmma is not supported");
  // B's fragment has a row for each column.
  s.transposed = row == (matrix == matrix_name::b);
  require_operands(i, c, 2, 3);
  other_address const address =
      other_address_of(op, base_of_4_bytes, i.operands[stores ? 0 : 1], c);
  fragment_form const form = form_of(s, matrix);
  std::vector<slot> slots{address.base, address.offset};
  std::vector<ptx::operand const*> const registers = registers_of(i.operands[stores ? 1 : 0]);
  if (registers.size() != static_cast<std::size_t>(registers_with_copies(form, s.type, matrix)))
    c.refuse(i, "it has too few or too many registers");
  for (ptx::operand const* const o : registers)
    slots.push_back(stores ? c.source(*o, form.register_bytes())
                           : c.destination(*o, form.register_bytes()));
  if (i.operands.size() == 3) {
    op.b = c.source(i.operands[2], 4);
  } else {
    int const inner = s.transposed ? form.rows : form.columns;
    op.b = c.constant(static_cast<std::uint64_t>(inner), 4);
  }
  op.bytes = static_cast<std::uint8_t>(matrix);
  op.list_size = static_cast<std::uint8_t>(slots.size());
  op.list = c.list(std::move(slots));
  op.immediate = std::bit_cast<std::uint64_t>(s);
  op.run = stores ? run_wmma_store : run_wmma_load;
  c.emit(op);
}

}  // namespace

void build_wmma(ptx::instruction const& i, decode::context& c) {
  if (i.has("load") || i.has("store")) return build_wmma_move(i, c, i.has("store"));
  wmma_shape s;
  std::vector<data_type> types;
  for (std::string_view const m : i.modifiers) {
    if (read_wmma_size(m, s)) continue;
    if (auto const t = type_of(m))
      types.push_back(*t);
    else if (m == "satfinite")
      s.saturate = true;
    else if (m != "mma" && m != "sync" && m != "aligned" && m != "row" && m != "col" && m != "rn")
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  using enum data_type;
  // `.d.c` of f16, otherwise `.d.a.b.c`
  if (types.size() == 2) types = {types[0], f16, f16, types[1]};
  if (s.m == 0 || types.size() != 4 || types[1] != types[2] || !is_wmma_type(s, types[1]))
    c.refuse(i, "this form of wmma is not supported");
  s.d = types[0];
  s.type = types[1];
  s.c = types[3];
  if (!mmm::gpu::detail::accumulates(s.type, s.c) || !mmm::gpu::detail::accumulates(s.type, s.d))
    c.refuse(i, "this form of wmma is not supported");
  require_operands(i, c, 4, 4);
  fragment_form const forms[4] = {s.sum(s.d), s.left(), s.right(), s.sum(s.c)};
  int const counts[4] = {
      forms[0].registers(), registers_with_copies(forms[1], s.type, matrix_name::a),
      registers_with_copies(forms[2], s.type, matrix_name::b), forms[3].registers()};
  std::vector<slot> slots;
  for (std::size_t k = 0; k < 4; ++k) {
    std::vector<ptx::operand const*> const registers = registers_of(i.operands[k]);
    if (registers.size() != static_cast<std::size_t>(counts[k]))
      c.refuse(i, "an operand has too few or too many registers");
    int const bytes = forms[k].register_bytes();
    for (ptx::operand const* const o : registers)
      slots.push_back(k == 0 ? c.destination(*o, bytes) : c.source(*o, bytes));
  }
  operation op;
  op.list = c.list(std::move(slots));
  op.immediate = std::bit_cast<std::uint64_t>(s);
  op.run = run_wmma;
  c.emit(op);
}

}  // namespace device::matrix_detail
