// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's own traits give what those of the standard library give.
#include <mmm/core/type_traits.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace type_traits_test {

namespace own = mmm::detail;

struct base {};
struct derived : base {};
struct hidden : private base {};
struct left : base {};
struct right : base {};
struct doubled : left, right {};
struct number_like {
  operator int() const;
  operator long() const;
};
struct from_number {
  from_number(int);
};
struct explicitly_from_number {
  explicit explicitly_from_number(int);
};
struct only_movable {
  only_movable(only_movable&&);
  only_movable& operator=(only_movable&&);
};
struct abstract {
  virtual void call() = 0;
};
struct incomplete;
union either {
  int first;
};
enum plain { value };
enum class scoped { value };

template <class T, class To>
constexpr bool converts_alike = own::convertible_to<T, To> == std::convertible_to<T, To>;

template <class T>
constexpr bool one() {
  static_assert(own::integral<T> == std::integral<T>);
  static_assert(own::unsigned_integral<T> == std::unsigned_integral<T>);
  static_assert(own::floating_point<T> == std::floating_point<T>);
  static_assert(own::arithmetic<T> == std::is_arithmetic_v<T>);
  static_assert(own::is_signed_v<T> == std::is_signed_v<T>);
  static_assert(own::is_const_v<T> == std::is_const_v<T>);
  static_assert(own::is_lvalue_reference_v<T> == std::is_lvalue_reference_v<T>);
  static_assert(own::object<T> == std::is_object_v<T>);
  static_assert(own::default_constructible<T> == std::is_default_constructible_v<T>);
  static_assert(own::copyable<T> == std::copyable<T>);
  static_assert(own::same_as<T, int> == std::same_as<T, int>);
  static_assert(own::derived_from<T, base> == std::derived_from<T, base>);
  static_assert(own::derived_from<T, derived> == std::derived_from<T, derived>);
  static_assert(converts_alike<T, int> && converts_alike<T, long> && converts_alike<T, base> &&
                converts_alike<T, from_number> && converts_alike<T, explicitly_from_number> &&
                converts_alike<T, char const*> && converts_alike<T, scoped> &&
                converts_alike<T, base const&>);
  static_assert(std::same_as<own::remove_cv_t<T>, std::remove_cv_t<T>>);
  static_assert(std::same_as<own::remove_cvref_t<T>, std::remove_cvref_t<T>>);
  static_assert(std::same_as<own::remove_const_t<T>, std::remove_const_t<T>>);
  static_assert(std::same_as<own::remove_reference_t<T>, std::remove_reference_t<T>>);
  return true;
}
template <class... T>
constexpr bool all() {
  return ((one<T>() && one<T const>() && one<T const volatile>() && one<T&>() && one<T const&>() &&
           one<T&&>() && one<T*>() && one<T[3]>() && one<T const[2]>()) &&
          ...);
}
static_assert(all<bool, char, signed char, unsigned char, wchar_t, char8_t, char16_t, char32_t>());
static_assert(all<short, unsigned short, int, unsigned, long, unsigned long, long long>());
static_assert(all<unsigned long long, float, double, long double>());
static_assert(all<base, derived, hidden, doubled, number_like, from_number, only_movable>());
static_assert(all<explicitly_from_number, either, plain, scoped, std::nullptr_t, int base::*>());
static_assert(one<void>() && one<abstract*>() && one<abstract&>() && one<int (*)(int)>());
static_assert(!own::integral<int(int)> && !own::object<int(int)> && !own::integral<incomplete>);

static_assert(std::same_as<own::size_type, std::size_t>);
static_assert(std::same_as<own::pointer_difference, std::ptrdiff_t>);
template <class A, class B>
constexpr bool common_alike = std::same_as<own::common_type_t<A, B>, std::common_type_t<A, B>>;
static_assert(common_alike<int, unsigned> && common_alike<char, char> && common_alike<short, char>);
static_assert(common_alike<float const&, double> && common_alike<derived*, base*>);

}  // namespace type_traits_test
