// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/fast.hpp>

#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

//! The kernels whose instructions are counted, each in a few small sizes. For each case,
//! `runs.run(kernel, variant, machine, threads, call, algorithm, sizes ...)` is called, where
//! `call(on, a, b, c)` runs the algorithm on three arrays, and the sizes are the parameters of
//! mmm::cost_of without the threads; of sorts, `runs.run_on_keys(kernel, machine, threads, call,
//! algorithm, size)`, where `call(on, a, b)` runs them on two arrays, the first one of random keys;
//! of kernels of halves, `runs.run_on_halves` as `run`. A call that needs more arrays gets them
//! from `runs.copied(vector)`. Two programs include this list: the kernels (kernels.cu), and the
//! model, which says how often each part of them is executed (parts.cpp).
namespace instructions {

using mmm::index;

inline constexpr index max_words = 1 << 21;

using hierarchy = mmm::hmm<mmm::dynamic, 32, 1, 1>;
inline constexpr mmm::dmm<32, 1> dmm{};
inline constexpr mmm::umm<32, 1> umm{};

template <class Runs>
void sequences(Runs& runs) {
  auto const run = [&](char const* kernel, auto const& m, index p, index n, auto const& algorithm) {
    runs.run(
        kernel, 0, m, p, [=](auto on, float* a, float*, float* c) { algorithm(on, a, a + n, c); },
        algorithm, mmm::size(n));
  };
  struct one_memory {
    index n;
    index p;
  };
  for (auto const [n, p] : {one_memory{64, 32}, {1024, 512}, {4096, 1024}, {4096, 256}}) {
    run("sum/dmm", dmm, p, n, mmm::sum);
    run("prefix-sums/dmm", dmm, p, n, mmm::prefix_sums);
    run("prefix-sums-simple/dmm", dmm, p, n, mmm::prefix_sums_simple);
  }
  for (auto const [n, p] : {one_memory{1024, 512},
                            {8192, 4096},
                            {16384, 2048},
                            {65536, 1024},
                            {65536, 4096},
                            {1 << 18, 2048}}) {
    run("sum/umm", umm, p, n, mmm::sum);
    run("prefix-sums/umm", umm, p, n, mmm::prefix_sums);
    run("prefix-sums-simple/umm", umm, p, n, mmm::prefix_sums_simple);
  }
  struct assigned {
    index n;
    index d;
    index t;
  };
  for (auto const [n, d, t] : {assigned{1 << 15, 2, 1024},
                               {1 << 15, 2, 256},
                               {1 << 16, 4, 512},
                               {1 << 14, 2, 512},
                               {1 << 19, 2, 512},
                               {1 << 18, 4, 256},
                               {1 << 20, 4, 1024}}) {
    hierarchy const m(d);
    run("sum/hmm", m, d * t, n, mmm::sum);
    run("sum-on-one-dmm/hmm", m, d * t, n, mmm::sum_on_one_dmm);
    run("sum-wide/hmm", m, d * t, n, mmm::sum_wide);
    run("copy-wide/hmm", m, d * t, n, mmm::copy_wide);
    run("copy/hmm", m, d * t, n, mmm::copy_through_shared);
    run("prefix-sums/hmm", m, d * t, n, mmm::prefix_sums);
    run("prefix-sums-one-pass/hmm", m, d * t, n, mmm::prefix_sums_one_pass);
    auto const find = [&](index variant, auto const& algorithm) {
      runs.run(
          "argmin/hmm", variant, m, d * t,
          [=](auto on, float* a, float*, float* c) {
            algorithm(on, a, a + n, reinterpret_cast<mmm::located<float>*>(c));
          },
          algorithm, mmm::size(n));
    };
    find(0, mmm::argmin);
    find(1, mmm::detail::located_algorithm<std::remove_const_t<decltype(mmm::sum_wide)>,
                                           mmm::detail::less_than>{});
  }
}

//! Few words, by one block of 256 threads.
template <class Runs>
void sequences_in_one_block(Runs& runs) {
  for (index const n : {1024, 4352, 8192, 16384, 50000, 65536}) {
    auto const run = [&](char const* kernel, auto const& algorithm) {
      runs.run(
          kernel, 0, hierarchy(1), 256,
          [=](auto on, float* a, float*, float* c) { algorithm(on, a, a + n, c); }, algorithm,
          mmm::size(n));
    };
    run("sum-in-one-block/hmm", mmm::sum_in_one_block);
    run("prefix-sums-in-one-block/hmm", mmm::prefix_sums_in_one_block);
  }
}

template <class Runs>
void transposes(Runs& runs) {
  struct square {
    index side;
    index d;
    index t;
  };
  for (auto const [side, d, t] :
       {square{128, 2, 256}, {256, 2, 256}, {512, 4, 128}, {256, 2, 512}}) {
    mmm::shape const shape(side, side);
    auto const m = hierarchy(d);
    runs.run(
        "transpose-swizzled/hmm", 0, m, d * t,
        [=](auto on, float* a, float*, float* c) { mmm::transpose_swizzled(on, a, shape, c); },
        mmm::transpose_swizzled, mmm::size(side));
    auto const straight = [&](char const* kernel, auto const& on_machine, index p) {
      runs.run(
          kernel, 0, on_machine, p,
          [=](auto on, float* a, float*, float*) { mmm::transpose_straightforward(on, a, side); },
          mmm::transpose_straightforward, mmm::size(side));
    };
    straight("transpose-straightforward/hmm", m, d * t);
    straight("transpose-straightforward/umm", umm, d * t);
  }
}

template <class Runs>
void products(Runs& runs) {
  struct square {
    index side;
    index m;
    index d;
    index t;
    index variant;
  };
  // the elements that a thread keeps decide which kernel it is
  for (auto const [side, m, d, t, variant] : {square{128, 32, 2, 1024, 2},
                                              {256, 32, 2, 512, 2},
                                              {128, 16, 2, 1024, 2},
                                              {128, 32, 4, 256, 4},
                                              {256, 64, 2, 1024, 4},
                                              {128, 32, 2, 256, 4},
                                              {128, 32, 2, 128, 16},
                                              {128, 32, 2, 64, 16},
                                              {256, 32, 4, 64, 16}}) {
    mmm::product_shape const shape(side, side, side);
    mmm::tile const tile(m);
    runs.run(
        "matrix-multiply/hmm", variant, hierarchy(d), d * t,
        [=](auto on, float* a, float* b, float* c) {
          mmm::matrix_multiply(on, a, b, shape, c, tile);
        },
        mmm::matrix_multiply, mmm::size(side), tile);
  }
  auto const in_registers = [&](char const* kernel, index variant, index d, index t,
                                auto const& algorithm, index first = 256, index last = 768) {
    for (index const side : {first, index{512}, index{640}, last})
      runs.run(
          kernel, variant, hierarchy(d), d * t,
          [=](auto on, float* a, float* b, float* c) {
            algorithm(on, a, b, mmm::product_shape(side, side, side), c);
          },
          algorithm, mmm::size(side));
  };
  char const* const whole = "matrix-multiply-in-registers/hmm";
  in_registers(whole, 64, 2, 256, mmm::matrix_multiply_in_registers);
  in_registers(whole, 128, 2, 128, mmm::matrix_multiply_in_more_registers);
  in_registers(whole, 130, 2, 256, mmm::matrix_multiply_in_larger_tiles);
  in_registers(whole, 32, 2, 128, mmm::matrix_multiply_in_smaller_tiles);
  auto const on_tensor_cores = [&](char const* kernel, index variant, index t,
                                   auto const& algorithm) {
    for (index const side : {256, 512, 640, 768})
      runs.run(
          kernel, variant, hierarchy(2), 2 * t,
          [=](auto on, float* a, float* b, float* c) {
            auto const half_a = reinterpret_cast<mmm::half_t const*>(a);
            algorithm(on, half_a, reinterpret_cast<mmm::half_t const*>(b),
                      mmm::product_shape(side, side, side), c);
          },
          algorithm, mmm::size(side));
  };
  char const* const by_warps = "matrix-multiply-on-tensor-cores/hmm";
  on_tensor_cores(by_warps, 256, 256, mmm::matrix_multiply_on_tensor_cores);
  on_tensor_cores(by_warps, 128, 128, mmm::matrix_multiply_on_tensor_cores_in_smaller_tiles);
  char const* const by_warpgroups = "matrix-multiply-by-warpgroups/hmm";
  on_tensor_cores(by_warpgroups, 256, 384, mmm::matrix_multiply_by_warpgroups);
  on_tensor_cores(by_warpgroups, 128, 384, mmm::matrix_multiply_by_warpgroups_in_smaller_tiles);
  // so many DMMs that a tile has several, and parts of equal length
  char const* const parts = "matrix-multiply-in-parts/hmm";
  in_registers(parts, 32, 264, 128, mmm::matrix_multiply_in_parts, 128, 256);
  in_registers(parts, 128, 264, 128, mmm::matrix_multiply_in_larger_parts, 256, 1024);
}

template <index V, class Runs>
void images_in_registers(Runs& runs) {
  for (index const side : {512, 1024, 1408})
    runs.run(
        "image-convolution-in-registers/hmm", V, hierarchy(2), 512,
        [=](auto on, float* a, float* b, float* c) {
          mmm::image_convolution_in_registers<V>(on, a, mmm::shape(side, side), b, c);
        },
        mmm::image_convolution_in_registers<V>, mmm::size(side));
}

template <class Runs>
void convolutions(Runs& runs) {
  struct image {
    index side;
    index v;
    index d;
    index t;
  };
  for (auto const [side, v, d, t] : {image{128, 3, 2, 1024},
                                     {128, 1, 2, 1024},
                                     {128, 3, 4, 128},
                                     {256, 2, 2, 256},
                                     {64, 5, 2, 64}}) {
    mmm::radius const kernel(v);
    runs.run(
        "image-convolution/hmm", 0, hierarchy(d), d * t,
        [=](auto on, float* a, float* b, float* c) {
          mmm::image_convolution(on, a, mmm::shape(side, side), b, kernel, c);
        },
        mmm::image_convolution, mmm::size(side), kernel);
  }
  images_in_registers<1>(runs);
  images_in_registers<2>(runs);
  images_in_registers<3>(runs);
  images_in_registers<4>(runs);
  images_in_registers<8>(runs);
  struct sequence {
    index n;
    index m;
    index d;
    index t;
  };
  for (auto const [n, m, d, t] : {sequence{16384, 8, 2, 256},
                                  {32768, 32, 2, 256},
                                  {32768, 128, 4, 256},
                                  {16384, 64, 2, 128},
                                  {1 << 17, 8, 4, 256},
                                  {1 << 18, 16, 4, 256}}) {
    auto const run = [&](char const* kernel, auto const& machine, index p, auto const& algorithm) {
      runs.run(
          kernel, 0, machine, p,
          [=](auto on, float* a, float* b, float* c) {
            algorithm(on, a, a + m, b, b + n + m - 1, c, c + n);
          },
          algorithm, mmm::size(n), mmm::taps(m));
    };
    run("convolution-in-registers/hmm", hierarchy(d), d * t, mmm::convolution_in_registers);
    run("convolution/hmm", hierarchy(d), d * t, mmm::convolution);
    run("convolution/umm", umm, d * t, mmm::convolution);
  }
}

template <index V, class Runs>
void separable_images(Runs& runs) {
  for (index const side : {512, 1000, 1408})
    runs.run(
        "separable-image-convolution/hmm", V, hierarchy(2), 512,
        [=](auto on, float* a, float* b, float* c) {
          mmm::separable_image_convolution<V>(on, a, mmm::shape(side, side), b, b + 32, c);
        },
        mmm::separable_image_convolution<V>, mmm::size(side));
}

template <class Runs, class Fft>
void convolutions_by_fft(Runs& runs, mmm::detail::fft_convolution_algorithm<Fft> const& algorithm) {
  struct sequence {
    index segments;
    index m;
    index d;
    index t;
  };
  for (auto const [segments, m, d, t] : {sequence{4, 128, 1, 256},
                                         {8, 128, 2, 256},
                                         {16, 1024, 2, 256},
                                         {16, 256, 4, 128},
                                         {32, 512, 2, 256},
                                         {4, 2048, 2, 64},
                                         {64, 1024, 4, 256}}) {
    index const n = segments * Fft::points;
    runs.run(
        "convolution-by-fft/hmm", Fft::points, hierarchy(d), d * t,
        [=](auto on, float* a, float* b, float* c) {
          algorithm(on, a, a + m, b, b + n + m - 1, c, c + n);
        },
        algorithm, mmm::size(n), mmm::taps(m));
  }
}

template <class Runs>
void triangulations(Runs& runs) {
  struct polygon {
    index n;
    index d;
    index t;
  };
  for (auto const [n, d, t] : {polygon{64, 2, 256}, {96, 2, 1024}, {128, 4, 256}, {128, 2, 512}}) {
    auto const run = [&](char const* kernel, auto const& machine, auto const& algorithm) {
      runs.run(
          kernel, 0, machine, d * t,
          [=](auto on, float* a, float*, float* c) { algorithm(on, a, n, c); }, algorithm,
          mmm::size(n));
    };
    run("triangulation-blocked/hmm", hierarchy(d), mmm::triangulation_blocked);
    run("triangulation/umm", umm, mmm::triangulation);
    run("triangulation-dp/umm", umm, mmm::triangulation_dp);
  }
  for (auto const [n, d, t] : {polygon{128, 2, 256}, {192, 2, 256}, {256, 4, 256}, {320, 2, 256}})
    runs.run(
        "triangulation-in-registers/hmm", 0, hierarchy(d), d * t,
        [=](auto on, float* a, float*, float* c) { mmm::triangulation_in_registers(on, a, n, c); },
        mmm::triangulation_in_registers, mmm::size(n));
}

//! Summed area tables, and the scans in segments of another way to them.
template <class Runs>
void summed_areas(Runs& runs) {
  struct square {
    index side;
    index d;
    index t;
  };
  for (auto const [side, d, t] :
       {square{128, 2, 256}, {256, 2, 1024}, {512, 4, 256}, {320, 2, 512}, {512, 8, 64}}) {
    mmm::shape const image(side, side);
    auto const run = [&](char const* kernel, auto const& machine, auto const& algorithm) {
      runs.run(
          kernel, 0, machine, d * t,
          [=](auto on, float* a, float*, float*) { algorithm(on, a, image); }, algorithm,
          mmm::size(side));
    };
    run("summed-area-1r1w/hmm", hierarchy(d), mmm::summed_area_1r1w);
    run("summed-area-one-pass/hmm", hierarchy(d), mmm::summed_area_one_pass);
    run("summed-area/umm", umm, mmm::summed_area);
    run("summed-area/hmm", hierarchy(d), mmm::summed_area);
    runs.run(
        "segmented-prefix-sums/hmm", 0, hierarchy(d), d * t,
        [=](auto on, float* a, float* b, float* c) {
          auto const* const heads = reinterpret_cast<std::int32_t const*>(b);
          mmm::segmented_prefix_sums(on, a, a + image.area(), heads, c);
        },
        mmm::segmented_prefix_sums, mmm::size(side * side));
  }
}

//! The places 0 … n - 1, shuffled by a linear congruential generator.
inline std::vector<std::int32_t> shuffled(index n) {
  std::vector<std::int32_t> places(static_cast<std::size_t>(n));
  std::iota(places.begin(), places.end(), 0);
  std::uint64_t state = 1;
  for (std::size_t i = places.size(); i > 1; --i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    std::swap(places[i - 1], places[(state >> 33) % i]);
  }
  return places;
}

template <class Runs>
void permutations(Runs& runs) {
  struct words {
    index n;
    index d;
    index t;
  };
  for (auto const [n, d, t] :
       {words{1 << 15, 2, 256}, {1 << 16, 4, 1024}, {1 << 17, 2, 512}, {1 << 18, 4, 1024}}) {
    hierarchy const m(d);
    runs.run(
        "permutation/hmm", 0, m, d * t,
        [=, &runs](auto on, float* a, float*, float* c) {
          auto const places = shuffled(n);
          mmm::permutation_schedule const schedule(m, places.begin(), places.end());
          mmm::permutation(on, a, a + n,
                           schedule.with_indices(runs.copied(
                               std::vector<std::int32_t>(schedule.begin(), schedule.end()))),
                           c);
        },
        mmm::permutation, mmm::size(n));
    runs.run(
        "permutation-direct/hmm", 0, m, d * t,
        [=, &runs](auto on, float* a, float*, float* c) {
          mmm::permutation_direct(on, a, a + n, runs.copied(shuffled(n)), c);
        },
        mmm::permutation_direct, mmm::size(n), mmm::scatter::conflicting);
    runs.run(
        "permutation-in-tiles/hmm", 0, m, d * t,
        [=, &runs](auto on, float* a, float*, float* c) {
          auto const places = shuffled(n);
          mmm::tile_permutation_schedule const schedule(places.begin(), places.end());
          auto const kept = [&](auto const* numbers) {
            return runs.copied(std::vector(numbers, numbers + n));
          };
          mmm::permutation_in_tiles(
              on, a, a + n,
              schedule.with_indices(kept(schedule.sources()), kept(schedule.addresses()),
                                    kept(schedule.targets())),
              c);
        },
        mmm::permutation_in_tiles, mmm::size(n), mmm::scatter::conflicting);
  }
}

//! Patterns in texts of bytes.
template <class Runs>
void strings(Runs& runs) {
  struct text {
    index n;
    index m;
    index d;
    index t;
  };
  for (auto const [n, m, d, t] : {text{1 << 14, 8, 2, 256},
                                  {1 << 16, 32, 4, 128},
                                  {1 << 15, 64, 2, 64},
                                  {1 << 17, 32, 2, 256},
                                  {1 << 16, 16, 4, 512}}) {
    auto const run = [&](char const* kernel, auto const& algorithm) {
      runs.run(
          kernel, 0, hierarchy(d), d * t,
          [=](auto on, float* a, float* b, float* c) {
            auto const* const x = reinterpret_cast<unsigned char const*>(a);
            auto const* const y = reinterpret_cast<unsigned char const*>(b);
            algorithm(on, x, x + m, y, y + n, c);
          },
          algorithm, mmm::size(n), mmm::taps(m));
    };
    run("string-matching/hmm", mmm::string_matching);
    run("string-matching-in-bits/hmm", mmm::string_matching_in_bits);
  }
}

//! Kernels of halves, which are accumulated as floats. Products in smaller tiles are left out: the
//! machine code that their lines are charged is four times what PTX has.
template <class Runs>
void halves(Runs& runs) {
  struct assigned {
    index n;
    index d;
    index t;
  };
  for (auto const [n, d, t] :
       {assigned{1 << 15, 2, 256}, {1 << 16, 4, 512}, {1 << 19, 2, 512}, {1 << 18, 4, 256}})
    runs.run_on_halves(
        "prefix-sums-one-pass/hmm/halves", 0, hierarchy(d), d * t,
        [=](auto on, auto* a, auto*, auto* c) { mmm::prefix_sums_one_pass(on, a, a + n, c); },
        mmm::prefix_sums_one_pass, mmm::size(n));
  auto const in_registers = [&](index variant, index t, auto const& algorithm) {
    for (index const side : {256, 512, 640})
      runs.run_on_halves(
          "matrix-multiply-in-registers/hmm/halves", variant, hierarchy(2), 2 * t,
          [=](auto on, auto* a, auto* b, auto* c) {
            algorithm(on, a, b, mmm::product_shape(side, side, side), c);
          },
          algorithm, mmm::size(side));
  };
  in_registers(64, 256, mmm::matrix_multiply_in_registers);
  in_registers(128, 128, mmm::matrix_multiply_in_more_registers);
}

//! A radix sort has a kernel of its own for full blocks, which are those to use.
inline constexpr index radix_threads =
    mmm::detail::radix_sort_program<mmm::ascending>::max_block_threads;

template <class Runs>
void sorts(Runs& runs) {
  struct keys {
    index n;
    index d;
    index t;
  };
  for (auto const [n, d, t] : {keys{1 << 12, 2, 256},
                               {1 << 15, 2, 256},
                               {1 << 16, 4, 128},
                               {1 << 17, 4, 384},
                               {200'000, 8, 256},
                               {1 << 18, 2, 384}}) {
    auto const run = [&](char const* kernel, index threads, auto const& algorithm) {
      runs.run_on_keys(
          kernel, hierarchy(d), d * threads,
          [=](auto on, std::uint32_t* a, std::uint32_t*) { algorithm(on, a, a + n); }, algorithm,
          mmm::size(n));
    };
    auto const run_pairs = [&](char const* kernel, index threads, auto const& algorithm) {
      runs.run_on_keys(
          kernel, hierarchy(d), d * threads,
          [=](auto on, std::uint32_t* a, std::uint32_t* b) { algorithm(on, a, a + n, b); },
          algorithm, mmm::size(n));
    };
    run("sort/hmm", t, mmm::sort);
    run("merge-sort/hmm", t, mmm::merge_sort);
    run("radix-sort/hmm", radix_threads, mmm::radix_sort);
    run_pairs("sort-pairs/hmm", t, mmm::sort_pairs);
    run_pairs("merge-sort-pairs/hmm", t, mmm::merge_sort_pairs);
    run_pairs("radix-sort-pairs/hmm", radix_threads, mmm::radix_sort_pairs);
  }
}

template <class Runs>
void for_each_case(Runs& runs) {
  sequences(runs);
  sequences_in_one_block(runs);
  transposes(runs);
  products(runs);
  convolutions(runs);
  separable_images<1>(runs);
  separable_images<2>(runs);
  separable_images<3>(runs);
  separable_images<4>(runs);
  separable_images<8>(runs);
  convolutions_by_fft(runs, mmm::convolution_by_fft);
  convolutions_by_fft(runs, mmm::convolution_by_longer_fft);
  triangulations(runs);
  summed_areas(runs);
  permutations(runs);
  strings(runs);
  sorts(runs);
  halves(runs);
}

}  // namespace instructions
