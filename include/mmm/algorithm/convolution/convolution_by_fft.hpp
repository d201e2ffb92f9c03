// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/convolution/fft.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

//! The convolution z[i] = x[0] y[i] + … + x[m - 1] y[i + m - 1] on an HMM by Fourier transforms
//! (overlap-save: Stockham 1966).
MMM_BODIES_BEGIN
namespace mmm {

//! A permission, as the last argument of mmm::fastest::convolution and mmm::known::convolutions:
//! results may be rounded as Fourier transforms round them. Convolutions of integers stay exact.
struct accept_fft_t {};
inline constexpr accept_fft_t accept_fft{};

//! The convolution by transforms of `Fft::points` points, N, in the shared memories. Every DMM
//! transforms the taps once. A segment is N words and gives `outputs(m, w)` outputs. Two segments
//! are transformed at once, as the real and the imaginary parts of a complex sequence, multiplied
//! by the taps' transform, and transformed back. All words pass the global memory once, and the
//! last m - 1 of a segment twice. Any number of threads; in a pass of radix R N/R of them work.
//! Rounding: the error of an output is at most a multiple of `log2(N) u |x| |y|`, with |x| the
//! Euclidean norm of the taps, |y| that of the words of two segments, and u half a unit in the last
//! place of 1 (docs/algorithms.md). A word that is not finite invalidates all outputs of its two
//! segments.
//! Needs `shared_words` words of shared memory.
template <class Fft>
struct fft_convolution {
  static constexpr index points = Fft::points;
  //! threads of a block in a kernel: each has up to 32 points in registers
  static constexpr index max_block_threads = 256;
  //! Blocks of a multiprocessor: as many as there are registers and shared memory for.
  template <class Word>
  [[nodiscard]] static constexpr index blocks_side_by_side() {
    return sizeof(Word) > 4 || points > 4096 ? 1 : 3;
  }
  //! Words of shared memory: the segments' points, the taps' transform, and the roots of unity.
  static constexpr index shared_words = 4 * points + Fft::root_words;

  //! Number of outputs of a segment: whole rows of w if there is one, so that segments are aligned.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index outputs(index m, index w) {
    index const all = points - m + 1;
    return all < w ? all : all / w * w;
  }

  //! Precondition: m <= points.
  template <class Machine, class Taps, class Words, class Results>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Taps x, index m, Words y, Results z,
                                            index n) const {
    using value = typename Results::value_type;
    index const own = outputs(m, on.machine().width());
    index const pairs = detail::ceil_divide(n, 2 * own);
    index const dmms = detail::smaller(on.dmms(), pairs);
    index const given = n + m - 1;
    on.each_dmm(dmms, [=](auto& block, auto dmm) {
      auto const roots = block.template allocate<value>(Fft::root_words);
      auto const filter = block.template allocate<value>(2 * points);
      auto const s = block.template allocate<value>(2 * points);
      Fft::fill_roots(block, roots);
      Fft::template forward<0>(block, roots, s, [=](auto const& i) {
        return make_vec<Fft::radix(0)>([&](index k) {
          auto const place = i + k * Fft::distance(0);
          auto const tap = load_if(place < m, x[place], value{}) * static_cast<value>(1.0 / points);
          return complex_value{tap, tap - tap};
        });
      });
      Fft::forward_between(block, roots, s);
      block.each(Fft::butterflies(last), [=](auto i) {
        auto const v = transformed(Fft::template read<last>(s, i));
        unroll<Fft::radix(last)>([&](index k) {
          wide<2>(filter)[i + k * Fft::butterflies(last)] =
              make_vec<2>([&](index part) { return part == 0 ? v[k].re : v[k].im; });
        });
      });
      block.repeat(detail::ceil_divide(pairs, dmms), [=, &block](auto round) {
        auto const first = (round * dmms + dmm) * (2 * own);
        Fft::template forward<0>(block, roots, s, [=](auto const& i) {
          return make_vec<Fft::radix(0)>([&](index k) {
            auto const place = first + i + k * Fft::distance(0);
            auto const re = load_if(place < given, y[place], value{});
            auto const im = load_if(place + own < given, y[place + own], value{});
            return complex_value{re, im};
          });
        });
        Fft::forward_between(block, roots, s);
        block.each(Fft::butterflies(last), [=](auto i) {
          auto const v = transformed(Fft::template read<last>(s, i));
          auto const product = make_vec<Fft::radix(last)>([&](index k) {
            auto const f = load(wide<2>(filter)[i + k * Fft::butterflies(last)]);
            return v[k].times_conjugate(complex_value{f[0], f[1]}).exchanged();
          });
          Fft::template write<last>(s, i, transformed(product));
        });
        Fft::backward_between(block, roots, s);
        Fft::template backward<0>(block, roots, s, [=](auto const& i, auto const& v) {
          unroll<Fft::radix(0)>([&](index k) {
            auto const output = i + k * Fft::distance(0);
            auto const place = first + output;
            store_if(output < own && place < n, z[place], v[k].im);
            store_if(output < own && place + own < n, z[place + own], v[k].re);
          });
        });
      });
    });
  }

 private:
  static constexpr index last = Fft::last;
};

