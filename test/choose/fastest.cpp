// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/fast.hpp>

#include "catch.hpp"
#include "support/kernel_checks.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

// The entries mmm::fastest::…: their results are right, and where they take the fast variant, its
// modelled time is shorter.

namespace {

using gpu = mmm::hmm<132, 32, 30, 600, 58368, 19>;

template <class Fast, class Literal, class... More>
bool faster(Fast const& fast, Literal const& literal, mmm::index n, mmm::index p, More... more) {
  mmm::index const time = mmm::cost_of<gpu>(fast, mmm::size(n), mmm::threads(p), more...).time;
  try {
    return time < mmm::cost_of<gpu>(literal, mmm::size(n), mmm::threads(p), more...).time;
  } catch (std::length_error const&) {
    return true;  // the paper's variant does not fit the shared memories
  }
}

// A handle that is asked for its machine and its threads only, which it can have fewer of.
template <class M>
struct handle {
  using machine_type = std::remove_cvref_t<M>;
  mmm::index p;
  [[nodiscard]] static constexpr machine_type machine() { return {}; }
  [[nodiscard]] mmm::index threads() const { return p; }
  [[nodiscard]] mmm::index threads_per_dmm_within(mmm::index most) const {
    return std::min(p / machine().dmms(), most);
  }
};

// A handle that also has handles for other machines.
template <class M>
struct launching_handle : handle<M> {
  template <class N>
  [[nodiscard]] launching_handle<N> on_machine(N const&, mmm::threads count) const {
    return {count.count};
  }
};

// The entries with names, which the checks need.
struct named_sum : mmm::detail::fastest_sum {
  char const* name = "fastest::sum";
};
struct named_scan : mmm::detail::fastest_prefix_sums<> {
  char const* name = "fastest::prefix_sums";
};
struct named_convolution : mmm::detail::fastest_convolution {
  char const* name = "fastest::convolution";
};
struct named_product : mmm::detail::fastest_product {
  char const* name = "fastest::matrix_multiply";
};

}  // namespace

TEST_CASE("the fast variants are taken where the model says that they are faster") {
  mmm::index picked = 0;
  for (mmm::index const t : {128, 256, 512})
    for (mmm::index const n : {1000, 1 << 16, 1 << 20, (1 << 22) + 77, 1 << 26}) {
      mmm::index const p = 132 * t;
      CAPTURE(t, n);
      if (n >= 8 * p) CHECK(faster(mmm::sum_wide, mmm::sum, n, p));
      if (mmm::detail::fastest_prefix_sums<>::one_pass(gpu(), n, p)) {
        ++picked;
        CHECK(faster(mmm::prefix_sums_one_pass, mmm::prefix_sums, n, p));
      }
      for (mmm::index const m : {3, 32, 300})
        if (mmm::detail::fastest_convolution::in_registers(gpu(), n, mmm::taps(m), p)) {
          ++picked;
          CAPTURE(m);
          CHECK(faster(mmm::convolution_in_registers, mmm::convolution, n, p, mmm::taps(m)));
        }
    }
  for (mmm::index const side : {512, 1000, 2048}) {
    mmm::index const p = 132 * 256;
    if (!mmm::detail::fastest_product::in_registers(gpu(), {side, side, side}, p)) continue;
    ++picked;
    CAPTURE(side);
    CHECK(mmm::cost_of<gpu>(mmm::matrix_multiply_in_registers, side, mmm::threads(p)).time <
          mmm::cost_of<gpu>(mmm::matrix_multiply, side, mmm::threads(p), mmm::tile(32)).time);
  }
  CHECK(picked > 15);
  CHECK(!mmm::detail::fastest_prefix_sums<>::one_pass(gpu(), 1000, 132 * 256));
  CHECK(!mmm::detail::fastest_product::in_registers(gpu(), {64, 64, 64}, 132 * 256));
  CHECK(!mmm::detail::fastest_product::in_registers(gpu(), {4096, 4096, 4096}, 132 * 128));
  using product = mmm::detail::fastest_product;
  for (mmm::index const t : {128, 256}) {
    CAPTURE(t);
    CHECK(product::in_registers<product::larger_tiles>(gpu(), {128, 16, 128 * 264}, 132 * t));
    CHECK(product::in_registers<product::larger_tiles>(gpu(), {128, 16, 128}, 132 * t, 264));
    CHECK(!product::in_registers<product::larger_tiles>(gpu(), {128, 16, 128 * 263}, 132 * t));
  }
  CHECK(!product::in_registers<product::larger_tiles>(gpu(), {128, 16, 128 * 264}, 132 * 127));
}

