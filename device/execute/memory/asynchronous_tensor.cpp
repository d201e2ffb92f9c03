// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/memory/bulk.hpp>
#include <device/execute/memory/form.hpp>
#include <device/execute/memory/values.hpp>
#include <device/memory/tensor_map.hpp>

#include <algorithm>
#include <array>
#include <string>

//! cp.async.bulk.tensor and cp.reduce.async.bulk.tensor: copies of boxes of tensors that tensor
//! maps describe, between global and shared memory. operation::bytes: coordinates; list: base and
//! offset of the map, of the shared memory and of the mbarrier, the mask of a multicast, the
//! coordinates.
namespace device::memory_access_detail {
namespace {

using mmm::index;
using mmm::gpu::tensor_map;
using mmm::gpu::tensor_swizzle;

//! The meaning of operation::target.
enum tensor_flag : std::uint32_t { to_several = 1 };

//! The names of reductions: operation::immediate is 1 + the number of one, 0 for a copy.
constexpr std::array<std::string_view, 8> reductions{"add", "min", "max", "inc",
                                                     "dec", "and", "or",  "xor"};

ptx::scalar scalar_of(mmm::gpu::data_type t) { return ptx::scalar_of(mmm::gpu::text_of(t)); }

index swizzled(tensor_swizzle s, index byte) {
  using enum tensor_swizzle;
  switch (s) {
    case none:
      return byte;
    case bytes_32:
      return mmm::gpu::swizzled_byte<bytes_32>(byte);
    case bytes_64:
      return mmm::gpu::swizzled_byte<bytes_64>(byte);
    case bytes_128:
      return mmm::gpu::swizzled_byte<bytes_128>(byte);
    case bytes_128_atom_32:
      return mmm::gpu::swizzled_byte<bytes_128_atom_32>(byte);
    case bytes_128_atom_32_flip_8:
      return mmm::gpu::swizzled_byte<bytes_128_atom_32_flip_8>(byte);
    case bytes_128_atom_64:
      return mmm::gpu::swizzled_byte<bytes_128_atom_64>(byte);
  }
  return byte;
}

//! The element outside of a tensor: 0, or the type's number that is none.
std::array<std::byte, 8> fill_of(tensor_map const& m) {
  std::array<std::byte, 8> element{};
  if (!m.fill_with_nan) return element;
  using enum mmm::gpu::data_type;
  std::uint64_t const nan = m.type == f64    ? 0x7fffffffffffffffU
                            : m.type == f16  ? 0x7fff7fff7fff7fffU
                            : m.type == bf16 ? 0x7fff7fff7fff7fffU
                                             : 0x7fffffff7fffffffU;
  std::memcpy(element.data(), &nan, 8);
  return element;
}

//! The map that a lane names, in global, constant or parameter memory.
tensor_map map_of(warp& w, operation const& op, int lane, std::uint64_t address) {
  request r;
  r.address[lane] = address;
  constexpr int alignment = 64;
  locate_given(w, op, space::generic, access_kind::read, alignment, lane_mask{1} << lane, r);
  auto const m = read_tensor_map(r.pointer[lane]);
  if (!m)
    throw device_fault(device_fault::kind_type::illegal_instruction,
                       "a tensor map was not made by cuTensorMapEncodeTiled");
  if (auto const broken = broken_rule_of(*m))  // of a map that the kernel changed
    throw device_fault(device_fault::kind_type::illegal_instruction,
                       std::string(text_of(broken.field)) + " of a tensor map is " +
                           std::to_string(broken.value) +
                           "; accepted: " + std::string(text_of(broken.accepted)));
  if (m->rank != op.bytes)
    throw device_fault(device_fault::kind_type::illegal_instruction,
                       "rank of the tensor map is " + std::to_string(m->rank) +
                           "; accepted: " + std::to_string(op.bytes) + ", as the instruction has");
  return *m;
}

//! A box of a tensor that is copied. Its rows are those of tensor_box: dimensions 1 and up, one
//! after the other.
struct box_copy {
  tensor_map map;
  index first[5] = {};
  index pitch = 0;      //!< bytes from row to row in shared memory
  index row_bytes = 0;  //!< that are copied
  index rows = 1;

