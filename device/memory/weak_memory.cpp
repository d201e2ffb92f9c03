// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/memory/weak_memory.hpp>

#include <algorithm>
#include <cstring>

namespace device {
namespace {

constexpr std::uint64_t cell_bytes = 16;
constexpr std::size_t max_waiting = 1U << 16;
constexpr std::uint64_t max_quiet = 4096;

std::uint64_t number_of(std::byte const* p) { return reinterpret_cast<std::uint64_t>(p); }
std::uint64_t cell_of(std::uint64_t address) { return address & ~(cell_bytes - 1); }

}  // namespace

weak_memory::weak_memory(std::uint64_t seed) : engine_(seed ^ 0x9e3779b97f4a7c15U) {
  // Some launches hand stores on soon, some hardly ever: errors show at either end.
  static constexpr std::uint64_t choices[] = {2, 4, 16, 64, 1024};
  patience_ = choices[random() % std::size(choices)];
}

weak_memory::~weak_memory() = default;

weak_memory::block_state& weak_memory::block_of(std::uint64_t number) {
  std::unique_ptr<block_state>& b = blocks_[number];
  if (!b) {
    b = std::make_unique<block_state>();
    b->number = number;
  }
  return *b;
}

weak_memory::thread_state& weak_memory::thread_of(block_state& b, std::uint32_t number) {
  if (b.threads.size() <= number) b.threads.resize(number + 1);
  std::unique_ptr<thread_state>& t = b.threads[number];
  if (!t) {
    t = std::make_unique<thread_state>();
    t->block = b.number;
    t->number = number;
  }
  return *t;
}

void weak_memory::put(busy const& into, std::uint64_t address, pending const& p) {
  buffer& to = buffer_of(into);
  if (to.order.empty()) {
    to.place = busy_.size();
    busy_.push_back(into);
  }
  auto const [found, is_new] = to.cells.try_emplace(address);
  cell& c = found->second;
  if (is_new) {
    c.place = to.order.size();
    to.order.push_back(address);
  }
  // The newest store to these bytes is all that will be seen of those to just them. Others in
  // between keep their turn.
  if (!c.stores.empty() && c.stores.back().offset == p.offset && c.stores.back().bytes == p.bytes) {
    c.stores.back() = p;
    return;
  }
  c.stores.push_back(p);
  ++waiting_;
}

void weak_memory::hand_on(busy const& source, std::uint64_t address, pending const& p) {
  if (source.thread != nullptr && !p.shared) {
    put({source.block, nullptr}, address, p);
    return;
  }
  std::memcpy(reinterpret_cast<std::byte*>(address + p.offset), p.value, p.bytes);
}

void weak_memory::remove_cell(busy const& source, std::uint64_t address) {
  buffer& b = buffer_of(source);
  auto const found = b.cells.find(address);
  std::size_t const place = found->second.place;
  b.order[place] = b.order.back();
  b.cells.find(b.order[place])->second.place = place;
  b.order.pop_back();
  b.cells.erase(found);
  if (!b.order.empty()) return;
  busy_[b.place] = busy_.back();
  buffer_of(busy_[b.place]).place = b.place;
  busy_.pop_back();
}

void weak_memory::drain_cell(busy const& source, std::uint64_t address) {
  std::vector<pending> const stores =
      std::move(buffer_of(source).cells.find(address)->second.stores);
  waiting_ -= stores.size();
  remove_cell(source, address);
  for (pending const& p : stores) hand_on(source, address, p);
}

void weak_memory::drain(busy const& source) {
  std::vector<std::uint64_t> const addresses = buffer_of(source).order;
  for (std::uint64_t const a : addresses) drain_cell(source, a);
}

void weak_memory::drain_overlapping(busy const& source, std::uint64_t address, std::uint64_t first,
                                    std::uint64_t end) {
  buffer& b = buffer_of(source);
  auto const found = b.cells.find(address);
  if (found == b.cells.end()) return;
  std::vector<pending>& stores = found->second.stores;
  // A store goes on with all older ones that it overlaps, and they with theirs. Stores are aligned
  // to their size: of two that overlap, one lies in the other, so that the greatest has all.
  auto const overlaps = [&](pending const& p) {
    std::uint64_t const begin = address + p.offset;
    return begin < end && begin + p.bytes > first;
  };
  for (pending const& p : stores) {
    if (!overlaps(p)) continue;
    first = std::min(first, address + p.offset);
    end = std::max(end, address + p.offset + p.bytes);
  }
  std::vector<pending> leaving;
  auto const remaining = std::stable_partition(stores.begin(), stores.end(),
                                               [&](pending const& p) { return !overlaps(p); });
  leaving.assign(remaining, stores.end());
  stores.erase(remaining, stores.end());
  waiting_ -= leaving.size();
  if (stores.empty()) remove_cell(source, address);
  for (pending const& p : leaving) hand_on(source, address, p);
}

void weak_memory::drain_random() {
  busy const source = busy_[random() % busy_.size()];
  buffer const& b = buffer_of(source);
  std::uint64_t const address = b.order[random() % b.order.size()];
  std::vector<pending> const& stores = b.cells.find(address)->second.stores;
  pending const& p = stores[random() % stores.size()];
  std::uint64_t const first = address + p.offset;
  drain_overlapping(source, address, first, first + p.bytes);
}

void weak_memory::drain_some() {
  if (busy_.empty()) return;
  if (++quiet_ > max_quiet) {
    while (!busy_.empty()) drain(busy_.back());
    return;
  }
  if (waiting_ > max_waiting || random() % patience_ == 0) drain_random();
}

void weak_memory::store(std::uint64_t block, std::uint32_t thread, bool shared, std::byte* to,
                        std::byte const* value, int bytes) {
  block_state& b = block_of(block);
  std::uint64_t const number = number_of(to);
  pending p{
      static_cast<std::uint8_t>(number % cell_bytes), static_cast<std::uint8_t>(bytes), shared, {}};
  std::memcpy(p.value, value, static_cast<std::size_t>(bytes));
  put({&b, &thread_of(b, thread)}, cell_of(number), p);
  quiet_ = 0;
  drain_some();
}

void weak_memory::overlay(buffer const& stores, std::uint64_t source, std::byte* value,
                          std::uint64_t bytes) {
  if (stores.order.empty()) return;
  auto const found = stores.cells.find(cell_of(source));
  if (found == stores.cells.end()) return;
  for (pending const& p : found->second.stores) {
    std::uint64_t const begin = found->first + p.offset;
    std::uint64_t const first = std::max(begin, source);
    std::uint64_t const end = std::min(begin + p.bytes, source + bytes);
    if (first < end) std::memcpy(value + (first - source), p.value + (first - begin), end - first);
  }
}

void weak_memory::load(std::uint64_t block, std::uint32_t thread, std::byte const* source,
                       std::byte* value, int bytes) {
  drain_some();
  auto const n = static_cast<std::uint64_t>(bytes);
  std::memcpy(value, source, n);
  if (busy_.empty()) return;
  auto const found = blocks_.find(block);
  if (found == blocks_.end()) return;
  block_state const& b = *found->second;
  overlay(b.stores, number_of(source), value, n);
  if (thread < b.threads.size() && b.threads[thread])
    overlay(b.threads[thread]->stores, number_of(source), value, n);
}

void weak_memory::settle(std::uint64_t block, std::uint32_t thread, std::byte const* address,
                         int bytes) {
  drain_some();
  if (busy_.empty()) return;
  auto const found = blocks_.find(block);
  if (found == blocks_.end()) return;
  block_state& b = *found->second;
  std::uint64_t const cell_address = cell_of(number_of(address));
  std::uint64_t const first = number_of(address);
  std::uint64_t const end = first + static_cast<std::uint64_t>(bytes);
  for (std::uint64_t a = cell_address; a < end; a += cell_bytes) {
    if (thread < b.threads.size() && b.threads[thread])
      drain_overlapping({&b, b.threads[thread].get()}, a, first, end);
    drain_overlapping({&b, nullptr}, a, first, end);
  }
}

void weak_memory::show_block(std::uint64_t block, std::uint32_t thread) {
  auto const found = blocks_.find(block);
  if (found == blocks_.end()) return;
  block_state& b = *found->second;
  if (thread < b.threads.size() && b.threads[thread]) drain({&b, b.threads[thread].get()});
}

void weak_memory::show_block(std::uint64_t block) {
  auto const found = blocks_.find(block);
  if (found == blocks_.end()) return;
  block_state& b = *found->second;
  for (auto const& t : b.threads)
    if (t) drain({&b, t.get()});
}

void weak_memory::show_all(std::uint64_t block, std::uint32_t thread) {
  show_block(block, thread);
  auto const found = blocks_.find(block);
  if (found != blocks_.end()) drain({found->second.get(), nullptr});
}

void weak_memory::end_block(std::uint64_t block) {
  auto const found = blocks_.find(block);
  if (found == blocks_.end()) return;
  block_state& b = *found->second;
  for (auto const& t : b.threads) {
    if (!t) continue;
    for (async_copy const& c : t->copies) finish(b, *t, c);
    drain({&b, t.get()});  // before the shared memory that some of them go to is gone
  }
  b.threads.clear();
  if (b.stores.order.empty()) blocks_.erase(found);
}

void weak_memory::end() {
  for (auto const& [number, b] : blocks_) {
    show_block(number);
    drain({b.get(), nullptr});
  }
  blocks_.clear();
}

void weak_memory::copy(std::uint64_t block, std::uint32_t thread, std::byte* to,
                       std::byte const* source, int bytes, int given) {
  block_state& b = block_of(block);
  thread_state& t = thread_of(b, thread);
  async_copy const c{to, source, bytes, given, t.groups};
  if (random() % 8 == 0)
    finish(b, t, c);  // some are early
  else
    t.copies.push_back(c);
}

void weak_memory::finish(block_state& b, thread_state& t, async_copy const& c) {
  std::byte value[16] = {};
  if (c.given > 0) {
    std::memcpy(value, c.source, static_cast<std::size_t>(c.given));
    // The copy takes what the source holds for the thread when the copy is made, which need not be
    // what it held when the copy was asked for.
    overlay(b.stores, number_of(c.source), value, static_cast<std::uint64_t>(c.given));
    overlay(t.stores, number_of(c.source), value, static_cast<std::uint64_t>(c.given));
  }
  std::uint64_t const number = number_of(c.to);
  pending p{
      static_cast<std::uint8_t>(number % cell_bytes), static_cast<std::uint8_t>(c.bytes), true, {}};
  std::memcpy(p.value, value, sizeof value);
  put({&b, &t}, cell_of(number), p);
}

void weak_memory::commit_copies(std::uint64_t block, std::uint32_t thread) {
  ++thread_of(block_of(block), thread).groups;
}

void weak_memory::wait_copies(std::uint64_t block, std::uint32_t thread,
                              std::uint64_t still_pending) {
  block_state& b = block_of(block);
  thread_state& t = thread_of(b, thread);
  while (!t.copies.empty() && t.copies.front().group + still_pending < t.groups) {
    finish(b, t, t.copies.front());
    t.copies.pop_front();
  }
}

void weak_memory::wait_all_copies(std::uint64_t block, std::uint32_t thread) {
  block_state& b = block_of(block);
  thread_state& t = thread_of(b, thread);
  for (async_copy const& c : t.copies) finish(b, t, c);
  t.copies.clear();
}

}  // namespace device
