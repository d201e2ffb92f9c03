// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/race_check.hpp>
#include <device/decode/source_place.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

namespace device::check {
namespace {

//! Shadows of more pages than this (8 KiB each) are given back between launches.
constexpr std::size_t max_idle_pages = std::size_t{1} << 16;

//! A launch after one with more blocks, those that it launches included, is taken to know all that
//! its family did: races with others of the family are not seen then.
constexpr std::uint64_t max_blocks_apart = 128;
constexpr std::uint32_t asynchronous_kinds = 4;

[[nodiscard]] bool is_strong(memory_access const& a) {
  return a.kind == access_kind::update || a.order != strength::weak;
}

//! 2 if all lanes' accesses consist of whole 4-byte words, 1 if of half words, else 0.
[[nodiscard]] std::uint8_t cell_shift(memory_access const& a) {
  std::uint64_t low = static_cast<std::uint64_t>(a.bytes);
  for (lane_mask left = a.active; left != 0; left &= left - 1)
    low |= a.address[std::countr_zero(left)];
  return (low & 1) != 0 ? 0 : (low & 2) != 0 ? 1 : 2;
}

}  // namespace

//! A run of cells that a lane's access covers.
struct run {
  shadow_page* page;
  cell* cells;  //!< of them
  std::size_t first;
  std::size_t count;
};

//! Leads from addresses to cells.
class cells_of {
 public:
  cells_of(shadow_memory& memory, std::uint8_t shift) : memory_(memory), shift_(shift) {}
  //! The cells of [address, address + bytes), as far as they are in one page; `bytes` becomes what
  //! is left.
  [[nodiscard]] run operator()(std::uint64_t& address, std::uint64_t& bytes) {
    std::uint64_t const number = address >> shadow_page::bytes_shift;
    if (number != number_) {
      number_ = number;
      page_ = &memory_.page(address, shift_);
    }
    std::size_t const first = (address & (shadow_page::bytes - 1)) >> page_->shift;
    std::size_t const count = std::min<std::size_t>(bytes >> page_->shift, page_->size() - first);
    cell* const cells = page_->at(first, count);
    address += count << page_->shift;
    bytes -= count << page_->shift;
    return {page_, cells, first, count};
  }

