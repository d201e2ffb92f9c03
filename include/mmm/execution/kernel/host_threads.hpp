// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/fragment_sums.hpp>
#include <mmm/execution/kernel/kernel.hpp>
#include <mmm/execution/kernel/launch.hpp>
#include <mmm/execution/kernel/look_back.hpp>
#include <mmm/machine/machine.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

//! Kernels without a device: each CUDA thread is a host thread with real barriers, and runs the
//! code of the kernel (strided loops, tails, the layout of shared memory). A thread sanitizer
//! reports a missing barrier as a race.
namespace mmm {
namespace detail {

//! Memory with the alignment of a kernel's arrays.
class aligned_bytes {
 public:
  explicit aligned_bytes(index bytes)
      : first_(
            static_cast<std::byte*>(::operator new(static_cast<std::size_t>(bytes), alignment))) {}
  aligned_bytes(aligned_bytes const&) = delete;
  aligned_bytes& operator=(aligned_bytes const&) = delete;
  ~aligned_bytes() { ::operator delete(first_, alignment); }
  [[nodiscard]] std::byte* data() const { return first_; }

 private:
  static constexpr std::align_val_t alignment{static_cast<std::size_t>(array_alignment)};
  std::byte* first_;
};

//! A host thread among those of its block and its grid.
class host_team {
 public:
  static constexpr bool refuses = true;
  static constexpr bool plans = false;
  static constexpr int kernel = every_kernel;
  using memory = kernel_memory;
  using register_file = kernel_register_file;

  //! \param of_cluster the barrier of the block's cluster, or null. \param apart bytes between
  //! the shared memories of two blocks. \param only_one the grid has no other thread.
  host_team(index thread, index block, std::barrier<>& of_block, std::barrier<>* of_cluster,
            std::barrier<>& of_grid, index apart, std::byte* shared, std::byte* scratch,
            void const** shown, std::atomic<bool> const& failed, bool only_one)
      : thread_(thread),
        block_(block),
        only_one_(only_one),
        of_block_(of_block),
        of_cluster_(of_cluster),
        of_grid_(of_grid),
        apart_(apart),
        shared_(shared),
        scratch_(scratch),
        shown_(shown),
        failed_(failed) {}

