// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/simulate/host_memory.hpp>
#include <mmm/execution/simulate/iterator.hpp>
#include <mmm/execution/simulate/warp_value.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

//! The contents of a simulated memory: its arrays, and the registers of its threads.
namespace mmm {
namespace detail {

//! The arrays of a simulated memory, allocated from address 0 on. An array lives as long as the
//! memory.
template <class Recorder>
class simulated_arrays {
 public:
  //! \param used the words that are allocated already, from address 0 on.
  simulated_arrays(memory_space space, index width, index capacity, index used = 0)
      : space_(space), width_(width), capacity_(capacity), used_(used) {}
  simulated_arrays(simulated_arrays const&) = delete;
  simulated_arrays& operator=(simulated_arrays const&) = delete;
  ~simulated_arrays() {
    while (!owned_.empty()) {
      delete owned_.back();
      owned_.pop_back();
    }
  }

  //! Allocates an array of `n` words, uninitialized where T allows it. `synchronizes`: its words
  //! are meant to be read and written at the same time.
  template <class T>
  [[nodiscard]] simulated_iterator<T, Recorder> allocate(index n, bool synchronizes = false) {
    index const address = reserve(n);
    auto* const a = own<array<T>>();
    a->words = new T[static_cast<std::size_t>(n)];
    if constexpr (std::is_trivially_default_constructible_v<T>)
      prefer_large_pages(a->words, static_cast<std::size_t>(n) * sizeof(T));
    a->record = {{n, address, space_, !synchronizes}, a->words};
    return {&a->record, 0};
  }
  //! Allocates a distributed array: `n` words at the same address in each of `dmms` memories,
  //! those of the DMMs from `first_dmm` on. Returns the parts.
  template <class T>
  [[nodiscard]] array_record<T> const* distribute(index n, index first_dmm, index dmms) {
    index const address = reserve(n);
    auto* const all = own<distributed<T>>();
    all->words = new T[static_cast<std::size_t>(checked_multiply(n, dmms))];
    for (index r = 0; r < dmms; ++r)
      all->part.push_back({{n, address, space_, true, first_dmm + r}, all->words + r * n});
    return all->part.data();
  }
  //! The number of words allocated.
  [[nodiscard]] index used() const { return used_; }
  //! Makes an array of `n` of the caller's words.
  template <class T>
  [[nodiscard]] simulated_iterator<T, Recorder> attach(T* data, index n) {
    if (n < 0) reject("the size of an array", n, "0 or more");
    index const address = reserve(n);
    auto* const a = own<array<T>>();
    a->record = {{n, address, space_, !std::is_const_v<T>}, data};
    return {&a->record, 0};
  }
  //! A read-only view of an array.
  template <class T>
  [[nodiscard]] simulated_iterator<T const, Recorder> read_only(simulated_iterator<T, Recorder> a) {
    auto* const view = own<array<T const>>();
    view->record = {a.place(), a.data()};
    view->record.watched = false;
    return {&view->record, 0};
  }
  //! Allocates `count` registers for each of some threads, all zero.
  template <class T>
  [[nodiscard]] T* registers(index threads, index count) {
    if (count < 0) reject("the number of registers", count, "0 or more");
    auto* const a = own<array<T>>();
    a->words = new T[static_cast<std::size_t>(checked_multiply(threads, count))]();
    return a->words;
  }

 private:
  struct owner {
    owner() = default;
    owner(owner const&) = delete;
    owner& operator=(owner const&) = delete;
    virtual ~owner() = default;
  };
  template <class T>
  struct array final : owner {
    array_record<T> record{};
    T* words = nullptr;
    ~array() override { delete[] words; }
  };

  template <class T>
  struct distributed final : owner {
    std::vector<array_record<T>> part{};
    T* words = nullptr;
    ~distributed() override { delete[] words; }
  };

