// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/simulate/trace.hpp>
#include <mmm/execution/simulate/warp_recorder.hpp>
#include <mmm/execution/simulate/warp_value.hpp>
#include <mmm/index/warp_index.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

//! Arrays of a simulation: iterators over host memory whose accesses by warps are noted.
namespace mmm {
namespace detail {

//! An array in a simulated memory.
template <class T>
struct array_record : array_place {
  T* data;
};

//! `a[e]` for a warp-wide `e`: reading loads, assigning stores, in the lanes that have an item.
template <class T, class Recorder>
class warp_reference : public proxy_base {
  static constexpr int width = Recorder::width;

 public:
  using value_type = std::remove_cv_t<T>;
  using values = warp_value<value_type, width>;
  MMM_ALWAYS_INLINE warp_reference(array_record<T> const* array, warp_index<width> const& offsets,
                                   index by)
      : array_(array), offsets_(offsets.moved(by)) {}
  warp_reference(warp_reference const&) = default;

  [[nodiscard]] MMM_ALWAYS_INLINE operator values() && {
    return static_cast<warp_reference&&>(*this).load();
  }

  [[nodiscard]] MMM_ALWAYS_INLINE values load() && {
    Recorder& warp = Recorder::here();
    warp.request(access_kind::read, *array_, offsets_);
    int const lanes = warp.lanes;
    values result;
    T const* const data = array_->data;
    if (offsets_.affine() && offsets_.stride() == 1 && lanes == width) {
      T const* const from = data + offsets_.base();
      for (int t = 0; t < width; ++t) result.lane[t] = from[t];
      return result;
    }
    result.lane[0] = data[offsets_[0]];  // a warp that runs has a lane
    for (int t = 1; t < lanes; ++t) result.lane[t] = data[offsets_[t]];
    for (int t = lanes; t < width; ++t) result.lane[t] = result.lane[0];
    return result;
  }

  template <class Condition>
  [[nodiscard]] MMM_ALWAYS_INLINE values load_if(Condition const& condition) && {
    Recorder& warp = Recorder::here();
    auto const active = warp_mask<width>::prefix(warp.lanes) && condition;
    warp.request_if(access_kind::read, *array_, offsets_, active);
    values result{value_type()};
    if (offsets_.affine() && offsets_.stride() == 1 && active.prefix_length() == width) {
      T const* const from = array_->data + offsets_.base();
      for (int t = 0; t < width; ++t) result.lane[t] = from[t];
      return result;
    }
    for (int t = 0; t < width; ++t)
      if (active[t]) result.lane[t] = array_->data[offsets_[t]];
    return result;
  }

  template <class X>
  MMM_ALWAYS_INLINE void store(X const& x) && {
    static_assert(!std::is_const_v<T>, "mmm: this array is read only");
    Recorder& warp = Recorder::here();
    warp.request(access_kind::write, *array_, offsets_);
    int const lanes = warp.lanes;
    T* const data = array_->data;
    if (offsets_.affine() && offsets_.stride() == 1 && lanes == width) {
      T* const to = data + offsets_.base();
      for (int t = 0; t < width; ++t) to[t] = static_cast<T>(lane_at<T>(x, t));
      return;
    }
    for (int t = 0; t < lanes; ++t) data[offsets_[t]] = static_cast<T>(lane_at<T>(x, t));
  }

  template <class Condition, class X>
  MMM_ALWAYS_INLINE void store_if(Condition const& condition, X const& x) && {
    static_assert(!std::is_const_v<T>, "mmm: this array is read only");
    Recorder& warp = Recorder::here();
    auto const active = warp_mask<width>::prefix(warp.lanes) && condition;
    warp.request_if(access_kind::write, *array_, offsets_, active);
    if (offsets_.affine() && offsets_.stride() == 1 && active.prefix_length() == width) {
      T* const to = array_->data + offsets_.base();
      for (int t = 0; t < width; ++t) to[t] = static_cast<T>(lane_at<T>(x, t));
      return;
    }
    for (int t = 0; t < width; ++t)
      if (active[t]) array_->data[offsets_[t]] = static_cast<T>(lane_at<T>(x, t));
  }

  //! Evaluates the right side, then stores. Void: `a[i] = b[i] = x` would hide an access.
  template <class X>
  requires(!named_proxy<X>)
  MMM_ALWAYS_INLINE void operator=(X&& x) && {
    static_cast<warp_reference&&>(*this).store(evaluate(static_cast<X&&>(x)));
  }
  void operator=(warp_reference const&) && = delete;  // of a named reference

 private:
  array_record<T> const* array_;
  warp_index<width> offsets_;
};

//! `a[k]` for a plain `k`: in a body, one word for all lanes that have an item; outside, on the
//! host, free of cost.
template <class T, class Recorder>
class word_reference : public proxy_base {
  static constexpr int width = Recorder::width;

 public:
  using value_type = std::remove_cv_t<T>;
  MMM_ALWAYS_INLINE word_reference(array_record<T> const* array, index offset)
      : array_(array), offset_(offset) {}
  word_reference(word_reference const&) = default;

  [[nodiscard]] MMM_ALWAYS_INLINE operator value_type() const { return load(); }

