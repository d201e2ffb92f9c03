// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a kernel: blocks are taken in order by the workers, who let their resident blocks run in
// turns.
#include <device/core/failure.hpp>
#include <device/decode/linked_module.hpp>
#include <device/decode/source_place.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/memory/mbarrier.hpp>
#include <device/execute/sync/barriers.hpp>
#include <device/execute/sync/groups.hpp>
#include <device/execute/sync/warp_wide.hpp>
#include <device/memory/weak_memory.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <random>
#include <thread>

namespace device {

namespace {

//! Finds out that no worker can go on: each has tried often since any of them last began or stopped
//! to make progress. A worker that the host's scheduler delays has not tried, so is waited for.
class standstill {
 public:
  //! A number that changes when a worker begins or stops to make progress.
  [[nodiscard]] std::uint64_t epoch() const { return state_.load() >> count_bits; }
  void next_epoch() {
    std::uint64_t now = state_.load();
    while (!state_.compare_exchange_weak(now, ((now >> count_bits) + 1) << count_bits)) {
    }
  }
  //! Says that one more worker has tried often in this epoch. \return the number of these workers;
  //! 0 if the epoch is over.
  [[nodiscard]] std::uint64_t tried(std::uint64_t epoch) {
    std::uint64_t now = state_.load();
    do {
      if (now >> count_bits != epoch) return 0;
    } while (!state_.compare_exchange_weak(now, now + 1));
    return (now + 1) & ((std::uint64_t{1} << count_bits) - 1);
  }

 private:
  static constexpr int count_bits = 16;
  std::atomic<std::uint64_t> state_{0};  //!< the epoch; in the low bits the workers that tried
};

//! The state that the workers of a launch share.
struct shared_state {
  explicit shared_state(launch const& l)
      : launched(l),
        executed_of_grid(l),
        cluster_size(l.cluster.count()),
        clusters(executed_of_grid.some),
        blocks(clusters * cluster_size),
        workers(static_cast<int>(std::min<std::uint64_t>(
            static_cast<std::uint64_t>(std::max(1, l.workers)), clusters))) {}
  launch const& launched;
  executed_clusters executed_of_grid;
  std::uint64_t cluster_size;
  std::uint64_t clusters;  //!< that are executed
  std::uint64_t blocks;    //!< in them
  int workers;
  //! passes without progress after which a worker takes it that none will follow
  std::uint64_t patience = 20'000;
  std::atomic<std::uint64_t> next{0};  //!< cluster
  std::atomic<bool> stop{false};
  std::atomic<bool> stalled{false};   //!< all threads wait for memory; goes with `stop`
  std::atomic<bool> progress{false};  //!< a worker made some
  standstill still;
  std::atomic<std::uint64_t> left{0};      //!< blocks that have ended
  std::atomic<std::uint64_t> executed{0};  //!< operations in them
  std::atomic<std::uint64_t> finished{0};  //!< workers that have no more blocks
  std::mutex failing;
  std::exception_ptr failure{};
  std::unique_ptr<weak_memory> weak{};
};

enum class progress : std::uint8_t { made, polling, blocked };

//! One host thread with the blocks that it runs.
class worker {
 public:
  worker(shared_state& all, int number)
      : all_(all),
        launch_(all.launched),
        random_(launch_.seed * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(number) + 1),
        mixed_(launch_.mixed),
        observers_(static_cast<std::size_t>(number) < launch_.observers.size()
                       ? launch_.observers[static_cast<std::size_t>(number)]
                       : std::vector<observer*>{}),
        counts_(launch_.code->functions()),
        run_counts_(launch_.code->functions()) {
    std::uint64_t const together = static_cast<std::uint64_t>(launch_.multiprocessors) *
                                   static_cast<std::uint64_t>(std::max(1, launch_.resident_blocks));
    max_window_ = std::max<std::uint64_t>(
        all.cluster_size,
        (std::min(together, all.blocks) + static_cast<std::uint64_t>(all.workers) - 1) /
            static_cast<std::uint64_t>(all.workers));
    window_ =
        launch_.cooperative
            ? max_window_
            : std::min(max_window_, std::max<std::uint64_t>(all.cluster_size, mixed_ ? 6 : 2));
  }

