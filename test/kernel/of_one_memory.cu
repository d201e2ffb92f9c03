// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The papers' algorithms on one memory, as kernels: compiled only (test/kernel/check.py).
// Values of threads stay in registers: only results are stored, in loops of which a compiler makes
// up to four copies.
// promise umm.*triangulation_kind.0: stack <= 8, spills <= 8, global stores <= 8
// promise umm.*triangulation_kind.2: stack <= 8, spills <= 8
// promise umm.*transpose_kind.2: global stores <= 10
// promise dmm<32, 30>, first_word_of<sum_program: bar.sync >= 1, barriers = 1
// A barrier without a step is one; the other one is that of the results' copy:
// promise dmm<32, 30>, .*loop_and_barrier<true>: bar.sync = 2
// promise dmm<32, 30>, .*loop_and_barrier<false>: bar.sync = 1
#include <mmm/execution/kernel/cuda.cuh>
#include <mmm/mmm.hpp>

namespace {

template <class On>
void on_any(On const& on, float* a, float* b, mmm::index n) {
  static_cast<void>(mmm::contiguous(on, a, a + n));
  static_cast<void>(mmm::stride(on, a, a + n));
  static_cast<void>(mmm::sum(on, a, a + n));
  mmm::prefix_sums_simple(on, a, a + n, b);
  mmm::prefix_sums(on, a, a + n, b);
  mmm::convolution(on, a, a + 32, a, a + n + 31, b, b + n);
  mmm::convolution_in_memory(on, a, a + 32, a, a + n + 31, b, b + n);
  mmm::transpose_straightforward(on, a, n);
}

template <bool Barrier>
struct loop_and_barrier {
  template <class On, class Array>
  MMM_HOST_DEVICE void operator()(On& on, Array a, mmm::index n) const {
    auto const r = on.template registers<float>();
    on.repeat(3, [&](auto k) {
      on.each_thread([=](auto i) { r[i] = r[i] + static_cast<float>(k); }, mmm::no_barrier);
    });
    if constexpr (Barrier) on.barrier();
    on.each(n, [=](auto i) { a[i] = 1; }, mmm::no_barrier);
  }
};

}  // namespace

void kernels_of_a_dmm(mmm::cuda::launcher<mmm::dmm<32, 30>> const& on, float* a, float* b,
                      mmm::index n) {
  on_any(on, a, b, n);
  mmm::run(on, loop_and_barrier<true>(), mmm::writes<float>(a, n), n);
  mmm::run(on, loop_and_barrier<false>(), mmm::writes<float>(a, n), n);
  mmm::transpose_diagonal(on, a, n);
  mmm::matrix_multiply(on, a, a, mmm::product_shape(n, n, n), b);
  mmm::image_convolution(on, a, mmm::shape(n, n), a, mmm::radius(2), b);
}

void kernels_of_a_umm(mmm::cuda::launcher<mmm::umm<32, 600>> const& on, float* a, float* b,
                      mmm::index n) {
  on_any(on, a, b, n);
  mmm::transpose_rotating(on, a, n);
  static_cast<void>(mmm::triangulation_dp(on, a, n));
  static_cast<void>(mmm::triangulation(on, a, n));
}
