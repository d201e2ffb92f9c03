// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Problems with more parameters than a size: taps, a radius, a tile, a shape.
#include <mmm/mmm.hpp>
#include <mmm/report.hpp>

#include <cstdio>
#include <vector>

// [costs]
using gpu = mmm::hmm<128, 32, 2, 400, 12288>;      // d, w, l, L, words of shared memory
constexpr auto of_all = mmm::threads(128 * 1024);  // threads of all DMMs together

constexpr auto filtered =
    mmm::cost_of<gpu>(mmm::convolution, mmm::size(1 << 16), of_all, mmm::taps(64));
constexpr auto blurred =
    mmm::cost_of<gpu>(mmm::image_convolution, mmm::shape(64, 96), of_all, mmm::radius(3));
constexpr auto square =
    mmm::cost_of<gpu>(mmm::matrix_multiply, mmm::size(4096), of_all, mmm::tile(32));
constexpr auto ragged = mmm::cost_of<gpu>(mmm::matrix_multiply, mmm::product_shape(1000, 300, 77),
                                          of_all, mmm::tile(32));

constexpr auto limits = mmm::regime_of<gpu>(of_all, mmm::radius(3));
// 49 taps, 128 DMMs
static_assert(limits.global_latency_hidden && limits.limited_by == mmm::limited_by::bandwidth);
// [/costs]
// [histogram]
using shared_memory = mmm::dmm<32, 7>;
constexpr auto counting = [](mmm::spread values) {
  return mmm::cost_of<shared_memory>(mmm::histogram, mmm::size(4096), mmm::threads(256),
                                     mmm::bins(64), values);
};
// 16 chunks of 8 warps: each reads its values in a stage, and updates bins in 1 to 32 stages
static_assert(counting(mmm::spread::even).stages == 16 * 8 * (1 + 1) + 2);
static_assert(counting(mmm::spread::alike).stages == 16 * 8 * (1 + 32) + 2);
// [/histogram]
// [segments]
using global_memory = mmm::umm<32, 400>;
constexpr mmm::segment rows[] = {{0, 32}, {64, 32}, {128, 32}, {192, 32}};  // every other group
constexpr auto as_one = mmm::segments_cost(global_memory(), rows, rows + 4, mmm::threads(128));
constexpr auto in_turn =
    mmm::segments_in_turn_cost(global_memory(), rows, rows + 4, mmm::threads(128));
static_assert(as_one.time == 4 + 399);         // four requests, and the latency once
static_assert(in_turn.time == 4 * (1 + 399));  // the latency of each row
// [/segments]
static_assert(filtered.closed_form && blurred.closed_form && square.time > ragged.time);

int main() {
  // [runs]
  std::vector<float> const image(64 * 48, 1.0F);
  std::vector<float> const box(3 * 3, 1.0F / 9);
  std::vector<float> out(image.size());
  auto const run = mmm::simulate<mmm::hmm<4, 32, 2, 400>>(mmm::threads(4 * 64), [&](auto on) {
    mmm::image_convolution(on, image.begin(), mmm::shape(48, 64), box.begin(), mmm::radius(1),
                           out.begin());
  });
  // [/runs]
  std::vector<double> const weights = {0, 0, 3, 1, 0, 0, 0, 0, 2, 7, 0, 0, 0,
                                       0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  // [polygon]
  auto const triangulated = mmm::simulate<mmm::umm<4, 5>>(
      mmm::threads(8), [&](auto on) { return mmm::triangulation(on, weights.begin(), 5); });
  for (mmm::chord const& c : triangulated.result.chords)
    std::printf("%d-%d\n", static_cast<int>(c.first), static_cast<int>(c.last));
  // [/polygon]
  std::printf("%s", mmm::report::text(limits).c_str());
  return run.race_count == 0 && triangulated.result.chords.size() == 2 ? 0 : 1;
}
