// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/sites.hpp>
#include <device/check/uninitialized_check.hpp>

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

namespace device::check {
namespace {

template <class F>
void each(lane_mask mask, F const& f) {
  for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
}

//! The PTX instructions of an access's line: one, but for assembly by hand.
[[nodiscard]] std::vector<ptx::instruction const*> instructions_of(memory_access const& a) {
  std::vector<ptx::instruction const*> found;
  program const* const p = program_of(*a.of_warp);
  if (p == nullptr || a.op->index >= p->text_line_of.size()) return found;
  std::uint32_t const line = p->text_line_of[a.op->index];
  for (ptx::instruction const& i : p->body.instructions)
    if (i.text_line == line) found.push_back(&i);
  return found;
}

//! True for an exchange. Most programs ignore the value that it reads, so that it counts as a
//! store.
[[nodiscard]] bool is_exchange(memory_access const& a) {
  auto const all = instructions_of(a);
  return std::any_of(all.begin(), all.end(), [](auto const* i) { return i->has("exch"); });
}

[[nodiscard]] bool names(ptx::operand const& o, std::uint32_t reg) {
  return o.reg == reg || std::any_of(o.parts.begin(), o.parts.end(),
                                     [&](ptx::operand const& p) { return names(p, reg); });
}

//! True if an instruction uses a register's value, other than to store it in memory.
[[nodiscard]] bool computes_with(ptx::instruction const& i, std::uint32_t reg) {
  bool const stores = i.opcode == "st" && !i.has("param");
  if (i.guard == reg) return true;
  for (std::size_t k = 0; k < i.operands.size(); ++k) {
    ptx::operand const& o = i.operands[k];
    bool const is_written = k == 0 && o.kind != ptx::operand::kind_type::memory;
    bool const is_stored = stores && k == 1;
    if (!is_written && !is_stored && names(o, reg)) return true;
  }
  return std::any_of(i.call_arguments.begin(), i.call_arguments.end(),
                     [&](ptx::operand const& o) { return names(o, reg); });
}

//! A bit for each byte of a lane that the program computes with, rather than drop it or store it
//! elsewhere: a structure is copied with its padding, a vector with a component that is not used.
[[nodiscard]] std::uint64_t computed_with(memory_access const& a) {
  std::uint64_t const all = a.bytes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << a.bytes) - 1;
  auto const here = instructions_of(a);
  if (here.size() != 1 || here[0]->opcode != "ld" || here[0]->operands.empty()) return all;
  ptx::operand const& to = here[0]->operands[0];
  std::vector<ptx::operand> const elements =
      to.kind == ptx::operand::kind_type::vector ? to.parts : std::vector<ptx::operand>{to};
  auto const count = static_cast<int>(elements.size());
  if (count == 0 || a.bytes % count != 0 || a.bytes > 32) return all;
  int const size = a.bytes / count;
  std::uint64_t used = 0;
  for (int k = 0; k < count; ++k) {
    std::uint32_t const reg = elements[static_cast<std::size_t>(k)].reg;
    auto const& code = program_of(*a.of_warp)->body.instructions;
    if (reg != ptx::none && std::any_of(code.begin(), code.end(), [&](ptx::instruction const& i) {
          return computes_with(i, reg);
        }))
      used |= ((std::uint64_t{1} << size) - 1) << k * size;
  }
  return used;
}

//! True if a kind of memory holds nothing until a kernel or a call of the runtime writes it.
[[nodiscard]] bool begins_undefined(allocation_kind k) {
  return k == allocation_kind::device || k == allocation_kind::heap;
}

//! "all of them were", "bytes 2 to 3 of them were"; `missing` has a bit for each byte that was
//! never written.
std::string which_bytes(std::uint64_t missing, int bytes) {
  int const first = std::countr_zero(missing);
  int const last = 63 - std::countl_zero(missing);
  if (std::popcount(missing) == bytes) return bytes == 1 ? "it was" : "they were";
  if (first == last) return "byte " + std::to_string(first) + " of them was";
  return "bytes " + std::to_string(first) + " to " + std::to_string(last) + " of them were";
}

//! `missing(lane)` has a bit for each byte that was never written; of the lanes in `undefined`, it
//! has some.
template <class Missing>
void report(memory_access const& a, lane_mask undefined, Missing const& missing) {
  launch const& launched = *a.of_block->of_launch;
  if (!launched.report || (a.kind == access_kind::update && is_exchange(a))) return;
  std::uint64_t const used = computed_with(a);
  each(undefined, [&](int lane) {
    if (std::popcount(missing(lane)) < a.bytes && (missing(lane) & used) == 0)
      undefined &= ~(lane_mask{1} << lane);
  });
  if (undefined == 0) return;
  // The message is about a thread that reads nothing but what was never written, if there is one.
  int t = std::countr_zero(undefined);
  each(undefined, [&](int lane) {
    if (std::popcount(missing(lane)) > std::popcount(missing(t))) t = lane;
  });
  finding f = finding_at(a, check_kind::uninitialized);
  bool const partly = std::popcount(missing(t)) < a.bytes;
  if ((partly || a.where != space::global) && is_of_algorithms(f)) return;
  f.message = bytes_text(static_cast<std::uint64_t>(a.bytes)) + " of " +
              address_text(launched, a.where, a.address[t]) + " are read by " +
              thread_text(launched, a.of_block->number,
                          a.of_warp->number * lanes + static_cast<std::uint32_t>(t));
  int const others = std::popcount(undefined) - 1;
  if (others != 0)
    f.message += " and " + std::to_string(others) + (others == 1 ? " thread" : " threads") +
                 " more of its warp";
  f.message += "\n" + which_bytes(missing(t), a.bytes) + " never written since " +
               (a.where == space::global ? "the memory was allocated" : "the block began");
  if (a.where == space::global) f.address = a.address[t];
  launched.report(f);
}

}  // namespace

