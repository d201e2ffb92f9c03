// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/sum.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/request.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/machine/machine.hpp>

#include <cstddef>
#include <iterator>
#include <vector>

//! The two access patterns that everything else is made of (paper 001, theorem 1).
MMM_BODIES_BEGIN
namespace mmm {

//! Thread i reads `a[t p + i]` for t = 0, 1, …, into its register. Paper 001, section 3; paper 000,
//! lemma 1. Time on a DMM or UMM, for w | p | n: `(p/w + l - 1) n/p`.
struct contiguous_access {
  template <class Threads, class Iterator, class Registers>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, index n,
                                            Registers r) const {
    threads.each(n, [=](auto i) { r[i] = load(r[i]) + load(a[i]); });
  }
};

//! Thread i reads the i-th of p blocks of `s = ceil(n/p)` words one by one, into its register.
//! Paper 001, section 3. Time for w | p | n: DMM `(gcd(s,w) p/w + l - 1) s`; UMM, s >= w:
//! `(p + l - 1) s`.
struct stride_access {
  template <class Threads, class Iterator, class Registers>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, index n,
                                            Registers r) const {
    index const p = threads.threads();
    index const block = detail::ceil_divide(n, p);
    threads.repeat(block, [=, &threads](auto t) {
      threads.each(p, [=](auto i) {
        auto const at = i * block + t;
        auto const inside = at < n;
        auto const so_far = load(r[i]);
        auto const x = load_if(inside, a[at], so_far);
        r[i] = select(inside, so_far + x, so_far);
      });
    });
  }
};

namespace detail {

//! An access into every thread's register, which is kept.
template <class Access>
struct access_program {
  template <class On, class Sums, class Array, class... More>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Sums sums, Array a, More... more) const {
    using value = typename Array::value_type;
    auto r = on.template registers<value>();
    on.each(on.threads(), [=](auto i) { r[i] = value{}; });
    Access{}(on, a, more..., r);
    on.keep(r, sums);
  }
};

//! Runs `program(on, sums, arrays …)` and adds up what the threads have kept.
template <class Value, class On, class Program, class... Arguments>
[[nodiscard]] Value total_of_threads(On& on, Program const& program,
                                     Arguments const&... arguments) {
  std::vector<Value> sums(static_cast<std::size_t>(on.threads()));
  run(on, program, writes_to_host(sums.data(), on.threads()), arguments...);
  Value total{};
  for (Value const& x : sums) total = static_cast<Value>(total + x);
  return total;
}

template <class Access>
struct access_algorithm {
  static constexpr bool is_stride = std::is_same_v<Access, stride_access>;
  char const* name = is_stride ? "stride" : "contiguous";
  char const* paper = is_stride ? "001 theorem 1" : "001 theorem 1, 000 lemma 1";
  machine_kinds kinds{true, true, true, true, true};

  //! Reads [first, last) and returns the sum of all that was read; the threads' sums are added up
  //! free of cost.
  template <class On, class Iterator>
  auto operator()(On on, Iterator first, Iterator last) const {
    using value = std::iter_value_t<Iterator>;
    auto const n = static_cast<index>(last - first);
    return detail::total_of_threads<value>(on, access_program<Access>{}, reads<value>(first, n), n);
  }

  template <class On>
  constexpr void model(On& on, index n) const {
    auto r = on.template registers<float>();
    Access{}(on, on.template allocate<float>(n), n, r);
  }

  template <machine M>
  [[nodiscard]] constexpr bound limitations(M const& m, index n, index p) const {
    return access_limitations(m, n, p);
  }

  template <machine M>
  [[nodiscard]] constexpr index expression(M const& m, index n, index p) const {
    if (n == 0) return 0;
    auto const memory = main_memory(m);
    if constexpr (decltype(memory)::conflicts == conflict::none) {
      return ceil_divide(n, p);
    } else if constexpr (decltype(memory)::conflicts == conflict::amount) {
      return ceil_divide(n, smaller(memory.width, p));
    } else {
      index const late = checked_add(share(n, memory.latency(), p), memory.latency());
      if constexpr (!is_stride) {
        return checked_add(ceil_divide(n, memory.width), late);
      } else {
        index const block = ceil_divide(n, p);
        index const stages = decltype(memory)::conflicts == conflict::banks
                                 ? share(gcd(block, memory.width), n, memory.width)
                                 : smaller(n, share(n, block, memory.width));
        return checked_add(stages, late);
      }
    }
  }

  template <machine M>
  [[nodiscard]] constexpr index constant(M const&) const {
    return 1;
  }
};

}  // namespace detail

//! Contiguous access to n words. Paper 001, theorem 1.
inline constexpr detail::access_algorithm<contiguous_access> contiguous{};
//! Stride access to n words. Paper 001, theorem 1.
inline constexpr detail::access_algorithm<stride_access> stride{};

}  // namespace mmm
MMM_BODIES_END
