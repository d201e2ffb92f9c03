// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls in device code: function pointers, virtual functions, recursion, large arguments. Control
// flow: switches, loops that diverge, local arrays with an index known only at run time.
#include "../checked.cuh"

#include <algorithm>

namespace {

using namespace checked;

constexpr int threads = 64;

// --- function pointers ---------------------------------------------------------------------------

using operation = int (*)(int, int);
__host__ __device__ int plus(int a, int b) { return a + b; }
__host__ __device__ int minus(int a, int b) { return a - b; }
__host__ __device__ int times(int a, int b) { return a * b; }
__host__ __device__ int swapped_minus(int a, int b) { return minus(b, a); }
__device__ operation table[4] = {plus, minus, times, swapped_minus};
operation const host_table[4] = {plus, minus, times, swapped_minus};

__global__ void by_pointer(int* out, int const* which, operation given) {
  int const t = static_cast<int>(threadIdx.x);
  out[t] = given(table[which[t]](t, 7), 1);  // lanes of a warp call different functions
}

void check_pointers() {
  auto const which = random_vector<int>(threads, 90, 4);
  device_array<int> w(which), out(threads);
  operation given = nullptr;
  SUCCEED(cudaMemcpyFromSymbol(&given, table, sizeof given, 2 * sizeof given));
  by_pointer<<<1, threads>>>(out.data(), w.data(), given);
  WAIT();
  auto const found = out.host();
  for (int t = 0; t < threads; ++t) EXPECT_AT(t, found[t] == host_table[which[t]](t, 7));
}

// --- virtual functions ---------------------------------------------------------------------------

struct shape {
  __device__ virtual ~shape() {}
  __device__ virtual int area() const = 0;
  __device__ virtual int corners() const { return 4; }
};
struct square : shape {
  int side;
  __device__ explicit square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};
struct triangle : shape {
  int base, height;
  __device__ triangle(int b, int h) : base(b), height(h) {}
  __device__ int area() const override { return base * height / 2; }
  __device__ int corners() const override { return 3; }
};

__global__ void make(shape** shapes) {
  int const t = static_cast<int>(threadIdx.x);
  if (t % 3 == 0)
    shapes[t] = new triangle(t, 4);
  else
    shapes[t] = new square(t);
}
__global__ void ask(shape* const* shapes, int* out) {
  int const t = static_cast<int>(threadIdx.x);
  out[t] = shapes[t]->area() * 10 + shapes[t]->corners();
  delete shapes[t];
}

void check_virtual() {
  device_array<shape*> shapes(threads);
  device_array<int> out(threads);
  make<<<1, threads>>>(shapes.data());
  ask<<<1, threads>>>(shapes.data(), out.data());
  WAIT();
  auto const found = out.host();
  for (int t = 0; t < threads; ++t)
    EXPECT_AT(t, found[t] == (t % 3 == 0 ? 20 * t + 3 : 10 * t * t + 4));
}

// --- recursion, functions that are not inlined ---------------------------------------------------

__host__ __device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__host__ __device__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__host__ __device__ bool is_odd(int n);
__host__ __device__ __noinline__ bool is_even(int n) { return n == 0 || is_odd(n - 1); }
__host__ __device__ __noinline__ bool is_odd(int n) { return n != 0 && is_even(n - 1); }

struct large {
  int part[20];
  double real;
};
__host__ __device__ __noinline__ large turned(large x, int by) {
  large y;
  for (int i = 0; i < 20; ++i) y.part[i] = x.part[(i + by) % 20];
  y.real = x.real * by;
  return y;
}

__global__ void recursive(int* out) {
  int const t = static_cast<int>(threadIdx.x);
  int* const row = out + t * 4;
  row[0] = fibonacci(t % 12);  // the lanes' recursions differ in depth
  row[1] = ackermann(t % 3, t % 4);
  row[2] = is_even(t) ? 1 : 0;
  large x;
  for (int i = 0; i < 20; ++i) x.part[i] = i + t;
  x.real = 0.5;
  large const y = turned(turned(x, t % 7), t % 5);
  row[3] = y.part[t % 20] + static_cast<int>(y.real * 2);
}

void check_recursion() {
  device_array<int> out(threads * 4);
  recursive<<<1, threads>>>(out.data());
  WAIT();
  auto const found = out.host();
  for (int t = 0; t < threads; ++t) {
    EXPECT_AT(t, found[t * 4] == fibonacci(t % 12));
    EXPECT_AT(t, found[t * 4 + 1] == ackermann(t % 3, t % 4));
    EXPECT_AT(t, found[t * 4 + 2] == (t % 2 == 0));
    EXPECT_AT(t, found[t * 4 + 3] == (t % 20 + t % 7 + t % 5) % 20 + t + (t % 7) * (t % 5));
  }
}

// --- control flow --------------------------------------------------------------------------------

__host__ __device__ int interpret(unsigned program, int x) {
  for (int step = 0; step < 8; ++step, program >>= 4) {
    switch (program & 15) {
      case 0:
        x += 1;
        break;
      case 1:
        x -= 3;
        break;
      case 2:
        x *= 5;
        break;
      case 3:
        x ^= 0x55;
        break;
      case 4:
        x = x < 0 ? -x : x;
        break;
      case 5:
        x <<= 1;
        [[fallthrough]];
      case 6:
        x += 100;
        break;
      case 7:
        x /= 3;
        break;
      case 8:
        x %= 17;
        break;
      case 9:
        if (x > 50) continue;
        x = 7 - x;
        break;
      case 10:
        return x;
      case 11:
        x = ~x;
        break;
      default:
        while (x > 10) x -= 9;
    }
  }
  return x;
}
__host__ __device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    if (++steps > 50) break;
  }
  return steps;
}
//! Sorts by insertion in a local array, then follows the sorted values as indices.
__host__ __device__ int in_local_array(unsigned seed) {
  short values[24];
  unsigned char next[24];
  for (int i = 0; i < 24; ++i) {
    seed = seed * 1664525u + 1013904223u;
    int const x = static_cast<int>(seed >> 20);
    int at = i;
    while (at > 0 && values[at - 1] > x) {
      values[at] = values[at - 1];
      --at;
    }
    values[at] = static_cast<short>(x);
  }
  for (int i = 0; i < 24; ++i) next[i] = static_cast<unsigned char>(values[i] % 24);
  int sum = 0, at = 0;
  for (int i = 0; i < 30; ++i) {
    sum += values[at] * (i + 1);
    at = (next[at] + i) % 24;
  }
  return sum;
}

__global__ void flow(unsigned const* programs, int* out) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  out[3 * i] = interpret(programs[i], i - 100);
  out[3 * i + 1] = collatz(i + 1);
  out[3 * i + 2] = in_local_array(programs[i]);
}

void check_flow() {
  constexpr int n = 4 * threads;
  auto const programs = random_vector<unsigned>(n, 91);
  device_array<unsigned> p(programs);
  device_array<int> out(3 * n);
  flow<<<4, threads>>>(p.data(), out.data());
  WAIT();
  auto const found = out.host();
  for (int i = 0; i < n; ++i) {
    EXPECT_AT(i, found[3 * i] == interpret(programs[i], i - 100));
    EXPECT_AT(i, found[3 * i + 1] == collatz(i + 1));
    EXPECT_AT(i, found[3 * i + 2] == in_local_array(programs[i]));
  }
}

}  // namespace

int main() {
  SUCCEED(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
  std::size_t stack = 0;
  SUCCEED(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  EXPECT(stack >= 16384);
  check_pointers();
  check_virtual();
  check_recursion();
  check_flow();
  return finish(6 * threads + 12 * threads);
}