void uninitialized_check::begin(launch const& l) {
  if (l.grid_workspace == 0 || l.memory == nullptr) return;
  known_range const r = l.memory->range_of(l.grid_workspace);
  if (r.begin < r.end) global_.set(r.begin, r.end - r.begin);
}

void uninitialized_check::begin(block const& b, written_bits& written) {
  written.shared.assign((b.shared.size() + 63) / 64 + 1, 0);
  written.local.resize(b.warps.size() * lanes);
  for (auto& of_thread : written.local) of_thread.clear();
}

void uninitialized_check::allocated(allocation const& a) {
  if (begins_undefined(a.kind))
    global_.clear(a.begin, a.bytes);
  else
    global_.set(a.begin, a.bytes);
}

std::optional<finding> uninitialized_check::host_reads(global_memory const& memory,
                                                       std::uint64_t begin,
                                                       std::uint64_t bytes) const {
  std::optional<allocation> const a = memory.find(begin);
  if (bytes == 0 || !a || !begins_undefined(a->kind)) return std::nullopt;
  for (std::uint64_t k = 0; k < bytes; k += 64) {
    std::uint64_t const size = std::min<std::uint64_t>(64, bytes - k);
    if (std::popcount(global_.missing(begin + k, size)) != static_cast<int>(size))
      return std::nullopt;
  }
  finding f;
  f.check = check_kind::uninitialized;
  f.message = bytes_text(bytes) +
              " are copied to the host of which none was written since the memory was allocated\n"
              "they begin at byte " +
              std::to_string(begin - a->begin) + " of an allocation of " + bytes_text(a->bytes);
  f.address = begin;
  return f;
}

bool uninitialized_check::of_host(launch const& l, std::uint64_t address) {
  if (l.memory == nullptr) return false;
  std::optional<allocation> const a = l.memory->find(address);
  if (!a || begins_undefined(a->kind)) return false;
  global_.set(a->begin, a->bytes);
  return true;
}

