// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predicts every row and every point of the papers' figures that scripts/gpu measured on an H100,
// one object a line, with the names that its result file has.
#include <mmm/fast.hpp>
#include <mmm/mmm.hpp>
#include <mmm/predict.hpp>

#include <algorithm>
#include <cstdio>
#include <string>

namespace {

using mmm::index;
using gpu = mmm::gpu::h100;
using hmm = mmm::hmm<mmm::dynamic, 32, mmm::dynamic, mmm::dynamic, mmm::dynamic, mmm::dynamic>;
using umm = mmm::umm<32, mmm::dynamic, mmm::dynamic>;
using dmm = mmm::dmm<32, mmm::dynamic>;

constexpr index words = 57856;  // of a block's shared memory

hmm blocks(index d, index parts = 1) {
  return hmm(d, 29, 690, (words + 256) / parts / 32 * 32 - 256, 12);
}

template <class M, class A, class Size, class... More>
mmm::prediction predicted(M const& m, index p, A const& a, Size const& n, More const&... more) {
  mmm::prediction_conditions conditions;
  conditions.written_cache = true;
  return mmm::predict_under<gpu>(conditions, m, a, n, mmm::threads(p), more...);
}

void print(std::string const& names, mmm::prediction const& p) {
  std::printf("{%s, \"us\": %.3f, \"limit\": \"%s\", \"blocks\": %lld, \"parts\": [", names.c_str(),
              p.microseconds, mmm::report::words(p.limit), static_cast<long long>(p.blocks_per_sm));
  for (int k = 0; k < 8; ++k) std::printf("%s%.3f", k == 0 ? "" : ", ", p.of[k]);
  std::printf("]}\n");
}
std::string quoted(std::string const& name, std::string const& value) {
  return "\"" + name + "\": \"" + value + "\"";
}
void row(std::string const& group, std::string const& parameters, std::string const& contender,
         std::string const& machine, mmm::prediction const& p) {
  print(quoted("group", group) + ", " + quoted("parameters", parameters) + ", " +
            quoted("contender", contender) + ", " + quoted("machine", machine),
        p);
}
void point(std::string const& figure, std::string const& curve, index x, mmm::prediction const& p) {
  print(quoted("figure", figure) + ", " + quoted("curve", curve) + ", \"x\": " + std::to_string(x),
        p);
}
std::string power(int k) { return "n = 2^" + std::to_string(k); }

void sequences() {
  hmm const all = blocks(132);
  hmm const quarters = blocks(528, 4);
  umm const global(690, 12);
  index const p = 132 * 1024;
  for (int const k : {20, 22, 24, 28}) {
    mmm::size const n(index{1} << k);
    auto const floats = power(k) + " floats";
    row("copy", floats, "mmm::copy_wide", "hmm", predicted(all, p, mmm::copy_wide, n));
    if (k < 24)
      row("copy", floats, "mmm::copy_through_shared", "hmm",
          predicted(all, p, mmm::copy_through_shared, n));
    if (k == 22) continue;
    row("sum", floats, "mmm::sum", "hmm", predicted(all, p, mmm::sum, n));
    row("sum", floats, "mmm::sum_wide", "hmm", predicted(all, p, mmm::sum_wide, n));
    row("sum", floats, "mmm::sum", "umm", predicted(global, p, mmm::sum, n));
    row("sum", floats, "mmm::sum_on_one_dmm", "hmm", predicted(all, p, mmm::sum_on_one_dmm, n));
    auto const scans = [&](char const* name, char const* on, auto const& m, index threads,
                           auto const& a) {
      row("prefix-sums", floats, name, on, predicted(m, threads, a, n));
    };
    scans("mmm::prefix_sums_one_pass", "hmm, 4 blocks", quarters, 528 * 256,
          mmm::prefix_sums_one_pass);
    scans("mmm::prefix_sums", "hmm", all, p, mmm::prefix_sums);
    scans("mmm::prefix_sums", "umm", global, p, mmm::prefix_sums);
    scans("mmm::prefix_sums_simple", "umm", global, p, mmm::prefix_sums_simple);
  }
}

void matrices() {
  hmm const some = blocks(128);
  umm const global(690, 12);
  for (index const side : {1024, 4096, 8192, 16384}) {
    auto const sides = std::to_string(side) + " x " + std::to_string(side) + " floats";
    mmm::size const n(side);
    row("transpose", sides, "mmm::transpose_swizzled", "hmm, 4 blocks",
        predicted(blocks(528, 4), 528 * 256, mmm::transpose_swizzled, n));
    if (side > 8192) continue;  // the cost of such a triangle takes seconds to find
    row("transpose", sides, "mmm::transpose_straightforward", "umm",
        predicted(global, 128 * 1024, mmm::transpose_straightforward, n));
    row("transpose", sides, "mmm::transpose_straightforward", "hmm",
        predicted(some, 128 * 1024, mmm::transpose_straightforward, n));
  }
  for (int const k : {11, 12, 13, 14}) {
    mmm::size const n(index{1} << k);
    auto const floats = power(k) + ", floats";
    row("matrix product", floats, "mmm::matrix_multiply_in_registers", "hmm, 2 blocks",
        predicted(blocks(264, 2), 264 * 256, mmm::matrix_multiply_in_registers, n));
    if (k <= 12)
      row("matrix product", floats, "mmm::matrix_multiply, m = 32", "hmm",
          predicted(blocks(132), 132 * 1024, mmm::matrix_multiply, n, mmm::tile(32)));
  }
}

template <index V>
void image(index side) {
  auto const name =
      std::to_string(side) + " x " + std::to_string(side) + " floats, v = " + std::to_string(V);
  row("image convolution", name, "mmm::image_convolution", "hmm",
      predicted(blocks(132), 132 * 1024, mmm::image_convolution, mmm::size(side), mmm::radius(V)));
  row("image convolution", name, "mmm::image_convolution_in_registers", "hmm, 2 blocks",
      predicted(blocks(264, 2), 264 * 256, mmm::image_convolution_in_registers<V>,
                mmm::size(side)));
}

void convolutions() {
  image<3>(1024);
  image<3>(8192);
  image<4>(8192);
  image<8>(8192);
  struct sizes {
    int k;
    index taps;
  };
  for (auto const [k, m] : {sizes{21, 8}, {21, 128}, {26, 32}, {24, 128}, {22, 1024}}) {
    mmm::size const n((index{1} << k) - m + 1);
    auto const name = power(k) + " - m + 1, m = " + std::to_string(m) + " taps";
    row("convolution", name, "mmm::convolution_in_registers", "hmm, 3 blocks",
        predicted(blocks(396, 3), 396 * 256, mmm::convolution_in_registers, n, mmm::taps(m)));
    if (k == 21)
      row("convolution", name, "mmm::convolution", "hmm",
          predicted(blocks(132), 132 * 1024, mmm::convolution, n, mmm::taps(m)));
    row("convolution", name, "mmm::convolution", "umm",
        predicted(umm(690, 12), 132 * 1024, mmm::convolution, n, mmm::taps(m)));
  }
}

void triangulations() {
  for (index const n : {512, 1024, 2048}) {
    auto const name = "n = " + std::to_string(n) + ", 32-bit integers";
    auto const group = "triangulation, to the host";
    row(group, name, "mmm::triangulation_blocked", "hmm",
        predicted(blocks(132), 132 * 1024, mmm::triangulation_blocked, mmm::size(n)));
    row(group, name, "mmm::triangulation", "umm",
        predicted(umm(690, 12), 132 * 1024, mmm::triangulation, mmm::size(n)));
    if (n <= 1024)
      row(group, name, "mmm::triangulation_dp", "umm",
          predicted(umm(690, 12), 132 * 1024, mmm::triangulation_dp, mmm::size(n)));
  }
}

void figures() {
  for (index d = 1; d <= 256; d *= 2) {
    mmm::size const n(1024);
    for (index const t : {64, 128, 256, 512, 1024}) {
      auto const curve = "p = " + std::to_string(t);
      point("003-3", curve, d,
            predicted(blocks(d), d * t, mmm::image_convolution, n, mmm::radius(3)));
      point("003-5", curve, d, predicted(blocks(d), d * t, mmm::matrix_multiply, n, mmm::tile(32)));
    }
    for (index v = 1; v <= 5; ++v)
      point("003-4", "v = " + std::to_string(v), d,
            predicted(blocks(d), d * 1024, mmm::image_convolution, n, mmm::radius(v)));
    for (index const m : {16, 32, 64})
      point("003-6", "m = " + std::to_string(m), d,
            predicted(blocks(d), d * 1024, mmm::matrix_multiply, n, mmm::tile(m)));
  }
  auto const three = [](char const* figure, auto const& m, index n, index most) {
    index const p = std::min(n / 2, most);
    point(figure, "sum", n, predicted(m, p, mmm::sum, mmm::size(n)));
    point(figure, "prefix-sums, simple", n, predicted(m, p, mmm::prefix_sums_simple, mmm::size(n)));
    point(figure, "prefix-sums", n, predicted(m, p, mmm::prefix_sums, mmm::size(n)));
  };
  for (index n = 32; n <= 4096; n *= 2) three("004-8-shared", dmm(29), n, 1024);
  for (index n = 1 << 10; n <= 1 << 27; n *= 2) three("004-8-global", umm(690, 12), n, 132 * 1024);
}

}  // namespace

int main() {
  sequences();
  matrices();
  convolutions();
  triangulations();
  figures();
}
