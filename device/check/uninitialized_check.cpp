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

//! True for an exchange. Most programs ignore the value that it reads, so that it counts as a
//! store.
[[nodiscard]] bool is_exchange(memory_access const& a) {
  program const* const p = program_of(*a.of_warp);
  if (p == nullptr || a.op->index >= p->text_line_of.size()) return false;
  std::uint32_t const line = p->text_line_of[a.op->index];
  for (ptx::instruction const& i : p->body.instructions)
    if (i.text_line == line && i.has("exch")) return true;
  return false;
}

//! True if an access is made by a line of CUB's or Thrust's own headers. Their merges read one
//! element past the end and drop it, and they copy structures with their padding: that is no error
//! of the program.
[[nodiscard]] bool is_of_library(finding const& f) {
  for (char const* const folder :
       {"/cccl/cub/", "/cccl/thrust/", "/include/cub/", "/include/thrust/"})
    if (f.file.find(folder) != std::string::npos) return true;
  return false;
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
  // The message is about a thread that reads nothing but what was never written, if there is one.
  int t = std::countr_zero(undefined);
  each(undefined, [&](int lane) {
    if (std::popcount(missing(lane)) > std::popcount(missing(t))) t = lane;
  });
  finding f = finding_at(a, check_kind::uninitialized);
  bool const partly = std::popcount(missing(t)) < a.bytes;
  if ((partly || a.where == space::shared) && is_of_library(f)) return;
  f.message = bytes_text(static_cast<std::uint64_t>(a.bytes)) + " of " +
              address_text(launched, a.where, a.address[t]) + " are read by " +
              thread_text(launched, a.of_block->number,
                          a.of_warp->number * lanes + static_cast<std::uint32_t>(t));
  int const others = std::popcount(undefined) - 1;
  if (others != 0)
    f.message += " and " + std::to_string(others) + (others == 1 ? " thread" : " threads") +
                 " more of its warp";
  f.message += "\n" + which_bytes(missing(t), a.bytes) + " never written since " +
               (a.where == space::shared ? "the block began" : "the memory was allocated");
  launched.report(f);
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

void uninitialized_check::access(memory_access const& a,
                                 std::vector<std::uint64_t>& written_shared) {
  if (a.where == space::global)
    global_access(a);
  else if (a.where == space::shared)
    shared_access(a, written_shared);
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

}  // namespace device::check
