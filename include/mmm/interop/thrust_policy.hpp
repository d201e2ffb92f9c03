// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/cost_log.hpp>
#include <mmm/execution/simulate/simulate.hpp>
#include <mmm/interop/thrust_calls.hpp>
#include <mmm/interop/thrust_ordered.hpp>
#include <mmm/interop/thrust_segments.hpp>
#include <mmm/machine/machine.hpp>

#include <thrust/execution_policy.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/pair.h>
#include <thrust/zip_function.h>

#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

//! Thrust on a simulated machine: an execution policy under which a call does its work and leaves
//! its cost.
namespace mmm {
namespace detail::thrust_calls {

//! The number of threads that keep a memory's port busy all the time: w for each time unit of its
//! latency and each port.
template <machine M>
[[nodiscard]] constexpr index threads_that_fill(M const& m) {
  auto const threads_for = [](auto const& memory) {
    return checked_multiply(checked_multiply(memory.width(), memory.latency()), memory.ports());
  };
  if constexpr (hierarchical_machine<M>)
    return checked_multiply(ceil_divide(threads_for(m.global()), m.dmms() * m.width()),
                            m.dmms() * m.width());
  else
    return threads_for(m);
}

//! A base in this namespace, by which Thrust finds the functions below.
struct callable {};

}  // namespace detail::thrust_calls

//! **An execution policy for Thrust.** A call under it runs on a model of machine `M` on data of
//! the host, with the results of thrust::host, and adds its cost, its pipelined time and the number
//! of its races to a mmm::cost_log.
//!
//! Calls, and what they run:
//! - reduce, transform_reduce, inner_product: a tree (mmm::sum);
//! - inclusive_scan, exclusive_scan: mmm::prefix_sums; by key, a parallel-for that flags where keys
//!   change, and mmm::segmented_prefix_sums or mmm::exclusive_segmented_prefix_sums;
//! - sort, stable_sort, and by key: mmm::merge_sort, which is stable; merge: a level of it;
//! - copy_if, unique, unique_copy, and by key: a parallel-for that flags the selected values,
//!   mmm::prefix_sums of the flags, and a parallel-for that writes them; unique_count: the sum of
//!   the flags; reduce_by_key: mmm::segmented_prefix_sums in addition;
//! - copy, copy_n, transform, gather, scatter, fill, fill_n, tabulate and sequence: a parallel-for
//!   whose body reads its words and writes one.
//! Algorithms that Thrust makes of these (count, count_if, remove_copy_if, merge_by_key, …) run as
//! well; the rest does not compile: "unimplemented for this system".
//!
//! Only words of memory that an iterator reads or writes are charged. Contiguous iterators access
//! one word; a transform_iterator what is below it; a permutation_iterator (and gather, scatter)
//! the map, then the data; a zip_iterator all of its parts; counting_iterator, constant_iterator
//! and discard_iterator nothing. Functions are free. Arrays begin at multiples of the width. As
//! everywhere in the library the input of a tree or a scan is where it is needed: an input of one
//! word per value costs nothing more than the algorithm on n words, and an output of one word per
//! value is where the scan leaves it; any other is written to, or read from, an array of its own by
//! a parallel-for. The same holds for sorts, merges, calls by key and those that select a part of
//! their values.
//!
//! With a std::vector of traces after the log, a call adds its trace there, too.
//!
//! Operators: as for thrust::reduce, associative and commutative; of scans, associative. The order
//! of operations is that of the trees. Values have to be default-constructible. The accumulator's
//! type is Thrust's: that of init. Comparators are strict weak orders, equalities are equivalences;
//! both are called with values of the range only.
//! Errors: those of mmm::simulate; std::length_error for a sort on an HMM whose shared memories
//! have no room for 15 t + 16 words, where t is the number of threads per DMM; whatever functions
//! throw. A call that throws is not logged, its output unspecified.
//! Time (of computing it): that of simulating every warp; O(n) more.
template <machine M, class Observe = observe_races_t>
class simulated_policy : public thrust::execution_policy<simulated_policy<M, Observe>>,
                         private detail::thrust_calls::callable {
 public:
  using machine_type = M;

  //! On machine `m` with `p` threads; every call adds its cost to `log`, which has to outlive the
  //! policy.
  //! \param observe mmm::observe_races (default), or mmm::observe_cost: races are not looked for,
  //! many times as fast.
  constexpr simulated_policy(M const& m, mmm::threads p, cost_log& log, Observe = {})
      : machine_(m), threads_(p), log_(&log) {}
  //! Every call adds its trace to `traces`, too, which outlives the policy: the k-th is that of the
  //! log's k-th call if both were empty.
  constexpr simulated_policy(M const& m, mmm::threads p, cost_log& log,
                             std::vector<machine_trace<M>>& traces)
  requires std::same_as<Observe, observe_all_t>
      : machine_(m), threads_(p), log_(&log), traces_(&traces) {}
  //! With as many threads as keep the (global) memory busy: w l, times the ports.
  constexpr simulated_policy(M const& m, cost_log& log, Observe = {})
      : simulated_policy(m, mmm::threads(detail::thrust_calls::threads_that_fill(m)), log) {}
  //! A policy without a log, for the results alone.
  constexpr explicit simulated_policy(M const& m)
      : machine_(m), threads_(detail::thrust_calls::threads_that_fill(m)) {}
  constexpr simulated_policy()
  requires std::default_initializable<M>
      : simulated_policy(M()) {}

  //! This machine with `p` threads and a log:
  //! `thrust::reduce(mmm::simulated<machine>(mmm::threads(256), log), …)`.
  template <class Other = Observe>
  [[nodiscard]] constexpr simulated_policy<M, Other> operator()(mmm::threads p, cost_log& log,
                                                                Other = {}) const {
    return {machine_, p, log};
  }
  template <class Other = Observe>
  [[nodiscard]] constexpr simulated_policy<M, Other> operator()(cost_log& log, Other = {}) const {
    return {machine_, threads_, log};
  }

  //! This machine with `p` threads, a log and traces of all calls.
  [[nodiscard]] constexpr simulated_policy<M, observe_all_t> operator()(
      mmm::threads p, cost_log& log, std::vector<machine_trace<M>>& traces) const {
    return {machine_, p, log, traces};
  }

  [[nodiscard]] constexpr M const& machine() const { return machine_; }
  [[nodiscard]] constexpr mmm::threads threads() const { return threads_; }

  //! Runs a program for a call of Thrust's over n items, notes its cost and returns its result.
  template <class Program>
  auto run(char const* call, index n, Program&& program) const {
    auto done = simulate(machine_, threads_, std::forward<Program>(program), Observe());
    if (log_ != nullptr)
      log_->calls.push_back({call, n, done.cost, done.pipelined_time, done.race_count});
    if (traces_ != nullptr) traces_->push_back(std::move(done.trace));
    return std::move(done.result);
  }

 private:
  M machine_;
  mmm::threads threads_;
  cost_log* log_ = nullptr;
  std::vector<machine_trace<M>>* traces_ = nullptr;
};

template <machine M>
simulated_policy(M const&, threads, cost_log&, std::vector<machine_trace<M>>&)
    -> simulated_policy<M, observe_all_t>;

namespace detail::thrust_calls {

template <class M, class Observe, class Iterator, class T, class Operator>
T reduce(simulated_policy<M, Observe>& on, Iterator first, Iterator last, T init, Operator op) {
  return fold(on, "reduce", first, last - first, init, op);
}

template <class M, class Observe, class Iterator, class F, class T, class Operator>
T transform_reduce(simulated_policy<M, Observe>& on, Iterator first, Iterator last, F f, T init,
                   Operator op) {
  thrust::transform_iterator<F, Iterator, T> const transformed(first, f);
  return fold(on, "transform_reduce", transformed, last - first, init, op);
}

template <class M, class Observe, class Left, class Right, class T, class Add, class Multiply>
T inner_product(simulated_policy<M, Observe>& on, Left first, Left last, Right second, T init,
                Add add, Multiply multiply) {
  using factors = thrust::zip_iterator<thrust::tuple<Left, Right>>;
  using products = thrust::transform_iterator<thrust::zip_function<Multiply>, factors, T>;
  return fold(on, "inner_product", products(factors(thrust::make_tuple(first, second)), multiply),
              last - first, init, add);
}

template <class M, class Observe, class Iterator, class Output, class Operator>
Output inclusive_scan(simulated_policy<M, Observe>& on, Iterator first, Iterator last, Output out,
                      Operator op) {
  return scan<value_of<Iterator>>(on, "inclusive_scan", first, last - first, out, op, no_init());
}

template <class M, class Observe, class Iterator, class Output, class T, class Operator>
Output inclusive_scan(simulated_policy<M, Observe>& on, Iterator first, Iterator last, Output out,
                      T init, Operator op) {
  using value = std::remove_cvref_t<decltype(op(init, std::declval<value_of<Iterator>&>()))>;
  return scan<value>(on, "inclusive_scan", first, last - first, out, op, first_taken_in<T>{init});
}

template <class M, class Observe, class Iterator, class Output, class T, class Operator>
Output exclusive_scan(simulated_policy<M, Observe>& on, Iterator first, Iterator last, Output out,
                      T init, Operator op) {
  return scan<T>(on, "exclusive_scan", first, last - first, out, op, put_first<T>{init});
}

template <class M, class Observe, class Keys, class Input, class Output, class Equal,
          class Operator>
Output inclusive_scan_by_key(simulated_policy<M, Observe>& on, Keys first, Keys last, Input values,
                             Output out, Equal equal, Operator op) {
  using value = value_of<Input>;
  index const n = last - first;
  on_values<value, Operator> const combine{op};
  return scan_segments<value>(on, "inclusive_scan_by_key", first, n, values, out, equal,
                              [&](auto& handle, auto* a, auto* heads) {
                                segmented_prefix_sums(handle, a, a + n, heads, a, combine);
                              });
}

template <class M, class Observe, class Keys, class Input, class Output, class T, class Equal,
          class Operator>
Output exclusive_scan_by_key(simulated_policy<M, Observe>& on, Keys first, Keys last, Input values,
                             Output out, T initial, Equal equal, Operator op) {
  index const n = last - first;
  on_values<T, Operator> const combine{op};
  return scan_segments<T>(on, "exclusive_scan_by_key", first, n, values, out, equal,
                          [&](auto& handle, auto* a, auto* heads) {
                            exclusive_segmented_prefix_sums(handle, a, a + n, heads, a, combine,
                                                            init(stored<T>(initial)));
                          });
}

template <class M, class Observe, class Keys, class Values, class OutKeys, class OutValues,
          class Equal, class Operator>
thrust::pair<OutKeys, OutValues> reduce_by_key(simulated_policy<M, Observe>& on, Keys first,
                                               Keys last, Values values, OutKeys out_keys,
                                               OutValues out_values, Equal equal, Operator op) {
  return fold_segments(on, "reduce_by_key", first, last - first, values, out_keys, out_values,
                       equal, op);
}

template <class M, class Observe, class Keys, class Compare>
void sort(simulated_policy<M, Observe>& on, Keys first, Keys last, Compare compare) {
  sort_keys(on, "sort", first, last - first, compare);
}
template <class M, class Observe, class Keys, class Compare>
void stable_sort(simulated_policy<M, Observe>& on, Keys first, Keys last, Compare compare) {
  sort_keys(on, "stable_sort", first, last - first, compare);
}
template <class M, class Observe, class Keys, class Values, class Compare>
void sort_by_key(simulated_policy<M, Observe>& on, Keys first, Keys last, Values values,
                 Compare compare) {
  sort_pairs_of(on, "sort_by_key", first, last - first, values, compare);
}
template <class M, class Observe, class Keys, class Values, class Compare>
void stable_sort_by_key(simulated_policy<M, Observe>& on, Keys first, Keys last, Values values,
                        Compare compare) {
  sort_pairs_of(on, "stable_sort_by_key", first, last - first, values, compare);
}

template <class M, class Observe, class Left, class Right, class Output, class Compare>
Output merge(simulated_policy<M, Observe>& on, Left first, Left last, Right second,
             Right second_last, Output out, Compare compare) {
  return merge_ranges(on, "merge", first, last - first, second, second_last - second, out, compare);
}

template <class M, class Observe, class Input, class Output, class Predicate>
Output copy_if(simulated_policy<M, Observe>& on, Input first, Input last, Output out,
               Predicate predicate) {
  return select_values(on, "copy_if", first, last - first, no_stencil(), out, predicate);
}
template <class M, class Observe, class Input, class Stencil, class Output, class Predicate>
Output copy_if(simulated_policy<M, Observe>& on, Input first, Input last, Stencil stencil,
               Output out, Predicate predicate) {
  return select_values(on, "copy_if", first, last - first, stencil, out, predicate);
}

template <class M, class Observe, class Iterator, class Equal>
Iterator unique(simulated_policy<M, Observe>& on, Iterator first, Iterator last, Equal equal) {
  return select_heads<true>(on, "unique", first, last - first, first, equal);
}
template <class M, class Observe, class Input, class Output, class Equal>
Output unique_copy(simulated_policy<M, Observe>& on, Input first, Input last, Output out,
                   Equal equal) {
  return select_heads<false>(on, "unique_copy", first, last - first, out, equal);
}
template <class M, class Observe, class Iterator, class Equal>
distance_of<Iterator> unique_count(simulated_policy<M, Observe>& on, Iterator first, Iterator last,
                                   Equal equal) {
  return static_cast<distance_of<Iterator>>(
      count_heads(on, "unique_count", first, last - first, equal));
}
template <class M, class Observe, class Keys, class Values, class Equal>
thrust::pair<Keys, Values> unique_by_key(simulated_policy<M, Observe>& on, Keys first, Keys last,
                                         Values values, Equal equal) {
  return select_head_pairs<true>(on, "unique_by_key", first, last - first, values, first, values,
                                 equal);
}
template <class M, class Observe, class Keys, class Values, class OutKeys, class OutValues,
          class Equal>
thrust::pair<OutKeys, OutValues> unique_by_key_copy(simulated_policy<M, Observe>& on, Keys first,
                                                    Keys last, Values values, OutKeys out_keys,
                                                    OutValues out_values, Equal equal) {
  return select_head_pairs<false>(on, "unique_by_key_copy", first, last - first, values, out_keys,
                                  out_values, equal);
}

template <class M, class Observe, class Iterator, class Output>
Output copy(simulated_policy<M, Observe>& on, Iterator first, Iterator last, Output out) {
  return move_words(on, "copy", first, last - first, out);
}

template <class M, class Observe, class Iterator, class Size, class Output>
Output copy_n(simulated_policy<M, Observe>& on, Iterator first, Size n, Output out) {
  return move_words(on, "copy_n", first, static_cast<index>(n), out);
}

template <class M, class Observe, class Iterator, class Output, class F>
Output transform(simulated_policy<M, Observe>& on, Iterator first, Iterator last, Output out, F f) {
  return move_words(on, "transform", applied(f, first), last - first, out);
}

template <class M, class Observe, class Left, class Right, class Output, class F>
Output transform(simulated_policy<M, Observe>& on, Left first, Left last, Right second, Output out,
                 F f) {
  return move_words(on, "transform",
                    applied(thrust::zip_function<F>(f), thrust::make_zip_iterator(first, second)),
                    last - first, out);
}

template <class M, class Observe, class Map, class Iterator, class Output>
Output gather(simulated_policy<M, Observe>& on, Map first, Map last, Iterator elements,
              Output out) {
  return move_words(on, "gather", indirection<Iterator, Map>{elements, first}, last - first, out);
}

template <class M, class Observe, class Iterator, class Map, class Output>
void scatter(simulated_policy<M, Observe>& on, Iterator first, Iterator last, Map map,
             Output elements) {
  move_words(on, "scatter", first, last - first, indirection<Output, Map>{elements, map});
}

template <class M, class Observe, class Output, class T>
void fill(simulated_policy<M, Observe>& on, Output first, Output last, T const& value) {
  move_words(on, "fill", thrust::constant_iterator<T>(value), last - first, first);
}

template <class M, class Observe, class Output, class Size, class T>
Output fill_n(simulated_policy<M, Observe>& on, Output first, Size n, T const& value) {
  return move_words(on, "fill_n", thrust::constant_iterator<T>(value), static_cast<index>(n),
                    first);
}

template <class M, class Observe, class Output, class F>
void tabulate(simulated_policy<M, Observe>& on, Output first, Output last, F f) {
  move_words(on, "tabulate", applied(f, thrust::counting_iterator<distance_of<Output>>(0)),
             last - first, first);
}

}  // namespace detail::thrust_calls

//! The policy of a machine whose parameters its type knows;
//! `mmm::simulated<M>(mmm::threads(p), log)` has p threads and leaves its costs in `log`, which
//! outlives it. For other machines: `mmm::simulated_policy(m, mmm::threads(p), log)`.
template <machine M>
requires std::default_initializable<M>
inline constexpr simulated_policy<M> simulated{};

}  // namespace mmm
