// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

#include <cstdint>

//! Asynchronous copies from the global memory to a DMM's shared memory: the part of a handle's
//! vocabulary that begins, groups and awaits them.
//!
//! Laws, the same in every back end (test/execution/copy_async.cpp, test/execution/copy_bulk.cpp):
//!   1. Words that copy_async copies are there after await_copies. All threads of a DMM end their
//!      groups of copies together, and copies are awaited before the DMM's body ends.
//!   2. `block.copy_bulk(b, s, a, n)` begins a copy of the words `a[0 … n - 1]` to `s[0 … n - 1]`
//!      under the transaction barrier b of `block.transaction_barrier()`. They are there after
//!      `block.await_bulk(b)`, which waits for all copies begun under b, and for no others; b can
//!      be used again then. Until then no thread may read or write the words of s, nor write those
//!      of a. Copies are awaited before the DMM's body ends.
//!   3. The n words are a multiple of 16 bytes, and so are those before the first one in both
//!      arrays, as known from the form of the expression in an estimate: else
//!      std::invalid_argument. A transaction barrier is for bodies of each_dmm and of each_dmm in a
//!      cluster, which make it once; inside each_tile, where each tile would make it again in the
//!      same word, it is std::logic_error in a simulation: copy_async needs none.
//! Cost of a bulk copy: a read and a write of n contiguous words by the DMM's threads, as of
//! `s[i] = a[i]` for n items. A barrier takes a word of the shared memory and is free of cost.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The number of words whose bytes are a multiple of 16.
template <class T>
inline constexpr index words_of_16_bytes = 16 / gcd(16, index{sizeof(T)});

//! The members of handles for asynchronous copies. `Derived` has, in place of the defaults below,
//! `run_commit_copies()`, `run_await_copies<Latest>()` before a barrier,
//! `make_transaction_barrier(word)`, `run_copy_bulk(barrier, target, source, n)` and, before a
//! barrier, `run_await_bulk(barrier)`.
template <class Derived, class M, bool Whole>
class copy_vocabulary {
  static constexpr bool in_block = !Whole && hierarchical_machine<M>;

 public:
  //! Ends a group of copies: all copies begun by copy_async since the group before. A group may be
  //! empty.
  MMM_HOST_DEVICE constexpr void commit_copies() const
  requires in_block
  {
    own().run_commit_copies();
  }
  //! Waits until the copies of all groups but the `Latest` latest ones are complete, for all
  //! threads of the DMM: a barrier follows. Free of cost.
  template <index Latest>
  MMM_HOST_DEVICE constexpr void await_copies() const
  requires in_block
  {
    static_assert(Latest >= 0, "mmm: a number of groups of copies is 0 or more");
    own().template run_await_copies<Latest>();
    own().barrier();
  }

  //! A barrier for bulk copies: a word of 8 bytes of the shared memory, in a kernel an mbarrier
  //! with a count of transactions. All threads of the DMM make it, outside of bodies; a barrier
  //! follows.
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto transaction_barrier() const
  requires in_block
  {
    return own().make_transaction_barrier(own().template allocate<std::uint64_t>(1));
  }
  //! Begins a bulk copy of n words from an array of the global memory to one of the shared memory:
  //! laws 2 and 3. All threads of the DMM call it, outside of bodies; no barrier. A kernel of sm_90
  //! or later has one thread begin it, and the copy engine make it; where a caller's words do not
  //! begin at a multiple of 16 bytes, and on older GPUs, the threads copy asynchronously, word by
  //! word.
  template <class Barrier, class To, class From>
  MMM_HOST_DEVICE constexpr void copy_bulk(Barrier const& barrier, To target, From source,
                                           index n) const
  requires in_block
  {
    using word = typename To::value_type;
    static_assert(same_as<word, typename From::value_type>,
                  "mmm: a bulk copy is between arrays of one type");
    constexpr index step = words_of_16_bytes<word>;
    if constexpr (Derived::refuses) {
      if (n < 0 || n % step != 0)
        reject("the number of words of a bulk copy", n, "those of a multiple of 16 bytes");
      demand_aligned(target, step);
      demand_aligned(source, step);
    }
    own().run_copy_bulk(barrier, target, source, n);
  }
  //! Waits until all copies begun under the barrier are complete, for all threads of the DMM: a
  //! barrier follows. Free of cost.
  template <class Barrier>
  MMM_HOST_DEVICE constexpr void await_bulk(Barrier const& barrier) const
  requires in_block
  {
    own().run_await_bulk(barrier);
    own().barrier();
  }

  MMM_HOST_DEVICE constexpr void run_commit_copies() const {}
  template <index Latest>
  MMM_HOST_DEVICE constexpr void run_await_copies() const {}
  template <class Word>
  [[nodiscard]] MMM_HOST_DEVICE constexpr Word make_transaction_barrier(Word word) const {
    return word;
  }
  template <class Barrier, class To, class From>
  MMM_HOST_DEVICE constexpr void run_copy_bulk(Barrier const&, To target, From source,
                                               index n) const {
    own().each(n, [=](auto i) { target[i] = load(source[i]); }, no_barrier);
  }
  template <class Barrier>
  MMM_HOST_DEVICE constexpr void run_await_bulk(Barrier const&) const {}

 private:
  template <class Array>
  static constexpr void demand_aligned(Array const& a, index words) {
    if constexpr (requires { a.begins_at_multiple(words); })
      if (!a.begins_at_multiple(words))
        throw_invalid_argument(failure_text(
            "mmm: a bulk copy begins at a word of an array that is not known to be a multiple of ",
            words, " words, 16 bytes"));
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr Derived const& own() const {
    return static_cast<Derived const&>(*this);
  }
};

}  // namespace mmm::detail
MMM_BODIES_END
