// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions in both precisions, compared with long double on the host: within the units in the
// last place that the CUDA Programming Guide states; fast functions within absolute errors.
#include "../checked.cuh"

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using namespace checked;

constexpr int n = 2000;

struct function {
  char const* name;
  double from, to;  //!< the range of the arguments
  long double (*host)(long double);
  double ulp, ulp_double;  //!< allowed errors of float and double
};

#define FUNCTIONS(F)            \
  F(sin, -1000, 1000, 2, 2)     \
  F(cos, -1000, 1000, 2, 2)     \
  F(tan, -100, 100, 4, 2)       \
  F(asin, -1, 1, 2, 2)          \
  F(acos, -1, 1, 2, 2)          \
  F(atan, -50, 50, 2, 2)        \
  F(sinh, -20, 20, 3, 2)        \
  F(cosh, -20, 20, 2, 1)        \
  F(tanh, -5, 5, 2, 2)          \
  F(asinh, -1e4, 1e4, 3, 3)     \
  F(acosh, 1, 1e4, 4, 3)        \
  F(atanh, -0.999, 0.999, 3, 2) \
  F(exp, -80, 80, 2, 1)         \
  F(exp2, -100, 100, 2, 1)      \
  F(expm1, -10, 10, 1, 1)       \
  F(log, 1e-6, 1e6, 1, 1)       \
  F(log2, 1e-6, 1e6, 1, 1)      \
  F(log10, 1e-6, 1e6, 2, 1)     \
  F(log1p, -0.9, 1e4, 1, 1)     \
  F(sqrt, 0, 1e10, 0.5, 0.5)    \
  F(cbrt, -1e6, 1e6, 1, 1)      \
  F(erf, -4, 4, 2, 2)           \
  F(erfc, -3, 5, 4, 5)          \
  F(tgamma, 0.5, 20, 10, 10)    \
  F(lgamma, 3, 100, 6, 4)

#define NAME(f, from, to, ulp, ulp_double) \
  {#f, from, to, [](long double x) -> long double { return std::f(x); }, ulp, ulp_double},
function const functions[] = {FUNCTIONS(NAME)};
constexpr int function_count = static_cast<int>(std::size(functions));

template <class T>
__global__ void call_all(T const* in, T* out) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  int k = 0;
#define CALL(f, from, to, ulp, ulp_double) \
  out[k * n + i] = f(in[k * n + i]);       \
  ++k;
  FUNCTIONS(CALL)
#undef CALL
}

//! True if `found` is within `ulp` units in the last place of the expected value, plus half a unit
//! for the rounding of that value.
template <class T>
bool close(T found, long double expected, double ulp) {
  if (std::isnan(expected)) return std::isnan(found);
  auto const rounded = static_cast<T>(expected);
  if (found == rounded) return true;
  if (!std::isfinite(rounded) || !std::isfinite(found)) return false;
  long double const unit =
      std::ldexp(1.0L, std::max(std::ilogb(rounded), std::numeric_limits<T>::min_exponent - 1) -
                           (std::numeric_limits<T>::digits - 1));
  return std::fabs(static_cast<long double>(found) - expected) <= (ulp + 0.5) * unit;
}

template <class T>
void check(int line) {
  random_numbers random(120);
  std::vector<T> in(static_cast<std::size_t>(n) * function_count);
  for (int k = 0; k < function_count; ++k)
    for (int i = 0; i < n; ++i) {
      auto const& f = functions[k];
      double const x = f.from + (f.to - f.from) * (random.any<double>() * 0.5 + 0.5);
      in[k * n + i] = static_cast<T>(i == 0                       ? f.from
                                     : i == 1                     ? f.to
                                     : i % 4 == 0 && f.from < 0.1 ? std::fmax(f.from, x * 1e-3)
                                                                  : x);
    }
  device_array<T> d(in), out(in.size());
  call_all<<<n / 125, 125>>>(d.data(), out.data());
  wait(line);
  auto const found = out.host();
  for (int k = 0; k < function_count; ++k)
    for (int i = 0; i < n; ++i) {
      double const ulp = sizeof(T) == 4 ? functions[k].ulp : functions[k].ulp_double;
      expect(close(found[k * n + i], functions[k].host(in[k * n + i]), ulp), functions[k].name,
             line, i);
    }
}

// --- two arguments, and what is special ----------------------------------------------------------

constexpr int binary = 8;
template <class T>
__global__ void two_arguments(T const* x, T const* y, T* out) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  T const a = x[i], b = y[i];
  T* const r = out + i * binary;
  r[0] = pow(fabs(a), b);
  r[1] = atan2(a, b);
  r[2] = hypot(a, b);
  r[3] = fmod(a, b);
  r[4] = remainder(a, b);
  r[5] = fmin(a, b) + fmax(a, b);
  r[6] = copysign(a, b);
  r[7] = fdim(a, b);
}

