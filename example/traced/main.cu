// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the kernels of kernels.cuh once each. nvcc makes a CUDA program of this file; a C++ compiler
// (-x c++) makes a program that traces the kernels on the host, and prints what they do. With
// MMM_RECORD defined, nvcc's program writes the kernels' requests to the file that it is given.
#include "kernels.cuh"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#if defined(__CUDACC__)

#include <cuda_runtime.h>

namespace {

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

// An array on the device, copied from and to the host's.
template <class T>
class array {
 public:
  explicit array(std::vector<T>& values) : values_(&values) {
    check(cudaMalloc(&data_, bytes()));
    check(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  ~array() {
    check(cudaMemcpy(values_->data(), data_, bytes(), cudaMemcpyDeviceToHost));
    check(cudaFree(data_));
  }
  array(array const&) = delete;
  array& operator=(array const&) = delete;
  [[nodiscard]] T* data() const { return data_; }

 private:
  [[nodiscard]] std::size_t bytes() const { return values_->size() * sizeof(T); }
  std::vector<T>* values_;
  T* data_ = nullptr;
};

}  // namespace

#define LAUNCH(name, grid, block, kernel, ...) \
  kernel<<<grid, block>>>(__VA_ARGS__);        \
  check(cudaGetLastError());                   \
  check(cudaDeviceSynchronize())

#else

#include <mmm/trace_kernel.hpp>

namespace {

template <class T>
using array = mmm::gpu::global_array<T>;
bool lines_only = false;

void print(char const* name, mmm::gpu::kernel_trace const& trace) {
  if (!lines_only) {
    std::printf("%s: %s\n", name, mmm::report::text(trace).c_str());
    return;
  }
  for (mmm::gpu::traced_line const& l : trace.lines)  // for a program that compares
    std::printf("%s %d %d %d %lld %lld %lld %lld\n", name, l.place.line, static_cast<int>(l.space),
                static_cast<int>(l.use), static_cast<long long>(l.requests),
                static_cast<long long>(l.lanes), static_cast<long long>(l.transfers),
                static_cast<long long>(l.ideal));
  for (mmm::gpu::trace_finding const& f : trace.findings)
    std::printf("%s finding %s\n", name, f.message.c_str());
}

}  // namespace

#define LAUNCH(name, grid, block, kernel, ...)      \
  print(name, mmm::gpu::trace_grid<mmm::gpu::h200>( \
                  grid, block, [&](mmm::gpu::thread&) { kernel(__VA_ARGS__); }))

#endif

namespace {

int failures = 0;
void expect(bool right, char const* what) {
  if (right) return;
  std::fprintf(stderr, "wrong result: %s\n", what);
  ++failures;
}

std::vector<int> ones_and_more(std::size_t n) {
  std::vector<int> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<int>(i * 7 % 11);
  return values;
}
int sum_of(std::vector<int> const& values) {
  int sum = 0;
  for (int const v : values) sum += v;
  return sum;
}

void reductions() {
  for (int number = 1; number <= 7; ++number) {
    int const of_a_block = number < 4 ? 256 : number < 7 ? 512 : 1000;
    std::vector<int> in = ones_and_more(std::size_t{4} * static_cast<unsigned>(of_a_block));
    std::vector<int> out(4);
    {
      array<int> const a(in);
      array<int> const b(out);
      dim3 const grid(4);
      dim3 const block(256);
      if (number == 1) {
        LAUNCH("reduce1", grid, block, kernels::reduce1, a.data(), b.data());
      }
      if (number == 2) {
        LAUNCH("reduce2", grid, block, kernels::reduce2, a.data(), b.data());
      }
      if (number == 3) {
        LAUNCH("reduce3", grid, block, kernels::reduce3, a.data(), b.data());
      }
      if (number == 4) {
        LAUNCH("reduce4", grid, block, kernels::reduce4, a.data(), b.data());
      }
      if (number == 5) {
        LAUNCH("reduce5", grid, block, kernels::reduce5, a.data(), b.data());
      }
      if (number == 6) {
        LAUNCH("reduce6", grid, block, kernels::reduce6<256>, a.data(), b.data());
      }
      if (number == 7) {
        LAUNCH("reduce7", grid, block, kernels::reduce7, a.data(), b.data(), 4000U);
      }
    }
    expect(sum_of(out) == sum_of(in), "a sum");
  }
}

void histogram() {
  std::vector<unsigned char> data(10000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i * i / 7);
  std::vector<unsigned> bins(256);
  std::vector<unsigned> right(256);
  for (unsigned char const v : data) ++right[v];
  {
    array<unsigned char> const a(data);
    array<unsigned> const b(bins);
    LAUNCH("histogram", dim3(3), dim3(256), kernels::histogram, a.data(), 10000, b.data());
  }
  expect(bins == right, "a histogram");
}

void stencil() {
  int const side = 64;
  std::vector<float> in(side * side);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 13);
  std::vector<float> out(in.size());
  {
    array<float> const a(in);
    array<float> const b(out);
    LAUNCH("stencil", dim3(4, 4), dim3(16, 16), kernels::stencil, a.data(), b.data(), side);
  }
  auto const at = [&](int r, int c) {
    return r < 0 || r >= side || c < 0 || c >= side ? 0.0F
                                                    : in[static_cast<std::size_t>(r * side + c)];
  };
  bool right = true;
  for (int r = 0; r < side; ++r)
    for (int c = 0; c < side; ++c)
      right &= out[static_cast<std::size_t>(r * side + c)] ==
               at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1) + at(r, c);
  expect(right, "a stencil");
}

// A matrix in compressed rows.
struct sparse_matrix {
  int rows = 0;
  std::vector<int> start;
  std::vector<int> column;
  std::vector<float> value;
};
// The nine-point star on a grid of 30 x 30 points, 8 at a point and -1 at its neighbours: 900 rows
// of 4, 6 or 9 entries, 7744 in all: the pattern of GR_30_30 of the Harwell-Boeing collection.
sparse_matrix star_matrix() {
  constexpr int side = 30;
  sparse_matrix m;
  m.rows = side * side;
  m.start.push_back(0);
  for (int row = 0; row < m.rows; ++row) {
    int const x = row % side;
    int const y = row / side;
    for (int v = y - 1; v <= y + 1; ++v)
      for (int u = x - 1; u <= x + 1; ++u) {
        if (u < 0 || u >= side || v < 0 || v >= side) continue;
        m.column.push_back(v * side + u);
        m.value.push_back(u == x && v == y ? 8.0F : -1.0F);
      }
    m.start.push_back(static_cast<int>(m.column.size()));
  }
  expect(m.column.size() == 7744, "the entries of the star");
  return m;
}
// Rows of 0 to 18 entries, at places that no cache would like.
sparse_matrix irregular_matrix() {
  sparse_matrix m;
  m.rows = 500;
  m.start.push_back(0);
  for (int r = 0; r < m.rows; ++r) {
    for (int j = 0; j < r * 37 % 19; ++j) {
      m.column.push_back((r * 31 + j * j * 17) % m.rows);
      m.value.push_back(static_cast<float>(j % 3));
    }
    m.start.push_back(static_cast<int>(m.column.size()));
  }
  return m;
}
void spmv(sparse_matrix m) {
  auto const rows = static_cast<std::size_t>(m.rows);
  std::vector<float> x(rows);
  for (std::size_t i = 0; i < rows; ++i) x[i] = static_cast<float>(i % 5);
  std::vector<float> y(rows);
  {
    array<int> const start(m.start);
    array<int> const column(m.column);
    array<float> const value(m.value);
    array<float> const a(x);
    array<float> const b(y);
    LAUNCH("spmv", dim3(static_cast<unsigned>(m.rows + 127) / 128), dim3(128), kernels::spmv,
           m.rows, start.data(), column.data(), value.data(), a.data(), b.data());
  }
  bool right = true;
  for (std::size_t r = 0; r < rows; ++r) {
    float sum = 0;
    for (auto j = static_cast<std::size_t>(m.start[r]);
         j < static_cast<std::size_t>(m.start[r + 1]); ++j)
      sum += m.value[j] * x[static_cast<std::size_t>(m.column[j])];
    right &= y[r] == sum;
  }
  expect(right, "a product of a sparse matrix");
}

void sort() {
  std::vector<unsigned> keys(1024);
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = static_cast<unsigned>(i * 2654435761U % 1000);
  {
    array<unsigned> const a(keys);
    LAUNCH("bitonic_sort", dim3(4), dim3(128), kernels::bitonic_sort, a.data());
  }
  bool right = true;
  for (std::size_t i = 1; i < keys.size(); ++i) right &= i % 256 == 0 || keys[i - 1] <= keys[i];
  expect(right, "a sorted block");
}

void scan() {
  std::vector<int> in = ones_and_more(1024);
  std::vector<int> out(1024);
  {
    array<int> const a(in);
    array<int> const b(out);
    LAUNCH("warp_scan", dim3(4), dim3(256), kernels::warp_scan, a.data(), b.data());
  }
  bool right = true;
  int sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    sum = i % 256 == 0 ? in[i] : sum + in[i];
    right &= out[i] == sum;
  }
  expect(right, "a scan");
}

