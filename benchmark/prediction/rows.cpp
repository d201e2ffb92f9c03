// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predicts what scripts/gpu measured: for each line of the input, of tab-separated names as in a
// file of benchmark/results, one object a line. A line is "GPU row parameters contender machine" or
// "GPU point figure curve x"; of what cannot be predicted the object is empty. The answer to
// "GPU timing" is what predictions assume of the GPU, by the names that the file has for it.
#include <mmm/fast.hpp>
#include <mmm/mmm.hpp>
#include <mmm/predict.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <iostream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using mmm::index;
using hmm = mmm::hmm<mmm::dynamic, 32, mmm::dynamic, mmm::dynamic, mmm::dynamic, mmm::dynamic>;
using umm = mmm::umm<32, mmm::dynamic, mmm::dynamic>;
using dmm = mmm::dmm<32, mmm::dynamic>;

mmm::gpu::device_facts facts_of(std::string const& wanted) {
  mmm::gpu::device_facts found{};
  mmm::gpu::for_each_device([&](char const* name, auto gpu) {
    if (wanted == name) found = decltype(gpu)::facts;
  });
  if (found.sms == 0) throw std::invalid_argument("there is no GPU " + wanted);
  return found;
}

//! The launch that a measurement names: "hmm", "hmm, 3 blocks" of 256 threads for each
//! multiprocessor, "hmm, 1 block of 512", "umm".
struct launch {
  std::string kind;
  index parts = 1;
  index threads = 1024;  //!< of a block

  explicit launch(std::string const& text) : kind(text.substr(0, text.find(','))) {
    std::size_t const comma = text.find(", ");
    if (comma == std::string::npos) return;
    parts = std::stoll(text.substr(comma + 2));
    std::size_t const of = text.find(" of ");
    threads = of != std::string::npos ? std::stoll(text.substr(of + 4)) : 256;
  }
};

//! The numbers of a row's parameters: of "n = 2^21 - m + 1, m = 8 taps" 2097152 and 8. A trailing
//! word such as floats is none.
std::vector<index> numbers_of(std::string const& text) {
  std::vector<index> found;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (std::isdigit(static_cast<unsigned char>(text[at])) == 0) continue;
    std::size_t length = 0;
    index number = std::stoll(text.substr(at), &length);
    at += length;
    if (at < text.size() && text[at] == '^') {
      number = index{1} << std::stoll(text.substr(at + 1), &length);
      at += length + 1;
    }
    found.push_back(number);
  }
  return found;
}

class predictions {
 public:
  explicit predictions(mmm::gpu::device_facts const& facts)
      : facts_(facts), words_((facts.shared_bytes_per_block / 4 - 256) / 32 * 32) {
    conditions_.written_cache = true;
  }

