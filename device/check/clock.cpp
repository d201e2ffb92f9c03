// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/clock.hpp>

#include <algorithm>
#include <array>

namespace device::check {

//! The times that are known for the block, the warp and the thread of the latest entry, as entries
//! are taken in order of their keys.
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
  if (body_ != nullptr && --body_->references == 0) delete body_;
  body_ = nullptr;
}

void clock::become_all(time_stamp t) {
  clear();
  body_ = new body;
  body_->all = t;
}

//! Makes the entries this clock's alone.
void clock::own() {
  if (body_ == nullptr) {
    body_ = new body;
  } else if (body_->references > 1) {
    --body_->references;
    body_ = new body{1, body_->all, body_->entries};
  }
}

bool clock::covers(thread_id thread, time_stamp time) const {
  if (body_ == nullptr) return false;
  if (time <= body_->all) return true;
  std::uint64_t const block = block_of(thread);
  auto e = std::lower_bound(body_->entries.begin(), body_->entries.end(), key_of(block, 0),
                            [](entry const& a, std::uint64_t key) { return a.key < key; });
  std::uint64_t const of_warp = key_of(block, 1 + warp_of(thread));
  std::uint64_t const of_thread = key_of(block, thread_part + (thread & 1023U));
  for (; e != body_->entries.end() && e->key <= of_thread; ++e)
    if ((e->key == key_of(block, 0) || e->key == of_warp || e->key == of_thread) && time <= e->time)
      return true;
  return false;
}

bool clock::covers(clock const& o) const {
  if (o.body_ == nullptr || o.body_ == body_) return true;
  if (body_ == nullptr || body_->all < o.body_->all) return false;
  auto mine = body_->entries.begin();
  auto const end = body_->entries.end();
  coarse known;
  for (entry const& e : o.body_->entries) {
    while (mine != end && mine->key <= e.key) known.take(*mine++);
    if (e.time > body_->all && !known.covers(e)) return false;
  }
  return true;
}

void clock::add(std::uint64_t key, time_stamp time) {
  if (time == 0) return;
  if (body_ != nullptr && time <= body_->all) return;
  own();
  auto const e = std::lower_bound(body_->entries.begin(), body_->entries.end(), key,
                                  [](entry const& a, std::uint64_t k) { return a.key < k; });
  if (e != body_->entries.end() && e->key == key) {
    e->time = std::max(e->time, time);
    return;
  }
  body_->entries.insert(e, {key, time});
  if (body_->entries.size() > max_entries) limit();
}

void clock::join(clock const& o) {
  if (o.body_ == nullptr || o.body_ == body_) return;
  if (body_ == nullptr) {
    *this = o;
    return;
  }
  if (covers(o)) return;
  if (o.covers(*this)) {
    *this = o;
    return;
  }
  body* const sum = new body;
  sum->all = std::max(body_->all, o.body_->all);
  sum->entries.reserve(std::max(body_->entries.size(), o.body_->entries.size()) + 8);
  coarse covering;  // what is known of a whole block or warp needs no entry for a part of it
  auto const emit = [&](entry const& e) {
    if (e.time <= sum->all || covering.covers(e)) return;
    covering.take(e);
    sum->entries.push_back(e);
  };
  auto a = body_->entries.begin();
  auto b = o.body_->entries.begin();
  while (a != body_->entries.end() || b != o.body_->entries.end()) {
    if (b == o.body_->entries.end() || (a != body_->entries.end() && a->key < b->key)) {
      emit(*a++);
    } else if (a == body_->entries.end() || b->key < a->key) {
      emit(*b++);
    } else {
      emit({a->key, std::max(a->time, b->time)});
      ++a;
      ++b;
    }
  }
  clear();
  body_ = sum;
  if (body_->entries.size() > max_entries) limit();
}

//! Makes threads' entries those of their warps, warps' those of their blocks, blocks' those of all,
//! until few are left.
void clock::limit() {
  std::vector<entry>& entries = body_->entries;
  for (int step = 0; entries.size() > max_entries / 2; ++step) {
    if (step == 2) {
      for (entry const& e : entries) body_->all = std::max(body_->all, e.time);
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
    std::size_t last = 0;
    for (std::size_t k = 1; k < entries.size(); ++k) {
      if (entries[k].key == entries[last].key)
        entries[last].time = std::max(entries[last].time, entries[k].time);
      else
        entries[++last] = entries[k];
    }
    entries.resize(last + 1);
  }
}

}  // namespace device::check
