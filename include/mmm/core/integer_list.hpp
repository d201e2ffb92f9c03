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
#elif defined(__CUDACC_RTC__)
// NVRTC has no builtin for it: two halves.
template <class T, class Left, class Right>
struct joined_lists;
template <class T, T... Left, T... Right>
struct joined_lists<T, integer_list<T, Left...>, integer_list<T, Right...>> {
  using type = integer_list<T, Left..., (static_cast<T>(sizeof...(Left)) + Right)...>;
};
template <class T, int N>
struct made_list
    : joined_lists<T, typename made_list<T, N / 2>::type, typename made_list<T, N - N / 2>::type> {
};
template <class T>
struct made_list<T, 0> {
  using type = integer_list<T>;
};
template <class T>
struct made_list<T, 1> {
  using type = integer_list<T, T{}>;
};
template <class T, T N>
using make_integer_list = typename made_list<T, static_cast<int>(N)>::type;
#else
template <class T, T N>
using make_integer_list = integer_list<T, __integer_pack(N)...>;
#endif
#undef MMM_DETAIL_MAKE_INTEGER_SEQ

}  // namespace mmm::detail
