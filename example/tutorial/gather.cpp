// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers: bounds without data, exact costs with data (docs/data-dependent-accesses.md).
// [bounds]
#include <mmm/mmm.hpp>
#include <mmm/report.hpp>

#include <algorithm>
#include <iostream>
#include <random>
#include <vector>

using shared = mmm::dmm<32, 7>;
constexpr mmm::index n = 1024;
constexpr auto threads = mmm::threads(256);

//! The cost of b[i] = a[where[i]], were the number that is read from where[i] the expression
//! guess(i).
template <class Guess>
constexpr mmm::cost gather_as_if(Guess guess) {
  return mmm::estimate<shared>(threads, [=](auto on) {
    auto const where = on.template allocate<int>(n);
    auto const a = on.template allocate<float>(n);
    auto const b = on.template allocate<float>(n);
    auto read = on.template registers<int>();
    on.each(n, [=](auto i) {
      read[i] = where[i];
      b[i] = a[guess(i)];
    });
  });
}

constexpr auto best = gather_as_if([](auto i) { return i; });
constexpr auto worst = gather_as_if([](auto i) { return i * 32 % n + i / 32; });  // a transpose
static_assert(best.stages == n / 32 * (1 + 1 + 1));
static_assert(worst.stages == n / 32 * (1 + 32 + 1));
// [/bounds]

// [data]
//! The cost of the same with the numbers in `where`.
mmm::cost gather(std::vector<int> where) {
  std::vector<float> a(n), b(n);
  auto const run = mmm::simulate<shared>(threads, [&](auto on) {
    auto const from = on.array(where.begin(), where.end());
    auto const in = on.array(a.begin(), a.end());
    auto const out = on.array(b.begin(), b.end());
    on.each(n, [=](auto i) { out[i] = in[mmm::load(from[i])]; });
  });
  return run.cost;
}

int main() {
  std::vector<int> where(n);
  std::mt19937 random(1);
  for (int& w : where) w = static_cast<int>(random() % n);
  std::cout << "best   " << mmm::report::text(best) << '\n'
            << "random " << mmm::report::text(gather(where)) << '\n';
  std::sort(where.begin(), where.end());
  std::cout << "sorted " << mmm::report::text(gather(where)) << '\n'
            << "worst  " << mmm::report::text(worst) << '\n';
}
// [/data]
