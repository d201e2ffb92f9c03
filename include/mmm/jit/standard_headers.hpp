// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! The parts of the standard library that kernels use, for NVRTC, which has no standard library.
//! The integers have the host's types, so that a kernel's type has the same name on both sides.
//! CUDA's own headers for the purpose (<cuda/std/type_traits>) take NVRTC twice as long as a
//! kernel of the library.
namespace mmm::jit::detail {

struct source_file {
  char const* name;
  char const* text;
};

inline constexpr source_file standard_headers[] = {
    {"cstdint", R"(#pragma once
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#define INT64_MAX 9223372036854775807L
#define INT64_MIN (-INT64_MAX - 1)
#define UINT64_MAX 18446744073709551615UL
namespace std {
using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned;
using uint64_t = unsigned long;
using uintptr_t = unsigned long;
}
)"},
    {"cstddef", R"(#pragma once
namespace std {
using size_t = decltype(sizeof(0));
using ptrdiff_t = long;
using nullptr_t = decltype(nullptr);
enum class byte : unsigned char {};
}
)"},
    {"cstring", R"(#pragma once
namespace std {
using ::memcpy;
}
)"},
    {"type_traits", R"(#pragma once
#include <mmm/core/integer_list.hpp>
#include <mmm/core/type_traits.hpp>
namespace std {
using mmm::detail::conditional;
using mmm::detail::conditional_t;
using mmm::detail::declval;
using mmm::detail::is_const_v;
using mmm::detail::is_pointer_v;
using mmm::detail::is_same_v;
using mmm::detail::remove_const;
using mmm::detail::remove_const_t;
using mmm::detail::remove_cv;
using mmm::detail::remove_cv_t;
using mmm::detail::remove_cvref_t;
using mmm::detail::remove_pointer;
using mmm::detail::remove_reference;
using mmm::detail::remove_reference_t;
using mmm::detail::type_identity;
template <class T>
using type_identity_t = typename type_identity<T>::type;
template <class T, T V>
struct integral_constant {
  static constexpr T value = V;
  using value_type = T;
  using type = integral_constant;
  constexpr operator T() const { return V; }
  constexpr T operator()() const { return V; }
};
template <bool B>
using bool_constant = integral_constant<bool, B>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;
template <class T>
inline constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);
template <class T>
inline constexpr bool is_empty_v = __is_empty(T);
template <class T>
inline constexpr bool is_void_v = is_same_v<remove_cv_t<T>, void>;
template <class T, class... Among>
inline constexpr bool is_one_of = (is_same_v<remove_cv_t<T>, Among> || ...);
template <class T>
inline constexpr bool is_floating_point_v = is_one_of<T, float, double>;
template <class T>
inline constexpr bool is_integral_v =
    is_one_of<T, bool, char, signed char, unsigned char, short, unsigned short, int, unsigned,
              long, unsigned long, long long, unsigned long long>;
template <class T>
inline constexpr bool is_arithmetic_v = is_floating_point_v<T> || is_integral_v<T>;
template <class T, bool = is_arithmetic_v<T>>
inline constexpr bool is_signed_v = T(-1) < T(0);
template <class T>
inline constexpr bool is_signed_v<T, false> = false;
template <class T>
inline constexpr bool is_unsigned_v = is_integral_v<T> && !is_signed_v<T>;
template <class T, T... I>
struct integer_sequence {
  static constexpr decltype(sizeof(0)) size() { return sizeof...(I); }
};
template <class T, class List>
struct sequence_of;
template <class T, T... I>
struct sequence_of<T, mmm::detail::integer_list<T, I...>> {
  using type = integer_sequence<T, I...>;
};
template <class T, T N>
using make_integer_sequence = typename sequence_of<T, mmm::detail::make_integer_list<T, N>>::type;
}
)"},
    {"utility", "#pragma once\n#include <type_traits>\n"},
    {"concepts", R"(#pragma once
#include <type_traits>
namespace std {
template <class A, class B>
concept same_as = is_same_v<A, B>;
template <class Derived, class Base>
concept derived_from = __is_base_of(Base, Derived);
template <class T>
concept integral = is_integral_v<T>;
template <class T>
concept floating_point = is_floating_point_v<T>;
template <class T>
concept copyable = true;  // only host code asks
}
)"},
    {"iterator", R"(#pragma once
#include <cstddef>
#include <type_traits>
namespace std {
template <class T>
struct types_of_iterator {
  using value = typename T::value_type;
  using difference = typename T::difference_type;
};
template <class T>
struct types_of_iterator<T*> {
  using value = remove_cv_t<T>;
  using difference = ptrdiff_t;
};
template <class T>
using iter_value_t = typename types_of_iterator<remove_cvref_t<T>>::value;
template <class T>
using iter_difference_t = typename types_of_iterator<remove_cvref_t<T>>::difference;
template <class T>
concept contiguous_iterator = is_pointer_v<T>;
}
)"},
    {"span", "#pragma once\n#include <iterator>\n"},
    {"memory", "#pragma once\n"},
    {"limits", R"(#pragma once
namespace std {
template <class T>
struct numeric_limits;
template <>
struct numeric_limits<float> {
  static constexpr float infinity() { return __int_as_float(0x7f800000); }
};
}
)"},
    {"initializer_list", "#pragma once\n"}};

//! Source that precedes each kernel: builtins of g++ and clang that NVRTC lacks. The functions are
//! for constant expressions.
inline constexpr char const* prelude = R"(
__device__ constexpr int __builtin_ctzll(unsigned long long n) {
  int k = 0;
  for (; (n & 1) == 0; n >>= 1) ++k;
  return k;
}
__device__ constexpr int __builtin_clzll(unsigned long long n) {
  int k = 0;
  for (; n >> 63 == 0; n <<= 1) ++k;
  return k;
}
__device__ constexpr int __builtin_popcountll(unsigned long long n) {
  int k = 0;
  for (; n != 0; n &= n - 1) ++k;
  return k;
}
)";

}  // namespace mmm::jit::detail
