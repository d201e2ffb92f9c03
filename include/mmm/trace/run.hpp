// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/trace/kernel_trace.hpp>
#include <mmm/trace/location.hpp>
#include <mmm/trace/region.hpp>
#include <mmm/trace/requests.hpp>
#include <mmm/trace/shadow.hpp>
#include <mmm/trace/source_place.hpp>
#include <mmm/trace/traced_thread.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

//! The execution of traced kernels: threads as fibers, block after block.
namespace mmm::gpu::detail {

//! A traced launch in progress: its threads, its memory and its findings. A thread of the processor
//! runs one at a time.
class traced_run {
 public:
  using body_call = void (*)(void* body, traced_run&);

  traced_run(trace_settings const& settings, char const* file, dim grid, dim block, body_call call,
             void* body)
      : settings_(settings), places_(file), grid_(grid), block_(block), call_(call), body_(body) {
    result_.grid = grid;
    result_.block = block;
    requests_ = std::make_unique<request_counter>(settings.merges_pairs, places_);
  }
  traced_run(traced_run const&) = delete;
  traced_run& operator=(traced_run const&) = delete;

  //! The launch whose thread is being executed, or null.
  [[nodiscard]] static traced_run*& current() {
    static thread_local traced_run* run = nullptr;
    return run;
  }
  //! The launch whose thread is being executed; outside a traced kernel std::logic_error, which
  //! names `use`.
  [[nodiscard]] static traced_run& inside(char const* use) {
    traced_run* const run = current();
    if (run == nullptr)
      mmm::detail::throw_logic_error(
          mmm::detail::failure_text("mmm: ", use, " outside of a traced kernel"));
    return *run;
  }

  kernel_trace all_blocks();

  // --- for the thread that is being executed

  [[nodiscard]] traced_thread& self() { return *self_; }
  [[nodiscard]] trace_settings const& settings() const { return settings_; }
  [[nodiscard]] dim grid() const { return grid_; }
  [[nodiscard]] dim block() const { return block_; }
  [[nodiscard]] dim block_index() const { return block_index_; }

  //! Records an access of `bytes` bytes to an array, at an offset that is known to be inside.
  void access(region& array, index offset, int bytes, access_kind use, location const& site) {
    std::uint32_t const place = places_.number(site);
    traced_thread& t = *self_;
    check_length(place);
    t.list.push_back(
        {array.base + offset, place, static_cast<std::uint8_t>(bytes), use, array.space});
    if (!settings_.checks || !array.checked) return;
    if (array.launch != launch_) {  // accesses of other launches happened before
      array.marks.forget();
      array.launch = launch_;
    }
    if (array.space == memory_space::shared && use != access_kind::write &&
        !array.marks.written(offset, bytes))
      found(finding_kind::uninitialized, place, place,
            "nobody has written the " + std::to_string(bytes) + " bytes at offset " +
                std::to_string(offset) + " of a shared array");
    access_mark now{block_number_,
                    barriers_,
                    t.syncs,
                    updates_,
                    place,
                    static_cast<std::uint16_t>(t.number),
                    use == access_kind::update};
    auto const race = array.marks.note(offset, bytes, use, now,
                                       [&](access_mark const& m) { return ordered(m, t); });
    if (race) report_race(*race, array, offset, bytes, use, now);
    if (use == access_kind::update && array.space == memory_space::global) ++updates_;
  }

  //! The block's shared array for this request by the thread; all threads of the block get the same
  //! one.
  region& shared_array(index bytes, index element, location const& site) {
    std::size_t const number = self_->shared_arrays++;
    if (number < shared_.size()) {
      if (shared_[number]->bytes != bytes)
        fail(where(places_.number(site)) + ": the threads of a block ask for shared arrays of " +
             std::to_string(shared_[number]->bytes) + " and " + std::to_string(bytes) +
             " bytes: every thread must ask for the same arrays in the same order");
      return *shared_[number];
    }
    index const base = (shared_bytes_ + 15) / 16 * 16;
    if (bytes < 0 || base + bytes > settings_.shared_bytes)
      fail(where(places_.number(site)) + ": a shared array of " + std::to_string(bytes) +
           " bytes after " + std::to_string(base) + " others; a block has " +
           std::to_string(settings_.shared_bytes) + " bytes of shared memory");
    shared_bytes_ = base + bytes;
    shared_.push_back(std::make_unique<region>(memory_space::shared, bytes, element, base));
    return *shared_.back();
  }

