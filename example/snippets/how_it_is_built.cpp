// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One line for each way through the library: an expression, an estimate, a simulation, a kernel.
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mmm.hpp>

#include <vector>

// [expression]
constexpr auto column = mmm::item * 33;  // lane i asks for word 33 i
static_assert(mmm::assert_conflict_free<mmm::dmm<32, 1>, column>);
static_assert(mmm::cost_of<mmm::dmm<32, 1>>(column, mmm::size(1 << 20), mmm::threads(1024))
                  .stages == (1 << 20) / 32);
// [/expression]

// [program]
struct reverse {
  template <class On, class In, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, In a, mmm::index n, Out b) const {
    on.each(n, [=](auto i) { b[n - 1 - i] = mmm::load(a[i]); });
  }
};
// [/program]

int main() {
  std::vector<float> a(1000, 1.0F);
  std::vector<float> b(1000);
  // [runs]
  auto const arguments = [&](auto& on) {
    mmm::run(on, reverse{}, mmm::reads<float>(a.begin(), 1000), mmm::index{1000},
             mmm::writes<float>(b.begin(), 1000));
  };
  using machine = mmm::umm<32, 100>;
  auto const cost = mmm::estimate<machine>(mmm::threads(256), arguments);
  auto const run = mmm::simulate<machine>(mmm::threads(256), arguments);
  mmm::host_threads<machine> const threads(mmm::threads(256));
  arguments(threads);
  // [/runs]
  return cost.time == run.cost.time && run.race_count == 0 && b[0] == 1.0F ? 0 : 1;
}
