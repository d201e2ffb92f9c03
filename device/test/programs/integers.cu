// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer intrinsics, 64- and 128-bit arithmetic, shifts, divisions and video instructions,
// compared with plain C++ on the host.
#include "../checked.cuh"

#include <bit>

namespace {

using namespace checked;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

constexpr int results = 48;

__device__ void words(u32 a, u32 b, u32 c, u32* r) {
  i32 const x = static_cast<i32>(a), y = static_cast<i32>(b), z = static_cast<i32>(c);
  r[0] = __clz(x);
  r[1] = __popc(a);
  r[2] = __brev(a);
  r[3] = __byte_perm(a, b, c & 0x7777);
  r[4] = __funnelshift_l(a, b, c);
  r[5] = __funnelshift_r(a, b, c);
  r[6] = __funnelshift_lc(a, b, c % 40);
  r[7] = __funnelshift_rc(a, b, c % 40);
  r[8] = __dp4a(x, y, z);
  r[9] = __dp4a(a, b, c);
  r[10] = __mulhi(x, y);
  r[11] = __umulhi(a, b);
  r[12] = __umul24(a, b);
  r[13] = __mul24(x, y);
  r[14] = __sad(x, y, c);
  r[15] = __usad(a, b, c);
  r[16] = __ffs(x);
  r[17] = __hadd(x, y);
  r[18] = __rhadd(x, y);
  r[19] = __uhadd(a, b);
  r[20] = __urhadd(a, b);
  r[21] = __vadd4(a, b);
  r[22] = __vsub2(a, b);
  r[23] = __vavgu4(a, b);
  r[24] = __vabsdiffu4(a, b);
  r[25] = __vmaxs4(a, b);
  r[26] = __vminu2(a, b);
  r[27] = __vcmpgts4(a, b);
  r[28] = __vaddss2(a, b);
  r[29] = __vsadu4(a, b);
  r[30] = __dp2a_lo(x, y, z);
  r[31] = __dp2a_hi(a, b, c);
  r[32] = b == 0 ? 0 : a / b;
  r[33] = b == 0 ? 0 : a % b;
  r[34] = y == 0 || y == -1 ? 0 : x / y;
  r[35] = y == 0 || y == -1 ? 0 : x % y;
  r[36] = x >> (c & 31);
  r[37] = a >> (c & 31);
  r[38] = min(x, y) + max(x, z);
  r[39] = __vseteq4(a, b);
  r[40] = __vneg4(a);
  r[41] = __vabs2(a);
}

__device__ void wide(u64 a, u64 b, u32 c, u64* r) {
  i64 const x = static_cast<i64>(a), y = static_cast<i64>(b);
  r[0] = __umul64hi(a, b);
  r[1] = static_cast<u64>(__mul64hi(x, y));
  r[2] = __clzll(x);
  r[3] = __popcll(a);
  r[4] = __brevll(a);
  r[5] = __ffsll(x);
  r[6] = a * b;
  r[7] = b == 0 ? 0 : a / b;
  r[8] = b == 0 ? 0 : a % b;
  r[9] = y == 0 || y == -1 ? 0 : static_cast<u64>(x / y);
  r[10] = y == 0 || y == -1 ? 0 : static_cast<u64>(x % y);
  r[11] = static_cast<u64>(x >> (c & 63));
  r[12] = a >> (c & 63);
  r[13] = a << (c & 63);
  auto const product = static_cast<unsigned __int128>(a) * b;
  auto const sum = product + a;
  r[14] = static_cast<u64>(sum >> 64);
  r[15] = static_cast<u64>(sum);
  auto const difference =
      static_cast<unsigned __int128>(a) - (static_cast<unsigned __int128>(b) << (c & 63));
  r[16] = static_cast<u64>(difference >> 64);
  r[17] = static_cast<u64>(difference);
  auto const quotient = b == 0 ? 0 : sum / b;  // compiled to a function call
  r[18] = static_cast<u64>(quotient >> 64);
  r[19] = static_cast<u64>(quotient);
}

__global__ void all(u64 const* in, u32* narrow, u64* out, int n) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  u64 const a = in[i], b = in[n + i], c = in[2 * n + i];
  words(static_cast<u32>(a), static_cast<u32>(b), static_cast<u32>(c), narrow + i * results);
  wide(a, b, static_cast<u32>(c), out + i * results);
}

