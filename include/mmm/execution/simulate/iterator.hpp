// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/atomic.hpp>
#include <mmm/execution/simulate/trace.hpp>
#include <mmm/execution/simulate/warp_recorder.hpp>
#include <mmm/execution/simulate/warp_value.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/index/warp_index.hpp>
#include <mmm/index/warp_mask.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <vector>

//! Arrays of a simulation: iterators over host memory that record the accesses of warps.
namespace mmm {
namespace detail {

//! The reference `a[e]` for a warp-wide `e`, or `wide<V>(a)[e]`: a read loads and an assignment
//! stores, in the lanes that have an item.
template <class T, class Recorder, index V = plain_word>
class simulated_reference
    : public std::conditional_t<V == plain_word, proxy_base, wide_proxy_base> {
  static constexpr int width = Recorder::width;
  static constexpr bool plain = V == plain_word;
  using word = std::remove_cv_t<T>;

 public:
  using value_type = words_of<word, V>;
  using values = words_of<warp_value<word, width>, V>;
  //! \param offsets the offset of each lane's first word from word `by` of the array.
  MMM_ALWAYS_INLINE simulated_reference(array_record<T> const* array,
                                        warp_index<width> const& offsets, index by)
      : array_(array), offsets_(offsets.moved(by)) {}
  simulated_reference(simulated_reference const&) = default;

  [[nodiscard]] MMM_ALWAYS_INLINE operator values() && {
    return static_cast<simulated_reference&&>(*this).load();
  }

  [[nodiscard]] MMM_ALWAYS_INLINE values load() && {
    Recorder& warp = Recorder::here();
    if constexpr (!plain) {
      return load_words(warp, warp_mask<width>::prefix(warp.lanes));
    } else {
      warp.request(access_kind::read, *array_, offsets_);
      int const lanes = warp.lanes;
      values result;
      T const* const data = array_->data;
      if (offsets_.affine() && lanes == width) {
        T const* const source = data + offsets_.base();
        index const stride = offsets_.stride();
        if (stride == 1)
          for (int t = 0; t < width; ++t) result.lane[t] = source[t];
        else
          for (int t = 0; t < width; ++t) result.lane[t] = source[stride * t];
        return result;
      }
      if (offsets_.affine())
        for (int t = 0; t < lanes; ++t) result.lane[t] = data[offsets_[t]];
      else
        for (int t = 0; t < lanes; ++t) result.lane[t] = data[offsets_.lanes()[t]];
      for (int t = lanes; t < width; ++t) result.lane[t] = result.lane[0];
      return result;
    }
  }

  template <class Condition>
  [[nodiscard]] MMM_ALWAYS_INLINE values load_if(Condition const& condition) && {
    Recorder& warp = Recorder::here();
    auto const active = warp_mask<width>::prefix(warp.lanes) && condition;
    if constexpr (!plain) {
      return load_words(warp, active);
    } else {
      warp.request_if(access_kind::read, *array_, offsets_, active);
      auto const run = active.run();
      T const* const data = array_->data;
      if (active.all() && offsets_.affine() && offsets_.stride() == 1) {
        values all;
        T const* const source = data + offsets_.base();
        for (int t = 0; t < width; ++t) all.lane[t] = source[t];
        return all;
      }
      values result{word()};
      if (run.count >= 0 && offsets_.affine()) {
        int const end = run.first + run.count;
        index const base = offsets_.base();
        index const stride = offsets_.stride();
        if (stride == 1)
          for (int t = run.first; t < end; ++t) result.lane[t] = data[base + t];
        else
          for (int t = run.first; t < end; ++t) result.lane[t] = data[base + stride * t];
        return result;
      }
      for (int t = 0; t < width; ++t)
        if (active[t]) result.lane[t] = data[offsets_[t]];
      return result;
    }
  }

  template <class X>
  MMM_ALWAYS_INLINE void store(X const& x) && {
    static_assert(!std::is_const_v<T>, "mmm: this array is read only");
    Recorder& warp = Recorder::here();
    if constexpr (!plain) {
      store_words(warp, warp_mask<width>::prefix(warp.lanes), x);
    } else {
      warp.request(access_kind::write, *array_, offsets_);
      int const lanes = warp.lanes;
      T* const data = array_->data;
      if (offsets_.affine() && lanes == width) {
        T* const to = data + offsets_.base();
        index const stride = offsets_.stride();
        if (stride == 1)
          for (int t = 0; t < width; ++t) to[t] = static_cast<T>(lane_at<T>(x, t));
        else
          for (int t = 0; t < width; ++t) to[stride * t] = static_cast<T>(lane_at<T>(x, t));
        return;
      }
      if (offsets_.affine())
        for (int t = 0; t < lanes; ++t) data[offsets_[t]] = static_cast<T>(lane_at<T>(x, t));
      else
        for (int t = 0; t < lanes; ++t)
          data[offsets_.lanes()[t]] = static_cast<T>(lane_at<T>(x, t));
    }
  }

  template <class Condition, class X>
  MMM_ALWAYS_INLINE void store_if(Condition const& condition, X const& x) && {
    static_assert(!std::is_const_v<T>, "mmm: this array is read only");
    Recorder& warp = Recorder::here();
    auto const active = warp_mask<width>::prefix(warp.lanes) && condition;
    if constexpr (!plain) {
      store_words(warp, active, x);
    } else {
      warp.request_if(access_kind::write, *array_, offsets_, active);
      auto const run = active.run();
      T* const data = array_->data;
      if (run.count >= 0 && offsets_.affine()) {
        int const end = run.first + run.count;
        index const base = offsets_.base();
        index const stride = offsets_.stride();
        if (stride == 1)
          for (int t = run.first; t < end; ++t) data[base + t] = static_cast<T>(lane_at<T>(x, t));
        else
          for (int t = run.first; t < end; ++t)
            data[base + stride * t] = static_cast<T>(lane_at<T>(x, t));
        return;
      }
      for (int t = 0; t < width; ++t)
        if (active[t]) data[offsets_[t]] = static_cast<T>(lane_at<T>(x, t));
    }
  }

  //! Updates the words lane by lane; returns the old values.
  template <class Update, class... X>
  values update(Update const& how, X const&... x) && {
    static_assert(plain, "mmm: an atomic update is of one word, not of a wide access");
    Recorder& warp = Recorder::here();
    warp.request(access_kind::update, *array_, offsets_);
    values old = update_lanes(how, warp_mask<width>::prefix(warp.lanes), x...);
    for (int t = warp.lanes; t < width; ++t) old.lane[t] = old.lane[0];
    return old;
  }
  template <class Condition, class Update, class... X>
  void update_if(Condition const& condition, Update const& how, X const&... x) && {
    static_assert(plain, "mmm: an atomic update is of one word, not of a wide access");
    Recorder& warp = Recorder::here();
    auto const active = warp_mask<width>::prefix(warp.lanes) && condition;
    warp.request_if(access_kind::update, *array_, offsets_, active);
    static_cast<void>(update_lanes(how, active, x...));
  }

  //! Records the write now and stores the words when the copy is awaited.
  template <class Other, class X>
  void store_later(simulated_reference<Other, Recorder, V> const& other, X const& x) && {
    if (array_->space != memory_space::shared || other.space() != memory_space::global)
      throw_logic_error(
          failure_text("mmm: copy_async copies from the global memory to a shared one"));
    Recorder& warp = Recorder::here();
    auto const active = warp_mask<width>::prefix(warp.lanes);
    auto const add = [&](int t, index k, auto const& lanes) {
      warp.copies.add(array_->data + offsets_[t] + k, static_cast<word>(lane_at<word>(lanes, t)));
    };
    if constexpr (plain)
      warp.request(access_kind::write, *array_, offsets_);
    else
      warp.template wide_request<V>(access_kind::write, *array_, offsets_, active);
    for (int t = 0; t < warp.lanes; ++t) {
      if constexpr (plain)
        add(t, 0, x);
      else
        for (index k = 0; k < V; ++k) add(t, k, x[k]);
    }
  }
  [[nodiscard]] memory_space space() const { return array_->space; }

  //! Evaluates the right side, then stores it. The result is void, as `a[i] = b[i] = x` would hide
  //! an access.
  template <class X>
  requires(!named_proxy<X>)
  MMM_ALWAYS_INLINE void operator=(X&& x) && {
    static_cast<simulated_reference&&>(*this).store(evaluate(static_cast<X&&>(x)));
  }
  void operator=(simulated_reference const&) && = delete;  // not by a named reference

 private:
  template <class Update, class... X>
  [[nodiscard]] values update_lanes(Update const& how, warp_mask<width> const& active,
                                    X const&... x) const {
    static_assert(!std::is_const_v<T>, "mmm: this array is read only");
    values old{word()};
    for (int t = 0; t < width; ++t)  // other DMMs may update at the same time (mmm::parallel)
      if (active[t])
        old.lane[t] =
            update_word(how, array_->data[offsets_[t]], static_cast<T>(lane_at<T>(x, t))...);
    return old;
  }
  //! Loads V words in each active lane; the others hold `T()`.
  [[nodiscard]] values load_words(Recorder& warp, warp_mask<width> const& active) const {
    warp.template wide_request<V>(access_kind::read, *array_, offsets_, active);
    values result;
    for (index k = 0; k < V; ++k)
      for (int t = 0; t < width; ++t)
        result[k].lane[t] = active[t] ? array_->data[offsets_[t] + k] : word();
    return result;
  }
  template <class X>
  void store_words(Recorder& warp, warp_mask<width> const& active, vec<X, V> const& x) const {
    warp.template wide_request<V>(access_kind::write, *array_, offsets_, active);
    for (index k = 0; k < V; ++k)
      for (int t = 0; t < width; ++t)
        if (active[t]) array_->data[offsets_[t] + k] = static_cast<word>(lane_at<word>(x[k], t));
  }

  array_record<T> const* array_;
  warp_index<width> offsets_;
};

//! The reference `a[k]` for a plain `k`: in a body, one word for all lanes that have an item;
//! outside, on the host, free of cost.
template <class T, class Recorder>
class simulated_word_reference : public proxy_base {
  static constexpr int width = Recorder::width;

