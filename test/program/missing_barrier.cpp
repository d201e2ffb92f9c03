// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel whose threads read what others have just written: `kept` with the barrier between,
// `alone` with one that is no step's, `removed` without it, which a thread sanitizer is to find.
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mmm.hpp>

#include <cstdio>
#include <string_view>
#include <vector>

namespace {

template <class... End>
struct reversal {
  template <class On, class Array>
  void operator()(On& on, Array a, Array b, mmm::index n) const {
    on.each(n, [=](auto i) { a[i] = static_cast<int>(i); }, End{}...);
    on.each(n, [=](auto i) { b[i] = mmm::load(a[n - 1 - i]); });
  }
};

struct loop_before_barrier {
  template <class On, class Array>
  void operator()(On& on, Array a, Array b, mmm::index n) const {
    on.repeat(3, [&](mmm::index k) {
      on.each(n, [=](auto i) { a[i] = static_cast<int>(i + k - 2); }, mmm::no_barrier);
    });
    on.barrier();
    on.each(n, [=](auto i) { b[i] = mmm::load(a[n - 1 - i]); });
  }
};

template <class Program>
bool run(Program const& program) {
  constexpr mmm::index n = 64;
  std::vector<int> a(n);
  std::vector<int> b(n);
  mmm::host_threads<mmm::umm<4, 5>> const on(mmm::threads(8));
  using mmm::writes;
  mmm::run(on, program, writes<int>(a.data(), n), writes<int>(b.data(), n), n);
  return b.front() == n - 1 && b.back() == 0;
}

}  // namespace

int main(int count, char** arguments) {
  std::string_view const barrier = count == 2 ? arguments[1] : "";
  if (barrier == "kept") return run(reversal<>{}) ? 0 : 1;
  if (barrier == "alone") return run(loop_before_barrier()) ? 0 : 1;
  if (barrier == "removed") return run(reversal<mmm::no_barrier_t>{}) ? 0 : 1;
  std::fputs("missing_barrier kept|alone|removed\n", stderr);
  return 2;
}
