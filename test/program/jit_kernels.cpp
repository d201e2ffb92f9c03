// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of mmm::jit, each compared with a plain loop (jit_kernels.py). With -DQUICK
// those of two problems. Exit status 1 if a result differs.
#include <mmm/jit.hpp>
#include <mmm/mmm.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using mmm::problem_kind;
using list = std::vector<float>;

bool failed = false;
void check(bool holds, char const* what) {
  if (!holds) std::printf("FAILED: %s\n", what);
  failed |= !holds;
}
void check(CUresult code, char const* what) { check(code == CUDA_SUCCESS, what); }

//! Floats in device memory.
class array {
 public:
  explicit array(list const& values) : size_(values.size()) {
    check(cuMemAlloc(&first_, bytes()), "cuMemAlloc");
    check(cuMemcpyHtoD(first_, values.data(), bytes()), "cuMemcpyHtoD");
  }
  array(array const&) = delete;
  array& operator=(array const&) = delete;
  ~array() { check(cuMemFree(first_), "cuMemFree"); }
  [[nodiscard]] float* first() const {
    return reinterpret_cast<float*>(static_cast<std::uintptr_t>(first_));
  }
  [[nodiscard]] list copied() const {
    list values(size_);
    check(cuMemcpyDtoH(values.data(), first_, bytes()), "cuMemcpyDtoH");
    return values;
  }

 private:
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(float); }
  CUdeviceptr first_ = 0;
  std::size_t size_;
};

//! Small whole numbers, whose sums are exact.
list numbers(std::size_t n, std::size_t seed = 1) {
  list values(n);
  for (std::size_t k = 0; k < n; ++k) values[k] = static_cast<float>((k * 7919 + seed) % 11);
  return values;
}

template <problem_kind Kind, class... Inputs>
void compare(mmm::index size, mmm::kernel_problem const& more, list const& expected,
             Inputs const&... inputs) {
  auto const kernel = mmm::jit::kernel<Kind, float>(size, {}, more);
  if constexpr (Kind == problem_kind::sorts || Kind == problem_kind::summed_areas) {
    array const values(inputs...);
    kernel(nullptr, values.first());
    check(values.copied() == expected, kernel.chosen().candidate.c_str());
  } else {
    array const out(list(expected.size(), -1));
    auto const run = [&](auto const&... in) { kernel(nullptr, in.first()..., out.first()); };
    run(array(inputs)...);
    check(out.copied() == expected, kernel.chosen().candidate.c_str());
  }
  std::printf("%s\n", kernel.chosen().candidate.c_str());
}

void sums() {
  for (std::size_t const n : {1U, 1000U, 20000U}) {
    list const values = numbers(n);
    float sum = 0;
    for (float const x : values) sum += x;
    compare<problem_kind::sums>(static_cast<mmm::index>(n), {}, {sum}, values);
  }
}
void transposes() {
  std::size_t const side = 200;
  list const values = numbers(side * side);
  list expected = values;
  for (std::size_t k = 0; k < values.size(); ++k) expected[k] = values[k % side * side + k / side];
  compare<problem_kind::transposes>(side, {}, expected, values);
}
#ifndef QUICK
void products() {
  std::size_t const n = 96;
  list const a = numbers(n * n), b = numbers(n * n, 5);
  list c(n * n);
  for (std::size_t i = 0; i < n * n; ++i)
    for (std::size_t k = 0; k < n; ++k) c[i] += a[i / n * n + k] * b[k * n + i % n];
  compare<problem_kind::products>(n, {}, c, a, b);
}
void others() {
  std::size_t const n = 20000, side = 200;
  list const values = numbers(n), image = numbers(side * side);
  compare<problem_kind::copies>(n, {}, values, values);
  list expected = values;
  for (std::size_t k = 1; k < n; ++k) expected[k] += expected[k - 1];
  compare<problem_kind::scans>(n, {}, expected, values);
  expected = values;
  std::sort(expected.begin(), expected.end());
  compare<problem_kind::sorts>(n, {}, expected, values);
  expected = image;
  for (std::size_t k = 0; k < image.size(); ++k) {
    if (k % side != 0) expected[k] += expected[k - 1];
    if (k >= side) expected[k] += expected[k - side];
    if (k % side != 0 && k >= side) expected[k] -= expected[k - side - 1];
  }
  compare<problem_kind::summed_areas>(side, {}, expected, image);
  mmm::kernel_problem more;
  more.taps = 33;
  list const taps = numbers(33, 3), words = numbers(n + 32);
  expected.assign(n, 0);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t m = 0; m < taps.size(); ++m) expected[k] += taps[m] * words[k + m];
  compare<problem_kind::convolutions>(n, more, expected, taps, words);
  for (mmm::index const radius : {1, 2}) {
    more.radius = radius;
    auto const r = static_cast<std::ptrdiff_t>(radius), edge = std::ptrdiff_t{side};
    list const kernel = numbers(static_cast<std::size_t>((2 * r + 1) * (2 * r + 1)), 4);
    expected.assign(image.size(), 0);
    for (std::ptrdiff_t k = 0; k < edge * edge; ++k)
      for (std::ptrdiff_t t = 0; t < static_cast<std::ptrdiff_t>(kernel.size()); ++t) {
        std::ptrdiff_t const row = k / edge + t / (2 * r + 1) - r,
                             column = k % edge + t % (2 * r + 1) - r;
        if (row >= 0 && row < edge && column >= 0 && column < edge)
          expected[static_cast<std::size_t>(k)] +=
              kernel[static_cast<std::size_t>(t)] *
              image[static_cast<std::size_t>(row * edge + column)];
      }
    compare<problem_kind::image_convolutions>(edge, more, expected, image, kernel);
  }
}
#endif

