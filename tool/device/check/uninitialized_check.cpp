// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/sites.hpp>
#include <device/check/uninitialized_check.hpp>

#include <algorithm>
#include <bit>
#include <optional>

namespace device::check {
namespace {

template <class F>
void each(lane_mask mask, F const& f) {
  for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
}

//! An exchange reads a value that most programs drop: it is a store with another name.
[[nodiscard]] bool is_exchange(memory_access const& a) {
  program const* const p = program_of(*a.of_warp);
  if (p == nullptr || a.op->index >= p->text_line_of.size()) return false;
  std::uint32_t const line = p->text_line_of[a.op->index];
  for (ptx::instruction const& i : p->body.instructions)
    if (i.text_line == line && i.has("exch")) return true;
  return false;
}

//! Whether a kind of memory holds nothing until a kernel or a call of the runtime writes it.
[[nodiscard]] bool begins_undefined(allocation_kind k) {
  return k == allocation_kind::device || k == allocation_kind::heap;
}

void report(memory_access const& a, lane_mask undefined, std::string const& which_bytes) {
  launch const& of = *a.of_block->of;
  if (!of.report || undefined == 0) return;
  int const t = std::countr_zero(undefined);
  int const others = std::popcount(undefined) - 1;
  finding f = finding_at(a, check_kind::uninitialized);
  std::string const size = bytes_text(static_cast<std::uint64_t>(a.bytes));
  f.message = size + " of " + address_text(of, a.where, a.address[t]) + " are read by " +
              thread_text(of, a.of_block->number, a.of_warp->number * lanes + static_cast<std::uint32_t>(t));
  if (others != 0)
    f.message += " and " + std::to_string(others) + (others == 1 ? " thread" : " threads") + " more of its warp";
  f.message += "\n" + which_bytes + " never written since " +
               (a.where == space::shared ? "the block began" : "the memory was allocated");
  of.report(f);
}

//! "all of them were", "bytes 2 to 3 of them were"
template <class IsDefined>
std::string which_bytes(int bytes, IsDefined const& is_defined) {
  int first = 0;
  while (first < bytes && is_defined(first)) ++first;
  int last = bytes - 1;
  while (last > first && is_defined(last)) --last;
  if (first == 0 && last == bytes - 1) return bytes == 1 ? "it was" : "they were";
  if (first == last) return "byte " + std::to_string(first) + " of them was";
  return "bytes " + std::to_string(first) + " to " + std::to_string(last) + " of them were";
}

}  // namespace

void uninitialized_check::begin(launch const& l) {
  if (l.grid_workspace == 0 || l.memory == nullptr) return;
  known_range const r = l.memory->range_of(l.grid_workspace);
  if (r.begin < r.end) global_.set(r.begin, r.end - r.begin);
}

void uninitialized_check::begin(block const& b, std::vector<std::uint64_t>& written) {
  written.assign((b.shared.size() + 63) / 64 + 1, 0);
}

void uninitialized_check::allocated(allocation const& a) {
  if (begins_undefined(a.kind))
    global_.clear(a.begin, a.bytes);
  else
    global_.set(a.begin, a.bytes);
}

bool uninitialized_check::of_host(launch const& l, std::uint64_t address) {
  if (l.memory == nullptr) return false;
  std::optional<allocation> const a = l.memory->find(address);
  if (!a || begins_undefined(a->kind)) return false;
  global_.set(a->begin, a->bytes);
  return true;
}

void uninitialized_check::access(memory_access const& a, std::vector<std::uint64_t>& written_shared) {
  if (a.where == space::global)
    global_access(a);
  else if (a.where == space::shared)
    shared_access(a, written_shared);
}

void uninitialized_check::global_access(memory_access const& a) {
  auto const bytes = static_cast<std::uint64_t>(a.bytes);
  if (a.kind != access_kind::store) {
    lane_mask undefined = 0;
    each(a.active, [&](int t) {
      if (global_.holds(a.address[t]) && !global_.all(a.address[t], bytes)) undefined |= lane_mask{1} << t;
    });
    if (undefined != 0) {
      launch const& l = *a.of_block->of;
      each(undefined, [&](int t) {
        if (of_host(l, a.address[t])) undefined &= ~(lane_mask{1} << t);
      });
      if (undefined != 0 && !(a.kind == access_kind::atomic && is_exchange(a))) {
        std::uint64_t const at = a.address[std::countr_zero(undefined)];
        report(a, undefined,
               which_bytes(a.bytes, [&](int k) { return global_.one(at + static_cast<std::uint64_t>(k)); }));
      }
    }
  }
  if (a.kind != access_kind::load)
    each(a.active, [&](int t) {
      if (global_.holds(a.address[t])) global_.mark(a.address[t], bytes);
    });
}

void uninitialized_check::shared_access(memory_access const& a, std::vector<std::uint64_t>& written) {
  auto const bytes = static_cast<std::uint64_t>(a.bytes);
  std::uint64_t const mask = bytes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes) - 1;
  if (a.kind != access_kind::store) {
    lane_mask undefined = 0;
    each(a.active, [&](int t) {
      std::uint64_t const low = a.address[t] & 63;
      std::uint64_t const* const word = &written[a.address[t] >> 6];
      std::uint64_t missing = ~word[0] & (mask << low);
      if (low + bytes > 64) missing |= ~word[1] & (mask >> (64 - low));
      if (missing != 0) undefined |= lane_mask{1} << t;
    });
    if (undefined != 0 && !(a.kind == access_kind::atomic && is_exchange(a))) {
      std::uint64_t const at = a.address[std::countr_zero(undefined)];
      report(a, undefined, which_bytes(a.bytes, [&](int k) {
               std::uint64_t const b = at + static_cast<std::uint64_t>(k);
               return (written[b >> 6] >> (b & 63) & 1) != 0;
             }));
    }
  }
  if (a.kind != access_kind::load)
    each(a.active, [&](int t) {
      std::uint64_t const low = a.address[t] & 63;
      std::uint64_t* const word = &written[a.address[t] >> 6];
      word[0] |= mask << low;
      if (low + bytes > 64) word[1] |= mask >> (64 - low);
    });
}

}  // namespace device::check