  box_copy(warp const& w, operation const& op, int lane, tensor_map const& m) : map(m) {
    slot const* const coordinates = op.list + 6 + ((op.target & to_several) != 0 ? 1 : 0);
    for (int d = 0; d < m.rank; ++d) first[d] = w.source<std::int32_t>(coordinates[d])[lane];
    index const element = mmm::gpu::bits_of(m.type) / 8;
    row_bytes = m.box[0] * element;
    pitch = m.swizzle == tensor_swizzle::none ? row_bytes : index{mmm::gpu::span_of(m.swizzle)};
    for (int d = 1; d < m.rank; ++d)
      rows *= (m.box[d] + m.element_strides[d] - 1) / m.element_strides[d];
  }
  [[nodiscard]] std::uint64_t bytes() const { return static_cast<std::uint64_t>(rows * row_bytes); }
  [[nodiscard]] std::uint64_t extent() const {
    return static_cast<std::uint64_t>((rows - 1) * pitch +
                                      (map.swizzle == tensor_swizzle::none ? row_bytes : pitch));
  }

  //! `f(row, address, begin, end)` for each row: the address of its byte 0 in global memory, and
  //! its bytes [begin, end) that are inside of the tensor.
  template <class F>
  void each_row(F const& f) const {
    index const element = mmm::gpu::bits_of(map.type) / 8;
    index const begin = std::clamp(-first[0], index{0}, map.box[0]) * element;
    index const end = std::clamp(map.sizes[0] - first[0], index{0}, map.box[0]) * element;
    index step[5] = {};
    for (index row = 0; row < rows; ++row) {
      bool inside = begin < end;
      index address = static_cast<index>(map.address) + first[0] * element;
      for (int d = 1; d < map.rank; ++d) {
        index const x = first[d] + step[d];
        inside = inside && x >= 0 && x < map.sizes[d];
        address += x * map.strides[d - 1];
      }
      f(row, static_cast<std::uint64_t>(address), inside ? begin : 0, inside ? end : 0);
      for (int d = 1; d < map.rank; ++d) {
        step[d] += map.element_strides[d];
        if (step[d] < map.box[d]) break;
        step[d] = 0;
      }
    }
  }
  //! `f(k, byte)` for the bytes [k, k + unit) of a row, which are at `byte` from the start of the
  //! block's shared memory on.
  template <class F>
  void each_unit(index row, std::uint64_t begin, F const& f) const {
    index const step = unit();
    for (index k = 0; k < row_bytes; k += step)
      f(k, static_cast<std::uint64_t>(
               swizzled(map.swizzle, static_cast<index>(begin) + row * pitch + k)));
  }
  //! Bytes that a swizzle leaves together.
  [[nodiscard]] index unit() const {
    return map.swizzle == tensor_swizzle::bytes_128_atom_32_flip_8 ? 8 : 16;
  }
};

bulk_range locate_box(warp& w, operation const& op, access_kind kind, int lane,
                      std::uint64_t address, box_copy const& box) {
  constexpr int alignment = 128;
  return locate_bulk(w, op, space::shared, kind, lane, address, box.extent(), alignment);
}

//! Checks the bytes of a tensor that are copied, and tells the observers of them.
void reach_tensor(warp& w, operation const& op, access_kind kind, int lane, box_copy const& box) {
  struct bytes_of_row {
    std::uint64_t first;
    std::uint64_t count;
  };
  std::vector<bytes_of_row> rows;
  std::uint64_t all = 0;
  bool const is_observed = observed(w);
  box.each_row([&](index, std::uint64_t address, index begin, index end) {
    if (begin == end) return;
    auto const first_byte = address + static_cast<std::uint64_t>(begin);
    auto const bytes = static_cast<std::uint64_t>(end - begin);
    launch const& l = *w.of_block->of_launch;
    if (!l.memory->holds(l.device, first_byte, bytes))
      refuse_address(w, op, space::global, kind, static_cast<int>(bytes), lane, first_byte, false);
    settle_bulk(w, lane, reinterpret_cast<std::byte*>(first_byte & ~(bulk_unit - 1)), bytes);
    if (!is_observed) return;
    rows.push_back({first_byte, bytes});
    all |= first_byte | bytes;
  });
  // Elements of 1 to 8 bytes, in pieces of 4 bytes where rows are no multiples of 16.
  std::uint64_t const piece = all % bulk_unit == 0 ? bulk_unit : 4;
  std::vector<std::uint64_t> addresses;
  for (bytes_of_row const& row : rows)
    for (std::uint64_t k = 0; k + piece <= row.count; k += piece)
      addresses.push_back(row.first + k);
  notify_bulk(w, op, kind, lane, bulk_range{}, addresses, static_cast<int>(piece));
}

void notify_box(warp& w, operation const& op, access_kind kind, int lane, bulk_range const& range,
                box_copy const& box) {
  if (!observed(w)) return;
  std::vector<std::uint64_t> addresses;
  for (index row = 0; row < box.rows; ++row)
    box.each_unit(row, range.begin, [&](index, std::uint64_t byte) { addresses.push_back(byte); });
  notify_bulk(w, op, kind, lane, range, addresses, static_cast<int>(box.unit()));
}

//! Notes how the box lies in shared memory, for the check of what reads it.
void note_tile(block& owner, bulk_range const& range, box_copy const& box) {
  if (box.unit() != 16 || !owner.of_launch->notes_tiles) return;
  if (owner.tiles.empty()) owner.tiles.resize(owner.shared.size() / 16);
  std::uint32_t const copy = ++owner.copies;
  for (index row = 0; row < box.rows; ++row)
    box.each_unit(row, range.begin, [&](index k, std::uint64_t byte) {
      owner.tiles[byte / 16] = {copy, static_cast<std::int32_t>(row),
                                static_cast<std::int16_t>(k / 16),
                                static_cast<std::uint8_t>(box.map.swizzle)};
    });
}

void load_box(bulk_range const& to, box_copy const& box) {
  std::array<std::byte, 8> const fill = fill_of(box.map);
  std::byte* const shared = to.owner->shared.data();
  box.each_row([&](index row, std::uint64_t address, index begin, index end) {
    auto const* const source = reinterpret_cast<std::byte const*>(address);
    box.each_unit(row, to.begin, [&](index k, std::uint64_t byte) {
      if (begin <= k && k + box.unit() <= end) {
        std::memcpy(shared + byte, source + k, static_cast<std::size_t>(box.unit()));
        return;
      }
      for (index e = 0; e < box.unit(); ++e)
        shared[byte + static_cast<std::uint64_t>(e)] =
            begin <= k + e && k + e < end ? source[k + e] : fill[static_cast<std::size_t>(e % 8)];
    });
  });
}

void store_box(bulk_range const& tile, box_copy const& box, reducer reduces, bool threads) {
  std::byte const* const shared = tile.owner->shared.data();
  box.each_row([&](index row, std::uint64_t address, index begin, index end) {
    auto* const to = reinterpret_cast<std::byte*>(address);
    box.each_unit(row, tile.begin, [&](index k, std::uint64_t byte) {
      index const low = std::max(begin, k);
      index const high = std::min(end, k + box.unit());
      if (low >= high) return;
      std::byte const* const s = shared + byte + static_cast<std::uint64_t>(low - k);
      auto const bytes = static_cast<std::uint64_t>(high - low);
      if (reduces == nullptr)
        std::memcpy(to + low, s, bytes);
      else
        reduces(to + low, s, bytes, threads);
    });
  });
}

struct tensor_operands {
  std::uint64_t map[lanes], shared[lanes], barrier[lanes];

