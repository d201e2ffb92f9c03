// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/simulate/warp_value.hpp>
#include <mmm/interop/thrust_words.hpp>

#include <cuda/std/iterator>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/memory.h>
#include <thrust/tuple.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

//! The accesses of a warp that dereferences a Thrust iterator: the iterator is taken apart down to
//! the words of memory.
namespace mmm::detail::thrust_calls {

template <class Iterator>
using value_of = typename ::cuda::std::iterator_traits<Iterator>::value_type;
template <class Iterator>
using distance_of = typename ::cuda::std::iterator_traits<Iterator>::difference_type;
template <class Iterator>
using reference_of = typename ::cuda::std::iterator_traits<Iterator>::reference;

//! `it[k]`, on the host and free of cost.
template <class Iterator>
[[nodiscard]] decltype(auto) at(Iterator const& it, index k) {
  return *(it + static_cast<distance_of<Iterator>>(k));
}

//! The word that an iterator stands at.
template <class Iterator>
[[nodiscard]] auto* word_at(Iterator const& it) {
  if constexpr (std::is_lvalue_reference_v<reference_of<Iterator>>)
    return std::addressof(*it);
  else
    return thrust::raw_pointer_cast(&*it);
}

//! `f(t)` for every lane t that has an item; the other lanes hold a copy of lane 0's.
template <class Recorder, class F>
[[nodiscard]] auto by_active_lane(F f) {
  using value = std::remove_cvref_t<decltype(f(0))>;
  int const lanes = Recorder::here().lanes;
  warp_value<value, Recorder::width> result;
  result.lane[0] = f(0);  // a warp that runs has a lane
  for (int t = 1; t < lanes; ++t) result.lane[t] = f(t);
  for (int t = lanes; t < Recorder::width; ++t) result.lane[t] = result.lane[0];
  return result;
}

//! The words `elements[map[i]]`, for iterators of any kinds.
template <class Elements, class Map>
struct indirection {
  Elements elements;
  Map map;
};

//! Warp-wide accesses through an iterator. Members of every model:
//! `one_word`: value i is the i-th word of an array, or computed from it alone;
//! `note(it, n, position, words)`: `words` learns of what `it[position(0)] … it[position(n - 1)]`
//! access, n >= 1; `view<Recorder>`, made of `(on, it, words)`: `read(i)`, `write(i, x)` for the
//! items of a warp.
template <class Iterator>
struct access {
  static_assert(
      sizeof(Iterator) == 0,
      "mmm: what memory does this iterator access? Accepted: contiguous iterators, and Thrust's "
      "counting, "
      "constant, transform, permutation, zip, reverse and discard iterators over accepted ones");
};

template <class Iterator, class Recorder>
using view_of = typename access<Iterator>::template view<Recorder>;

//! Memory: one access of a word each.
template <class Iterator>
requires thrust::is_contiguous_iterator_v<Iterator>
struct access<Iterator> {
  static_assert(std::is_convertible_v<typename thrust::iterator_system<Iterator>::type,
                                      thrust::host_system_tag>,
                "mmm: a simulated machine works on the host's memory; copy the data to a "
                "thrust::host_vector");
  static constexpr bool one_word = true;

  template <class Position, class Words>
  static void note(Iterator const& it, index n, Position position, Words& words) {
    index low = position(0);
    index high = low;
    for (index k = 1; k < n; ++k) {
      index const p = position(k);
      low = smaller(low, p);
      high = larger(high, p);
    }
    words.note(word_at(it), low, checked_add(high, 1));
  }

  template <class Recorder>
  class view {
    using word = std::remove_cv_t<value_of<Iterator>>;

   public:
    template <class On>
    view(On& on, Iterator const& it, host_words<Recorder>& words)
        : words_(words.array(on, word_at(it))) {}
    template <class I>
    [[nodiscard]] auto read(I const& i) const {
      return load(words_[i]);
    }
    template <class I, class X>
    void write(I const& i, X const& x) const {
      words_[i] = x;
    }

