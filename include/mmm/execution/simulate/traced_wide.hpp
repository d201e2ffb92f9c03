// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/simulate/traced_array.hpp>
#include <mmm/execution/simulate/warp_value.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/index/warp_index.hpp>
#include <mmm/index/warp_mask.hpp>

#include <concepts>
#include <type_traits>

//! Wide accesses in a simulation.
namespace mmm {
namespace detail {

struct wide_proxy_base : interpreted {};

template <class X>
concept wide_proxy = std::derived_from<std::remove_cvref_t<X>, wide_proxy_base>;

//! V words of every lane of a warp, from its `first_words` on: reading loads, assigning stores, in
//! the lanes that have an item. Only a temporary can be read, as with warp_reference.
template <class T, class Recorder, index V>
class warp_wide_reference : public wide_proxy_base {
  static constexpr int width = Recorder::width;
  using word = std::remove_cv_t<T>;

 public:
  using values = vec<warp_value<word, width>, V>;
  warp_wide_reference(array_record<T> const* array, warp_index<width> const& first_words)
      : array_(array), first_words_(first_words) {}
  warp_wide_reference(warp_wide_reference const&) = delete;

  [[nodiscard]] values load() && {
    return static_cast<warp_wide_reference&&>(*this).load_if(warp_mask<width>::prefix(width));
  }
  //! Lanes that access nothing hold `T()`.
  template <class Condition>
  [[nodiscard]] values load_if(Condition const& condition) && {
    auto const active = note(access_kind::read, condition);
    values result;
    for (index k = 0; k < V; ++k)
      for (int t = 0; t < width; ++t)
        result[k].lane[t] = active[t] ? array_->data[first_words_[t] + k] : word();
    return result;
  }
  template <class Condition, class X>
  void store_if(Condition const& condition, vec<X, V> const& x) && {
    static_assert(!std::is_const_v<T>, "mmm: this array is read only");
    auto const active = note(access_kind::write, condition);
    for (index k = 0; k < V; ++k)
      for (int t = 0; t < width; ++t)
        if (active[t])
          array_->data[first_words_[t] + k] = static_cast<word>(lane_at<word>(x[k], t));
  }

  template <class X>
  void operator=(X&& x) && {
    static_assert(!(wide_proxy<X> && std::is_lvalue_reference_v<X>),
                  "mmm: a named reference would hide an access");
    auto const everywhere = warp_mask<width>::prefix(width);
    if constexpr (wide_proxy<X>)
      static_cast<warp_wide_reference&&>(*this).store_if(everywhere, static_cast<X&&>(x).load());
    else
      static_cast<warp_wide_reference&&>(*this).store_if(everywhere, x);
  }
  void operator=(warp_wide_reference&& x) && {
    static_cast<warp_wide_reference&&>(*this).store_if(
        warp_mask<width>::prefix(width), static_cast<warp_wide_reference&&>(x).load());
  }

 private:
  template <class Condition>
  [[nodiscard]] warp_mask<width> note(access_kind op, Condition const& condition) const {
    Recorder& warp = Recorder::here();
    auto const active = warp_mask<width>::prefix(warp.lanes) && condition;
    warp.template wide_request<V>(op, *array_, first_words_, active);
    return active;
  }

  array_record<T> const* array_;
  warp_index<width> first_words_;
};

//! What mmm::wide makes of an array of a simulation.
template <class T, class Recorder, index V>
class traced_wide_iterator {
  static constexpr int width = Recorder::width;
  using reference = warp_wide_reference<T, Recorder, V>;

 public:
  traced_wide_iterator(array_record<T> const* array, index offset)
      : array_(array), offset_(offset) {}

  template <index_scalar E>
  [[nodiscard]] reference operator[](E const& e) const {
    return (*this)[warp_index<width>(scalar_index(e), 0)];
  }
  template <warp_address<width> E>
  [[nodiscard]] reference operator[](E&& e) const {
    if constexpr (is_warp_index<E>)
      return reference(array_, e * V + offset_);
    else
      return (*this)[as_index(static_cast<E&&>(e))];
  }

 private:
  array_record<T> const* array_;
  index offset_;
};

}  // namespace detail

template <detail::wide_proxy X>
requires(!std::is_lvalue_reference_v<X>)
[[nodiscard]] auto load(X&& x) {
  return static_cast<X&&>(x).load();
}

template <class Condition, detail::wide_proxy X, class U>
requires(!std::is_lvalue_reference_v<X>)
[[nodiscard]] auto load_if(Condition const& condition, X&& x, U const& otherwise) {
  auto values = static_cast<X&&>(x).load_if(condition);
  using words = decltype(values);
  unroll<words::words>([&](index k) {
    using value = std::remove_cvref_t<decltype(values[k])>;
    using word = typename value::value_type;
    for (int t = 0; t < value::width; ++t) {
      bool active = false;
      if constexpr (std::same_as<Condition, bool>)
        active = condition;
      else
        active = condition[t];
      if (active) continue;
      if constexpr (detail::is_vec<U>)
        values[k].lane[t] = static_cast<word>(detail::lane_at<word>(otherwise[k], t));
      else
        values[k].lane[t] = static_cast<word>(detail::lane_at<word>(otherwise, t));
    }
  });
  return values;
}

template <class Condition, detail::wide_proxy X, detail::is_vec Value>
requires(!std::is_lvalue_reference_v<X>)
void store_if(Condition const& condition, X&& x, Value const& value) {
  static_cast<X&&>(x).store_if(condition, value);
}

}  // namespace mmm
