// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/machine/machine.hpp>

//! Stages of one request: where machines and addresses meet (model.md, "Stages of one request").
namespace mmm::detail {

//! Distinct keys in buckets, at most `W` of them: what a bank or an address group is asked for.
template <int W>
class distinct_keys {
 public:
  constexpr distinct_keys() {
    for (int b = 0; b < W; ++b) head_[b] = -1;
  }
  //! Adds a key of a bucket in [0, W); returns how many distinct keys the bucket holds now, 0 if
  //! the key was there.
  constexpr int add(index key, int bucket) {
    int length = 1;
    for (int e = head_[bucket]; e >= 0; e = next_[e], ++length)
      if (key_[e] == key) return 0;
    key_[used_] = key;
    next_[used_] = head_[bucket];
    head_[bucket] = used_++;
    return length;
  }
  [[nodiscard]] constexpr int size() const { return used_; }

 private:
  int used_ = 0;
  int head_[W];
  int next_[W] = {};
  index key_[W] = {};
};

//! Stages of the addresses `at(0) … at(lanes - 1)` of the lanes for which `active(t)`, on banks or
//! address groups.
template <conflict Conflict, int W, class At, class Active>
[[nodiscard]] constexpr index count_stages(int lanes, At at, Active active) {
  distinct_keys<W> keys;
  index longest = 0;
  for (int t = 0; t < lanes; ++t) {
    if (!active(t)) continue;
    index const address = at(t);
    if constexpr (Conflict == conflict::banks) {
      longest = larger(longest, keys.add(address, static_cast<int>(floor_modulo(address, W))));
    } else {
      index const group = floor_divide(address, W);
      keys.add(group, static_cast<int>(floor_modulo(group, W)));
    }
  }
  return Conflict == conflict::banks ? longest : keys.size();
}

//! Stages of the addresses `first, first + stride, …` of `lanes > 0` lanes. Time: O(log) steps.
template <conflict Conflict, int W>
[[nodiscard]] constexpr index count_affine_stages(index first, index stride, int lanes) {
  if (stride == 0) return 1;
  if constexpr (Conflict == conflict::banks) {
    return ceil_divide(lanes, W / gcd(floor_modulo(stride, W), W));
  } else {
    if (stride >= W || stride <= -W) return lanes;
    index const last = first + stride * (lanes - 1);
    index const low = floor_divide(smaller(first, last), W);
    index const high = floor_divide(larger(first, last), W);
    return high - low + 1;
  }
}

}  // namespace mmm::detail
