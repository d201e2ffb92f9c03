// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/call/perform.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/host_array.hpp>
#include <mmm/execution/arguments.hpp>

//! Programs that only read: each thread adds up the words that it reads in a register.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! A program of an access whose words each thread adds up in its register; the sums are results of
//! the program where the handle has a place for them.
template <class Access>
struct access_program {
  template <class On, class Sums, class Array, class... More>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Sums sums, Array a, More... more) const {
    using value = typename Array::value_type;
    auto r = on.template registers<value>();
    on.each(on.threads(), [=](auto i) { r[i] = value{}; });
    Access{}(on, a, more..., r);
    if constexpr (requires { on.keep(r, sums); }) on.keep(r, sums);
  }
};

//! Runs `access(on, array, more …)` and returns the sum of all words read; the threads' sums are
//! added up free of cost.
template <class Access, class On, class Array, class... More>
[[nodiscard]] constexpr auto total_of_threads(On& on, Access const&, Array const& array,
                                              More const&... more) {
  using value = typename Array::value_type;
  access_program<Access> const program{};
  if constexpr (lacks_data<Array>) {
    perform(on, program, no_data{}, array, more...);
    return value{};
  } else {
    host_array<value> sums(on.threads());
    perform(on, program, writes_to_host(sums.data(), on.threads()), array, more...);
    value total{};
    for (index i = 0; i < sums.size(); ++i) total = static_cast<value>(total + sums[i]);
    return total;
  }
}

}  // namespace mmm::detail
MMM_BODIES_END
