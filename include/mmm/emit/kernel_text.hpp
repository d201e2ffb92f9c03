// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>

//! The parts of an emitted file that depend on the problem. `$word` stands for what emit.hpp puts
//! in its place.
namespace mmm::detail {

//! A problem's call in C++, and the test of its result.
struct kernel_text {
  char const* title;       //!< "The sum of $n values"
  char const* contract;    //!< the comment of the entry
  char const* parameters;  //!< of the entry
  char const* call;        //!< the arguments of the algorithm, after the handle
  char const* strided_parameters;
  char const* strided_demands;    //!< statements that refuse sizes and strides
  char const* strided_arguments;  //!< of the entry, after them
  char const* test;               //!< statements that fill arrays, call the entry and compare
};

inline constexpr kernel_text kernel_texts[] = {
    // copy
    {"A copy of $n values", "Copies n values. Errors: sequences that overlap.",
     "$type const* input, $type* output, long long n", "input, input + n, output",
     "$type const* input, long long const* input_sizes, long long const* input_strides, $type* "
     "output, "
     "long long const* output_sizes, long long const* output_strides",
     R"(    demand_packed("input", 1, input_sizes, input_strides);
    demand_packed("output", 1, output_sizes, output_strides);
    demand("the size of output", output_sizes[0], input_sizes[0]);
)",
     "input, output, input_sizes[0]",
     R"(  std::vector<value> const a = numbers($n);
  array input(a), output(a.size());
  run([&] { return $entry(input.data, output.data, $n, nullptr); });
  compare(output.copied(), [&](std::size_t i) { return a[i]; });
)"},
    // sum
    {"The sum of $n values", "Writes the sum of n values to result[0].",
     "$type const* values, long long n, $type* result", "values, values + n, result",
     "$type const* values, long long const* values_sizes, long long const* values_strides, "
     "$type* result",
     R"(    demand_packed("values", 1, values_sizes, values_strides);
)",
     "values, values_sizes[0], result",
     R"(  std::vector<value> const a = numbers($n);
  array values(a), result(1);
  run([&] { return $entry(values.data, $n, result.data, nullptr); });
  value sum = 0;
  for (value const x : a) sum += x;
  compare(result.copied(), [&](std::size_t) { return sum; });
)"},
    // prefix_sums
    {"The prefix-sums of $n values",
     "Writes values[0] + ... + values[i] to sums[i] for all i < n. The two may be the same array.",
     "$type const* values, $type* sums, long long n", "values, values + n, sums",
     "$type const* values, long long const* values_sizes, long long const* values_strides, $type* "
     "sums, long long const* sums_sizes, long long const* sums_strides",
     R"(    demand_packed("values", 1, values_sizes, values_strides);
    demand_packed("sums", 1, sums_sizes, sums_strides);
    demand("the size of sums", sums_sizes[0], values_sizes[0]);
)",
     "values, sums, values_sizes[0]",
     R"(  std::vector<value> const a = numbers($n);
  array values(a), sums(a.size());
  run([&] { return $entry(values.data, sums.data, $n, nullptr); });
  value sum = 0;
  compare(sums.copied(), [&](std::size_t i) { return sum += a[i]; });
)"},
    // sort
    {"A sort of $n keys", "Sorts n keys in ascending order, in place.", "$type* keys, long long n",
     "keys, keys + n", "$type* keys, long long const* keys_sizes, long long const* keys_strides",
     R"(    demand_packed("keys", 1, keys_sizes, keys_strides);
)",
     "keys, keys_sizes[0]",
     R"(  std::vector<value> a($n);
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<value>(i * 7919 % 1000003);
  array keys(a);
  run([&] { return $entry(keys.data, $n, nullptr); });
  std::sort(a.begin(), a.end());
  compare(keys.copied(), [&](std::size_t i) { return a[i]; });
)"},
    // transpose
    {"The transpose of a matrix of $n x $n values",
     "Writes the transpose of a row-major matrix. Errors: matrices that overlap.",
     "$type const* input, $type* output, long long rows, long long columns",
     "input, mmm::shape(rows, columns), output",
     "$type const* input, long long const* input_sizes, long long const* input_strides, $type* "
     "output, "
     "long long const* output_sizes, long long const* output_strides",
     R"(    demand_packed("input", 2, input_sizes, input_strides);
    demand_packed("output", 2, output_sizes, output_strides);
    demand("the number of rows of output", output_sizes[0], input_sizes[1]);
    demand("the number of columns of output", output_sizes[1], input_sizes[0]);
)",
     "input, output, input_sizes[0], input_sizes[1]",
     R"(  std::vector<value> const a = numbers($n * $n);
  array input(a), output(a.size());
  run([&] { return $entry(input.data, output.data, $n, $n, nullptr); });
  compare(output.copied(), [&](std::size_t i) { return a[i % $n * $n + i / $n]; });
)"},
    // matrix_multiply
    {"The product of two matrices of $n x $n values",
     "Writes the product of the row-major matrices a, rows x inner, and b, inner x columns, to c. "
     "Errors: a c that overlaps a or b.",
     "$type const* a, $type const* b, $type* c, long long rows, long long inner, long long columns",
     "a, b, mmm::product_shape(rows, inner, columns), c$more",
     "$type const* a, long long const* a_sizes, long long const* a_strides, $type const* b, "
     "long long const* b_sizes, long long const* b_strides, $type* c, long long const* c_sizes, "
     "long long const* c_strides",
     R"(    demand_packed("a", 2, a_sizes, a_strides);
    demand_packed("b", 2, b_sizes, b_strides);
    demand_packed("c", 2, c_sizes, c_strides);
    demand("the number of rows of b", b_sizes[0], a_sizes[1]);
    demand("the number of rows of c", c_sizes[0], a_sizes[0]);
    demand("the number of columns of c", c_sizes[1], b_sizes[1]);
)",
     "a, b, c, a_sizes[0], a_sizes[1], b_sizes[1]",
     R"(  std::vector<value> const x = numbers($n * $n), y = numbers($n * $n);
  array a(x), b(y), c(x.size());
  run([&] { return $entry(a.data, b.data, c.data, $n, $n, $n, nullptr); });
  compare(c.copied(), [&](std::size_t i) {
    value sum = 0;
    for (std::size_t k = 0; k < $n; ++k) sum += x[i / $n * $n + k] * y[k * $n + i % $n];
    return sum;
  }, $n);
)"},
    // convolution
    {"The convolution of $taps taps with words for $n outputs",
     "Writes taps[0] words[i] + ... + taps[m - 1] words[i + m - 1] to outputs[i] for all i < n; "
     "there "
     "are n + m - 1 words. Errors: outputs that overlap taps or words.",
     "$type const* taps, long long m, $type const* words, $type* outputs, long long n",
     "taps, taps + m, words, words + (n + m - 1), outputs, outputs + n",
     "$type const* taps, long long const* taps_sizes, long long const* taps_strides, $type const* "
     "words, long long const* words_sizes, long long const* words_strides, $type* outputs, "
     "long long const* outputs_sizes, long long const* outputs_strides",
     R"(    demand_packed("taps", 1, taps_sizes, taps_strides);
    demand_packed("words", 1, words_sizes, words_strides);
    demand_packed("outputs", 1, outputs_sizes, outputs_strides);
    demand("the size of words", words_sizes[0], outputs_sizes[0] + taps_sizes[0] - 1);
)",
     "taps, taps_sizes[0], words, outputs, outputs_sizes[0]",
     R"(  std::vector<value> const x = numbers($taps), y = numbers($n + $taps - 1);
  array taps(x), words(y), outputs($n);
  run([&] { return $entry(taps.data, $taps, words.data, outputs.data, $n, nullptr); });
  compare(outputs.copied(), [&](std::size_t i) {
    value sum = 0;
    for (std::size_t k = 0; k < $taps; ++k) sum += x[k] * y[i + k];
    return sum;
  }, $taps);
)"},
    // image_convolution
    {"The convolution of an image of $n x $n values with a kernel of radius $radius",
     "Writes the convolution of a row-major image with a kernel of $width x $width words to "
     "outputs; "
     "the image is 0 outside. Errors: outputs that overlap image or kernel.",
     "$type const* image, $type const* kernel, $type* outputs, long long rows, long long columns",
     "image, mmm::shape(rows, columns), kernel$more, outputs",
     "$type const* image, long long const* image_sizes, long long const* image_strides, $type "
     "const* "
     "kernel, long long const* kernel_sizes, long long const* kernel_strides, $type* outputs, "
     "long long const* outputs_sizes, long long const* outputs_strides",
     R"(    demand_packed("image", 2, image_sizes, image_strides);
    demand_packed("kernel", 2, kernel_sizes, kernel_strides);
    demand_packed("outputs", 2, outputs_sizes, outputs_strides);
    demand("the number of rows of kernel", kernel_sizes[0], $width);
    demand("the number of columns of kernel", kernel_sizes[1], $width);
    demand("the number of rows of outputs", outputs_sizes[0], image_sizes[0]);
    demand("the number of columns of outputs", outputs_sizes[1], image_sizes[1]);
)",
     "image, kernel, outputs, image_sizes[0], image_sizes[1]",
     R"(  std::vector<value> const a = numbers($n * $n), b = numbers($width * $width);
  array image(a), kernel(b), outputs(a.size());
  run([&] { return $entry(image.data, kernel.data, outputs.data, $n, $n, nullptr); });
  compare(outputs.copied(), [&](std::size_t i) {
    value sum = 0;
    for (long long r = -$radius; r <= $radius; ++r)
      for (long long c = -$radius; c <= $radius; ++c) {
        long long const row = static_cast<long long>(i) / $n + r;
        long long const column = static_cast<long long>(i) % $n + c;
        if (row < 0 || row >= $n || column < 0 || column >= $n) continue;
        long long const tap = (r + $radius) * $width + c + $radius;
        sum += a[static_cast<std::size_t>(row * $n + column)] * b[static_cast<std::size_t>(tap)];
      }
    return sum;
  }, $width * $width);
)"},
    // summed_area
    {"The summed area table of an image of $n x $n values",
     "Replaces each value of a row-major image by the sum of all values that are neither below nor "
     "to "
     "the right of it.",
     "$type* image, long long rows, long long columns", "image, mmm::shape(rows, columns)",
     "$type* image, long long const* image_sizes, long long const* image_strides",
     R"(    demand_packed("image", 2, image_sizes, image_strides);
)",
     "image, image_sizes[0], image_sizes[1]",
     R"(  std::vector<value> a = numbers($n * $n);
  array image(a);
  run([&] { return $entry(image.data, $n, $n, nullptr); });
  for (std::size_t i = 0; i < a.size(); ++i) {
    value const above = i < $n ? value{} : a[i - $n];
    value const left = i % $n == 0 ? value{} : a[i - 1];
    value const both = i < $n || i % $n == 0 ? value{} : a[i - $n - 1];
    a[i] += above + left - both;
  }
  compare(image.copied(), [&](std::size_t i) { return a[i]; });
)"}};

