// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"
#include "support/kernel_checks.hpp"
#include "support/long_tests.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

// Kernels on host threads, compared with plain loops. Under the thread sanitizer this also shows
// that no barrier is missing.

namespace {

using checks::host_side;
using mmm::host_threads;

std::vector<mmm::index> const sizes{0, 1, 2, 7, 33, 100};

}  // namespace

// The machines have latencies and capacities that are known only at run time, so that each kind of
// machine is one type, and its kernels are compiled once.

TEST_CASE("kernels of a dmm on host threads") {
  for (mmm::index const p : {1, 6})
    checks::all_kernels<host_side, std::int64_t>(
        host_threads(mmm::dmm<4, mmm::dynamic>(5), mmm::threads(p)), sizes);
}

TEST_CASE("kernels of a umm on host threads") {
  for (mmm::index const p : {1, 6})
    checks::all_kernels<host_side, float>(
        host_threads(mmm::umm<4, mmm::dynamic>(5), mmm::threads(p)), sizes);
  checks::kernel_fold<host_side, float>(
      mmm::sum, host_threads(mmm::umm<4, mmm::dynamic>(5), mmm::threads(300)), 999);
}

TEST_CASE("kernels of a pram on host threads") {
  checks::all_kernels<host_side, std::int32_t>(host_threads<mmm::pram>(mmm::threads(7)), sizes);
}

TEST_CASE("kernels of a hmm on host threads") {
  using machine = mmm::hmm<mmm::dynamic, 4, 2, 10, mmm::dynamic>;
  checks::all_kernels<host_side, double>(host_threads(machine(3, mmm::unlimited), mmm::threads(12)),
                                         sizes);
  checks::all_kernels<host_side, double>(host_threads(machine(2, 150), mmm::threads(6)), sizes);
}

TEST_CASE("segmented prefix-sums on host threads") {
  using machine = mmm::hmm<mmm::dynamic, 4, 2, 10, mmm::dynamic>;
  for (mmm::index const n : sizes)
    for (bool const in_place : {false, true}) {
      checks::kernel_segmented_scan<host_side, double>(
          host_threads(machine(2, 150), mmm::threads(6)), n, in_place);
      checks::kernel_segmented_scan<host_side, double>(
          host_threads(mmm::dmm<4, mmm::dynamic>(5), mmm::threads(6)), n, in_place);
      checks::kernel_segmented_scan<host_side, double>(
          host_threads(mmm::umm<4, mmm::dynamic>(5), mmm::threads(6)), n, in_place);
    }
}

TEST_CASE("host threads take any iterators, and convert") {
  std::vector<int> const a{1, 2, 3, 4, 5, 6, 7};
  std::vector<double> out(a.size());
  auto const on = host_threads<mmm::hmm<2, 4, 1, 9>>(mmm::threads(4));
  mmm::prefix_sums(on, a.begin(), a.end(), out.begin());
  CHECK(out == std::vector<double>{1, 3, 6, 10, 15, 21, 28});
  mmm::prefix_sums(on, a.rbegin(), a.rend(), out.rbegin());
  CHECK(out == std::vector<double>{28, 27, 25, 22, 18, 13, 7});
  std::vector<bool> const bits{true, false, true, true};
  CHECK(mmm::sum(on, bits.begin(), bits.end(), std::logical_and<>{}) == false);
}

namespace {

//! An iterator over a vector that throws when it reads beyond the end.
class within {
 public:
  using value_type = int;
  using difference_type = std::ptrdiff_t;
  using reference = int;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;
  within(std::vector<int> const& words, difference_type at) : words_(&words), at_(at) {}
  int operator*() const { return words_->at(static_cast<std::size_t>(at_)); }
  int operator[](difference_type i) const { return *(*this + i); }
  friend within operator+(within a, difference_type n) { return within(*a.words_, a.at_ + n); }
  friend difference_type operator-(within const& a, within const& b) { return a.at_ - b.at_; }
  friend bool operator==(within const& a, within const& b) { return a.at_ == b.at_; }

 private:
  std::vector<int> const* words_;
  difference_type at_;
};

}  // namespace

TEST_CASE("kernels do not read what is not there") {
  std::vector<int> const a(100, 1);
  within const first(a, 0);
  within const last(a, 100);
  std::vector<int> out(100);
  host_threads<mmm::hmm<3, 4, 1, 9>> const on(mmm::threads(12));
  CHECK(mmm::sum(on, first, last) == 100);
  CHECK(mmm::stride(on, first, last) == 100);
  mmm::copy_through_shared(on, first, last, out.begin());
  CHECK(out == a);
  mmm::prefix_sums(on, first, last, out.begin());
  CHECK(out.back() == 100);
  mmm::convolution(on, first, first + 7, first, last, out.begin(), out.begin() + 94);
  CHECK(out.front() == 7);
  mmm::matrix_multiply(on, first, first, mmm::product_shape(10, 7, 10), out.begin(), mmm::tile(4));
  CHECK(out == std::vector<int>(100, 7));
}

