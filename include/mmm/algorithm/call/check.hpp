// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>

//! The compile errors of calls of algorithm objects.
namespace mmm::detail {

//! A handle, a set of host threads or a GPU: anything that runs programs.
template <class On>
concept runs_programs = requires { typename On::machine_type; };

//! An iterator that can only step and has no random access. Operands that are not iterators pass.
template <class Iterator>
concept steps_only =
    requires(Iterator it) { ++it; } && !requires(Iterator const& it, index n) { it + n; };

//! A compile error unless a call's arguments begin with those that the algorithm needs. It is a
//! class because compilers instantiate it before the statements after `static_assert(call_of<On,
//! In>::accepted)`.
template <class On, class... Sequences>
struct call_of {
  static_assert(runs_programs<On>,
                "mmm: the first argument says where the algorithm runs: the handle that "
                "mmm::simulate passes to its program, a mmm::host_threads or mmm::cuda::on(...)");
  static_assert(!(steps_only<Sequences> || ...),
                "mmm: algorithms take random-access iterators or pointers: copy a std::list, or "
                "what else has none, to a std::vector, and pass its begin() and end()");
  static constexpr bool accepted = true;
};

//! A compile error if a further argument is a plain number.
template <class... More>
struct arguments_of_call {
  static_assert(!(arithmetic<More> || ...),
                "mmm: a number after the sequence means nothing here: write mmm::init(x) for an "
                "initial value, after the operator if there is one");
  static constexpr bool accepted = true;
};

}  // namespace mmm::detail
