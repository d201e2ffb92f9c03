// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/sites.hpp>
#include <device/check/uninitialized_check.hpp>
#include <device/decode/source_place.hpp>

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

namespace device::check {
namespace {

//! True for an exchange. Most programs ignore the value that it reads, so that it counts as a
//! store.
[[nodiscard]] bool is_exchange(memory_access const& a) {
  ptx::instruction const* const i = instruction_of(*a.of_warp, *a.op);
  return i != nullptr && i->has("exch");
}

//! True if a kind of memory holds nothing until a kernel or a call of the runtime writes it.
[[nodiscard]] bool begins_undefined(allocation_kind k) {
  return k == allocation_kind::device || k == allocation_kind::heap || k == allocation_kind::array;
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
  if (a.end != 0) return {a.begin, a.end};
  std::uint64_t lowest = ~std::uint64_t{0};
  std::uint64_t highest = 0;
  each_lane(a.active, [&](int t) {
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
  each_lane(undefined, [&](int lane) {
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

moved_registers const& uninitialized_check::moved(memory_access const& a) {
  auto const [entry, is_new] = moved_.try_emplace(a.op);
  ptx::instruction const* const i = is_new ? instruction_of(*a.of_warp, *a.op) : nullptr;
  if (i != nullptr) entry->second = moved_registers_of(*i);
  return entry->second;
}

namespace {

//! The name of a byte's word in written_bits::sources.
[[nodiscard]] std::uint64_t word_of(memory_access const& a, int lane, std::uint64_t byte) {
  std::uint64_t const word = (a.address[lane] + byte) / 4;
  if (a.where != space::local) return word;
  std::uint64_t const thread =
      std::uint64_t{a.of_warp->number} * lanes + static_cast<std::uint64_t>(lane);
  return (thread + 1) << 32 | word;
}

//! The origin of a lane's first undefined byte, if it was stored there; null if it was never
//! written.
template <class Missing>
[[nodiscard]] written_bits::source const* source_of(memory_access const& a,
                                                    written_bits const& owner, int lane,
                                                    Missing const& missing) {
  if (a.where == space::global || owner.sources.empty()) return nullptr;
  auto const first = static_cast<std::uint64_t>(std::countr_zero(missing(lane)));
  auto const found = owner.sources.find(word_of(a, lane, first));
  return found == owner.sources.end() ? nullptr : &found->second;
}

}  // namespace

//! Notes the undefined bytes that lanes load into registers; a read whose value is not followed is
//! a finding.
template <class Missing>
void uninitialized_check::undefined_read(memory_access const& a, written_bits& own,
                                         written_bits& owner, lane_mask undefined,
                                         Missing const& missing) {
  launch const& launched = *a.of_block->of_launch;
  if (!launched.report || (a.kind == access_kind::update && is_exchange(a))) return;
  bool const copies = a.by == asynchronous::copy;
  bool const follows = a.kind == access_kind::read &&
                       (copies || (a.by == asynchronous::none && !moved(a).registers.empty()));
  bool partly = true;
  bool stored = true;  // in all lanes
  each_lane(undefined, [&](int t) {
    partly = partly && std::popcount(missing(t)) < a.bytes;
    stored = stored && source_of(a, owner, t, missing) != nullptr;
  });
  if (!follows && partly && a.where == space::local) return;
  std::shared_ptr<finding const> origin;
  if (stored) {
    origin = source_of(a, owner, std::countr_zero(undefined), missing)->origin;
  } else {
    origin = std::make_shared<finding>(finding_of(a, undefined, missing));
    if ((partly || a.where != space::global) && is_of_algorithms(*origin)) return;
  }
  if (!follows) {
    launched.report(*origin);
  } else if (copies) {
    own.copied = {a.op, {}, origin};
    each_lane(undefined,
              [&](int t) { own.copied.missing[static_cast<std::size_t>(t)] = missing(t); });
  } else {
    mark_registers(a, own, owner, undefined, missing, origin);
  }
}

namespace {

//! The place of a byte of lane t's register of matrix m in ldmatrix and stmatrix: the lane that
//! gives its row, and the byte of the row.
struct matrix_byte {
  int row, column;
};
[[nodiscard]] matrix_byte place_in_matrix(bool transposed, std::size_t m, int t, int byte) {
  int const first = static_cast<int>(8 * m);
  if (transposed) return {first + t % 4 * 2 + byte / 2, t / 4 * 2 + byte % 2};
  return {first + t / 4, t % 4 * 4 + byte};
}

}  // namespace

template <class Missing>
void uninitialized_check::mark_registers(memory_access const& a, written_bits& own,
                                         written_bits& owner, lane_mask undefined,
                                         Missing const& missing,
                                         std::shared_ptr<finding const> const& origin) {
  moved_registers const& loaded = moved(a);
  program const& code = *a.of_warp->current->code;
  undefined_registers& registers = own.registers[a.of_warp->number];
  lane_mask computed = 0;
  lane_mask of_nothing = 0;  // lanes whose address leads to nothing that was written
  each_lane(undefined, [&](int t) {
    written_bits::source const* const s = source_of(a, owner, t, missing);
    if (s != nullptr && s->computed) computed |= loaded.is_matrix ? all_lanes : lane_mask{1} << t;
    if (s != nullptr ? s->whole : std::popcount(missing(t)) == a.bytes)
      of_nothing |= lane_mask{1} << t;
  });
  for (std::size_t k = 0; k < loaded.registers.size(); ++k) {
    if (loaded.registers[k] == ptx::none) continue;
    int const wide = ptx::bytes_of(code.body.registers[loaded.registers[k]].type);
    std::array<std::uint32_t, lanes> found{};
    lane_mask whole = 0;
    each_lane(loaded.is_matrix ? all_lanes : undefined, [&](int t) {
      std::uint32_t& bytes = found[static_cast<std::size_t>(t)];
      for (int byte = 0; byte < loaded.bytes; ++byte) {
        matrix_byte const place = loaded.is_matrix
                                      ? place_in_matrix(loaded.is_transposed, k, t, byte)
                                      : matrix_byte{t, static_cast<int>(k) * loaded.bytes + byte};
        if ((undefined >> place.row & 1) != 0 && (missing(place.row) >> place.column & 1) != 0)
          bytes |= std::uint32_t{1} << byte;
      }
      bool const is_whole =
          loaded.is_matrix ? bytes == all_bytes(loaded.bytes) : (of_nothing >> t & 1) != 0;
      if (is_whole) whole |= lane_mask{1} << t;
      if (loaded.is_signed && (bytes >> (loaded.bytes - 1) & 1) != 0)
        bytes |= all_bytes(wide) & ~all_bytes(loaded.bytes);
    });
    undefined_register& r = registers.at(a.of_warp->current, loaded.registers[k]);
    r.origin = origin;
    each_lane(loaded.is_matrix ? all_lanes : undefined, [&](int t) {
      lane_mask const bit = lane_mask{1} << t;
      r.missing[static_cast<std::size_t>(t)] = found[static_cast<std::size_t>(t)];
      r.whole = (r.whole & ~bit) | (whole & bit);
      r.computed = (r.computed & ~bit) | (computed & bit);
    });
    if (r.missing == std::array<std::uint32_t, lanes>{})
      registers.define(a.of_warp->current, loaded.registers[k], all_lanes);
  }
  a.of_warp->followed = !registers.empty();
}

//! A store, whose bytes have been marked as written. `unmark(lane, byte, source)` is called for the
//! bytes of its value that are undefined.
template <class Unmark>
void uninitialized_check::stores(memory_access const& a, written_bits& own, Unmark const& unmark) {
  if (a.where == space::global && !outputs_.empty())
    each_lane(a.active,
              [&](int t) { outputs_.remove(a.address[t], static_cast<std::uint64_t>(a.bytes)); });
  if (a.by == asynchronous::copy && a.op == own.copied.op && a.where == space::shared) {
    each_lane(a.active, [&](int t) {
      std::uint64_t const missing = own.copied.missing[static_cast<std::size_t>(t)];
      for (std::uint64_t byte = 0; byte < static_cast<std::uint64_t>(a.bytes); ++byte)
        if ((missing >> byte & 1) != 0)
          unmark(t, byte,
                 written_bits::source{own.copied.origin, false, std::popcount(missing) == a.bytes});
    });
    own.copied = {};
  }
  undefined_registers& registers = own.registers[a.of_warp->number];
  if (registers.empty() || a.kind != access_kind::write || a.by != asynchronous::none) return;
  moved_registers const& stored = moved(a);
  auto const size = static_cast<std::uint64_t>(stored.bytes);
  launch const& launched = *a.of_block->of_launch;
  for (std::size_t k = 0; k < stored.registers.size(); ++k) {
    undefined_register const* const r = registers.find(a.of_warp->current, stored.registers[k]);
    if (r == nullptr) continue;
    bool is_output = false;
    each_lane(stored.is_matrix ? all_lanes : a.active, [&](int t) {
      std::uint32_t const missing =
          r->missing[static_cast<std::size_t>(t)] & all_bytes(stored.bytes);
      if (missing == 0) return;
      std::uint64_t const begin = k * size;
      bool const is_computed = (r->computed >> t & 1) != 0;
      if (a.where == space::global && is_computed) {
        is_output = true;
        return;
      }
      for (int byte = 0; byte < stored.bytes; ++byte) {
        if ((missing >> byte & 1) == 0) continue;
        matrix_byte const place = stored.is_matrix
                                      ? place_in_matrix(stored.is_transposed, k, t, byte)
                                      : matrix_byte{t, static_cast<int>(begin) + byte};
        if ((a.active >> place.row & 1) != 0)
          unmark(place.row, static_cast<std::uint64_t>(place.column),
                 written_bits::source{r->origin, is_computed, (r->whole >> t & 1) != 0});
      }
      if (a.where != space::global || (r->whole >> t & 1) == 0) return;
      std::uint64_t const address = a.address[t] + begin;
      if (global_.holds(address) && !of_host(launched, address))
        outputs_.add(address, size, r->origin);
      else if (launched.report)
        launched.report(*r->origin);
    });
    if (!is_output || !launched.report) continue;
    finding f = *r->origin;
    add_use(f, "a result that depends on them is stored at " +
                   decode::place_text(program_of(*a.of_warp), a.op->index));
    launched.report(f);
  }
}

void uninitialized_check::begin(launch const& l) {
  moved_.clear();
  flow_.clear();
  if (l.grid_workspace == 0 || l.memory == nullptr) return;
  known_range const r = l.memory->range_of(l.grid_workspace);
  if (r.begin < r.end) global_.set(r.begin, r.end - r.begin);
}

void uninitialized_check::begin(block const& b, written_bits& written) {
  written.shared.assign((b.shared.size() + 63) / 64 + 1, 0);
  // The system's own is zero when the block begins.
  if (b.reserved_shared != 0)
    for (std::size_t k = b.reserved_shared; k < b.shared.size(); ++k)
      written.shared[k / 64] |= std::uint64_t{1} << k % 64;
  written.registers.assign(b.warps.size(), {});
  written.sources.clear();
  written.copied = {};
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
  if (a.where == space::global)
    global_access(a, own);
  else if (a.where == space::shared)
    shared_access(a, own, owner);
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
    each_lane(a.active, [&](int t) {
      if (global_.holds(a.address[t]) && !global_.all(a.address[t], bytes))
        undefined |= lane_mask{1} << t;
    });
    if (undefined != 0) {
      launch const& l = *a.of_block->of_launch;
      each_lane(undefined, [&](int t) {
        if (of_host(l, a.address[t])) undefined &= ~(lane_mask{1} << t);
      });
      if (undefined != 0)
        undefined_read(a, own, own, undefined,
                       [&](int t) { return global_.missing(a.address[t], bytes); });
    }
  }
  if (a.kind != access_kind::read && !all_defined && a.pattern == lane_pattern::consecutive &&
      is_small)
    global_.set(s.begin, s.size());
  else if (a.kind != access_kind::read && !all_defined)
    each_lane(a.active, [&](int t) {
      if (global_.holds(a.address[t])) global_.mark(a.address[t], bytes);
    });
  if (a.kind != access_kind::read)
    stores(a, own, [&](int t, std::uint64_t byte, auto const&) {
      if (global_.holds(a.address[t])) global_.clear(a.address[t] + byte, 1);
    });
}

void uninitialized_check::shared_access(memory_access const& a, written_bits& own,
                                        written_bits& owner) {
  std::vector<std::uint64_t>& written = owner.shared;
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
    each_lane(a.active, [&](int t) {
      if (missing(t) != 0) undefined |= lane_mask{1} << t;
    });
    if (undefined != 0) undefined_read(a, own, owner, undefined, missing);
  }
  if (a.kind != access_kind::read && !all_defined)
    each_lane(a.active, [&](int t) {
      std::uint64_t const low = a.address[t] & 63;
      std::uint64_t* const word = &written[a.address[t] >> 6];
      word[0] |= mask << low;
      if (low + bytes > 64) word[1] |= mask >> (64 - low);
    });
  if (a.kind != access_kind::read)
    stores(a, own, [&](int t, std::uint64_t byte, written_bits::source const& origin) {
      std::uint64_t const place = a.address[t] + byte;
      written[place >> 6] &= ~(std::uint64_t{1} << (place & 63));
      owner.sources[word_of(a, t, byte)] = origin;
    });
}

void uninitialized_check::local_access(memory_access const& a, written_bits& own) {
  std::vector<std::vector<std::uint64_t>>& written = own.local;
  std::uint64_t const first = std::uint64_t{a.of_warp->number} * lanes;
  auto const bytes = static_cast<std::uint64_t>(a.bytes);
  auto const missing = [&](int t) {
    auto const& bits = written[first + static_cast<std::uint64_t>(t)];
    auto const word = [&](std::uint64_t k) {
      return k < bits.size() ? ~bits[k] : ~std::uint64_t{0};
    };
    std::uint64_t const k = a.address[t] / 64, low = a.address[t] % 64;
    std::uint64_t const found = word(k) >> low | (low == 0 ? 0 : word(k + 1) << (64 - low));
    return bytes >= 64 ? found : found & ((std::uint64_t{1} << bytes) - 1);
  };
  lane_mask undefined = 0;
  each_lane(a.active, [&](int t) {
    if (a.kind != access_kind::write && missing(t) != 0) undefined |= lane_mask{1} << t;
  });
  if (undefined != 0) undefined_read(a, own, own, undefined, missing);
  if (a.kind == access_kind::read) return;
  each_lane(a.active, [&](int t) {
    auto& bits = written[first + static_cast<std::uint64_t>(t)];
    std::uint64_t const last = a.address[t] + bytes - 1;
    if (bits.size() <= last / 64) bits.resize(last / 64 + 1);
    for (std::uint64_t k = a.address[t]; k <= last; ++k) bits[k / 64] |= std::uint64_t{1} << k % 64;
  });
  stores(a, own, [&](int t, std::uint64_t byte, written_bits::source const& origin) {
    own.sources[word_of(a, t, byte)] = origin;
    std::uint64_t const place = a.address[t] + byte;
    written[first + static_cast<std::uint64_t>(t)][place / 64] &= ~(std::uint64_t{1} << place % 64);
  });
}

}  // namespace device::check
