// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of float and double in all rounding modes, and conversions: the bits must equal the
// host's in its own rounding modes.
#include "../checked.cuh"

#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>

namespace {

using namespace checked;

constexpr int n = 4000;
constexpr int modes = 4;
int const host_mode[modes] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

constexpr int operations = 6;  // add, sub, mul, fma, div, sqrt

__global__ void singles(float const* in, float* out) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  float const a = in[i], b = in[n + i], c = in[2 * n + i];
  float* const r = out + i * modes * operations;
#define ALL(at, mode)                 \
  r[at + 0] = __fadd_##mode(a, b);    \
  r[at + 1] = __fsub_##mode(a, b);    \
  r[at + 2] = __fmul_##mode(a, b);    \
  r[at + 3] = __fmaf_##mode(a, b, c); \
  r[at + 4] = __fdiv_##mode(a, b);    \
  r[at + 5] = __fsqrt_##mode(a);
  ALL(0, rn)
  ALL(6, rz)
  ALL(12, rd)
  ALL(18, ru)
#undef ALL
}

__global__ void doubles(double const* in, double* out) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  double const a = in[i], b = in[n + i], c = in[2 * n + i];
  double* const r = out + i * modes * operations;
#define ALL(at, mode)                \
  r[at + 0] = __dadd_##mode(a, b);   \
  r[at + 1] = __dsub_##mode(a, b);   \
  r[at + 2] = __dmul_##mode(a, b);   \
  r[at + 3] = __fma_##mode(a, b, c); \
  r[at + 4] = __ddiv_##mode(a, b);   \
  r[at + 5] = __dsqrt_##mode(a);
  ALL(0, rn)
  ALL(6, rz)
  ALL(12, rd)
  ALL(18, ru)
#undef ALL
}

//! Computes on the host in the current rounding mode: not inlined and with volatile operands, so
//! that the compiler does not move the computation.
template <class T>
__attribute__((noinline)) T on_host(int operation, T first, T second, T third) {
  T volatile const a = first, b = second, c = third;
  switch (operation) {
    case 0:
      return a + b;
    case 1:
      return a - b;
    case 2:
      return a * b;
    case 3:
      return std::fma(a, b, c);
    case 4:
      return a / b;
    default:
      return std::sqrt(a);
  }
}

template <class T>
bool same_bits(T x, T y) {
  return std::memcmp(&x, &y, sizeof x) == 0 || (std::isnan(x) && std::isnan(y));
}

template <class T>
std::vector<T> numbers(std::size_t count, std::uint64_t seed) {
  random_numbers random(seed);
  std::vector<T> v(count);
  using limits = std::numeric_limits<T>;
  T const special[] = {T(0),
                       -T(0),
                       T(1),
                       T(-1),
                       limits::infinity(),
                       -limits::infinity(),
                       limits::quiet_NaN(),
                       limits::max(),
                       limits::min(),
                       limits::denorm_min(),
                       -limits::min() / 2,
                       limits::epsilon(),
                       T(3),
                       limits::lowest()};
  for (std::size_t i = 0; i < count; ++i) {
    v[i] = static_cast<T>(std::ldexp(random.any<T>(), static_cast<int>(random.below(20)) - 10));
    if (random.below(8) == 0) v[i] = special[random.below(std::size(special))];
    if (random.below(8) == 0) {  // any exponent, tiny ones and denormal ones too
      auto const bits = random();
      std::memcpy(&v[i], &bits, sizeof(T));
    }
  }
  return v;
}

template <class T, class Kernel>
void check(Kernel kernel, int line) {
  auto const in = numbers<T>(3 * n, 100);
  device_array<T> d(in), out(n * modes * operations);
  kernel<<<n / 100, 100>>>(d.data(), out.data());
  wait(line);
  auto const found = out.host();
  for (int m = 0; m < modes; ++m) {
    std::fesetround(host_mode[m]);
    for (int i = 0; i < n; ++i)
      for (int o = 0; o < operations; ++o) {
        T const expected = on_host<T>(o, in[i], in[n + i], in[2 * n + i]);
        expect(same_bits(found[(i * modes + m) * operations + o], expected),
               sizeof(T) == 4 ? "float" : "double", line, i * 100 + m * 10 + o);
      }
  }
  std::fesetround(FE_TONEAREST);
}

// --- conversions ---------------------------------------------------------------------------------

struct converted {
  int i[4], from_single[4];
  unsigned u[4];
  long long l[4];
  float f[4], of_int[4];
  double of_long[4];
  float floor, ceil, trunc, rint, round;
  double dfloor, drint, dround;
  long long bits;
  int high, low;
  unsigned short small;
  signed char tiny;
};

