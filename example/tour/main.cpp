// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmm-tour --output DIR [IMAGE [DATA]]
// Works on a picture and a recording with simulated memory machines: writes a table, pictures, and
// a page that shows them.
#include "covariances.hpp"
#include "filters.hpp"
#include "outline.hpp"
#include "page.hpp"
#include "pictures.hpp"
#include "signals.hpp"
#include "sums.hpp"
#include "transposes.hpp"
#include "triangulations.hpp"

#include <CLI/CLI.hpp>
#include <common/failure.hpp>
#include <common/image.hpp>
#include <common/numbers.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <utility>

namespace {

namespace fs = std::filesystem;
using mmm::index;

constexpr index largest_side = 2048;  // of the transposed picture
constexpr index outline_side = 200;   // of the picture whose outline is triangulated
constexpr index filter_side = 320;    // of the blurred picture
constexpr char const* samples = "/usr/share/matplotlib/mpl-data/sample_data";

struct arguments {
  fs::path output;
  fs::path image;
  fs::path data;
};

//! The given file, or a sample from Debian's package python-matplotlib-data.
fs::path chosen(fs::path const& given, char const* sample) {
  if (!given.empty()) return given;
  fs::path const file = fs::path(samples) / sample;
  if (!fs::exists(file))
    throw tool::failure(
        file.string() +
        " is not there: install Debian's python-matplotlib-data, or name an image and a data file");
  return file;
}

std::string counted(index n, char const* what) {
  return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

index total_time(std::vector<tour::measurement> const& all, std::string const& algorithm,
                 std::string const& machine) {
  for (auto const& m : all)
    if (m.algorithm == algorithm && m.machine.starts_with(machine)) return m.cost.time;
  return 0;
}

std::string size_of(index width, index height) {
  return std::to_string(width) + " × " + std::to_string(height);
}

//! A recording's channels, each at most as long as the tour accepts. A table of 2 to 8 columns has
//! one channel per column; any other data is one channel.
std::vector<tour::curve> channels_of(std::vector<double> const& values, index columns) {
  auto const all = static_cast<index>(values.size());
  if (columns < 2 || columns > 8 || all / columns < 2) columns = 1;
  index const length = std::min(all / columns, tour::max_samples);
  std::vector<tour::curve> channels(static_cast<std::size_t>(columns));
  for (index k = 0; k < length * columns; ++k)
    channels[static_cast<std::size_t>(k % columns)].push_back(values[static_cast<std::size_t>(k)]);
  return channels;
}

//! Writes the page step by step: runs a part of the tour, writes its pictures beside the page, adds
//! a section.
class guide {
 public:
  guide(fs::path folder, std::string data_name)
      : folder_(std::move(folder)), data_name_(std::move(data_name)) {}

  [[nodiscard]] std::vector<tour::measurement> const& measurements() const { return all_; }
  void write_page() const {
    tour::write_page(folder_ / "index.html", "A tour of the memory machines", sections_);
  }

  void introduce() {
    sections_.push_back(
        {"",
         "<p>A photograph is turned, blurred and cut into triangles; a recording is summed, "
         "filtered and multiplied. Programs for GPUs do it, on memories that are simulated. "
         "Every program gives the right result. What differs is how long the memory takes, and "
         "each picture below shows why.</p>\n"
         "<p>A <em>DMM</em> is a GPU's shared memory, a <em>UMM</em> its global memory, an "
         "<em>HMM</em> the whole GPU. <em>PRAM</em> and <em>BPRAM</em> have no banks, for "
         "comparison.</p>\n"
         "<p>In the tables, watch the <em>ratio</em>: how many times longer a program takes than "
         "any program for the problem must (<em>bound</em>; <em>from</em> says why it must). "
         "<em>Time</em> counts rounds one after the other, <em>pipelined</em> lets warps overlap. "
         "<em>Correct</em> means: the result is that of plain loops, no two threads raced, and the "
         "closed form, which is computed without running anything, has the same figures.</p>\n",
         {}});
  }

  void transpose(tool::image const& square) {
    tour::transposes const turned = tour::transpose_everywhere(square);
    std::vector<tour::figure> photographs{
        picture("original.png", square,
                "The input: the middle " + size_of(square.width, square.height) + " pixels.")};
    for (auto const& t : turned.pictures)
      photographs.push_back(picture(
          t.algorithm + ".png", t.picture,
          t.algorithm + " on the " + t.machine + ": " +
              counted(total_time(turned.measurements, t.algorithm, t.machine), "time unit") + "."));
    auto const on_dmm = [&](char const* algorithm) {
      return std::to_string(total_time(turned.measurements, algorithm, "DMM"));
    };
    sections_.push_back(
        {"1. A photograph is turned",
         "<p>All programs move the same pixels to the same places. Look at the two rows of the "
         "DMM: by rows it takes " +
             on_dmm("transpose-straightforward") + " time units, along diagonals " +
             on_dmm("transpose-diagonal") + ". Only the order of the accesses differs.</p>\n" +
             table_of(turned.measurements),
         photographs, true});
    sections_.push_back({"2. Why: 32 words in one bank",
                         "<p>A shared memory has 32 banks, each of which serves one word per time "
                         "unit. Follow the column on the left: all of its words lie in bank 0, and "
                         "31 of them wait. A diagonal goes through all banks.</p>\n",
                         {drawing("banks.svg", tour::banks_picture(),
                                  "Left: 32 words of one bank, one after the other. Right: one "
                                  "word of each bank, all at once.")}});
    sections_.push_back(
        {"3. The global memory has no banks, but rows",
         "<p>It serves 32 neighbouring words, an address group, per time unit. Each tinted row is "
         "moved as a whole: on the left 32 rows for 32 words, on the right one.</p>\n",
         {drawing("groups.svg", tour::groups_picture(),
                  "Left: every lane needs a group of its own. Right: all lanes share one.")}});
    sections_.push_back(
        {"4. The same, small enough to follow",
         "<p>A 4 × 4 array in a memory with 4 banks. Time runs to the right. A column is one "
         "stage, "
         "in which each bank serves at most one thread; white fields are banks that idle.</p>\n",
         {drawing(
              "rounds-straightforward.svg", tour::straightforward_rounds(),
              "Rounds 1 and 3 touch columns: three words queue at bank 0, the other banks idle."),
          drawing(
              "rounds-diagonal.svg", tour::diagonal_rounds(),
              "Along diagonals every stage is full. It makes more accesses, so that so small an "
              "array hardly gains; the photograph did.")}});
  }

  void triangulate(tool::image const& grey, tool::image const& colour) {
    tour::polygon const outline = tour::outline_of(grey);
    index const vertices = static_cast<index>(outline.vertices.size());
    tour::triangulated const cut = tour::triangulate(outline);
    sections_.push_back(
        {"5. An outline is cut into triangles",
         "<p>The photograph, made smaller (" + size_of(grey.width, grey.height) +
             " pixels), is parted into dark and light. Its longest outline, reduced to " +
             std::to_string(vertices) +
             " vertices, is cut into triangles so that the chords are as short as possible: a "
             "dynamic program, whose accesses to the global memory are nearly contiguous.</p>\n" +
             table_of(cut.measurements),
         {drawing("triangulation.svg", tour::mosaic(outline, cut.chords, colour),
                  std::to_string(cut.chords.size()) + " chords, together " +
                      std::to_string(std::lround(cut.weight)) +
                      " pixels long; each triangle has the mean colour of the pixels below it.")}});
  }

  static std::string box_caption(tour::filtered const& found) {
    std::string const side = std::to_string(2 * tour::box_radius + 1);
    return "Means of " + side + " × " + side + " pixels, out of the summed area table in " +
           std::to_string(found.box_time) + " time units; from the pixels it takes " +
           std::to_string(found.direct_time) + ".";
  }

  void filter(tool::image const& grey) {
    tour::filtered const found = tour::filter(grey);
    std::string const width = std::to_string(2 * tour::blur_radius + 1);
    sections_.push_back({"6. The photograph is blurred, and its edges are found",
                         "<p>A pixel of " + size_of(grey.width, grey.height) +
                             " is computed from its neighbours: " + width + " × " + width +
                             " for the blur, 3 × 3 for the edges. Every DMM copies a square, and a "
                             "margin around it, to its shared memory once and computes there: the "
                             "slow memory is asked once per pixel, not once per neighbour. Means "
                             "of squares are the four corners of a square in the summed area "
                             "table, for squares of any side.</p>\n" +
                             table_of(found.measurements),
                         {picture("blurred.png", found.blurred,
                                  "Blurred; what lies beyond the frame counts as black."),
                          picture("box.png", found.box, box_caption(found)),
                          picture("edges.png", found.edges,
                                  "The length of the gradient: bright where the picture changes.")},
                         true});
  }

  void sum(std::vector<double> const& values, std::size_t columns, std::string const& format) {
    tour::sums const added = tour::sum_everywhere(values);
    auto const count = counted(static_cast<index>(values.size()), "number");
    sections_.push_back(
        {"7. A recording is summed",
         "<p>" + count +
             " are added two by two, level by level. Compare the UMM's row with the HMM's: a tree "
             "in the slow memory waits for it at every level, one in the shared memories does "
             "not.</p>\n" +
             table_of(added.measurements),
         {drawing("signal.svg", tour::curves(values, columns, data_name_),
                  "The data: " + data_name_ + ", " + count + ", " + format + "."),
          drawing(
              "rounds-sum.svg", tour::sum_rounds(values),
              "The tree over its first values. At every level half as many words are left; towards "
              "the end nearly all time is waiting, hatched.")}});
  }

  void process(tour::curve const& channel) {
    tour::processed const found = tour::process(channel);
    std::vector<double> curves;
    for (std::size_t k = 0; k < channel.size(); ++k)
      curves.insert(curves.end(), {channel[k], found.smooth[k], found.integral[k]});
    sections_.push_back(
        {"8. A channel is filtered and integrated",
         "<p>The first " + counted(static_cast<index>(channel.size()), "sample") +
             " of the first channel. The filter is a convolution with " +
             std::to_string(tour::filter_taps) + " taps that halves an oscillation of " +
             std::to_string(tour::filter_period) +
             " samples; the integral is the prefix-sums of the values less their mean. Each sample "
             "is used " +
             std::to_string(tour::filter_taps) +
             " times, so that copies in the shared memories pay: compare the first two "
             "rows.</p>\n" +
             table_of(found.measurements),
         {drawing("filtered.svg",
                  tour::curves(curves, 3, data_name_ + ": as recorded, filtered, integrated"),
                  "From top to bottom: the channel, the same after the low-pass, its running sum. "
                  "Each has a scale of "
                  "its own.")}});
  }

  void covary(std::vector<tour::curve> const& channels) {
    tour::covariances const found = tour::covary(channels);
    sections_.push_back(
        {"9. The channels are compared",
         "<p>The covariance matrix of " + counted(static_cast<index>(channels.size()), "channel") +
             ", each at " + counted(found.lags, "lag") +
             ": the product of a matrix, a row for every channel and lag less its mean, with its "
             "transpose. A matrix product uses each word most often of all: nearly all accesses "
             "are to "
             "the shared memories.</p>\n" +
             table_of(found.measurements),
         {picture("covariance.png", tour::heat_map(found),
                  "A block for every two channels, a row and a column in it for every two lags. "
                  "Blue: they rise together; "
                  "orange: one falls as the other rises; the deeper, the more.")}});
  }

 private:
  tour::figure picture(std::string const& file, tool::image const& pixels,
                       std::string const& caption) const {
    tool::write_png(folder_ / file, pixels);
    return {file, caption};
  }
  tour::figure drawing(std::string const& file, std::string const& svg,
                       std::string const& caption) const {
    tour::write_file(folder_ / file, svg);
    return {file, caption};
  }
  //! The measurements of a part as HTML. They are also kept for the summary.
  std::string table_of(std::vector<tour::measurement> const& some) {
    all_.insert(all_.end(), some.begin(), some.end());
    return "<div class=\"wide\">" + mmm::report::html(tour::as_table(some)) + "</div>\n";
  }

  fs::path folder_;
  std::string data_name_;
  std::vector<tour::measurement> all_;
  std::vector<tour::section> sections_;
};

bool take(arguments const& given) {
  fs::path const image_file = chosen(given.image, "grace_hopper.jpg");
  fs::path const data_file = chosen(given.data, "eeg.dat");
  tool::image const picture = tool::read_image(image_file, 3);
  tool::image const grey = tool::read_image(image_file, 1);
  tool::numbers const signal = tool::read_numbers(data_file);
  index const side = std::min({picture.width, picture.height, largest_side});
  // The sample file contains 800 rows of 4 channels, but does not record its shape.
  index const columns = given.data.empty() ? 4 : signal.columns;
  std::vector<tour::curve> const channels = channels_of(signal.values, columns);

  std::error_code failed;
  fs::create_directories(given.output, failed);
  if (!fs::is_directory(given.output))
    throw tool::failure("cannot make the folder " + given.output.string());

  std::cout << "image  " << image_file.filename().string() << ", " << picture.width << " x "
            << picture.height << "; its middle " << side << " x " << side << ", a pixel in a word\n"
            << "data   " << data_file.filename().string() << ", "
            << counted(static_cast<index>(signal.values.size()), "number") << " (" << signal.format
            << ")\n";
  guide tour_guide(given.output, data_file.filename().string());
  tour_guide.introduce();
  std::cout << "transposing ..." << std::flush;
  tour_guide.transpose(tool::centred_square(picture, side));
  std::cout << " triangulating ..." << std::flush;
  tour_guide.triangulate(tool::shrunk(grey, outline_side), tool::shrunk(picture, outline_side));
  std::cout << " blurring ..." << std::flush;
  tour_guide.filter(tool::shrunk(grey, filter_side));
  std::cout << " summing ..." << std::flush;
  tour_guide.sum(signal.values, static_cast<std::size_t>(columns), signal.format);
  std::cout << " filtering ..." << std::flush;
  tour_guide.process(channels.front());
  std::cout << " multiplying ...\n\n" << std::flush;
  tour_guide.covary(channels);
  tour_guide.write_page();

  std::vector<tour::measurement> const& all = tour_guide.measurements();
  std::cout << mmm::report::text(tour::as_table(all))
            << "\nPage: " << (given.output / "index.html").string() << '\n';
  bool const correct = std::all_of(all.begin(), all.end(), [](auto const& m) { return m.correct; });
  if (!correct) std::cerr << "mmm-tour: a result is wrong, see the table\n";
  return correct;
}

}  // namespace

int main(int count, char** values) {
  arguments given;
  CLI::App app("A picture and a recording worked on by simulated memory machines.", "mmm-tour");
  app.add_option("--output", given.output,
                 "Folder for the pictures and index.html; made if missing")
      ->required();
  app.add_option(
      "image", given.image,
      "Image: " + tool::image_extensions() +
          ". Default: the photograph grace_hopper.jpg of Debian's python-matplotlib-data");
  app.add_option("data", given.data,
                 "Numbers: text, .npy, .f32, .f64, .dat. Default: the EEG recording eeg.dat");
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
