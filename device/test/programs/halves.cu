// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __half and __nv_bfloat16: conversions of all values, and arithmetic compared with exact results
// rounded on the host.
#include "../checked.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

using namespace checked;

//! The bits of a double rounded to nearest even, in a format with `Fraction` bits of fraction and
//! exponents from `Least` on.
template <int Fraction, int Exponent>
std::uint16_t rounded(double x) {
  constexpr int bias = (1 << (Exponent - 1)) - 1;
  auto const sign = static_cast<std::uint16_t>(std::signbit(x) ? 0x8000 : 0);
  if (std::isnan(x)) return 0x7fff;
  constexpr std::uint16_t infinity = ((1 << Exponent) - 1) << Fraction;
  double const a = std::fabs(x);
  if (a == 0) return sign;
  if (std::isinf(a)) return static_cast<std::uint16_t>(sign | infinity);
  int e = std::max(std::ilogb(a), 1 - bias);
  double const scaled = std::nearbyint(std::ldexp(a, Fraction - e));  // in units of the last place
  auto const units = static_cast<std::uint32_t>(scaled);
  // the hidden bit adds 1 to the exponent
  std::uint32_t const bits = units + (static_cast<std::uint32_t>(e + bias - 1) << Fraction);
  return static_cast<std::uint16_t>(sign | std::min<std::uint32_t>(bits, infinity));
}

__host__ __device__ std::uint16_t bits_of(__half x) { return __half_as_ushort(x); }
__host__ __device__ std::uint16_t bits_of(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }

template <class H>
bool is_nan(std::uint16_t bits) {
  return std::is_same_v<H, __half> ? (bits & 0x7fff) > 0x7c00 : (bits & 0x7fff) > 0x7f80;
}
template <class H>
double value(std::uint16_t bits) {
  if constexpr (std::is_same_v<H, __half>) {
    int const e = bits >> 10 & 31, f = bits & 1023;
    double const m = e == 31  ? (f != 0 ? NAN : INFINITY)
                     : e == 0 ? std::ldexp(f, -24)
                              : std::ldexp(1024 + f, e - 25);
    return bits & 0x8000 ? -m : m;
  } else {
    std::uint32_t const word = static_cast<std::uint32_t>(bits) << 16;
    float x;
    std::memcpy(&x, &word, 4);
    return x;
  }
}
template <class H>
std::uint16_t nearest(double x) {
  return std::is_same_v<H, __half> ? rounded<10, 5>(x) : rounded<7, 8>(x);
}

template <class H>
struct from;
template <>
struct from<__half> {
  __device__ static __half bits(unsigned short b) { return __ushort_as_half(b); }
  __device__ static __half real(float x) { return __float2half(x); }
  __device__ static float to(__half x) { return __half2float(x); }
};
template <>
struct from<__nv_bfloat16> {
  __device__ static __nv_bfloat16 bits(unsigned short b) { return __ushort_as_bfloat16(b); }
  __device__ static __nv_bfloat16 real(float x) { return __float2bfloat16(x); }
  __device__ static float to(__nv_bfloat16 x) { return __bfloat162float(x); }
};

template <class H>
__global__ void widen(float* out, int* whole) {
  auto const i = blockIdx.x * blockDim.x + threadIdx.x;
  auto const h = from<H>::bits(static_cast<unsigned short>(i));
  out[i] = from<H>::to(h);
  whole[i] = static_cast<int>(h);
}
template <class H>
__global__ void narrow(float const* in, unsigned short* out, int n) {
  auto const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = bits_of(from<H>::real(in[i]));
}

constexpr int operations = 9;
//! Arithmetic in bfloat16 needs compute capability 8.0.
template <class H>
__global__ void arithmetic(unsigned short const* in, unsigned short* out, int n) {
#if __CUDA_ARCH__ < 800
  if constexpr (std::is_same_v<H, __half>)
#endif
  {
    auto const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    H const a = from<H>::bits(in[i]), b = from<H>::bits(in[n + i]),
            c = from<H>::bits(in[2 * n + i]);
    unsigned short* const row = out + i * operations;
    row[0] = bits_of(__hadd(a, b));
    row[1] = bits_of(__hsub(a, b));
    row[2] = bits_of(__hmul(a, b));
    row[3] = bits_of(__hfma(a, b, c));
    row[4] = bits_of(__hneg(a));
    row[5] = bits_of(__habs(a));
    row[6] = a < b ? 1 : 0;
    row[7] = __heq(a, b) ? 1 : 0;
    row[8] = bits_of(__hmax(a, b));
  }
}

template <class H>
bool same_bits(std::uint16_t found, std::uint16_t expected) {
  return found == expected || (is_nan<H>(found) && is_nan<H>(expected));
}