 public:
  using value_type = std::remove_cv_t<T>;
  MMM_ALWAYS_INLINE simulated_word_reference(array_record<T> const* array, index offset)
      : array_(array), offset_(offset) {}
  simulated_word_reference(simulated_word_reference const&) = default;

  [[nodiscard]] MMM_ALWAYS_INLINE operator value_type() const { return load(); }

  [[nodiscard]] MMM_ALWAYS_INLINE value_type load() const {
    note(access_kind::read);
    return array_->data[offset_];
  }
  template <class Condition>
  [[nodiscard]] MMM_ALWAYS_INLINE warp_value<value_type, width> load_if(
      Condition const& condition) const {
    if (Recorder::running() != nullptr) return of_warp().load_if(condition);
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
      of_warp().store_if(condition, x);
    else if constexpr (std::same_as<Condition, bool>)
      if (condition) store(x);
  }

  template <class Update, class... X>
  warp_value<value_type, width> update(Update const& how, X const&... x) const {
    return of_warp().update(how, x...);
  }
  template <class Condition, class Update, class... X>
  void update_if(Condition const& condition, Update const& how, X const&... x) const {
    of_warp().update_if(condition, how, x...);
  }

  // An assignment to a named reference is allowed, unlike that to a warp's reference: Thrust's
  // algorithms assign to named ones.
  template <class X>
  MMM_ALWAYS_INLINE simulated_word_reference const& operator=(X&& x) const {
    if constexpr (named_proxy<X>)
      store(static_cast<value_type>(x));
    else
      store(evaluate(static_cast<X&&>(x)));
    return *this;
  }
  MMM_ALWAYS_INLINE simulated_word_reference const& operator=(
      simulated_word_reference const& other) const {
    store(other.load());
    return *this;
  }
  friend void swap(simulated_word_reference a, simulated_word_reference b) {
    value_type const was = a.load();
    a.store(b.load());
    b.store(was);
  }

