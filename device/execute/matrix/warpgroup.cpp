// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/gpu/wgmma.hpp>

#include <device/core/finding.hpp>
#include <device/execute/matrix/element.hpp>
#include <device/execute/matrix/handlers.hpp>
#include <device/execute/matrix/sparse.hpp>
#include <device/execute/memory/form.hpp>
#include <device/execute/memory/request.hpp>
#include <device/execute/memory/values.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <type_traits>
#include <vector>

//! wgmma: D = A B + D, where the four warps of a warpgroup hold D and perhaps A in registers, and
//! descriptors say where B, or A and B, are in shared memory. Each warp computes its 16 rows, at
//! once, adding up in 53 bits, in the order of k, and rounding once. operation::b, c: the
//! descriptors; a: the predicate scale-d; list: D, then A, then the metadata of a sparse A, of
//! which half of the elements are stored; flags: flag_of.
namespace device::matrix_detail {
namespace {

using mmm::index;
using mmm::gpu::tensor_swizzle;
using mmm::gpu::wgmma_descriptor;

//! operation::flags; the selector of a sparse operand is above them.
enum flag_of : std::uint8_t { saturating = 1, sparse = 2, selectors = 4 };

//! The meaning of operation::immediate.
struct group_shape {
  std::uint8_t groups = 0;  //!< columns of D, in eights
  data_type d{}, a{}, b{};
  bool negate_a = false, negate_b = false;
  bool along_rows_a = false, along_rows_b = false;  //!< neighbours in memory; otherwise along k

