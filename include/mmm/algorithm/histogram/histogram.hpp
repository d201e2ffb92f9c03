// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/call/perform.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/atomic.hpp>
#include <mmm/machine/machine.hpp>

//! Histograms by atomic updates. The words that are updated depend on the data, and so does the
//! cost in memories with banks or address groups: mmm::simulate computes it for given data,
//! mmm::cost_of for the values that a mmm::spread assumes, and mmm::upper_bound a bound for all
//! data.
MMM_BODIES_BEGIN
namespace mmm {

//! The assumption about the values of a histogram: an argument of mmm::cost_of after the bins.
enum class spread {
  unknown,
  alike,  //!< all values are counted in one bin: the longest time on banks
  even    //!< value i in bin i mod m: the shortest time on banks, where m is a multiple of w
};

//! The bin of a value is the value itself.
struct own_bin {
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE constexpr index operator()(T const& x) const {
    return static_cast<index>(x);
  }
};

namespace detail {

//! The bins of data: `bin(x)`, or -1 for a bin outside `0 … m - 1`.
template <class Bin>
struct bins_of_data {
  Bin bin;
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE constexpr index operator()(T const& x, index m) const {
    index const found = bin(x);
    return found < 0 || found >= m ? -1 : found;
  }
};
//! Bins in estimates without data, which depend on a value's place.
struct bins_equal {
  template <class Place>
  [[nodiscard]] constexpr auto operator()(Place const& place, index) const {
    return 0 * place;
  }
};
struct bins_even {
  template <class Place>
  [[nodiscard]] constexpr auto operator()(Place const& place, index m) const {
    return place % m;
  }
};

//! Counts the n words of `in` in the m words of `counts`. On an HMM, every DMM counts its share in
//! bins of its own in its shared memory, and adds them to the bins in the global memory.
template <class Bins>
struct histogram_program {
  Bins bin;

  template <class On, class In, class Counts>
  MMM_HOST_DEVICE constexpr void operator()(On& on, In in, index n, Counts counts, index m) const {
    if (m == 0) return;
    auto const self = *this;
    on.each(m, [=](auto j) { counts[j] = 0 * j; });
    if constexpr (hierarchical_machine<typename On::machine_type>) {
      index const t = on.threads_per_dmm();
      index const in_row = t * on.dmms();
      on.each_dmm([=](auto& block, auto dmm) {
        auto const own = block.template allocate<typename Counts::value_type>(m);
        block.each(m, [=](auto j) { own[j] = 0 * j; });
        block.repeat(ceil_divide(n, in_row), [=, &block](auto row) {
          block.each(
              t, [=](auto i) { self.count(in, row * in_row + dmm * t + i, n, own, m); },
              no_barrier);
        });
        block.each(0, any_body{});  // a barrier
        block.each(m, [=](auto j) { atomic_add(counts[j], own[j]); });
      });
    } else {
      on.each(n, [=](auto i) { self.count(in, i, n, counts, m); });
    }
  }

 private:
  template <class In, class Place, class Counts>
  MMM_HOST_DEVICE constexpr void count(In const& in, Place const& place, index n,
                                       Counts const& counts, index m) const {
    using value = typename In::value_type;
    auto const exists = place < n;
    if constexpr (is_same_v<Bins, bins_equal> || is_same_v<Bins, bins_even>) {
      static_cast<void>(load_if(exists, in[place], value{}));
      atomic_add_if(exists, counts[bin(place, m)], 1);
    } else {
      auto const own = apply(bin, load_if(exists, in[place], value{}), m);
      atomic_add_if(exists && own >= 0, counts[as_index(own)], 1);
    }
  }
};

//! The problem of counting n values in m bins.
struct histogram_problem {
  natural n;
  natural m;
  spread values;
  constexpr explicit histogram_problem(size words, bins counted, spread s = spread::unknown)
      : n(words.count), m(counted.count), values(s) {}

