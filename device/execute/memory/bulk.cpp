// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/memory/atomic_half.hpp>
#include <device/execute/memory/atomic_operations.hpp>
#include <device/execute/memory/bulk.hpp>
#include <device/execute/memory/form.hpp>
#include <device/execute/memory/mbarrier.hpp>
#include <device/memory/weak_memory.hpp>

#include <algorithm>

namespace device::memory_access_detail {

bulk_range locate_bulk(warp& w, operation const& op, space where, access_kind kind, int lane,
                       std::uint64_t begin, std::uint64_t bytes, int align) {
  request r;
  r.address[lane] = begin;
  if (where == space::global) {
    global_memory const& memory = *w.of_block->of_launch->memory;
    int const device = w.of_block->of_launch->device;
    auto const unit = static_cast<std::uint64_t>(align);
    if (begin % unit != 0) refuse_address(w, op, where, kind, align, lane, begin, true);
    if (!memory.holds(device, begin, bytes))
      for (std::uint64_t k = 0; k < bytes; k += bulk_unit)
        if (!memory.holds(device, begin + k, bulk_unit))
          refuse_address(w, op, where, kind, static_cast<int>(bulk_unit), lane, begin + k, false);
    return {reinterpret_cast<std::byte*>(begin), begin, nullptr};
  }
  if (bytes == 0) return {nullptr, 0, w.of_block};
  lane_mask const one = lane_mask{1} << lane;
  locate_given(w, op, space::shared, kind, static_cast<int>(bulk_unit), one, r);
  block* const owner =
      (r.remote & one) != 0 ? w.of_block->of_cluster->blocks[r.rank[lane]] : w.of_block;
  std::uint64_t const offset = r.address[lane];
  if (offset % static_cast<std::uint64_t>(align) != 0)
    refuse_address(w, op, space::shared, kind, align, lane, offset, true);
  if (bytes > owner->shared.size() - offset)
    refuse_address(w, op, space::shared, kind, static_cast<int>(bulk_unit), lane,
                   owner->shared.size() / bulk_unit * bulk_unit, false);
  return {r.pointer[lane], offset, owner};
}

void notify_bulk(warp& w, operation const& op, access_kind kind, int lane, bulk_range const& range,
                 std::vector<std::uint64_t> const& addresses, int bytes) {
  if (!observed(w)) return;
  for (std::size_t k = 0; k < addresses.size(); k += lanes) {
    std::size_t const count = std::min<std::size_t>(lanes, addresses.size() - k);
    std::uint64_t address[lanes] = {};
    std::copy_n(addresses.begin() + static_cast<std::ptrdiff_t>(k), count, address);
    memory_access access{w.of_block,
                         &w,
                         &op,
                         kind,
                         range.where(),
                         bytes,
                         count == lanes ? all_lanes : (lane_mask{1} << count) - 1,
                         address,
                         op.order,
                         observed_scope(w, op.reach),
                         true,
                         nullptr,
                         range.owner};
    access.by = asynchronous::bulk;
    access.issuer = lane;
    for (observer* const o : *w.of_block->observers) o->access(access);
  }
}

void notify_bulk(warp& w, operation const& op, access_kind kind, int lane, bulk_range const& range,
                 std::uint64_t bytes) {
  if (!observed(w)) return;
  std::vector<std::uint64_t> addresses;
  for (std::uint64_t k = 0; k < bytes; k += bulk_unit) addresses.push_back(range.begin + k);
  notify_bulk(w, op, kind, lane, range, addresses, static_cast<int>(bulk_unit));
}

void settle_bulk(warp& w, int lane, std::byte const* first, std::uint64_t bytes) {
  if (w.of_block->weak == nullptr) return;
  for (std::uint64_t k = 0; k < bytes; k += bulk_unit)
    w.of_block->weak->settle(w.of_block->number, thread_number(w, lane), first + k,
                             static_cast<int>(bulk_unit));
}

void complete_bytes(warp& w, operation const& op, int lane, std::uint64_t address,
                    std::uint64_t bytes, block* owner) {
  if (owner != nullptr) {
    address &= shared_offset_mask;
    if (owner != w.of_block) address |= static_cast<std::uint64_t>(owner->rank + 1) << rank_shift;
  }
  request r;
  r.address[lane] = address;
  lane_mask const one = lane_mask{1} << lane;
  locate_given(w, op, space::shared, access_kind::update, mbarrier_bytes, one, r);
  if (observed(w)) {
    block* const barrier_owner =
        (r.remote & one) != 0 ? w.of_block->of_cluster->blocks[r.rank[lane]] : nullptr;
    std::uint64_t addresses[lanes] = {r.address[lane]};
    memory_access access{w.of_block,
                         &w,
                         &op,
                         access_kind::update,
                         space::shared,
                         mbarrier_bytes,
                         1,
                         addresses,
                         strength::weak,
                         observed_scope(w, scope::cluster),
                         true,
                         nullptr,
                         barrier_owner};
    access.by = asynchronous::bulk;
    access.issuer = lane;
    access.counted = false;
    for (observer* const o : *w.of_block->observers) o->access(access);
  }
  mbarrier_word b = mbarrier_at(r.pointer[lane]);
  apply_change<mbarrier_change::complete>(b, bytes);
  write_plain(r.pointer[lane], b.word());
}

// --- reductions ----------------------------------------------------------------------------------

namespace {

template <class Operation>
void reduce(std::byte* to, std::byte const* source, std::uint64_t bytes, bool threads) {
  using bits = typename Operation::bits;
  for (std::uint64_t k = 0; k < bytes; k += sizeof(bits)) {
    auto const b = read_plain<bits>(source + k);
    static_cast<void>(update<bits>(to + k, threads,
                                   [&](bits const& old) { return Operation::apply(old, b, b); }));
  }
}

template <class T>
reducer integer_reducer(std::string_view name) {
  using enum atomic_name;
  if (name == "add") return reduce<integer_atomic<add, T>>;
  if (name == "min") return reduce<integer_atomic<min, T>>;
  if (name == "max") return reduce<integer_atomic<max, T>>;
  if (name == "inc") return reduce<integer_atomic<increment, T>>;
  if (name == "dec") return reduce<integer_atomic<decrement, T>>;
  if (name == "and") return reduce<integer_atomic<bit_and, T>>;
  if (name == "or") return reduce<integer_atomic<bit_or, T>>;
  if (name == "xor") return reduce<integer_atomic<bit_xor, T>>;
  return nullptr;
}

template <class Format>
reducer half_reducer(std::string_view name) {
  using enum atomic_name;
  if (name == "add") return reduce<half_atomic<add, Format>>;
  if (name == "min") return reduce<half_atomic<min, Format>>;
  if (name == "max") return reduce<half_atomic<max, Format>>;
  return nullptr;
}

}  // namespace

reducer reducer_of(std::string_view name, ptx::scalar type) {
  using enum ptx::scalar;
  switch (type) {
    case b32:
    case u32:
      return integer_reducer<std::uint32_t>(name);
    case s32:
      return integer_reducer<std::int32_t>(name);
    case b64:
    case u64:
      return integer_reducer<std::uint64_t>(name);
    case s64:
      return integer_reducer<std::int64_t>(name);
    case f16:
      return half_reducer<half_format>(name);
    case bf16:
      return half_reducer<bfloat_format>(name);
    case f32:
      return name == "add" ? reduce<float_add<true>> : nullptr;
    case f64:
      return name == "add" ? reduce<double_add> : nullptr;
    default:
      return nullptr;
  }
}

// --- groups --------------------------------------------------------------------------------------

namespace {

void run_bulk_commit(warp& w, operation const&) {
  for (observer* const o : *w.of_block->observers) o->commit(w, asynchronous::bulk, w.active);
}
void run_bulk_wait(warp& w, operation const& op) {
  for (observer* const o : *w.of_block->observers)
    o->wait(w, asynchronous::bulk, w.active, op.immediate);
}

void run_no_copy(warp&, operation const&) {}

}  // namespace

void emit_nothing(decode::context& c) {
  operation op;
  op.run = run_no_copy;
  op.kind = instruction_kind::load;
  c.emit(op);
}

void build_bulk_group(ptx::instruction const& i, decode::context& c) {
  bool const waits = i.has("wait_group");
  for (std::string_view const m : i.modifiers)
    if (m != "async" && m != "bulk" && m != "commit_group" && m != "wait_group" && m != "read")
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  require_operands(i, c, waits ? 1 : 0, waits ? 1 : 0);
  operation op;
  op.kind = instruction_kind::barrier;
  op.run = waits ? run_bulk_wait : run_bulk_commit;
  if (waits) op.immediate = i.operands[0].bits;
  c.emit(op);
}

}  // namespace device::memory_access_detail
