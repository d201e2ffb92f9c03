// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/fold_forms.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/reduce/sum_wide.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <type_traits>

//! The sum of few values by one DMM of an HMM: a kernel with little code, which a GPU has to load
//! from its global memory before it runs.
MMM_BODIES_BEGIN
namespace mmm {

namespace detail {

//! Folds the n > 0 values of `a` by the first t = 256 threads of the first DMM, in one kernel of
//! one block. The first t values are loaded word by word, so that no later step asks which threads
//! have a value; the others by accesses of V words, `Vecs` of them in flight, and the words after
//! the last vec by the first threads. The lanes of each group fold their registers; the first group
//! folds the groups' totals.
//! Returns registers, of which the first thread's has the result.
//! Time for w | t, t/w <= w and n = t + V t Vecs k: exactly
//! `(ceil(t/(w g)) + L - 1) + k Vecs (ceil(V t/(w g)) + L - 1)` for the loads and
//! `(t/w + l - 1) + l` for the groups' totals.
//! \tparam V words of an access.
//! \tparam Vecs accesses in flight.
template <index V, index Vecs, class Operator = plus>
struct one_block_sum {
  static constexpr index words = V;                //!< words in an access
  static constexpr index max_block_threads = 256;  //!< all blocks have so many threads
  static constexpr bool fills_blocks = true;
  Operator op{};

  //! The program for a sequence that does not begin at a multiple of V words.
  [[nodiscard]] constexpr one_block_sum<1, V * Vecs, Operator> by_words() const
  requires(V > 1)
  {
    return {op};
  }

  template <class On, class Array>
  MMM_HOST_DEVICE constexpr auto operator()(On& on, Array a, index n) const {
    using value = typename Array::value_type;
    constexpr index t = max_block_threads;
    auto const combine = op;
    auto result = on.template registers<value>();
    on.each_tile(
        0, 1,
        [=](auto& block, auto) {
          index const first = smaller(n, t);
          index const steps = (n - first) / (V * Vecs);  // of a thread, Vecs vecs each
          index const rest = (n - first) % (V * Vecs);
          auto r = block.template registers<value>();
          auto s = block.template allocate<value>(ceil_divide(t, block.lanes()));
          block.each_thread([=](auto i) { r[i] = load_if(i < first, a[i], value{}); }, no_barrier);
          block.each(
              steps,
              [=](auto i) {
                auto const x =
                    make_vec<Vecs>([&](index k) { return load(wide<V>(a + t)[i + k * steps]); });
                auto total = load(r[i]);
                unroll<Vecs>([&](index k) { total = apply(combine, total, folded(combine, x[k])); });
                r[i] = total;
              },
              no_barrier);
          block.each_thread(
              [=](auto i) {
                auto const x = load_if(i < rest, a[n - rest + i], value{});
                r[i] = select(i < rest, apply(combine, load(r[i]), x), load(r[i]));
              },
              no_barrier);
          fold_block(block, r, first, s);
          block.each(1, [=](auto i) { result[i] = load(r[i]); }, no_barrier);
        },
        no_barrier);
    return result;
  }

 private:
  //! Folds the registers of the first n threads into the first one.
  template <class Block, class Registers, class Array>
  MMM_HOST_DEVICE constexpr void fold_block(Block& block, Registers r, index n, Array s) const {
    using value = typename Array::value_type;
    constexpr index lanes = lanes_of(Block::machine_type::width());
    index const groups = ceil_divide(n, lanes);
    block.fold_lanes(r, n, op);
    block.each_thread(
        [=](auto i) { store_if(i % lanes == 0 && i < n, s[i / lanes], load(r[i])); });
    if constexpr (max_block_threads <= lanes * lanes) {
      block.each_thread([=](auto i) { r[i] = load_if(i < groups, s[i], value{}); }, no_barrier);
      block.fold_lanes(r, groups, op);
    } else {
      tree_sum<Operator>{op}(block, s, groups);
      block.each(1, [=](auto i) { r[i] = load(s[i]); }, no_barrier);
    }
  }
};

//! The algorithm object behind mmm::sum_in_one_block.
template <index V, index Vecs>
struct one_block_sum_algorithm : sequence_call<one_block_sum_algorithm<V, Vecs>> {
  static constexpr char const* name = "sum-in-one-block";
  static constexpr char const* paper = "Nakano 2013a, lemma 6, with wide accesses";
  static constexpr machine_kinds kinds{.hmm = 4};

  struct problem {
    natural n;
    constexpr explicit problem(size words) : n(words.count) {}

    template <class On, class In = no_data, class... Form>
    constexpr auto run(On& on, In first = {}, Form const&... form) const {
      if (on.threads_per_dmm() < t)
        reject("the number of threads of a DMM", on.threads_per_dmm(), "256 or more");
      auto const program = [](auto const& op, auto type) {
        constexpr auto bytes = static_cast<index>(sizeof(typename decltype(type)::type));
        constexpr index vecs = bytes <= 8 ? Vecs : 1;
        return one_block_sum<V, vecs, std::remove_cvref_t<decltype(op)>>{op};
      };
      return fold_called(on, first, n, program, form...);
    }
    static constexpr index t = one_block_sum<V, Vecs>::max_block_threads;
    //! 256 threads complete one access of V words each in l time units.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      return fold_bound(m, n, natural(V * t));
    }
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      return n / m.at_once() + n * m.L / (V * t) + 2 * m.L + m.l * log2(n);
    }
  };
};

}  // namespace detail

//! The sum of n words on an HMM by 256 threads of one DMM, for few words: called as mmm::sum.
//! Errors: std::invalid_argument for fewer than 256 threads per DMM. Time: at most 4 (n/w + nL/1024
//! + 2L + l log n).
inline constexpr detail::one_block_sum_algorithm<4, 4> sum_in_one_block{};

}  // namespace mmm
MMM_BODIES_END
