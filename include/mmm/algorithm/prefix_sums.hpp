// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/staging.hpp>
#include <mmm/algorithm/sum.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

//! The prefix-sums of n values (paper 004, sections 6 and 7), for any associative operator: all combine neighbours in
//! their order, so that it need not be commutative.
MMM_BODIES_BEGIN
namespace mmm {

//! Replaces `a[i]` by `a[0] + … + a[i]` in place: for h = 1, 2, 4, … every `a[i + h]` takes `a[i]` in. The threads go down
//! from the end p values at a time, and all of them read before any writes. Paper 004, lemma 2.
//! Time on a DMM or UMM: for each h that of three contiguous accesses of n - h values, at 0, h and h.
template <class Operator = plus>
struct simple_scan {
  Operator op{};

  template <class Threads, class Iterator>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, index n) const {
    using value = typename Iterator::value_type;
    index const p = threads.threads();
    auto const combine = op;
    auto r = threads.template registers<value>();
    for (index h = 1; h < n; h *= 2) {
      auto const add = [=](auto& all, index count, auto first) {
        all.each(count, [=](auto i) {
          auto const left = load(a[first + i]);
          auto const right = load(a[first + h + i]);
          r[i] = apply(combine, left, right);
        });
        all.each(count, [=](auto i) { a[first + h + i] = load(r[i]); });
      };
      index const full = (n - h) / p;
      add(threads, (n - h) % p, full * p);
      threads.repeat(full, [=, &threads](auto k) { add(threads, p, (full - 1 - k) * p); });
    }
  }
};

namespace detail {

//! Where the levels of a two-stage scan lie in their work array: level 0 has half as many values as the input, each
//! further one half as many as the one before, the last has one; every level starts at a multiple of the width.
struct scan_levels {
  index count[64] = {};
  index first[64] = {};
  int levels = 0;
  index words = 0;

  MMM_HOST_DEVICE constexpr scan_levels(index n, index width) {
    for (index left = n / 2; left > 0; left /= 2) {
      count[levels] = left;
      first[levels++] = words;
      words += ceil_divide(left, width) * width;
    }
  }
};

}  // namespace detail

//! The same in two stages over arrays of n/2, n/4, …, 1 values, which `work` holds: upwards each takes the sums of pairs
//! of the one before, downwards each hands its prefix-sums on. Paper 004, theorem 3.
//! Time on a DMM or UMM: for each array of c values, that of seven accesses of c items: four or, if the array before has
//! an even size, one item fewer in two of them, with stride 2, three contiguous ones, reads and writes.
template <class Operator = plus>
struct two_stage_scan {
  Operator op{};

  template <class Threads, class Iterator, class Work>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, index n, Work work) const {
    detail::scan_levels const level(n, Threads::machine_type::width);
    for (int t = 0; t < level.levels; ++t) {
      if (t == 0)
        gather(threads, a, work, level.count[0]);
      else
        gather(threads, work + level.first[t - 1], work + level.first[t], level.count[t]);
    }
    for (int t = level.levels - 1; t >= 0; --t) {
      if (t == 0)
        hand_on(threads, work, a, level.count[0], n);
      else
        hand_on(threads, work + level.first[t], work + level.first[t - 1], level.count[t], level.count[t - 1]);
    }
  }

 private:
  //! `pairs[i]` becomes the sum of two neighbours.
  template <class Threads, class Values, class Pairs>
  MMM_HOST_DEVICE constexpr void gather(Threads& threads, Values values, Pairs pairs, index count) const {
    auto const combine = op;
    threads.each(count, [=](auto i) {
      auto const left = load(values[2 * i]);
      auto const right = load(values[2 * i + 1]);
      pairs[i] = apply(combine, left, right);
    });
  }
  //! The prefix-sums of pairs are those of every second value; the values between add their own.
  template <class Threads, class Pairs, class Values>
  MMM_HOST_DEVICE constexpr void hand_on(Threads& threads, Pairs pairs, Values values, index count, index n) const {
    auto const combine = op;
    index const with_next = (n - 1) / 2;  // pairs that a value follows: all of them, or all but the last
    threads.each(with_next, [=](auto i) {
      auto const before = load(pairs[i]);
      auto const next = load(values[2 * i + 2]);
      values[2 * i + 1] = before;
      values[2 * i + 2] = apply(combine, before, next);
    });
    threads.each(count - with_next, [=](auto i) { values[2 * (with_next + i) + 1] = load(pairs[with_next + i]); });
  }
};
