// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/trace/bytes_at_once.hpp>
#include <mmm/trace/location.hpp>
#include <mmm/trace/region.hpp>
#include <mmm/trace/run.hpp>
#include <mmm/trace/shadow.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <memory>
#include <ranges>
#include <string>
#include <type_traits>

//! Pointers and arrays whose accesses are traced.
namespace mmm::gpu {

template <class T>
class pointer;
template <class T>
class element;

namespace detail {

template <class T>
inline constexpr bool is_element = false;
template <class T>
inline constexpr bool is_element<element<T>> = true;

//! A type that a kernel can load and store.
template <class T>
concept word = std::is_trivially_copyable_v<T> && std::default_initializable<std::remove_cv_t<T>>;

template <class T, class U>
concept same_elements = std::same_as<std::remove_cv_t<T>, std::remove_cv_t<U>>;

//! Refuses the conversion to a plain pointer, through which a kernel would access memory without a
//! trace.
template <class U>
constexpr void refuse_plain_pointer() {
  static_assert(!std::same_as<U, U>,
                "mmm: a traced array has no plain pointer: write mmm::gpu::device_pointer<float> "
                "for a kernel's float*, mmm::gpu::reinterpret<U>(p) for reinterpret_cast<U*>(p)");
}

//! An index and the source location of its use.
struct located_index {
  index value;
  location site;

  template <std::integral I>
  constexpr located_index(I i,  // NOLINT: an index is one
                          location place = location::current())
      : value(static_cast<index>(i)), site(place) {}
  template <class U>
  requires std::integral<std::remove_cv_t<U>>
  constexpr located_index(element<U>&& e,  // NOLINT: an element that is used as an index
                          location place = location::current());
};

}  // namespace detail

//! An element of a traced array: a read is a load, a write is a store. `auto x = a[i]` would load
//! at each use of x and is refused there: write the value's type, or `+a[i]`.
template <class T>
class element {
  using value_type = std::remove_cv_t<T>;

 public:
  element(pointer<T> target, location const& place) : pointer_(target), site_(place) {}

  operator value_type() && { return load(); }
  //! Refused for a named element, which would load at each use.
  operator value_type() const& = delete;  // write the value's type instead of `auto`
  template <class Value = value_type>
  requires std::is_arithmetic_v<Value>
  [[nodiscard]] Value operator+() && {
    return load();
  }

  element(element const&) = default;
  element& operator=(element const&) = delete;
  value_type operator=(value_type const& value) && {
    store(value);
    return value;
  }
  template <class U>
  value_type operator=(element<U>&& other) && {
    auto const value = static_cast<value_type>(other.load());
    store(value);
    return value;
  }
  value_type operator=(element&& other) && {
    value_type const value = other.load();
    store(value);
    return value;
  }

#define MMM_DETAIL_ASSIGN(op)                                     \
  template <class V>                                              \
  value_type operator op##=(V&& value)&& {                        \
    auto const right = detail_value(std::forward<V>(value));      \
    auto const result = static_cast<value_type>(load() op right); \
    store(result);                                                \
    return result;                                                \
  }
  MMM_DETAIL_ASSIGN(+)
  MMM_DETAIL_ASSIGN(-)
  MMM_DETAIL_ASSIGN(*)
  MMM_DETAIL_ASSIGN(/)
  MMM_DETAIL_ASSIGN(%)
  MMM_DETAIL_ASSIGN(&)
  MMM_DETAIL_ASSIGN(|)
  MMM_DETAIL_ASSIGN(^)
  MMM_DETAIL_ASSIGN(<<)
  MMM_DETAIL_ASSIGN(>>)
#undef MMM_DETAIL_ASSIGN
  value_type operator++() && { return std::move(*this) += value_type{1}; }
  value_type operator--() && { return std::move(*this) -= value_type{1}; }
  value_type operator++(int) && {
    auto const old = load();
    store(static_cast<value_type>(old + value_type{1}));
    return old;
  }
  value_type operator--(int) && {
    auto const old = load();
    store(static_cast<value_type>(old - value_type{1}));
    return old;
  }

  //! Accesses a member of the element: `p[i]->*&particle::mass`.
  template <class Member, class Class>
  requires std::same_as<Class, value_type>
  [[nodiscard]] element<std::conditional_t<std::is_const_v<T>, Member const, Member>> operator->*(
      Member Class::* which) && {
    return {pointer_.member(which), site_};
  }
  //! The element's address, a pointer into the array.
  [[nodiscard]] pointer<T> operator&() const { return pointer_; }

