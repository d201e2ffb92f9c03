// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/core/failure.hpp>
#include <device/memory/memory.hpp>
#include <device/memory/places.hpp>
#include <sys/mman.h>

#include <algorithm>
#include <deque>
#include <new>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

namespace device {
namespace {

constexpr std::uint64_t granule = 256;
constexpr std::uint64_t chunk = std::uint64_t{1} << 20;
constexpr std::uint64_t page = 4096;
constexpr std::uint64_t max_records = std::uint64_t{1} << 26;

//! The pages of a freed block of this size or more go back to the system at once, so that its
//! quarantine costs address space only.
constexpr std::uint64_t large_block = std::uint64_t{64} << 10;
//! The most bytes of smaller blocks in quarantine, and the most blocks of any size.
constexpr std::uint64_t max_small_quarantine = std::uint64_t{16} << 20;
constexpr std::size_t max_quarantined = 100'000;

constexpr std::uint64_t round_up(std::uint64_t n, std::uint64_t to) {
  return (n + to - 1) / to * to;
}

//! Address space whose pages exist once they are touched, zeroed; null if there is none.
void* reserve(std::uint64_t bytes) {
  void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

//! The table that holds() reads without a lock, with an entry for each unit of the arena, its pages
//! committed when used.
template <class T>
class lazy_table {
 public:
  lazy_table() = default;
  explicit lazy_table(std::uint64_t entries) : bytes_(round_up(entries * sizeof(T), page)) {
    entries_ = static_cast<T*>(reserve(bytes_));
    if (entries_ == nullptr) throw std::bad_alloc();
    madvise(entries_, bytes_,
            MADV_NOHUGEPAGE);  // a huge page would commit entries that nobody uses
  }
  ~lazy_table() {
    if (entries_ != nullptr) munmap(entries_, bytes_);
  }
  lazy_table(lazy_table const&) = delete;
  lazy_table& operator=(lazy_table const&) = delete;
  [[nodiscard]] T& operator[](std::uint64_t k) const { return entries_[k]; }

 private:
  T* entries_ = nullptr;
  std::uint64_t bytes_ = 0;
};

using entry = std::atomic<std::uint32_t>;

//! The bounds of a live allocation; bytes are 0 once it is freed.
struct record {
  std::atomic<std::uint64_t> begin;
  std::atomic<std::uint64_t> bytes;
  std::atomic<device_set> devices;  //!< whose kernels access it
};
static_assert(entry::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free,
              "the tables are zeroed pages, in which these begin their life");

}  // namespace

struct global_memory::state {
  //! Addresses for mappings, from a place on.
  struct reservation {
    std::uint64_t bytes = 0;
    std::uint64_t span = 0;  //!< not given to others
  };
  //! An allocation with its place: [place, place + span) of the arena is not given to others. One
  //! that is mapped into a reservation has no span of its own.
  struct block {
    allocation record;
    std::uint64_t place = 0;
    std::uint64_t span = 0;
    std::uint32_t slot = 0;  //!< in records
    bool has_own_rights = false;
  };

  explicit state(std::uint64_t arena_begin, std::uint64_t arena_bytes)
      : records(std::min(max_records, arena_bytes / (2 * granule) + 2)),
        of_granule(arena_bytes / granule + 1),
        of_chunk(arena_bytes / chunk + 2),
        free_places(arena_begin, arena_bytes),
        begin(arena_begin),
        max_slots(std::min(max_records, arena_bytes / (2 * granule) + 2)),
        max_quarantine(arena_bytes / 4) {}

  lazy_table<record> records;  // by slot; slot 0 is nobody's
  // slot of the allocation that has bytes there; may be that of a freed one
  lazy_table<entry> of_granule;
  // slot of the allocation that has all of it; 0: look at the granules
  lazy_table<entry> of_chunk;

  mutable std::mutex lock;  // of all below but `registered`
  places free_places;
  std::uint64_t begin;
  std::uint64_t max_slots;
  std::uint64_t max_quarantine;
  std::map<std::uint64_t, reservation> reserved;  // by begin
  std::map<std::uint64_t, block> live;            // by begin
  std::map<std::uint64_t, block> freed;           // those in quarantine, by begin
  std::deque<std::uint64_t> quarantine;           // their begins, oldest first
  std::uint64_t small_quarantine = 0;             // bytes
  std::uint64_t large_quarantine = 0;
  std::vector<std::uint32_t> free_slots;
  std::uint32_t next_slot = 1;
  std::uint64_t next_number = 1;
  std::vector<std::uint64_t> used;  // by device
  std::vector<device_set> peers;    // by device: those whose kernels access its memory

