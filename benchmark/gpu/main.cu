// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measurements on a GPU.
// Usage: mmm_gpu_benchmark [--out FILE] [--pictures FOLDER] [--seconds S] [--each S]
//                         [--group PART OF A NAME] [--about NAME=TEXT]…
// The results begin with what they are about: the texts of --about, the date, say.
// Exit status: 0 all results are right; 1 a result is wrong or a measurement failed; 2 an argument
// is wrong; 77 there is no CUDA device, and nothing was measured.
#include "groups.cuh"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace {

struct options {
  std::string out;
  std::string pictures;
  std::string group;
  std::vector<std::pair<std::string, std::string>> about;
  double seconds = 200;
  double each = 0.25;
};

bool read(options& o, int count, char** arguments) {
  for (int i = 1; i < count; i += 2) {
    std::string const name = arguments[i];
    if (i + 1 == count) return false;
    std::string const value = arguments[i + 1];
    if (name == "--out")
      o.out = value;
    else if (name == "--pictures")
      o.pictures = value;
    else if (name == "--group")
      o.group = value;
    else if (auto const end = value.find('='); name == "--about" && end != std::string::npos)
      o.about.emplace_back(value.substr(0, end), value.substr(end + 1));
    else if (name == "--seconds" || name == "--each")
      (name == "--each" ? o.each : o.seconds) = std::atof(value.c_str());
    else
      return false;
  }
  return o.seconds > 0 && o.each > 0;
}

void write(std::string const& file, std::string const& text) {
  std::ofstream out(file, std::ios::binary);
  out << text << '\n';
  if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

struct group {
  char const* name;
  void (*measure)(bench::session&, bench::sweeps&);
};

template <void Measure(bench::session&)>
void alone(bench::session& s, bench::sweeps&) {
  Measure(s);
}

//! All groups, in the order of measurement; a new group is one more line. If a library leaves the
//! device unusable, the results of the groups before it are kept.
constexpr group groups[] = {
    {"copy", alone<bench::copies>},
    {"sum", alone<bench::sums>},
    {"prefix-sums", alone<bench::prefix_sums>},
    {"transpose", alone<bench::transposes>},
    {"matrix-product", alone<bench::products>},
    {"figures-004", bench::figures_of_004},
    {"figures-003", bench::figures_of_003},
    {"triangulation", alone<bench::triangulations>},
    {"image-convolution", alone<bench::image_convolutions>},
    {"convolution", alone<bench::convolutions>},
    {"sort", alone<bench::sorts>},
    {"fastest: sequences", alone<bench::fastest_sequences>},
    {"fastest: products", alone<bench::fastest_products>},
    {"candidates: sequences", alone<bench::candidates_for_sequences>},
    {"candidates: products", alone<bench::candidates_for_products>},
};

}  // namespace

int main(int count, char** arguments) {
  options o;
  if (!read(o, count, arguments)) {
    std::fprintf(stderr, "usage: mmm_gpu_benchmark [--out FILE] [--pictures FOLDER] [--seconds S] "
                         "[--each S] [--group NAME] [--about NAME=TEXT]...\n");
    return 2;
  }
  int devices = 0;
  cudaError_t const found = cudaGetDeviceCount(&devices);
  if (found != cudaSuccess || devices == 0) {
    std::printf("no CUDA device: skipped (%s)\n", cudaGetErrorString(found));
    return 77;
  }
  bench::json_object out;
  bench::sweeps sweeps;
  std::string failure;
  int status = 0;
  try {
    bench::session s(o.seconds, o.each);
    auto const wanted = [&](char const* name) {
      return std::strstr(name, o.group.c_str()) != nullptr;
    };
    bench::json_object about;
    for (auto const& [name, text] : o.about) about.add(name, text);
    out.add("about", about).add("device", s.device_properties());
    out.add("calibration", bench::calibrate(s));
    std::printf("%s\n", out.text().c_str());
    try {
      for (group const& g : groups)
        if (wanted(g.name)) g.measure(s, sweeps);
    } catch (std::exception const& e) {  // results measured before the failure are kept
      failure = e.what();
    }
    out.add("results", s.rows()).add("sweeps", sweeps.points).add("model_errors", sweeps.errors);
    out.add("wrong", static_cast<bench::index>(s.wrong().size()));
    for (std::string const& wrong : s.wrong()) std::printf("WRONG  %s\n", wrong.c_str());
    if (!s.wrong().empty()) status = 1;
  } catch (std::exception const& e) {
    failure = e.what();
  }
  if (!failure.empty()) {
    std::fprintf(stderr, "mmm_gpu_benchmark: %s\n", failure.c_str());
    out.add("failure", failure);
    status = 1;
  }
  try {
    if (!o.out.empty()) write(o.out, out.text());
    if (!o.pictures.empty())
      for (auto const& [name, svg] : sweeps.pictures) write(o.pictures + "/" + name + ".svg", svg);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "mmm_gpu_benchmark: %s\n", e.what());
    return 1;
  }
  return status;
}