 private:
  [[nodiscard]] MMM_ALWAYS_INLINE simulated_reference<T, Recorder> of_warp() const {
    return {array_, warp_index<width>(offset_, 0), 0};
  }
  MMM_ALWAYS_INLINE void note(access_kind op) const {
    if (Recorder* const warp = Recorder::running()) {
      warp->request(op, *array_, warp_index<width>(offset_, 0));
    } else if (offset_ < 0 || offset_ >= array_->size) [[unlikely]] {
      detail::throw_out_of_range(detail::failure_text("mmm: element ", offset_, " of an array of ",
                                                      array_->size, " words"));
    }
  }
  array_record<T> const* array_;
  index offset_;
};

//! An atomic update (execution/atomic.hpp); its operands are loaded first.
template <class Update, access_proxy Word, class X>
requires(!named_proxy<Word> && !named_proxy<X>)
auto update_atomically(Update const& how, Word&& word, X&& x) {
  return static_cast<Word&&>(word).update(how, evaluate(static_cast<X&&>(x)));
}
template <class Update, access_proxy Word, class Expected, class X>
requires(!named_proxy<Word> && !named_proxy<Expected> && !named_proxy<X>)
auto update_atomically(Update const& how, Word&& word, Expected&& expected, X&& x) {
  decltype(auto) first = evaluate(static_cast<Expected&&>(expected));
  return static_cast<Word&&>(word).update(how, first, evaluate(static_cast<X&&>(x)));
}
template <class Condition, class Update, access_proxy Word, class X>
requires(!named_proxy<Word> && !named_proxy<X>)
void update_atomically_if(Condition const& condition, Update const& how, Word&& word, X&& x) {
  static_cast<Word&&>(word).update_if(condition, how, evaluate(static_cast<X&&>(x)));
}

//! A warp-wide address, which is not a plain integer.
template <class E, int W>
concept warp_address = std::same_as<std::remove_cvref_t<E>, warp_index<W>> || is_warp_value<E> ||
                       (access_proxy<E> && !named_proxy<E>);
}  // namespace detail

//! **A random-access iterator over an array of a simulated memory.** In a body, `a[e]` is an access
//! of a warp. On the host, between parallel-fors, `*a` and `a[k]` read and write the data free of
//! cost, so host algorithms can run over the array. Its references are proxies: as with
//! std::vector<bool>, `auto x = *a` names the word, and `int x = *a` is its value. An access
//! outside the array throws std::out_of_range, which names item, element and size. With V words it
//! is the result of mmm::wide, for bodies only.
template <class T, class Recorder, index V = detail::plain_word>
class simulated_iterator {
  static constexpr bool plain = V == detail::plain_word;
  static constexpr index step = plain ? 1 : V;