  tensor_operands(warp const& w, operation const& op) {
    addresses_of(w, {op.list[0], op.list[1]}, (op.flags & base_of_4_bytes) != 0, map);
    addresses_of(w, {op.list[2], op.list[3]}, (op.flags & base_2_of_4_bytes) != 0, shared);
    addresses_of(w, {op.list[4], op.list[5]}, (op.flags & base_3_of_4_bytes) != 0, barrier);
  }
};

void run_tensor_load(warp& w, operation const& op) {
  tensor_operands const operands(w, op);
  w.each_active([&](int t) {
    box_copy const box(w, op, t, map_of(w, op, t, operands.map[t]));
    reach_tensor(w, op, access_kind::read, t, box);
    auto const copy = [&](std::uint64_t address, block* owner) {
      bulk_range const to = locate_box(w, op, access_kind::write, t, address, box);
      settle_bulk(w, t, to.first, box.extent());
      notify_box(w, op, access_kind::write, t, to, box);
      load_box(to, box);
      note_tile(*to.owner, to, box);
      complete_bytes(w, op, t, operands.barrier[t], box.bytes(), owner);
    };
    if ((op.target & to_several) == 0)
      copy(operands.shared[t], nullptr);
    else
      each_multicast(w, op, t, w.source<std::uint16_t>(op.list[6])[t], operands.shared[t], copy);
  });
  note_change(w);
}

//! True if an active lane below `lane` stores the same box to the same place. All lanes of a warp
//! issue the stores of CUTLASS's epilogues, which rely on an instruction whose operands are the
//! same for all of them being executed once.
bool repeats_a_store(warp const& w, operation const& op, tensor_operands const& operands,
                     int lane) {
  for (int t = 0; t < lane; ++t) {
    if ((w.active >> t & 1) == 0 || operands.map[t] != operands.map[lane] ||
        operands.shared[t] != operands.shared[lane])
      continue;
    bool same = true;
    for (int d = 0; d < op.bytes; ++d) {
      auto const* const coordinate = w.source<std::int32_t>(op.list[6 + d]);
      same = same && coordinate[t] == coordinate[lane];
    }
    if (same) return true;
  }
  return false;
}

void run_tensor_store(warp& w, operation const& op) {
  tensor_operands const operands(w, op);
  bool const threads = w.of_block->of_launch->workers > 1;
  w.each_active([&](int t) {
    if (repeats_a_store(w, op, operands, t)) return;
    box_copy const box(w, op, t, map_of(w, op, t, operands.map[t]));
    bulk_range const tile = locate_box(w, op, access_kind::read, t, operands.shared[t], box);
    settle_bulk(w, t, tile.first, box.extent());
    notify_box(w, op, access_kind::read, t, tile, box);
    reducer reduces = nullptr;
    if (op.immediate != 0) {
      reduces = reducer_of(reductions[op.immediate - 1], scalar_of(box.map.type));
      if (reduces == nullptr)
        throw device_fault(device_fault::kind_type::illegal_instruction,
                           "type of the tensor map is " +
                               std::string(mmm::gpu::text_of(box.map.type)) + ", which has no ." +
                               std::string(reductions[op.immediate - 1]));
    }
    reach_tensor(w, op, reduces == nullptr ? access_kind::write : access_kind::update, t, box);
    store_box(tile, box, reduces, threads);
  });
  note_change(w);
}

}  // namespace

void build_tensor_copy(ptx::instruction const& i, decode::context& c) {
  std::string direction;
  operation op;
  bool policy = false;
  int rank = 0;
  for (std::string_view const m : i.modifiers) {
    auto const reduction = std::find(reductions.begin(), reductions.end(), m);
    if (m == "global" || m == "shared::cta" || m == "shared::cluster")
      direction += m == "global" ? 'g' : 's';
    else if (m.size() == 2 && m[1] == 'd' && m[0] >= '1' && m[0] <= '5')
      rank = m[0] - '0';
    else if (m == "L2::cache_hint")
      policy = true;
    else if (m == "multicast::cluster")
      op.target |= to_several;
    else if (i.has("reduce") && reduction != reductions.end())
      op.immediate = static_cast<std::uint64_t>(reduction - reductions.begin()) + 1;
    else if (m != "async" && m != "bulk" && m != "tensor" && m != "tile" && m != "reduce" &&
             m != "mbarrier::complete_tx::bytes" && m != "bulk_group" && m != "prefetch" &&
             m != "L2")
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  if (i.has("prefetch")) return emit_nothing(c);
  bool const is_load = direction == "sg";
  bool const is_multicast = (op.target & to_several) != 0;
  if (rank == 0 || (!is_load && direction != "gs") || is_load == i.has("bulk_group") ||
      (is_multicast && !is_load) || i.has("reduce") == (op.immediate == 0))
    c.refuse(i, "this form is not supported");
  std::size_t const needed = (is_load ? 3U : 2U) + (is_multicast ? 1U : 0U) + (policy ? 1U : 0U);
  require_operands(i, c, needed, needed);
  ptx::operand const& map = i.operands[is_load ? 1 : 0];
  if (map.parts.size() != 1 || map.parts[0].parts.size() != static_cast<std::size_t>(rank))
    c.refuse(i, "its coordinates are not as many as its dimensions");
  op.kind = is_load ? instruction_kind::load : instruction_kind::store;
  op.bytes = static_cast<std::uint8_t>(rank);
  op.flags = of_bulk;
  std::vector<slot> slots;
  auto const add = [&](flag narrow, ptx::operand const& o) {
    other_address const a = other_address_of(op, narrow, o, c);
    slots.push_back(a.base);
    slots.push_back(a.offset);
  };
  add(base_of_4_bytes, map);
  add(base_2_of_4_bytes, i.operands[is_load ? 0 : 1]);
  add(base_3_of_4_bytes, i.operands[is_load ? 2 : 1]);
  if (is_multicast) slots.push_back(c.source(i.operands[3], 2));
  for (ptx::operand const& o : map.parts[0].parts) slots.push_back(c.source(o, 4));
  op.list_size = static_cast<std::uint8_t>(slots.size());
  op.list = c.list(std::move(slots));
  op.run = is_load ? run_tensor_load : run_tensor_store;
  c.emit(op);
}

}  // namespace device::memory_access_detail
