// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lower bounds in letters: each formula, evaluated as mmm::formula says, is the bound's figure.
#include <mmm/algorithm/convolution/convolution_by_fft.hpp>
#include <mmm/algorithm/sort/merge_sort.hpp>
#include <mmm/algorithm/sort/radix_sort.hpp>
#include <mmm/algorithm/strings/string_matching_in_bits.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using mmm::index;

//! The value of a formula by the rules of mmm::formula, for values of its letters.
class evaluation {
 public:
  evaluation(std::string_view text, std::map<char, index> const& values)
      : rest_(text), values_(values) {}
  index operator()() {
    index const value = sum();
    if (!rest_.empty()) throw std::invalid_argument("not read: " + std::string(rest_));
    return value;
  }

 private:
  bool take(std::string_view word) {
    std::string_view after = rest_;
    while (after.starts_with(' ')) after.remove_prefix(1);
    if (!after.starts_with(word)) return false;
    rest_ = after.substr(word.size());
    return true;
  }
  index sum() {
    index value = quotient();
    for (;;) {
      if (take("+"))
        value += quotient();
      else if (take("-"))
        value -= quotient();
      else
        return value;
    }
  }
  index quotient() {
    index const over = product();
    if (!take("/")) return over;
    index const under = factor();
    return over / under + (over % under != 0);
  }
  index product() {
    index value = factor();
    while (begins_factor()) value *= factor();
    return value;
  }
  [[nodiscard]] bool begins_factor() const {
    auto const at = rest_.find_first_not_of(' ');
    return at != std::string_view::npos && (std::isalnum(rest_[at]) != 0 || rest_[at] == '(');
  }
  index factor() {
    index const base = primary();
    if (!take("^")) return base;
    index value = 1;
    for (index power = primary(); power > 0; --power) value *= base;
    return value;
  }
  index extreme(bool largest) {
    index value = sum();
    while (take(",")) value = largest ? std::max(value, sum()) : std::min(value, sum());
    return closed(value);
  }
  index closed(index value) {
    if (!take(")")) throw std::invalid_argument("no ) before: " + std::string(rest_));
    return value;
  }
  static index floor_log(index n) {
    index height = 0;
    while (n > 1) n /= 2, ++height;
    return height;
  }
  index primary() {
    if (take("log ")) {
      index const n = primary();
      if (!take("!")) return n <= 1 ? 0 : floor_log(n - 1) + 1;
      index sum = 0;
      for (index k = 1; k <= n; ++k) sum += floor_log(k);
      return sum;
    }
    if (take("max(")) return extreme(true);
    if (take("min(")) return extreme(false);
    if (take("(")) return closed(sum());
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    index number = 0;
    if (!rest_.empty() && std::isdigit(rest_[0]) != 0) {
      for (; !rest_.empty() && std::isdigit(rest_[0]) != 0; rest_.remove_prefix(1))
        number = 10 * number + (rest_[0] - '0');
      return number;
    }
    char const letter = rest_.empty() ? '?' : rest_[0];
    if (!rest_.empty()) rest_.remove_prefix(1);
    return values_.at(letter);
  }

  std::string_view rest_;
  std::map<char, index> const& values_;
};

std::mt19937 random_numbers(1);
index from_to(index low, index high) {
  return std::uniform_int_distribution<index>(low, high)(random_numbers);
}

//! The formula of each limitation has the figure's value.
template <class M, class A, class... More>
void agrees(M const& m, A const& algorithm, index p, std::map<char, index> values,
            More const&... more) {
  constexpr bool stated = [] {
    constexpr mmm::machine_kinds kinds = A::kinds;
    if constexpr (mmm::hierarchical_machine<M>)
      return kinds.hmm != 0;
    else
      return std::array{kinds.pram, kinds.bpram, kinds.dmm,
                        kinds.umm}[static_cast<std::size_t>(M::conflicts)] != 0;
  }();
  if constexpr (stated) {
    index const n = from_to(3, 1000);
    values['n'] = n;
    mmm::bound const bound = mmm::lower_bound(m, algorithm, mmm::size(n), mmm::threads(p), more...);
    mmm::bound_formula const formulas = mmm::lower_bound_formula(m, algorithm);
    bound.for_each(formulas, [&](char const* name, index figure, mmm::formula const& f) {
      CAPTURE(algorithm.name, name, f.letters, values);
      CHECK(evaluation(f.letters, values)() == figure);
    });
  }
}