template <class T>
void check_two_arguments() {
  random_numbers random(121);
  std::vector<T> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<T>(random.any<double>() * 20);
    y[i] = static_cast<T>(random.any<double>() * 10);
  }
  device_array<T> a(x), b(y), out(n * binary);
  two_arguments<T><<<n / 100, 100>>>(a.data(), b.data(), out.data());
  WAIT();
  auto const found = out.host();
  for (int i = 0; i < n; ++i) {
    long double const p = x[i], q = y[i];
    T const* const r = &found[i * binary];
    EXPECT_AT(i, close(r[0], std::pow(std::fabs(p), q), sizeof(T) == 4 ? 4 : 2));
    EXPECT_AT(i, close(r[1], std::atan2(p, q), 3));
    EXPECT_AT(i, close(r[2], std::hypot(p, q), sizeof(T) == 4 ? 3 : 2));
    EXPECT_AT(i, r[3] == std::fmod(x[i], y[i]));
    EXPECT_AT(i, r[4] == std::remainder(x[i], y[i]));
    EXPECT_AT(i, r[5] == x[i] + y[i]);
    EXPECT_AT(i, r[6] == std::copysign(x[i], y[i]));
    EXPECT_AT(i, r[7] == std::fdim(x[i], y[i]));
  }
}

constexpr int others = 16;
__global__ void fast_and_special(float const* in, float* out) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  float const x = in[i];
  float* const r = out + i * others;
  r[0] = __sinf(x);
  r[1] = __cosf(x);
  r[2] = __expf(x);
  r[3] = __logf(fabsf(x) + 1);
  r[4] = __fdividef(x, 3.0f);
  r[5] = rsqrtf(fabsf(x) + 1);
  r[6] = __frcp_rn(x + 10);
  r[7] = __saturatef(x);
  sincosf(x, r + 8, r + 9);
  int exponent;
  r[10] = frexpf(x, &exponent);
  r[11] = static_cast<float>(exponent);
  r[12] = ldexpf(x, 5);
  r[13] = __powf(fabsf(x) + 0.5f, 1.5f);
  r[14] = static_cast<float>((isnan(x / (x - x)) ? 1 : 0) + (isinf(1 / (x - x)) ? 2 : 0) +
                             (signbit(x) ? 4 : 0));
  r[15] = nextafterf(x, 100.0f);
}

void check_fast() {
  random_numbers random(122);
  std::vector<float> in(n);
  for (auto& x : in) x = random.any<float>() * 3.1f;
  device_array<float> d(in), out(n * others);
  fast_and_special<<<n / 100, 100>>>(d.data(), out.data());
  WAIT();
  auto const found = out.host();
  for (int i = 0; i < n; ++i) {
    double const x = in[i];
    float const* const r = &found[i * others];
    auto const near = [](float f, double e, double error) { return std::fabs(f - e) <= error; };
    EXPECT_AT(i, near(r[0], std::sin(x), 5e-7) && near(r[1], std::cos(x), 5e-7));
    EXPECT_AT(i, near(r[2], std::exp(x), 6e-7 * std::exp(x)));
    EXPECT_AT(i, near(r[3], std::log(std::fabs(in[i]) + 1.0f), 5e-7));
    EXPECT_AT(i, near(r[4], x / 3, 3e-7));
    EXPECT_AT(
        i, close<float>(r[5], 1 / std::sqrt(static_cast<long double>(std::fabs(in[i]) + 1.0f)), 2));
    EXPECT_AT(i, r[6] == 1 / (in[i] + 10));
    EXPECT_AT(i, r[7] == std::fmin(1.0f, std::fmax(0.0f, in[i])));
    EXPECT_AT(i, close<float>(r[8], std::sin(static_cast<long double>(x)), 2));
    EXPECT_AT(i, close<float>(r[9], std::cos(static_cast<long double>(x)), 2));
    int exponent;
    EXPECT_AT(i, r[10] == std::frexp(in[i], &exponent) && r[11] == exponent);
    EXPECT_AT(i, r[12] == in[i] * 32);
    EXPECT_AT(i, near(r[13], std::pow(std::fabs(in[i]) + 0.5f, 1.5), 1e-5));
    int const inf_or_nan = static_cast<int>(r[14]);
    EXPECT_AT(i, inf_or_nan == (2 + (in[i] < 0 ? 4 : 0)));
    EXPECT_AT(i, r[15] == std::nextafter(in[i], 100.0f));
  }
}

}  // namespace

int main() {
  check<float>(__LINE__);
  check<double>(__LINE__);
  check_two_arguments<float>();
  check_two_arguments<double>();
  check_fast();
  return finish(2 * n * function_count + 16 * n + 14 * n);
}
