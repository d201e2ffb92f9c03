// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pictures.hpp"

#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/execution/simulate/simulate.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/report.hpp>

#include "machines.hpp"

#include <algorithm>
#include <numeric>

namespace tour {

using mmm::index;

std::string banks_picture() {
  // [banks]
  using shared = mmm::dmm<32, 16>;
  constexpr auto tile = mmm::row_major(32, 32);
  constexpr auto lane = mmm::item;
  return mmm::report::svg(
      {mmm::report::request_of<shared>(
           tile(lane, 0), "Straightforward: lane t reads row t, column 0", tile.words()),
       mmm::report::request_of<shared>(tile(lane, lane), "Diagonal: lane t reads row t, column t",
                                       tile.words())},
      "A warp of 32 threads reads one word from every row of a 32 × 32 array in a shared memory");
  // [/banks]
}

std::string groups_picture() {
  constexpr auto tile = mmm::row_major(32, 32);
  constexpr auto lane = mmm::item;
  return mmm::report::svg(
      {mmm::report::request_of<umm>(tile(lane, 0), "Straightforward: lane t reads row t, column 0",
                                    tile.words()),
       mmm::report::request_of<umm>(tile(5, (lane + 5) % 32),
                                    "Rotating, step 5: lane t reads row 5, column (t + 5) % 32",
                                    tile.words())},
      "A warp of 32 threads reads 32 words of a 32 × 32 array in a global memory");
}

namespace {
template <class Algorithm>
std::string transpose_rounds(Algorithm const& transpose, char const* title) {
  std::vector<int> a(16);
  auto const run =
      mmm::simulate<small_dmm>(mmm::threads(8), [&](auto on) { transpose(on, a.begin(), 4); });
  return mmm::report::svg(run.trace, small_dmm{}, title);
}
}  // namespace

std::string straightforward_rounds() {
  return transpose_rounds(mmm::transpose_straightforward,
                          "The straightforward transpose of a 4 × 4 array by 8 threads");
}
std::string diagonal_rounds() {
  return transpose_rounds(
      mmm::transpose_diagonal,
      "The diagonal transpose of the same array: every stage serves four banks");
}

std::string sum_rounds(std::vector<double> const& signal) {
  auto const n = std::min<std::size_t>(signal.size(), 20);
  std::vector<double> const first(signal.begin(), signal.begin() + static_cast<std::ptrdiff_t>(n));
  auto const run = mmm::simulate<small_dmm>(
      mmm::threads(8), [&](auto on) { return mmm::sum(on, first.begin(), first.end()); });
  return mmm::report::svg(run.trace, small_dmm{},
                          "The sum of the first " + std::to_string(n) + " values by 8 threads");
}

std::string curves(std::vector<double> const& values, std::size_t columns,
                   std::string const& title) {
  constexpr index width = 1100;
  constexpr index strip = 92;
  constexpr index margin = 30;
  constexpr std::size_t max_strips = 8;
  constexpr std::size_t max_points = 2200;
  if (columns < 1 || columns > max_strips || values.size() / columns < 2) columns = 1;
  std::size_t const rows = values.size() / columns;
  std::size_t const step = (rows + max_points - 1) / max_points;
  std::string body;
  for (std::size_t c = 0; c < columns; ++c) {
    double low = values[c];
    double high = values[c];
    for (std::size_t r = 0; r < rows; ++r) {
      low = std::min(low, values[r * columns + c]);
      high = std::max(high, values[r * columns + c]);
    }
    double const range = high > low ? high - low : 1;
    index const top = 56 + static_cast<index>(c) * strip;
    body += "<polyline fill=\"none\" stroke=\"#0072b2\" stroke-width=\"1.2\" points=\"";
    for (std::size_t r = 0; r < rows; r += step) {
      double const x = rows > 1 ? static_cast<double>(r) / static_cast<double>(rows - 1) : 0;
      double const y = (high - values[r * columns + c]) / range;
      body +=
          std::to_string(margin + static_cast<index>(x * static_cast<double>(width - 2 * margin))) +
          ',' + std::to_string(top + static_cast<index>(y * static_cast<double>(strip - 12))) + ' ';
    }
    body += "\"/>\n";
  }
  index const height = 70 + static_cast<index>(columns) * strip;
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
         "width=\"" +
         std::to_string(width) + "\" height=\"" + std::to_string(height) + "\" viewBox=\"0 0 " +
         std::to_string(width) + ' ' + std::to_string(height) +
         "\" font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\">\n<rect width=\"100%\" "
         "height=\"100%\" fill=\"#ffffff\"/>\n"
         "<text x=\"30\" y=\"34\" font-size=\"20\" font-weight=\"bold\" fill=\"#1a1a1a\">" +
         mmm::report::detail::escaped(title) + "</text>\n" + body + "</svg>\n";
}

}  // namespace tour