//! The parts of an emitted file that do not depend on the problem.
inline constexpr char const* file_text = R"($comment
#if __has_include(<mmm/mmm.cuh>)
$include <mmm/mmm.cuh>
#else
$include "mmm.cuh"
#endif

$include <cuda_runtime.h>

#include <exception>
#include <stdexcept>
#include <string>
#ifdef TEST
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>
#endif

namespace $entry_file {
namespace {

// The launch: $blocks blocks of $block_threads threads.
using machine = $machine;
constexpr mmm::threads threads($threads);

// The cost on that machine, in time units$of_data.
$costs
thread_local std::string failure;

template <class Call>
int guarded(Call const& call) {
  try {
    call();
    return 0;
  } catch (std::exception const& e) {
    failure = e.what();
    return 1;
  }
}

void demand(char const* name, long long value, long long accepted) {
  if (value == accepted) return;
  throw std::invalid_argument(std::string("$entry: ") + name + " is " + std::to_string(value) +
                              "; accepted: " + std::to_string(accepted));
}

// Demands that elements follow each other, row by row.
void demand_packed(char const* name, int dimensions, long long const* sizes,
                   long long const* strides) {
  for (int d = 0; d < dimensions; ++d)
    if (sizes[d] == 0) return;
  long long packed = 1;
  for (int d = dimensions - 1; d >= 0; packed *= sizes[d--])
    if (sizes[d] != 1)
      demand((std::string("stride ") + std::to_string(d) + " of " + name).c_str(), strides[d],
             packed);
}

}  // namespace

// The reason why the last call of this thread that did not return 0 has failed.
extern "C" char const* $entry_error() { return failure.c_str(); }

$contract
extern "C" int $entry($parameters, void* stream) {
  return guarded([&] {
    mmm::$algorithm(mmm::cuda::on<machine>(threads, static_cast<cudaStream_t>(stream)),
                    $call);
  });
}

// The same for tensors, each with its sizes and its strides in elements, as PyTorch has them: the
// last dimension is the one whose elements follow each other.
extern "C" int $entry_strided($strided_parameters, void* stream) {
  int const refused = guarded([&] {
$strided_demands  });
  return refused != 0 ? refused : $entry($strided_arguments, stream);
}

#ifdef TEST
namespace {

using value = $type;

void check(cudaError_t status, char const* call) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(status));
  std::exit(1);
}

