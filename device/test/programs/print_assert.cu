// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf, assert, trap, malloc and clock in kernels. The program captures and compares the device's
// output.
#include "../checked.cuh"

#include <unistd.h>

#include <cassert>
#include <string>

namespace {

using namespace checked;

__global__ void print(char const* text) {
  if (threadIdx.x == 2) {
    printf("thread %d of block %u\n", static_cast<int>(threadIdx.x), blockIdx.x);
    printf("%5.2f|%-6d|%06x|%c|%s|%lld|%%|%g\n", 3.14159, -42, 0xbeefu, 'q', "words", -(1ll << 40),
           1e100);
    printf("%*d %.3e %u %+d\n", 6, 12, 0.00012346, 4000000000u, 3);
    printf("%s\n", text);
    printf("no arguments\n");
  }
}
char const* const printed = "thread 2 of block 0\n"
                            " 3.14|-42   |00beef|q|words|-1099511627776|%|1e+100\n"
                            "    12 1.235e-04 4000000000 +3\n"
                            "from memory\n"
                            "no arguments\n";

__global__ void returned(int* out) {
  out[0] = printf("%d %d %d\n", 1, 2, 3);
  out[1] = printf("x\n");
}

__global__ void print_in_order() {
  for (int i = 0; i < 3; ++i) printf("%d ", i);
  printf("\n");
}

__global__ void must_hold(int n) {
  assert(n < 10);
  assert(static_cast<int>(threadIdx.x) < n && "too many threads");
}

__global__ void own_heap(int* out) {
  auto* const p = static_cast<int*>(malloc(sizeof(int) * (threadIdx.x + 1)));
  if (p == nullptr) {
    out[threadIdx.x] = -1;
    return;
  }
  for (unsigned i = 0; i <= threadIdx.x; ++i) p[i] = static_cast<int>(i);
  int sum = 0;
  for (unsigned i = 0; i <= threadIdx.x; ++i) sum += p[i];
  free(p);
  int* const q = new int[2]{sum, 1};
  out[threadIdx.x] = q[0] + q[1];
  delete[] q;
}

__global__ void clocks(long long* out) {
  long long const before = clock64();
  unsigned const low = static_cast<unsigned>(clock());
  long long sum = 0;
  for (int i = 0; i < 100; ++i) sum += clock64() & 1;
  out[0] = clock64() - before;
  out[1] = static_cast<long long>(low) + sum;
}

//! The text that a function writes to a file descriptor.
template <class Do>
std::string caught(int descriptor, Do const& work) {
  std::fflush(nullptr);
  std::FILE* const file = std::tmpfile();
  int const before = dup(descriptor);
  dup2(fileno(file), descriptor);
  work();
  std::fflush(nullptr);
  dup2(before, descriptor);
  close(before);
  std::string text(static_cast<std::size_t>(lseek(fileno(file), 0, SEEK_END)), ' ');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

}  // namespace

int main() {
  {
    std::string const memory = "from memory";
    device_array<char> text(std::vector<char>(memory.c_str(), memory.c_str() + memory.size() + 1));
    std::string const found = caught(1, [&] {
      print<<<1, 8>>>(text.data());
      cudaDeviceSynchronize();
    });
    EXPECT(found == printed);
    if (found != printed) std::printf("found: %s", found.c_str());
  }
  EXPECT(caught(1, [] {
           print_in_order<<<1, 1>>>();
           cudaDeviceSynchronize();
         }) == "0 1 2 \n");
  {
    device_array<int> out(2);
    caught(1, [&] {
      returned<<<1, 1>>>(out.data());
      cudaDeviceSynchronize();
    });
    auto const found = out.host();
    EXPECT(found[0] == 3 && found[1] == 0);  // the number of arguments, not of characters
  }
  {
    device_array<int> out(40);
    own_heap<<<1, 40>>>(out.data());
    WAIT();
    auto const found = out.host();
    for (int i = 0; i < 40; ++i) EXPECT_AT(i, found[i] == i * (i + 1) / 2 + 1);
  }
  {
    device_array<long long> out(2);
    clocks<<<1, 1>>>(out.data());
    WAIT();
    EXPECT(out.host()[0] > 0);
  }
  must_hold<<<1, 4>>>(5);
  WAIT();
  // These come last, because they leave the device unusable.
  std::string const message = caught(2, [] {
    must_hold<<<3, 7>>>(5);
    EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
  });
  EXPECT(message.find("print_assert.cu:") != std::string::npos);
  EXPECT(message.find("thread: [6,0,0]") != std::string::npos);
  EXPECT(message.find(
             "Assertion `static_cast<int>(threadIdx.x) < n && \"too many threads\"` failed") !=
         std::string::npos);
  int* p = nullptr;
  EXPECT(cudaMalloc(&p, 4) == cudaErrorAssert);
  return finish(50);
}