  void work() {
    tries_ = 0;
    admit();
    while (!resident_.empty() && !all_.stop.load(std::memory_order_relaxed)) {
      if (mixed_) std::shuffle(resident_.begin(), resident_.end(), random_);
      progress pass = progress::blocked;
      for (std::size_t k = 0; k < resident_.size(); ++k) {
        if (resident_[k]->threads_alive == 0) continue;  // its cluster goes on
        progress made = run_block(*resident_[k]);
        // A block goes on for a while, as its registers are in the processor's cache now.
        constexpr int passes = 16;
        for (int p = 1; p < passes && !mixed_ && made == progress::made; ++p) {
          if (resident_[k]->threads_alive == 0) break;
          made = run_block(*resident_[k]);
        }
        if (made == progress::made || pass == progress::blocked) pass = made;
      }
      std::erase_if(resident_, [&](std::unique_ptr<block>& b) {
        if (b->threads_alive != 0) return false;
        if (b->of_cluster != nullptr && !b->of_cluster->is_over()) return false;
        leave(*b);
        unused_.push_back(std::move(b));
        return true;
      });
      if (pass == progress::made) {
        note_busy();
      } else if (!resident_.empty() && !grow()) {
        wait_or_stall();
      }
      admit();
    }
    if (all_.stalled.load()) return;  // and goes on later
    // It will not help the others any more: they try again after its last changes, then without it.
    all_.still.next_epoch();
    all_.finished.fetch_add(1);
    all_.still.next_epoch();
  }

  std::vector<operation_counts> counts() && {
    for (std::size_t n = 0; n < counts_.size(); ++n) {
      operation_count running;
      for (std::size_t k = 0; k < counts_[n].size(); ++k) {
        run_count const& r = run_counts_[n][k];
        running += r.whole;
        running += r.change;
        counts_[n][k] += running;
        operation const& op = launch_.code->function(static_cast<std::uint32_t>(n)).operations[k];
        run_counts_[n][k + op.straight].change -= r.whole;
      }
    }
    return std::move(counts_);
  }
  [[nodiscard]] std::uint64_t barriers() const { return barriers_; }

  [[nodiscard]] bool has_blocks() const { return !resident_.empty(); }
  //! The launch's threads wait for memory that nobody changes.
  [[noreturn]] void give_up() const { deadlock(progress::polling); }

 private:
  //! Takes clusters in the order of their numbers, as many as are to be resident.
  void admit() {
    while (resident_.size() + all_.cluster_size <= window_) {
      std::uint64_t const number = all_.next.fetch_add(1, std::memory_order_relaxed);
      if (number >= all_.clusters) return;
      auto const together = all_.cluster_size == 1 ? nullptr : std::make_shared<cluster>();
      std::size_t const first = resident_.size();
      for (std::uint64_t rank = 0; rank < all_.cluster_size; ++rank) {
        if (unused_.empty()) {
          resident_.push_back(std::make_unique<block>());
        } else {
          resident_.push_back(std::move(unused_.back()));
          unused_.pop_back();
        }
        block& b = *resident_.back();
        b.of_cluster = together;
        b.rank = static_cast<std::uint32_t>(rank);
        if (together != nullptr) together->blocks.push_back(&b);
        place(b, all_.executed_of_grid.number(number));
      }
      for (std::size_t k = first; k < resident_.size(); ++k) begin(*resident_[k]);
    }
  }