namespace {

// Reads and writes three words of each item, four of which it updates in place.
struct updates_in_place {
  template <class On, class Array>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Array a, mmm::index n) const {
    on.each(n, [=](auto i) {
      a[i] += 3;
      a[i] *= a[i];
      a[i + n] -= a[i] - 1;
      a[i] %= 7;
    });
  }
};

}  // namespace

TEST_CASE("updates in place: a read and a write, in every interpretation") {
  using machine = mmm::dmm<4, 3>;
  mmm::index const n = 37;
  std::vector<int> const start(74, 2);
  auto const estimated = [](mmm::index items) {
    return mmm::estimate<machine>(mmm::threads(8), [items](auto& on) {
      auto a = on.template allocate<int>(74);
      updates_in_place{}(on, a, items);
    });
  };
  CHECK(estimated(32).stages == (2 + 3 + 3 + 2) * 8);
  std::vector<int> kernel = start;
  auto on_threads = host_threads<machine>(mmm::threads(8));
  mmm::run(on_threads, updates_in_place{}, mmm::updates<int>(kernel.begin(), 74), n);
  std::vector<int> simulated = start;
  auto const run = mmm::simulate<machine>(mmm::threads(8), [&](auto on) {
    mmm::run(on, updates_in_place{}, mmm::updates<int>(simulated.begin(), 74), n);
  });
  CHECK(run.cost.stages == estimated(n).stages);
  for (std::size_t i = 0; i < 37; ++i) {
    CHECK(kernel[i] == 25 % 7);
    CHECK(kernel[37 + i] == 2 - (25 - 1));
  }
  CHECK(simulated == kernel);
}

TEST_CASE("registers for every number of threads") {
  // The same types as in the tests above, so that nothing is compiled twice.
  mmm::hmm<mmm::dynamic, 4, 2, 10, mmm::dynamic> const of_two(2, mmm::unlimited);
  mmm::umm<4, mmm::dynamic> const umm(5);
  // Some numbers of threads give one thread per element, others one per 32 elements; some leave
  // warps of 4 threads incomplete.
  std::vector<mmm::index> threads{1, 3, 4, 9, 31};
  if (checks::long_tests()) threads.insert(threads.end(), {2, 5, 100});
  for (mmm::index const p : threads) {
    auto const on = host_threads(of_two, mmm::threads(2 * p));
    for (mmm::index const m : {1, 4, 5, 9})
      if (m * m <= 32 * p)
        checks::kernel_product<host_side, double>(mmm::matrix_multiply, on,
                                                  mmm::product_shape(10, 7, 12), mmm::tile(m));
    for (mmm::index const v : {0, 2})
      checks::kernel_image<host_side, double>(mmm::image_convolution, on, mmm::shape(9, 10),
                                              mmm::radius(v));
    checks::kernel_triangulation<host_side>(mmm::triangulation_blocked, on, 11);
    for (mmm::index const side : {0, 1, 3, 8, 13, 16})
      checks::kernel_transpose<host_side, float>(mmm::transpose_rotating,
                                                 host_threads(umm, mmm::threads(p)), side);
    checks::kernel_triangulation<host_side>(mmm::triangulation_dp,
                                            host_threads(umm, mmm::threads(p)), 13);
  }
  std::vector<double> const a(100, 1.0);
  std::vector<double> out(100, 7.0);
  auto const on = host_threads(of_two, mmm::threads(2 * 3));
  CHECK_THROWS_WITH(mmm::matrix_multiply(on, a.begin(), a.begin(), mmm::product_shape(10, 10, 10),
                                         out.begin(), mmm::tile(10)),
                    Catch::Contains("34 needed, 32 available"));
  CHECK(out == std::vector<double>(100, 7.0));
}

TEST_CASE("host threads refuse what they cannot do") {
  using machine = mmm::hmm<2, 4, 1, 9, 16>;
  CHECK_THROWS_AS(host_threads<machine>(mmm::threads(3)), std::invalid_argument);
  CHECK_THROWS_AS(host_threads<machine>(mmm::threads(2048)), std::invalid_argument);
  std::vector<float> const a(100, 1.0F);
  std::vector<float> out(100, 7.0F);
  CHECK_THROWS_AS(mmm::copy_through_shared(host_threads<machine>(mmm::threads(4)), a.begin(),
                                           a.end(), out.begin()),
                  std::length_error);
  CHECK(out == std::vector<float>(100, 7.0F));
}

namespace {
struct throwing_plus {
  int operator()(int x, int y) const {
    if (y == 50) throw std::runtime_error("fifty");
    return x + y;
  }
};
}  // namespace

TEST_CASE("what an operator throws on host threads is thrown") {
  std::vector<int> a(100);
  for (int i = 0; i < 100; ++i) a[static_cast<std::size_t>(i)] = i;
  for (mmm::index const p : {1, 8})
    CHECK_THROWS_WITH(mmm::sum(host_threads<mmm::dmm<4, 5>>(mmm::threads(p)), a.begin(), a.end(),
                               throwing_plus{}),
                      "fifty");
}