  template <class Array>
  [[nodiscard]] Array* own() {
    owned_.reserve(owned_.size() + 1);
    auto* const a = new Array();
    owned_.push_back(a);
    return a;
  }
  //! Reserves addresses. An array starts at a multiple of the width, so that a warp's words can lie
  //! in one address group.
  [[nodiscard]] index reserve(index n) {
    index const address = checked_multiply(ceil_divide(used_, width_), width_);
    index const end = checked_add(address, n);
    if (end > capacity_) reject_length("words of a shared memory", end, capacity_);
    used_ = end;
    return address;
  }

  memory_space space_;
  index width_;
  index capacity_;
  index used_;
  std::vector<owner*> owned_{};
};

//! A reference `r[i]` to the registers of a warp's threads.
template <class T, class Recorder>
class simulated_register : public proxy_base {
  static constexpr int width = Recorder::width;

 public:
  using value_type = T;
  using values = warp_value<T, width>;
  MMM_ALWAYS_INLINE simulated_register(T* data, warp_index<width> const& cells)
      : data_(data), cells_(cells) {}
  simulated_register(simulated_register const&) = default;

  [[nodiscard]] MMM_ALWAYS_INLINE operator values() && {
    return static_cast<simulated_register&&>(*this).load();
  }
  [[nodiscard]] MMM_ALWAYS_INLINE values load() && {
    values result;
    int const lanes = Recorder::here().lanes;
    if (in_a_row(lanes)) {
      T const* const source = data_ + cells_.base();
      for (int t = 0; t < width; ++t) result.lane[t] = source[t];
      return result;
    }
    result.lane[0] = data_[cells_[0]];  // a running warp has at least one lane
    for (int t = 1; t < lanes; ++t) result.lane[t] = data_[cells_[t]];
    for (int t = lanes; t < width; ++t) result.lane[t] = result.lane[0];
    return result;
  }
  template <class Condition>
  [[nodiscard]] MMM_ALWAYS_INLINE values load_if(Condition const&) && {
    return static_cast<simulated_register&&>(*this).load();
  }
  template <class X>
  MMM_ALWAYS_INLINE void store(X const& x) && {
    int const lanes = Recorder::here().lanes;
    if (in_a_row(lanes)) {
      T* const target = data_ + cells_.base();
      for (int t = 0; t < width; ++t) target[t] = static_cast<T>(lane_at<T>(x, t));
      return;
    }
    for (int t = 0; t < lanes; ++t) data_[cells_[t]] = static_cast<T>(lane_at<T>(x, t));
  }
  template <class Condition, class X>
  MMM_ALWAYS_INLINE void store_if(Condition const& condition, X const& x) && {
    auto const active = warp_mask<width>::prefix(Recorder::here().lanes) && condition;
    for (int t = 0; t < width; ++t)
      if (active[t]) data_[cells_[t]] = static_cast<T>(lane_at<T>(x, t));
  }

  template <class X>
  requires(!named_proxy<X>)
  MMM_ALWAYS_INLINE void operator=(X&& x) && {
    static_cast<simulated_register&&>(*this).store(evaluate(static_cast<X&&>(x)));
  }
  void operator=(simulated_register const&) && = delete;  // not by a named reference

 private:
  //! True if a whole warp uses consecutive cells.
  [[nodiscard]] MMM_ALWAYS_INLINE bool in_a_row(int lanes) const {
    return lanes == width && cells_.affine() && cells_.stride() == 1;
  }
  T* data_;
  warp_index<width> cells_;
};

}  // namespace detail

//! **Registers that live across parallel-fors.** `r[i]` is the register of the thread that handles
//! item i (thread `i` modulo the number of threads), `r(i, k)` is its k-th; both are read and
//! assigned like `a[i]`, free of cost. Registers are zero at first. Errors: std::invalid_argument
//! if a thread names another thread's register, as a kernel's thread only has its own;
//! std::out_of_range if k is not below the number of registers.
template <class T, class Recorder>
class simulated_registers {
  using lanes_index = warp_index<Recorder::width>;