template <class H>
void check_conversions() {
  device_array<float> wide(65536);
  device_array<int> whole(65536);
  widen<H><<<256, 256>>>(wide.data(), whole.data());
  WAIT();
  auto const w = wide.host();
  auto const k = whole.host();
  for (int i = 0; i < 65536; ++i) {
    double const v = value<H>(static_cast<std::uint16_t>(i));
    EXPECT_AT(
        i, std::isnan(v) ? std::isnan(w[i]) : w[i] == v && std::signbit(w[i]) == std::signbit(v));
    if (std::fabs(v) < 1e9) EXPECT_AT(i, k[i] == static_cast<int>(v));
  }
  constexpr int n = 20000;
  random_numbers random(92);
  std::vector<float> in(n);
  for (auto& x : in)
    x = static_cast<float>(
        std::ldexp(random.any<double>(), static_cast<int>(random.below(60)) - 40));
  for (int i = 0; i < 2000; ++i)  // half way between two values
    in[i] = static_cast<float>((value<H>(static_cast<std::uint16_t>(0x2000 + i)) +
                                value<H>(static_cast<std::uint16_t>(0x2001 + i))) /
                               2);
  in[2000] = INFINITY;
  in[2001] = -65519.0f;
  in[2002] = 65520.0f;
  in[2003] = 3.4e38f;
  in[2004] = -0.0f;
  in[2005] = 1e-30f;
  device_array<float> d(in);
  device_array<unsigned short> out(n);
  narrow<H><<<n / 250, 250>>>(d.data(), out.data(), n);
  WAIT();
  auto const found = out.host();
  for (int i = 0; i < n; ++i) EXPECT_AT(i, found[i] == nearest<H>(in[i]));
}

template <class H>
void check_arithmetic() {
  constexpr int n = 5000;
  random_numbers random(93);
  std::vector<unsigned short> in(3 * n);
  for (auto& x : in) {
    x = static_cast<unsigned short>(random());
    // operands of similar magnitude
    if (random.below(2) == 0) x = nearest<H>(random.any<double>() * 4);
  }
  device_array<unsigned short> d(in), out(n * operations);
  arithmetic<H><<<n / 100, 100>>>(d.data(), out.data(), n);
  WAIT();
  auto const found = out.host();
  for (int i = 0; i < n; ++i) {
    double const a = value<H>(in[i]), b = value<H>(in[n + i]), c = value<H>(in[2 * n + i]);
    unsigned short const* const row = &found[i * operations];
    // Sums of bfloat16 may need more bits than a double has; those cases are skipped.
    auto const exact = [](double x, double y) {
      if (!std::isfinite(x) || !std::isfinite(y) || x == 0 || y == 0) return true;
      return std::abs(std::ilogb(x) - std::ilogb(y)) < 30;
    };
    if (exact(a, b)) {
      EXPECT_AT(i, same_bits<H>(row[0], nearest<H>(a + b)));
      EXPECT_AT(i, same_bits<H>(row[1], nearest<H>(a - b)));
    }
    EXPECT_AT(i, same_bits<H>(row[2], nearest<H>(a * b)));
    if (exact(a * b, c)) EXPECT_AT(i, same_bits<H>(row[3], nearest<H>(a * b + c)));
    EXPECT_AT(i, same_bits<H>(row[4], in[i] ^ 0x8000));
    EXPECT_AT(i, same_bits<H>(row[5], in[i] & 0x7fff));
    EXPECT_AT(i, row[6] == (a < b));
    EXPECT_AT(i, row[7] == (a == b));
    if (a != b && !std::isnan(a) && !std::isnan(b))
      EXPECT_AT(i, row[8] == (a > b ? in[i] : in[n + i]));
  }
}

//! Operations on pairs act on each half separately.
__global__ void pairs(__half2 const* in, __half2* out, __nv_bfloat162* brain) {
  auto const t = threadIdx.x;
  __half2 const a = in[t], b = in[t + 32];
  out[4 * t] = __hadd2(a, b);
  out[4 * t + 1] = __hmul2(a, b);
  out[4 * t + 2] = __hfma2(a, b, a);
  out[4 * t + 3] = __lowhigh2highlow(a);
  brain[t] = __hadd2(__floats2bfloat162_rn(static_cast<float>(t), 1.5f),
                     __floats2bfloat162_rn(2.0f, static_cast<float>(t)));
}

void check_pairs() {
  std::vector<__half2> in(64);
  for (int i = 0; i < 64; ++i)
    in[i] = __floats2half2_rn(static_cast<float>(i) / 4, static_cast<float>(20 - i));
  device_array<__half2> d(in), out(128);
  device_array<__nv_bfloat162> brain(32);
  pairs<<<1, 32>>>(d.data(), out.data(), brain.data());
  WAIT();
  auto const found = out.host();
  auto const b = brain.host();
  auto const is = [](__half2 h, float low, float high) {
    return bits_of(h.x) == nearest<__half>(low) && bits_of(h.y) == nearest<__half>(high);
  };
  for (int t = 0; t < 32; ++t) {
    float const al = static_cast<float>(t) / 4, ah = static_cast<float>(20 - t);
    float const bl = static_cast<float>(t + 32) / 4, bh = static_cast<float>(-12 - t);
    EXPECT_AT(t, is(found[4 * t], al + bl, ah + bh));
    EXPECT_AT(t, is(found[4 * t + 1], al * bl, ah * bh));
    EXPECT_AT(t, is(found[4 * t + 2], al * bl + al, ah * bh + ah));
    EXPECT_AT(t, is(found[4 * t + 3], ah, al));
    EXPECT_AT(t, bits_of(b[t].x) == nearest<__nv_bfloat16>(t + 2.0) &&
                     bits_of(b[t].y) == nearest<__nv_bfloat16>(t + 1.5));
  }
}

}  // namespace

int main() {
  check_conversions<__half>();
  check_conversions<__nv_bfloat16>();
  check_arithmetic<__half>();
  int major = 0;
  SUCCEED(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  if (major >= 8) check_arithmetic<__nv_bfloat16>();
  check_pairs();
  return finish(2 * 65536 + 40000 + (major >= 8 ? 60000 : 30000) + 160);
}
