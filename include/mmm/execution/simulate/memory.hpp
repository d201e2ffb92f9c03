// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/contiguous_iterator.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/source_line.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/atomic.hpp>
#include <mmm/execution/fragment_sums.hpp>
#include <mmm/execution/handle.hpp>
#include <mmm/execution/look_back.hpp>
#include <mmm/execution/overlap.hpp>
#include <mmm/execution/simulate/accounting.hpp>
#include <mmm/execution/simulate/arrays.hpp>
#include <mmm/execution/simulate/executor.hpp>
#include <mmm/execution/simulate/warp_recorder.hpp>
#include <mmm/execution/simulate/warp_value.hpp>
#include <mmm/execution/thread_items.hpp>
#include <mmm/index/trapezoid.hpp>
#include <mmm/index/warp_index.hpp>
#include <mmm/index/warp_mask.hpp>
#include <mmm/machine/machine.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

//! The simulation of a machine with one memory: PRAM, BPRAM, DMM, UMM.
namespace mmm {
namespace detail {

//! Calls the body with the rows and columns of a warp's items in a trapezoid. They are affine if
//! the warp is within one row, or if rows have one item.
template <int W, class Body>
void at_rows_and_columns(trapezoid const& shape, index items, warp_index<W> const& item,
                         Body const& body) {
  trapezoid::place place = shape.at(item.base());
  index const lanes = smaller(W, items - item.base());
  if (shape.length(0) == 1) return body(item, warp_index<W>(0, 0));
  if (place.column + lanes <= shape.length(place.row))
    return body(warp_index<W>(place.row, 0), warp_index<W>(place.column, 1));
  index row[W];
  index column[W];
  for (index t = 0; t < W; ++t) {
    row[t] = place.row;
    column[t] = place.column;
    if (t + 1 >= lanes) continue;  // lanes without an item repeat the last one
    place = place.column + 1 < shape.length(place.row)
                ? trapezoid::place{place.row, place.column + 1}
                : trapezoid::place{place.row + 1, 0};
  }
  body(warp_index<W>::by_lane([&](int t) { return row[t]; }),
       warp_index<W>::by_lane([&](int t) { return column[t]; }));
}

//! True for a contiguous iterator over words of type T in the host's memory.
template <class Iterator, class T>
inline constexpr bool contiguous_words = false;
template <std::contiguous_iterator Iterator, class T>
inline constexpr bool contiguous_words<Iterator, T> = std::is_same_v<
    std::remove_const_t<std::remove_reference_t<decltype(*declval<Iterator const&>())>>, T>;

//! Copies n words, of types that convert to each other.
template <class From, class To>
void copy_words(From source, index n, To to) {
  using given = iterator_value_t<From>;
  using wanted = iterator_value_t<To>;
  using value = std::conditional_t<std::is_arithmetic_v<wanted>, wanted, given>;
  if constexpr (contiguous_words<From, wanted> && contiguous_words<To, wanted> &&
                std::is_trivially_copyable_v<wanted>) {
    if (n > 0)
      __builtin_memcpy(__builtin_addressof(*to), __builtin_addressof(*source),
                       static_cast<std::size_t>(n) * sizeof(wanted));
  } else {
    for (index i = 0; i < n; ++i, ++source, ++to) *to = static_cast<value>(*source);
  }
}

//! A handle of a simulation. `Owner` runs its parallel-fors, counts its threads and owns its
//! arrays.
template <class Owner>
class simulated_handle
    : public vocabulary<simulated_handle<Owner>, typename Owner::machine_type, Owner::whole> {
 public:
  using machine_type = typename Owner::machine_type;
  using recorder_type = typename Owner::recorder_type;
  static constexpr bool refuses = true;
  //! An iterator over simulated words of type T.
  template <class T>
  using iterator = simulated_iterator<T, recorder_type>;

  explicit simulated_handle(Owner* owner) : owner_(owner) {}

  [[nodiscard]] machine_type const& machine() const { return owner_->machine(); }
  [[nodiscard]] index threads() const { return owner_->threads(); }
  [[nodiscard]] index dmms() const
  requires Owner::whole
  {
    return machine().dmms();
  }
  [[nodiscard]] index threads_per_dmm() const
  requires Owner::whole
  {
    return owner_->threads_per_dmm();
  }

  //! Makes an array of the memory from the caller's words [first, last); it starts at a multiple of
  //! the width.
  template <std::contiguous_iterator Iterator>
  [[nodiscard]] auto array(Iterator first, Iterator last) const {
    using word = std::remove_reference_t<decltype(*first)>;
    auto const n = static_cast<index>(last - first);
    return owner_->arrays().template attach<word>(n == 0 ? nullptr : __builtin_addressof(*first),
                                                  n);
  }
  //! Returns an array of a simulated memory unchanged.
  template <class T>
  [[nodiscard]] iterator<T> array(iterator<T> first, iterator<T>) const {
    return first;
  }

  void at_line(source_line const& line) const { owner_->next_step().place = line; }
  //! A loop; all its trips run the same parallel-fors.
  template <class Body>
  void run_loop(index count, Body& body) const {
    index const first = owner_->next_step().number;
    for (index k = 0; k < count; ++k) {
      owner_->next_step().number = first;
      body(k);
    }
  }
  template <class Items, class Body>
  void run_items(Items const& items, Body const& body, bool barrier) const {
    owner_->each(
        items.count(),
        [&](auto const& i) {
          if constexpr (!std::is_same_v<Items, item_grid>)
            recorder_type::here().has_registers = true;
          call_body(items, i, body);
        },
        barrier);
  }
  template <class Body>
  void run_items(item_range const& items, Body const& body, bool barrier) const {
    owner_->each(items.n, body, barrier);
  }
  template <class Body>
  void run_items(trapezoid const& items, Body const& body, bool barrier) const {
    index const n = items.items();
    owner_->each(n, [&](auto const& i) { at_rows_and_columns(items, n, i, body); }, barrier);
  }
  template <class T>
  [[nodiscard]] iterator<T> make_array(index n) const {
    return owner_->arrays().template allocate<T>(n);
  }
  template <class T, index N>
  [[nodiscard]] simulated_registers<T, recorder_type> make_registers() const {
    index dmm_threads = 0;
    if constexpr (Owner::whole) dmm_threads = threads_per_dmm();
    return {owner_->arrays().template registers<T>(threads(), N), threads(), N, dmm_threads, false};
  }
  template <class T, index Max>
  [[nodiscard]] simulated_registers<T, recorder_type> make_registers(
      thread_items<Max> const& items) const {
    index const n = items.count();
    return {owner_->arrays().template registers<T>(n, 1), n, 1, 0, true};
  }

  template <class State, class Tile, class Word, class Operator>
  void run_look_back(State state, Tile tile, Word word, Operator op) const {
    if (!owner_->in_turn())
      throw_logic_error(failure_text("mmm: look_back is for tiles (each_tile)"));
    look_back_step{}(*this, state, tile, word, op);
  }
  template <index N, class Registers, class Operator>
  void run_scan_lanes(Registers const& upto, Registers const& before, Operator const& op) const {
    using value = std::remove_reference_t<decltype(upto(index{}, index{}))>;
    for (index first = 0; first < threads(); first += this->lanes()) {
      value const* last = nullptr;
      for (index k = 0; k < N; ++k)
        for (index t = first; t < smaller(first + this->lanes(), threads()); ++t) {
          value& sum = upto(t, k);
          if (last != nullptr) {
            before(t, k) = *last;
            sum = static_cast<value>(op(before(t, k), sum));
          }
          last = &sum;
        }
    }
  }
  template <class Registers, class Operator>
  void run_fold_lanes(Registers const& r, index n, Operator const& op) const {
    using value = std::remove_reference_t<decltype(r(index{}, index{}))>;
    for (index t = 1; t < n; ++t) {
      value& fold = r(t - t % this->lanes(), 0);
      if (&fold != &r(t, 0)) fold = static_cast<value>(op(fold, r(t, 0)));
    }
  }
  template <class Shape, index Down, index Across, class Sums, class Left, class Right>
  void run_multiply_lanes(Sums const& c, Left const& a, Right const& b, index n) const {
    using sum = std::remove_reference_t<decltype(c(index{}, index{}))>;
    for (index t = 0; t < n; ++t) {
      index const first = t / 32 * 32;
      add_fragment_products<Shape, Down, Across>(
          static_cast<int>(t - first), [&](index k) -> sum& { return c(t, k); },
          [&](int lane, index k) { return a(first + lane, k); },
          [&](int lane, index k) { return b(first + lane, k); });
    }
  }
  template <class Sums, class Tile, class Numbers, class Results>
  void run_sums_before(Sums sums, Tile tile, Numbers own, Results before, index n, index) const {
    if (!owner_->in_turn())
      throw_logic_error(failure_text("mmm: sums_before is for tiles (each_tile)"));
    sums_before_step{}(*this, sums, tile, own, before, n);
  }
  template <int Bits, index N, class Digit, class Counters, class Use>
  void run_count_in_order(Digit const& digit, Counters counters, Use const& use) const {
    using number = typename Counters::value_type;
    constexpr int width = recorder_type::width;
    index const of_group = this->lanes();
    this->each_thread(
        [&](warp_index<width> const& i) {
          int const lanes = recorder_type::here().lanes;
          for (index k = 0; k < N; ++k) {
            auto const word = (i / of_group << Bits) + as_index(digit(i, k));
            warp_value<number, width> before(number{0});
            warp_value<number, width> all(number{0});  // number of lanes with the same digit
            for (int t = 0; t < lanes; ++t)
              for (int other = 0; other < lanes; ++other) {
                if (word[t] != word[other]) continue;
                ++all.lane[t];
                if (other < t) ++before.lane[t];
              }
            auto const first = warp_mask<width>::by_lane(
                [&](int t) { return t < lanes && before.lane[t] == number{0}; });
            for (int t = 0; t < lanes; ++t) before.lane[t] += counters.data()[word[t]];
            atomic_add_if(first, counters[word], all);
            use(i, k, before);
          }
        },
        no_barrier);
  }
  void run_commit_copies() const { owner_->copies().commit(); }
  template <index Latest>
  void run_await_copies() const {
    owner_->copies().land(static_cast<std::size_t>(Latest));
  }
  //! A barrier is the number of its copies among those of the DMM.
  template <class Word>
  [[nodiscard]] std::size_t make_transaction_barrier(Word) const {
    if (owner_->in_turn())
      throw_logic_error(failure_text(
          "mmm: a transaction barrier is for the bodies of each_dmm, which makes it once; inside "
          "each_tile, copy_async, commit_copies and await_copies copy without one"));
    this->barrier();
    owner_->bulk_copies().emplace_back();
    return owner_->bulk_copies().size() - 1;
  }
  template <class To, class From>
  void run_copy_bulk(std::size_t barrier, To target, From source, index n) const {
    auto& all = owner_->copies();
    std::swap(all, owner_->bulk_copies()[barrier]);
    this->each(n, [=](auto const& i) { copy_async(target[i], source[i]); }, no_barrier);
    std::swap(all, owner_->bulk_copies()[barrier]);
  }
  void run_await_bulk(std::size_t barrier) const {
    async_copies<>& copies = owner_->bulk_copies()[barrier];
    copies.commit();
    copies.land(0);
  }
  template <class Body>
  void run_dmms(index count, Body& body) const {
    owner_->each_dmm(count, body);
  }
  template <class Body>
  void run_tiles(dmm_range const& dmms, index first, index count, Body& body, bool barrier) const {
    owner_->each_tile(dmms, first, count, body, barrier);
  }
  template <class Body>
  void run_clusters(index count, Body& body) const {
    owner_->each_cluster(count, body);
  }
  void run_first_alone() const { owner_->first_alone(); }
  //! Returns whether only the first DMM works: a program may end so, and the next one has all DMMs
  //! again.
  [[nodiscard]] bool begin_program() const
  requires hierarchical_machine<typename Owner::machine_type>
  {
    return owner_->alone();
  }
  void end_program(bool alone_before) const
  requires hierarchical_machine<typename Owner::machine_type>
  {
    owner_->set_alone(alone_before);
  }
  template <class T>
  [[nodiscard]] iterator<T> make_look_back_state(index tiles) const {
    return owner_->arrays().template allocate<T>(tiles, true);
  }
  [[nodiscard]] iterator<index> make_tile_sums(index n) const {
    return owner_->arrays().template allocate<index>(n, true);
  }

  //! Makes the array for an argument of a program; copies of the caller's words are free of cost.
  template <class Argument>
  [[nodiscard]] auto bring(Argument const& x) const {
    using value = typename Argument::value_type;
    if constexpr (Argument::use == argument_use::result) {
      return x.out.data;
    } else if constexpr (Argument::use == argument_use::read &&
                         contiguous_words<decltype(Argument::in), value>) {
      return owner_->arrays().template attach<value const>(
          x.words == 0 ? nullptr : __builtin_addressof(*x.in), x.words);
    } else {
      auto const a = make_array<value>(x.words);
      if constexpr (!std::is_same_v<decltype(Argument::in), no_sequence>)
        copy_words(x.in, x.given, a.data());
      if constexpr (Argument::use == argument_use::read)
        return owner_->arrays().template read_only<value>(a);
      else
        return a;
    }
  }
  template <class Argument, class Array>
  void deliver(Argument const& x, Array const& a) const {
    copy_words(a.data(), x.words, x.out);
  }
  template <class From, class Results>
  void run_keep(From const& source, Results const& results, index n) const {
    for (index t = 0; t < n; ++t) results[t] = source[t];
  }

 private:
  Owner* owner_;
};

template <class M, class Observe>
class simulated_machine;

//! A simulated machine with one memory.
template <memory M, class Observe>
class simulated_machine<M, Observe> {
 public:
  using machine_type = M;
  using recorder_type = warp_recorder<width_type<M>, M::conflicts, M::conflicts, Observe>;

