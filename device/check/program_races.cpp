// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/program_races.hpp>
#include <device/decode/source_place.hpp>
#include <device/runtime/caller.hpp>

#include <algorithm>
#include <bit>

namespace device::check {

namespace {

[[nodiscard]] std::uint64_t part(std::uint64_t address) { return address & (page_uses::bytes - 1); }

//! The bytes, of 64, at which an earlier use and a later one are a race.
struct conflicts {
  std::uint64_t bits = 0;
  use earlier = use::read, later = use::read;
};

[[nodiscard]] conflicts conflicts_of(page_uses const& a, page_uses const& b, std::size_t k) {
  for (use const x : {use::write, use::strong_write, use::read, use::strong_read}) {
    std::uint64_t const of_a = a.word(x, k);
    if (of_a == 0) continue;
    for (use const y : {use::read, use::write, use::strong_read, use::strong_write}) {
      bool const writes =
          x == use::write || x == use::strong_write || y == use::write || y == use::strong_write;
      bool const both_strong = (x == use::strong_read || x == use::strong_write) &&
                               (y == use::strong_read || y == use::strong_write);
      if (!writes || both_strong) continue;
      if (std::uint64_t const both = of_a & b.word(y, k); both != 0) return {both, x, y};
    }
  }
  return {};
}

//! True if whatever is a race with `a` is one with `b`, too.
[[nodiscard]] bool covers(page_uses const& b, page_uses const& a) {
  for (std::size_t k = 0; k < page_uses::bytes / 64; ++k) {
    std::uint64_t const write = b.word(use::write, k);
    if ((a.word(use::write, k) & ~write) != 0 ||
        (a.word(use::read, k) & ~(write | b.word(use::read, k))) != 0 ||
        (a.word(use::strong_write, k) & ~(write | b.word(use::strong_write, k))) != 0 ||
        (a.word(use::strong_read, k) & ~(write | b.word(use::strong_read, k) |
                                         b.word(use::strong_write, k) | b.word(use::read, k))) != 0)
      return false;
  }
  return true;
}

[[nodiscard]] bool writes(use u) { return u == use::write || u == use::strong_write; }

}  // namespace

void program_races::operation_begins(runtime::operation_pointer const& op) {
  auto const hold = pages_.hold();
  report_later();
  pages_.lift();
  if (running_ != nullptr) paused_.push_back(std::move(running_));  // a host function
  auto const paused =
      std::find_if(paused_.begin(), paused_.end(), [&](auto const& w) { return w->by->op == op; });
  if (paused != paused_.end()) {
    running_ = std::move(*paused);
    paused_.erase(paused);
    return;
  }
  running_ = std::make_unique<operation_at_work>();
  running_->by = std::make_shared<actor>();
  running_->by->op = op;
  running_->on = std::this_thread::get_id();
  if (op->before_wait) {
    running_->early = std::make_shared<actor>(*running_->by);
    running_->early->before_wait = true;
  }
  if (op->is_host_function)
    for (auto const& [begin, end] : host_memory_) pages_.protect(begin, end, true);
}

void program_races::operation_accesses(std::uint64_t begin, std::uint64_t bytes, bool writes) {
  if (running_ == nullptr || !memory_.holds(begin, std::max<std::uint64_t>(bytes, 1))) return;
  running_->used.mark(writes ? use::write : use::read, begin, bytes, 0);
}

void program_races::begin(launch const& l) {
  if (running_ == nullptr || l.by) return;
  for (actor* const a : {running_->by.get(), running_->early.get()}) {
    if (a == nullptr) continue;
    a->kernel = l.kernel->demangled;
    a->launch = l.number;
  }
}

void program_races::access(memory_access const& a) {
  if (a.where != space::global || running_ == nullptr) return;
  bool const update = a.kind == access_kind::update;
  bool const strong = update || a.order != strength::weak;
  bool const reads = a.kind != access_kind::write;
  bool const changes = a.kind == access_kind::write || (update && a.changes);
  if (a.order == strength::acquire || a.order == strength::release ||
      a.order == strength::acquire_release)
    running_->by->fences = true;
  site_id const site = sites_.number_of(a);
  auto const bytes = static_cast<std::uint64_t>(a.bytes);
  bool const early = running_->early != nullptr && !a.of_block->of_launch->by &&
                     !running_->waited.contains({a.of_block->number, a.of_warp->number});
  use_map& to = early ? running_->used_early : running_->used;
  auto const mark = [&](std::uint64_t begin, std::uint64_t n) {
    if (reads) to.mark(strong ? use::strong_read : use::read, begin, n, site);
    if (changes) to.mark(strong ? use::strong_write : use::write, begin, n, site);
    if (changes && strong && a.reach != scope::system && !host_memory_.empty() && of_host(begin))
      to.mark(use::device_write, begin, n, site);
  };
  // neighbours at once
  for (lane_mask left = a.active; left != 0;) {
    int t = std::countr_zero(left);
    std::uint64_t const begin = a.address[t];
    std::uint64_t end = begin;
    do {
      end += bytes;
      left &= left - 1;
      t = std::countr_zero(left);
    } while (left != 0 && a.address[t] == end);
    mark(begin, end - begin);
  }
}

void program_races::fence(warp&, operation const&, strength, scope reach) {
  if (running_ != nullptr && (reach == scope::gpu || reach == scope::system))
    running_->by->fences = true;
}

void program_races::grid_control(warp& w, bool waits) {
  if (running_ == nullptr || w.of_block->of_launch->by) return;
  std::uint64_t const block = w.of_block->number;
  if (!waits) {
    running_->triggered.insert(block);
    return;
  }
  if (!running_->triggered.contains(block)) running_->by->op->waited_before_dependents = true;
  if (running_->early != nullptr) running_->waited.insert({block, w.number});
}

void program_races::operation_ends(runtime::operation_pointer const& op, bool over) {
  auto const hold = pages_.hold();
  if (op->is_host_function) pages_.lift();
  std::unique_ptr<operation_at_work> done;
  if (running_ != nullptr && running_->by->op == op) {
    done = std::move(running_);
  } else {
    auto const paused = std::find_if(paused_.begin(), paused_.end(),
                                     [&](auto const& w) { return w->by->op == op; });
    if (paused == paused_.end()) return;
    done = std::move(*paused);
    paused_.erase(paused);
  }
  if (over) {
    if (done->early != nullptr) add(done->early, done->used_early);
    add(done->by, done->used);
  } else {
    paused_.push_back(std::move(done));
  }
  report_later();
  watch_host();
}

//! Operations whose strong writes this one has read, with fences on both sides, happened before it.
void program_races::acquire(actor& by, use_map& used) {
  if (!by.fences) return;
  for (auto const& [page, uses_here] : used.pages()) {
    if (!uses_here.has(use::strong_read)) continue;
    auto const found = pages_used_.find(page);
    if (found == pages_used_.end()) continue;
    for (record const& r : found->second) {
      if (!r.by->fences || !r.uses.has(use::strong_write) || ordered(*r.by, by)) continue;
      for (std::size_t k = 0; k < page_uses::bytes / 64; ++k)
        if ((uses_here.word(use::strong_read, k) & r.uses.word(use::strong_write, k)) != 0) {
          by.op->before.join(r.by->op->before);
          by.op->before.note(r.by->op->lane, r.by->op->number);
          break;
        }
    }
  }
}

void program_races::add(actor_pointer const& by, use_map& used) {
  if (!by->before_wait) acquire(*by, used);
  std::vector<std::uint64_t> numbers;
  numbers.reserve(used.pages().size());
  for (auto const& [page, uses_here] : used.pages()) numbers.push_back(page);
  std::sort(numbers.begin(), numbers.end());  // the first byte of a race is reported
  for (std::uint64_t const page : numbers) {
    page_uses& uses_here = used.pages()[page];
    compare(*by, uses_here, page);
    std::vector<record>& all = pages_used_[page];
    // Whatever comes after what the host knows of happens after it, too.
    std::erase_if(all, [&](record const& r) {
      return host_.knows(r.by->op->lane, r.by->op->number) ||
             (ordered(*r.by, *by) && covers(uses_here, r.uses));
    });
    if (of_host(page << page_uses::shift)) open_pages_.insert(page);
    all.push_back({by, std::move(uses_here)});
  }
}

void program_races::compare(actor const& by, page_uses const& uses_here, std::uint64_t page) {
  auto const found = pages_used_.find(page);
  if (found == pages_used_.end()) return;
  for (record const& r : found->second) {
    if (r.by->op == by.op || ordered(*r.by, by) || (!uses_here.writes() && !r.uses.writes()))
      continue;
    for (std::size_t k = 0; k < page_uses::bytes / 64; ++k) {
      conflicts const c = conflicts_of(r.uses, uses_here, k);
      if (c.bits == 0) continue;
      auto const first = static_cast<std::uint64_t>(std::countr_zero(c.bits));
      report_race({r.by.get(), r.uses.site(c.earlier, k), c.earlier, nullptr},
                  {&by, uses_here.site(c.later, k), c.later, nullptr},
                  (page << page_uses::shift) + k * 64 + first, false);
    }
  }
}

std::string program_races::text(side const& s) const {
  if (s.by == nullptr) return "the host's code at " + runtime::place_of_code(s.code);
  runtime::ordered_operation const& op = *s.by->op;
  std::string made;
  if (!s.by->kernel.empty()) {
    made = s.by->kernel + ", launch " + std::to_string(s.by->launch);
    if (site const* const access = sites_.find(s.site))
      made += ", at " + decode::place_text(access->code, access->operation);
  } else {
    made = op.name;
  }
  made += " in " + std::string(op.in_graph ? "a node of a graph in " : "") + op.stream;
  return made + ", called at " + runtime::place_of_call(op.caller, s.by->kernel);
}

void program_races::report_race(side const& earlier, side const& later, std::uint64_t address,
                                bool in_handler) {
  // A pair of places, of code or of calls, is reported once.
  auto const key = [](side const& s) {
    if (s.by == nullptr) return reinterpret_cast<std::uint64_t>(s.code);
    if (s.site != 0) return std::uint64_t{s.site};
    return s.by->op->caller.empty() ? std::uint64_t{1} << 20U
                                    : reinterpret_cast<std::uint64_t>(s.by->op->caller[0]);
  };
  if (!reported_.insert({key(earlier), key(later)}).second) return;
  finding f;
  f.check = check_kind::race;
  f.between = reach::grid;
  for (side const* const s : {&later, &earlier}) {
    if (s->by == nullptr || s->by->kernel.empty()) continue;
    f.kernel = s->by->kernel;
    f.launch = s->by->launch;
    if (site const* const access = sites_.find(s->site))
      decode::set_place(f, access->code, access->operation);
    break;
  }
  if (site const* const access =
          later.by != nullptr && !later.by->kernel.empty() ? sites_.find(earlier.site) : nullptr)
    decode::set_other_place(f, access->code, access->operation);
  auto const name = [](side const& s) { return std::string(writes(s.how) ? "write" : "read"); };
  std::optional<allocation> const a = memory_.find(address);
  char where[24];
  std::snprintf(where, sizeof where, "0x%llx", static_cast<unsigned long long>(address));
  f.message = name(later) + " after " + name(earlier) + " of global memory at " + where;
  if (a && address >= a->begin && address < a->begin + a->bytes)
    f.message += ", byte " + std::to_string(address - a->begin) + " of " +
                 (a->name.empty() ? "an allocation" : "variable " + a->name) + " of " +
                 bytes_text(a->bytes);
  f.message += ", by " + text(later) + "\nthe " + name(earlier) + " is by " + text(earlier) + "; ";
  if (later.by == nullptr)
    f.message += "nothing orders them: the host would have to wait for " + earlier.by->op->stream +
                 " (cudaStreamSynchronize, cudaEventSynchronize)";
  else if (later.by->before_wait)
    f.message += "nothing orders them: cudaGridDependencySynchronize (griddepcontrol.wait) before "
                 "the access would";
  else if (later.by->op->in_graph && earlier.by->op->in_graph &&
           later.by->op->stream == earlier.by->op->stream)
    f.message += "nothing orders them: an edge between the nodes would";
  else
    f.message += "nothing orders them: an event recorded in " + earlier.by->op->stream +
                 " and awaited (cudaStreamWaitEvent) by " + later.by->op->stream +
                 " would, or a synchronization between the calls";
  if (in_handler)
    later_.push_back(std::move(f));
  else
    report_(f);
}

void program_races::report_later() {
  while (!later_.empty()) {
    finding const f = std::move(later_.front());
    later_.pop_front();
    report_(f);
  }
}

// --- the host ------------------------------------------------------------------------------------

void program_races::host_knows(runtime::order_clock const& more) {
  auto const hold = pages_.hold();
  report_later();
  host_ = more;
  bool const runs = running_ != nullptr;
  if (!runs) pages_.lift();
  std::erase_if(open_pages_, [&](std::uint64_t page) {
    auto const found = pages_used_.find(page);
    if (found == pages_used_.end()) return true;
    std::erase_if(found->second,
                  [&](record const& r) { return host_.knows(r.by->op->lane, r.by->op->number); });
    return found->second.empty();
  });
  if (!runs) watch_host();
}

void program_races::allocated(allocation const& a) {
  auto const hold = pages_.hold();
  for (std::uint64_t page = a.begin >> page_uses::shift;
       page <= (a.begin + std::max<std::uint64_t>(a.bytes, 1) - 1) >> page_uses::shift; ++page) {
    auto const found = pages_used_.find(page);
    if (found == pages_used_.end()) continue;
    std::uint64_t const first = std::max(a.begin, page << page_uses::shift);
    std::uint64_t const end = std::min(a.begin + a.bytes, (page + 1) << page_uses::shift);
    for (record& r : found->second) r.uses.forget(part(first), end - first);
  }
  bool const own_pages = a.kind == allocation_kind::managed || a.kind == allocation_kind::pinned;
  std::uint64_t begin = a.begin;
  std::uint64_t end = a.begin + a.bytes;
  if (own_pages) {
    end = (end + host_pages::page - 1) / host_pages::page * host_pages::page;
  } else if (a.kind == allocation_kind::registered) {
    // Only pages that are no other variable's.
    begin = (begin + host_pages::page - 1) / host_pages::page * host_pages::page;
    end = end / host_pages::page * host_pages::page;
  } else {
    return;
  }
  if (begin % host_pages::page == 0 && begin < end) host_memory_[begin] = end;
}

void program_races::freed(allocation const& a) {
  auto const hold = pages_.hold();
  auto const found = host_memory_.lower_bound(a.begin);
  if (found == host_memory_.end() || found->first >= a.begin + std::max<std::uint64_t>(a.bytes, 1))
    return;
  pages_.lift();
  std::erase_if(open_pages_, [&](std::uint64_t page) {
    return page >= found->first >> page_uses::shift && page < found->second >> page_uses::shift;
  });
  host_memory_.erase(found);
  if (running_ == nullptr) watch_host();
}

bool program_races::of_host(std::uint64_t address) const {
  auto const after = host_memory_.upper_bound(address);
  return after != host_memory_.begin() && address < std::prev(after)->second;
}

//! Protects the pages that operations use that the host has not waited for.
void program_races::watch_host() {
  constexpr std::size_t max_ranges = 10'000;  // the system allows six times as many
  std::size_t ranges = 0;
  std::uint64_t begin = 0, end = 0;
  bool reads_too = false;
  auto const protect = [&] {
    if (begin != end && ranges++ < max_ranges) pages_.protect(begin, end, reads_too);
  };
  for (std::uint64_t const page : open_pages_) {
    bool written = false;
    for (record const& r : pages_used_[page])
      written = written || (r.uses.writes() && !host_.knows(r.by->op->lane, r.by->op->number));
    std::uint64_t const here = page << page_uses::shift;
    if (here != end || written != reads_too) {
      protect();
      begin = here;
      reads_too = written;
    }
    end = here + page_uses::bytes;
  }
  protect();
}

bool program_races::host_accesses(std::uint64_t address, bool writes_it, void const* code) {
  std::uint64_t const offset = part(address);
  if (running_ != nullptr) {
    // A host function of a stream; else the device's own execution, or the program beside it.
    if (!running_->by->op->is_host_function || running_->on != std::this_thread::get_id())
      return false;
    running_->used.mark(writes_it ? use::write : use::read, address, 1, 0);
    return true;
  }
  auto const found = pages_used_.find(address >> page_uses::shift);
  if (found == pages_used_.end()) return false;
  std::size_t const k = offset / 64;
  std::uint64_t const bit = std::uint64_t{1} << offset % 64;
  for (record const& r : found->second) {
    if (host_.knows(r.by->op->lane, r.by->op->number)) continue;
    if (!writes_it && (r.uses.word(use::strong_write, k) & bit) != 0 &&
        (r.uses.word(use::write, k) & bit) == 0) {
      // It has waited, or will see the old value, which it has to expect. Only a kernel with fences
      // publishes by an atomic operation whose scope is the device, as atomicAdd's is.
      if (r.by->fences) {
        host_.join(r.by->op->before);
        host_.note(r.by->op->lane, r.by->op->number);
        continue;
      }
      if ((r.uses.word(use::device_write, k) & bit) == 0) continue;
      report_race({r.by.get(), r.uses.site(use::strong_write, k), use::strong_write, nullptr},
                  {nullptr, 0, use::read, code}, address, true);
      return false;
    }
    for (use const u : {use::write, use::strong_write, use::read, use::strong_read}) {
      if ((r.uses.word(u, k) & bit) == 0 || (!writes(u) && !writes_it)) continue;
      if (u == use::strong_read || u == use::strong_write) continue;  // a flag
      report_race({r.by.get(), r.uses.site(u, k), u, nullptr},
                  {nullptr, 0, writes_it ? use::write : use::read, code}, address, true);
      return false;
    }
  }
  return true;
}

}  // namespace device::check