  //! Gives a block of a cluster its place in the grid.
  void place(block& b, std::uint64_t cluster_number) const {
    dim3 const& grid = launch_.grid;
    dim3 const& size = launch_.cluster;
    std::uint64_t const across = grid.x / size.x;
    std::uint64_t const down = grid.y / size.y;
    b.index.x = static_cast<std::uint32_t>(cluster_number % across * size.x + b.rank % size.x);
    b.index.y = static_cast<std::uint32_t>(cluster_number / across % down * size.y +
                                           b.rank / size.x % size.y);
    b.index.z = static_cast<std::uint32_t>(cluster_number / across / down * size.z +
                                           b.rank / size.x / size.y);
    b.number = b.index.x + std::uint64_t{grid.x} * (b.index.y + std::uint64_t{grid.y} * b.index.z);
  }

  //! Begins one more block, since all resident ones wait and may wait for it. False if there is
  //! none, or no room.
  [[nodiscard]] bool grow() {
    if (resident_.size() >= max_window_ ||
        all_.next.load(std::memory_order_relaxed) >= all_.clusters)
      return false;
    window_ = resident_.size() + all_.cluster_size;
    return true;
  }

  void begin(block& b) {
    b.of_launch = &launch_;
    b.multiprocessor =
        static_cast<int>(b.number % static_cast<std::uint64_t>(launch_.multiprocessors));
    b.observers = &observers_;
    b.weak = all_.weak.get();
    b.counts = &counts_;
    b.executed = 0;
    b.barriers = {};
    b.barriers_complete = 0;
    b.observed = nullptr;
    b.tiles.clear();
    b.copies = 0;
    std::size_t const shared = launch_.dynamic_shared == 0
                                   ? launch_.kernel->shared_bytes
                                   : launch_.kernel->dynamic_shared_offset + launch_.dynamic_shared;
    // Behind what the kernel has; 0 says that there is none.
    b.reserved_shared =
        reserves_shared_
            ? static_cast<std::uint32_t>(std::max<std::size_t>(shared + 15, 16) / 16 * 16)
            : 0;
    b.shared.assign(reserves_shared_ ? b.reserved_shared + reserved_bytes : shared, std::byte{0});
    std::uint64_t const threads = launch_.block.count();
    b.threads_alive = static_cast<std::uint32_t>(threads);
    b.warps.resize((threads + lanes - 1) / lanes);
    for (std::size_t k = 0; k < b.warps.size(); ++k) {
      warp& w = b.warps[k];
      w.of_block = &b;
      w.number = static_cast<std::uint32_t>(k);
      w.observed = nullptr;
      w.waited_mbarrier = nullptr;
      std::uint64_t const left = threads - k * lanes;
      start_warp(w, *launch_.kernel, left >= lanes ? all_lanes : (lane_mask{1} << left) - 1);
    }
    for (observer* const o : observers_) o->begin(b);
  }

  void leave(block& b) {
    std::uint64_t const left = all_.left.fetch_add(1, std::memory_order_relaxed) + 1;
    if (launch_.progress)
      launch_.progress(left,
                       all_.executed.fetch_add(b.executed, std::memory_order_relaxed) + b.executed);
    barriers_ += b.barriers_complete;
    for (observer* const o : observers_) o->end(b);
    if (all_.weak) all_.weak->end_block(b.number);
  }

  [[nodiscard]] progress run_block(block& b) {
    progress pass = progress::blocked;
    std::size_t const count = b.warps.size();
    std::size_t const first = mixed_ ? random_() % count : 0;
    for (std::size_t k = 0; k < count && b.threads_alive != 0; ++k) {
      warp& w = b.warps[first + k < count ? first + k : first + k - count];
      if (w.alive == 0) continue;
      std::uint32_t const budget = mixed_ ? static_cast<std::uint32_t>(random_() % 256 + 1) : 4096;
      progress const made = run_warp(b, w, budget);
      if (made == progress::made || pass == progress::blocked) pass = made;
      if (all_.stop.load(std::memory_order_relaxed)) break;
    }
    if (b.threads_alive == 0) return progress::made;
    if (pass == progress::blocked && !waits_for_cluster(b) && release_blocked(b))
      return progress::made;
    return pass;
  }

