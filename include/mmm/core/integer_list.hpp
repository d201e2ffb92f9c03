// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

//! Numbers as a type, as std::integer_sequence, without <utility>.
namespace mmm::detail {

template <class T, T... K>
struct integer_list {};

#if defined(__has_builtin)
#if __has_builtin(__make_integer_seq)
#define MMM_DETAIL_MAKE_INTEGER_SEQ
#endif
#endif

//! 0, 1, … N - 1.
#if defined(MMM_DETAIL_MAKE_INTEGER_SEQ) || defined(_MSC_VER)
template <class T, T N>
using make_integer_list = __make_integer_seq<integer_list, T, N>;
#else
template <class T, T N>
using make_integer_list = integer_list<T, __integer_pack(N)...>;
#endif
#undef MMM_DETAIL_MAKE_INTEGER_SEQ

}  // namespace mmm::detail
