// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/machine/machine.hpp>

//! Bulk execution: a program that is written for one thread and one input runs for many inputs at
//! once, a thread for each. Source: Tani, Takafuji, Nakano and Ito 2014.
//!
//! The program is **oblivious**: the addresses of its accesses depend on the size of the input, not
//! on its words. It is an empty class with
//!
//!     template <class Thread, class Words>
//!     MMM_HOST_DEVICE constexpr void operator()(Thread const& thread, Words a, index n) const;
//!     static constexpr index words(index n);    // optional: n without it
//!     static constexpr char const* name = "…";  // optional
//!
//! where `a[j]`, 0 <= j < words(n), is word j of the thread's own input of size n: memory as in the
//! body of a parallel-for, with mmm::load, mmm::select, mmm::store_if and arithmetic. Values that
//! the program has loaded are in registers, free of cost. Loops are those of C++, which an estimate
//! runs trip by trip, or `thread.repeat(count, body)`, which it closes: the trip `body(k)` is
//! called with may then stand in addresses, but no branch may depend on it. In a loop with loops in
//! it that get longer or shorter, `thread.diagonals(first, last, body)`, numbers are plain.
MMM_BODIES_BEGIN
namespace mmm {

//! The arrangement of a bulk execution's inputs word by word: word j of input i is at `j k + i` for
//! k inputs. The threads' accesses are contiguous.
struct by_columns_t {
  static constexpr bool coalesced = true;
  [[nodiscard]] constexpr column_major operator()(index k, index words) const { return {k, words}; }
};
inline constexpr by_columns_t by_columns{};

//! The arrangement of a bulk execution's inputs one after the other: word j of input i is at
//! `i words + j`. The threads' accesses are strided.
struct by_rows_t {
  static constexpr bool coalesced = false;
  [[nodiscard]] constexpr row_major operator()(index k, index words) const { return {k, words}; }
};
inline constexpr by_rows_t by_rows{};

namespace detail {

//! The thread of one input, as its program sees it.
template <class On>
struct thread_of_input {
  On const* on;

  //! `body(0)`, …, `body(count - 1)`, one after the other. Errors: std::invalid_argument if the
  //! count is negative.
  template <class Body>
  MMM_HOST_DEVICE constexpr void repeat(index count, Body&& body) const {
    on->repeat(count, body);
  }
  //! `body(r)` for r = first, …, last - 1, one after the other, each a plain number that trips of
  //! loops and addresses are affine in.
  template <class Body>
  MMM_HOST_DEVICE constexpr void diagonals(index first, index last, Body&& body) const {
    on->diagonals(first, last, body);
  }
};

//! The words of input `i`.
template <class Array, class Layout, class Input, bool Refuses>
struct words_of_input {
  using value_type = remove_const_t<typename Array::value_type>;
  Array all;
  Layout layout;
  Input i;

  template <class Word>
  [[nodiscard]] MMM_HOST_DEVICE constexpr decltype(auto) operator[](Word const& j) const {
    if constexpr (Refuses && integral<Word>)
      if (j < 0 || j >= layout.columns()) reject_word(j, layout.columns());
    return all[layout(i, j)];
  }

 private:
  [[noreturn]] static void reject_word(index j, index words) {
    throw_out_of_range(failure_text("mmm: word ", j, " of an input of ", words, " words"));
  }
};

//! The number of words of an input of size n.
template <class Program>
[[nodiscard]] constexpr natural words_of_bulk(index n) {
  if constexpr (requires { Program::words(n); })
    return Program::words(n);
  else
    return n;
}

template <class Program>
struct bulk_program {
  template <class On, class Array, class Layout>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Array a, Layout layout, index n) const {
    if (layout.words() == 0) return;
    on.each(layout.rows(), [=, &on](auto i) {
      Program{}(thread_of_input<On>{&on},
                words_of_input<Array, Layout, decltype(i), On::refuses>{a, layout, i}, n);
    });
  }
};

//! The algorithm object that mmm::bulk returns.
template <class Program, class Arrangement>
struct bulk_algorithm {
  static_assert(
      __is_empty(Program),
      "mmm: a program for bulk execution is an empty class, as the cost is known from its "
      "type and the size of an input");

  static constexpr char const* name = [] {
    if constexpr (requires { Program::name; })
      return Program::name;
    else
      return "bulk";
  }();
  static constexpr char const* paper = "Tani, Takafuji, Nakano and Ito 2014";
  static constexpr machine_kinds kinds{.umm = 1};

  struct problem {
    natural n;      //!< size of an input
    natural k;      //!< inputs
    natural words;  //!< of an input
    constexpr problem(size of_input, inputs all)
        : n(of_input.count), k(all.count), words(words_of_bulk<Program>(n)) {}

    template <class On, class Iterator = no_data>
    constexpr void run(On& on, Iterator first = {}) const {
      perform(on, bulk_program<Program>{}, updates(first, k * words), Arrangement{}(k, words),
              n.count);
    }
    //! The memory steps t of the program for one input.
    [[nodiscard]] constexpr natural steps() const {
      return estimate(pram{}, threads(1),
                      [*this](auto& on) { problem(size(n), inputs(1)).run(on); })
          .rounds;
    }
    //! Each input's t accesses are one after the other.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      if (k == 0) return {};
      natural const t = steps();
      bound b = access_bound(m, t * k, m.p);
      b.dependency = t * m.L;
      return b;
    }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
      bound_formula f = access_formula(m, "Tm");
      f.dependency = formula("T") + detail::latency_letter(m);
      return f;
    }
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      if (k == 0) return 0;
      natural const at_once = Arrangement::coalesced ? m.at_once() : natural(1);
      return steps() * (k / at_once + k * m.L / m.p + m.L);
    }
  };

  template <class On, class Iterator>
  void operator()(On on, Iterator first, size of_input, inputs all) const {
    static_assert(call_of<On, Iterator>::accepted);
    problem(of_input, all).run(on, first);
  }
};

}  // namespace detail

//! The bulk execution of an oblivious program, as an algorithm object:
//! `mmm::bulk(program, mmm::by_columns)(on, first, mmm::size(n), mmm::inputs(k))` runs it on k
//! inputs of size n, whose k words(n) words are at `first`, arranged by columns or by rows. They
//! are changed in place. `mmm::cost_of<M>(object, mmm::size(n), mmm::threads(p), mmm::inputs(k))`
//! is its cost, and the bounds take the same arguments.
//! Errors: std::out_of_range in a simulation and on host threads if the program names, by a plain
//! number, a word that an input does not have; std::overflow_error for more than 2^63 - 1 words.
//! Time for a program of t memory steps: t times that of one access. On a UMM by columns at most
//! `t (k/w + kl/p + l)`, exactly `t (p/w + l - 1) k/p` for w | p | k; by rows at most
//! `t (k + kl/p + l)`, exactly `t (p + l - 1) k/p` for p | k and w <= words(n).
//! Source: Tani, Takafuji, Nakano and Ito 2014.
template <class Program, class Arrangement>
[[nodiscard]] constexpr detail::bulk_algorithm<Program, Arrangement> bulk(Program const&,
                                                                          Arrangement const&) {
  return {};
}

//! The number of accesses t that a program makes for one input of size n.
template <class Program>
[[nodiscard]] constexpr index memory_steps(Program const&, size n) {
  using algorithm = detail::bulk_algorithm<Program, by_columns_t>;
  return typename algorithm::problem(n, inputs(1)).steps();
}

}  // namespace mmm
MMM_BODIES_END