namespace detail {

//! The algorithm object behind mmm::convolution_by_fft.
template <class Fft>
struct fft_convolution_algorithm : convolution_call<fft_convolution_algorithm<Fft>> {
  static constexpr char const* name = "convolution-by-fft";
  static constexpr char const* paper = "overlap-save, Stockham 1966; its time: this library";
  static constexpr machine_kinds kinds{.hmm = 2};
  using program = fft_convolution<Fft>;

  struct problem : convolution_sizes {
    constexpr explicit problem(size outputs, mmm::taps x) : convolution_sizes(outputs, x) {
      if (x.count > program::points)
        reject_length("points of the transforms of so many taps", x.count, program::points);
    }

    template <class On, class Taps = no_data, class Words = no_data, class Out = no_data,
              class... Form>
    constexpr void run(On& on, Taps x = {}, Words y = {}, Out z = {}, Form const&...) const {
      using value = accumulated_t<typename named_accumulator<Form...>::type, Out, Taps, Words>;
      static_assert(floating_point<value>,
                    "mmm: transforms round: a convolution by FFT is of floating-point numbers, and "
                    "mmm::convolution of integers is exact");
      if (n == 0) return;
      perform(on, program{}, reads<value>(x, m), m.count, reads<value>(y, words()),
              writes<value>(z, n), n.count);
    }
    [[nodiscard]] constexpr bound lower_bound(auto const& t) const {
      if (n == 0) return {};
      return access_bound(t, 2 * n, t.p);
    }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
      return access_formula(m, "2n");
    }
    //! A round of pairs of segments for every DMM and one for the taps: 2N words from the global
    //! memory and at most as many back, and through the shared memory 2N words four times in each
    //! pass.
    [[nodiscard]] constexpr natural upper_bound(auto const& t) const {
      if (n == 0) return 0;
      natural const points = program::points;
      natural const rounds = n / (2 * program::outputs(m.count, t.w.count)) / t.d + 2;
      natural const at_once = smaller(t.w, t.t);
      natural const accesses = 2 * points;
      natural const global =
          t.d * (2 * accesses / at_once) + 2 * (accesses / t.t + Fft::radix(0)) * t.L;
      natural const passes = 2 * Fft::passes;
      natural const shared = passes * (2 * accesses / at_once + 2 * (points / t.t + 16) * t.l);
      return rounds * (global + shared);
    }
  };
};

}  // namespace detail

//! The convolution on an HMM by Fourier transforms of 4096 points, for up to 4096 taps, of
//! floating-point numbers; called as mmm::convolution. Errors: also std::length_error for more
//! taps. Time, with `outputs` outputs of a segment: docs/algorithms.md.
inline constexpr detail::fft_convolution_algorithm<shared_fft<16, 16, 16>> convolution_by_fft{};

//! The same by transforms of 8192 points, for up to 8192 taps: fewer words are read twice, and a
//! multiprocessor has room for one block.
inline constexpr detail::fft_convolution_algorithm<shared_fft<32, 16, 16>>
    convolution_by_longer_fft{};

}  // namespace mmm
MMM_BODIES_END
