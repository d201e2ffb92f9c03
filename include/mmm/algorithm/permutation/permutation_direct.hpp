// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/scatter.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>

#include <cstdint>

//! The permutation of words without a schedule: a scatter.
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! True for machines with one memory that has banks.
template <class M>
inline constexpr bool on_banks = requires { requires M::conflicts == conflict::banks; };

//! b[s(i)] = a[i], item by item.
template <class Scatter>
struct permutation_direct_program {
  template <class On, class In, class Places, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, In a, Places s, index n, Out b) const {
    index const p = on.threads(), w = on.machine().width();
    // Random places: far apart in the global memory, in the same few banks of a shared one.
    using places = conditional_t<on_banks<typename On::machine_type>, Scatter,
                                 typename scatter_of_lanes<Scatter>::far_apart>;
    on.each(n, [=](auto i) {
      auto const target = address_by<places>(i, p, w, load(s[i]));
      b[target] = load(a[i]);
    });
  }
};

//! The algorithm object behind mmm::permutation_direct.
struct permutation_direct_algorithm {
  static constexpr char const* name = "permutation-direct";
  static constexpr char const* paper = "Kasagi, Nakano and Ito 2014";
  static constexpr machine_kinds kinds = machine_kinds::all(3);

  struct problem {
    natural n;
    scatter places;
    constexpr explicit problem(size words, scatter s = scatter::unknown)
        : n(words.count), places(s) {}

    template <class On, class In = no_data, class Places = no_data, class Out = no_data>
    constexpr void run(On& on, In first = {}, Places target = {}, Out out = {}) const {
      if constexpr (!is_same_v<In, no_data>) {
        start(on, scatter_of_data{}, first, target, out);
      } else {
        if (places == scatter::unknown)
          throw_invalid_argument(failure_text(
              "mmm: the cost of a direct permutation depends on the places: write "
              "mmm::scatter::contiguous or mmm::scatter::conflicting after the threads, or "
              "mmm::simulate it on data"));
        places == scatter::contiguous ? start(on, scatter_contiguous{})
                                      : start(on, scatter_conflicting{});
      }
    }
    //! Runs the program with these addresses of the writes.
    template <class On, class Scatter, class In = no_data, class Places = no_data,
              class Out = no_data>
    constexpr void start(On& on, Scatter, In first = {}, Places target = {}, Out out = {}) const {
      perform(on, permutation_direct_program<Scatter>{}, reads(first, n),
              reads<iterator_value_t<Places>>(target, n), n.count,
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
    //! The bound for all permutations. On a PRAM `n/p`, on a BPRAM `n/w + n/p`; on the others
    //! `n/g + nl/p + l`, with the latency L of an HMM, as if all writes were served one by one.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      if (n == 0) return 0;
      if (m.pram()) return n / m.p;
      if (!m.hmm && m.conflicts == conflict::amount) return n / m.w + n / m.p;
      return n / m.g + n * m.L / m.p + m.L;
    }
  };

  template <class On, class In, class Places, class Out>
  void operator()(On on, In first, In last, Places target, Out out) const {
    static_assert(call_of<On, In, Places, Out>::accepted);
    problem(size(last - first)).run(on, first, target, out);
  }
};

}  // namespace detail

//! The permutation of words by a scatter, `mmm::permutation_direct(on, first, last, target, out)`:
//! out[target[i]] = first[i] for the n words [first, last); the n integers from `target` on are a
//! permutation of 0 … n - 1, which is not checked. Errors: std::invalid_argument if `out` overlaps
//! an input, and from mmm::cost_of without a mmm::scatter; in a simulation std::out_of_range for a
//! place outside the words. Compare with mmm::permutation, whose time does not depend on the
//! permutation.
//!
//! Time: at most 3 (n + nl/p + l), l = L on an HMM. On a DMM, w | p, p | n, exactly
//! `(2n/w + s + 3n (l - 1)/p)`, where s is the number of stages of the writes: n/w to n.
//! Source: Kasagi, Nakano and Ito 2014, where s is the distribution of the permutation.
inline constexpr detail::permutation_direct_algorithm permutation_direct{};

}  // namespace mmm
MMM_BODIES_END