//! Applies f to the parts of `Bits` bits.
template <int Bits, class F>
u32 each(u32 a, u32 b, F f) {
  u32 r = 0;
  for (int s = 0; s < 32; s += Bits) {
    constexpr u32 mask = (1u << Bits) - 1;
    r |= (static_cast<u32>(f(a >> s & mask, b >> s & mask)) & mask) << s;
  }
  return r;
}
i32 part(u32 x, int bits) { return static_cast<i32>(x << (32 - bits)) >> (32 - bits); }
i32 byte(u32 a, int k) { return part(a >> (8 * k), 8); }
i32 clamp16(i32 x) { return x > 32767 ? 32767 : x < -32768 ? -32768 : x; }

u32 permuted(u32 a, u32 b, u32 s) {
  u64 const both = static_cast<u64>(b) << 32 | a;
  u32 r = 0;
  for (int k = 0; k < 4; ++k)
    r |= static_cast<u32>(both >> (8 * (s >> (4 * k) & 7)) & 255) << (8 * k);
  return r;
}

void expected_words(u32 a, u32 b, u32 c, u32* r) {
  i32 const x = static_cast<i32>(a), y = static_cast<i32>(b), z = static_cast<i32>(c);
  u64 const both = static_cast<u64>(b) << 32 | a;  // the funnel: b above a
  auto const low24 = [](u32 v) { return static_cast<i64>(static_cast<i32>(v << 8) >> 8); };
  r[0] = std::countl_zero(a);
  r[1] = std::popcount(a);
  r[2] = 0;
  for (int k = 0; k < 32; ++k) r[2] |= (a >> k & 1) << (31 - k);
  r[3] = permuted(a, b, c);
  r[4] = static_cast<u32>(both << (c & 31) >> 32);
  r[5] = static_cast<u32>(both >> (c & 31));
  u32 const shift = c % 40 > 32 ? 32 : c % 40;
  r[6] = static_cast<u32>(both << shift >> 32);
  r[7] = static_cast<u32>(both >> shift);
  r[8] = c;
  r[9] = c;
  u32 absolute = 0;
  for (int k = 0; k < 4; ++k) {
    u32 const p = a >> (8 * k) & 255, q = b >> (8 * k) & 255;
    r[8] += static_cast<u32>(byte(a, k) * byte(b, k));
    r[9] += p * q;
    absolute += p > q ? p - q : q - p;
  }
  r[10] = static_cast<u32>(static_cast<u64>(static_cast<i64>(x) * y) >> 32);
  r[11] = static_cast<u32>(static_cast<u64>(a) * b >> 32);
  r[12] = (a & 0xffffff) * (b & 0xffffff);
  r[13] = static_cast<u32>(low24(a) * low24(b));
  r[14] = (x > y ? a - b : b - a) + c;
  r[15] = (a > b ? a - b : b - a) + c;
  r[16] = a == 0 ? 0 : std::countr_zero(a) + 1;
  r[17] = static_cast<u32>((static_cast<i64>(x) + y) >> 1);
  r[18] = static_cast<u32>((static_cast<i64>(x) + y + 1) >> 1);
  r[19] = static_cast<u32>((static_cast<u64>(a) + b) >> 1);
  r[20] = static_cast<u32>((static_cast<u64>(a) + b + 1) >> 1);
  r[21] = each<8>(a, b, [](u32 p, u32 q) { return p + q; });
  r[22] = each<16>(a, b, [](u32 p, u32 q) { return p - q; });
  r[23] = each<8>(a, b, [](u32 p, u32 q) { return (p + q + 1) / 2; });
  r[24] = each<8>(a, b, [](u32 p, u32 q) { return p > q ? p - q : q - p; });
  r[25] = each<8>(a, b, [](u32 p, u32 q) { return part(p, 8) > part(q, 8) ? p : q; });
  r[26] = each<16>(a, b, [](u32 p, u32 q) { return p < q ? p : q; });
  r[27] = each<8>(a, b, [](u32 p, u32 q) { return part(p, 8) > part(q, 8) ? 255 : 0; });
  r[28] = each<16>(a, b, [](u32 p, u32 q) { return clamp16(part(p, 16) + part(q, 16)); });
  r[29] = absolute;
  r[30] = c + static_cast<u32>(part(a, 16) * byte(b, 0) + (x >> 16) * byte(b, 1));
  r[31] = c + (a & 0xffff) * (b >> 16 & 255) + (a >> 16) * (b >> 24);
  r[32] = b == 0 ? 0 : a / b;
  r[33] = b == 0 ? 0 : a % b;
  r[34] = y == 0 || y == -1 ? 0 : x / y;
  r[35] = y == 0 || y == -1 ? 0 : x % y;
  r[36] = x >> (c & 31);
  r[37] = a >> (c & 31);
  r[38] = static_cast<u32>(x < y ? x : y) + static_cast<u32>(x > z ? x : z);
  r[39] = each<8>(a, b, [](u32 p, u32 q) { return p == q; });
  r[40] = each<8>(a, b, [](u32 p, u32) { return 0u - p; });
  r[41] = each<16>(a, b, [](u32 p, u32) { return part(p, 16) < 0 ? 0u - p : p; });
}