  //! Threads of a block wait at the barrier of the cluster, so that other blocks may help.
  [[nodiscard]] static bool waits_for_cluster(block const& b) {
    for (warp const& w : b.warps)
      for (lane_group const& g : w.groups)
        if (g.state == lane_group::state_type::at_cluster) return true;
    return false;
  }

  //! Every warp of a block waits, at a barrier or for lanes of its own, and no other block can
  //! help. Every thread makes progress of its own, so lanes that wait where they meet others of
  //! their warp go on without those. They may end, and then nobody waits for them any more; if they
  //! read memory first, the barrier or the shuffle that they went around is a finding.
  [[nodiscard]] static bool release_blocked(block& b) {
    bool any = false;
    for (warp& w : b.warps) {
      if (w.alive == 0) continue;
      reconvergence_point const left = release_waiting(w);
      if (left.arrived == 0) continue;
      any = true;
      std::vector<std::uint32_t> const& harmless = left.current->code->storing_ends;
      if (std::find(harmless.begin(), harmless.end(), left.pc) != harmless.end()) continue;
      report_partial_barriers(w);
      report_absent_members(w, left.arrived);
    }
    return any;
  }

  //! Executes operations of a warp until its turn is over or it cannot go on.
  [[nodiscard]] progress run_warp(block& b, warp& w, std::uint32_t budget) {
    std::uint32_t const begin = budget;
    std::uint32_t const polls = w.polls;
    w.yielded = false;
    while (budget != 0) {
      if (w.mask == 0 && !pick_group(w)) break;
      program const& code = *w.current->code;
      operation const* const operations = code.operations.data();
      operation_counts& counted = counts_[code.number];
      if (counted.empty()) {
        counted.resize(code.operations.size());
        run_counts_[code.number].resize(code.operations.size() + 1);
      }
      operation_count* const counts = counted.data();
      std::uint32_t const meets = reconvergence_pc(w);
      w.switched = false;
      while (budget != 0 && !w.switched) {
        std::uint32_t const pc = w.pc;
        if (pc == meets) {
          reconverge_group(w);
          break;
        }
        operation const& op = operations[pc];
        if (op.straight > 1 && !w.followed && !launch_.stepwise) {
          std::uint32_t const n = std::min({std::uint32_t{op.straight}, budget, meets - pc});
          budget -= run_straight(b, w, &op, n);
          continue;
        }
        lane_mask active = w.mask;
        if (op.guard != no_slot) {
          lane_mask const p = w.predicate(op.guard);
          active &= op.guard_negated ? ~p : p;
        }
        w.pc = pc + 1;
        --budget;
        ++b.executed;
        if (w.followed)
          for (observer* const o : observers_) o->executes(w, op, active, false);
        if (active == 0) continue;
        ++counts[pc].executed;
        counts[pc].lanes += lane_count(active);
        w.active = active;
        op.run(w, op);
        if (w.yielded) {
          rotate_groups(w);
          return judge(w, begin - budget, polls);
        }
      }
    }
    if (budget == 0) rotate_groups(w);
    return judge(w, begin - budget, polls);
  }

  //! Executes `n` operations from `first` on, simple ones without guards, for the current group;
  //! fewer if an observer begins to follow the warp. Counts them together. \return their number.
  std::uint32_t run_straight(block& b, warp& w, operation const* first, std::uint32_t n) {
    operation const* op = first;
    operation const* const end = first + n;
    auto const count_to_here = [&] {
      std::uint32_t const executed = op->index - first->index + 1;
      run_count* const counted = run_counts_[w.current->code->number].data() + first->index;
      operation_count const once{1, lane_count(w.mask)};
      if (executed == first->straight) {
        counted->whole += once;
      } else {
        counted->change += once;
        counted[executed].change -= once;
      }
      w.pc = first->index + executed;
      b.executed += executed;
      return executed;
    };
    w.active = w.mask;
    try {
      op->run(w, *op);
      while (op + 1 != end && !w.followed) {
        ++op;
        op->run(w, *op);
      }
    } catch (...) {
      static_cast<void>(count_to_here());
      throw;
    }
    return count_to_here();
  }