  //! A reconvergence point: the lanes of the warp that took other paths meet here before they go
  //! on.
  void converge(location const& site) { mark(flow_mark::converge, site); }
  //! Notes that the thread begins a round of a loop.
  void begin_round(location const& site) {
    auto& list = self_->list;
    std::uint32_t const place = places_.number(site);
    check_length(place);
    if (!list.empty() && list.back().mark == flow_mark::round && list.back().place == place)
      ++list.back().address;
    else
      mark(flow_mark::round, site);
  }
  //! Notes that the thread has left a loop.
  void end_loop(location const& site) { mark(flow_mark::loop_end, site); }
  //! Waits for all threads of the block that have not ended.
  void barrier(location const& site) {
    self_->state = thread_state::at_barrier;
    wait(site);
  }
  //! Waits for the lanes of the warp in `members` that have not ended. `orders`: a barrier, which
  //! orders memory accesses.
  void sync_lanes(lane_mask members, bool orders, location const& site) {
    traced_thread& t = *self_;
    mark(flow_mark::warp_sync, site);
    if ((members >> (t.number % lanes) & 1) == 0)
      fail(where(places_.number(site)) + ": lane " + std::to_string(t.number % lanes) +
           " is not among the lanes that it names");
    t.state = thread_state::at_warp;
    t.awaited = members;
    t.orders = orders;
    wait(site);
  }
  //! Synchronizes the lanes in `members` and passes them a value of up to 16 bytes.
  void post(void const* value, std::size_t bytes, lane_mask members, location const& site) {
    std::memcpy(self_->posted, value, bytes);
    if (self_->number % lanes == 0) ++result_.exchanges;
    sync_lanes(members, false, site);
  }
  void found_shuffle(index lane, location const& site) {
    std::uint32_t const p = places_.number(site);
    found(finding_kind::shuffle, p, p,
          "takes the value of lane " + std::to_string(lane) + ", which takes no part");
  }
  //! The value that a lane of the thread's warp posted at their last synchronization; null if the
  //! lane did not take part.
  [[nodiscard]] std::byte const* posted(index lane) const {
    index const other = self_->number / lanes * lanes + lane;
    if (lane < 0 || lane >= lanes || other >= count_) return nullptr;
    traced_thread const& t = *threads_[static_cast<std::size_t>(other)];
    return t.last_sync == self_->last_sync ? t.published : nullptr;
  }

  //! Ends the launch with std::runtime_error, which names the thread and its block.
  [[noreturn]] void fail(std::string const& message) const {
    throw std::runtime_error("mmm: " + message + " (" + name(*self_) + " of block " +
                             text(block_index_) + ")");
  }
  [[nodiscard]] std::string where(std::uint32_t place) const {
    return mmm::gpu::text(places_[place]);
  }
  [[nodiscard]] std::uint32_t place(location const& site) { return places_.number(site); }

 private:
  static constexpr index lanes = 32;

  [[nodiscard]] static std::uint64_t next_launch() {
    static thread_local std::uint64_t number = 0;
    return ++number;
  }
  [[nodiscard]] static std::string text(dim d) {
    return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) +
           ")";
  }
  [[nodiscard]] static std::string name(traced_thread const& t) {
    return "thread " + text(dim{t.x, t.y, t.z});
  }
  [[nodiscard]] dim index_of(index thread) const {
    return {thread % block_.x, thread / block_.x % block_.y, thread / (block_.x * block_.y)};
  }

