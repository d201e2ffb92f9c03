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

//! True for an exchange. Most programs ignore the value that it reads, so that it counts as a
//! store.
[[nodiscard]] bool is_exchange(memory_access const& a) {
  auto const all = instructions_of(a);
  return std::any_of(all.begin(), all.end(), [](auto const* i) { return i->has("exch"); });
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

//! The range of the bytes that an access reaches, with those between them.
struct span {
  std::uint64_t begin = 0, end = 0;
  [[nodiscard]] std::uint64_t size() const { return end - begin; }
};
[[nodiscard]] span span_of(memory_access const& a) {
  auto const bytes = static_cast<std::uint64_t>(a.bytes);
  if (a.consecutive) return {a.address[0], a.address[0] + lanes * bytes};
  std::uint64_t lowest = ~std::uint64_t{0};
  std::uint64_t highest = 0;
  each(a.active, [&](int t) {
    lowest = std::min(lowest, a.address[t]);
    highest = std::max(highest, a.address[t]);
  });
  return {lowest, highest + bytes};
}
//! Ranges of up to this many bytes are looked at as a whole before they are lane by lane.
constexpr std::uint64_t small_span = 512;

//! True if the bits of a range are all set.
[[nodiscard]] bool all_set(std::vector<std::uint64_t> const& words, span s) {
  std::uint64_t const first = s.begin / 64;
  std::uint64_t const last = (s.end - 1) / 64;
  std::uint64_t missing = 0;
  for (std::uint64_t k = first; k <= last; ++k) {
    std::uint64_t of_range = ~std::uint64_t{0};
    if (k == first) of_range &= ~std::uint64_t{0} << s.begin % 64;
    if (k == last) of_range &= ~std::uint64_t{0} >> (63 - (s.end - 1) % 64);
    missing |= ~words[k] & of_range;
  }
  return missing == 0;
}

//! The finding at a read by lanes `undefined`; `missing(lane)` has a bit for each byte that was
//! never written, and some are set.
template <class Missing>
[[nodiscard]] finding finding_of(memory_access const& a, lane_mask undefined,
                                 Missing const& missing) {
  launch const& launched = *a.of_block->of_launch;
  // The message is about a thread that reads nothing but what was never written, if there is one.
  int t = std::countr_zero(undefined);
  each(undefined, [&](int lane) {
    if (std::popcount(missing(lane)) > std::popcount(missing(t))) t = lane;
  });
  finding f = finding_at(a, check_kind::uninitialized);
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
  return f;
}

}  // namespace

//! Reports the lanes that compute with what they read, and remembers what the others only copy.
template <class Missing>
void uninitialized_check::undefined_read(memory_access const& a, written_bits& own,
                                         lane_mask undefined, Missing const& missing) {
  launch const& launched = *a.of_block->of_launch;
  if (!launched.report || (a.kind == access_kind::update && is_exchange(a))) return;
  register_use const& use = uses_.find(a);
  lane_mask copied = 0;
  bool partly = true;
  each(undefined, [&](int lane) {
    bool const part = std::popcount(missing(lane)) < a.bytes;
    if ((missing(lane) & use.computed) == 0 && (part || use.only_copied))
      copied |= lane_mask{1} << lane;
    else
      partly = partly && part;
  });
  undefined &= ~copied;
  if (undefined != 0) {
    finding f = finding_of(a, undefined, missing);
    if (!((partly || a.where != space::global) && is_of_algorithms(f))) launched.report(f);
  }
  if (copied == 0) return;
  frame const* const in = a.of_warp->current;
  std::shared_ptr<finding const> origin;
  if (use.only_copied) origin = std::make_shared<finding>(finding_of(a, copied, missing));
  if (origin != nullptr && a.where != space::global && is_of_algorithms(*origin)) return;
  for (std::size_t k = 0; k < use.registers.size(); ++k) {
    undefined_register& r = own.registers.at(in, use.registers[k]);
    r.origin = origin;
    each(copied, [&](int lane) {
      lane_mask const bit = lane_mask{1} << lane;
      r.whole = std::popcount(missing(lane)) == a.bytes ? r.whole | bit : r.whole & ~bit;
      r.missing[static_cast<std::size_t>(lane)] =
          static_cast<std::uint32_t>(missing(lane) >> k * static_cast<std::size_t>(use.bytes) &
                                     ((std::uint64_t{1} << use.bytes) - 1));
    });
  }
}

//! A load: its registers are defined, as far as nothing else is found.
void uninitialized_check::loads(memory_access const& a, written_bits& own) {
  if (own.registers.empty() || a.kind != access_kind::read) return;
  for (std::uint32_t const reg : uses_.find(a).registers)
    own.registers.define(a.of_warp->current, reg, a.active);
}