  //! The outcome of a warp's turn. A warp that polls makes no progress until it changes memory or
  //! does much else.
  [[nodiscard]] static progress judge(warp& w, std::uint32_t executed, std::uint32_t polls_before) {
    constexpr std::uint32_t much = 4096;
    if (executed == 0) return progress::blocked;
    w.quiet = w.polls == polls_before ? w.quiet + executed : 0;
    if (w.quiet > much) w.polls = 0;
    return w.polls == 0 ? progress::made : progress::polling;
  }

  //! Nothing goes on. Perhaps lanes poll for others of their warp that wait for them where they
  //! meet: those go on alone.
  [[nodiscard]] bool release() {
    bool any = false;
    for (auto const& b : resident_)
      if (waits_for_cluster(*b)) any = release_blocked(*b) || any;
    for (auto const& b : resident_)
      for (warp& w : b->warps)
        if (w.alive != 0 && w.polls != 0) any = release_waiting(w).arrived != 0 || any;
    return any;
  }

  void note_busy() {
    all_.progress.store(true, std::memory_order_relaxed);
    waits_ = 0;
    if (is_idle_) all_.still.next_epoch();
    is_idle_ = false;
  }

  //! No warp of this worker made progress. If those of the others make none for long either, none
  //! ever will.
  void wait_or_stall() {
    if (!is_idle_) all_.still.next_epoch();
    is_idle_ = true;
    constexpr std::uint64_t before_release = 16;
    if (++waits_ >= before_release && release()) {
      note_busy();
      return;
    }
    if (!others_may_help()) deadlock(progress::blocked);
    if (all_.workers > 1) std::this_thread::yield();
    if (std::uint64_t const epoch = all_.still.epoch(); epoch != epoch_) {
      epoch_ = epoch;
      tries_ = 0;
    }
    if (++tries_ == all_.patience && all_.still.tried(epoch_) + all_.finished.load() >=
                                         static_cast<std::uint64_t>(all_.workers)) {
      all_.stalled.store(true);
      all_.stop.store(true);
    }
  }

  //! Blocks that wait at barriers only cannot be helped by other blocks.
  [[nodiscard]] bool others_may_help() const {
    for (auto const& b : resident_)
      for (warp const& w : b->warps) {
        if (w.mask != 0) return true;
        for (lane_group const& g : w.groups)
          if (g.state == lane_group::state_type::ready) return true;
      }
    return resident_.empty();
  }

  //! The object that polling threads wait for, by its name if it has one.
  [[nodiscard]] std::string awaited_text() const {
    for (auto const& b : resident_)
      for (warp const& w : b->warps) {
        if (w.alive == 0) continue;
        if (w.waited_mbarrier != nullptr)
          return memory_access_detail::awaited_text(w.waited_mbarrier, w.waited_offset);
        program const* const code = w.current == nullptr ? nullptr : w.current->code;
        if (code == nullptr) continue;
        for (source_line const& l : decode::path_of(*code, w.pc == 0 ? 0 : w.pc - 1))
          if (l.function.find("10grid_group4sync") != std::string::npos)
            return "at grid.sync() for threads of the grid that do not come to it";
      }
    return "for memory that nobody changes any more";
  }