  //! True if a marked access happened before what thread t does now.
  [[nodiscard]] bool ordered(access_mark const& m, traced_thread const& t) const {
    if (m.block != block_number_)  // atomic updates may have passed the data on
      return updates_ > 0 && m.updates < updates_of_[m.block];
    if (m.thread == t.number || m.barriers < barriers_) return true;
    return m.thread / lanes == t.number / lanes && m.syncs < t.syncs;
  }
  void found(finding_kind kind, std::uint32_t place, std::uint32_t other,
             std::string const& message);
  void report_race(unordered_accesses const&, region const&, index offset, int bytes, access_kind,
                   access_mark const& now);

  void mark(flow_mark kind, location const& site) {
    self_->list.push_back(
        {1, places_.number(site), 0, access_kind::read, memory_space::shared, kind});
  }
  void check_length(std::uint32_t place) const {
    if (self_->list.size() >= settings_.accesses_without_barrier)
      fail(where(place) + " in a loop: the thread made " +
           std::to_string(settings_.accesses_without_barrier) +
           " accesses without a barrier. A thread that waits for another one's writes waits for "
           "ever here: only barriers let other threads go on");
  }
  void wait(location const& site) {
    self_->waits_at = places_.number(site);
    self_->own_fiber.yield();
    if (cancelled_) throw thread_cancelled{};
  }
  static void thread_main(void* run) {
    auto* const r = static_cast<traced_run*>(run);
    r->self_->begun = true;
    try {
      r->call_(r->body_, *r);
    } catch (thread_cancelled const&) {
    } catch (...) {
      r->failure_ = std::current_exception();
    }
    r->self_->state = thread_state::ended;
  }

  void one_block();
  void resume(traced_thread& t) {
    self_ = &t;
    t.own_fiber.resume();
    if (failure_) stop();
  }
  [[noreturn]] void stop();
  void run_warp(index first, index end);
  void count_warp(index first, index end);
  [[nodiscard]] lane_mask release_warp(index first, index end);
  [[nodiscard]] bool release_block();
  [[noreturn]] void report_deadlock(traced_thread const&);

  trace_settings settings_;
  place_table places_;
  dim grid_, block_;
  body_call call_;
  void* body_;
  kernel_trace result_;
  std::unique_ptr<request_counter> requests_;

  std::vector<std::unique_ptr<traced_thread>> threads_;
  index count_ = 0;  //!< number of threads of a block
  std::uint64_t warp_syncs_ = 0;
  traced_thread* self_ = nullptr;
  std::exception_ptr failure_;
  bool cancelled_ = false;
  std::uint64_t launch_ = next_launch();

  // state of the running block
  dim block_index_{0, 0, 0};
  std::uint32_t block_number_ = 0;
  std::uint32_t barriers_ = 0;
  std::uint32_t updates_ = 0;
  std::vector<std::uint32_t> updates_of_;  //!< atomic updates of each block that has ended
  std::vector<std::unique_ptr<region>> shared_;
  index shared_bytes_ = 0;
};

inline kernel_trace traced_run::all_blocks() {
  auto const in_range = [](char const* quantity, index value, index limit) {
    if (value < 1 || value > limit)
      mmm::detail::throw_invalid_argument(
          mmm::detail::failure_text("mmm: ", quantity, " is ", value, "; accepted: 1 to ", limit));
  };
  in_range("the x of the threads of a block", block_.x, settings_.threads);
  in_range("the y of the threads of a block", block_.y, settings_.threads);
  in_range("the z of the threads of a block", block_.z, 64);
  in_range("the number of threads of a block", block_.x * block_.y * block_.z, settings_.threads);
  in_range("the x of the blocks of a grid", grid_.x, (index{1} << 31) - 1);
  in_range("the y of the blocks of a grid", grid_.y, 65535);
  in_range("the z of the blocks of a grid", grid_.z, 65535);
  if (current() != nullptr)
    mmm::detail::throw_logic_error(
        mmm::detail::failure_text("mmm: a traced kernel launches another one"));

  count_ = block_.x * block_.y * block_.z;
  while (index(threads_.size()) < count_)
    threads_.push_back(std::make_unique<traced_thread>(settings_.stack_bytes));
  current() = this;
  struct outside {
    ~outside() { current() = nullptr; }
  } const at_the_end;
  for (block_index_.z = 0; block_index_.z < grid_.z; ++block_index_.z)
    for (block_index_.y = 0; block_index_.y < grid_.y; ++block_index_.y)
      for (block_index_.x = 0; block_index_.x < grid_.x; ++block_index_.x) one_block();
  requests_->deliver(result_);
  return std::move(result_);
}