 public:
  using value_type = detail::words_of<std::remove_cv_t<T>, V>;
  using difference_type = std::ptrdiff_t;
  using reference = std::conditional_t<plain, detail::simulated_word_reference<T, Recorder>,
                                       detail::simulated_reference<T, Recorder, V>>;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;

  simulated_iterator() = default;
  MMM_ALWAYS_INLINE simulated_iterator(detail::array_record<T> const* array, index offset)
      : array_(array), offset_(offset) {}

  template <detail::index_scalar E>
  [[nodiscard]] MMM_ALWAYS_INLINE reference operator[](E const& e) const {
    if constexpr (plain)
      return reference(array_, offset_ + detail::scalar_index(e));
    else
      return (*this)[warp_index<Recorder::width>(detail::scalar_index(e), 0)];
  }
  template <detail::warp_address<Recorder::width> E>
  [[nodiscard]] MMM_ALWAYS_INLINE auto operator[](E&& e) const {
    if constexpr (detail::is_warp_index<E> && plain)
      return detail::simulated_reference<T, Recorder>(array_, e, offset_);
    else if constexpr (detail::is_warp_index<E>)
      return reference(array_, e * V, offset_);
    else
      return (*this)[as_index(static_cast<E&&>(e))];
  }
  [[nodiscard]] MMM_ALWAYS_INLINE reference operator*() const { return (*this)[index{0}]; }