  //! The number of blocks that run, if others wait for room.
  [[nodiscard]] std::string residence_text() const {
    std::uint64_t const begun = std::min(all_.next.load(), all_.clusters) * all_.cluster_size;
    if (all_.executed_of_grid.some != all_.executed_of_grid.all)
      return "; only " + std::to_string(all_.blocks) + " of " +
             std::to_string(launch_.grid.count()) +
             " blocks are executed (--blocks), and these may wait for others";
    if (begun == all_.blocks) return {};
    return "; " + std::to_string(begun - all_.left.load()) + " of " + std::to_string(all_.blocks) +
           " blocks are resident, and " + std::to_string(all_.blocks - begun) +
           " begin when others end";
  }

  //! The instruction at which threads of a warp wait, and one of them; of those that poll memory
  //! the one they have just executed, or the first of the loop if that was its branch.
  struct waiting_place {
    frame* in = nullptr;
    operation const* op = nullptr;
    int lane = 0;
  };
  [[nodiscard]] static waiting_place place_of_waiting(warp const& w, bool polls) {
    auto const before = [polls](frame* f, std::uint32_t pc) {
      auto const& operations = f->code->operations;
      bool begins_loop = false;
      for (std::size_t k = pc; polls && k < operations.size(); ++k)
        begins_loop |= operations[k].reconverge != 0 && operations[k].target == pc;
      return &operations[pc == 0 || begins_loop ? pc : pc - 1];
    };
    if (w.mask != 0) return {w.current, before(w.current, w.pc), std::countr_zero(w.mask)};
    for (lane_group const& g : w.groups) {
      if (polls && g.state != lane_group::state_type::ready) continue;
      return {g.current, g.waits_for != nullptr ? g.waits_for : before(g.current, g.pc),
              std::countr_zero(g.mask)};
    }
    return {};
  }

  [[noreturn]] void deadlock(progress pass) const {
    block const& b = *resident_.front();
    for (warp const& w : b.warps) report_partial_barriers(w);
    std::string text = pass == progress::blocked ? "threads wait for each other: " + waiting_text(b)
                                                 : "threads wait " + awaited_text();
    bool const polls = pass != progress::blocked;
    for (warp const& w : b.warps) {
      if (w.alive == 0) continue;
      auto const [in, op, lane] = place_of_waiting(w, polls);
      if (op == nullptr) continue;
      if (polls) text += ", as " + thread_text(b, w, lane) + " does";
      text += residence_text();
      report_finding(b, *in, *op, check_kind::deadlock, text);
      break;
    }
    throw device_fault(device_fault::kind_type::deadlock,
                       "deadlock in " + launch_.kernel->demangled + ": " + text);
  }

  //! The bytes that the system keeps for cooperative groups of several warps behind a block's own
  //! shared memory.
  static constexpr std::size_t reserved_bytes = 512;