  [[nodiscard]] index thread() const { return thread_; }
  [[nodiscard]] index thread_anew() const { return thread_; }
  [[nodiscard]] index block() const { return block_; }
  template <class Body>
  void in_phase(int, index, Body const& body) const {
    body();
  }
  void block_barrier() {
    if (!only_one_) of_block_.arrive_and_wait();
  }
  void grid_barrier() {
    if (!only_one_) of_grid_.arrive_and_wait();
  }
  //! The shared memories of the blocks of a cluster, as one of them sees them.
  struct neighbours {
    index apart;
    index own;  //!< its rank
    template <class T>
    [[nodiscard]] T* at(T* first, index rank) const {
      return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(first) + (rank - own) * apart);
    }
  };
  [[nodiscard]] neighbours peers() const { return {apart_, block_ % cluster_}; }
  void use_clusters(index size) {
    cluster_ = size;
    cluster_barrier();
  }
  void cluster_barrier() {
    if (!only_one_) (of_cluster_ != nullptr ? *of_cluster_ : of_block_).arrive_and_wait();
  }
  void first_alone() { grid_barrier(); }
  [[nodiscard]] static index blocks_for(index, index blocks) { return blocks; }
  void begin_transactions(std::uint64_t*) const {}
  template <class T>
  [[nodiscard]] static bool copy_bulk(std::uint64_t*, T*, T const*, index) {
    return false;
  }
  void await_bulk(std::uint64_t*) const {}
  void commit_copies() const {}
  template <index Latest>
  void await_copies() const {}
  template <class... Number>
  void forget(Number&...) const {}
  [[nodiscard]] std::byte* shared() const { return shared_; }
  [[nodiscard]] std::byte* scratch() const { return scratch_; }
  //! The look-back of a block, by its first thread.
  template <class States, class Word, class Operator>
  void look_back(States const& states, index tile, Word word, Operator const& op) {
    using value = typename States::value_type;
    if (thread_ != 0) return;
    value const own = word[0];
    word[0] = look_back_alone(
        states, tile, own, op, [this](auto const& state) { return this->inspect(state); },
        [this](auto& state, tile_flag flag, value const& x) { this->publish(state, flag, x); });
  }
  template <class T>
  void publish(tile_state<T>& state, tile_flag flag, T const& x) const {
    if constexpr (tile_state<T>::words == 1) {
      std::atomic_ref(state.packed).store(packed_state(flag, x), std::memory_order_relaxed);
    } else {
      to_words(x, flag == tile_flag::aggregate ? state.aggregate : state.prefix);
      std::atomic_ref(state.flag)
          .store(static_cast<std::uint32_t>(flag), std::memory_order_release);
    }
  }
  template <class T>
  [[nodiscard]] tile_status<T> inspect(tile_state<T> const& shared) const {
    auto& state = const_cast<tile_state<T>&>(shared);
    reject_after_failure();
    if constexpr (tile_state<T>::words == 1) {
      return unpacked_state<T>(std::atomic_ref(state.packed).load(std::memory_order_relaxed));
    } else {
      auto const flag =
          static_cast<tile_flag>(std::atomic_ref(state.flag).load(std::memory_order_acquire));
      return {flag, flag == tile_flag::invalid  ? T{}
                    : flag == tile_flag::prefix ? from_words<T>(state.prefix)
                                                : from_words<T>(state.aggregate)};
    }
  }
  void publish(index& word, index x) const {
    std::atomic_ref(word).store(x, std::memory_order_relaxed);
  }
  [[nodiscard]] index inspect(index const& word) const {
    reject_after_failure();
    return std::atomic_ref(const_cast<index&>(word)).load(std::memory_order_relaxed);
  }
  //! Counts digits: every thread computes its own ranks; the first thread of a group stores the
  //! counts.
  template <index Lanes, int Bits, index N, class Digit, class Counter, class Use>
  void count_in_order(Digit const& digit, Counter* counters, index threads, Use const& use) {
    std::array<std::size_t, static_cast<std::size_t>(N)> digits;
    unroll<N>(
        [&](index k) { digits[static_cast<std::size_t>(k)] = static_cast<std::size_t>(digit(k)); });
    show(digits[0]);
    index const first = thread_ / Lanes * Lanes;
    Counter* const own = counters + (first / Lanes << Bits);
    std::vector<Counter> counts(own, own + (index{1} << Bits));
    std::array<Counter, static_cast<std::size_t>(N)> ranks;
    for (index k = 0; k < N; ++k)
      for (index t = first; t < smaller(first + Lanes, threads); ++t) {
        Counter& count = counts[(&shown<std::size_t>(t))[k]];
        if (t == thread_) ranks[static_cast<std::size_t>(k)] = count;
        ++count;
      }
    block_barrier();
    if (thread_ == first) std::copy(counts.begin(), counts.end(), own);
    block_barrier();
    unroll<N>([&](index k) { use(k, ranks[static_cast<std::size_t>(k)]); });
  }
  //! A scan over the lanes of a group: every thread exposes its registers to the others, and
  //! changes them after all have read them. A group's threads end at the block's thread `threads`.
  template <index Lanes, index N, class T, class Operator>
  void scan_lanes(T* upto, T* before, index threads, Operator const& op) {
    show(*upto);
    index const first = thread_ / Lanes * Lanes;
    std::array<T, static_cast<std::size_t>(N)> sums{};
    T sum = shown<T>(first);
    T last = before[0];
    for (index k = 0; k < N; ++k)
      for (index t = first; t < smaller(first + Lanes, threads); ++t) {
        if (k > 0 || t > first) {
          last = sum;
          sum = static_cast<T>(op(sum, (&shown<T>(t))[k]));
        }
        if (t != thread_) continue;
        before[k] = last;
        sums[static_cast<std::size_t>(k)] = sum;
      }
    block_barrier();
    std::copy(sums.begin(), sums.end(), upto);
  }
  template <index Lanes, class T, class Operator>
  void fold_lanes(T& r, index n, Operator const& op) {
    show(r);
    T fold = r;
    if (thread_ % Lanes == 0)
      for (index t = thread_ + 1; t < smaller(thread_ + Lanes, n); ++t)
        fold = static_cast<T>(op(fold, shown<T>(t)));
    block_barrier();
    r = fold;
  }
  //! Loads of matrices: every thread exposes the rows that it gave.
  template <fragment_order Order, index N, class T, class Rows, class Place>
  void load_fragments(T* r, Rows const& rows, index n, Place const& place) {
    using given = std::array<vec<T, 4>, static_cast<std::size_t>(N)>;
    given own{};
    if (thread_ < n)
      unroll<N>([&](index k) { own[static_cast<std::size_t>(k)] = load(rows[place(thread_, k)]); });
    show(own);
    if (thread_ < n)
      unroll<4 * N>([&](index k) {
        r[k] = loaded_word<Order>(
            static_cast<int>(thread_ % 32), static_cast<int>(k % 4 * 8), [&](int lane, int word) {
              return shown<given>(thread_ / 32 * 32 + lane)[static_cast<std::size_t>(k / 4)][word];
            });
      });
    block_barrier();
  }
  //! Products of matrices: every thread exposes its factors.
  template <class Shape, index Down, index Across, class Sum, class Left, class Right>
  void multiply_lanes(Sum* c, Left const* a, Right const* b, index n) {
    struct factors {
      Left const* a;
      Right const* b;
    };
    factors const own{a, b};
    show(own);
    if (thread_ < n)
      add_fragment_products<Shape, Down, Across>(
          static_cast<int>(thread_ % 32), [&](index k) -> Sum& { return c[k]; },
          [&](int lane, index k) { return shown<factors>(thread_ / 32 * 32 + lane).a[k]; },
          [&](int lane, index k) { return shown<factors>(thread_ / 32 * 32 + lane).b[k]; });
    block_barrier();
  }
  //! Leaves the barriers: the other threads no longer wait for this one.
  void leave() {
    of_block_.arrive_and_drop();
    if (of_cluster_ != nullptr) of_cluster_->arrive_and_drop();
    of_grid_.arrive_and_drop();
  }