void uninitialized_check::access(memory_access const& a, written_bits& own, written_bits& owner) {
  if (a.where == space::global)
    global_access(a);
  else if (a.where == space::shared)
    shared_access(a, owner.shared);
  else if (a.where == space::local)
    local_access(a, own.local);
}

void uninitialized_check::global_access(memory_access const& a) {
  auto const bytes = static_cast<std::uint64_t>(a.bytes);
  if (a.kind != access_kind::write) {
    lane_mask undefined = 0;
    each(a.active, [&](int t) {
      if (global_.holds(a.address[t]) && !global_.all(a.address[t], bytes))
        undefined |= lane_mask{1} << t;
    });
    if (undefined != 0) {
      launch const& l = *a.of_block->of_launch;
      each(undefined, [&](int t) {
        if (of_host(l, a.address[t])) undefined &= ~(lane_mask{1} << t);
      });
      if (undefined != 0)
        report(a, undefined, [&](int t) { return global_.missing(a.address[t], bytes); });
    }
  }
  if (a.kind != access_kind::read)
    each(a.active, [&](int t) {
      if (global_.holds(a.address[t])) global_.mark(a.address[t], bytes);
    });
}

void uninitialized_check::shared_access(memory_access const& a,
                                        std::vector<std::uint64_t>& written) {
  auto const bytes = static_cast<std::uint64_t>(a.bytes);
  std::uint64_t const mask = bytes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes) - 1;
  if (a.kind != access_kind::write) {
    auto const missing = [&](int t) {
      std::uint64_t const low = a.address[t] & 63;
      std::uint64_t const* const word = &written[a.address[t] >> 6];
      std::uint64_t found = (~word[0] >> low) & mask;
      if (low + bytes > 64) found |= (~word[1] << (64 - low)) & mask;
      return found;
    };
    lane_mask undefined = 0;
    each(a.active, [&](int t) {
      if (missing(t) != 0) undefined |= lane_mask{1} << t;
    });
    if (undefined != 0) report(a, undefined, missing);
  }
  if (a.kind != access_kind::read)
    each(a.active, [&](int t) {
      std::uint64_t const low = a.address[t] & 63;
      std::uint64_t* const word = &written[a.address[t] >> 6];
      word[0] |= mask << low;
      if (low + bytes > 64) word[1] |= mask >> (64 - low);
    });
}

//! Bytes that are read with others that were written are no finding: a structure's padding.
void uninitialized_check::local_access(memory_access const& a,
                                       std::vector<std::vector<std::uint64_t>>& written) {
  std::uint64_t const first = std::uint64_t{a.of_warp->number} * lanes;
  auto const bytes = static_cast<std::uint64_t>(a.bytes);
  auto const is_written = [&](int t, std::uint64_t byte) {
    auto const& bits = written[first + static_cast<std::uint64_t>(t)];
    return byte / 64 < bits.size() && (bits[byte / 64] >> byte % 64 & 1) != 0;
  };
  lane_mask undefined = 0;
  each(a.active, [&](int t) {
    bool any = false;
    if (a.kind != access_kind::write)
      for (std::uint64_t k = 0; k < bytes; ++k) any = any || is_written(t, a.address[t] + k);
    if (a.kind != access_kind::write && !any) undefined |= lane_mask{1} << t;
    if (a.kind == access_kind::read) return;
    auto& bits = written[first + static_cast<std::uint64_t>(t)];
    std::uint64_t const last = a.address[t] + bytes - 1;
    if (bits.size() <= last / 64) bits.resize(last / 64 + 1);
    for (std::uint64_t k = a.address[t]; k <= last; ++k) bits[k / 64] |= std::uint64_t{1} << k % 64;
  });
  if (undefined != 0)
    report(a, undefined,
           [&](int) { return bytes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes) - 1; });
}

}  // namespace device::check
