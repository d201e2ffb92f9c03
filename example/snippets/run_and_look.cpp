// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An algorithm on a simulated machine. With a folder as argument, the program draws
// docs/sum_rounds.svg there, and writes the page of docs/report_page.png.
// [includes]
#include <mmm/mmm.hpp>
#include <mmm/report.hpp>
// [/includes]

#include <fstream>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

int main(int count, char** values) {
  // [run]
  using machine = mmm::dmm<4, 5>;  // 4 banks, latency 5
  std::vector<float> a(20);
  std::iota(a.begin(), a.end(), 1.0F);

  auto const run = mmm::simulate<machine>(
      mmm::threads(8), [&](auto on) { return mmm::sum(on, a.begin(), a.end()); });

  std::cout << run.result << '\n'                   // 210
            << mmm::report::text(run.cost) << '\n'  // 18 rounds, 24 stages, 96 time units
            << run.pipelined_time << '\n'           // 91: requests of different warps overlap
            << run.race_count << '\n'               // 0
            << mmm::report::text(run.trace);        // one line per round
  // banks from top to bottom, time from left to right
  std::string const picture = mmm::report::svg(run.trace);
  // [/run]
  // [page]
  auto const why = mmm::report::explain<mmm::gpu::load<16>>(
      mmm::padded(32, 64, 8)(mmm::item, 0) * 4, "Rows of 72 floats, read 16 bytes at a time");
  mmm::report::page page("A tile, and a sum");
  page.add("Sixteen banks are asked for two words in every phase.").add(why);
  page.heading("The sum of 20 numbers by 8 threads").add(run);
  std::string const html = page.html();  // page.write("report.html") writes a file
  // [/page]
  if (count == 2) {
    std::ofstream(std::string(values[1]) + "/sum_rounds.svg")
        << mmm::report::svg(run.trace, "The sum of 20 numbers by 8 threads");
    page.write(std::string(values[1]) + "/report.html");
  }
  if (html.size() < 10000) return 1;
  return !(run.result == 210 && run.cost.time == 96 && run.pipelined_time == 91 &&
           run.race_count == 0 && picture.size() > 1000);
}