  shared_state& all_;
  launch const& launch_;
  bool reserves_shared_ = launch_.code->uses_reserved_shared(*launch_.kernel);
  std::mt19937_64 random_;
  bool mixed_;
  std::vector<observer*> observers_;
  std::vector<operation_counts> counts_;
  //! Counts of straight runs, at their first operation.
  struct run_count {
    operation_count whole;   //!< of runs of operation::straight operations
    operation_count change;  //!< by how much others count more for it than for the one before
  };
  std::vector<std::vector<run_count>> run_counts_;  //!< of each operation, and of the end
  std::vector<std::unique_ptr<block>> resident_;
  std::vector<std::unique_ptr<block>> unused_;
  std::uint64_t window_ = 1;
  std::uint64_t max_window_ = 1;
  std::uint64_t barriers_ = 0;
  std::uint64_t waits_ = 0;  //!< passes without progress, up to now
  std::uint64_t epoch_ = 0;  //!< the epoch of standstill in which tries_ are counted
  std::uint64_t tries_ = 0;
  bool is_idle_ = false;
};

void work_safely(shared_state& all, worker& w) {
  try {
    w.work();
  } catch (...) {
    std::lock_guard const lock(all.failing);
    if (!all.failure) all.failure = std::current_exception();
    all.stop.store(true, std::memory_order_relaxed);
  }
}

//! Adds up the workers' counts; steps of an instruction after its first are no instructions.
void gather(std::vector<operation_counts> const& counts, linked_module& code,
            std::vector<operation_counts>& to) {
  for (std::size_t n = 0; n < counts.size(); ++n) {
    if (counts[n].empty()) continue;
    program const& p = code.function(static_cast<std::uint32_t>(n));
    if (to[n].empty()) to[n].resize(counts[n].size());
    for (std::size_t k = 0; k < counts[n].size(); ++k) {
      if (p.operations[k].auxiliary) continue;
      to[n][k].executed += counts[n][k].executed;
      to[n][k].lanes += counts[n][k].lanes;
    }
  }
}

}  // namespace

executed_clusters::executed_clusters(launch const& l)
    : all(l.grid.count() / l.cluster.count()), some(all) {
  std::uint64_t const size = l.cluster.count();
  if (l.sampled_blocks != 0) some = std::min(all, (l.sampled_blocks + size - 1) / size);
}

std::uint64_t executed_clusters::number(std::uint64_t k) const {
  if (some == all) return k;
  if (some == 1) return 0;
  std::uint64_t const whole = (all - 1) / (some - 1);
  std::uint64_t const rest = (all - 1) % (some - 1);
  return k * whole + k * rest / (some - 1);
}

struct execution::state {
  explicit state(launch const& l) : all(l) {
    if (l.weak) all.weak = std::make_unique<weak_memory>(l.seed);
    for (int k = 0; k < all.workers; ++k) workers.emplace_back(all, k);
  }
  shared_state all;
  std::vector<worker> workers;

  template <class F>
  void each_observer(F const& f) const {
    for (auto const& list : all.launched.observers)
      for (observer* const o : list) f(*o);
  }
};

execution::execution(launch const& l) : state_(std::make_unique<state>(l)) {
  state_->each_observer([&](observer& o) { o.begin(l); });
}

execution::~execution() = default;

bool execution::advance() {
  constexpr std::uint64_t patience_later = 500;
  shared_state& all = state_->all;
  all.stop = all.stalled = all.progress = false;
  all.finished = 0;
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 1; k < state_->workers.size(); ++k)
      threads.emplace_back([&all, &w = state_->workers[k]] { work_safely(all, w); });
    work_safely(all, state_->workers.front());
  }
  all.patience = patience_later;
  if (all.failure == nullptr && all.stalled) return false;
  if (all.weak) all.weak->end();
  state_->each_observer([&](observer& o) { o.end(all.launched); });
  if (all.failure) std::rethrow_exception(all.failure);
  return true;
}

bool execution::made_progress() const { return state_->all.progress; }

void execution::give_up() {
  shared_state& all = state_->all;
  for (worker& w : state_->workers) {
    if (!w.has_blocks()) continue;
    try {
      w.give_up();
    } catch (...) {
      if (all.weak) all.weak->end();
      state_->each_observer([&](observer& o) { o.end(all.launched); });
      throw;
    }
  }
  throw device_fault(device_fault::kind_type::deadlock, "deadlock");
}

launch_result execution::result() {
  launch const& launched = state_->all.launched;
  launch_result result;
  std::vector<operation_counts> sum(launched.code->functions());
  for (worker& w : state_->workers) {
    result.barriers += w.barriers();
    gather(std::move(w).counts(), *launched.code, sum);
  }
  for (std::size_t n = 0; n < sum.size(); ++n)
    if (!sum[n].empty())
      result.counts.emplace_back(&launched.code->function(static_cast<std::uint32_t>(n)),
                                 std::move(sum[n]));
  return result;
}

launch_result run(launch const& launched) {
  execution e(launched);
  if (!e.advance()) e.give_up();
  return e.result();
}

}  // namespace device