  static constexpr bool whole = false;

  simulated_machine(M const& m, index p, executor_function)
      : machine_(m),
        threads_(p),
        races_(width_in(m)),
        recorder_(width_in(m)),
        arrays_(M::conflicts == conflict::banks ? memory_space::shared : memory_space::global,
                m.width(), unlimited),
        accounts_(m, p) {
    recorder_.races = &races_;
  }

  [[nodiscard]] simulated_handle<simulated_machine> handle() {
    return simulated_handle<simulated_machine>(this);
  }
  [[nodiscard]] M const& machine() const { return machine_; }
  [[nodiscard]] index threads() const { return threads_; }
  [[nodiscard]] simulated_arrays<recorder_type>& arrays() { return arrays_; }

  [[nodiscard]] program_step& next_step() { return next_step_; }

  template <class Body>
  void each(index n, Body const& body, bool barrier) {
    if constexpr (Observe::races) races_.begin_step(parallel_fors_, 0, next_step_);
    ++parallel_fors_;
    ++next_step_.number;
    accounts_.begin_step();
    recorder_.run(n, 0, threads_, threads_, 0, body,
                  [this](index warps) { accounts_.add_chunk(recorder_, warps, trace_); });
    accounts_.end_step(recorder_);
    if constexpr (Observe::races)
      if (barrier) races_.end_step(0, true);
  }

  [[nodiscard]] cost cost_so_far() const { return accounts_.sum; }
  [[nodiscard]] index pipelined_time() const { return accounts_.pipelined_time(); }
  [[nodiscard]] race_detector<width_type<M>>& races() { return races_; }
  [[nodiscard]] trace& traced() { return trace_; }

 private:
  M machine_;
  index threads_;
  index parallel_fors_ = 0;
  program_step next_step_{};
  race_detector<width_type<M>> races_;
  trace trace_{};
  recorder_type recorder_;
  simulated_arrays<recorder_type> arrays_;
  memory_accounts<M> accounts_;
};

}  // namespace detail
}  // namespace mmm
