// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/permutation/permutation_schedule.hpp>
#include <mmm/algorithm/permutation/permutation_shape.hpp>
#include <mmm/algorithm/scatter.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

#include <cstdint>

//! The permutation of words by a schedule without bank conflicts (Kasagi, Nakano and Ito 2013,
//! 2014).
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! Moves n words of `a` to `b` in the rounds of a schedule, whose places to read from and to write
//! to begin at `sources` and `targets`: a request for each round and access, or several where there
//! are fewer than w threads. `Scatter` gives the addresses in an estimate: any in different banks.
template <class Scatter>
struct scheduled_moves {
  index n;

  template <class On, class Indices, class Start, class In, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Indices schedule, Start sources, Start targets,
                                            In a, Out b) const {
    index const w = on.machine().width();
    index const threads = on.threads();
    if (n % w == 0 && threads % w == 0) {
      on.each(n, [=](auto i) {
        auto const source = address_by<Scatter>(i, w, w, load(schedule[sources + i]));
        auto const x = load(a[source]);
        auto const target = address_by<Scatter>(i, w, w, load(schedule[targets + i]));
        b[target] = x;
      });
      return;
    }
    index const rounds = ceil_divide(n, w);
    index const longer = n % rounds;
    move_rounds(on, longer, n / rounds + 1, schedule, sources, targets, a, b);
    move_rounds(on, rounds - longer, n / rounds, schedule, sources + longer * w,
                targets + longer * w, a, b);
    on.barrier();
  }

 private:
  //! Makes `rounds` rounds of `moves` moves each.
  template <class On, class Indices, class Start, class In, class Out>
  MMM_HOST_DEVICE static constexpr void move_rounds(On& on, index rounds, index moves,
                                                    Indices schedule, Start sources, Start targets,
                                                    In a, Out b) {
    using value = typename Out::value_type;
    index const w = on.machine().width();
    index const lanes = smaller(w, on.threads());
    index const at_once = on.threads() / lanes;
    on.repeat(ceil_divide(rounds, at_once), [=, &on](auto pass) {
      on.repeat(ceil_divide(moves, lanes), [=, &on](auto part) {
        on.each(
            at_once * lanes,
            [=](auto i) {
              auto const round = pass * at_once + i / lanes;
              auto const move = part * lanes + i % lanes;
              auto const place = round * w + move;
              auto const exists = round < rounds && move < moves;
              auto const source =
                  address_by<Scatter>(place, w, w, load_if(exists, schedule[sources + place], 0));
              auto const x = load_if(exists, a[source], value{});
              auto const target =
                  address_by<Scatter>(place, w, w, load_if(exists, schedule[targets + place], 0));
              store_if(exists, b[target], x);
            },
            no_barrier);
      });
    });
  }
};

//! b[s(i)] = a[i] by a schedule for `shape`.
template <class Scatter>
struct permutation_program {
  permutation_shape shape;

  template <class On, class In, class Indices, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, In a, Indices schedule, Out b) const {
    using value = typename Out::value_type;
    if (shape.n == 0) return;
    if constexpr (hierarchical_machine<typename On::machine_type>) {
      index const rows = shape.rows, columns = shape.columns, all = rows * columns;
      if (rows == 1) {
        permute_rows(on, 1, columns, {shape.n, shape.n}, schedule, 0, all, a, b);
        return;
      }
      auto const x = on.template allocate<value>(all);
      auto const y = on.template allocate<value>(all);
      permute_rows(on, rows, columns, {shape.n, all}, schedule, 0, all, a, x);
      transpose(on, rows, columns, x, y);
      permute_rows(on, columns, rows, {all, all}, schedule, 2 * all, 3 * all, y, x);
      transpose(on, columns, rows, x, y);
      permute_rows(on, rows, columns, {all, shape.n}, schedule, 4 * all, 5 * all, y, b);
    } else {
      index const all = shape.rounds() * shape.width;
      scheduled_moves<Scatter>{shape.n}(on, schedule, index{0}, all, a, b);
    }
  }

 private:
  //! The words of the matrix that lie in the array to read from, and in the array to write to.
  struct lengths {
    index in;
    index out;
  };
  //! Permutes the words of each row in a shared memory.
  template <class On, class Indices, class In, class Out>
  MMM_HOST_DEVICE static constexpr void permute_rows(On& on, index rows, index columns, lengths n,
                                                     Indices schedule, index sources, index targets,
                                                     In a, Out b) {
    using value = typename Out::value_type;
    on.each_tile(0, rows, [=](auto& block, auto row) {
      auto const given = block.template allocate<value>(columns);
      auto const permuted = block.template allocate<value>(columns);
      auto const first = row * columns;
      block.each(columns,
                 [=](auto i) { given[i] = load_if(first + i < n.in, a[first + i], value{}); });
      scheduled_moves<Scatter>{columns}(block, schedule, sources + first, targets + first, given,
                                        permuted);
      block.each(columns, [=](auto i) {
        store_if(first + i < n.out, b[first + i], load_if(first + i < n.out, permuted[i], value{}));
      });
    });
  }
  //! Transposes a matrix in blocks of w x w words, which lie along diagonals of a shared memory.
  template <class On, class In, class Out>
  MMM_HOST_DEVICE static constexpr void transpose(On& on, index rows, index columns, In a, Out b) {
    using value = typename Out::value_type;
    index const w = on.machine().width();
    index const across = columns / w;
    on.each_tile(0, rows / w * across, [=](auto& block, auto tile) {
      auto const words = block.template allocate<value>(w * w);
      auto const top = tile / across * w;
      auto const left = tile % across * w;
      block.each(w, w, [=](auto j, auto k) {
        words[j * w + (j + k) % w] = load(a[(top + j) * columns + left + k]);
      });
      block.each(w, w, [=](auto j, auto k) {
        b[(left + j) * rows + top + k] = load(words[k * w + (j + k) % w]);
      });
    });
  }
};

