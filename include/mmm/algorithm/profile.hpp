// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/execution/estimate/watched.hpp>
#include <mmm/index/expression_text.hpp>
#include <mmm/machine/machine.hpp>

//! Profiles: the stages of an algorithm, attributed to the accesses of its program.
namespace mmm {

//! The cost of one access in the text of a program.
struct profile_row {
  static constexpr int max_characters = 79;

  index step = 0;       //!< number of the access's parallel-for, from 0
  index items = 0;      //!< items of the parallel-for
  index trips = 0;      //!< trips of the loops around the parallel-for
  bool shared = false;  //!< of a hierarchical machine: a shared memory, not the global one
  access_kind kind = access_kind::read;
  index words = 1;   //!< words of a thread's access
  index rounds = 0;  //!< rounds of all threads in which memory is accessed
  index stages = 0;
  index ideal = 0;  //!< stages, if every warp's request were free of conflicts and coalesced
  //! The address as an expression in item, dmm and loop0, loop1, …; cut off at 79 characters.
  char address[max_characters + 1] = {};
  //! In a cluster, the rank of the DMM whose shared memory it is, as an expression of these; empty:
  //! the DMM's own.
  char peer[max_characters + 1] = {};

  //! Number of stages that a pattern without conflicts would save.
  [[nodiscard]] constexpr index excessive() const { return stages - ideal; }
};

//! The accesses of a program, in the order of its text, and their total.
template <int Max>
struct profile {
  profile_row rows[Max] = {};
  int count = 0;
  mmm::cost cost;  //!< cost of the whole program

  [[nodiscard]] constexpr profile_row const* begin() const { return rows; }
  [[nodiscard]] constexpr profile_row const* end() const { return rows + count; }
  //! The row with the most stages above the ideal; if no row has any, the row with the most stages.
  [[nodiscard]] constexpr profile_row const& worst() const {
    profile_row const* found = rows;
    for (profile_row const& r : *this)
      if (r.excessive() > found->excessive() ||
          (r.excessive() == found->excessive() && r.stages > found->stages))
        found = &r;
    return *found;
  }
};

namespace detail {

//! Fills a profile while a program is estimated.
template <int Max>
class profile_writer {
 public:
  explicit constexpr profile_writer(profile<Max>& to) : to_(&to) {}

  constexpr void begin_step(watched_step const& s) { now_ = s; }
  constexpr void end_step() { ++step_; }
  constexpr void machine_wide_barrier(index) const {}
  constexpr void first_alone() const {}
  constexpr void allocated(bool, index) const {}
  template <class... Any>
  constexpr void argument(Any const&...) const {}

  template <class Address, class Predicate>
  constexpr void pattern(watched_access const& a, Address const& address, Predicate const&,
                         index ideal) {
    if (to_->count == Max) reject_length("rows of a profile (profile_of<M, Rows>)", Max + 1, Max);
    profile_row& row = to_->rows[to_->count++];
    row.step = step_;
    row.items = now_.items;
    row.trips = now_.times;
    row.shared = a.shared;
    row.kind = a.kind;
    row.words = a.words;
    row.rounds = a.rounds;
    row.stages = a.stages;
    row.ideal = ideal;
    if constexpr (is_peer_address<Address>) {
      write(row.peer, address.rank);
      write(row.address, address.address);
    } else {
      write(row.address, address);
    }
  }

 private:
  template <class E>
  static constexpr void write(char* text, E const& e) {
    expression_writer writer(text, profile_row::max_characters);
    writer.write(e);
    trim(text);
  }
  //! Removes what an array at word 0 adds to its addresses: the base 0, and parentheses around the
  //! whole.
  static constexpr void trim(char* text) {
    int first = text[0] == '0' && text[1] == ' ' && text[2] == '+' ? 4 : 0;
    int length = 0;
    while (text[length] != '\0') ++length;
    int depth = 0;
    int closed = first;  // the place of the parenthesis that closes the first one
    for (int k = first; k < length && text[first] == '('; ++k) {
      depth += (text[k] == '(') - (text[k] == ')');
      closed = k;
      if (depth == 0) break;
    }
    if (depth == 0 && closed > first && closed == length - 1) {
      ++first;
      --length;
    }
    for (int k = first; k < length; ++k) text[k - first] = text[k];
    text[length - first] = '\0';
  }

  profile<Max>* to_;
  watched_step now_{};
  index step_ = 0;
};

}  // namespace detail

//! The stages of a user's program, access by access. Parameters, errors and time as for
//! mmm::estimate, and std::length_error for more than `Rows` accesses. The accesses of every
//! parallel-for that is executed count.
template <int Rows = 256, machine M, class Program>
[[nodiscard]] constexpr profile<Rows> profile_program(M const& m, threads p,
                                                      Program const& program) {
  profile<Rows> result;
  detail::profile_writer<Rows> writer(result);
  result.cost = estimate(detail::watched<M, detail::profile_writer<Rows>>(m, writer), p, program);
  return result;
}

//! The stages of an algorithm, access by access: `profile_of<dmm<32, 1>>(sum, size(n), threads(p))`
//! has parameters and errors as mmm::cost_of, and its stages are the sum of the rows'.
template <machine M, int Rows = 256, algorithm A, class Size, class... More>
[[nodiscard]] constexpr profile<Rows> profile_of(A const&, Size const& n, threads p,
                                                 More const&... more) {
  auto const problem = detail::problem_of<A>(n, more...);
  return profile_program<Rows>(detail::machine_of<M>(), p,
                               [&](auto& on) { static_cast<void>(problem.run(on)); });
}

}  // namespace mmm