//! Two words exchanged: T = 4.
struct four_steps {
  template <class Thread, class Words>
  MMM_HOST_DEVICE constexpr void operator()(Thread const&, Words a, index) const {
    auto const x = load(a[0]);
    auto const y = load(a[1]);
    a[0] = y;
    a[1] = x;
  }
};

//! All algorithms that are stated for the machine. values: of the machine's letters.
template <class M>
void all_agree(M const& m, index p, std::map<char, index> const& values) {
  auto const one = [&](auto const& algorithm, auto... more) {
    agrees(m, algorithm, p, values, more...);
  };
  one(mmm::contiguous);
  one(mmm::stride);
  one(mmm::sum);
  one(mmm::sum_on_one_dmm);
  one(mmm::prefix_sums);
  one(mmm::prefix_sums_simple);
  one(mmm::segmented_prefix_sums);
  one(mmm::exclusive_segmented_prefix_sums);
  one(mmm::summed_area);
  one(mmm::summed_area_1r1w);
  one(mmm::permutation);
  one(mmm::permutation_direct);
  one(mmm::sort);
  one(mmm::sort_pairs);
  one(mmm::radix_sort, mmm::key_bits(32));
  one(mmm::merge_sort);
  one(mmm::copy_through_shared);
  one(mmm::transpose_straightforward);
  one(mmm::transpose_diagonal);
  one(mmm::transpose_rotating);
  one(mmm::triangulation);
  one(mmm::triangulation_dp);
  one(mmm::matrix_chain);
  one(mmm::triangulation_blocked);
  auto const with = [&](auto const& algorithm, char letter, index value, auto... more) {
    std::map<char, index> more_values = values;
    more_values[letter] = value;
    agrees(m, algorithm, p, more_values, more...);
  };
  index const k = from_to(1, 3);
  with(mmm::convolution, 'm', 5 * k, mmm::taps(5 * k));
  with(mmm::convolution_by_fft, 'm', 5 * k, mmm::taps(5 * k));
  with(mmm::string_matching, 'm', 5 * k, mmm::taps(5 * k));
  with(mmm::lcs, 'm', 5 * k, mmm::taps(5 * k));
  with(mmm::string_matching_in_bits, 'm', 5 * k, mmm::taps(5 * k));
  with(mmm::image_convolution, 'v', k, mmm::radius(k));
  with(mmm::matrix_multiply, 'm', k, mmm::tile(k));
  with(mmm::histogram, 'm', 7 * k, mmm::bins(7 * k), mmm::spread::even);
  with(mmm::bulk(four_steps{}, mmm::by_rows), 'm', 7 * k, mmm::inputs(7 * k));
}

}  // namespace

TEST_CASE("a lower bound's formula in letters has the value of its figure") {
  using mmm::dynamic;
  for (int repeat = 0; repeat < 20; ++repeat) {
    index const p = from_to(1, 300);
    index const w = from_to(2, 64);
    index const l = from_to(1, 500);
    index const g = from_to(1, 3);
    all_agree(mmm::pram(), p, {{'p', p}, {'t', p}});
    all_agree(mmm::bpram<32>(), p, {{'p', p}, {'t', p}, {'w', 32}, {'l', 1}});
    std::map<char, index> const one{{'p', p}, {'t', p}, {'w', w}, {'l', l}, {'g', g}, {'T', 4}};
    all_agree(mmm::dmm<dynamic, dynamic>(w, l), p, one);
    all_agree(mmm::umm<dynamic, dynamic, dynamic>(w, l, g), p, one);
    index const d = from_to(1, 20);
    index const L = from_to(1, 500);
    std::map<char, index> const hmm{{'p', p * d}, {'t', p}, {'w', w}, {'l', l},
                                    {'L', L},     {'d', d}, {'g', g}};
    using machine = mmm::hmm<dynamic, dynamic, dynamic, dynamic, dynamic, dynamic>;
    all_agree(machine(d, w, l, L, mmm::unlimited, g), p * d, hmm);
  }
}

TEST_CASE("a formula has 79 characters at most") {
  mmm::formula const longest(std::string(79, 'n').c_str());
  CHECK(longest.letters == std::string(79, 'n'));
  CHECK_THROWS_AS(longest + "n", std::invalid_argument);
}