  //! A row's prediction; none if the contender or its parameters are not known.
  [[nodiscard]] std::optional<mmm::prediction> row(std::string const& parameters,
                                                   std::string const& contender,
                                                   std::string const& machine) const {
    launch const by(machine);
    std::vector<index> const given = numbers_of(parameters);
    if (given.empty() || parameters.find("halves") != std::string::npos) return {};
    mmm::size const n(given[0]);
    index const last = given.back();
    std::string const name = contender.substr(contender.find("::") + 2);
    if (by.kind == "umm") return on_umm(name, n, last);
    if (by.kind != "hmm") return {};
    if (name == "copy_wide") return assigned(by, mmm::copy_wide, n);
    if (name == "copy_through_shared") return assigned(by, mmm::copy_through_shared, n);
    if (name == "sum") return assigned(by, mmm::sum, n);
    if (name == "sum_wide") return assigned(by, mmm::sum_wide, n);
    if (name == "sum_on_one_dmm") return assigned(by, mmm::sum_on_one_dmm, n);
    if (name == "prefix_sums") return assigned(by, mmm::prefix_sums, n);
    if (name == "prefix_sums_one_pass") return assigned(by, mmm::prefix_sums_one_pass, n);
    if (name == "sort") return assigned(by, mmm::sort, n);
    if (name == "merge_sort") return assigned(by, mmm::merge_sort, n);
    // larger blocks were measured of a kernel that is no more
    if (name.starts_with("radix_sort") &&
        by.threads > mmm::detail::radix_sort_program<mmm::ascending>::max_block_threads)
      return {};
    if (name == "radix_sort") return assigned(by, mmm::radix_sort, n);
    if (name == "radix_sort_pairs") return assigned(by, mmm::radix_sort_pairs, n);
    if (name == "transpose_swizzled") return assigned(by, mmm::transpose_swizzled, n);
    if (name == "transpose_straightforward" && n.count <= 8192)
      return predicted(blocks(128), 128 * 1024, mmm::transpose_straightforward, n);
    if (name == "matrix_multiply_in_registers")
      return assigned(by, mmm::matrix_multiply_in_registers, n);
    if (name == "matrix_multiply_in_more_registers")
      return assigned(by, mmm::matrix_multiply_in_more_registers, n);
    if (name == "matrix_multiply_in_smaller_tiles")
      return assigned(by, mmm::matrix_multiply_in_smaller_tiles, n);
    if (name.starts_with("matrix_multiply, m = "))
      return assigned(by, mmm::matrix_multiply, n, mmm::tile(std::stoll(name.substr(21))));
    if (name == "image_convolution")
      return assigned(by, mmm::image_convolution, n, mmm::radius(last));
    if (name == "image_convolution_in_registers") return image(by, n, last);
    if (name == "convolution")
      return assigned(by, mmm::convolution, outputs(n, last), mmm::taps(last));
    if (name == "convolution_in_registers")
      return assigned(by, mmm::convolution_in_registers, outputs(n, last), mmm::taps(last));
    if (name == "triangulation_blocked") return assigned(by, mmm::triangulation_blocked, n);
    if (name == "triangulation_in_registers" && n.count <= 2048)
      return assigned(by, mmm::triangulation_in_registers, n);
    return {};
  }

  [[nodiscard]] std::optional<mmm::prediction> point(std::string const& figure,
                                                     std::string const& curve, index x) const {
    index const number =
        curve.find("= ") == std::string::npos ? 0 : std::stoll(curve.substr(curve.find("= ") + 2));
    mmm::size const n(1024);
    if (figure == "003-3")
      return predicted(blocks(x), x * number, mmm::image_convolution, n, mmm::radius(3));
    if (figure == "003-5")
      return predicted(blocks(x), x * number, mmm::matrix_multiply, n, mmm::tile(32));
    if (figure == "003-4")
      return predicted(blocks(x), x * 1024, mmm::image_convolution, n, mmm::radius(number));
    if (figure == "003-6")
      return predicted(blocks(x), x * 1024, mmm::matrix_multiply, n, mmm::tile(number));
    if (figure == "004-8-shared")
      return sequence(dmm(facts_.shared_latency), curve, mmm::size(x), 1024);
    if (figure == "004-8-global") return sequence(global(), curve, mmm::size(x), facts_.sms * 1024);
    return {};
  }