   private:
    simulated_iterator<word, Recorder> words_;
  };
};

//! Numbers that an iterator computes: no access at all.
template <class Iterator>
struct computed_access {
  static constexpr bool one_word = false;

  template <class Position, class Words>
  static void note(Iterator const&, index, Position, Words&) {}

  template <class Recorder>
  class view {
   public:
    template <class On>
    view(On&, Iterator const& it, host_words<Recorder>&) : it_(it) {}
    template <class I>
    [[nodiscard]] auto read(I const& i) const {
      return by_active_lane<Recorder>(
          [&](int t) { return static_cast<value_of<Iterator>>(at(it_, i[t])); });
    }

   private:
    Iterator it_;
  };
};
template <class... Arguments>
struct access<thrust::counting_iterator<Arguments...>>
    : computed_access<thrust::counting_iterator<Arguments...>> {};
template <class... Arguments>
struct access<thrust::constant_iterator<Arguments...>>
    : computed_access<thrust::constant_iterator<Arguments...>> {};

//! Values that nobody wants: no access.
template <class... Arguments>
struct access<thrust::discard_iterator<Arguments...>> {
  using iterator = thrust::discard_iterator<Arguments...>;
  static constexpr bool one_word = true;

  template <class Position, class Words>
  static void note(iterator const&, index, Position, Words&) {}

  template <class Recorder>
  struct view {
    template <class On>
    view(On&, iterator const&, host_words<Recorder>&) {}
    template <class I, class X>
    void write(I const&, X const&) const {}
  };
};

//! A function of what the iterator below reads; the function is free.
template <class F, class Below, class Reference, class Value>
struct access<thrust::transform_iterator<F, Below, Reference, Value>> {
  using iterator = thrust::transform_iterator<F, Below, Reference, Value>;
  static constexpr bool one_word = access<Below>::one_word;

  template <class Position, class Words>
  static void note(iterator const& it, index n, Position position, Words& words) {
    access<Below>::note(it.base(), n, position, words);
  }

  template <class Recorder>
  class view {
   public:
    template <class On>
    view(On& on, iterator const& it, host_words<Recorder>& words)
        : below_(on, it.base(), words), f_(it.functor()) {}
    template <class I>
    [[nodiscard]] auto read(I const& i) const {
      auto const x = below_.read(i);
      return by_active_lane<Recorder>(
          [&](int t) { return static_cast<value_of<iterator>>(std::invoke(f_, x.lane[t])); });
    }

   private:
    view_of<Below, Recorder> below_;
    mutable F f_;  // as in Thrust
  };
};

//! The map is accessed as it is, then the elements at the addresses that it gave.
template <class Elements, class Map>
struct access<indirection<Elements, Map>> {
  using iterator = indirection<Elements, Map>;
  static constexpr bool one_word = false;

  template <class Position, class Words>
  static void note(iterator const& it, index n, Position position, Words& words) {
    access<Map>::note(it.map, n, position, words);
    access<Elements>::note(
        it.elements, n, [&](index k) { return static_cast<index>(at(it.map, position(k))); },
        words);
  }

  template <class Recorder>
  class view {
   public:
    template <class On>
    view(On& on, iterator const& it, host_words<Recorder>& words)
        : elements_(on, it.elements, words), map_(on, it.map, words) {}
    template <class I>
    [[nodiscard]] auto read(I const& i) const {
      return elements_.read(as_index(map_.read(i)));
    }
    template <class I, class X>
    void write(I const& i, X const& x) const {
      elements_.write(as_index(map_.read(i)), x);
    }