inline void traced_run::one_block() {
  barriers_ = updates_ = 0;
  shared_.clear();
  shared_bytes_ = 0;
  for (index i = 0; i < count_; ++i) {
    traced_thread& t = *threads_[static_cast<std::size_t>(i)];
    t.number = i;
    t.x = i % block_.x;
    t.y = i / block_.x % block_.y;
    t.z = i / (block_.x * block_.y);
    t.state = thread_state::ready;
    t.begun = false;
    t.syncs = 0;
    t.shared_arrays = 0;
    t.last_sync = 0;
    t.own_fiber.start(&thread_main, this);
  }
  do {
    for (index first = 0; first < count_; first += lanes)
      run_warp(first, std::min(first + lanes, count_));
  } while (release_block());
  if (shared_bytes_ > result_.shared_bytes) result_.shared_bytes = shared_bytes_;
  updates_of_.push_back(updates_);
  ++block_number_;
}

//! Runs the lanes of a warp until all have ended or wait for other warps. Their accesses are
//! counted when all lanes with accesses have synchronized.
inline void traced_run::run_warp(index first, index end) {
  for (;;) {
    lane_mask active = 0;
    for (index i = first; i < end; ++i) {
      traced_thread& t = *threads_[static_cast<std::size_t>(i)];
      if (t.state == thread_state::ready) resume(t);
      if (!t.list.empty()) active |= lane_mask{1} << (i - first);
    }
    lane_mask const released = release_warp(first, end);
    if ((active & ~released) == 0 || released == 0) count_warp(first, end);
    if (released == 0) return;
  }
}

inline void traced_run::count_warp(index first, index end) {
  std::vector<traced_access> const* lists[lanes] = {};
  for (index i = first; i < end; ++i)
    lists[i - first] = &threads_[static_cast<std::size_t>(i)]->list;
  requests_->count(lists, static_cast<int>(end - first));
  for (index i = first; i < end; ++i) threads_[static_cast<std::size_t>(i)]->list.clear();
}

//! Releases the lanes whose awaited lanes have all arrived, and returns them.
inline lane_mask traced_run::release_warp(index first, index end) {
  lane_mask waiting = 0;
  lane_mask here = 0;
  for (index i = first; i < end; ++i) {
    traced_thread const& t = *threads_[static_cast<std::size_t>(i)];
    if (t.state == thread_state::at_warp) waiting |= lane_mask{1} << (i - first);
    if (t.state != thread_state::ended) here |= lane_mask{1} << (i - first);
  }
  lane_mask released = 0;
  while (waiting != 0) {
    auto const leader_lane = static_cast<index>(std::countr_zero(waiting));
    traced_thread const& leader = *threads_[static_cast<std::size_t>(first + leader_lane)];
    lane_mask const needed = leader.awaited & here;
    lane_mask const group = needed & waiting;
    waiting &= ~(lane_mask{1} << leader_lane);
    bool together = group == needed;
    bool same_place = true;
    for (lane_mask left = group; left != 0; left &= left - 1) {
      traced_thread const& t = *threads_[static_cast<std::size_t>(first + std::countr_zero(left))];
      together &= t.awaited == leader.awaited && t.orders == leader.orders;
      same_place &= t.waits_at == leader.waits_at;
    }
    if (!together) continue;
    waiting &= ~group;
    released |= group;
    ++warp_syncs_;
    if (!same_place)
      found(finding_kind::barrier, leader.waits_at, leader.waits_at,
            "lanes of a warp meet that wait at different lines");
    std::uint32_t syncs = 0;
    for (lane_mask left = group; left != 0; left &= left - 1)
      syncs = std::max(syncs,
                       threads_[static_cast<std::size_t>(first + std::countr_zero(left))]->syncs);
    for (lane_mask left = group; left != 0; left &= left - 1) {
      traced_thread& t = *threads_[static_cast<std::size_t>(first + std::countr_zero(left))];
      std::memcpy(t.published, t.posted, sizeof t.published);
      t.last_sync = warp_syncs_;
      if (t.orders) t.syncs = syncs + 1;
      t.state = thread_state::ready;
    }
  }
  return released;
}