TEST_CASE("on a GPU the candidate of the least predicted time is taken") {
  using mmm::detail::chosen_candidate;
  using mmm::detail::timed_candidate;
  using quarters = mmm::gpu::split<mmm::gpu::h100, 4>;
  static_assert(mmm::gpu::detail::whole(quarters::facts).sms == 132);
  static_assert(mmm::gpu::detail::whole(quarters::facts).max_threads_per_block == 1024);
  static_assert(mmm::gpu::detail::whole(mmm::gpu::h100::facts).shared_bytes_per_block ==
                mmm::gpu::h100::shared_bytes_per_block);
  quarters const m;
  mmm::index const p = 528 * 256;
  for (mmm::index const n : {1000, 1 << 20, 1 << 28}) {
    CAPTURE(n);
    auto const time = [&](auto const& algorithm) {
      return mmm::predict<mmm::gpu::h100>(m, algorithm, mmm::size(n), mmm::threads(p)).microseconds;
    };
    bool const wide_is_faster = time(mmm::sum_wide) <= time(mmm::sum);
    auto const wide = [n](auto const& run) { return run(mmm::sum_wide, mmm::size(n)); };
    auto const literal = [n](auto const& run) { return run(mmm::sum, mmm::size(n)); };
    for (int k = 0; k < 2; ++k)  // found, and kept
      CHECK(chosen_candidate(m, 4, {n}, timed_candidate{true, p, wide},
                             timed_candidate{true, p, literal}) == (wide_is_faster ? 0 : 1));
    CHECK(chosen_candidate(m, 4, {n}, timed_candidate{true, p, literal},
                           timed_candidate{true, p, wide}) ==
          (time(mmm::sum) <= time(mmm::sum_wide) ? 0 : 1));
    CHECK(chosen_candidate(m, 4, {n}, timed_candidate{false, p, wide},
                           timed_candidate{true, p, literal}) == 1);
    CHECK(chosen_candidate(m, 4, {n}, timed_candidate{false, p, wide},
                           timed_candidate{false, p, literal}) == -1);
    CHECK(chosen_candidate(gpu(), 4, {n}, timed_candidate{true, 132, literal},
                           timed_candidate{true, 132, wide}) == 0);
  }
  mmm::detail::recent_choices known;
  for (mmm::index const n : {1000, 1001, 1 << 20, 1 << 28})
    known.slot({n, 0, 0, {p}}) = {{n, 0, 0, {p}}, static_cast<int>(n % 7)};
  for (mmm::index const n : {1000, 1001, 1 << 20, 1 << 28}) {
    CAPTURE(n);
    CHECK(known.slot({n, 0, 0, {p}}).key == mmm::detail::problem_key{n, 0, 0, {p}});
    CHECK(known.slot({n, 0, 0, {p}}).candidate == n % 7);
  }
  // Each candidate's threads are of the key: here those of the first of six.
  auto const constant = [](mmm::index threads, double time) {
    return timed_candidate{true, threads, [time](auto const&) { return time; }};
  };
  auto const first_of_six = [&](mmm::index threads, double time) {
    return chosen_candidate(m, 4, {6}, constant(threads, time), constant(p, 2), constant(p, 3),
                            constant(p, 4), constant(p, 5), constant(p, 6));
  };
  CHECK(first_of_six(16, 1) == 0);
  CHECK(first_of_six(32, 9) == 1);
  // The same number of keys takes longer with 8 bytes each.
  auto const time_of = [&](mmm::index bytes) {
    double time = 0;
    auto const wide = [&](auto const& run) {
      return time = run(mmm::sum_wide, mmm::size(1 << 28));
    };
    static_cast<void>(mmm::detail::quickest_candidate(m, bytes, timed_candidate{true, p, wide}));
    return time;
  };
  CHECK(time_of(8) > 1.7 * time_of(4));
}

