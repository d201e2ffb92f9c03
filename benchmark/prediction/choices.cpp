// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints, as tables in Markdown, what is chosen on each GPU for problems of several sizes, and how
// the candidates rank.
//     choices            the page
//     choices published  for each line "problem GPU size value_bytes written_cache" of the input,
//                        the time, the candidate and the limit of what is chosen
// A size is one number, or the three of a product's shape with an x between them.
#include <mmm/algorithm/access/contiguous.hpp>
#include <mmm/space.hpp>

#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using mmm::index;

// Words that a thread loads one by one, with as many threads as a multiprocessor has: the "read" of
// others' stream benchmarks.
constexpr mmm::candidates reads{
    mmm::candidate_of("contiguous, 2 blocks of 1024", {2, 1024}, mmm::contiguous)};

// Calls visit(name, heading, candidates, sizes, size of the ranking) for each problem.
template <class Visit>
void for_each_problem(Visit const& visit) {
  std::vector<index> const words{1 << 10, 1 << 16, 1 << 22, 1 << 28};
  visit("copies", "Copies of n words", mmm::known::copies, words, 1 << 22);
  visit("sums", "Sums of n words", mmm::known::sums, words, 1 << 22);
  visit("scans", "Prefix-sums of n words", mmm::known::scans, words, 1 << 22);
  std::vector<index> const keys{1 << 7, 1 << 10, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 24};
  visit("sorts", "Sorts of n keys of 4 bytes, at random", mmm::known::sorts, keys, 1 << 20);
  visit("sorts of pairs", "Sorts of n keys at random with values, of 4 bytes each",
        mmm::known::sorts_of_pairs, keys, 1 << 20);
  visit("transposes", "Transposes of n x n words", mmm::known::transposes, {256, 1024, 4096}, 4096);
  visit("products", "Products of n x n matrices", mmm::known::products, {64, 256, 1024, 4096},
        1024);
  visit("products of halves", "Products of n x n matrices of halves, added up in floats",
        mmm::known::products_of_halves, {64, 256, 1024, 4096}, 1024);
  visit("convolutions", "Convolutions with 64 taps, n outputs",
        mmm::known::convolutions(mmm::taps(64)), {1 << 10, 1 << 16, 1 << 22}, 1 << 16);
  visit("convolutions by fft", "Convolutions of floats with 1024 taps, accept_fft, n outputs",
        mmm::known::convolutions(mmm::taps(1024), mmm::accept_fft), {1 << 16, 1 << 22, 1 << 26},
        1 << 22);
  visit("images", "Convolutions of n x n images, v = 3", mmm::known::images<3>, {128, 1024, 4096},
        1024);
  visit("separable images", "Convolutions of n x n images with a separable kernel, v = 8",
        mmm::known::separable_images<8>, {128, 1024, 4096}, 4096);
  visit("triangulations", "Triangulations of polygons with n vertices", mmm::known::triangulations,
        {128, 512}, 512);
  std::vector<index> const larger{1 << 16, 1 << 20, 1 << 24};
  visit("permutations", "Permutations of n words that are known beforehand, at random",
        mmm::known::permutations, larger, 1 << 24);
  visit("summed areas", "Summed area tables of n x n pixels", mmm::known::summed_areas,
        {256, 1024, 4096}, 4096);
  visit("string matchings", "Patterns of 32 symbols in a text of n",
        mmm::known::string_matchings(mmm::taps(32)), larger, 1 << 24);
}

using sizes = std::vector<index>;

template <class Candidates>
void choices(char const* heading, Candidates const& all, sizes const& of) {
  std::printf("\n## %s\n\n| GPU |", heading);
  for (index const n : of) std::printf(" n = %lld |", static_cast<long long>(n));
  std::printf("\n|---|");
  for (std::size_t k = 0; k < of.size(); ++k) std::printf("---|");
  std::printf("\n");
  mmm::gpu::for_each_device([&](char const* name, auto gpu) {
    std::printf("| %s |", name);
    for (index const n : of) {
      mmm::choice const c = mmm::best(decltype(gpu)::facts, all, mmm::size(n));
      if (!c.time.fits()) {
        std::printf(" %.1f GB, more than the GPU has |", c.time.memory_bytes / 1e9);
        continue;
      }
      std::printf(" %s; %s µs, %s |", c.name,
                  mmm::report::microseconds(c.time.microseconds).c_str(),
                  mmm::report::words(c.time.limit));
    }
    std::printf("\n");
  });
}

template <class Candidates>
void ranking(Candidates const& all, index n) {
  std::printf("\nPredicted µs of all candidates, n = %lld:\n\n| |", static_cast<long long>(n));
  std::string line = "|---|";
  mmm::gpu::for_each_device([&](char const* name, auto) {
    std::printf(" %s |", name);
    line += "--:|";
  });
  std::printf("\n%s\n", line.c_str());
  all.for_each([&](index, auto const& one) {
    std::printf("| %s |", one.name);
    mmm::gpu::for_each_device([&](char const*, auto gpu) {
      auto const p = one.predict(decltype(gpu)::facts, one.plan, mmm::size(n));
      std::printf(" %s |",
                  p.possible ? mmm::report::microseconds(p.time.microseconds).c_str() : "-");
    });
    std::printf("\n");
  });
}

mmm::gpu::device_facts facts_of(std::string const& wanted) {
  mmm::gpu::device_facts found{};
  mmm::gpu::for_each_device([&](char const* name, auto gpu) {
    if (wanted == name) found = decltype(gpu)::facts;
  });
  if (found.sms == 0) throw std::invalid_argument("there is no GPU " + wanted);
  return found;
}

void print(mmm::choice const& c) {
  std::printf("%.3f\t%s\t%s\n", c.time.microseconds, c.name, mmm::report::words(c.time.limit));
}

void published() {
  std::string problem;
  std::string gpu;
  std::string size;
  mmm::prediction_conditions conditions;
  while (std::cin >> problem >> gpu >> size >> conditions.value_bytes >> conditions.written_cache) {
    mmm::gpu::device_facts const facts = facts_of(gpu);
    std::size_t end = 0;
    index const first = std::stoll(size, &end);
    bool known = true;
    if (problem == "reads") {
      print(mmm::best(facts, reads, mmm::size(first), conditions));
    } else if (end < size.size()) {
      std::size_t const inner = end + 1;
      index const second = std::stoll(size.substr(inner), &end);
      index const third = std::stoll(size.substr(inner + end + 1));
      print(mmm::best(facts, mmm::known::products, mmm::product_shape(first, second, third),
                      conditions));
    } else {
      known = false;
      for_each_problem([&](char const* name, char const*, auto const& all, sizes const&, index) {
        if (problem != name) return;
        print(mmm::best(facts, all, mmm::size(first), conditions));
        known = true;
      });
    }
    if (!known) throw std::invalid_argument("there is no problem " + problem);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && std::string(arguments[1]) == "published") {
    published();
    return 0;
  }
  for_each_problem([](char const*, char const* heading, auto const& all, sizes const& of, index n) {
    choices(heading, all, of);
    ranking(all, n);
  });
}
