// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/overlap.hpp>
#include <mmm/algorithm/problem.hpp>
#include <mmm/algorithm/whole_or_part.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <iterator>

//! The direct convolution z[i] = x[0] y[i] + … + x[m - 1] y[i + m - 1] on an HMM, several outputs
//! to a thread.
MMM_BODIES_BEGIN
namespace mmm {

//! Where vec `number` of an array lies so that threads `apart` vecs apart, a power of two, read
//! without bank conflicts what threads side by side have written without: moved within the vecs
//! that are side by side in all banks.
template <index V, index Width>
struct strided_swizzle {
  static_assert(Width % V == 0 && (Width / V & (Width / V - 1)) == 0,
                "mmm: a power of two of accesses side by side in all banks");
  static constexpr index slots = Width / V;

  template <index Apart, class Number>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto at(Number const& number) {
    static_assert((Apart & (Apart - 1)) == 0, "mmm: a power of two of vecs to a thread");
    constexpr index kinds = Apart < slots ? Apart : slots;
    return number ^ (number / slots % kinds);
  }
};

//! The convolution with `Outputs` neighbouring outputs in each thread's registers, tiles of them
//! dealt to the DMMs in turn. The words and the taps that a tile needs are in the shared memory;
//! for every `Outputs` taps a thread reads as many of either, V in an access, and makes `Outputs^2`
//! products with them and the words that it had before. The results go through the shared memory,
//! too, so that the global one is accessed in order.
//! The taps are filled up with zeros to a multiple of `Outputs`, which are multiplied like the
//! others: a word that is not finite spoils up to `Outputs - 1` more results before it.
//! Needs `Outputs t + 2 (m + Outputs + w)` words of shared memory at most, t threads per DMM. Exact
//! time: docs/algorithms.md.
template <index Outputs = 16, index V = 4>
struct register_convolution {
  static_assert(Outputs % V == 0, "mmm: a thread has whole vecs of outputs");
  static constexpr index most_block_threads = 256;  //!< in a kernel, for registers enough

  [[nodiscard]] MMM_HOST_DEVICE static constexpr index filled(index m) {
    return detail::ceil_divide(m, Outputs) * Outputs;
  }
  //! Words of a tile that are kept in the shared memory, whole rows of w.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index kept(index t, index m, index w) {
    return detail::ceil_divide(t * Outputs + filled(m), w) * w;
  }

  template <class Machine, class Taps, class Words, class Results>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Taps x, index m, Words y, Results z,
                                            index n) const {
    index const tile = on.threads_per_dmm() * Outputs;
    index const inner = n - (filled(m) - m) - 1;  // a tile that ends before has all its words
    index const whole = inner > 0 ? inner / tile : 0;
    tiles<true>(on, x, m, y, z, n, 0, whole);
    tiles<false>(on, x, m, y, z, n, whole, detail::ceil_divide(n, tile) - whole);
  }

 private:
  static constexpr index vecs = Outputs / V;  //!< of outputs of a thread

  template <bool Whole, class Machine, class Taps, class Words, class Results>
  MMM_HOST_DEVICE static constexpr void tiles(Machine& on, Taps x, index m, Words y, Results z,
                                              index n, index first, index count) {
    using value = typename Results::value_type;
    constexpr index w = Machine::machine_type::width;
    using swizzle = strided_swizzle<V, w>;
    constexpr index words = Whole ? V : 1;  // in an access of the global memory
    index const t = on.threads_per_dmm();
    index const tile_words = t * Outputs;
    index const given = n + m - 1;
    index const needed = tile_words + filled(m);
    index const taps_filled = filled(m);
    auto const body = [=](auto& block, auto tile) {
      auto taps = block.template allocate<value>(taps_filled);
      auto s = block.template allocate<value>(kept(t, m, w));
      auto sums = block.template registers<value, Outputs>();
      auto had = block.template registers<value, Outputs>();
      block.each(taps_filled, [=](auto i) { taps[i] = load_if(i < m, x[i], value{}); }, no_barrier);
      block.each(needed / words, [=](auto i) {
        auto at = tile * (tile_words / words) + i;
        auto v = detail::load_within<Whole>(at < given, wide<words>(y)[at]);
        keep<words, swizzle>(s, i, v);
      });
      block.each(
          t,
          [=](auto i) {
            unroll<vecs>([&](index q) {
              auto v = load(wide<V>(s)[swizzle::template at<vecs>(i * vecs + q)]);
              unroll<V>([&](index k) {
                had(i, q * V + k) = v[k];
                sums(i, q * V + k) = value{};
              });
            });
          },
          no_barrier);
      block.repeat(taps_filled / Outputs, [=, &block](auto step) {
        block.each(
            t,
            [=](auto i) {
              auto next = make_vec<vecs>([&](index q) {
                return load(wide<V>(s)[swizzle::template at<vecs>((i + step + 1) * vecs + q)]);
              });
              auto factors =
                  make_vec<vecs>([&](index q) { return load(wide<V>(taps)[step * vecs + q]); });
              unroll<Outputs>([&](index k) {
                unroll<Outputs>([&](index r) {
                  if (r + k < Outputs)
                    sums(i, r) = load(sums(i, r)) + factors[k / V][k % V] * load(had(i, r + k));
                  else
                    sums(i, r) =
                        load(sums(i, r)) +
                        factors[k / V][k % V] * next[(r + k - Outputs) / V][(r + k - Outputs) % V];
                });
              });
              unroll<Outputs>([&](index r) { had(i, r) = next[r / V][r % V]; });
            },
            no_barrier);
      });
      block.each(0, [](auto) {});  // a barrier: all have read their words
      block.each(t, [=](auto i) {
        unroll<vecs>([&](index q) {
          wide<V>(s)[swizzle::template at<vecs>(i * vecs + q)] =
              make_vec<V>([&](index k) { return load(sums(i, q * V + k)); });
        });
      });
      block.each(tile_words / words, [=](auto i) {
        auto at = tile * (tile_words / words) + i;
        detail::store_within<Whole>(at < n, wide<words>(z)[at],
                                    kept_words<words, swizzle, Whole>(s, i, at < n));
      });
    };
    on.each_tile(first, count, body, no_barrier);
  }

  //! Puts the words from number `words * i` on into the shared memory.
  template <index Words, class Swizzle, class Shared, class Item, class Value>
  MMM_HOST_DEVICE static constexpr void keep(Shared s, Item const& i, Value const& v) {
    wide<Words>(s)[Swizzle::template at<vecs>(i / (V / Words)) * (V / Words) + i % (V / Words)] = v;
  }
  //! What is there now, of those that are needed.
  template <index Words, class Swizzle, bool Whole, class Shared, class Item, class Needed>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto kept_words(Shared s, Item const& i,
                                                                 Needed const& needed) {
    return detail::load_within<Whole>(
        needed,
        wide<Words>(
            s)[Swizzle::template at<vecs>(i / (V / Words)) * (V / Words) + i % (V / Words)]);
  }
};

