// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints for each counted case how often the parts of its kernel are executed, one object a line.
#include <mmm/timing/predict.hpp>

#include "cases.hpp"

#include <cstdio>
#include <vector>

namespace {

struct printing {
  template <class T>
  [[nodiscard]] static T* copied(std::vector<T> const&) {  // for calls, which are not made here
    return nullptr;
  }
  template <class M, class Call, class A, class... Sizes>
  void run(char const* kernel, mmm::index variant, M const& machine, mmm::index p, Call const&,
           A const& a, Sizes const&... sizes) const {
    auto const d = demand(machine, p, a, sizes...);
    std::printf("{\"kernel\": \"%s\", \"variant\": %lld, \"warps\": %.0f, \"steps\": %.0f, "
                "\"items\": %.0f, "
                "\"global\": %.0f, \"shared\": %.0f, \"words\": %.0f}\n",
                kernel, static_cast<long long>(variant), d.warps, d.steps, d.items,
                d.global_requests, d.shared_requests, d.request_words);
  }
  template <class M, class Call, class A, class... Sizes>
  void run_on_halves(char const* kernel, mmm::index variant, M const& machine, mmm::index p,
                     Call const& call, A const& a, Sizes const&... sizes) const {
    run(kernel, variant, machine, p, call, a, sizes...);
  }
  template <class M, class Call, class A, class... Sizes>
  void run_on_keys(char const* kernel, M const& machine, mmm::index p, Call const& call, A const& a,
                   Sizes const&... sizes) const {
    run(kernel, 0, machine, p, call, a, sizes...);
  }
  template <class M, class A, class Size, class... More>
  static auto demand(M const& m, mmm::index p, A const& a, Size const& n, More const&... more) {
    return mmm::detail::demand_of(m, a, n, mmm::threads(p), more...);
  }
};

}  // namespace

int main() {
  printing const all;
  instructions::for_each_case(all);
}