// Words of the device.
struct array {
  value* data = nullptr;
  std::size_t size;

  explicit array(std::size_t n) : size(n) {
    check(cudaMalloc(&data, n * sizeof(value)), "cudaMalloc");
    check(cudaMemset(data, 255, n * sizeof(value)), "cudaMemset");
  }
  explicit array(std::vector<value> const& host) : array(host.size()) {
    check(cudaMemcpy(data, host.data(), size * sizeof(value), cudaMemcpyDefault), "cudaMemcpy");
  }
  array(array const&) = delete;
  array& operator=(array const&) = delete;
  ~array() { static_cast<void>(cudaFree(data)); }
  std::vector<value> copied() const {
    std::vector<value> host(size);
    check(cudaMemcpy(host.data(), data, size * sizeof(value), cudaMemcpyDefault), "cudaMemcpy");
    return host;
  }
};

// Small integers whose sums are exact in every type.
[[maybe_unused]] std::vector<value> numbers(std::size_t n) {
  std::vector<value> all(n);
  for (std::size_t i = 0; i < n; ++i)
    all[i] = static_cast<value>(static_cast<int>((i * 7 + i / 1024) % 11) - 5);
  return all;
}

template <class Call>
void run(Call const& call) {
  if (call() != 0) {
    std::fprintf(stderr, "%s\n", $entry_error());
    std::exit(1);
  }
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

// Compares with `expected(i)`, which takes `steps` steps: all, or some 2^28 steps evenly spread.
template <class Expected>
void compare(std::vector<value> const& found, Expected const& expected, std::size_t steps = 1) {
  std::size_t const apart = steps == 1 ? 1 : found.size() * steps / (std::size_t{1} << 28) + 1;
  for (std::size_t i = 0; i < found.size(); i += apart)
    if (value const right = expected(i); found[i] != right) {
      std::fprintf(stderr, "$entry: result %zu is %s, not %s\n", i,
                   std::to_string(found[i]).c_str(), std::to_string(right).c_str());
      std::exit(1);
    }
}

[[maybe_unused]] void compare_cost(mmm::cost const& found, mmm::cost const& expected) {
  if (found == expected) return;
  std::fprintf(stderr, "$entry: the cost is %lld time units, not %lld\n",
               static_cast<long long>(found.time), static_cast<long long>(expected.time));
  std::exit(1);
}

void test() {
$cost_checks$test  std::printf("$entry: right\n");
}

}  // namespace
#endif

}  // namespace $entry_file

#ifdef TEST
int main() {
  $entry_file::test();
  return 0;
}
#endif
)";

//! `text` with each `$word` replaced. No word may begin with another that stands before it.
[[nodiscard]] inline std::string substituted(
    std::string text, std::initializer_list<std::pair<char const*, std::string>> words) {
  for (auto const& [word, by] : words)
    for (std::size_t place = 0; (place = text.find(word, place)) != std::string::npos;
         place += by.size())
      text.replace(place, std::string(word).size(), by);
  return text;
}

}  // namespace mmm::detail
