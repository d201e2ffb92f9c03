// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sparse matrix and a histogram, traced on the host (docs/data-dependent-accesses.md).
// [csr]
#include <mmm/trace_kernel.hpp>

#include <iostream>
#include <random>
#include <string>
#include <vector>

using gpu = mmm::gpu::h200;

//! A matrix of 1024 rows in compressed form; row r has the elements start[r] to start[r + 1] - 1.
struct matrix {
  std::vector<int> start{0}, column;
  std::vector<float> value;

  matrix() {
    std::mt19937 random(1);
    for (int row = 0; row < 1024; ++row) {
      int const length = row % 32 == 0 ? 200 : static_cast<int>(random() % 16);
      for (int k = 0; k < length; ++k) {
        column.push_back(static_cast<int>(random() % 1024));
        value.push_back(1);
      }
      start.push_back(static_cast<int>(column.size()));
    }
  }
};

//! y = A x with `lanes` threads for each row.
std::string multiply(matrix& m, int lanes) {
  std::vector<float> vector(1024, 1), result(1024);
  auto const start = mmm::gpu::global(m.start);
  auto const column = mmm::gpu::global(m.column);
  auto const value = mmm::gpu::global(m.value);
  auto const x = mmm::gpu::global(vector);
  auto const y = mmm::gpu::global(result);
  auto const trace = mmm::gpu::trace_grid<gpu>(4 * lanes, 256, [&](mmm::gpu::thread& t) {
    int const row = (t.block * 256 + t.x) / lanes;
    int const end = start[row + 1];
    float sum = 0;
    for (int j = start[row] + t.x % lanes; j < end; j += lanes) {
      int const c = column[j];
      float const v = value[j];
      sum += v * x[c];
    }
    for (int d = lanes / 2; d > 0; d /= 2) sum += t.shuffle_down(sum, d);
    if (t.x % lanes == 0) y[row] = sum;
  });
  return mmm::report::text(trace);
}
// [/csr]

// [histogram]
//! Counts bytes in shared memory, with `copies` of every bin.
std::string histogram(std::vector<unsigned char> data, int copies) {
  std::vector<unsigned> sums(256);
  auto const in = mmm::gpu::global(data);
  auto const bins = mmm::gpu::global(sums);
  auto const trace = mmm::gpu::trace_block<gpu>(256, [&](mmm::gpu::thread& t) {
    auto own = t.shared<unsigned>(256 * copies);
    for (int k = 0; k < copies; ++k) own[k * 256 + t.x] = 0;
    t.sync();
    for (int i = t.x; i < static_cast<int>(data.size()); i += 256)
      atomic_add(own[in[i] * copies + t.x % copies], 1U);
    t.sync();
    unsigned sum = 0;
    for (int k = 0; k < copies; ++k) sum += own[t.x * copies + (t.x + k) % copies];
    bins[t.x] = sum;
  });
  return mmm::report::text(trace);
}

int main() {
  matrix m;
  std::cout << "a thread for each row\n" << multiply(m, 1) << "\n8 threads\n" << multiply(m, 8);

  std::vector<unsigned char> random(4096), equal(4096, 7);
  std::mt19937 numbers(1);
  for (unsigned char& byte : random) byte = static_cast<unsigned char>(numbers());
  std::cout << "\nrandom bytes\n"
            << histogram(random, 1) << "\nequal bytes\n"
            << histogram(equal, 1);
  std::cout << "\nequal bytes, 32 copies\n" << histogram(equal, 32);
}
// [/histogram]
