// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"
#include "processes.hpp"

#include <cstddef>
#include <vector>

// Algorithm objects on MPI's processes: results are those of one node on the whole sequence. For
// sizes of 0, of fewer words than processes, and sizes that the processes do not divide; and for
// parts of very different sizes, some of them empty.

namespace {

// Numbers without a pattern that a program could meet by chance; sums are exact in float.
std::vector<int> numbers(mmm::index n) {
  std::vector<int> words;
  for (mmm::index i = 0; i < n; ++i)
    words.push_back(static_cast<int>((i * i * 7 + i * 13) % 101) - 30);
  return words;
}

// How a whole sequence lies on the processes.
struct lying {
  std::vector<mmm::index> sizes;
  [[nodiscard]] mmm::index first(mmm::index rank) const {
    mmm::index sum = 0;
    for (mmm::index r = 0; r < rank; ++r) sum += sizes[static_cast<std::size_t>(r)];
    return sum;
  }
  [[nodiscard]] mmm::index total() const { return first(static_cast<mmm::index>(sizes.size())); }
  template <class T>
  [[nodiscard]] std::vector<T> own(std::vector<T> const& whole) const {
    auto const begin = whole.begin() + static_cast<std::ptrdiff_t>(first(checks::own_rank()));
    return {begin, begin + static_cast<std::ptrdiff_t>(
                               sizes[static_cast<std::size_t>(checks::own_rank())])};
  }
};
std::vector<lying> all_lyings() {
  mmm::index const k = checks::number_of_processes();
  std::vector<lying> all;
  for (mmm::index const n : {mmm::index{0}, mmm::index{1}, k - 1, k, k + 1, mmm::index{1000}}) {
    lying x;
    mmm::block_distribution const parts(n, k);
    for (mmm::index r = 0; r < k; ++r) x.sizes.push_back(parts.words(r));
    all.push_back(x);
  }
  lying last_only{std::vector<mmm::index>(static_cast<std::size_t>(k), 0)};
  last_only.sizes.back() = 97;
  all.push_back(last_only);
  lying uneven;
  for (mmm::index r = 0; r < k; ++r) uneven.sizes.push_back(r % 2 == 1 ? 0 : 50 * r + 3);
  all.push_back(uneven);
  return all;
}

// Compares `call(on, own words)` with `call(one node, all words)`; both return the same type: a
// value, or the words that the call writes, of which a process has its own.
template <class Call>
void check_program(Call const& call) {
  auto const on = checks::processes();
  checks::node_handle const one(mmm::threads(1));
  for (lying const& parts : all_lyings()) {
    std::vector<int> const whole = numbers(parts.total());
    auto const expected = call(one, whole);
    auto const found = call(on, parts.own(whole));
    CAPTURE(parts.sizes);
    if constexpr (requires { expected.begin(); })
      CHECK(found == parts.own(expected));
    else
      CHECK(found == expected);
  }
}

}  // namespace

TEST_CASE("mpi: sums") {
  check_program(
      [](auto const& on, std::vector<int> const& a) { return mmm::sum(on, a.begin(), a.end()); });
  check_program([](auto const& on, std::vector<int> const& a) {
    return mmm::sum(on, a.begin(), a.end(), mmm::maximum{}, mmm::init(-1000));
  });
  check_program([](auto const& on, std::vector<int> const& a) {
    return mmm::sum(on, a.begin(), a.end(), mmm::init(0.5));
  });
}