TEST_CASE("few words are folded and scanned by one block on a GPU, more by small blocks") {
  launching_handle<mmm::gpu::h100> const on{132 * 1024};
  struct found {
    std::string algorithm;
    mmm::index threads;
    bool operator==(found const&) const = default;
  };
  auto const quickest = [&](auto const& entry, auto const& handle, mmm::index n) {
    found best;
    entry.with_quickest(handle, n, 4, [&](auto const& on_them, auto const& algorithm) {
      best = {algorithm.name, on_them.threads()};
    });
    return best;
  };
  mmm::detail::fastest_sum const sum;
  mmm::detail::fastest_prefix_sums<> const scan;
  mmm::detail::fastest_prefix_sums<true> const exclusive;
  mmm::index const small = 132 * 256;
  for (mmm::index const n : {1, 1000, 4096}) {
    CAPTURE(n);
    CHECK(quickest(sum, on, n) == found{"sum-in-one-block", small});
    CHECK(quickest(scan, on, n) == found{"prefix-sums-in-one-block", small});
    CHECK(quickest(exclusive, on, n) == found{"exclusive-prefix-sums-in-one-block", small});
  }
  CHECK(quickest(sum, on, 1 << 16) == found{"sum-wide", small});
  CHECK(quickest(scan, on, 1 << 16) == found{"prefix-sums-one-pass", small});
  CHECK(quickest(sum, on, 1 << 28) == found{"sum-wide", 132 * 1024});
  // Too few threads for blocks of 256, and no GPU:
  CHECK(quickest(sum, launching_handle<mmm::gpu::h100>{132 * 128}, 1000).threads == 132 * 128);
  CHECK(quickest(sum, launching_handle<gpu>{132 * 1024}, 1000) == found{"sum-wide", 132 * 1024});
}

TEST_CASE("products on a GPU: the ranking of those like it, and what the machine allows") {
  using product = mmm::detail::fastest_product;
  using shape = mmm::product_shape;
  auto const typical = [](shape const& s, mmm::index products) {
    shape const like = product::typical(s, products, 132);
    return std::array<mmm::index, 3>{like.rows, like.inner, like.columns};
  };
  using sides = std::array<mmm::index, 3>;
  CHECK(typical({0, 0, 0}, 1) == sides{0, 0, 0});
  CHECK(typical({1, 1, 1}, 1) == sides{32, 16, 32});
  CHECK(typical({100, 500, 129}, 1) == sides{128, 512, 256});
  CHECK(typical({100, 5000, 129}, 3) == sides{384, 512, 256});
  // 23 x 23 tiles are more than two for each of 132 DMMs
  CHECK(typical({23 * 128, 16, 23 * 128}, 1) == sides{12 * 128, 16, 12 * 128});
  mmm::index const huge = mmm::index{1} << 40;
  CHECK(typical({1, 1, huge}, 1) == sides{32, 16, 264 * 128});
  CHECK(typical({huge, huge, huge}, huge)[1] == 512);

  // Submatrices in shared memory are chosen where registers cannot transpose.
  auto const taken = [](auto const& machine, mmm::index t, shape const& s) {
    return product::chosen(handle<decltype(machine)>{machine.dmms() * t},
                           mmm::matrix_multiply_in_more_registers, 4, s, 1);
  };
  mmm::gpu::split<mmm::gpu::h100, 2> const halves;
  for (mmm::index const t : {128, 256}) {
    CAPTURE(t);
    CHECK(taken(halves, t, {1024, 1024, 1024}) == 4);
    CHECK(taken(halves, t, {8192, 8192, 8192}) == 0);
  }
  CHECK(taken(halves, 64, {1024, 1024, 1024}) == 2);  // too few threads for the others

  // Halves by tensor cores; by warpgroups where the kernel has their code.
  auto const of_halves = [](mmm::index t, mmm::index n, bool warpgroups) {
    return product::chosen(handle<mmm::gpu::h100>{132 * t}, mmm::matrix_multiply_in_more_registers,
                           2, {n, n, n}, 1, true, warpgroups);
  };
  // The two tiles on tensor cores are predicted within a few percent of each other.
  int const without = of_halves(384, 4096, false);
  CHECK((without == 5 || without == 6));
  CHECK(of_halves(384, 4096, true) == 7);
  CHECK(of_halves(384, 1024, true) == 8);
  int const too_few_threads = of_halves(256, 4096, true);
  CHECK((too_few_threads == 5 || too_few_threads == 6));
}