   private:
    view_of<Elements, Recorder> elements_;
    view_of<Map, Recorder> map_;
  };
};

//! The same for Thrust's, which keeps its elements to itself: they are where its first value is,
//! less its first number.
template <class Elements, class Map>
struct access<thrust::permutation_iterator<Elements, Map>> {
  static_assert(
      thrust::is_contiguous_iterator_v<Elements>,
      "mmm: the elements of a permutation_iterator have to be memory; thrust::gather takes others");
  using iterator = thrust::permutation_iterator<Elements, Map>;
  using elements = decltype(word_at(std::declval<iterator>()));
  using parts = indirection<elements, Map>;
  static constexpr bool one_word = false;

  [[nodiscard]] static parts taken_apart(iterator const& it) {
    return {word_at(it) - static_cast<std::ptrdiff_t>(*it.base()), it.base()};
  }

  template <class Position, class Words>
  static void note(iterator const& it, index n, Position position, Words& words) {
    access<parts>::note(taken_apart(it), n, position, words);
  }
  template <class Recorder>
  struct view : view_of<parts, Recorder> {
    template <class On>
    view(On& on, iterator const& it, host_words<Recorder>& words)
        : view_of<parts, Recorder>(on, taken_apart(it), words) {}
  };
};

//! The words of the base iterator, backwards.
template <class Below>
struct access<thrust::reverse_iterator<Below>> {
  using iterator = thrust::reverse_iterator<Below>;
  static constexpr bool one_word = access<Below>::one_word;

  template <class Position, class Words>
  static void note(iterator const& it, index n, Position position, Words& words) {
    access<Below>::note(it.base() - 1, n, [&](index k) { return -position(k); }, words);
  }

  template <class Recorder>
  class view {
   public:
    template <class On>
    view(On& on, iterator const& it, host_words<Recorder>& words)
        : below_(on, it.base() - 1, words) {}
    template <class I>
    [[nodiscard]] auto read(I const& i) const {
      return below_.read(-i);
    }
    template <class I, class X>
    void write(I const& i, X const& x) const {
      below_.write(-i, x);
    }

   private:
    view_of<Below, Recorder> below_;
  };
};

//! One access after the other, of every iterator; values are tuples.
template <class... Below>
struct access<thrust::zip_iterator<thrust::tuple<Below...>>> {
  using iterator = thrust::zip_iterator<thrust::tuple<Below...>>;
  static constexpr bool one_word = false;
  using numbers = std::index_sequence_for<Below...>;

  template <class Position, class Words>
  static void note(iterator const& it, index n, Position position, Words& words) {
    auto const note_each = [&]<std::size_t... K>(std::index_sequence<K...>) {
      (access<Below>::note(thrust::get<K>(it.get_iterator_tuple()), n, position, words), ...);
    };
    note_each(numbers{});
  }

  template <class Recorder>
  class view {
   public:
    template <class On>
    view(On& on, iterator const& it, host_words<Recorder>& words)
        : view(on, it, words, numbers{}) {}
    template <class I>
    [[nodiscard]] auto read(I const& i) const {
      return read_each(i, numbers{});
    }
    template <class I, class X>
    void write(I const& i, X const& x) const {
      write_each(i, x, numbers{});
    }

   private:
    template <class On, std::size_t... K>
    view(On& on, iterator const& it, host_words<Recorder>& words, std::index_sequence<K...>)
        : below_(view_of<Below, Recorder>(on, thrust::get<K>(it.get_iterator_tuple()), words)...) {}
    template <class I, std::size_t... K>
    [[nodiscard]] auto read_each(I const& i, std::index_sequence<K...>) const {
      std::tuple const values{std::get<K>(below_).read(i)...};
      return by_active_lane<Recorder>(
          [&](int t) { return thrust::tuple<value_of<Below>...>(std::get<K>(values).lane[t]...); });
    }
    template <class I, class X, std::size_t... K>
    void write_each(I const& i, X const& x, std::index_sequence<K...>) const {
      (std::get<K>(below_).write(
           i, by_active_lane<Recorder>([&](int t) { return thrust::get<K>(x.lane[t]); })),
       ...);
    }
    std::tuple<view_of<Below, Recorder>...> below_;
  };
};

}  // namespace mmm::detail::thrust_calls