  [[nodiscard]] int columns() const { return 8 * groups; }
  //! Elements that are stored of a row of A: its columns, or half of them.
  [[nodiscard]] int depth() const { return 256 / mmm::gpu::bits_of(a); }
  [[nodiscard]] fragment_form left() const {
    int const bits = mmm::gpu::bits_of(a);
    return {16, depth(), bits, mmm::gpu::detail::packed_elements(bits)};
  }
  //! The warp's rows of D: columns in eights, as mma has them.
  [[nodiscard]] fragment_form sum() const { return {16, columns(), mmm::gpu::bits_of(d), 2}; }
};

//! A number of bytes for element (row, column) of an operand in shared memory.
using byte_function = index (*)(wgmma_descriptor const&, index row, index column);

//! How an operand lies in shared memory.
struct operand_layout {
  byte_function distance;  //!< from the first element, before the swizzle
  byte_function place;
};

template <data_type Type, mmm::gpu::major Major, tensor_swizzle Swizzle>
index distance_of(wgmma_descriptor const& d, index row, index column) {
  constexpr index chunks = Swizzle == tensor_swizzle::none ? 1 : mmm::gpu::span_of(Swizzle) / 16;
  using operand = mmm::gpu::wgmma_operand<Type, 64, Major>;
  return mmm::gpu::detail::canonical_operand<operand>{chunks, d.leading_byte_offset,
                                                      d.stride_byte_offset}(row, column);
}
template <data_type Type, mmm::gpu::major Major, tensor_swizzle Swizzle>
index place_of(wgmma_descriptor const& d, index row, index column) {
  return mmm::gpu::swizzled_byte<Swizzle>(d.start_address +
                                          distance_of<Type, Major, Swizzle>(d, row, column));
}
template <data_type Type, mmm::gpu::major Major>
operand_layout layout_with(tensor_swizzle s) {
  using enum tensor_swizzle;
  auto const with = []<tensor_swizzle S>(std::integral_constant<tensor_swizzle, S>) {
    return operand_layout{distance_of<Type, Major, S>, place_of<Type, Major, S>};
  };
  return s == bytes_128  ? with(std::integral_constant<tensor_swizzle, bytes_128>{})
         : s == bytes_64 ? with(std::integral_constant<tensor_swizzle, bytes_64>{})
         : s == bytes_32 ? with(std::integral_constant<tensor_swizzle, bytes_32>{})
                         : with(std::integral_constant<tensor_swizzle, none>{});
}
//! Layouts depend on the bytes of an element only.
operand_layout layout_of(data_type t, bool along_rows, tensor_swizzle s) {
  using mmm::gpu::major;
  switch (mmm::gpu::bits_of(t)) {
    case 8:
      return layout_with<data_type::s8, major::k>(s);
    case 32:
      return layout_with<data_type::tf32, major::k>(s);
    default:
      return along_rows ? layout_with<data_type::f16, major::mn>(s)
                        : layout_with<data_type::f16, major::k>(s);
  }
}

//! One operand of a wgmma in shared memory.
struct operand_in_shared {
  char const* name;  //!< "A", "B"
  data_type type;
  bool along_rows;
  index rows;       //!< of A, or of the transposed B
  index columns;    //!< along k
  index first_row;  //!< of those that the warp reads
  index read_rows;
  wgmma_descriptor descriptor;
};

[[noreturn]] void refuse_descriptor(warp& w, operation const& op, operand_in_shared const& o,
                                    mmm::gpu::descriptor_field field, index value,
                                    std::string const& accepted) {
  std::string const text = std::string("wgmma: ") + text_of(field) + " of the descriptor of " +
                           o.name + " is " + std::to_string(value) + "; accepted: " + accepted;
  memory_access_detail::report_descriptor(w, op, text);
  throw device_fault(device_fault::kind_type::illegal_instruction, text);
}

//! The bytes of shared memory that an operand takes, its first element included.
index extent_of(operand_in_shared const& o, wgmma_descriptor const& d) {
  byte_function const distance = layout_of(o.type, o.along_rows, d.swizzle).distance;
  index last = 0;
  for (index row = 0; row < o.rows; row += 8)
    for (index const column : {index{0}, o.columns - 1})
      for (index const r : {row, row + 7}) last = std::max(last, distance(d, r, column));
  return last + mmm::gpu::bits_of(o.type) / 8;
}

//! Demands what the hardware does without a message: an operand inside of the block's memory.
void check_descriptor(warp& w, operation const& op, operand_in_shared const& o) {
  using enum mmm::gpu::descriptor_field;
  auto const size = static_cast<index>(w.of_block->shared.size());
  wgmma_descriptor const& d = o.descriptor;
  if (d.base_offset != 0)
    refuse_descriptor(w, op, o, base_offset, d.base_offset,
                      "0: tiles that begin elsewhere in the swizzle's pattern are not supported");
  if (!o.along_rows && d.swizzle == tensor_swizzle::bytes_32 &&
      o.columns * mmm::gpu::bits_of(o.type) > 256)
    refuse_descriptor(w, op, o, swizzle, 32, "none, 64 and 128 for 64 bytes along k");
  // The swizzle takes the bits above 128 bytes from the address.
  if ((d.start_address >> 7 & (std::max(mmm::gpu::span_of(d.swizzle), 16) / 16 - 1)) != 0)
    refuse_descriptor(w, op, o, start_address, d.start_address,
                      text_of(mmm::gpu::accepted_values::multiples_of_the_swizzle_pattern));
  wgmma_descriptor alone = d;
  alone.leading_byte_offset = alone.stride_byte_offset = 0;
  std::string const inside =
      "an operand inside of the block's " + std::to_string(size) + " bytes of shared memory";
  if (d.start_address + extent_of(o, alone) > size)
    refuse_descriptor(w, op, o, start_address, d.start_address, inside);
  if (d.start_address + extent_of(o, d) <= size) return;
  alone.leading_byte_offset = d.leading_byte_offset;
  bool const leading = d.start_address + extent_of(o, alone) > size;
  refuse_descriptor(w, op, o, leading ? leading_byte_offset : stride_byte_offset,
                    leading ? d.leading_byte_offset : d.stride_byte_offset, inside);
}

//! Reads rows of an operand as numbers, row after row.
void read_operand(warp& w, operation const& op, operand_in_shared const& o,
                  std::vector<double>& values) {
  check_descriptor(w, op, o);
  byte_function const place = layout_of(o.type, o.along_rows, o.descriptor.swizzle).place;
  index const bytes = mmm::gpu::bits_of(o.type) / 8;
  std::byte const* const shared = w.of_block->shared.data();
  values.resize(static_cast<std::size_t>(o.read_rows * o.columns));
  for (index r = 0; r < o.read_rows; ++r)
    for (index k = 0; k < o.columns; ++k) {
      std::uint64_t held = 0;
      std::memcpy(&held, shared + place(o.descriptor, o.first_row + r, k),
                  static_cast<std::size_t>(bytes));
      values[static_cast<std::size_t>(r * o.columns + k)] = value_of(o.type, held);
    }
}

//! Tells the observers of the chunks of 16 bytes that a warp reads of an operand, in matrices of 8
//! rows of 16 bytes. B is read once for all warps of the group: its first one's reads count.
void notify_operand(warp& w, operation const& op, operand_in_shared const& o) {
  if (!memory_access_detail::observed(w)) return;
  byte_function const place = layout_of(o.type, o.along_rows, o.descriptor.swizzle).place;
  index const bytes = mmm::gpu::bits_of(o.type) / 8;
  index const in_chunk = 16 / bytes;
  std::vector<std::uint64_t> chunks;
  auto const note = [&](index r, index k) {
    chunks.push_back(static_cast<std::uint64_t>(place(o.descriptor, o.first_row + r, k)) &
                     ~std::uint64_t{15});
  };
  for (index first = 0; first < o.read_rows; first += 8)
    if (o.along_rows)
      for (index k = 0; k < o.columns; ++k) note(first, k);
    else
      for (index k = 0; k < o.columns; k += in_chunk)
        for (index r = first; r < first + 8; ++r) note(r, k);
  for (std::size_t k = 0; k < chunks.size(); k += lanes) {
    std::size_t const count = std::min<std::size_t>(lanes, chunks.size() - k);
    std::uint64_t address[lanes] = {};
    std::copy_n(chunks.begin() + static_cast<std::ptrdiff_t>(k), count, address);
    memory_access access{w.of_block,
                         &w,
                         &op,
                         access_kind::read,
                         space::shared,
                         16,
                         count == lanes ? all_lanes : (lane_mask{1} << count) - 1,
                         address,
                         strength::weak,
                         scope::none};
    access.by = asynchronous::multiply;
    access.issuer = 0;
    access.counted = o.read_rows == 16 || w.number % 4 == 0;
    for (observer* const watcher : *w.of_block->observers) watcher->access(access);
  }
}

//! The field of a descriptor that leads to the chunk of element (row, column).
mmm::gpu::descriptor_field field_leading_to(operand_in_shared const& o, index row, index column) {
  using enum mmm::gpu::descriptor_field;
  index const span = mmm::gpu::span_of(o.descriptor.swizzle);
  if (!o.along_rows) {
    if (row >= 8) return stride_byte_offset;
    return span == 0 && column > 0 ? leading_byte_offset : start_address;
  }
  bool const next_eight = column >= 8;
  bool const next_span = row * mmm::gpu::bits_of(o.type) / 8 >= std::max(span, index{16});
  if (next_eight) return span == 0 ? leading_byte_offset : stride_byte_offset;
  return !next_span ? start_address : span == 0 ? stride_byte_offset : leading_byte_offset;
}

//! A finding if tensor copies wrote the operand's chunks in another order than its descriptor
//! reads them.
void check_tiles(warp& w, operation const& op, operand_in_shared const& o) {
  std::vector<tile_chunk> const& tiles = w.of_block->tiles;
  if (tiles.empty()) return;
  using enum mmm::gpu::descriptor_field;
  byte_function const place = layout_of(o.type, o.along_rows, o.descriptor.swizzle).place;
  index const bytes = mmm::gpu::bits_of(o.type) / 8;
  index const in_chunk = 16 / bytes;
  auto const chunk = [&](index r, index k) -> tile_chunk const& {
    return tiles[static_cast<std::size_t>(place(o.descriptor, r, k) / 16)];
  };
  auto const report = [&](mmm::gpu::descriptor_field field, index value, std::string const& why) {
    memory_access_detail::report_descriptor(
        w, op,
        std::string("wgmma: ") + text_of(field) + " of the descriptor of " + o.name + " is " +
            std::to_string(value) + ", which contradicts how a tensor copy wrote the tile: " + why);
  };
  tile_chunk const first = chunk(0, 0);
  if (first.copy == 0) return;
  auto const mode = static_cast<tensor_swizzle>(first.swizzle);
  if (mode != o.descriptor.swizzle)
    return report(swizzle, mmm::gpu::span_of(o.descriptor.swizzle),
                  "its swizzle is of " + std::to_string(mmm::gpu::span_of(mode)) + " bytes");
  // Rows of a box are rows of an operand that is read along k, and columns of the other.
  bool const rows_are_k = o.along_rows;
  for (index r = 0; r < o.rows; r += rows_are_k ? in_chunk : 1)
    for (index k = 0; k < o.columns; k += rows_are_k ? 1 : in_chunk) {
      tile_chunk const& c = chunk(r, k);
      if (c.copy != first.copy) continue;  // another box, which may lie anywhere
      index const row = first.row + (rows_are_k ? k : r);
      index const column = first.column + (rows_are_k ? r : k) / in_chunk;
      if (c.row == row && c.column == column) continue;
      std::string const why = "element (" + std::to_string(r) + ", " + std::to_string(k) +
                              ") is read from row " + std::to_string(c.row) + ", chunk " +
                              std::to_string(c.column) + " of the box, and belongs to row " +
                              std::to_string(row) + ", chunk " + std::to_string(column);
      auto const field = field_leading_to(o, r, k);
      return report(field,
                    field == start_address         ? o.descriptor.start_address
                    : field == leading_byte_offset ? o.descriptor.leading_byte_offset
                                                   : o.descriptor.stride_byte_offset,
                    why);
    }
}

void run_group_multiply(warp& w, operation const& op) {
  require_whole_warp(w, "wgmma");
  auto const s = std::bit_cast<group_shape>(op.immediate);
  slot const* const d = op.list;
  index const depth = s.depth();
  bool const is_sparse = (op.flags & sparse) != 0;
  index const depth_of_b = is_sparse ? 2 * depth : depth;
  index const columns = s.columns();
  std::vector<double> left(static_cast<std::size_t>(16 * depth));
  std::vector<double> right;
  std::vector<double> sum(static_cast<std::size_t>(16 * columns));
  if (op.b == no_slot) {
    each_value(w, s.left(), s.a, d + s.sum().registers(), [&](int row, int column, double v) {
      left[static_cast<std::size_t>(row * depth + column)] = v;
    });
  } else {
    operand_in_shared const a{"A",
                              s.a,
                              s.along_rows_a,
                              64,
                              depth,
                              index{16} * (w.number % 4),
                              16,
                              mmm::gpu::descriptor_of(w.source<std::uint64_t>(op.b)[0])};
    read_operand(w, op, a, left);
    notify_operand(w, op, a);
    if (w.number % 4 == 0) check_tiles(w, op, a);
  }
  operand_in_shared const b{
      "B",        s.b, s.along_rows_b, columns,
      depth_of_b, 0,   columns,        mmm::gpu::descriptor_of(w.source<std::uint64_t>(op.c)[0])};
  read_operand(w, op, b, right);
  notify_operand(w, op, b);
  if (w.number % 4 == 0) check_tiles(w, op, b);
  if (w.predicate(op.a) != 0)
    each_value(w, s.sum(), s.d, d, [&](int row, int column, double v) {
      sum[static_cast<std::size_t>(row * columns + column)] = v;
    });
  double const sign = s.negate_a != s.negate_b ? -1 : 1;
  // B with a row for each k: the inner loop goes over neighbours.
  std::vector<double> across(right.size());
  for (index n = 0; n < columns; ++n)
    for (index k = 0; k < depth_of_b; ++k)
      across[static_cast<std::size_t>(k * columns + n)] =
          sign * right[static_cast<std::size_t>(n * depth_of_b + k)];
  stored_columns stored;
  if (is_sparse)
    stored = columns_of(w, op, "wgmma.mma_async.sp", {s.a, static_cast<int>(depth_of_b)},
                        d[s.sum().registers() + (op.b == no_slot ? s.left().registers() : 0)],
                        op.flags / selectors, false);
  for (index row = 0; row < 16; ++row) {
    double* const out = &sum[static_cast<std::size_t>(row * columns)];
    for (index k = 0; k < depth; ++k) {
      double const x = left[static_cast<std::size_t>(row * depth + k)];
      index const column =
          is_sparse ? stored[static_cast<std::size_t>(row)][static_cast<std::size_t>(k)] : k;
      double const* const in = &across[static_cast<std::size_t>(column * columns)];
      for (index n = 0; n < columns; ++n) out[n] += x * in[n];
    }
  }
  write_values(w, s.sum(), s.d, (op.flags & saturating) != 0, d, [&](int row, int column) {
    return sum[static_cast<std::size_t>(row * columns + column)];
  });
}

template <bool Waits>
void run_group(warp& w, operation const& op) {
  for (observer* const o : *w.of_block->observers)
    if constexpr (Waits)
      o->wait(w, asynchronous::multiply, w.active, op.immediate);
    else
      o->commit(w, asynchronous::multiply, w.active);
  w.yielded = Waits;
}
//! wgmma.fence: registers are written before the next wgmma, which reads them at once here. Warps
//! give their turn away here and where they wait, so that those of a warpgroup keep in step, as on
//! a GPU, unless the order is chosen at random.
void run_fence(warp& w, operation const&) { w.yielded = true; }

void build_group(ptx::instruction const& i, decode::context& c) {
  for (std::string_view const m : i.modifiers)
    if (m != "fence" && m != "commit_group" && m != "wait_group" && m != "sync" && m != "aligned")
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  operation op;
  op.kind = instruction_kind::barrier;
  op.run = i.has("fence") ? run_fence : i.has("wait_group") ? run_group<true> : run_group<false>;
  if (i.has("wait_group")) {
    memory_access_detail::require_operands(i, c, 1, 1);
    op.immediate = i.operands[0].bits;
  }
  c.emit(op);
}

//! Columns of "m64n128k16", if its depth is `depth`; 0 otherwise.
int columns_in(std::string_view size, int depth) {
  std::size_t const k = size.find('k');
  if (!size.starts_with("m64n") || k == std::string_view::npos) return 0;
  int columns = 0;
  for (char const c : size.substr(4, k - 4))
    columns = c < '0' || c > '9' ? 1000 : 10 * columns + c - '0';
  if (size.substr(k + 1) != std::to_string(depth)) return 0;
  return columns % 8 == 0 && columns <= 256 ? columns : 0;
}

bool are_supported(data_type d, data_type a, data_type b) {
  using enum data_type;
  if (a == f16) return b == f16 && (d == f16 || d == f32);
  if (a == bf16 || a == tf32) return b == a && d == f32;
  if (a == e4m3 || a == e5m2) return (b == e4m3 || b == e5m2) && (d == f16 || d == f32);
  return (a == s8 || a == u8) && (b == s8 || b == u8) && d == s32;
}

//! The number of an operand that is written as one.
std::uint64_t number(ptx::operand const& o, ptx::instruction const& i, decode::context& c) {
  if (o.kind != ptx::operand::kind_type::integer) c.refuse(i, "an operand is no number");
  return o.bits;
}

}  // namespace

void build_warpgroup(ptx::instruction const& i, decode::context& c) {
  if (!i.has("mma_async")) return build_group(i, c);
  std::vector<data_type> types;
  std::string_view size;
  operation op;
  for (std::string_view const m : i.modifiers) {
    if (auto const t = type_of(m))
      types.push_back(*t);
    else if (m.starts_with("m64n"))
      size = m;
    else if (m == "satfinite")
      op.flags |= saturating;
    else if (m == "sp")
      op.flags |= sparse;
    else if (m != "mma_async" && m != "sync" && m != "aligned")
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  if (types.size() != 3 || !are_supported(types[0], types[1], types[2]))
    c.refuse(i, "it has not three types that are supported");
  group_shape s;
  s.d = types[0];
  s.a = types[1];
  s.b = types[2];
  bool const is_sparse = (op.flags & sparse) != 0;
  int const depth = (is_sparse ? 2 : 1) * s.depth();
  int const columns = columns_in(size, depth);
  if (columns == 0) c.refuse(i, "this shape is not supported");
  s.groups = static_cast<std::uint8_t>(columns / 8);
  // D, A, B, of a sparse A metadata and selector, scale-d, and of floating types signs, and of
  // those of 16 bits directions.
  bool const integers = !mmm::gpu::is_floating(s.a);
  bool const in_registers =
      i.operands.size() > 1 && i.operands[1].kind == ptx::operand::kind_type::vector;
  bool const of_16_bits = mmm::gpu::bits_of(s.a) == 16;
  std::size_t const scale = is_sparse ? 5 : 3;
  std::size_t const needed = scale + 1U + (integers ? 0U : 2U) +
                             (!of_16_bits    ? 0U
                              : in_registers ? 1U
                                             : 2U);
  memory_access_detail::require_operands(i, c, needed, needed);
  if (!integers) {
    s.negate_a = number(i.operands[scale + 1], i, c) != 1;
    s.negate_b = number(i.operands[scale + 2], i, c) != 1;
  }
  if (of_16_bits) {
    if (!in_registers) s.along_rows_a = number(i.operands[scale + 3], i, c) != 0;
    s.along_rows_b = number(i.operands.back(), i, c) != 0;
  }
  std::vector<slot> slots;
  auto const add = [&](ptx::operand const& o, int count, bool writes) {
    std::vector<ptx::operand const*> const registers = registers_of(o);
    if (registers.size() != static_cast<std::size_t>(count))
      c.refuse(i, "an operand has too few or too many registers");
    for (ptx::operand const* const r : registers)
      slots.push_back(writes ? c.destination(*r, 4) : c.source(*r, 4));
  };
  add(i.operands[0], s.sum().registers(), true);
  if (in_registers)
    add(i.operands[1], s.left().registers(), false);
  else
    op.b = c.source(i.operands[1], 8);
  op.c = c.source(i.operands[2], 8);
  if (is_sparse) {
    add(i.operands[3], 1, false);
    op.flags = static_cast<std::uint8_t>(op.flags | selector_of(i.operands[4], {s.a, depth}, i, c) *
                                                        selectors);
  }
  op.a = c.predicate(i.operands[scale]);
  op.list = c.list(std::move(slots));
  op.immediate = std::bit_cast<std::uint64_t>(s);
  op.run = run_group_multiply;
  c.emit(op);
}

}  // namespace device::matrix_detail