//! A store, whose bytes have been marked as written. `unmark(lane, byte)` is called for the bytes
//! of its value that are undefined.
template <class Unmark>
void uninitialized_check::stores(memory_access const& a, written_bits& own, Unmark const& unmark) {
  if (a.where == space::global && !outputs_.empty())
    each(a.active,
         [&](int t) { outputs_.remove(a.address[t], static_cast<std::uint64_t>(a.bytes)); });
  if (own.registers.empty() || a.kind != access_kind::write) return;
  register_use const& use = uses_.find(a);
  auto const size = static_cast<std::uint64_t>(use.bytes);
  launch const& launched = *a.of_block->of_launch;
  for (std::size_t k = 0; k < use.registers.size(); ++k) {
    undefined_register const* const r = own.registers.find(a.of_warp->current, use.registers[k]);
    if (r == nullptr) continue;
    each(a.active, [&](int t) {
      std::uint32_t const missing = r->missing[static_cast<std::size_t>(t)];
      std::uint64_t const begin = k * size;
      for (std::uint64_t byte = 0; byte < size; ++byte)
        if ((missing >> byte & 1) != 0) unmark(t, begin + byte);
      if (r->origin == nullptr || missing == 0 || (r->whole >> t & 1) == 0) return;
      std::uint64_t const address = a.address[t] + begin;
      if (a.where == space::global && global_.holds(address) && !of_host(launched, address))
        outputs_.add(address, size, r->origin);
      else if (a.where != space::shared && launched.report)
        launched.report(*r->origin);
    });
  }
}

void uninitialized_check::begin(launch const& l) {
  uses_.clear();
  if (l.grid_workspace == 0 || l.memory == nullptr) return;
  known_range const r = l.memory->range_of(l.grid_workspace);
  if (r.begin < r.end) global_.set(r.begin, r.end - r.begin);
}

void uninitialized_check::begin(block const& b, written_bits& written) {
  written.shared.assign((b.shared.size() + 63) / 64 + 1, 0);
  written.registers.clear();
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
  if (std::optional<finding> f = outputs_.find(begin, bytes)) {
    f->message += ", and the host gets a copy";
    return f;
  }
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
  if (a.by == asynchronous::none) loads(a, own);
  if (a.where == space::global)
    global_access(a, own);
  else if (a.where == space::shared)
    shared_access(a, own, owner.shared);
  else if (a.where == space::local)
    local_access(a, own);
}

void uninitialized_check::global_access(memory_access const& a, written_bits& own) {
  auto const bytes = static_cast<std::uint64_t>(a.bytes);
  span const s = span_of(a);
  bool const is_small =
      s.size() <= small_span && global_.holds(s.begin) && global_.holds(s.end - 1);
  bool const all_defined = is_small && global_.all_of(s.begin, s.end);
  if (a.kind != access_kind::write && !all_defined) {
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
        undefined_read(a, own, undefined,
                       [&](int t) { return global_.missing(a.address[t], bytes); });
    }
  }
  if (a.kind != access_kind::read && !all_defined && a.consecutive && is_small)
    global_.set(s.begin, s.size());
  else if (a.kind != access_kind::read && !all_defined)
    each(a.active, [&](int t) {
      if (global_.holds(a.address[t])) global_.mark(a.address[t], bytes);
    });
  if (a.kind != access_kind::read)
    stores(a, own, [&](int t, std::uint64_t byte) { global_.clear(a.address[t] + byte, 1); });
}

void uninitialized_check::shared_access(memory_access const& a, written_bits& own,
                                        std::vector<std::uint64_t>& written) {
  auto const bytes = static_cast<std::uint64_t>(a.bytes);
  std::uint64_t const mask = bytes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes) - 1;
  span const s = span_of(a);
  bool const all_defined = s.size() <= small_span && all_set(written, s);
  if (a.kind != access_kind::write && !all_defined) {
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
    if (undefined != 0) undefined_read(a, own, undefined, missing);
  }
  if (a.kind != access_kind::read && !all_defined)
    each(a.active, [&](int t) {
      std::uint64_t const low = a.address[t] & 63;
      std::uint64_t* const word = &written[a.address[t] >> 6];
      word[0] |= mask << low;
      if (low + bytes > 64) word[1] |= mask >> (64 - low);
    });
  if (a.kind != access_kind::read)
    stores(a, own, [&](int t, std::uint64_t byte) {
      std::uint64_t const place = a.address[t] + byte;
      written[place >> 6] &= ~(std::uint64_t{1} << (place & 63));
    });
}

//! Bytes that are read with others that were written are no finding: a structure's padding.
void uninitialized_check::local_access(memory_access const& a, written_bits& own) {
  std::vector<std::vector<std::uint64_t>>& written = own.local;
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
    undefined_read(a, own, undefined, [&](int) {
      return bytes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes) - 1;
    });
  if (a.kind != access_kind::read)
    stores(a, own, [&](int t, std::uint64_t byte) {
      std::uint64_t const place = a.address[t] + byte;
      written[first + static_cast<std::uint64_t>(t)][place / 64] &=
          ~(std::uint64_t{1} << place % 64);
    });
}

}  // namespace device::check