 private:
  void reject_after_failure() const {
    if (failed_) throw std::runtime_error("mmm: another thread has failed");
  }
  template <class T>
  void show(T const& x) {
    shown_[thread_] = &x;
    block_barrier();
    reject_after_failure();
  }
  template <class T>
  [[nodiscard]] T const& shown(index thread) const {
    return *static_cast<T const*>(shown_[thread]);
  }

  index thread_;
  index block_;
  bool only_one_;
  std::barrier<>& of_block_;
  std::barrier<>* of_cluster_;
  std::barrier<>& of_grid_;
  index apart_;
  index cluster_ = 1;  //!< blocks in a cluster
  std::byte* shared_;
  std::byte* scratch_;
  void const** shown_;  //!< each thread's registers, for the other threads of the block
  std::atomic<bool> const& failed_;
};

//! Runs `task(team)` on all threads of a grid at once. Rethrows the exception of the first task
//! that threw.
template <class Task>
void run_grid(launch_shape const& shape, launch_plan const& plan, Task const& task) {
  aligned_bytes const scratch(plan.scratch);
  aligned_bytes const all_shared(checked_multiply(larger(plan.shared, 1), shape.blocks));
  std::barrier<> grid(shape.blocks * shape.block_threads);
  std::vector<std::unique_ptr<std::barrier<>>> blocks;
  for (index b = 0; b < shape.blocks; ++b)
    blocks.push_back(std::make_unique<std::barrier<>>(shape.block_threads));
  std::vector<std::unique_ptr<std::barrier<>>> clusters;
  if (plan.cluster > 1)
    for (index k = 0; k < shape.blocks / plan.cluster; ++k)
      clusters.push_back(std::make_unique<std::barrier<>>(plan.cluster * shape.block_threads));
  auto const cluster_of = [&](index block) {
    return clusters.empty() ? nullptr
                            : clusters[static_cast<std::size_t>(block / plan.cluster)].get();
  };
  std::vector<void const*> shown(static_cast<std::size_t>(shape.blocks * shape.block_threads));
  std::mutex one;
  std::exception_ptr failure;
  std::atomic<bool> failed = false;
  bool const only_one = shape.blocks * shape.block_threads == 1;
  auto const work = [&](index block, index thread) {
    host_team team(thread, block, *blocks[static_cast<std::size_t>(block)], cluster_of(block), grid,
                   plan.shared, all_shared.data() + block * plan.shared, scratch.data(),
                   shown.data() + block * shape.block_threads, failed, only_one);
    try {
      task(team);
    } catch (...) {
      std::lock_guard const lock(one);
      if (!failure) failure = std::current_exception();
      failed = true;
      team.leave();
    }
  };
  if (only_one) {  // on the caller's thread
    work(0, 0);
    if (failure) std::rethrow_exception(failure);
    return;
  }
  std::vector<std::jthread> threads;
  threads.reserve(static_cast<std::size_t>(shape.blocks * shape.block_threads));
  for (index b = 0; b < shape.blocks; ++b)
    for (index t = 0; t < shape.block_threads; ++t) {
      if (!failed) {
        try {
          threads.emplace_back(work, b, t);
          continue;
        } catch (
            // the system has no more threads: those that run must not wait for the missing ones
            std::exception const&) {
          std::lock_guard const lock(one);
          if (!failure) failure = std::current_exception();
          failed = true;
        }
      }
      blocks[static_cast<std::size_t>(b)]->arrive_and_drop();
      if (auto* const cluster = cluster_of(b)) cluster->arrive_and_drop();
      grid.arrive_and_drop();
    }
  threads.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace detail

//! The handle that runs algorithms on host threads:
//! `mmm::sum(mmm::host_threads<mmm::dmm<4, 5>>(mmm::threads(8)), …)`. Results are a kernel's;
//! nothing is costed. For tests: a barrier of host threads takes microseconds.
//! std::invalid_argument for more than 1024 threads, or if a machine's DMMs cannot share them
//! evenly.
template <machine M>
class host_threads : public detail::shaped_for<M> {
 public:
  static constexpr index max_threads = 1024;

  explicit host_threads(mmm::threads p)
  requires(std::is_empty_v<M>)
      : host_threads(detail::machine_of<M>(), p) {}
  host_threads(M const& m, mmm::threads p) : detail::shaped_for<M>(m, p) {
    if (p.count > max_threads) detail::reject("the number of host threads", p.count, "up to 1024");
  }

  //! Runs `program(on, arrays …)` on all threads.
  template <class Program, class... Arguments>
  void launch(Program const& program, Arguments const&... arguments) const {
    run_on_pointers(program, detail::replaced(detail::as_pointer(), arguments)...);
  }

 private:
  template <class Program, class... Arguments>
  void run_on_pointers(Program const& program, Arguments const&... arguments) const {
    auto const plan = detail::plan_of(this->machine_, this->shape_, program, arguments...);
    detail::run_grid(this->shape_, plan, [&](detail::host_team& team) {
      detail::run_thread(this->machine_, this->shape_, team, program, arguments...);
    });
  }
};

}  // namespace mmm