//! Releases all threads if all that have not ended wait at the barrier. False if all have ended.
inline bool traced_run::release_block() {
  traced_thread const* one = nullptr;
  bool same_place = true;
  for (index i = 0; i < count_; ++i) {
    traced_thread const& t = *threads_[static_cast<std::size_t>(i)];
    if (t.state == thread_state::at_warp) report_deadlock(t);
    if (t.state != thread_state::at_barrier) continue;
    if (one == nullptr) one = &t;
    same_place &= one->waits_at == t.waits_at;
  }
  if (one == nullptr) return false;
  if (!same_place) {
    self_ = threads_[static_cast<std::size_t>(one->number)].get();
    found(finding_kind::barrier, one->waits_at, one->waits_at,
          "threads of a block wait at barriers of different lines");
  }
  ++barriers_;
  ++result_.barriers;
  for (index i = 0; i < count_; ++i) {
    traced_thread& t = *threads_[static_cast<std::size_t>(i)];
    if (t.state == thread_state::at_barrier) t.state = thread_state::ready;
  }
  return true;
}

inline void traced_run::report_deadlock(traced_thread const& waits) {
  traced_thread const* missing = nullptr;
  index const first = waits.number / lanes * lanes;
  for (index i = first; i < std::min(first + lanes, count_); ++i) {
    traced_thread const& t = *threads_[static_cast<std::size_t>(i)];
    if (&t == &waits || t.state == thread_state::ended) continue;
    if (t.waits_at == waits.waits_at && t.awaited == waits.awaited) continue;
    missing = &t;
    break;
  }
  self_ = threads_[static_cast<std::size_t>(waits.number)].get();
  try {
    fail(where(waits.waits_at) + ": deadlock: the thread waits for lanes of its warp" +
         (missing == nullptr
              ? std::string()
              : ", but " + name(*missing) + " waits at " + where(missing->waits_at)));
  } catch (...) {
    failure_ = std::current_exception();
  }
  stop();
}

//! Ends all threads, and the launch with the stored failure.
inline void traced_run::stop() {
  cancelled_ = true;
  for (auto const& t : threads_)
    if (t->begun && t->state != thread_state::ended) {
      self_ = t.get();
      t->own_fiber.resume();
    }
  std::rethrow_exception(failure_);
}

inline void traced_run::found(finding_kind kind, std::uint32_t place, std::uint32_t other,
                              std::string const& message) {
  for (trace_finding& f : result_.findings)
    if (f.kind == kind &&
        std::minmax(f.place_number, f.other_number) == std::minmax(place, other)) {
      ++f.count;
      return;
    }
  result_.findings.push_back({kind, places_[place], places_[other],
                              message + ", by " + name(*self_) + " of block " + text(block_index_),
                              1, place, other});
}

inline void traced_run::report_race(unordered_accesses const& race, region const& array,
                                    index offset, int bytes, access_kind use,
                                    access_mark const& now) {
  std::string const kinds = use == access_kind::read    ? "read after "
                            : use == access_kind::write ? "write after "
                                                        : "atomic update after ";
  dim const thread = index_of(race.earlier.thread);
  found(finding_kind::race, now.place, race.earlier.place,
        kinds + (race.earlier_writes ? "write" : "read") + " of " + std::to_string(bytes) +
            " bytes at offset " + std::to_string(offset) + " of " +
            (array.space == memory_space::shared ? "a shared array" : "an array in global memory") +
            ", without an order: earlier thread " + text(thread) +
            (race.earlier.block == block_number_
                 ? ""
                 : " of block number " + std::to_string(race.earlier.block)) +
            " at " + where(race.earlier.place));
}

}  // namespace mmm::gpu::detail