void expected_wide(u64 a, u64 b, u32 c, u64* r) {
  i64 const x = static_cast<i64>(a), y = static_cast<i64>(b);
  using u128 = unsigned __int128;
  r[0] = static_cast<u64>(static_cast<u128>(a) * b >> 64);
  r[1] = static_cast<u64>(static_cast<__int128>(x) * y >> 64);
  r[2] = std::countl_zero(a);
  r[3] = std::popcount(a);
  r[4] = 0;
  for (int k = 0; k < 64; ++k) r[4] |= (a >> k & 1) << (63 - k);
  r[5] = a == 0 ? 0 : std::countr_zero(a) + 1;
  r[6] = a * b;
  r[7] = b == 0 ? 0 : a / b;
  r[8] = b == 0 ? 0 : a % b;
  r[9] = y == 0 || y == -1 ? 0 : static_cast<u64>(x / y);
  r[10] = y == 0 || y == -1 ? 0 : static_cast<u64>(x % y);
  r[11] = static_cast<u64>(x >> (c & 63));
  r[12] = a >> (c & 63);
  r[13] = a << (c & 63);
  u128 const sum = static_cast<u128>(a) * b + a;
  r[14] = static_cast<u64>(sum >> 64);
  r[15] = static_cast<u64>(sum);
  u128 const difference = static_cast<u128>(a) - (static_cast<u128>(b) << (c & 63));
  r[16] = static_cast<u64>(difference >> 64);
  r[17] = static_cast<u64>(difference);
  u128 const quotient = b == 0 ? 0 : sum / b;
  r[18] = static_cast<u64>(quotient >> 64);
  r[19] = static_cast<u64>(quotient);
}

}  // namespace

int main() {
  constexpr int n = 3000;
  random_numbers random(110);
  std::vector<u64> in(3 * n);
  u64 const special[] = {0,
                         1,
                         ~u64{0},
                         0x8000000080000000u,
                         0x7fffffff7fffffffu,
                         0x8000000000000000u,
                         255,
                         32,
                         0x0000000100000000u};
  for (auto& x : in) {
    x = random();
    if (random.below(4) == 0) x >>= random.below(64);
    if (random.below(8) == 0) x = special[random.below(9)];
  }
  for (int i = 0; i < n; i += 7) in[n + i] = in[i];  // equal operands
  device_array<u64> d(in), out(n * results);
  device_array<u32> narrow(n * results);
  out.fill_bytes(0);
  narrow.fill_bytes(0);
  all<<<(n + 127) / 128, 128>>>(d.data(), narrow.data(), out.data(), n);
  WAIT();
  auto const found = narrow.host();
  auto const found_wide = out.host();
  for (int i = 0; i < n; ++i) {
    u32 w[results] = {};
    u64 v[results] = {};
    expected_words(static_cast<u32>(in[i]), static_cast<u32>(in[n + i]),
                   static_cast<u32>(in[2 * n + i]), w);
    expected_wide(in[i], in[n + i], static_cast<u32>(in[2 * n + i]), v);
    for (int k = 0; k < 42; ++k) EXPECT_AT(i * 100 + k, found[i * results + k] == w[k]);
    for (int k = 0; k < 20; ++k) EXPECT_AT(i * 100 + k, found_wide[i * results + k] == v[k]);
  }
  return finish(n * 62);
}
