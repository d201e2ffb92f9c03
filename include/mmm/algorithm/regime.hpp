// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/parameters.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/machine/machine.hpp>

//! The conditions that decide which resource limits an image convolution or a matrix product on an
//! HMM (Nakano and Ito 2014, sections IV and VI). report/regime_text.hpp states them in words.
namespace mmm {

//! The resource that a condition is about.
enum class limited_by { bandwidth, parallelism };

//! One condition, `left <= right`.
struct regime_condition {
  index left = 0;
  index right = 0;
  [[nodiscard]] constexpr bool holds() const { return left <= right; }
  friend constexpr bool operator==(regime_condition const&, regime_condition const&) = default;
};

//! The largest of the four terms of theorems 5 and 8. The latency terms are hidden under their
//! conditions. The larger bandwidth term is that of the global memory if `global` holds, otherwise
//! that of the shared memories, which is the optimal speed-up wd.
struct regime {
  regime_condition global_latency;  //!< w L <= p, for all threads
  regime_condition shared_latency;  //!< w l <= threads per DMM
  regime_condition global;          //!< (2v + 1)^2 <= d for an image, m <= d for a product
  bool global_latency_hidden = false;
  bool shared_latency_hidden = false;
  mmm::limited_by limited_by = mmm::limited_by::parallelism;
  char const* work = "";  //!< the left side of `global`, as a formula
};

namespace detail {

template <hierarchical_machine M>
[[nodiscard]] constexpr regime make_regime(M const& m, threads p, index work, char const* formula) {
  if (p.count % m.dmms() != 0)
    reject("the number of threads", p.count, "a multiple of the machine's number of DMMs");
  regime r;
  r.global_latency = {checked_multiply(m.width(), m.global().latency()), p.count};
  r.shared_latency = {checked_multiply(m.width(), m.shared().latency()), p.count / m.dmms()};
  r.global = {work, m.dmms()};
  r.global_latency_hidden = r.global_latency.holds();
  r.shared_latency_hidden = r.shared_latency.holds();
  r.limited_by = r.global.holds() ? limited_by::bandwidth : limited_by::parallelism;
  r.work = formula;
  return r;
}

}  // namespace detail

//! The regime of an image convolution. The paper prints v^2 <= d for (2v + 1)^2 <= d.
template <hierarchical_machine M>
[[nodiscard]] constexpr regime regime_of(M const& m, threads p, radius kernel) {
  return detail::make_regime(m, p, kernel.area(), "(2v + 1)^2");
}
template <hierarchical_machine M>
[[nodiscard]] constexpr regime regime_of(threads p, radius kernel) {
  return regime_of(detail::machine_of<M>(), p, kernel);
}

//! The regime of a matrix product by m x m submatrices.
template <hierarchical_machine M>
[[nodiscard]] constexpr regime regime_of(M const& m, threads p, tile submatrix) {
  return detail::make_regime(m, p, submatrix.side, "m");
}
template <hierarchical_machine M>
[[nodiscard]] constexpr regime regime_of(threads p, tile submatrix) {
  return regime_of(detail::machine_of<M>(), p, submatrix);
}

}  // namespace mmm
