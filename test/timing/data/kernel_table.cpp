// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counted instructions of the timing model grow with the problem: by at least one for each
// request that a larger problem adds.
#include <mmm/timing/predict.hpp>

#include "../../../benchmark/instructions/cases.hpp"
#include "catch.hpp"

#include <string>
#include <vector>

namespace {

using mmm::index;

mmm::detail::program_demand doubled_demand(auto const& machine, index p, auto const& algorithm,
                                           mmm::size n, auto const&... more) {
  return mmm::detail::demand_of(machine, algorithm, mmm::size(2 * n.count), mmm::threads(p),
                                more...);
}

double instructions_of(mmm::kernel_code const& code, mmm::detail::program_demand const& d) {
  return code.per_warp * d.warps + code.per_step * d.steps + code.per_item * d.items +
         code.per_global * d.global_requests + code.per_shared * d.shared_requests +
         code.per_word * d.request_words;
}

//! Finds each counted kernel's row by its name and variant, and compares a case with one of twice
//! its size.
struct compared_sizes {
  int rows = 0;

  template <class T>
  [[nodiscard]] T const* copied(std::vector<T> const& host) const {
    return host.data();
  }

  void run(std::string const& kernel, index variant, auto const& machine, index p, auto const&,
           auto const& algorithm, mmm::size n, auto const&... more) {
    auto const small = mmm::detail::demand_of(machine, algorithm, n, mmm::threads(p), more...);
    auto const large = doubled_demand(machine, p, algorithm, n, more...);
    for (mmm::kernel_code const& code : mmm::detail::kernel_table)
      if (code.kernel == kernel && code.variant == variant) {
        ++rows;
        INFO(kernel << ", variant " << variant << ", n = " << n.count << ", p = " << p);
        CHECK(instructions_of(code, large) - instructions_of(code, small) >=
              large.global_requests + large.shared_requests - small.global_requests -
                  small.shared_requests);
      }
  }
  void run_on_halves(char const* kernel, index variant, auto const& machine, index p,
                     auto const& call, auto const& algorithm, auto const&... sizes) {
    run(kernel, variant, machine, p, call, algorithm, sizes...);
  }
  void run_on_keys(char const* kernel, auto const& machine, index p, auto const& call,
                   auto const& algorithm, mmm::size n) {
    run(kernel, 0, machine, p, call, algorithm, n);
  }
};

}  // namespace

TEST_CASE("counted instructions: at least one more for each request that a larger problem adds") {
  compared_sizes sizes;
  instructions::for_each_case(sizes);
  CHECK(sizes.rows > 200);  // each case has a row
}
