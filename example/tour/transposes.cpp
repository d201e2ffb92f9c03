// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transposes.hpp"

#include <mmm/algorithm/transpose/transpose.hpp>

#include "machines.hpp"
#include "measure.hpp"

#include <cstdint>
#include <utility>

namespace tour {
namespace {

using pixels = std::vector<std::uint32_t>;

pixels packed(tool::image const& picture) {
  pixels words;
  words.reserve(picture.samples.size() / 3);
  for (std::size_t k = 0; k + 2 < picture.samples.size(); k += 3)
    words.push_back(static_cast<std::uint32_t>(
        picture.samples[k] << 16 | picture.samples[k + 1] << 8 | picture.samples[k + 2]));
  return words;
}

tool::image unpacked(pixels const& words, index side) {
  tool::image picture{side, side, 3, {}};
  picture.samples.reserve(words.size() * 3);
  for (std::uint32_t const word : words)
    for (int shift = 16; shift >= 0; shift -= 8)
      picture.samples.push_back(static_cast<std::uint8_t>(word >> shift));
  return picture;
}

//! The transpose by a plain loop, with which every algorithm is compared.
pixels plainly_transposed(pixels const& words, index side) {
  pixels result(words.size());
  for (index row = 0; row < side; ++row)
    for (index column = 0; column < side; ++column)
      result[static_cast<std::size_t>(column * side + row)] =
          words[static_cast<std::size_t>(row * side + column)];
  return result;
}

template <class Algorithm, class... Machines>
void visit(transposes& found, Algorithm const& algorithm, pixels const& input,
           pixels const& expected, index side, index p, Machines const&... machines) {
  auto const on_one = [&](auto const& machine) {
    pixels work = input;
    found.measurements.push_back(measure(
        machine, algorithm, std::to_string(side) + " × " + std::to_string(side), p,
        [&](auto on) { algorithm(on, work.begin(), side); },
        [&](mmm::nothing) { return work == expected; }, mmm::size(side)));
    return work;
  };
  pixels last;
  ((last = on_one(machines)), ...);
  found.pictures.push_back(
      {algorithm.name, found.measurements.back().machine, unpacked(last, side)});
}

}  // namespace

transposes transpose_everywhere(tool::image const& square) {
  pixels const input = packed(square);
  index const side = square.width;
  pixels const expected = plainly_transposed(input, side);
  index constexpr p = 8192;
  transposes found;
  visit(found, mmm::transpose_straightforward, input, expected, side, p, pram{}, bpram{}, hmm{},
        umm{}, dmm{});
  visit(found, mmm::transpose_diagonal, input, expected, side, p, dmm{});
  visit(found, mmm::transpose_rotating, input, expected, side, p, umm{});
  return found;
}

}  // namespace tour