void match() {
  constexpr int texts = 64;
  constexpr int length = 20;
  std::vector<unsigned char> text(std::size_t{texts} * (length + 2));
  unsigned random = 1;
  for (unsigned char& c : text) {
    random = random * 1664525U + 1013904223U;
    bool const ends = (random >> 16 & 63U) == 0;
    c = static_cast<unsigned char>(ends ? 0U : 1U + (random >> 24) % 3U);
  }
  std::vector<unsigned char> bytes = {1, 2, 3};
  std::vector<int> equal(std::size_t{texts} * length);
  std::vector<int> is_whole(texts);
  {
    array<unsigned char> const a(text);
    array<unsigned char> const b(bytes);
    array<int> const c(equal);
    array<int> const d(is_whole);
    LAUNCH("match_bytes", dim3(1), dim3(64), kernels::match_bytes, a.data(), texts, length,
           b.data(), c.data(), d.data());
  }
  int whole = 0;
  for (std::size_t t = 0; t < texts; ++t) {
    bool ended = false;
    for (std::size_t k = 0; k < length; ++k) ended |= text[k * texts + t] == 0;
    expect(is_whole[t] == 0 || !ended, "a text that ends");
    whole += is_whole[t];
  }
  expect(whole > 0 && whole < texts, "texts that end and others");
}

}  // namespace

int main(int argc, [[maybe_unused]] char** argv) {
#if defined(MMM_RECORD)
  if (argc != 2) return 2;
  mmm::gpu::recording const requests(std::size_t{1} << 16);
#elif !defined(__CUDACC__)
  lines_only = argc > 1 && std::strcmp(argv[1], "--lines") == 0;
#endif
  if (argc > 2) return 2;
  reductions();
  histogram();
  stencil();
  spmv(star_matrix());
  spmv(irregular_matrix());
  sort();
  scan();
  match();
#if defined(MMM_RECORD)
  std::FILE* const file = std::fopen(argv[1], "w");
  if (file == nullptr) return 2;
  requests.write(file);
  if (std::fclose(file) != 0) return 2;
#endif
  return failures == 0 ? 0 : 1;
}