__global__ void convert(double const* in, converted* out) {
  int const t = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  double const x = in[t];
  float const s = static_cast<float>(x);
  auto const whole = __double_as_longlong(x);
  auto const word = static_cast<int>(whole >> 13);
  converted& c = out[t];
#define ALL(at, mode)                        \
  c.i[at] = __double2int_##mode(x);          \
  c.from_single[at] = __float2int_##mode(s); \
  c.u[at] = __double2uint_##mode(x);         \
  c.l[at] = __double2ll_##mode(x * 1e6);     \
  c.f[at] = __double2float_##mode(x);        \
  c.of_int[at] = __int2float_##mode(word);   \
  c.of_long[at] = __ll2double_##mode(whole);
  ALL(0, rn)
  ALL(1, rz)
  ALL(2, rd)
  ALL(3, ru)
#undef ALL
  c.floor = floorf(s);
  c.ceil = ceilf(s);
  c.trunc = truncf(s);
  c.rint = rintf(s);
  c.round = roundf(s);
  c.dfloor = floor(x);
  c.drint = rint(x);
  c.dround = round(x);
  c.bits = __double_as_longlong(__hiloint2double(__double2hiint(x), __double2loint(x)));
  c.high = __float_as_int(s);
  c.low = __float_as_int(__int_as_float(word));
  c.small = static_cast<unsigned short>(word);
  c.tiny = static_cast<signed char>(word);
}

//! The rules of cvt in the PTX manual.
template <class I, class Real>
I saturated(Real x) {
  if (std::isnan(x))
    return sizeof(Real) == 8 || sizeof(I) == 8 ? static_cast<I>(I{1} << (8 * sizeof(I) - 1)) : I{0};
  double const r = std::nearbyint(static_cast<double>(x));
  if (r <= static_cast<double>(std::numeric_limits<I>::lowest()))
    return std::numeric_limits<I>::lowest();
  if (r >= static_cast<double>(std::numeric_limits<I>::max())) return std::numeric_limits<I>::max();
  return static_cast<I>(r);
}

void check_conversions() {
  random_numbers random(101);
  std::vector<double> in(n);
  for (auto& x : in) {
    x = std::ldexp(random.any<double>(), static_cast<int>(random.below(45)));
    if (random.below(4) == 0) x = std::floor(x) + 0.5;
  }
  double const special[] = {0.0,
                            -0.0,
                            1e300,
                            -1e300,
                            INFINITY,
                            -INFINITY,
                            2147483647.5,
                            -2147483648.5,
                            4294967295.5,
                            -0.5,
                            0.49999999999999994,
                            NAN};
  for (std::size_t i = 0; i < std::size(special); ++i) in[i] = special[i];
  device_array<double> d(in);
  device_array<converted> out(n);
  convert<<<n / 100, 100>>>(d.data(), out.data());
  WAIT();
  auto const found = out.host();
  for (int t = 0; t < n; ++t) {
    double const x = in[t];
    float const s = static_cast<float>(x);
    long long whole;
    std::memcpy(&whole, &x, 8);
    auto const word = static_cast<int>(whole >> 13);
    converted const& c = found[t];
    double volatile const million = x * 1e6;
    for (int m = 0; m < modes; ++m) {
      std::fesetround(host_mode[m]);
      double volatile const v = x;
      float volatile const v32 = s;
      float const single = v32;
      double const real = v;
      int volatile const w = word;
      long long volatile const l = whole;
      EXPECT_AT(t, c.i[m] == saturated<int>(real));
      EXPECT_AT(t, c.from_single[m] == saturated<int>(single));
      EXPECT_AT(t, c.u[m] == saturated<unsigned>(real));
      EXPECT_AT(t, c.l[m] == saturated<long long>(double{million}));
      EXPECT_AT(t, same_bits(c.f[m], static_cast<float>(v)));
      EXPECT_AT(t, same_bits(c.of_int[m], static_cast<float>(w)));
      EXPECT_AT(t, same_bits(c.of_long[m], static_cast<double>(l)));
    }
    std::fesetround(FE_TONEAREST);
    EXPECT_AT(t, same_bits(c.floor, std::floor(s)) && same_bits(c.ceil, std::ceil(s)) &&
                     same_bits(c.trunc, std::trunc(s)));
    EXPECT_AT(t, same_bits(c.rint, std::nearbyint(s)) && same_bits(c.round, std::round(s)));
    EXPECT_AT(t, same_bits(c.dfloor, std::floor(x)) && same_bits(c.drint, std::nearbyint(x)) &&
                     same_bits(c.dround, std::round(x)));
    EXPECT_AT(t, c.bits == whole && c.low == word);
    EXPECT_AT(t, std::isnan(s) || std::memcmp(&c.high, &s, 4) == 0);
    EXPECT_AT(t, c.small == static_cast<unsigned short>(word) &&
                     c.tiny == static_cast<signed char>(word));
  }
}

}  // namespace

int main() {
  check<float>(singles, __LINE__);
  check<double>(doubles, __LINE__);
  check_conversions();
  return finish(2 * n * modes * operations + n * 34);
}
