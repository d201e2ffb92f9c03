// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/scan/segmented_prefix_sums_on_nodes.hpp>

#include "support/affine_map.hpp"
#include "support/node_checks.hpp"

#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

using checks::affine_map;
using mmm::index;

//! Values whose operator does not commute, heads with segments of `length` words on average (0: no
//! head), and the results word by word.
struct example {
  std::vector<affine_map> a;
  std::vector<int> heads;
  std::vector<affine_map> inclusive;
  std::vector<affine_map> exclusive;
  affine_map start{5, 7};

  example(index n, unsigned length) {
    std::mt19937 random(static_cast<unsigned>(n) + length);
    affine_map sum = start;
    affine_map sum_without_start;
    for (index i = 0; i < n; ++i) {
      a.push_back({static_cast<unsigned>(random() | 1U), static_cast<unsigned>(random())});
      heads.push_back(length > 0 && random() % length == 0 ? 3 : 0);
      checks::composition const then;
      bool const begins = i == 0 || heads.back() != 0;
      exclusive.push_back(begins ? start : sum);
      sum = then(exclusive.back(), a.back());
      sum_without_start = begins ? a.back() : then(sum_without_start, a.back());
      inclusive.push_back(sum_without_start);
    }
  }
};

template <class M>
void segments(M const& m, index n, index p) {
  checks::composition const then;
  for (unsigned const length : {0U, 1U, 2U, 30U}) {
    example const x(n, length);
    CAPTURE(m.nodes(), n, p, length);
    auto out = x.a;
    // twice the node's factor: sizes do not divide
    checks::figures_on_nodes(m, mmm::segmented_prefix_sums, mmm::size(n), mmm::threads(p), false,
                             [&](auto on) {
                               mmm::segmented_prefix_sums(on, x.a.begin(), x.a.end(),
                                                          x.heads.begin(), out.begin(), then);
                             });
    CHECK(out == x.inclusive);
    out = x.a;
    checks::figures_on_nodes(m, mmm::exclusive_segmented_prefix_sums, mmm::size(n), mmm::threads(p),
                             false, [&](auto on) {
                               mmm::exclusive_segmented_prefix_sums(on, out.begin(), out.end(),
                                                                    x.heads.begin(), out.begin(),
                                                                    then, mmm::init(x.start));
                             });
    CHECK(out == x.exclusive);
  }
}

template <class Node>
void segments_on(Node const& node, index threads_of_node) {
  for (index const k : {1, 2, 5})
    for (index const n : {0, 1, 2, 4, 7, 50, 203})
      segments(mmm::cluster<mmm::dynamic, 3, 20, Node>(node, k), n, k * threads_of_node);
}

}  // namespace

TEST_CASE("segmented prefix-sums of a cluster") {
  segments_on(mmm::pram(), 3);
  segments_on(mmm::dmm<4, 5>(), 8);
  segments_on(mmm::hmm<2, 4, 1, 5, 24>(), 8);
}

TEST_CASE("segmented prefix-sums of a cluster without an operator") {
  std::vector<int> a{1, 2, 3, 4, 5, 6, 7};
  std::vector<std::int64_t> const heads{0, 0, 1, 0, 0, 0, 1};
  mmm::simulate<mmm::cluster<3, 1, 9, mmm::umm<4, 5>>>(mmm::threads(12), [&](auto on) {
    std::vector<int> sums(7);
    mmm::segmented_prefix_sums(on, a.begin(), a.end(), heads.begin(), sums.begin());
    CHECK(sums == std::vector<int>{1, 3, 3, 7, 12, 18, 7});
    mmm::exclusive_segmented_prefix_sums(on, a.begin(), a.end(), heads.begin(), sums.begin());
    CHECK(sums == std::vector<int>{0, 1, 0, 3, 7, 12, 0});
    CHECK_THROWS_AS(
        mmm::segmented_prefix_sums(on, a.begin(), a.begin() + 5, heads.begin(), a.begin() + 1),
        std::invalid_argument);
  });
}