 public:
  //! Registers at `data[k * cells + c]` for the k-th register of cell c. The cells are the threads
  //! of a DMM or a memory; or those of a whole machine, with `dmm_threads` on each DMM; or `kept`
  //! items.
  simulated_registers(T* data, index cells, index count, index dmm_threads, bool per_item)
      : data_(data), cells_(cells), count_(count), dmm_threads_(dmm_threads), per_item_(per_item) {}

  template <class I>
  [[nodiscard]] MMM_ALWAYS_INLINE decltype(auto) operator[](I const& i) const {
    return (*this)(i, 0);
  }
  [[nodiscard]] MMM_ALWAYS_INLINE auto operator()(lanes_index const& i, index k) const {
    return detail::simulated_register<T, Recorder>(
        data_, lanes_index(number(k) * cells_ + own_cell(i), 1));
  }
  [[nodiscard]] MMM_ALWAYS_INLINE auto operator()(lanes_index const& i,
                                                  lanes_index const& k) const {
    for (int t = 0; t < Recorder::here().lanes; ++t) static_cast<void>(number(k[t]));
    return detail::simulated_register<T, Recorder>(data_, k * cells_ + lanes_index(own_cell(i), 1));
  }
  //! The k-th register of item i: on the host, between parallel-fors; in a body, of the only item.
  [[nodiscard]] MMM_ALWAYS_INLINE T& operator()(index i, index k) const {
    if (Recorder::running() != nullptr) static_cast<void>(own_cell(lanes_index(i, 0)));
    if (i < 0) [[unlikely]]
      detail::reject("an item's number", i, "0 or more");
    return data_[number(k) * cells_ + i % cells_];
  }
  //! The k-th register of item i, for a k that depends on the lane or is known only when the
  //! program runs: a kernel has to select among all registers.
  template <class I, class K>
  [[nodiscard]] MMM_ALWAYS_INLINE decltype(auto) chosen(I const& i, K const& k) const {
    return (*this)(i, k);
  }

 private:
  [[nodiscard]] MMM_ALWAYS_INLINE index number(index k) const {
    if (k < 0 || k >= count_) [[unlikely]]
      detail::throw_out_of_range(detail::failure_text("mmm: register ", k, " of ", count_));
    return k;
  }
  //! The cell of the running warp's first lane, which `i` has to name.
  //! Not inlined: a check at every access to a register would take compile time.
  [[nodiscard, gnu::noinline]] index own_cell(lanes_index const& i) const {
    Recorder const& warp = Recorder::here();
    bool const in_a_row = i.affine() && i.stride() == 1 && i.base() == warp.first_item;
    index const first = per_item_ ? warp.first_item : warp.first_thread + warp.dmm * dmm_threads_;
    // A thread's items are a chunk's stride apart, usually the number of cells.
    bool const own = per_item_ ? warp.has_registers && first + warp.lanes <= cells_
                               : first == warp.first_item ||
                                     (warp.chunk_stride == cells_ &&
                                      warp.items_begin == warp.dmm * dmm_threads_) ||
                                     (warp.first_item - first) % cells_ == 0;
    if (!in_a_row || !own) [[unlikely]]
      demand_own(warp, i, first);
    return first;
  }
  [[gnu::noinline]] void demand_own(Recorder const& warp, lanes_index const& i, index first) const {
    if (per_item_ && !warp.has_registers)
      detail::throw_invalid_argument(detail::failure_text(
          "mmm: registers of kept items in a parallel-for that is not over kept items"));
    for (int t = 0; t < warp.lanes; ++t) {
      index const own = first + t;
      bool const right =
          per_item_ ? i[t] == own && own < cells_ : i[t] >= 0 && i[t] % cells_ == own;
      if (!right)
        detail::throw_invalid_argument(detail::failure_text(
            "mmm: item ", warp.first_item + t, " names the register of item ", i[t],
            ", which belongs to another thread; a thread has none but its "
            "own"));
    }
  }
  T* data_;
  index cells_;
  index count_;
  index dmm_threads_;
  bool per_item_;
};

}  // namespace mmm
