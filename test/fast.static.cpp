// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exact times stated in the comments of the fast variants, and comparisons with the papers'
// variants.
#include <mmm/fast.hpp>

namespace {

using mmm::index;
using mmm::size;
using mmm::threads;

template <class M>
constexpr index up(index a, M const& m) {
  return (a + m.global().ports() - 1) / m.global().ports();
}

// --- copy and sum --------------------------------------------------------------------------------

using gpu = mmm::hmm<132, 32, 30, 600, 58368, 19>;

template <class M>
constexpr index copy_time(M const& m, index n, index p, index v) {
  return 2 * (n / (v * p)) * (up(v * p / M::width(), m) + m.global().latency() - 1);
}
constexpr bool copies(index n, index t) {
  gpu const m;
  auto const c = mmm::cost_of(m, mmm::copy_wide, size(n), threads(132 * t));
  return c.closed_form && c.time == copy_time(m, n, 132 * t, 4);
}
static_assert(copies(index{132} * 1024 * 4 * 2, 1024));  // two vecs of each thread at a time
static_assert(copies(index{132} * 1024 * 4 * 4, 1024));
static_assert(copies(index{132} * 1024 * 4 * 2000, 1024));
static_assert(mmm::cost_of<mmm::umm<32, 400>>(mmm::copy_wide, size(1 << 20), threads(1 << 10))
                  .time == 2 * 256 * (128 + 400 - 1));

//! Time of wide_tree_sum for u words, u <= w.
constexpr index tree_time(index u, index l) {
  index time = 0;
  for (; u % 4 == 0; u /= 4) time += 2 * l;
  for (; u > 1; u = (u + 1) / 2) time += 3 * l;
  return time;
}
template <class M>
constexpr index sum_time(M const& m, index n, index p) {  // w | t
  constexpr index v = 4, w = M::width();
  index const t = p / m.dmms();
  index const l = m.shared().latency();
  index const L = m.global().latency();
  return n / (v * p) * (up(v * p / w, m) + L - 1) + t / w + l - 1 + tree_time(t / w, l) + l +
         up(m.dmms(), m) + L - 1;
}
template <class M>
constexpr index last_sum_time(M const& m) {  // DMM 0 folds the d <= t sums
  index const rows = (m.dmms() + M::width() - 1) / M::width();
  index const l = m.shared().latency();
  index const L = m.global().latency();
  return up(rows, m) + L - 1 + rows + l - 1 + tree_time(rows, l) + l + L;
}
constexpr bool sums(index n) {
  gpu const m;
  auto const c = mmm::cost_of(m, mmm::sum_wide, size(n), threads(132 * 1024));
  return c.closed_form && c.time == sum_time(m, n, 132 * 1024) + last_sum_time(m);
}
static_assert(sums(index{132} * 1024 * 4));
static_assert(sums(index{132} * 1024 * 4 * 5));
static_assert(sums(index{132} * 1024 * 4 * 1999));
static_assert(mmm::cost_of<gpu>(mmm::sum_wide, size(1 << 28), threads(132 * 1024)).time * 3 <
              mmm::cost_of<gpu>(mmm::sum, size(1 << 28), threads(132 * 1024)).time * 2);

// --- prefix-sums ---------------------------------------------------------------------------------

constexpr bool scans(index passes, index t) {  // t a multiple of w, from 2 w to w^2
  gpu const m;
  index const d = 132, w = 32, l = 30, L = 600;
  auto const shared = [=](index words) { return (words + w - 1) / w + l - 1; };
  auto const global = [&](index stages) { return up(stages, m) + L - 1; };
  index const look_back = 2 * l + 2 * global(d);
  index const pass = 16 * global(4 * t / w * d) + 3 * shared(t) - 1 + 2 * l + look_back;
  auto const c =
      mmm::cost_of(m, mmm::prefix_sums_one_pass, size(passes * d * t * 32), threads(d * t));
  return c.closed_form && c.time == passes * pass;
}
static_assert(scans(1, 256));
static_assert(scans(60, 256));
static_assert(scans(3, 96));
static_assert(scans(1999, 1024));
static_assert(
    mmm::cost_of<gpu>(mmm::prefix_sums_one_pass, size(index{132} << 21), threads(132 * 1024)).time *
        2 <
    mmm::cost_of<gpu>(mmm::prefix_sums, size(index{132} << 21), threads(132 * 1024)).time);

// --- transpose -----------------------------------------------------------------------------------

template <index V>
constexpr bool transposes(index rows, index columns, index t) {
  gpu const m;
  constexpr mmm::detail::swizzled_transpose_algorithm<64, V> algorithm{};
  auto const c = mmm::cost_of(m, algorithm, mmm::shape(rows, columns), threads(132 * t));
  index const p = 132 * t;
  return c.closed_form && c.time == 2 * (rows * columns / (V * p)) *
                                        (up(V * p / 32, m) + 600 - 1 + V * t / 32 + 30 - 1);
}
static_assert(transposes<4>(64 * 132, 64 * 5, 256));
static_assert(transposes<4>(64 * 4, 64 * 33, 128));
static_assert(transposes<4>(64 * 132, 64 * 512, 256));

// Neither parallel-for of the transpose has bank conflicts: the accesses of the first and of the
// second are costed separately.
template <index Side, index V, index W>
constexpr bool free_of_conflicts() {
  using shared = mmm::dmm<W, 1>;
  constexpr index vecs = Side / V;
  constexpr mmm::vec_swizzle<V, W> swizzle{};
  auto const stages = [](auto const& access) {
    return mmm::estimate<shared>(threads(W),
                                 [&](auto& on) {
                                   auto const s = on.template allocate<float>(Side * Side);
                                   on.each(Side * vecs, [&](auto i) {
                                     static_cast<void>(load(mmm::wide<V>(s)[access(i)]));
                                   });
                                 })
        .stages;
  };
  bool right = stages([=](auto i) { return i / vecs * vecs + swizzle(i / vecs / V, i % vecs); }) ==
               Side * vecs * V / W;
  for (index k = 0; k < V; ++k)
    right = right && stages([=](auto i) {
                       return (i % vecs * V + k) * vecs + swizzle(i % vecs, i / vecs % vecs);
                     }) == Side * vecs * V / W;
  return right;
}
static_assert(free_of_conflicts<64, 4, 32>());
static_assert(free_of_conflicts<32, 2, 32>());
static_assert(free_of_conflicts<32, 4, 32>());
static_assert(free_of_conflicts<32, 1, 32>());
static_assert(free_of_conflicts<64, 8, 32>());
static_assert(free_of_conflicts<8, 4, 4>());
static_assert(free_of_conflicts<8, 2, 8>());

}  // namespace