 private:
  shadow_memory& memory_;
  std::uint8_t shift_;
  std::uint64_t number_ = ~std::uint64_t{0};
  shadow_page* page_ = nullptr;
};

namespace {

//! `f(lane, run of cells, address of the first)` for every active lane.
template <class F>
void each_run(memory_access const& a, shadow_memory& memory, F const& f) {
  cells_of find(memory, cell_shift(a));
  for (lane_mask left = a.active; left != 0; left &= left - 1) {
    auto const t = static_cast<std::uint32_t>(std::countr_zero(left));
    std::uint64_t address = a.address[t];
    for (auto bytes = static_cast<std::uint64_t>(a.bytes); bytes != 0;) {
      std::uint64_t const begin = address;
      run const r = find(address, bytes);
      f(t, r, begin);
    }
  }
}

//! The quick part of order::knows.
[[nodiscard, gnu::always_inline]] inline bool soon_ordered(time_stamp dead, time_stamp own,
                                                           time_stamp synced, thread_id me,
                                                           thread_id other, time_stamp when) {
  return when <= dead || me == other || (same_block(me, other) && when <= own) ||
         (same_warp(me, other) && when <= synced);
}

char const* name_of_helper(std::uint32_t kind) {
  switch (static_cast<asynchronous>(kind)) {
    case asynchronous::copy:
      return "cp.async";
    case asynchronous::bulk:
      return "a bulk copy";
    default:
      return "wgmma";
  }
}
//! The instruction that orders accesses after those of a helper.
char const* end_of_helper(std::uint32_t kind) {
  switch (static_cast<asynchronous>(kind)) {
    case asynchronous::copy:
      return "cp.async.wait_group";
    case asynchronous::bulk:
      return "wait for the copy's mbarrier or group";
    default:
      return "wgmma.wait_group";
  }
}

}  // namespace

namespace {

//! A launch's extents and names.
[[nodiscard]] launch shape_of(launch const& l) {
  launch s;
  s.code = l.code;
  s.kernel = l.kernel;
  s.grid = l.grid;
  s.block = l.block;
  s.number = l.number;
  s.by = l.by;
  s.first_block = l.first_block;
  return s;
}

}  // namespace

void race_check::launches(warp const& w, int lane, std::uint64_t number, raced_block& b) {
  thread_id const by = first_thread(b.order.id, w.number) + static_cast<std::uint32_t>(lane);
  order_.stamped();
  known_at_[number] = order_.known_to(b.order, by);
}

//! The knowledge with which a launch by a kernel begins.
clock race_check::known_at_begin(launch const& l) {
  launch_origin const& by = *l.by;
  time_stamp const now = order_.begin();
  clock known;
  if (by.is_tail) {
    known.become_all(now);
    return known;
  }
  known = known_at_[by.number];
  for (std::uint64_t const before : by.after) {
    known.join(known_at_[before]);
    auto const first = begun_.find(before);
    if (first == begun_.end()) continue;
    // All grids that it launched, and theirs, have run before any other of its parent's began.
    auto next = members_.upper_bound(first->second);
    while (next != members_.end() && next->second.shape.by->parent != by.parent) ++next;
    std::uint64_t const end = next == members_.end() ? l.first_block : next->first;
    if (end - first->second > max_blocks_apart) {
      known.become_all(now);
      return known;
    }
    for (std::uint64_t block = first->second; block < end; ++block)
      for (std::uint32_t kind = 0; kind < asynchronous_kinds; ++kind)
        known.add_block(block_of(helper_of(first_thread(block_id(block), 0), kind)), now);
  }
  return known;
}

void race_check::begin(launch const& l) {
  constexpr time_stamp late = 0x8000'0000U;
  if (l.by) {
    clock known = known_at_begin(l);
    known_at_[l.by->number] = known;
    begun_[l.by->number] = l.first_block;
    members_.emplace(l.first_block, member{shape_of(l), std::move(known)});
    return;
  }
  members_.clear();
  known_at_.clear();
  begun_.clear();
  members_.emplace(0, member{shape_of(l), {}});
  dead_ = order_.begin();
  if (dead_ > late) {
    global_.forget();
    order_.restart();
    dead_ = 0;
  }
  if (global_.pages_in_use() > max_idle_pages) global_.forget();
  global_.begin_epoch();
  sites_.clear();
  readers_.clear();
  stored_.clear();
  order_.begin_launch();
  latest_block_ = 0;
  generation_ = l.memory == nullptr ? 0 : l.memory->generation();
}

void race_check::begin(block const& b, raced_block& r) {
  launch const* const l = b.of_launch;
  std::uint64_t const number = l->first_block + b.number;
  r.order.begin(block_id(number), b.warps.size());
  if (l->by) {
    knowledge& at_first = r.order.common;
    at_first.known = members_.at(l->first_block).known;
    at_first.proxy = at_first.fenced_wide = at_first.fenced_block = at_first.known;
  }
  r.dead = order_.begin();
  r.loaded = 0;
  r.at_cluster = {};
  r.groups.clear();
  r.shared.begin_epoch();
  latest_block_ = std::max(latest_block_, number);
}

bool race_check::ordered(view const& v, thread_id me, thread_id other, time_stamp when) {
  // A helper's own accesses are not told apart.
  if (v.access->by != asynchronous::none &&
      other == helper_of(me, static_cast<std::uint32_t>(v.access->by)))
    return true;
  return soon_ordered(v.dead, v.own, v.synced, me, other, when) ||
         order::knows(v.raced->order, me, other, when);
}

void race_check::commit(warp const& w, asynchronous by, lane_mask committing, raced_block& b) {
  auto const kind = static_cast<std::uint32_t>(by);
  order_.stamped();
  for (; committing != 0; committing &= committing - 1) {
    auto const t = static_cast<std::uint32_t>(std::countr_zero(committing));
    b.groups[helper_of(first_thread(b.order.id, w.number) + t, kind)].push_back(order_.now());
  }
  order_.tick();
}

void race_check::wait(warp const& w, asynchronous by, lane_mask waiting, std::uint64_t pending,
                      raced_block& b) {
  auto const kind = static_cast<std::uint32_t>(by);
  std::array<time_stamp, lanes> until{};
  for (lane_mask left = waiting; left != 0; left &= left - 1) {
    auto const t = static_cast<std::uint32_t>(std::countr_zero(left));
    auto const found = b.groups.find(helper_of(first_thread(b.order.id, w.number) + t, kind));
    if (found == b.groups.end() || found->second.size() <= pending) continue;
    auto const last = found->second.end() - static_cast<std::ptrdiff_t>(pending) - 1;
    until[t] = *last;
    found->second.erase(found->second.begin(), last + 1);
  }
  order_.learn(b.order, w.number, waiting, w.alive, kind, until);
}

void race_check::arrive_at_cluster(warp const& w, lane_mask arriving, raced_block& b,
                                   raced_block& of_cluster, bool releases) {
  order_.stamped();
  for (; arriving != 0; arriving &= arriving - 1) {
    auto const t = static_cast<std::uint32_t>(std::countr_zero(arriving));
    order_.release(b.order, first_thread(b.order.id, w.number) + t, of_cluster.at_cluster,
                   scope::gpu, releases, true);
  }
}

void race_check::wait_for_cluster(warp const& w, lane_mask waiting, raced_block& b,
                                  raced_block& of_cluster) {
  for (; waiting != 0; waiting &= waiting - 1) {
    auto const t = static_cast<std::uint32_t>(std::countr_zero(waiting));
    order_.acquire(b.order, first_thread(b.order.id, w.number) + t, of_cluster.at_cluster,
                   scope::gpu, true);
  }
}

void race_check::access(memory_access const& a, raced_block& b, raced_block& owner) {
  bool const shared = a.where == space::shared;
  std::uint32_t const warp = a.of_warp->number;
  view v{&a,
         &b,
         shared ? &owner.shared : &global_,
         shared ? owner.dead : dead_,
         b.order.own,
         b.order.warps[warp].synced,
         first_thread(b.order.id, warp),
         sites_.number_of(a)};
  order_.stamped();
  if (is_strong(a))
    strong(v);
  else if (a.kind == access_kind::read)
    load(v);
  else
    store(v);
}

namespace {

//! The place in its page of word k of a lane's access.
[[nodiscard, gnu::always_inline]] inline std::uint32_t byte_in_page(memory_access const& a,
                                                                    std::uint32_t lane, int k) {
  return static_cast<std::uint32_t>(a.address[lane] & (shadow_page::bytes - 1)) +
         4 * static_cast<std::uint32_t>(k);
}

}  // namespace

bool race_check::has_words(memory_access const& a) {
  bool const whole = a.bytes == 4 || a.bytes == 8 || a.bytes == 16;
  return whole && a.by == asynchronous::none && a.issuer < 0;
}

bool race_check::find_words(view const& v, cell* (&first)[lanes]) {
  memory_access const& a = *v.access;
  if (!has_words(a)) return false;
  std::uint64_t low = 0;
  if (a.end != 0 && ((a.begin ^ (a.end - 1)) >> shadow_page::bytes_shift) == 0) {
    shadow_page& p = v.memory->page(a.begin, 2);
    if (p.shift != 2 || v.memory->strong_of(p) != nullptr) return false;
    std::size_t const lowest = (a.begin & (shadow_page::bytes - 1)) >> 2;
    cell* const cells = p.at(lowest, (a.end - a.begin + 3) / 4) - lowest;
    for (int t = 0; t < lanes; ++t) {
      first[t] = cells + ((a.address[t] & (shadow_page::bytes - 1)) >> 2);
      low |= (a.active >> t & 1) != 0 ? a.address[t] : 0;
    }
    return (low & static_cast<std::uint64_t>(a.bytes - 1)) == 0;
  }
  std::uint64_t number = ~std::uint64_t{0};
  shadow_page* p = nullptr;
  for (lane_mask left = a.active; left != 0; left &= left - 1) {
    int const t = std::countr_zero(left);
    std::uint64_t const address = a.address[t];
    if (std::uint64_t const of_lane = address >> shadow_page::bytes_shift; of_lane != number) {
      number = of_lane;
      p = &v.memory->page(address, 2);
      if (p->shift != 2 || v.memory->strong_of(*p) != nullptr) return false;
    }
    if ((address & static_cast<std::uint64_t>(a.bytes - 1)) != 0) return false;
    first[t] =
        p->at((address & (shadow_page::bytes - 1)) >> 2, static_cast<std::size_t>(a.bytes / 4));
  }
  return true;
}

template <int Words, class F>
void race_check::each_word(view& v, cell* const (&first)[lanes], F const& f) {
  time_stamp const dead = v.dead, own = v.own, synced = v.synced;
  thread_id const of_warp = v.first;
  for (lane_mask left = v.access->active; left != 0; left &= left - 1) {
    auto const t = static_cast<std::uint32_t>(std::countr_zero(left));
    thread_id const me = of_warp + t;
    for (int k = 0; k < Words; ++k) {
      cell& c = first[t][k];
      if (!soon_ordered(dead, own, synced, me, c.writer, c.write_time) &&
          !order::knows(v.raced->order, me, c.writer, c.write_time))
        report(v, t, v.access->address[t], c.writer, c.write_time, c.write_site, earlier::write);
      f(c, t, me, k);
    }
  }
}

inline void race_check::note_read(view const& v, cell& c, std::uint32_t t, thread_id me, int k,
                                  lane_mask readers) {
  time_stamp const now = order_.now();
  if (c.read_time == now && c.read_site == v.site && same_warp(c.reader, me)) {
    c.read_lanes |= readers;
    return;
  }
  bool const replaces = c.read_time <= v.own && same_block(me, c.reader) && c.earlier == 0;
  if (c.read_time <= v.dead)
    c.earlier = 0;
  else if (!replaces)
    add_earlier_read(v, c, me, byte_in_page(*v.access, t, k));
  c.read_time = now;
  c.reader = me;
  c.read_lanes = readers;
  c.read_site = v.site;
}

template <int Words>
void race_check::load_words(view& v, cell* const (&first)[lanes]) {
  view const same = v;  // but for `reported`, which it does not need: it stays in registers
  each_word<Words>(v, first, [&, same](cell& c, std::uint32_t t, thread_id me, int k) {
    note_read(same, c, t, me, k, lane_mask{1} << t);
  });
}

template <int Words>
void race_check::check_stores(view& v, cell* const (&first)[lanes]) {
  time_stamp const dead = v.dead, own = v.own;
  each_word<Words>(v, first, [&, dead, own](cell const& c, std::uint32_t t, thread_id me, int k) {
    bool const ordered_reads = c.earlier == 0 && c.read_time <= own && same_block(me, c.reader);
    if (c.read_time > dead && !ordered_reads)
      meet_reads(v, t, v.access->address[t], c, byte_in_page(*v.access, t, k));
  });
}

template <int Words>
void race_check::store_words(view& v, cell* const (&first)[lanes]) {
  time_stamp const now = order_.now();
  site_id const site = v.site;
  thread_id const of_warp = v.first;
  check_stores<Words>(v, first);
  // Lanes of one instruction do not race with each other here: they are noted after all were
  // checked.
  for (lane_mask left = v.access->active; left != 0; left &= left - 1) {
    auto const t = static_cast<std::uint32_t>(std::countr_zero(left));
    for (int k = 0; k < Words; ++k) {
      cell& c = first[t][k];
      c.write_time = now;
      c.writer = of_warp + t;
      c.write_site = site;
      c.read_time = 0;
    }
  }
}

race_check::row_place race_check::find_row(view const& v) {
  memory_access const& a = *v.access;
  bool const is_row = a.pattern == lane_pattern::consecutive && a.bytes == 4 && has_words(a) &&
                      a.address[0] % (4 * lanes) == 0;
  if (!is_row) return {};
  shadow_page& p = v.memory->page(a.address[0], 2);
  if (p.shift != 2 || v.memory->strong_of(p) != nullptr) return {};
  return {&p, (a.address[0] & (shadow_page::bytes - 1)) / (4 * lanes)};
}

bool race_check::row_is_ordered(view const& v, cell const& row) {
  // Lane t of a warp's row is accessed by lane t only.
  return row.write_time <= v.dead || same_warp(v.first, row.writer) ||
         (same_block(v.first, row.writer) && row.write_time <= v.own);
}

bool race_check::load_row(view const& v) {
  row_place const place = find_row(v);
  if (!place.is_whole() || !row_is_ordered(v, place.row())) return false;
  note_read(v, place.row(), 0, v.first, 0, 1);
  return true;
}

bool race_check::store_row(view& v) {
  row_place const place = find_row(v);
  if (place.page == nullptr) return false;
  cell& row = place.row();
  auto const reads_ordered = [&] {
    if (row.read_time <= v.dead) return true;
    if (same_warp(v.first, row.reader) && row.earlier == 0) return true;
    if (!same_block(v.first, row.reader) || row.read_time > v.own) return false;
    return row.earlier == 0 || readers_.is_within_block(row.earlier, v.first);
  };
  if (!place.is_whole() || !row_is_ordered(v, row) || !reads_ordered()) {
    cell* first[lanes];
    if (!find_words(v, first)) return false;
    check_stores<1>(v, first);
    place.make_whole();
    row = {};
  }
  row.write_time = order_.now();
  row.writer = v.first;
  row.write_site = v.site;
  row.read_time = 0;
  return true;
}

bool race_check::load_same_words(view& v) {
  memory_access const& a = *v.access;
  auto const t = static_cast<std::uint32_t>(std::countr_zero(a.active));
  std::uint64_t const address = a.address[t];
  if (!has_words(a) || (address & static_cast<std::uint64_t>(a.bytes - 1)) != 0) return false;
  shadow_page& p = v.memory->page(address, 2);
  if (p.shift != 2 || v.memory->strong_of(p) != nullptr) return false;
  thread_id const me = v.first + t;
  cell* const begin =
      p.at((address & (shadow_page::bytes - 1)) >> 2, static_cast<std::size_t>(a.bytes / 4));
  cell* const end = begin + a.bytes / 4;
  for (cell const* c = begin; c != end; ++c) {
    // By no rule for a thread's own accesses: all lanes are ordered alike.
    bool const ordered = c->write_time <= v.dead ||
                         (same_block(me, c->writer) && c->write_time <= v.own) ||
                         (same_warp(me, c->writer) && c->write_time <= v.synced);
    if (!ordered) return false;
  }
  for (cell* c = begin; c != end; ++c)
    note_read(v, *c, t, me, static_cast<int>(c - begin), a.active);
  return true;
}

void race_check::load(view& v) {
  if (v.access->pattern == lane_pattern::uniform && load_same_words(v)) return;
  if (load_row(v)) return;
  cell* first[lanes];
  if (find_words(v, first)) {
    if (v.access->bytes == 4) return load_words<1>(v, first);
    return v.access->bytes == 8 ? load_words<2>(v, first) : load_words<4>(v, first);
  }
  time_stamp const now = order_.now();
  each_run(*v.access, *v.memory, [&](std::uint32_t t, run const& r, std::uint64_t address) {
    thread_id const me = v.thread(t);
    thread_id const maker = v.maker(t);
    bool const by_proxy = v.access->by > asynchronous::copy;
    std::uint32_t const* const numbers = v.memory->strong_of(*r.page);
    for (std::size_t k = r.first; k < r.first + r.count; ++k) {
      cell& c = r.cells[k - r.first];
      if (c.write_time > v.dead && !ordered(v, me, c.writer, c.write_time))
        report(v, t, address, c.writer, c.write_time, c.write_site, earlier::write);
      else if (by_proxy && c.write_time > v.dead && asynchronous_kind_of(c.writer) <= 1 &&
               !order::sees_by_proxy(v.raced->order, me, c.writer, c.write_time))
        report(v, t, address, c.writer, c.write_time, c.write_site, earlier::without_proxy_fence);
      if (numbers != nullptr && numbers[k] != 0)
        meet_strong(v, t, address, v.memory->strong(numbers[k]), false);
      lane_mask const bit = lane_mask{1} << lane_of(maker);
      if (c.read_time == now && c.read_site == v.site && same_warp(c.reader, maker)) {
        c.read_lanes |= bit;
        continue;
      }
      add_earlier_read(v, c, maker, static_cast<std::uint32_t>(k << r.page->shift));
      c.read_time = now;
      c.reader = maker;
      c.read_lanes = bit;
      c.read_site = v.site;
    }
  });
}

void race_check::add_earlier_read(view const& v, cell& c, thread_id maker, std::uint32_t byte) {
  if (c.read_time <= v.dead) {
    c.earlier = 0;
  } else if (same_block(maker, c.reader) && c.read_time <= v.own) {
    if (readers_.is_within_block(c.earlier, maker)) c.earlier = 0;
  } else if (!same_warp(maker, c.reader) ||
             (c.read_time > v.synced && c.read_lanes != lane_mask{1} << lane_of(maker))) {
    auto const bytes = static_cast<unsigned>(v.access->bytes);
    c.earlier = readers_.add(c.earlier, c.latest_read(),
                             {byte, static_cast<std::uint8_t>(std::bit_width(bytes) - 1)});
  }
}

void race_check::store(view& v) {
  if (v.access->values != nullptr) write_twice(v);
  if (store_row(v)) return;
  cell* first[lanes];
  if (find_words(v, first)) {
    if (v.access->bytes == 4) return store_words<1>(v, first);
    return v.access->bytes == 8 ? store_words<2>(v, first) : store_words<4>(v, first);
  }
  time_stamp const now = order_.now();
  each_run(*v.access, *v.memory, [&](std::uint32_t t, run const& r, std::uint64_t address) {
    thread_id const me = v.thread(t);
    std::uint32_t const* const numbers = v.memory->strong_of(*r.page);
    for (std::size_t k = r.first; k < r.first + r.count; ++k) {
      cell const& c = r.cells[k - r.first];
      if (c.write_time > v.dead && !ordered(v, me, c.writer, c.write_time))
        report(v, t, address, c.writer, c.write_time, c.write_site, earlier::write);
      if (c.read_time > v.dead)
        meet_reads(v, t, address, c, static_cast<std::uint32_t>(k << r.page->shift));
      if (numbers != nullptr && numbers[k] != 0)
        meet_strong(v, t, address, v.memory->strong(numbers[k]), true);
    }
  });
  // Lanes of one instruction do not race with each other here: they are noted after all were
  // checked.
  each_run(*v.access, *v.memory, [&](std::uint32_t t, run const& r, std::uint64_t) {
    for (std::size_t k = r.first; k < r.first + r.count; ++k) {
      cell& c = r.cells[k - r.first];
      c.write_time = now;
      c.writer = v.maker(t);
      c.write_site = v.site;
      c.read_time = 0;
    }
  });
}

bool race_check::may_have_notified(view const& v, thread_id me, thread_id reader,
                                   time_stamp when) const {
  std::uint32_t const block = block_of(reader);
  return !same_block(me, reader) && v.raced->loaded >= when && block < stored_.size() &&
         stored_[block] >= when;
}

void race_check::meet_reads(view& v, std::uint32_t lane, std::uint64_t address, cell const& c,
                            std::uint32_t byte) {
  if (v.reported) return;
  thread_id const me = v.thread(lane);
  auto const meet = [&](warp_read const& read) {
    if (same_block(me, read.warp) && read.time <= v.own) return false;
    for (lane_mask left = read.lanes; left != 0; left &= left - 1) {
      thread_id const reader = read.thread(std::countr_zero(left));
      if (ordered(v, me, reader, read.time) || may_have_notified(v, me, reader, read.time))
        continue;
      report(v, lane, address, reader, read.time, read.site, earlier::read);
      return true;
    }
    return false;
  };
  if (meet(c.latest_read())) return;
  if (c.read_time <= v.own && readers_.is_within_block(c.earlier, me)) return;
  (void)readers_.find(c.earlier, byte, meet);
}

//! Lanes that write different values to one place.
void race_check::write_twice(view& v) {
  memory_access const& a = *v.access;
  auto const bytes = static_cast<std::size_t>(a.bytes);
  std::array<std::uint64_t, 4> buckets{};
  bool maybe = false;
  for (lane_mask left = a.active; left != 0; left &= left - 1) {
    std::uint64_t const h = a.address[std::countr_zero(left)] / bytes % 256;
    maybe = maybe || (buckets[h / 64] >> (h % 64) & 1) != 0;
    buckets[h / 64] |= std::uint64_t{1} << (h % 64);
  }
  if (!maybe) return;
  for (lane_mask left = a.active; left != 0; left &= left - 1) {
    auto const t = static_cast<std::uint32_t>(std::countr_zero(left));
    for (lane_mask later = left & (left - 1); later != 0; later &= later - 1) {
      auto const u = static_cast<std::uint32_t>(std::countr_zero(later));
      if (a.address[t] == a.address[u] &&
          std::memcmp(a.values + t * bytes, a.values + u * bytes, bytes) != 0)
        return report(v, u, a.address[u], v.first + t, order_.now(), v.site,
                      earlier::same_instruction);
    }
  }
}

void race_check::meet_strong(view& v, std::uint32_t lane, std::uint64_t address, strong_cell& s,
                             bool writes) {
  thread_id const me = v.thread(lane);
  // A thread that has read what the latest strong store wrote comes after it, as does one that
  // knows what it released.
  if (s.write_time > v.dead && !ordered(v, me, s.writer, s.write_time) &&
      !(s.read_since && s.reader == me) && !order::knows(v.raced->order, me, s.to))
    report(v, lane, address, s.writer, s.write_time, s.write_site, earlier::strong_write);
  if (!writes) return;
  if (s.read_time > v.dead && !ordered(v, me, s.reader, s.read_time))
    report(v, lane, address, s.reader, s.read_time, s.read_site, earlier::strong_read);
  s = strong_cell{};
}

void race_check::strong(view& v) {
  cells_of find(*v.memory, cell_shift(*v.access));
  for (lane_mask left = v.access->active; left != 0; left &= left - 1)
    strong_lane(v, static_cast<std::uint32_t>(std::countr_zero(left)), find);
}

void race_check::strong_lane(view& v, std::uint32_t lane, cells_of& find) {
  memory_access const& a = *v.access;
  thread_id const me = v.thread(lane);
  bool const reads = a.kind != access_kind::write;
  // Nobody learns anything from a reduction, which gives no value.
  bool const learns = a.kind == access_kind::read || a.op->d != no_slot || a.op->list != nullptr;
  // A compare-and-swap that fails writes nothing; other operations write even if the value stays
  // the same.
  // So does asking an mbarrier, which is no atomic instruction.
  bool const always_writes = a.op->kind == instruction_kind::atomic && a.op->c == no_slot;
  bool const writes = a.kind == access_kind::write ||
                      (a.kind == access_kind::update && (a.changes || always_writes));
  bool const wide = a.order == strength::is_volatile || is_wide(a.reach);
  scope const reach = wide ? scope::gpu : scope::cta;
  bool const acquires = a.order == strength::acquire || a.order == strength::acquire_release;
  // Without an order: what an asynchronous copy does to an mbarrier when it is complete.
  bool const releases = a.order == strength::release || a.order == strength::acquire_release ||
                        a.order == strength::weak;
  std::uint64_t address = a.address[lane];
  for (auto bytes = static_cast<std::uint64_t>(a.bytes); bytes != 0;) {
    std::uint64_t const begin = address;
    run const r = find(address, bytes);
    v.memory->make_strong(*r.page, r.first, r.first + r.count - 1);
    std::uint32_t const* const numbers = v.memory->strong_of(*r.page);
    for (std::size_t k = r.first; k < r.first + r.count; ++k) {
      cell const& c = r.cells[k - r.first];
      if (c.write_time > v.dead && !ordered(v, me, c.writer, c.write_time))
        report(v, lane, begin, c.writer, c.write_time, c.write_site, earlier::write);
      if (writes && c.read_time > v.dead)
        meet_reads(v, lane, begin, c, static_cast<std::uint32_t>(k << r.page->shift));
      if (k != r.first && numbers[k] == numbers[k - 1]) continue;
      strong_cell& s = v.memory->strong(numbers[k]);
      // Two strong accesses are no race if the scope of each reaches the other's thread.
      if (s.write_time > v.dead && !(wide && s.write_wide) && !same_block(me, s.writer) &&
          !ordered(v, me, s.writer, s.write_time))
        report(v, lane, begin, s.writer, s.write_time, s.write_site, earlier::strong_write);
      if (writes && s.read_time > v.dead && !(wide && s.read_wide) && !same_block(me, s.reader) &&
          !ordered(v, me, s.reader, s.read_time))
        report(v, lane, begin, s.reader, s.read_time, s.read_site, earlier::strong_read);
      if (reads) {
        if (learns) order_.acquire(v.raced->order, me, s.to, reach, acquires);
        s.read_time = order_.now();
        s.reader = me;
        s.read_site = v.site;
        s.read_wide = wide;
        s.read_since = true;
        v.raced->loaded = order_.now();
        order_.stamped();
      }
      if (writes) {
        s.write_time = order_.now();
        s.writer = me;
        s.write_site = v.site;
        s.write_wide = wide;
        s.read_since = reads;
        order_.stamped();
        order_.release(v.raced->order, me, s.to, reach, releases, a.kind == access_kind::update);
        if (a.by != asynchronous::none) {  // who waits for the copy knows of it
          s.to.within.add_thread(v.maker(lane), order_.now());
          if (wide) s.to.wide.add_thread(v.maker(lane), order_.now());
        }
        std::uint32_t const block = block_of(me);
        if (stored_.size() <= block) stored_.resize(block + 1);
        stored_[block] = s.write_time;
        order_.tick();  // what is read from now on was not read before this store
      }
    }
  }
}

std::optional<thread_id> race_check::lane_after(view const& v, thread_id me, thread_id other,
                                                time_stamp when) {
  if (same_warp(me, other)) return std::nullopt;
  for (lane_mask left = v.access->of_warp->alive; left != 0; left &= left - 1) {
    thread_id const lane = v.first + static_cast<std::uint32_t>(std::countr_zero(left));
    if (lane != me && order::knows(v.raced->order, lane, other, when)) return lane;
  }
  return std::nullopt;
}

void race_check::report(view& v, std::uint32_t lane, std::uint64_t address, thread_id other,
                        time_stamp when, site_id other_site, earlier kind) {
  if (v.reported) return;
  memory_access const& a = *v.access;
  launch const& launched = *a.of_block->of_launch;
  if (!launched.report) return;
  if (a.where == space::global && launched.memory != nullptr &&
      launched.memory->generation() != generation_) {
    // Kernels have freed memory of their heap, so that the earlier access may be of an allocation
    // that is no more.
    std::optional<allocation> const in = launched.memory->find(address);
    if (in && in->kind == allocation_kind::heap) return;
  }
  v.reported = true;
  site const* const s = sites_.find(other_site);
  bool const other_wrote = kind != earlier::read && kind != earlier::strong_read;
  char const* const mine = a.kind == access_kind::read    ? "read"
                           : a.kind == access_kind::write ? "write"
                                                          : "atomic";
  char const* const others = s != nullptr && s->kind == access_kind::update ? "atomic"
                             : other_wrote                                  ? "write"
                                                                            : "read";
  std::uint32_t const helper = asynchronous_kind_of(other);
  other = without_kind(other);
  std::uint64_t number = block_of(other);
  while (number + (std::uint64_t{1} << block_bits) <= latest_block_)
    number += std::uint64_t{1} << block_bits;
  thread_id const me = v.thread(lane);
  launch const& others_grid = std::prev(members_.upper_bound(number))->second.shape;
  bool const same_grid = others_grid.number == launched.number;
  number -= others_grid.first_block;
  std::optional<thread_id> const synced =
      same_grid && helper == 0 && kind != earlier::without_proxy_fence
          ? lane_after(v, me, other, when)
          : std::nullopt;
  finding f = finding_at(a, check_kind::race);
  if (kind == earlier::same_instruction)
    decode::set_other_place(f, program_of(*a.of_warp), a.op->index);
  else if (s != nullptr)
    decode::set_other_place(f, s->code, s->operation);
  f.between = same_warp(me, other)    ? reach::warp
              : same_block(me, other) ? reach::block
                                      : reach::grid;
  f.message = std::string(mine) + " after " + others + " of " +
              bytes_text(static_cast<std::uint64_t>(a.bytes)) + " of " +
              address_text(launched, a.where, address) + ", by " +
              thread_text(launched, a.of_block->number, me & 1023U) + "\n" + others;
  if (kind == earlier::same_instruction) {
    f.message += " of another value in the same instruction by " +
                 thread_text(launched, number, other & 1023U);
  } else {
    f.message += " at " +
                 (s == nullptr ? std::string("an unknown line")
                               : decode::place_text(s->code, s->operation)) +
                 " by " + (helper == 0 ? "" : std::string(name_of_helper(helper)) + " of ") +
                 thread_text(others_grid, number, other & 1023U);
    if (!same_grid)
      f.message += " of " + others_grid.kernel->demangled + ", launch " +
                   std::to_string(others_grid.number) +
                   "; nothing orders them: a kernel that a thread launches comes after what the "
                   "thread knew then, and after the launches before it in its stream";
    else
      f.message += "; between them there is no ";
    f.message += !same_grid                             ? ""
                 : helper != 0                          ? end_of_helper(helper)
                 : kind == earlier::without_proxy_fence ? "fence.proxy.async"
                 : f.between == reach::warp || synced   ? "__syncwarp()"
                 : f.between == reach::block            ? "__syncthreads(), nor a fence with a flag"
                                             : "fence with a flag that orders the blocks";
    if (synced)
      f.message += " after lane " + std::to_string(lane_of(*synced)) + " of warp " +
                   std::to_string(a.of_warp->number) +
                   " has synchronized with it, and shuffles order no memory";
  }
  launched.report(f);
}

}  // namespace device::check