//! A launch on a machine that the caller names.
void named_machine() {
  list const numbers_up_to_ten = numbers(1000);
  array const in(numbers_up_to_ten), out(list{0});
  float const* const values = in.first();
  float* const result = out.first();
  CUstream const stream = nullptr;
  // [at_run_time]
  mmm::index const n = 1000;
  auto const sum = mmm::jit::kernel<mmm::problem_kind::sums, float>(n);
  sum(stream, values, result);  // chosen for the GPU that is there, compiled by NVRTC or cached

  // Any algorithm and operator, on a machine that the program names:
  using machine = mmm::hmm<4, 32, 30, 500, 1024>;
  auto const on = mmm::jit::on<machine>(mmm::threads(4 * 128), stream);
  mmm::sum(on, values, values + n, result, mmm::maximum{}, mmm::init(0.0F));
  // [/at_run_time]
  check(out.copied() == list{10}, "the greatest of the values");
}

//! Runs `work`, which must throw an Error with these words.
template <class Error, class Work>
void demand_error(std::string const& words, Work const& work) {
  try {
    work();
    check(false, ("no error: " + words).c_str());
  } catch (Error const& e) {
    check(std::string(e.what()).find(words) != std::string::npos, e.what());
  }
}
void errors() {
  list const values = numbers(100);
  array const in(values), out(list{0});
  using machine = mmm::umm<32, 100>;
  auto const sum = [&](mmm::jit::settings const& given, float const* first, float* result) {
    mmm::sum(mmm::jit::on<machine>(mmm::threads(64), nullptr, given), first, first + 100, result);
  };
  sum({}, in.first(), out.first());  // loaded: other settings compile the kernel once more
  mmm::jit::settings given;
  given.source += "#error of the caller\n";
  demand_error<mmm::jit::error>("#error", [&] { sum(given, in.first(), out.first()); });
  try {
    sum(given, in.first(), out.first());
  } catch (mmm::jit::error const& e) {
    check(e.log().find("of the caller") != std::string::npos, "the log of NVRTC");
  }
  given = {};
  given.headers = "/nowhere";
  demand_error<mmm::jit::error>("/nowhere/mmm/jit/programs.hpp is missing; MMM_INCLUDE_DIR",
                                [&] { sum(given, in.first(), out.first()); });
  demand_error<std::invalid_argument>("1 words, is null", [&] { sum({}, in.first(), nullptr); });
  demand_error<std::invalid_argument>("100 words, is the host's",
                                      [&] { sum({}, values.data(), out.first()); });
}

}  // namespace

int main() {
  try {
    static_cast<void>(mmm::jit::facts_of_current_gpu());  // makes its context current
    sums();
    transposes();
#ifndef QUICK
    products();
    others();
#endif
    named_machine();
    errors();
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
  return failed ? 1 : 0;
}