namespace detail {

//! The algorithm object behind mmm::convolution_in_registers.
template <index Outputs, index V>
struct register_convolution_algorithm {
  char const* name = "convolution-in-registers";
  char const* paper = "000 theorem 9, with several outputs to a thread";
  machine_kinds kinds{.hmm = true};

  //! Writes the convolution of the taps [x_first, x_last) with the words [y_first, y_last) to
  //! [z_first, z_last). Errors: std::invalid_argument for no taps, fewer than n + m - 1 words, or
  //! an overlap; std::length_error if a shared memory is too small.
  template <class On, class Taps, class Words, class Results>
  void operator()(On on, Taps x_first, Taps x_last, Words y_first, Words y_last, Results z_first,
                  Results z_last) const {
    using value = std::iter_value_t<Results>;
    index const m = mmm::taps(static_cast<index>(x_last - x_first)).count;
    index const n = mmm::size(static_cast<index>(z_last - z_first)).count;
    auto const given = static_cast<index>(y_last - y_first);
    if (n == 0) return;
    if (given < n + m - 1) reject_length("words to convolve", n + m - 1, given);
    reject_overlap("the result of the convolution", x_first, m, z_first, n);
    reject_overlap("the result of the convolution", y_first, given, z_first, n);
    mmm::run(on, register_convolution<Outputs, V>{}, reads<value>(x_first, m), m,
             reads<value>(y_first, n + m - 1), writes<value>(z_first, n), n);
  }

  //! The same without data.
  template <class On>
  constexpr void model(On& on, index n, mmm::taps m) const {
    if (n == 0) return;
    auto const x = on.template allocate<float>(m.count);
    auto const y = on.template allocate<float>(checked_add(n, m.count - 1));
    register_convolution<Outputs, V>{}(on, x, m.count, y, on.template allocate<float>(n), n);
  }

  //! For algorithms whose threads have so many outputs: a word from the shared memory is good for
  //! as many products.
  template <hierarchical_machine M>
  [[nodiscard]] constexpr bound limitations(M const& m, index n, index p, mmm::taps x) const {
    if (n == 0) return {};
    bound b = access_limitations(m, checked_multiply(2, n), checked_multiply(V, p));
    index const words = share(n, x.count, Outputs);
    b.shared_bandwidth = ceil_divide(words, checked_multiply(m.dmms(), M::width));
    b.shared_latency = share(words, m.shared().latency(), checked_multiply(V, p));
    return b;
  }

  //! Of outputs filled up to whole passes of the DMMs over their tiles: words and taps from the
  //! global memory and through the shared ones, two shared words for every `Outputs` products, and
  //! a latency for every access of a thread.
  template <hierarchical_machine M>
  [[nodiscard]] constexpr index expression(M const& m, index n, index p, mmm::taps x) const {
    if (n == 0) return 0;
    constexpr index w = M::width;
    index const t = larger(1, p / m.dmms());
    index const filled = register_convolution<Outputs, V>::filled(x.count);
    index const passes = ceil_divide(n / t / Outputs, m.dmms()) + 2;
    index const tile = checked_multiply(t, Outputs);
    index const copied = checked_add(checked_multiply(2, tile), checked_multiply(2, filled));
    index const global = m.dmms() * ceil_divide(copied, smaller(w, t)) +
                         ceil_divide(copied, t) * m.global().latency();
    index const reads =
        ceil_divide(checked_multiply(tile + filled, 2 * (filled / Outputs + 3)), smaller(w, t));
    index const shared =
        reads + (ceil_divide(copied, t) + filled + 2 * Outputs) * m.shared().latency();
    return checked_multiply(passes, checked_add(global, shared));
  }

  template <machine M>
  [[nodiscard]] constexpr index constant(M const&) const {
    return 2;
  }
};

}  // namespace detail

//! The direct convolution, 16 outputs to a thread, four words in an access.
inline constexpr detail::register_convolution_algorithm<16, 4> convolution_in_registers{};

}  // namespace mmm
MMM_BODIES_END
