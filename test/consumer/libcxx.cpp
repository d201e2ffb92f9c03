// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library with a standard library that is not libstdc++ (libcxx.py): exceptions, a simulation,
// a triangulation on data.
#include <mmm/mmm.hpp>
#include <mmm/report.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#if !defined(_LIBCPP_VERSION)
#error compile with -stdlib=libc++
#endif

static_assert(mmm::assert_conflict_free<mmm::dmm<32, 1>, mmm::xor_swizzled(32, 32)(mmm::item, 0)>);

namespace {

int failed = 0;

void demand(bool holds, char const* what) {
  if (!holds) std::printf("wrong: %s\n", what);
  failed += holds ? 0 : 1;
}

template <class Exception, class F>
void demand_text(F const& f, std::string const& text) {
  try {
    f();
  } catch (Exception const& e) {
    return demand(e.what() == text, e.what());
  }
  demand(false, text.c_str());
}

}  // namespace

int main() {
  std::vector<float> x(100, 1.0F);
  auto const sum = mmm::simulate<mmm::hmm<2, 4, 1, 10, 100>>(
      mmm::threads(8), [&](auto on) { return mmm::sum(on, x.begin(), x.end()); });
  demand(sum.result == 100, "the sum of 100 ones");
  std::vector<double> const weights(25, 1.0);
  auto const triangulation = mmm::simulate<mmm::umm<4, 1>>(
      mmm::threads(8), [&](auto on) { return mmm::triangulation(on, weights.begin(), 5); });
  demand(triangulation.result.chords.size() == 2, "two chords of a pentagon");
  demand_text<std::invalid_argument>([] { static_cast<void>(mmm::threads(-3)); },
                                     "mmm: the number of threads is -3; accepted: 1 or more");
  demand_text<std::overflow_error>([] { mmm::detail::reject_overflow("a sum"); },
                                   "mmm: a figure does not fit into 64 bits: a sum");
  demand_text<std::length_error>([] { mmm::detail::reject_length("words", 3, 2); },
                                 "mmm: words: 3 needed, 2 available");
  demand_text<std::invalid_argument>(
      [&] {
        mmm::simulate<mmm::dmm<4, 1>>(mmm::threads(8), [&](auto on) {
          mmm::convolution(on, x.begin(), x.begin() + 3, x.begin(), x.end(), x.begin(),
                           x.begin() + 10);
        });
      },
      "mmm: the result overlaps the input; accepted: memory of its own");
  return failed;
}