//! The algorithm object behind mmm::permutation.
struct permutation_algorithm {
  static constexpr char const* name = "permutation";
  static constexpr char const* paper = "Kasagi, Nakano and Ito 2013; Kasagi, Nakano and Ito 2014";
  static constexpr machine_kinds kinds{.dmm = 4, .hmm = 16};

  struct problem {
    natural n;
    constexpr explicit problem(size words) : n(words.count) {}

    template <class On, class In = no_data, class Indices = no_data, class Out = no_data>
    constexpr void run(On& on, In first = {}, Indices indices = {}, Out out = {}) const {
      using places = conditional_t<is_same_v<In, no_data>, scatter_contiguous, scatter_of_data>;
      permutation_shape const shape = permutation_shape::on_machine(on.machine(), n);
      perform(on, permutation_program<places>{shape}, reads(first, n),
              reads<std::int32_t>(indices, shape.schedule_words()),
              writes<iterator_value_t<In>>(out, n));
    }
    //! Every word is read once, and every word is written once.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      return access_bound(m, 2 * n, m.p);
    }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
      return access_formula(m, "2n");
    }
    //! On a DMM `n/w + nl/p + l`. On an HMM `n/w + n/(dw) + n(L + l)/p + L + l`, with n rounded up
    //! to the words of the matrix (permutation_shape), and p to the threads that have work: t of
    //! each DMM, at most a row and w^2; of one DMM for up to w^2 words, otherwise of as many DMMs
    //! as there are rows, and blocks of w x w words.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      if (n == 0) return 0;
      if (!m.hmm) return n / m.w + n * m.l / m.p + m.l;
      auto const shape = permutation_shape::on_machine(hmm<dynamic, dynamic, 1, 1>(1, m.w), n);
      natural const all = shape.area();
      bool const one = shape.rows == 1;
      natural const blocks = one ? 1 : all.count / m.w.count / m.w.count;
      natural const dmms = smaller(m.d, smaller(natural(shape.rows), blocks));
      natural const in_row = one ? shape.columns : shape.rows;
      natural const threads = smaller(m.t, smaller(in_row, m.w * m.w));
      return all / m.at_once() / m.g + all / m.at_once() / dmms +
             all * (m.L + m.l) / (dmms * threads) + m.L + m.l;
    }
  };

  template <class On, class In, class Indices, class Out>
  void operator()(On on, In first, In last, permutation_indices<Indices> const& schedule,
                  Out out) const {
    static_assert(call_of<On, In, Indices, Out>::accepted);
    auto const n = static_cast<index>(last - first);
    permutation_shape const& given = schedule.shape;
    permutation_shape const wanted = permutation_shape::on_machine(on.machine(), n);
    if (given != wanted)
      throw_invalid_argument(failure_text(
          "mmm: the schedule permutes ", given.n, " words as ", given.rows, " x ", given.columns,
          " in memories of width ", given.width, "; accepted: a schedule of ", wanted.n,
          " words as ", wanted.rows, " x ", wanted.columns, ", width ", wanted.width));
    problem(size(n)).run(on, first, schedule.first, out);
  }
  template <class On, class In, class Out>
  void operator()(On on, In first, In last, permutation_schedule const& schedule, Out out) const {
    (*this)(on, first, last, schedule.indices(), out);
  }
};

}  // namespace detail

//! The permutation of words by a schedule that is computed beforehand, `mmm::permutation(on, first,
//! last, schedule, out)`: out[s(i)] = first[i] for the n words [first, last), where s are the
//! places that the mmm::permutation_schedule was made of. A kernel reads the schedule from device
//! memory: mmm::permutation_schedule::with_indices. Errors: std::invalid_argument if the schedule
//! is for another number of words or another machine, or if `out` overlaps an input;
//! std::length_error if a shared memory has no room for two rows, or w^2 words.
//!
//! Time on a DMM, w | n, w | p, p | n: exactly `4 (n/w + n (l - 1)/p)`, whatever s is; otherwise at
//! most 4 (n/w + nl/p + l), twice that for sizes that do not divide. On an HMM, n = s^2 > w^2, w |
//! s, t threads for each of d DMMs, w | t, t | s, t | w^2, d | (s/w)^2, d | s: exactly `16 (n/w + n
//! (L - 1)/p) + 16 (n/(dw) + n (l - 1)/p)`: 32 rounds. Other sizes are padded to a matrix
//! (mmm::permutation_shape). Reading the schedule counts. The rounds are for words of which each
//! has a bank, 4 bytes on a GPU. Words of 8 bytes have two banks each, and a GPU serves them by
//! half warps: a round then takes 2 to 4 wavefronts, where 2 are without conflicts. Sources:
//! Kasagi, Nakano and Ito 2013, on a DMM; Kasagi, Nakano and Ito 2014, on an HMM.
inline constexpr detail::permutation_algorithm permutation{};

}  // namespace mmm
MMM_BODIES_END