  //! Applies an atomic update: the new value is `update(old)`. Returns the old value.
  template <class Update>
  value_type update_at_once(Update const& update) && {
    static_assert(!std::is_const_v<T>, "mmm: an atomic update of a constant element");
    static_assert(sizeof(T) <= 16 && detail::bytes_at_once<T>() == static_cast<int>(sizeof(T)),
                  "mmm: an atomic update is of 1, 2, 4, 8 or 16 bytes");
    pointer_.touch(access_kind::update, site_);
    value_type const old = pointer_.value();
    pointer_.set(update(old));
    return old;
  }

 private:
  template <class V>
  [[nodiscard]] static auto detail_value(V&& value) {
    if constexpr (detail::is_element<std::remove_cvref_t<V>>)
      return std::forward<V>(value).load();
    else
      return value;
  }
  [[nodiscard]] value_type load() const {
    pointer_.touch(access_kind::read, site_);
    return pointer_.value();
  }
  void store(value_type const& value) const {
    static_assert(!std::is_const_v<T>, "mmm: a write to an array of constants");
    pointer_.touch(access_kind::write, site_);
    pointer_.set(value);
  }
  template <class>
  friend class element;

  pointer<T> pointer_;
  location site_;
};

//! A pointer to elements of a traced array. It behaves as T* does in a kernel, and every access
//! through it is counted for its source line. An access outside the array ends the launch.
template <class T>
class pointer {
 public:
  static_assert(detail::word<T>, "mmm: a kernel's arrays hold trivially copyable types");
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using difference_type = std::ptrdiff_t;

  pointer() = default;
  pointer(std::nullptr_t) {}  // NOLINT: as a pointer
  pointer(detail::region& array, index offset) : region_(&array), offset_(offset) {}
  template <class U>
  requires(!std::same_as<U, T> && std::convertible_to<U*, T*> && sizeof(U) == sizeof(T))
  pointer(pointer<U> const& other)  // NOLINT: to pointers to const
      : region_(other.region_), offset_(other.offset_) {}

  [[nodiscard]] element<T> operator[](detail::located_index i) const {
    return {*this + i.value, i.site};
  }
  //! The first element. The compiler does not pass the source line here; p[0] is counted for its
  //! line.
  [[nodiscard]] element<T> operator*() const { return {*this, location{}}; }
  [[nodiscard]] explicit operator bool() const { return region_ != nullptr; }
  template <class U>
  requires detail::same_elements<T, U>
  operator U*() const {
    detail::refuse_plain_pointer<U>();
    return nullptr;
  }

  pointer& operator+=(index n) {
    offset_ += n * static_cast<index>(sizeof(T));
    return *this;
  }
  pointer& operator-=(index n) { return *this += -n; }
  pointer& operator++() { return *this += 1; }
  pointer& operator--() { return *this += -1; }
  pointer operator++(int) {
    pointer const old = *this;
    ++*this;
    return old;
  }
  pointer operator--(int) {
    pointer const old = *this;
    --*this;
    return old;
  }
  friend pointer operator+(pointer p, index n) { return p += n; }
  friend pointer operator+(index n, pointer p) { return p += n; }
  friend pointer operator-(pointer p, index n) { return p -= n; }
  friend index operator-(pointer const& a, pointer const& b) {
    return (a.offset_ - b.offset_) / static_cast<index>(sizeof(T));
  }
  friend bool operator==(pointer const&, pointer const&) = default;
  friend auto operator<=>(pointer const& a, pointer const& b) { return a.offset_ <=> b.offset_; }

  //! A pointer to the same bytes as elements of another type, as reinterpret_cast<U*>:
  //! `in.as<float4 const>()`.
  template <class U>
  requires(std::is_const_v<U> || !std::is_const_v<T>)
  [[nodiscard]] pointer<U> as() const {
    pointer<U> result;
    result.region_ = region_;
    result.offset_ = offset_;
    return result;
  }
  //! A pointer to a member of the element.
  template <class Member, class Class>
  [[nodiscard]] auto member(Member Class::* which) const {
    alignas(Class) std::byte const room[sizeof(Class)] = {};
    auto const* const object = reinterpret_cast<Class const*>(room);
    auto const distance =
        reinterpret_cast<std::byte const*>(&(object->*which)) - static_cast<std::byte const*>(room);
    auto result = this->template as<std::conditional_t<std::is_const_v<T>, Member const, Member>>();
    result.offset_ += static_cast<index>(distance);
    return result;
  }

 private:
  template <class>
  friend class pointer;
  template <class>
  friend class element;