  [[nodiscard]] MMM_ALWAYS_INLINE value_type load() const {
    note(access_kind::read);
    return array_->data[offset_];
  }
  template <class Condition>
  [[nodiscard]] MMM_ALWAYS_INLINE warp_value<value_type, width> load_if(
      Condition const& condition) const {
    if (Recorder::running() != nullptr)
      return warp_reference<T, Recorder>(array_, warp_index<width>(offset_, 0), 0)
          .load_if(condition);
    return warp_value<value_type, width>(load());
  }
  template <class X>
  MMM_ALWAYS_INLINE void store(X const& x) const {
    static_assert(!std::is_const_v<T>, "mmm: this array is read only");
    note(access_kind::write);
    int last = 0;
    if (Recorder::running() != nullptr) last = Recorder::running()->lanes - 1;
    array_->data[offset_] = static_cast<T>(lane_at<T>(x, last));
  }
  template <class Condition, class X>
  MMM_ALWAYS_INLINE void store_if(Condition const& condition, X const& x) const {
    if (Recorder::running() != nullptr)
      warp_reference<T, Recorder>(array_, warp_index<width>(offset_, 0), 0).store_if(condition, x);
    else if constexpr (std::same_as<Condition, bool>)
      if (condition) store(x);
  }

  // Unlike a warp's reference, one word's may have a name: Thrust's algorithms assign to named
  // ones.
  template <class X>
  MMM_ALWAYS_INLINE word_reference const& operator=(X&& x) const {
    if constexpr (named_proxy<X>)
      store(static_cast<value_type>(x));
    else
      store(evaluate(static_cast<X&&>(x)));
    return *this;
  }
  MMM_ALWAYS_INLINE word_reference const& operator=(word_reference const& other) const {
    store(other.load());
    return *this;
  }
  friend void swap(word_reference a, word_reference b) {
    value_type const was = a.load();
    a.store(b.load());
    b.store(was);
  }

 private:
  MMM_ALWAYS_INLINE void note(access_kind op) const {
    if (Recorder* const warp = Recorder::running()) {
      warp->request(op, *array_, warp_index<width>(offset_, 0));
    } else if (offset_ < 0 || offset_ >= array_->size) [[unlikely]] {
      throw std::out_of_range("mmm: element " + std::to_string(offset_) + " of an array of " +
                              std::to_string(array_->size) + " words");
    }
  }
  array_record<T> const* array_;
  index offset_;
};

//! What addresses a word: a plain integer, or something warp-wide.
template <class E, int W>
concept warp_address = std::same_as<std::remove_cvref_t<E>, warp_index<W>> || is_warp_value<E> ||
                       (access_proxy<E> && !named_proxy<E>);

template <class T, class Recorder, index V>
class traced_wide_iterator;
}  // namespace detail

//! **A random-access iterator over an array of a simulated memory.** In a body, `a[e]` is an access
//! of a warp. On the host, between parallel-fors, `*a`, `a[k]` read and write the data, free of
//! cost, so that host algorithms run over it; its references are proxies: as with
//! std::vector<bool>, `auto x = *a` names the word, `int x = *a` is its value. An access outside
//! the array throws std::out_of_range that names item, element and size.
template <class T, class Recorder>
class traced_iterator {
 public:
  using value_type = std::remove_cv_t<T>;
  using difference_type = std::ptrdiff_t;
  using reference = detail::word_reference<T, Recorder>;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;

  traced_iterator() = default;
  MMM_ALWAYS_INLINE traced_iterator(detail::array_record<T> const* array, index offset)
      : array_(array), offset_(offset) {}

  template <detail::index_scalar E>
  [[nodiscard]] MMM_ALWAYS_INLINE reference operator[](E const& e) const {
    return reference(array_, offset_ + detail::scalar_index(e));
  }
  template <detail::warp_address<Recorder::width> E>
  [[nodiscard]] MMM_ALWAYS_INLINE auto operator[](E&& e) const {
    if constexpr (detail::is_warp_index<E>)
      return detail::warp_reference<T, Recorder>(array_, e, offset_);
    else
      return (*this)[as_index(static_cast<E&&>(e))];
  }
  [[nodiscard]] MMM_ALWAYS_INLINE reference operator*() const { return reference(array_, offset_); }

  //! For mmm::wide. std::invalid_argument unless a multiple of V words are before it.
  template <index V>
  [[nodiscard]] auto wide() const {
    if (offset_ % V != 0)
      detail::reject("the words before a wide access", offset_, "a multiple of its width");
    return detail::traced_wide_iterator<T, Recorder, V>(array_, offset_);
  }

  //! The first word's address, in words.
  [[nodiscard]] index address() const {
    return array_ == nullptr ? offset_ : array_->address + offset_;
  }
  //! The data at this position on the host.
  [[nodiscard]] T* data() const { return array_ == nullptr ? nullptr : array_->data + offset_; }

  traced_iterator& operator+=(difference_type n) {
    offset_ += n;
    return *this;
  }
  traced_iterator& operator-=(difference_type n) { return *this += -n; }
  traced_iterator& operator++() { return *this += 1; }
  traced_iterator& operator--() { return *this += -1; }
  traced_iterator operator++(int) {
    traced_iterator const old = *this;
    ++offset_;
    return old;
  }
  traced_iterator operator--(int) {
    traced_iterator const old = *this;
    --offset_;
    return old;
  }
  [[nodiscard]] friend traced_iterator operator+(traced_iterator a, difference_type n) {
    return a += n;
  }
  [[nodiscard]] friend traced_iterator operator+(difference_type n, traced_iterator a) {
    return a += n;
  }
  [[nodiscard]] friend traced_iterator operator-(traced_iterator a, difference_type n) {
    return a -= n;
  }
  [[nodiscard]] friend difference_type operator-(traced_iterator a, traced_iterator b) {
    return a.offset_ - b.offset_;
  }
  [[nodiscard]] friend bool operator==(traced_iterator a, traced_iterator b) {
    return a.offset_ == b.offset_;
  }
  [[nodiscard]] friend std::strong_ordering operator<=>(traced_iterator a, traced_iterator b) {
    return a.offset_ <=> b.offset_;
  }

 private:
  detail::array_record<T> const* array_ = nullptr;
  index offset_ = 0;
};

}  // namespace mmm
