// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmm-tour --output DIR [IMAGE [DATA]]
// An image transposed and a signal summed on simulated memory machines: a table, pictures, a page that shows them.
#include "page.hpp"
#include "pictures.hpp"
#include "sums.hpp"
#include "transposes.hpp"

#include <CLI/CLI.hpp>
#include <common/failure.hpp>
#include <common/image.hpp>
#include <common/numbers.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>

namespace {

namespace fs = std::filesystem;
using mmm::index;

constexpr index largest_side = 2048;
constexpr char const* samples = "/usr/share/matplotlib/mpl-data/sample_data";

struct arguments {
  fs::path output;
  fs::path image;
  fs::path data;
};

//! The file given, or the one that Debian's python-matplotlib-data brings.
fs::path chosen(fs::path const& given, char const* sample) {
  if (!given.empty()) return given;
  fs::path const file = fs::path(samples) / sample;
  if (!fs::exists(file))
    throw example::failure(file.string() +
                           " is not there: install Debian's python-matplotlib-data, or name an image and a data file");
  return file;
}

std::string counted(index n, char const* what) { return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s"); }

index total_time(std::vector<tour::measurement> const& all, std::string const& algorithm, std::string const& machine) {
  for (auto const& m : all)
    if (m.algorithm == algorithm && m.machine.starts_with(machine)) return m.cost.time;
  return 0;
}

bool take(arguments const& given) {
  fs::path const image_file = chosen(given.image, "grace_hopper.jpg");
  fs::path const data_file = chosen(given.data, "eeg.dat");
  example::image const picture = example::read_image(image_file, 3);
  example::numbers const signal = example::read_numbers(data_file);
  index const side = std::min({picture.width, picture.height, largest_side});
  example::image const square = example::centred_square(picture, side);
  auto const values = static_cast<index>(signal.values.size());

  std::error_code failed;
  fs::create_directories(given.output, failed);
  if (!fs::is_directory(given.output)) throw example::failure("cannot make the folder " + given.output.string());

  std::cout << "image  " << image_file.filename().string() << ", " << picture.width << " x " << picture.height
            << "; its middle " << side << " x " << side << ", a pixel in a word\n"
            << "data   " << data_file.filename().string() << ", " << counted(values, "number") << " (" << signal.format
            << ")\n"
            << "transposing ..." << std::flush;
  tour::transposes const turned = tour::transpose_everywhere(square);
  std::cout << " summing ..." << std::flush;
  tour::sums const added = tour::sum_everywhere(signal.values);
  std::cout << " drawing ...\n\n" << std::flush;

  std::vector<tour::measurement> all = turned.measurements;
  all.insert(all.end(), added.measurements.begin(), added.measurements.end());
  mmm::report::table const table = tour::as_table(all);
  bool const correct = std::all_of(all.begin(), all.end(), [](auto const& m) { return m.correct; });

  example::write_png(given.output / "original.png", square);
  std::vector<tour::figure> photographs{
      {"original.png", "The input: the middle " + std::to_string(side) + " × " + std::to_string(side) + " pixels."}};
  for (auto const& t : turned.pictures) {
    std::string const file = t.algorithm + ".png";
    example::write_png(given.output / file, t.picture);
    photographs.push_back({file, t.algorithm + " on the " + t.machine + ": " +
                                     counted(total_time(turned.measurements, t.algorithm, t.machine), "time unit") +
                                     "."});
  }
  auto const draw = [&](char const* file, std::string const& svg) { tour::write_file(given.output / file, svg); };
  draw("banks.svg", tour::banks_picture());
  draw("groups.svg", tour::groups_picture());
  draw("rounds-straightforward.svg", tour::straightforward_rounds());
  draw("rounds-diagonal.svg", tour::diagonal_rounds());
  draw("rounds-sum.svg", tour::sum_rounds(signal.values));
  // The sample is 800 rows of 4 channels, which the file does not say.
  index const channels = given.data.empty() ? 4 : signal.columns;
  std::string const name = data_file.filename().string();
  draw("signal.svg", tour::curves(signal.values, static_cast<std::size_t>(channels), name));

  std::string const intro =
      "<p>Every machine below is simulated: the data really move, every access is counted, and the closed form that the "
      "library computes without running anything has to give the same figures. <em>Time</em> counts rounds one after the "
      "other, as in the papers; <em>pipelined</em> lets warps overlap; <em>bound</em> is the time that no algorithm for "
      "the problem can beat, and <em>from</em> the limitation it comes from; <em>ratio</em> is time over bound. "
      "<em>Correct</em> means: the result is that of a plain loop, no two threads raced, and closed form and simulation "
      "agree.</p>\n<div class=\"wide\">" +
      mmm::report::html(table) + "</div>\n";
  std::vector<tour::section> const sections{
      {"", intro, {}},
      {"The picture, transposed",
       "<p>Each algorithm moves the same pixels; what differs is how long the memory takes.</p>\n", photographs, true},
      {"Why the straightforward transpose is slow on a shared memory",
       "<p>A DMM has 32 banks, each of which serves one word per time unit. A column lies in one bank; a diagonal goes through all of them.</p>\n",
       {{"banks.svg", "Left: 32 words of one bank, one after the other. Right: one word of each bank, all at once."}}},
      {"And on a global memory",
       "<p>A UMM serves one address group, 32 neighbouring words, per time unit. A column touches as many groups as it has "
       "rows; a rotated row stays within one.</p>\n",
       {{"groups.svg", "Left: every lane needs a group of its own. Right: all lanes share one."}}},
      {"Round by round, small enough to follow",
       "<p>A 4 × 4 array on a DMM with 4 banks and latency 5. Time runs to the right; a column is one pipeline stage.</p>\n",
       {{"rounds-straightforward.svg", "Columns pile up in one bank: the rounds that touch a column need more stages."},
        {"rounds-diagonal.svg",
         "The diagonal transpose makes more accesses, and every stage is full. So small an array hardly gains; the photograph does: see the table."}}},
      {"The signal, summed",
       "<p>" + counted(values, "number") +
           ". The tree on a DMM or UMM pays the latency once per level; the HMM folds most of it in "
           "fast shared memories.</p>\n",
       {{"signal.svg", "The data: " + name + ", " + counted(values, "number") + ", " + signal.format + "."},
        {"rounds-sum.svg", "The tree over its first values: half as many threads work at every level."}}}};
  tour::write_page(given.output / "index.html", "A tour of the memory machines", sections);

  std::cout << mmm::report::text(table) << "\nPage: " << (given.output / "index.html").string() << '\n';
  if (!correct) std::cerr << "mmm-tour: a result is wrong, see the table\n";
  return correct;
}

}  // namespace

int main(int count, char** values) {
  arguments given;
  CLI::App app("An image transposed and a signal summed on simulated memory machines.", "mmm-tour");
  app.add_option("--output", given.output, "Folder for the pictures and index.html; made if missing")->required();
  app.add_option("image", given.image,
                 "Image: " + example::image_extensions() +
                     ". Default: the photograph grace_hopper.jpg of Debian's python-matplotlib-data");
  app.add_option("data", given.data, "Numbers: text, .npy, .f32, .f64, .dat. Default: the EEG recording eeg.dat");
  try {
    app.parse(count, values);
  } catch (CLI::ParseError const& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return take(given) ? 0 : 1;
  } catch (std::exception const& error) {
    std::cerr << "mmm-tour: " << error.what() << '\n';
    return 2;
  }
}