  mutable std::shared_mutex registered_lock;
  std::map<std::uint64_t, allocation> registered;
  std::atomic<std::size_t> registered_count{0};

  //! Makes an allocation's granules lead to its slot.
  void mark(block const& b) {
    std::uint64_t const first = (b.record.begin - begin) / granule;
    std::uint64_t const last =
        (b.record.begin - begin + std::max<std::uint64_t>(b.record.bytes, 1) - 1) / granule;
    constexpr std::uint64_t per_chunk = chunk / granule;
    for (std::uint64_t g = first; g <= last;) {
      std::uint64_t const c = g / per_chunk;
      std::uint64_t const end = std::min(last + 1, (c + 1) * per_chunk);
      bool const whole = end - g == per_chunk;
      if (!whole)
        for (std::uint64_t k = g; k < end; ++k)
          of_granule[k].store(b.slot, std::memory_order_relaxed);
      of_chunk[c].store(whole ? b.slot : 0, std::memory_order_release);
      g = end;
    }
  }

  //! The devices that access an allocation that has no rights of its own.
  [[nodiscard]] device_set devices_of(allocation const& a) const {
    bool const of_device = a.kind == allocation_kind::device || a.kind == allocation_kind::heap ||
                           a.kind == allocation_kind::module_variable;
    return of_device ? peers[static_cast<std::size_t>(a.device)] : all_devices;
  }
  //! Makes the bounds of an allocation known, and its rights.
  void record_bounds(block const& b) {
    struct record& r = records[b.slot];
    r.begin.store(b.record.begin, std::memory_order_relaxed);
    r.devices.store(devices_of(b.record), std::memory_order_relaxed);
    r.bytes.store(b.record.bytes, std::memory_order_release);
  }

  void leave_quarantine() {
    auto const found = freed.find(quarantine.front());
    block const& b = found->second;
    (b.span < large_block ? small_quarantine : large_quarantine) -= b.span;
    free_places.give_back(b.place, b.span);
    free_slots.push_back(b.slot);
    freed.erase(found);
    quarantine.pop_front();
  }

  void enter_quarantine(block b) {
    b.record.freed = true;
    if (b.span < large_block) {
      small_quarantine += b.span;
    } else {
      large_quarantine += b.span;
      std::uint64_t const first = round_up(b.record.begin, page);
      std::uint64_t const end = (b.record.begin + b.record.bytes) / page * page;
      if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
    }
    quarantine.push_back(b.record.begin);
    freed.insert_or_assign(b.record.begin, std::move(b));
    while (small_quarantine > max_small_quarantine || large_quarantine > max_quarantine ||
           quarantine.size() > max_quarantined)
      leave_quarantine();
  }

  [[nodiscard]] std::optional<std::uint32_t> new_slot() {
    if (!free_slots.empty()) {
      std::uint32_t const slot = free_slots.back();
      free_slots.pop_back();
      return slot;
    }
    if (next_slot >= max_slots) return std::nullopt;
    return next_slot++;
  }

  //! The bounds of the live allocation that has the granule of an address of the arena; empty if
  //! none of the devices may access it.
  [[nodiscard]] known_range bounds(device_set by, std::uint64_t offset) const {
    std::uint32_t slot = of_chunk[offset / chunk].load(std::memory_order_acquire);
    if (slot == 0) slot = of_granule[offset / granule].load(std::memory_order_acquire);
    record const& r = records[slot];
    std::uint64_t const bytes = r.bytes.load(std::memory_order_acquire);
    if ((r.devices.load(std::memory_order_relaxed) & by) == 0) return {1, 0, 0};
    std::uint64_t const place = r.begin.load(std::memory_order_relaxed);
    return {place, place + bytes, 0};
  }