  //! Records an access to the element; refuses one outside the array or not aligned.
  void touch(access_kind use, location const& site) const {
    constexpr int bytes = detail::bytes_at_once<T>();
    constexpr auto size = static_cast<index>(sizeof(T));
    detail::traced_run& run = detail::traced_run::inside("an element of an array was accessed");
    auto const refuse = [&](std::string const& why) {
      run.fail(run.where(run.place(site)) + ": a" +
               (use == access_kind::read    ? " load"
                : use == access_kind::write ? " store"
                                            : "n atomic update") +
               " of " + std::to_string(size) + " bytes " + why);
    };
    if (region_ == nullptr) refuse("through a null pointer");
    if (offset_ < 0 || offset_ + size > region_->bytes)
      refuse("at offset " + std::to_string(offset_) + " of an array of " +
             std::to_string(region_->bytes) + " bytes");
    if ((region_->base + offset_) % bytes != 0)
      refuse("at offset " + std::to_string(offset_) + ", which is no multiple of " +
             std::to_string(bytes));
    for (index done = 0; done < size; done += bytes)
      run.access(*region_, offset_ + done, bytes, use, site);
  }
  [[nodiscard]] value_type value() const {
    value_type result;
    std::memcpy(static_cast<void*>(&result), region_->first + offset_, sizeof result);
    return result;
  }
  void set(value_type const& value) const {
    std::memcpy(region_->first + offset_, &value, sizeof value);
  }

  detail::region* region_ = nullptr;
  index offset_ = 0;
};

template <class U>
requires std::integral<std::remove_cv_t<U>>
constexpr detail::located_index::located_index(element<U>&& e, location place)
    : value(static_cast<index>(std::remove_cv_t<U>(std::move(e)))), site(place) {}

//! An array in global memory. It refers to the elements of a contiguous range of the caller's,
//! which the kernel reads and, unless they are const, writes. On the GPU it begins at a multiple of
//! 256 bytes; add to the pointer for another alignment.
template <class T>
class global_array {
 public:
  global_array(T* data, std::size_t size)
      : region_(std::make_unique<detail::region>(
            reinterpret_cast<std::byte*>(const_cast<std::remove_cv_t<T>*>(data)),
            static_cast<index>(size * sizeof(T)), index{sizeof(T)}, !std::is_const_v<T>)) {}

  //! Refers to the elements of a vector, or of another contiguous range that is not a temporary.
  template <std::ranges::contiguous_range Range>
  requires std::ranges::sized_range<Range> &&
           std::convertible_to<std::ranges::range_reference_t<Range>, T&>
  explicit global_array(Range& values)
      : global_array(std::ranges::data(values), std::ranges::size(values)) {}

  operator pointer<T>() const { return {*region_, 0}; }  // NOLINT: as an array
  template <class U>
  requires detail::same_elements<T, U>
  operator U*() const {
    detail::refuse_plain_pointer<U>();
    return nullptr;
  }
  operator pointer<T const>() const
  requires(!std::is_const_v<T>)
  {
    return pointer<T>(*region_, 0);
  }
  [[nodiscard]] pointer<T> data() const { return {*region_, 0}; }
  [[nodiscard]] element<T> operator[](detail::located_index i) const { return data()[i]; }
  [[nodiscard]] pointer<T> operator+(index n) const { return data() + n; }

 private:
  std::unique_ptr<detail::region> region_;
};

//! Makes an array in global memory of the elements of a contiguous range, such as a std::vector.
template <std::ranges::contiguous_range Range>
requires std::ranges::sized_range<Range> && std::is_lvalue_reference_v<Range>
[[nodiscard]] auto global(Range&& values) {
  return global_array<std::remove_reference_t<std::ranges::range_reference_t<Range>>>(
      std::ranges::data(values), std::ranges::size(values));
}

//! The rows of a shared array of two or more dimensions: `tile[row][column]`.
template <class Row>
class shared_rows {
 public:
  static_assert(std::is_array_v<Row>);
  shared_rows(detail::region& array, index offset) : region_(&array), offset_(offset) {}
  [[nodiscard]] auto operator[](index row) const {
    index const start = offset_ + row * static_cast<index>(sizeof(Row));
    if constexpr (std::rank_v<Row> == 1)
      return pointer<std::remove_extent_t<Row>>(*region_, start);
    else
      return shared_rows<std::remove_extent_t<Row>>(*region_, start);
  }

 private:
  detail::region* region_;
  index offset_;
};

}  // namespace mmm::gpu
