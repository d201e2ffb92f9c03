// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints, as tables in Markdown, what is chosen on each GPU for problems of several sizes.
#include <mmm/predict.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace {

using mmm::index;

std::string cell(mmm::choice const& c) {
  return std::string(c.name) + "; " + mmm::report::microseconds(c.time.microseconds) + " µs, " +
         mmm::report::words(c.time.limit);
}

template <class Candidates>
void choices(char const* problem, Candidates const& all, std::vector<index> const& sizes,
             char const* size_name) {
  std::printf("\n%s:\n\n| GPU |", problem);
  for (index const n : sizes) std::printf(" %s = %lld |", size_name, static_cast<long long>(n));
  std::printf("\n|---|");
  for (std::size_t k = 0; k < sizes.size(); ++k) std::printf("---|");
  std::printf("\n");
  mmm::gpu::for_each_device([&](char const* name, auto gpu) {
    std::printf("| %s |", name);
    for (index const n : sizes)
      std::printf(" %s |", cell(mmm::best<decltype(gpu)>(all, mmm::size(n))).c_str());
    std::printf("\n");
  });
}

template <class Candidates>
void ranking(char const* problem, Candidates const& all, index n) {
  std::printf("\n### The ranking for %s\n", problem);
  mmm::gpu::for_each_device([&](char const* name, auto gpu) {
    std::printf("\n%s:\n\n```\n%s```\n", name,
                text(mmm::report::why<decltype(gpu)>(all, mmm::size(n))).c_str());
  });
}

}  // namespace

int main() {
  choices("Sums of n words", mmm::known::sums, {1 << 10, 1 << 16, 1 << 22, 1 << 28}, "n");
  choices("Prefix-sums of n words", mmm::known::scans, {1 << 10, 1 << 16, 1 << 22, 1 << 28}, "n");
  choices("Transposes of n x n words", mmm::known::transposes, {256, 1024, 4096}, "n");
  choices("Products of n x n matrices", mmm::known::products, {64, 256, 1024, 4096}, "n");
  choices("Convolutions with 64 taps, n outputs", mmm::known::convolutions(mmm::taps(64)),
          {1 << 10, 1 << 16, 1 << 22}, "n");
  choices("Convolutions of n x n images, v = 3", mmm::known::images<3>, {128, 1024, 4096}, "n");
  ranking("products of 1024 x 1024 matrices", mmm::known::products, 1024);
}
