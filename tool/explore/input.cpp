// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input.hpp"

#include "comparison.hpp"
#include "permutations.hpp"

#include <common/failure.hpp>
#include <common/numbers.hpp>
#include <common/symbols.hpp>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string_view>

namespace explore {

namespace {

using tool::failure;

//! Bytes that a simulation needs for one word of the input: the data several times over, and who
//! used it, for races. Measured where a simulation without a trace is quick enough for sizes that
//! memory limits: from 2^17 to 2^19 words the resident memory grows by 22 to 27 bytes a word for
//! contiguous and stride accesses, 27 to 36 for sums, 38 to 43 and 60 to 96 for the prefix-sums; by
//! up to 176 for others. On clusters, whose nodes have copies of their words, by 42 to 69 for sums,
//! prefix-sums and summed area tables.
index bytes_per_word(options const& o, task const& t) {
  constexpr struct {
    std::string_view algorithm;
    index bytes;
  } measured[] = {
      {"contiguous", 35},         {"stride", 35},      {"sum", 45}, {"sum-on-one-dmm", 45},
      {"prefix-sums-simple", 55}, {"prefix-sums", 120}};
  if (!t.keep_trace && !o.network)
    for (auto const& [algorithm, bytes] : measured)
      if (o.algorithm->name == algorithm) return bytes;
  return 250;
}
constexpr index bytes_per_thread = 100;
constexpr index bytes_per_dmm = 10000;

constexpr index default_tile = 16;

//! Linux grants memory that it does not have and ends the program later; better to say so first.
void demand_memory(options const& o, task const& t, index words) {
  auto const pages = static_cast<index>(sysconf(_SC_PHYS_PAGES));
  index const available = pages / 10 * 9 * static_cast<index>(sysconf(_SC_PAGESIZE));
  // In floating point, which does not overflow.
  double const pattern =
      o.algorithm->shape == problem_shape::text ? static_cast<double>(o.extra.taps) : 0;
  double const needed =
      (static_cast<double>(words) + pattern) * static_cast<double>(bytes_per_word(o, t)) +
      static_cast<double>(t.threads) * bytes_per_thread +
      static_cast<double>(o.machine.dmms) * bytes_per_dmm;
  if (needed > static_cast<double>(available))
    throw failure(
        "--size " + std::to_string(t.size) +
        (o.algorithm->shape == problem_shape::text ? ", --taps " + std::to_string(o.extra.taps)
                                                   : "") +
        " with --threads " + std::to_string(t.threads) + " and --dmms " +
        std::to_string(o.machine.dmms) +
        (o.network ? " and --nodes " + std::to_string(o.network->nodes) : "") +
        " needs more memory than the " + std::to_string(available >> 30) +
        " GiB at hand; accepted: smaller ones, or --no-simulate for closed form and bounds alone");
}

constexpr char const* beyond_64_bits =
    "too large together; accepted: at most 2^63 - 1 words in all";

index words_of_one(options const& o, index size) {
  problem_shape const shape = o.algorithm->shape;
  if (shape == problem_shape::sequence || shape == problem_shape::text ||
      shape == problem_shape::inputs)
    return size;
  if (shape == problem_shape::windows) {
    if (size > INT64_MAX - o.extra.taps)
      throw failure("--size " + std::to_string(size) + " and --taps " +
                    std::to_string(o.extra.taps) + " are " + beyond_64_bits);
    return size + o.extra.taps - 1;
  }
  return shape == problem_shape::chain ? size + 1 : size * size;
}

//! The words of an algorithm's input, of all inputs in a bulk execution.
index words_of(options const& o, index size) {
  index const words = words_of_one(o, size);
  if (!o.algorithm->uses.inputs) return words;
  if (words > INT64_MAX / o.extra.inputs)
    throw failure("--inputs " + std::to_string(o.extra.inputs) + " of --size " +
                  std::to_string(size) + " are " + beyond_64_bits);
  return words * o.extra.inputs;
}

//! The largest size of which a file of so many numbers has all inputs of a bulk execution.
index largest_of_inputs(options const& o, index found) {
  bool const polygons = o.algorithm->shape == problem_shape::polygons;
  index const smallest = polygons ? 9 : 1;  // words of the smallest input
  std::string const has =
      "the file " + o.input->string() + " has " + std::to_string(found) + " numbers; accepted: ";
  if (found < smallest)
    throw failure(has + "9 or more, the table of 3 x 3 weights of a triangle, for each input");
  if (found / smallest < o.extra.inputs)
    throw failure(has + "--inputs of 1 to " + std::to_string(found / smallest) + ", not " +
                  std::to_string(o.extra.inputs) + (polygons ? ", of 3 x 3 weights each" : ""));
  index size = found / o.extra.inputs;
  if (!polygons) return size;
  auto side = static_cast<index>(std::sqrt(static_cast<double>(size)));
  while (side * side > size) --side;
  while ((side + 1) * (side + 1) <= size) ++side;
  return side;
}

//! Sides of matrices. Up to 2^31 the products of three, and their sums, are far from infinity.
void demand_sides(std::vector<double> const& sides, std::string const& file) {
  for (double const side : sides)
    if (!(side >= 1 && side <= 0x1p31 && side == std::floor(side)))
      throw failure("the file " + file + " has a matrix with a side of " + text_of(side) +
                    "; accepted: whole numbers from 1 to 2^31");
}

std::string from_file(options& o, task& t) {
  bool const text = o.algorithm->shape == problem_shape::text;
  auto [read, characters] =
      text ? tool::read_symbols(*o.input) : tool::symbols{tool::read_numbers(*o.input)};
  if (o.pattern && !characters)
    throw failure("--pattern is a text, but the symbols of " + o.input->string() +
                  " are numbers; accepted: a file with letters, or --taps");
  t.characters = characters;
  bool const square =
      o.algorithm->shape == problem_shape::square || o.algorithm->shape == problem_shape::polygon;
  bool const windows = o.algorithm->shape == problem_shape::windows;
  index const found = static_cast<index>(read.values.size());
  if (windows && found < o.extra.taps)
    throw failure("--taps is " + std::to_string(o.extra.taps) + "; accepted: 1 to " +
                  std::to_string(found) + ", which is what " + o.input->string() + " has");
  bool const chain = o.algorithm->shape == problem_shape::chain;
  if (chain && found < 2)
    throw failure("the file " + o.input->string() +
                  " has 1 number; accepted: 2 or more, the sides of a chain of matrices");
  if (chain) demand_sides(read.values, o.input->string());
  index const most = square                     ? largest_square(read)
                     : windows                  ? found - o.extra.taps + 1
                     : chain                    ? found - 1
                     : o.algorithm->uses.inputs ? largest_of_inputs(o, found)
                                                : found;
  t.size = o.size.value_or(most);
  if (t.size > most)
    throw failure("--size is " + std::to_string(t.size) + "; accepted: 1 to " +
                  std::to_string(most) + ", which is what " + o.input->string() + " has");
  std::string what = o.input->string() + ": " + read.format + ", ";
  what += (read.rows > 1 ? std::to_string(read.rows) + " rows of " : "") +
          std::to_string(read.columns) + (text ? " symbol" : " number") +
          (read.columns == 1 ? "" : "s");
  bool const all = static_cast<std::size_t>(words_of(o, t.size)) == read.values.size();
  if (!all) {
    std::string const side = std::to_string(t.size);
    what += !square         ? "; the first " + std::to_string(words_of(o, t.size)) + " are used"
            : read.rows > 1 ? "; cropped to the " + side + " x " + side + " in the middle"
                            : "; the first " + side + " * " + side + " are used, as a square";
    o.notes.push_back(what);
  }
  if (!o.simulate) return what;
  demand_memory(o, t, words_of(o, t.size));
  if (square) {
    t.words = middle_square(read, t.size);
  } else {
    read.values.resize(static_cast<std::size_t>(words_of(o, t.size)));
    t.words = std::move(read.values);
  }
  if (o.algorithm->uses.permutation) demand_permutation(t.words, o.input->string());
  return what;
}

std::string from_seed(options const& o, task& t) {
  t.size = o.size.value_or(default_size(o.algorithm->shape));
  index const words = words_of(o, t.size);
  if (!o.simulate) return "none: nothing was simulated";
  demand_memory(o, t, words);
  if (o.algorithm->uses.permutation) {
    t.words = permutation_named(o.permutation, t.size, o.seed);
    std::string const what = "the permutation " + o.permutation;
    return what + (o.permutation == "random" ? " of seed " + std::to_string(o.seed) : "");
  }
  std::mt19937_64 random(o.seed);
  t.words.resize(static_cast<std::size_t>(words));
  // Whole numbers, so that sums are exact in any order; many different ones, so that a word in a
  // wrong place shows. Texts are of four letters, and sides of matrices from 1 to 128, so that
  // products are exact, too.
  bool const chain = o.algorithm->shape == problem_shape::chain;
  int const unused_bits = o.algorithm->shape == problem_shape::text ? 62 : chain ? 57 : 44;
  for (double& x : t.words) x = static_cast<double>((random() >> unused_bits) + (chain ? 1 : 0));
  return "random numbers of seed " + std::to_string(o.seed);
}

}  // namespace

std::string prepare_input(options& o, task& t) {
  t.threads = o.threads;
  t.extra = o.extra;
  t.seed = o.seed;
  t.simulate = o.simulate;
  t.keep_trace = o.trace.has_value() || o.svg.has_value() || o.html.has_value();
  std::string const input = o.input ? from_file(o, t) : from_seed(o, t);
  if (t.extra.tile == 0) t.extra.tile = std::min<index>(default_tile, t.size);
  return input;
}

}  // namespace explore
