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

//! Folds the n > 0 values of `a` by the t threads of the first DMM, in a kernel of one block of 256
//! threads. The first t values are loaded word by word, so that no later step asks which threads
//! have a value; the others by accesses of V words, `Vecs` of them in flight; the fewer than V Vecs
//! words that are left word by word. The lanes of each group fold their registers, and the first
//! group folds the groups' totals.
//! Returns registers, of which the first thread's has the result.
//! Time for w | t, V | t, t <= w^2, w a power of two up to 32, and n = t + k V Vecs t with w | k t:
//! exactly `(ceil(t/(w g)) + L - 1) + k Vecs (ceil(V t/(w g)) + L - 1)` for the loads and
//! `(t/w + l - 1) + l` for the groups' totals.
template <index V, index Vecs, class Operator = plus>
struct one_block_sum {
  static constexpr index words = V;  //!< words in an access
  static constexpr index max_block_threads = 256;
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
    auto const combine = op;
    auto result = on.template registers<value>();
    on.each_tile(
        0, 1,
        [=](auto& block, auto) {
          index const t = block.threads();
          index const head = smaller(n, t - t % V);     // words that are loaded one by one
          index const steps = (n - head) / (V * Vecs);  // steps of threads with Vecs vecs each
          index const rest = (n - head) % (V * Vecs);
          auto r = block.template registers<value>();
          auto s = block.template allocate<value>(ceil_divide(t, block.lanes()));
          block.each_thread([=](auto i) { r[i] = load_if(i < head, a[i], value{}); }, no_barrier);
          block.each(
              steps,
              [=](auto i) {
                auto const x =
                    make_vec<Vecs>([&](index k) { return load(wide<V>(a + head)[i + k * steps]); });
                auto total = load(r[i]);
                unroll<Vecs>([&](index k) {
                  total = apply(combine, total, folded(in_sequence(combine), x[k]));
                });
                r[i] = total;
              },
              no_barrier);
          block.each(
              rest, [=](auto i) { r[i] = apply(combine, load(r[i]), load(a[n - rest + i])); },
              no_barrier);
          fold_block(block, r, smaller(n, t), s, combine);
          block.each(1, [=](auto i) { result[i] = load(r[i]); }, no_barrier);
        },
        no_barrier);
    return result;
  }

 private:
  //! Folds the registers of the first n threads into the first one.
  template <class Block, class Registers, class Array>
  MMM_HOST_DEVICE static constexpr void fold_block(Block& block, Registers r, index n, Array s,
                                                   Operator const& op) {
    using value = typename Array::value_type;
    constexpr index lanes = lanes_of(Block::machine_type::width());
    index const groups = ceil_divide(n, lanes);
    block.fold_lanes(r, n, op);
    block.each_thread([=](auto i) { store_if(i % lanes == 0 && i < n, s[i / lanes], load(r[i])); });
    if (ceil_divide(block.threads(), lanes) <= lanes) {
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
      auto const program = [](auto const& op, auto type) {
        constexpr auto bytes = static_cast<index>(sizeof(typename decltype(type)::type));
        constexpr index vecs = bytes <= 8 ? Vecs : ceil_divide(Vecs, 2);
        return one_block_sum<V, vecs, std::remove_cvref_t<decltype(op)>>{op};
      };
      return fold_called(on, first, n, program, form...);
    }
    //! A thread of the block completes one access of V words in L time units; the result stays in
    //! a register.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      if (n <= 1) return {};
      bound b = access_bound(m, n, V * m.t);
      b.reduction = log2(n);
      return b;
    }
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      return n / m.at_once() + n * m.L / (V * m.t) + 2 * m.L + m.l * log2(n);
    }
  };
};

}  // namespace detail

//! The sum of n words on an HMM by the threads of one DMM, for few words: called as mmm::sum.
//! Errors: std::invalid_argument from a kernel that is not launched with 256 threads in a block.
//! Time for t threads of a DMM: at most 4 (n/w + nL/(4t) + 2L + l log n).
inline constexpr detail::one_block_sum_algorithm<4, 4> sum_in_one_block{};

}  // namespace mmm
MMM_BODIES_END