 private:
  [[nodiscard]] hmm blocks(index d, index parts = 1) const {
    return hmm(d, facts_.shared_latency, facts_.global_latency,
               (words_ + 256) / parts / 32 * 32 - 256, facts_.ports());
  }
  [[nodiscard]] umm global() const { return umm(facts_.global_latency, facts_.ports()); }
  [[nodiscard]] static mmm::size outputs(mmm::size const& n, index taps) {
    return mmm::size(n.count - taps + 1);
  }
  template <class M, class A, class... Sizes>
  [[nodiscard]] mmm::prediction predicted(M const& m, index p, A const& a,
                                          Sizes const&... sizes) const {
    return mmm::detail::predict_facts(facts_, conditions_, m, a, p, sizes...);
  }
  //! On `by.parts` blocks for each multiprocessor.
  template <class A, class... Sizes>
  [[nodiscard]] mmm::prediction assigned(launch const& by, A const& a,
                                         Sizes const&... sizes) const {
    index const d = facts_.sms * by.parts;
    return predicted(blocks(d, by.parts), d * by.threads, a, sizes...);
  }
  [[nodiscard]] std::optional<mmm::prediction> on_umm(std::string const& name, mmm::size const& n,
                                                      index last) const {
    index const p = facts_.sms * 1024;
    umm const m = global();
    if (name == "sum") return predicted(m, p, mmm::sum, n);
    if (name == "prefix_sums") return predicted(m, p, mmm::prefix_sums, n);
    if (name == "prefix_sums_simple") return predicted(m, p, mmm::prefix_sums_simple, n);
    if (name == "transpose_straightforward" && n.count <= 8192)
      return predicted(m, 128 * 1024, mmm::transpose_straightforward, n);
    if (name == "convolution")
      return predicted(m, p, mmm::convolution, outputs(n, last), mmm::taps(last));
    if (name == "triangulation") return predicted(m, p, mmm::triangulation, n);
    if (name == "triangulation_dp" && n.count <= 1024)
      return predicted(m, p, mmm::triangulation_dp, n);
    return {};
  }
  [[nodiscard]] std::optional<mmm::prediction> image(launch const& by, mmm::size const& n,
                                                     index v) const {
    if (v == 3) return assigned(by, mmm::image_convolution_in_registers<3>, n);
    if (v == 4) return assigned(by, mmm::image_convolution_in_registers<4>, n);
    if (v == 8) return assigned(by, mmm::image_convolution_in_registers<8>, n);
    return {};
  }
  template <class M>
  [[nodiscard]] std::optional<mmm::prediction> sequence(M const& m, std::string const& curve,
                                                        mmm::size const& n, index most) const {
    index const p = std::min(n.count / 2, most);
    if (curve == "sum") return predicted(m, p, mmm::sum, n);
    if (curve == "prefix-sums, simple") return predicted(m, p, mmm::prefix_sums_simple, n);
    if (curve == "prefix-sums") return predicted(m, p, mmm::prefix_sums, n);
    return {};
  }

  mmm::gpu::device_facts facts_;
  index words_;
  mmm::prediction_conditions conditions_{};
};

void print(std::optional<mmm::prediction> const& p) {
  if (!p) {
    std::puts("{}");
    return;
  }
  std::printf("{\"us\": %.3f, \"limit\": \"%s\", \"blocks\": %lld, \"parts\": [", p->microseconds,
              mmm::report::words(p->limit), static_cast<long long>(p->blocks_per_sm));
  for (int k = 0; k < 8; ++k) std::printf("%s%.3f", k == 0 ? "" : ", ", p->parts[k]);
  std::printf("]}\n");
}

void print_timing(mmm::gpu::device_facts const& gpu) {
  mmm::gpu::timing_facts const t = mmm::gpu::timing_of(gpu);
  auto const sms = static_cast<double>(gpu.sms);
  auto const mhz = static_cast<double>(gpu.clock_mhz);
  std::printf("{\"clock_hz\": %.6g, \"shared_latency_clocks\": %.6g, \"l2_latency_clocks\": %.6g, "
              "\"global_latency_clocks\": %.6g, \"copy_bytes_per_s\": %.6g, \"launch_us\": %.6g, "
              "\"grid_barrier_us\": %.6g, \"block_barrier_clocks\": %.6g}\n",
              mhz * 1e6, static_cast<double>(gpu.shared_latency), t.l2_latency, t.global_latency,
              static_cast<double>(gpu.bandwidth_gb) * 1e9 * t.copy_share, t.launch_us,
              t.grid_barrier_us + sms * t.arrival_clocks / mhz,
              t.barrier_clocks + 32 * t.barrier_of_warp);
}

std::optional<mmm::prediction> answer(std::vector<std::string> const& asked) {
  if (asked.size() != 5) throw std::invalid_argument("five names a line are expected");
  predictions const of(facts_of(asked[0]));
  try {
    return asked[1] == "point" ? of.point(asked[2], asked[3], std::stoll(asked[4]))
                               : of.row(asked[2], asked[3], asked[4]);
  } catch (std::length_error const&) {  // it does not fit
    return {};
  }
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream names(line);
    std::vector<std::string> asked;
    for (std::string name; std::getline(names, name, '\t');) asked.push_back(name);
    if (asked.size() == 2 && asked[1] == "timing")
      print_timing(facts_of(asked[0]));
    else
      print(answer(asked));
  }
}