  [[nodiscard]] static bool within(allocation const& a, std::uint64_t address) {
    return address >= a.begin && address - a.begin < std::max<std::uint64_t>(a.bytes, 1);
  }
};

global_memory::global_memory(std::uint64_t capacity, int devices)
    : capacity_(round_up(capacity, chunk)) {
  auto const n = static_cast<std::uint64_t>(std::max(devices, 1));
  // Twice the devices' memory, so that freed blocks need not be used again soon, and host memory
  // that we give out. Where the system limits address space, less has to do.
  std::uint64_t const wish = 2 * n * capacity_ + (std::uint64_t{64} << 30);
  void* pages = nullptr;
  for (arena_bytes_ = wish; pages == nullptr && arena_bytes_ >= 64 * chunk;
       pages == nullptr ? arena_bytes_ /= 2 : 0) {
    arena_bytes_ = round_up(arena_bytes_, chunk);
    pages = device::reserve(arena_bytes_);
  }
  if (pages == nullptr)
    throw unsupported("the system gives no address space for the device's memory (see ulimit -v)");
  madvise(pages, arena_bytes_, MADV_DONTDUMP);
  arena_ = reinterpret_cast<std::uint64_t>(pages);
  try {
    state_ = new state(arena_, arena_bytes_);
  } catch (std::bad_alloc const&) {
    munmap(pages, arena_bytes_);
    throw unsupported("the system gives no address space for the device's tables (see ulimit -v)");
  }
  state_->used.resize(n);
  for (std::uint64_t d = 0; d < n; ++d) state_->peers.push_back(device_bit(static_cast<int>(d)));
}

global_memory::~global_memory() {
  delete state_;
  munmap(reinterpret_cast<void*>(arena_), arena_bytes_);
}

std::uint64_t global_memory::allocate(std::uint64_t bytes, allocation_kind kind, int device,
                                      std::uint64_t align, std::string name) {
  state& s = *state_;
  std::lock_guard const hold(s.lock);
  bool const of_device = kind == allocation_kind::device ||
                         kind == allocation_kind::module_variable ||
                         kind == allocation_kind::heap || kind == allocation_kind::array;
  std::uint64_t& used = s.used.at(static_cast<std::size_t>(device));
  if (bytes > arena_bytes_ || (of_device && used + bytes > capacity_)) return 0;
  align = std::max(align, granule);
  std::uint64_t const span = round_up(std::max<std::uint64_t>(bytes, 1), granule) + granule;
  std::optional<std::uint64_t> place = s.free_places.take(span, align);
  while (!place && !s.quarantine.empty()) {
    s.leave_quarantine();
    place = s.free_places.take(span, align);
  }
  if (!place) return 0;
  std::optional<std::uint32_t> const slot = s.new_slot();
  if (!slot) {
    s.free_places.give_back(*place, span);
    return 0;
  }
  state::block b{{*place, bytes, kind, device, false, std::move(name), s.next_number++, {}, {}, {}},
                 *place,
                 span,
                 *slot};
  s.record_bounds(b);
  s.mark(b);
  if (of_device) used += bytes;
  s.live.emplace(*place, std::move(b));
  return *place;
}

bool global_memory::free(std::uint64_t begin) {
  state& s = *state_;
  std::lock_guard const hold(s.lock);
  auto const found = s.live.find(begin);
  if (found == s.live.end() || found->second.span == 0) return false;  // or it is mapped
  state::block b = std::move(found->second);
  s.live.erase(found);
  s.records[b.slot].bytes.store(0, std::memory_order_release);
  generation_.fetch_add(1);
  allocation_kind const kind = b.record.kind;
  if (kind == allocation_kind::device || kind == allocation_kind::module_variable ||
      kind == allocation_kind::heap || kind == allocation_kind::array)
    s.used[static_cast<std::size_t>(b.record.device)] -= b.record.bytes;
  s.enter_quarantine(std::move(b));
  return true;
}

void global_memory::set_devices(std::uint64_t begin, device_set devices) {
  state& s = *state_;
  std::lock_guard const hold(s.lock);
  auto const found = s.live.find(begin);
  if (found == s.live.end()) return;
  found->second.has_own_rights = true;
  s.records[found->second.slot].devices.store(devices, std::memory_order_relaxed);
  generation_.fetch_add(1);
}

void global_memory::set_peer_access(int device, int owner, bool allowed) {
  state& s = *state_;
  std::lock_guard const hold(s.lock);
  device_set& all = s.peers.at(static_cast<std::size_t>(owner));
  all = allowed ? all | device_bit(device) : all & ~device_bit(device);
  for (auto const& [begin, b] : s.live)
    if (b.record.device == owner && !b.has_own_rights)
      s.records[b.slot].devices.store(s.devices_of(b.record), std::memory_order_relaxed);
  generation_.fetch_add(1);
}

void global_memory::note_callers(std::uint64_t begin, std::vector<void*> callers,
                                 std::string function) {
  state& s = *state_;
  {
    std::lock_guard const hold(s.lock);
    if (auto const found = s.live.find(begin); found != s.live.end()) {
      found->second.record.allocated_by = std::move(callers);
      found->second.record.function = std::move(function);
      return;
    }
    if (auto const found = s.freed.find(begin); found != s.freed.end()) {
      found->second.record.freed_by = std::move(callers);
      return;
    }
  }
  std::unique_lock const hold(s.registered_lock);
  if (auto const found = s.registered.find(begin); found != s.registered.end())
    found->second.allocated_by = std::move(callers);
}

bool global_memory::add_registered(std::uint64_t begin, std::uint64_t bytes) {
  if (bytes == 0 || begin + bytes < begin) return false;
  if (begin < arena_end() && begin + bytes > arena_) return false;
  state& s = *state_;
  std::uint64_t number = 0;
  {
    std::lock_guard const hold(s.lock);
    number = s.next_number++;
  }
  std::unique_lock const hold(s.registered_lock);
  auto const after = s.registered.lower_bound(begin);
  if (after != s.registered.end() && after->first < begin + bytes) return false;
  if (after != s.registered.begin()) {
    allocation const& before = std::prev(after)->second;
    if (before.begin + before.bytes > begin) return false;
  }
  s.registered.emplace(
      begin,
      allocation{begin, bytes, allocation_kind::registered, 0, false, {}, number, {}, {}, {}});
  s.registered_count.store(s.registered.size());
  return true;
}

bool global_memory::remove_registered(std::uint64_t begin) {
  state& s = *state_;
  std::unique_lock const hold(s.registered_lock);
  if (s.registered.erase(begin) == 0) return false;
  s.registered_count.store(s.registered.size());
  generation_.fetch_add(1);
  return true;
}

known_range global_memory::range_for(device_set by, std::uint64_t address) const {
  // first: a later change must show
  std::uint64_t const now = generation_.load(std::memory_order_acquire);
  state const& s = *state_;
  known_range found{1, 0, now};
  if (address - arena_ < arena_bytes_) {
    found = s.bounds(by, address - arena_);
    found.generation = now;
  } else if (s.registered_count.load(std::memory_order_acquire) != 0) {
    std::shared_lock const hold(s.registered_lock);
    auto const after = s.registered.upper_bound(address);
    if (after != s.registered.begin()) {
      allocation const& a = std::prev(after)->second;
      found = {a.begin, a.begin + a.bytes, now};
    }
  }
  if (address < found.begin || address >= found.end) return {1, 0, now};
  return found;
}

bool global_memory::holds_for(device_set by, std::uint64_t address, std::uint64_t bytes) const {
  for (;;) {
    known_range const r = range_for(by, address);
    if (address < r.begin || address >= r.end) return false;
    if (bytes <= r.end - address) return true;
    bytes -= r.end - address;
    address = r.end;
  }
}

std::uint64_t global_memory::reserve(std::uint64_t bytes, std::uint64_t align) {
  state& s = *state_;
  std::lock_guard const hold(s.lock);
  if (bytes == 0 || bytes > arena_bytes_) return 0;
  std::uint64_t const span = round_up(bytes, granule) + granule;
  std::optional<std::uint64_t> place = s.free_places.take(span, std::max(align, granule));
  while (!place && !s.quarantine.empty()) {
    s.leave_quarantine();
    place = s.free_places.take(span, std::max(align, granule));
  }
  if (!place) return 0;
  s.reserved.emplace(*place, state::reservation{bytes, span});
  return *place;
}

bool global_memory::unreserve(std::uint64_t begin, std::uint64_t bytes) {
  state& s = *state_;
  std::lock_guard const hold(s.lock);
  auto const found = s.reserved.find(begin);
  if (found == s.reserved.end() || found->second.bytes != bytes) return false;
  auto const mapped = s.live.lower_bound(begin);
  if (mapped != s.live.end() && mapped->first < begin + bytes) return false;
  s.free_places.give_back(begin, found->second.span);
  s.reserved.erase(found);
  return true;
}

bool global_memory::map(std::uint64_t begin, std::uint64_t bytes, int device) {
  state& s = *state_;
  std::lock_guard const hold(s.lock);
  auto after = s.reserved.upper_bound(begin);
  if (after == s.reserved.begin() || bytes == 0) return false;
  auto const& [place, range] = *std::prev(after);
  if (begin - place >= range.bytes || bytes > range.bytes - (begin - place)) return false;
  auto const next = s.live.lower_bound(begin);
  if (next != s.live.end() && next->first < begin + bytes) return false;
  if (next != s.live.begin()) {
    allocation const& before = std::prev(next)->second.record;
    if (before.begin + before.bytes > begin) return false;
  }
  std::optional<std::uint32_t> const slot = s.new_slot();
  if (!slot) return false;
  state::block b{
      {begin, bytes, allocation_kind::device, device, false, {}, s.next_number++, {}, {}, {}},
      begin,
      0,
      *slot};
  s.record_bounds(b);
  s.mark(b);
  s.live.emplace(begin, std::move(b));
  return true;
}

bool global_memory::unmap(std::uint64_t begin) {
  state& s = *state_;
  std::lock_guard const hold(s.lock);
  auto const found = s.live.find(begin);
  if (found == s.live.end() || found->second.span != 0) return false;
  state::block b = std::move(found->second);
  s.live.erase(found);
  s.records[b.slot].bytes.store(0, std::memory_order_release);
  generation_.fetch_add(1);
  std::uint32_t const slot = std::exchange(b.slot, 0);
  s.mark(b);
  s.free_slots.push_back(slot);
  madvise(reinterpret_cast<void*>(begin), b.record.bytes, MADV_DONTNEED);
  return true;
}

bool global_memory::take_bytes(int device, std::uint64_t bytes) {
  std::lock_guard const hold(state_->lock);
  std::uint64_t& used = state_->used.at(static_cast<std::size_t>(device));
  if (bytes > capacity_ || used > capacity_ - bytes) return false;
  used += bytes;
  return true;
}

void global_memory::give_back_bytes(int device, std::uint64_t bytes) {
  std::lock_guard const hold(state_->lock);
  state_->used.at(static_cast<std::size_t>(device)) -= bytes;
}

std::optional<allocation> global_memory::find(std::uint64_t address) const {
  constexpr std::uint64_t near = 4096;
  state const& s = *state_;
  std::optional<allocation> nearest;
  std::uint64_t nearest_distance = near + 1;
  auto const consider = [&](allocation const& a) {
    std::uint64_t const end = a.begin + a.bytes;
    std::uint64_t const distance = state::within(a, address) ? 0
                                   : address < a.begin       ? a.begin - address
                                                             : address - end + 1;
    if (distance >= nearest_distance) return;
    nearest_distance = distance;
    nearest = a;
  };
  {
    std::lock_guard const hold(s.lock);
    auto after = s.live.upper_bound(address);
    if (after != s.live.end()) consider(after->second.record);
    if (after != s.live.begin()) consider(std::prev(after)->second.record);
    if (nearest_distance != 0) {
      after = s.freed.upper_bound(address);
      if (after != s.freed.begin() && state::within(std::prev(after)->second.record, address))
        return std::prev(after)->second.record;
    }
  }
  std::shared_lock const hold(s.registered_lock);
  auto const after = s.registered.upper_bound(address);
  if (after != s.registered.end()) consider(after->second);
  if (after != s.registered.begin()) consider(std::prev(after)->second);
  return nearest;
}

std::vector<allocation> global_memory::live() const {
  state const& s = *state_;
  std::vector<allocation> all;
  {
    std::lock_guard const hold(s.lock);
    for (auto const& [begin, b] : s.live) all.push_back(b.record);
  }
  std::shared_lock const hold(s.registered_lock);
  for (auto const& [begin, a] : s.registered) all.push_back(a);
  return all;
}

std::uint64_t global_memory::used(int device) const {
  std::lock_guard const hold(state_->lock);
  return state_->used.at(static_cast<std::size_t>(device));
}

}  // namespace device
