// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/image/image_convolution.hpp>
#include <mmm/algorithm/product/matrix_multiply.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/execution/simulate/simulate.hpp>
#include <mmm/report/chart.hpp>

#include "document.hpp"

#include <utility>
#include <vector>

namespace results {

namespace {

using mmm::report::curve;
constexpr index w = 32, shared_latency = 4, latency = 400;
using gpu = mmm::hmm<mmm::dynamic, w, shared_latency, latency>;

std::string picture(documents& files, std::string const& name, std::vector<curve> const& curves,
                    mmm::report::chart_text const& words) {
  files[name] = mmm::report::svg(curves, words);
  return "![" + words.title + "](" + name + ")\n\n";
}

//! Draws a figure with one curve for each of `kinds` against d = 1, 2, …, `max_dmms`.
template <class Kinds, class Name, class Time>
[[nodiscard]] std::vector<curve> against_dmms(Kinds const& kinds, index max_dmms, Name name,
                                              Time time) {
  std::vector<curve> curves;
  for (index const kind : kinds) {
    curve c{name(kind), {}, {}};
    for (index d = 1; d <= max_dmms; d *= 2) c.points.emplace_back(d, time(d, kind));
    curves.push_back(std::move(c));
  }
  return curves;
}

//! The time of a simulated convolution of a 1024 x 1024 image.
index simulated_image(index d, index p, index v) {
  constexpr index side = 1024;
  std::vector<float> const a(side * side, 1.0F);
  std::vector<float> const b(static_cast<std::size_t>(mmm::radius(v).area()), 1.0F);
  std::vector<float> c(a.size());
  auto const run = mmm::simulate(
      gpu(d), mmm::threads(d * p),
      [&](auto on) {
        mmm::image_convolution(on, a.begin(), mmm::shape(side, side), b.begin(), mmm::radius(v),
                               c.begin());
      },
      mmm::observe_cost);
  return run.cost.time;
}

constexpr index threads_of_a_dmm[] = {64, 128, 256, 512, 1024};

}  // namespace

std::string figures_of_nakano_ito_2014(documents& files) {
  mmm::size const n(1024);
  auto const image = [&](index d, index p, index v) {
    return mmm::cost_of(gpu(d), mmm::image_convolution, n, mmm::threads(d * p), mmm::radius(v))
        .time;
  };
  auto const product = [&](index d, index p, index m) {
    return mmm::cost_of(gpu(d), mmm::matrix_multiply, n, mmm::threads(d * p), mmm::tile(m)).time;
  };
  auto const by_threads = [](index p) { return "p = " + std::to_string(p); };
  std::string text = "## Figures 3 to 6 of Nakano and Ito 2014\n\n"
                     "The paper measured a GeForce GTX TITAN; these are the modelled times of a "
                     "1024 x 1024 problem on an HMM of width 32, l = 4, "
                     "L = 400, against the number d of DMMs (there: of CUDA blocks). Lines are "
                     "closed forms; the discs of figure 3 are simulations on "
                     "data.\n\n";

  auto third = against_dmms(threads_of_a_dmm, 256, by_threads,
                            [&](index d, index p) { return image(d, p, 3); });
  for (index const d : {1, 16, 256})
    third.back().marks.emplace_back(d, simulated_image(d, 1024, 3));
  text += "### Figure 3: image convolution, v = 3, p threads per DMM\n\n" +
          picture(files, "results-nakano-ito-2014-3.svg", third,
                  {"Image convolution, 1024 x 1024, v = 3", "d, DMMs"});
  text += "### Figure 4: image convolution, p = 1024, radius v\n\n" +
          picture(files, "results-nakano-ito-2014-4.svg",
                  against_dmms(
                      std::vector<index>{1, 2, 3, 4, 5}, 256,
                      [](index v) { return "v = " + std::to_string(v); },
                      [&](index d, index v) { return image(d, 1024, v); }),
                  {"Image convolution, 1024 x 1024, p = 1024", "d, DMMs"});
  text += "### Figure 5: matrix product, m = 32, p threads per DMM\n\n" +
          picture(files, "results-nakano-ito-2014-5.svg",
                  against_dmms(threads_of_a_dmm, 256, by_threads,
                               [&](index d, index p) { return product(d, p, 32); }),
                  {"Matrix product, 1024 x 1024, m = 32", "d, DMMs"});
  text += "### Figure 6: matrix product, p = 1024, tiles of m x m\n\n" +
          picture(files, "results-nakano-ito-2014-6.svg",
                  against_dmms(
                      std::vector<index>{16, 32, 64}, 256,
                      [](index m) { return "m = " + std::to_string(m); },
                      [&](index d, index m) { return product(d, 1024, m); }),
                  {"Matrix product, 1024 x 1024, p = 1024", "d, DMMs"});
  return text + "As in the paper, more DMMs and more threads help as long as they hide latency (wL "
                "<= dp, wl <= p); then a larger radius "
                "costs its (2v + 1)², and a larger tile saves global reads as long as m <= d.\n\n";
}

std::string figures_of_nakano_2014(documents& files) {
  auto const curve_of = [](auto const& machine, auto const& algorithm, char const* name,
                           index least, index most, index max_threads, index max_simulated) {
    curve c{name, {}, {}};
    for (index n = least; n <= most; n *= 2) {
      mmm::threads const p(n / 2 < max_threads ? n / 2 : max_threads);
      c.points.emplace_back(n, mmm::cost_of(machine, algorithm, mmm::size(n), p).time);
      if (n > max_simulated) continue;
      std::vector<float> a(static_cast<std::size_t>(n), 1.0F);
      auto const run = mmm::simulate(
          machine, p,
          [&](auto on) {
            if constexpr (requires { algorithm(on, a.begin(), a.end()); })
              static_cast<void>(algorithm(on, a.begin(), a.end()));
            else
              algorithm(on, a.begin(), a.end(), a.begin());
          },
          mmm::observe_cost);
      c.marks.emplace_back(n, run.cost.time);
    }
    return c;
  };
  auto const all = [&](auto const& machine, index least, index most, index max_threads,
                       index max_simulated) {
    return std::vector<curve>{
        curve_of(machine, mmm::sum, "sum", least, most, max_threads, max_simulated),
        curve_of(machine, mmm::prefix_sums_simple, "prefix-sums, simple", least, most, max_threads,
                 max_simulated),
        curve_of(machine, mmm::prefix_sums, "prefix-sums", least, most, max_threads, max_simulated),
    };
  };
  std::string text = "## Figure 8 of Nakano 2014\n\n"
                     "The sum and the prefix-sums with p = n/2 threads, at most 1024 in one shared "
                     "memory; w = 32. Lines are closed forms, discs "
                     "are simulations on data.\n\n";
  text += "### Shared memory: a DMM, l = 4\n\n" +
          picture(files, "results-nakano-2014-8-shared.svg",
                  all(mmm::dmm<w, shared_latency>(), 32, 4096, 1024, 4096),
                  {"On a DMM, l = 4", "n, words"});
  return text + "### Global memory: a UMM, l = 400\n\n" +
         picture(files, "results-nakano-2014-8-global.svg",
                 all(mmm::umm<w, latency>(), 1 << 10, 1 << 27, index{1} << 40, 1 << 18),
                 {"On a UMM, l = 400", "n, words"}) +
         "For few words the latency l log n decides, and the simple algorithm is the faster one: "
         "it has three accesses per level, the "
         "optimal one six. For many words its n log n accesses lose.\n";
}

}  // namespace results