TEST_CASE("convolutions on a GPU: transforms only where they are accepted and quicker") {
  using entry = mmm::detail::fastest_convolution;
  using gpu_of_thirds = mmm::gpu::split<mmm::gpu::h100, 3>;
  handle<gpu_of_thirds> const on{gpu_of_thirds().dmms() * 256};
  mmm::index const n = 1 << 22;
  for (mmm::index const m : {32, 1024, 4096, 4097}) {
    CAPTURE(m);
    CHECK(entry::chosen<false>(on, 4, n, mmm::taps(m)) == 0);
    CHECK(entry::chosen<true>(on, 4, n, mmm::taps(m)) == (m == 1024 ? 2 : 0));
  }
  // The longer transforms need the shared memory of a whole multiprocessor.
  handle<mmm::gpu::h100> const whole{mmm::gpu::h100().dmms() * 256};
  CHECK(entry::chosen<true>(whole, 4, n, mmm::taps(4096)) == 3);
  CHECK(entry::chosen<true>(handle<gpu>{132 * 256}, 4, n, mmm::taps(1024)) ==
        entry::chosen<false>(handle<gpu>{132 * 256}, 4, n, mmm::taps(1024)));
  static_assert(!entry::makes_transforms<int*, int*, int*, mmm::accept_fft_t>);
  static_assert(!entry::makes_transforms<float*, float*, float*>);
  static_assert(entry::makes_transforms<float*, float*, float*, mmm::accept_fft_t>);
  static_assert(
      entry::makes_transforms<int*, int*, int*, mmm::accept_fft_t, mmm::accumulate_in_t<double>>);
}

TEST_CASE("the default entries on every machine") {
  auto const check = [](auto const& on) {
    using side = checks::host_side;
    for (mmm::index const n : {0, 1, 60, 2000}) {
      checks::kernel_fold<side, std::int64_t>(named_sum{}, on, n);
      checks::kernel_scan<side, std::int64_t>(named_scan{}, on, n, true);
      checks::kernel_convolution<side, std::int64_t>(named_convolution{}, on, n, 5);
    }
    checks::kernel_product<side, std::int64_t>(named_product{}, on, mmm::product_shape(9, 5, 14));
  };
  using machine = mmm::hmm<2, 4, 1, 10, mmm::dynamic>;
  for (mmm::index const capacity : {mmm::unlimited, mmm::index{2100}})
    check(mmm::host_threads(machine(capacity), mmm::threads(16)));
  check(mmm::host_threads<mmm::hmm<2, 3, 1, 10>>(mmm::threads(6)));
}
