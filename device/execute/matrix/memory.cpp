// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/matrix/handlers.hpp>
#include <device/execute/memory/form.hpp>
#include <device/execute/memory/request.hpp>
#include <device/execute/memory/values.hpp>
#include <device/memory/weak_memory.hpp>

#include <string>

//! ldmatrix, stmatrix and movmatrix: 8 x 8 matrices of 16-bit elements, of which lane t holds
//! elements 2 (t % 4) and the next of row t / 4. Lanes 8 k to 8 k + 7 give the addresses of the
//! rows of matrix k.
namespace device::matrix_detail {
namespace {

using namespace memory_access_detail;

constexpr int row_bytes = 16;

lane_mask giving_lanes(operation const& op) {
  return op.list_size == 4 ? all_lanes : (lane_mask{1} << 8 * op.list_size) - 1;
}

void locate_rows(warp& w, operation const& op, access_kind kind, request& r) {
  locate_silently(w, op, kind, row_bytes, giving_lanes(op), r);
  if (r.shared != giving_lanes(op))
    throw device_fault(device_fault::kind_type::illegal_address,
                       "a matrix's row is not in shared memory");
  notify(w, op, kind, row_bytes, giving_lanes(op), r);
}

//! The pieces of a lane's register of matrix m, and the place of each, given the rows' addresses.
template <bool Transposed>
struct halves {
  using type = std::uint16_t;
  static std::byte* place(std::byte* const* rows, int m, int t, int k) {
    int const row = Transposed ? t % 4 * 2 + k : t / 4;
    int const column = Transposed ? t / 4 : t % 4 * 2 + k;
    return rows[8 * m + row] + 2 * column;
  }
};
//! ldmatrix.m16n16.trans.b8: byte b of register r of a matrix's two is in row 4 (lane % 4) + b and
//! column lane / 4 + 8 r. Lanes 16 k to 16 k + 15 give the rows of matrix k.
struct loaded_bytes {
  using type = std::uint8_t;
  static std::byte* place(std::byte* const* rows, int m, int t, int b) {
    return rows[m / 2 * 16 + t % 4 * 4 + b] + t / 4 + m % 2 * 8;
  }
};
//! stmatrix.m16n8.trans.b8: byte b of a lane's register of matrix k is in row 2 (lane % 4) + b % 2
//! of 8 and byte lane / 4 + 8 (b / 2). Lanes 8 k to 8 k + 7 give the rows.
struct stored_bytes {
  using type = std::uint8_t;
  static std::byte* place(std::byte* const* rows, int m, int t, int b) {
    return rows[8 * m + t % 4 * 2 + b % 2] + t / 4 + b / 2 * 8;
  }
};
template <class Pieces>
constexpr int bits_of_piece = 8 * static_cast<int>(sizeof(typename Pieces::type));

//! The value at `element` of a matrix as lane t reads it; weak memory may give an older one.
template <class T>
T read_element(warp& w, int t, std::byte const* element) {
  T value = read_plain<T>(element);
  if (w.of_block->weak != nullptr)
    w.of_block->weak->load(w.of_block->number, thread_number(w, t), element,
                           reinterpret_cast<std::byte*>(&value), sizeof value);
  return value;
}

template <class Pieces>
void run_load(warp& w, operation const& op) {
  require_whole_warp(w, "ldmatrix");
  request r;
  locate_rows(w, op, access_kind::read, r);
  for (int m = 0; m < op.list_size; ++m) {
    auto* const d = w.destination<std::uint32_t>(op.list[m]);
    for (int t = 0; t < lanes; ++t) {
      std::uint32_t all = 0;
      for (int bit = 0; bit < 32; bit += bits_of_piece<Pieces>) {
        std::byte const* const element =
            Pieces::place(r.pointer, m, t, bit / bits_of_piece<Pieces>);
        all |= std::uint32_t{read_element<typename Pieces::type>(w, t, element)} << bit;
      }
      d[t] = all;
    }
  }
}

template <class T>
void write_element(warp& w, int t, std::byte* element, T value) {
  if (w.of_block->weak == nullptr)
    write_plain(element, value);
  else
    w.of_block->weak->store(w.of_block->number, thread_number(w, t), true, element,
                            reinterpret_cast<std::byte const*>(&value), sizeof value);
}

template <class Pieces>
void run_store(warp& w, operation const& op) {
  require_whole_warp(w, "stmatrix");
  request r;
  locate_rows(w, op, access_kind::write, r);
  for (int m = 0; m < op.list_size; ++m) {
    auto const* const s = w.source<std::uint32_t>(op.list[m]);
    for (int t = 0; t < lanes; ++t)
      for (int bit = 0; bit < 32; bit += bits_of_piece<Pieces>)
        write_element(w, t, Pieces::place(r.pointer, m, t, bit / bits_of_piece<Pieces>),
                      static_cast<typename Pieces::type>(s[t] >> bit));
  }
  note_change(w);
}

void run_move(warp& w, operation const& op) {
  require_whole_warp(w, "movmatrix");
  auto const* const s = w.source<std::uint32_t>(op.a);
  std::uint32_t made[lanes];
  for (int t = 0; t < lanes; ++t) {
    made[t] = 0;
    for (int k = 0; k < 2; ++k) {
      int const row = t % 4 * 2 + k;  // of the source, where this lane's row is a column
      int const column = t / 4;
      std::uint32_t const element = s[4 * row + column / 2] >> 16 * (column % 2) & 0xffffU;
      made[t] |= element << 16 * k;
    }
  }
  std::copy_n(made, lanes, w.destination<std::uint32_t>(op.d));
}

void build_memory(ptx::instruction const& i, decode::context& c, bool stores) {
  operation op;
  op.kind = stores ? instruction_kind::store : instruction_kind::load;
  op.bytes = 2;
  op.flags = of_matrices;
  bool transposed = false;
  for (std::string_view const m : i.modifiers) {
    if (m == "x1" || m == "x2" || m == "x4")
      op.list_size = static_cast<std::uint8_t>(m[1] - '0');
    else if (m == "trans")
      transposed = true;
    else if (m == "shared" || m == "shared::cta")
      op.where = space::shared;
    else if (m != "sync" && m != "aligned" && m != "m8n8" && m != "b16" && m != "m16n16" &&
             m != "m16n8" && m != "b8")
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  bool const of_bytes = i.has("b8") && i.has(stores ? "m16n8" : "m16n16") && transposed;
  if (of_bytes && !stores) op.list_size = static_cast<std::uint8_t>(2 * op.list_size);
  if (!(of_bytes || (i.has("b16") && i.has("m8n8"))) || op.list_size == 0 || op.list_size > 4)
    c.refuse(i, "matrices of this form are not supported");
  require_operands(i, c, 2, 2);
  set_address(op, i, i.operands[stores ? 0 : 1], c);
  std::vector<ptx::operand const*> const registers = registers_of(i.operands[stores ? 1 : 0]);
  if (registers.size() != op.list_size)
    c.refuse(i, "its registers are not as many as its matrices need");
  std::vector<slot> slots;
  for (ptx::operand const* const o : registers)
    slots.push_back(stores ? c.source(*o, 4) : c.destination(*o, 4));
  op.list = c.list(std::move(slots));
  if (of_bytes)
    op.run = stores ? run_store<stored_bytes> : run_load<loaded_bytes>;
  else if (stores)
    op.run = transposed ? run_store<halves<true>> : run_store<halves<false>>;
  else
    op.run = transposed ? run_load<halves<true>> : run_load<halves<false>>;
  c.emit(op);
}

}  // namespace

void build_load_matrix(ptx::instruction const& i, decode::context& c) { build_memory(i, c, false); }
void build_store_matrix(ptx::instruction const& i, decode::context& c) { build_memory(i, c, true); }

void build_move_matrix(ptx::instruction const& i, decode::context& c) {
  for (std::string_view const m : i.modifiers)
    if (m != "sync" && m != "aligned" && m != "m8n8" && m != "trans" && m != "b16")
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  require_operands(i, c, 2, 2);
  operation op;
  op.kind = instruction_kind::warp;
  op.a = c.source(i.operands[1], 4);
  op.d = c.destination(i.operands[0], 4);
  op.run = run_move;
  c.emit(op);
}

}  // namespace device::matrix_detail
