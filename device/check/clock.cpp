// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/clock.hpp>

#include <algorithm>
#include <array>

namespace device::check {

//! Of entries taken in order of their keys: what is known of the latest one's block, warp and
//! thread.
struct clock::coarse {
  std::uint64_t block = ~std::uint64_t{0};
  time_stamp of_block = 0;
  std::array<time_stamp, 32> of_warp{};
  entry latest{~std::uint64_t{0}, 0};

  void take(entry const& e) {
    enter(e.key >> 16);
    latest = e;
    auto const part = static_cast<std::uint32_t>(e.key & 0xffffU);
    if (part == 0)
      of_block = e.time;
    else if (part < thread_part)
      of_warp[part - 1] = e.time;
  }
  [[nodiscard]] bool covers(entry const& e) {
    enter(e.key >> 16);
    auto const part = static_cast<std::uint32_t>(e.key & 0xffffU);
    return e.time <= of_block || (latest.key == e.key && e.time <= latest.time) ||
           (part >= thread_part && e.time <= of_warp[(part - thread_part) >> 5]);
  }

 private:
  void enter(std::uint64_t b) {
    if (b == block) return;
    block = b;
    of_block = 0;
    of_warp.fill(0);
  }
};

void clock::clear() {
  if (at_ != nullptr && --at_->references == 0) delete at_;
  at_ = nullptr;
}

void clock::become_all(time_stamp t) {
  clear();
  at_ = new body;
  at_->all = t;
}

//! Makes the entries this clock's alone.
void clock::own() {
  if (at_ == nullptr) {
    at_ = new body;
  } else if (at_->references > 1) {
    --at_->references;
    at_ = new body{1, at_->all, at_->entries};
  }
}

bool clock::covers(thread_id thread, time_stamp time) const {
  if (at_ == nullptr) return false;
  if (time <= at_->all) return true;
  std::uint64_t const block = block_of(thread);
  auto e = std::lower_bound(at_->entries.begin(), at_->entries.end(), key_of(block, 0),
                            [](entry const& a, std::uint64_t key) { return a.key < key; });
  std::uint64_t const of_warp = key_of(block, 1 + warp_of(thread));
  std::uint64_t const of_thread = key_of(block, thread_part + (thread & 1023U));
  for (; e != at_->entries.end() && e->key <= of_thread; ++e)
    if ((e->key == key_of(block, 0) || e->key == of_warp || e->key == of_thread) && time <= e->time)
      return true;
  return false;
}

bool clock::covers(clock const& o) const {
  if (o.at_ == nullptr || o.at_ == at_) return true;
  if (at_ == nullptr || at_->all < o.at_->all) return false;
  auto mine = at_->entries.begin();
  auto const end = at_->entries.end();
  coarse known;
  for (entry const& e : o.at_->entries) {
    while (mine != end && mine->key <= e.key) known.take(*mine++);
    if (e.time > at_->all && !known.covers(e)) return false;
  }
  return true;
}

void clock::add(std::uint64_t key, time_stamp time) {
  if (time == 0) return;
  if (at_ != nullptr && time <= at_->all) return;
  own();
  auto const e = std::lower_bound(at_->entries.begin(), at_->entries.end(), key,
                                  [](entry const& a, std::uint64_t k) { return a.key < k; });
  if (e != at_->entries.end() && e->key == key) {
    e->time = std::max(e->time, time);
    return;
  }
  at_->entries.insert(e, {key, time});
  if (at_->entries.size() > max_entries) limit();
}

void clock::join(clock const& o) {
  if (o.at_ == nullptr || o.at_ == at_) return;
  if (at_ == nullptr) {
    *this = o;
    return;
  }
  if (covers(o)) return;
  if (o.covers(*this)) {
    *this = o;
    return;
  }
  body* const sum = new body;
  sum->all = std::max(at_->all, o.at_->all);
  sum->entries.reserve(std::max(at_->entries.size(), o.at_->entries.size()) + 8);
  coarse kept;  // what is known of a whole block or warp needs no entry for a part of it
  auto const emit = [&](entry const& e) {
    if (e.time <= sum->all || kept.covers(e)) return;
    kept.take(e);
    sum->entries.push_back(e);
  };
  auto a = at_->entries.begin();
  auto b = o.at_->entries.begin();
  while (a != at_->entries.end() || b != o.at_->entries.end()) {
    if (b == o.at_->entries.end() || (a != at_->entries.end() && a->key < b->key)) {
      emit(*a++);
    } else if (a == at_->entries.end() || b->key < a->key) {
      emit(*b++);
    } else {
      emit({a->key, std::max(a->time, b->time)});
      ++a;
      ++b;
    }
  }
  clear();
  at_ = sum;
  if (at_->entries.size() > max_entries) limit();
}

//! Makes threads' entries those of their warps, warps' those of their blocks, blocks' those of all,
//! until few are left.
void clock::limit() {
  std::vector<entry>& entries = at_->entries;
  for (int step = 0; entries.size() > max_entries / 2; ++step) {
    if (step == 2) {
      for (entry const& e : entries) at_->all = std::max(at_->all, e.time);
      entries.clear();
      return;
    }
    for (entry& e : entries) {
      auto const part = static_cast<std::uint32_t>(e.key & 0xffffU);
      if (step == 1)
        e.key -= part;
      else if (part >= thread_part)
        e.key = e.key - part + 1 + ((part - thread_part) >> 5);
    }
    std::sort(entries.begin(), entries.end(),
              [](entry const& a, entry const& b) { return a.key < b.key; });
    std::size_t kept = 0;
    for (std::size_t k = 1; k < entries.size(); ++k) {
      if (entries[k].key == entries[kept].key)
        entries[kept].time = std::max(entries[kept].time, entries[k].time);
      else
        entries[++kept] = entries[k];
    }
    entries.resize(kept + 1);
  }
}

}  // namespace device::check