  [[nodiscard]] bool begins_at_multiple(index words) const { return offset_ % words == 0; }
  //! The array in vectors of W words, for mmm::wide. std::invalid_argument unless a multiple of W
  //! words precede it.
  template <index W>
  [[nodiscard]] auto wide() const {
    if (offset_ % W != 0)
      detail::reject("the words before a wide access", offset_, "a multiple of its width");
    return simulated_iterator<T, Recorder, W>(array_, offset_);
  }

  //! The place of the whole array in its memory.
  [[nodiscard]] detail::array_place const& place() const { return *array_; }
  //! The first word's address, in words.
  [[nodiscard]] index address() const {
    return array_ == nullptr ? offset_ : array_->address + offset_;
  }
  //! The data at this position, on the host.
  [[nodiscard]] T* data() const { return array_ == nullptr ? nullptr : array_->data + offset_; }

  simulated_iterator& operator+=(difference_type n) {
    offset_ += n * step;
    return *this;
  }
  simulated_iterator& operator-=(difference_type n) { return *this += -n; }
  simulated_iterator& operator++() { return *this += 1; }
  simulated_iterator& operator--() { return *this += -1; }
  simulated_iterator operator++(int) {
    simulated_iterator const old = *this;
    ++*this;
    return old;
  }
  simulated_iterator operator--(int) {
    simulated_iterator const old = *this;
    --*this;
    return old;
  }
  [[nodiscard]] friend simulated_iterator operator+(simulated_iterator a, difference_type n) {
    return a += n;
  }
  [[nodiscard]] friend simulated_iterator operator+(difference_type n, simulated_iterator a) {
    return a += n;
  }
  [[nodiscard]] friend simulated_iterator operator-(simulated_iterator a, difference_type n) {
    return a -= n;
  }
  [[nodiscard]] friend difference_type operator-(simulated_iterator a, simulated_iterator b) {
    return (a.offset_ - b.offset_) / step;
  }
  [[nodiscard]] friend bool operator==(simulated_iterator a, simulated_iterator b) {
    return a.offset_ == b.offset_;
  }
  [[nodiscard]] friend std::strong_ordering operator<=>(simulated_iterator a,
                                                        simulated_iterator b) {
    return a.offset_ <=> b.offset_;
  }

 private:
  detail::array_record<T> const* array_ = nullptr;
  index offset_ = 0;
};

//! An asynchronous copy; see execution/copy_async.hpp.
template <class T, class Recorder, index V, class Other>
void copy_async(detail::simulated_reference<T, Recorder, V>&& target,
                detail::simulated_reference<Other, Recorder, V>&& source) {
  auto const place = source;
  auto const x = static_cast<decltype(source)>(source).load();
  static_cast<decltype(target)>(target).store_later(place, x);
}
template <class Condition, class T, class Recorder, index V, class Other>
void copy_async_if(Condition const& condition, detail::simulated_reference<T, Recorder, V>&& target,
                   detail::simulated_reference<Other, Recorder, V>&& source) {
  auto const place = source;
  auto const x = static_cast<decltype(source)>(source).load_if(condition);
  static_cast<decltype(target)>(target).store_later(place, x);
}

}  // namespace mmm