  template <class On, class In = no_data, class Counts = no_data, class Bin = own_bin>
  constexpr void run(On& on, In first = {}, Counts counts = {}, Bin const& bin = {}) const {
    if constexpr (is_same_v<In, no_data>) {
      auto const with = [&](auto const& assumed) {
        perform(on, histogram_program<remove_cvref_t<decltype(assumed)>>{assumed}, reads(first, n),
                n.count, writes(counts, m), m.count);
      };
      if (values == spread::unknown)
        throw_invalid_argument(failure_text(
            "mmm: the cost of a histogram depends on its values: write mmm::spread::alike or "
            "mmm::spread::even after the bins, or mmm::simulate it on data"));
      values == spread::alike ? with(bins_equal{}) : with(bins_even{});
    } else {
      using counted = bins_of_data<Bin>;
      perform(on, histogram_program<counted>{{bin}}, reads(first, n), n.count, writes(counts, m),
              m.count);
    }
  }

  //! Every value is read once, and every bin is written.
  [[nodiscard]] constexpr bound lower_bound(auto const& terms) const {
    return m == 0 ? bound{} : access_bound(terms, n + m, terms.p);
  }
  //! lower_bound in letters.
  [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
    return access_formula(m, "(n + m)");
  }
  //! The bound for all data. On a PRAM `(n + m)/p`, on a BPRAM `(n + m)/w`; on a DMM or UMM `n + (n
  //! + m) l/p + m/w + l`, as if all updates of a warp were served one after the other; on an HMM
  //! `n/w + n/d + dm/w + (n/p + m/t) (L + l) + L + l`.
  [[nodiscard]] constexpr natural upper_bound(auto const& terms) const {
    if (m == 0) return 0;
    if (terms.pram()) return (n + m) / terms.p;
    if (!terms.hmm && terms.conflicts == conflict::amount)
      return (n + m) / terms.w + (n + m) / terms.p;
    if (!terms.hmm)
      return n + m / terms.w + n * terms.l / terms.p + m * terms.l / terms.p + terms.l;
    return n / terms.at_once() + n / terms.d + n * terms.L / terms.p + m * terms.L / terms.t +
           terms.d * (m / terms.at_once()) + n * terms.l / terms.p + m * terms.l / terms.t +
           terms.L + terms.l;
  }
};

//! The algorithm object behind mmm::histogram.
struct histogram_algorithm {
  static constexpr char const* name = "histogram";
  static constexpr char const* paper = "this library, with atomic updates";
  static constexpr machine_kinds kinds = machine_kinds::all(3);
  using problem = histogram_problem;

  template <class On, class In, class Counts, class Bin = own_bin>
  void operator()(On on, In first, In last, Counts counts, Counts counts_last, Bin bin = {}) const {
    static_assert(call_of<On, In, Counts>::accepted);
    problem(size(last - first), bins(counts_last - counts)).run(on, first, counts, bin);
  }
};

}  // namespace detail

//! The number of values in each bin: `mmm::histogram(on, first, last, counts, counts_last)` writes
//! the number of occurrences of 0, 1, … in [first, last), and `mmm::histogram(on, first, last,
//! counts, counts_last, bin)` those of `bin(x)`, an index. Values outside the bins are not counted.
//! Counts have 4 or 8 bytes. Errors: std::length_error if a shared memory has no room for the bins;
//! std::invalid_argument if the counts overlap the values, and from mmm::cost_of without a
//! mmm::spread: `mmm::cost_of<M>(mmm::histogram, mmm::size(n), mmm::threads(p), mmm::bins(m),
//! mmm::spread::even)`.
//! Time: at most 3 `upper_bound` for any data. On a DMM `((p/w + l - 1) + (p/w s + l - 1)) n/p` for
//! the values, where a request's updates take s stages, 1 to w, and the time of writing m words; on
//! an HMM the updates are in the shared memories.
inline constexpr detail::histogram_algorithm histogram{};

}  // namespace mmm
MMM_BODIES_END
