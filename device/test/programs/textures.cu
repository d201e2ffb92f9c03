// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures against plain loops on the host: all shapes, address modes, filters and formats, with
// coordinates at the edges. The loops follow the formulas of the CUDA C++ Programming Guide; a
// filter's fraction has 8 bits, rounded to nearest.
#include "../checked.cuh"

#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

namespace {

using namespace checked;

// --- textures on the host ------------------------------------------------------------------------

struct texel4 {
  double c[4] = {0, 0, 0, 0};
};

//! A box of texels: x fastest.
struct host_texels {
  int width = 1, height = 1, depth = 1;
  std::vector<texel4> all{};
  texel4 const& at(int x, int y, int z) const {
    return all[static_cast<std::size_t>((z * height + y) * width + x)];
  }
};

struct host_sampler {
  cudaTextureAddressMode mode = cudaAddressModeClamp;
  bool linear = false;
  bool normalized = false;
  texel4 border{};
};

//! The texel that a number stands for; -1: the border.
int host_address(cudaTextureAddressMode mode, double i, int n) {
  if (mode == cudaAddressModeClamp) return static_cast<int>(std::min(std::max(i, 0.0), n - 1.0));
  if (mode == cudaAddressModeBorder) return i < 0 || i >= n ? -1 : static_cast<int>(i);
  double const period = mode == cudaAddressModeWrap ? n : 2.0 * n;
  double k = std::fmod(i, period);
  if (k < 0) k += period;
  return static_cast<int>(k < n ? k : 2 * n - 1 - k);
}

struct host_axis {
  int texel[2] = {0, 0};
  double weight[2] = {1, 0};
};

host_axis axis(host_sampler const& s, double x, int n) {
  double u = std::isnan(x) ? 0 : x;
  bool const repeats = s.mode == cudaAddressModeWrap || s.mode == cudaAddressModeMirror;
  if (repeats && std::fabs(u) > 1e9) u = 0;  // floats of that size are even, or infinite
  if (s.normalized) u *= n;
  if (!repeats) u = std::min(std::max(u, -1e9), 1e9);
  host_axis a;
  if (!s.linear) {
    a.texel[0] = a.texel[1] = host_address(s.mode, std::floor(u), n);
    return a;
  }
  double const base = std::floor(u - 0.5);
  double const alpha = std::floor((u - 0.5 - base) * 256 + 0.5) / 256;
  for (int k = 0; k < 2; ++k) a.texel[k] = host_address(s.mode, base + k, n);
  a.weight[0] = 1 - alpha;
  a.weight[1] = alpha;
  return a;
}

texel4 host_fetch(host_texels const& t, host_sampler const& s, host_axis const& x,
                  host_axis const& y, host_axis const& z) {
  texel4 sum;
  for (int k = 0; k < 8; ++k) {
    int const i = x.texel[k & 1];
    int const j = y.texel[k >> 1 & 1];
    int const l = z.texel[k >> 2];
    double const w = x.weight[k & 1] * y.weight[k >> 1 & 1] * z.weight[k >> 2];
    if (w == 0) continue;
    texel4 const& one = i < 0 || j < 0 || l < 0 ? s.border : t.at(i, j, l);
    for (int c = 0; c < 4; ++c) sum.c[c] += w * one.c[c];
  }
  return sum;
}

host_axis fixed(int i) { return {{i, i}, {1, 0}}; }

// --- formats -------------------------------------------------------------------------------------

//! The channels of an element T.
template <class T>
struct channels {
  using scalar = T;
  static constexpr int count = 1;
};
#define CHANNELS(vector, element, number) \
  template <>                             \
  struct channels<vector> {               \
    using scalar = element;               \
    static constexpr int count = number;  \
  };
CHANNELS(uchar2, unsigned char, 2)
CHANNELS(uchar4, unsigned char, 4)
CHANNELS(char4, signed char, 4)
CHANNELS(short2, short, 2)
CHANNELS(ushort4, unsigned short, 4)
CHANNELS(int2, int, 2)
CHANNELS(uint4, unsigned, 4)
CHANNELS(float2, float, 2)
CHANNELS(float4, float, 4)

//! 16-bit floats, which have no vectors among texture types.
struct half1 {
  __half x;
};
struct half4 {
  __half x, y, z, w;
};
CHANNELS(half1, __half, 1)
CHANNELS(half4, __half, 4)
#undef CHANNELS

template <class T>
cudaChannelFormatDesc description() {
  using S = typename channels<T>::scalar;
  int const bits = 8 * static_cast<int>(sizeof(S));
  int const n = channels<T>::count;
  cudaChannelFormatKind kind = cudaChannelFormatKindFloat;
  if constexpr (std::is_integral_v<S>)
    kind = std::is_signed_v<S> ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned;
  return cudaCreateChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, kind);
}

template <class T>
std::vector<T> some_texels(std::size_t n, std::uint64_t seed) {
  std::vector<T> v(n);
  random_numbers random(seed);
  using S = typename channels<T>::scalar;
  for (T& one : v)
    for (int c = 0; c < channels<T>::count; ++c) {
      S value;
      if constexpr (std::is_same_v<S, __half>)
        value = __float2half(random.any<float>());
      else
        value = random.any<S>();
      if (c == 0 && &one == v.data() && std::is_integral_v<S>)
        value = static_cast<S>(
            std::numeric_limits<std::conditional_t<std::is_integral_v<S>, S, int>>::min());
      std::memcpy(reinterpret_cast<char*>(&one) + c * static_cast<int>(sizeof(S)), &value,
                  sizeof value);
    }
  return v;
}

//! The texels as numbers; normalized: as fractions.
template <class T>
host_texels on_host(std::vector<T> const& v, int width, int height, int depth, bool normalized) {
  using S = typename channels<T>::scalar;
  host_texels t{width, height, depth, std::vector<texel4>(v.size())};
  for (std::size_t k = 0; k < v.size(); ++k)
    for (int c = 0; c < channels<T>::count; ++c) {
      S value;
      std::memcpy(&value, reinterpret_cast<char const*>(&v[k]) + c * static_cast<int>(sizeof(S)),
                  sizeof value);
      double number = 0;
      if constexpr (std::is_same_v<S, __half>)
        number = static_cast<double>(__half2float(value));
      else
        number = static_cast<double>(value);
      if constexpr (std::is_integral_v<S>)
        if (normalized)  // in float, as a texture gives it
          number = static_cast<double>(std::max(
              static_cast<float>(value) / static_cast<float>(std::numeric_limits<S>::max()),
              -1.0F));
      t.all[k].c[c] = number;
    }
  return t;
}

// --- kernels -------------------------------------------------------------------------------------

enum shape { line, plane, volume, lines, planes, cube, cubes };

//! Reads with a fetch of 4 floats, or of 4 integers whose bits it stores.
template <class V>
__device__ V fetched(cudaTextureObject_t t, int s, float4 c, int layer) {
  switch (s) {
    case line:
      return tex1D<V>(t, c.x);
    case plane:
      return tex2D<V>(t, c.x, c.y);
    case volume:
      return tex3D<V>(t, c.x, c.y, c.z);
    case lines:
      return tex1DLayered<V>(t, c.x, layer);
    case planes:
      return tex2DLayered<V>(t, c.x, c.y, layer);
    case cube:
      return texCubemap<V>(t, c.x, c.y, c.z);
    default:
      return texCubemapLayered<V>(t, c.x, c.y, c.z, layer);
  }
}

template <class V>
__global__ void fetch_all(cudaTextureObject_t t, int s, int n, float4 const* c, int const* layer,
                          V* out) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = fetched<V>(t, s, c[i], layer[i]);
}

//! Coordinates at the edges of n texels, far away, and at random.
std::vector<float> coordinates(int n, bool normalized) {
  float const size = static_cast<float>(n);
  std::vector<float> all;
  for (float x : {-0.5F, -0.25F, 0.0F, 0.25F, 0.5F, 1.0F, 1.5F, -1e-7F, size - 1, size - 0.5F, size,
                  size + 0.5F, 2 * size, 2.25F * size, -1.75F * size, 0.4990F, 0.502F})
    all.push_back(normalized ? x / size : x);
  float const infinity = std::numeric_limits<float>::infinity();
  for (float x : {std::nanf(""), 1e30F, -1e30F, infinity, -infinity, 1e5F, -1e5F, 1e-30F, -1e-30F})
    all.push_back(x);
  random_numbers random(static_cast<std::uint64_t>(n));
  for (int k = 0; k < 14; ++k)
    all.push_back(random.any<float>() * (normalized ? 3.0F : 1.5F * size));
  return all;
}

template <class V>
std::vector<V> fetch_on_device(cudaTextureObject_t t, shape s, std::vector<float4> const& c,
                               std::vector<int> const& layer) {
  device_array<float4> coordinates(c);
  device_array<int> layers(layer);
  device_array<V> out(c.size());
  int const n = static_cast<int>(c.size());
  fetch_all<V><<<(n + 95) / 96, 96>>>(t, s, n, coordinates.data(), layers.data(), out.data());
  WAIT();
  return out.host();
}

// --- the shapes ----------------------------------------------------------------------------------

struct extents {
  shape s = plane;
  int width = 1, height = 0, depth = 0;
};

cudaArray_t make_array(extents const& e, cudaChannelFormatDesc const& d) {
  cudaArray_t made{};
  auto const n = [](int k) { return static_cast<std::size_t>(k); };
  unsigned flags = cudaArrayDefault;
  if (e.s == lines || e.s == planes || e.s == cubes) flags |= cudaArrayLayered;
  if (e.s == cube || e.s == cubes) flags |= cudaArrayCubemap;
  if (flags == cudaArrayDefault && e.depth == 0)
    SUCCEED(cudaMallocArray(&made, &d, n(e.width), n(e.height)));
  else
    SUCCEED(
        cudaMalloc3DArray(&made, &d, make_cudaExtent(n(e.width), n(e.height), n(e.depth)), flags));
  return made;
}

void fill(cudaArray_t to, extents const& e, void* texels, std::size_t size) {
  cudaMemcpy3DParms p{};
  auto const n = [](int k) { return static_cast<std::size_t>(std::max(k, 1)); };
  p.srcPtr = make_cudaPitchedPtr(texels, n(e.width) * size, n(e.width), n(e.height));
  p.dstArray = to;
  p.extent = make_cudaExtent(n(e.width), n(e.height), n(e.depth));
  p.kind = cudaMemcpyHostToDevice;
  SUCCEED(cudaMemcpy3D(&p));
}

cudaTextureObject_t make_texture(cudaArray_t a, host_sampler const& s, bool as_fraction) {
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaTextureDesc t{};
  for (auto& mode : t.addressMode) mode = s.mode;
  t.filterMode = s.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  t.readMode = as_fraction ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  t.normalizedCoords = s.normalized;
  for (int c = 0; c < 4; ++c) t.borderColor[c] = static_cast<float>(s.border.c[c]);
  cudaTextureObject_t made = 0;
  SUCCEED(cudaCreateTextureObject(&made, &r, &t, nullptr));
  return made;
}

//! A cubemap's face and coordinates, by the guide's table.
int face_of(float x, float y, float z, double& s, double& t) {
  double const ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  auto const on = [&](double major, double a, double b) {
    s = (a / major + 1) / 2;
    t = (b / major + 1) / 2;
  };
  if (az >= ax && az >= ay) {
    on(az, z < 0 ? -x : x, -y);
    return z < 0 ? 5 : 4;
  }
  if (ay >= ax) {
    on(ay, x, y < 0 ? -z : z);
    return y < 0 ? 3 : 2;
  }
  on(ax, x < 0 ? z : -z, -y);
  return x < 0 ? 1 : 0;
}

texel4 host_result(host_texels const& t, host_sampler const& given, extents const& e, float4 c,
                   int layer) {
  host_sampler s = given;
  int const last = std::max(e.depth, 1) / (e.s == cubes ? 6 : 1) - 1;
  int const l = std::min(std::max(layer, 0), last);
  host_axis const none = fixed(0);
  switch (e.s) {
    case line:
      return host_fetch(t, s, axis(s, c.x, t.width), none, none);
    case plane:
      return host_fetch(t, s, axis(s, c.x, t.width), axis(s, c.y, t.height), none);
    case volume:
      return host_fetch(t, s, axis(s, c.x, t.width), axis(s, c.y, t.height), axis(s, c.z, t.depth));
    case lines:
      return host_fetch(t, s, axis(s, c.x, t.width), none, fixed(l));
    case planes:
      return host_fetch(t, s, axis(s, c.x, t.width), axis(s, c.y, t.height), fixed(l));
    default: {
      double u = 0;
      double v = 0;
      int const face = face_of(c.x, c.y, c.z, u, v);
      s.normalized = true;
      return host_fetch(t, s, axis(s, u, t.width), axis(s, v, t.height),
                        fixed((e.s == cubes ? 6 * l : 0) + face));
    }
  }
}

//! The places of a shape's fetches: every coordinate of x, with others of y and z.
void places_of(extents const& e, bool normalized, std::vector<float4>& c, std::vector<int>& layer) {
  if (e.s == cube || e.s == cubes) {
    random_numbers random(7);
    for (float x : {-1.0F, -0.5F, 0.0F, 0.5F, 1.0F})
      for (float y : {-1.0F, 0.25F, 1.0F})
        for (float z : {-1.0F, -0.75F, 0.5F, 1.0F}) c.push_back({x, y, z, 0});
    for (int k = 0; k < 40; ++k)
      c.push_back({random.any<float>(), random.any<float>(), random.any<float>(), 0});
  } else {
    auto const xs = coordinates(e.width, normalized);
    auto const ys = coordinates(std::max(e.height, 1), normalized);
    auto const zs = coordinates(std::max(e.depth, 1), normalized);
    for (std::size_t k = 0; k < xs.size(); ++k)
      for (std::size_t step : {0U, 3U, 8U})
        c.push_back({xs[k], ys[(k + step) % ys.size()], zs[(k + 2 * step) % zs.size()], 0});
  }
  for (std::size_t k = 0; k < c.size(); ++k) layer.push_back(static_cast<int>(k % 5));
}

template <class T>
void check_format(extents const& e, bool as_fraction) {
  using S = typename channels<T>::scalar;
  constexpr bool is_integer = std::is_integral_v<S>;
  auto const n = [](int k) { return static_cast<std::size_t>(std::max(k, 1)); };
  std::vector<T> texels = some_texels<T>(n(e.width) * n(e.height) * n(e.depth), 11);
  cudaArray_t const array = make_array(e, description<T>());
  fill(array, e, texels.data(), sizeof(T));
  host_texels const t = on_host(texels, e.width, static_cast<int>(n(e.height)),
                                static_cast<int>(n(e.depth)), as_fraction);
  bool const numbers = is_integer && !as_fraction;
  for (auto const mode :
       {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder})
    for (bool const normalized : {false, true})
      for (bool const linear : {false, true}) {
        if (linear && numbers) continue;
        host_sampler s{mode, linear, normalized, {{0.25, -0.5, 0.75, 2}}};
        cudaTextureObject_t const object = make_texture(array, s, as_fraction);
        bool const repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
        if (repeats && !normalized) s.mode = cudaAddressModeClamp;  // as CUDA says
        std::vector<float4> c;
        std::vector<int> layer;
        places_of(e, normalized, c, layer);
        if (numbers) {
          std::vector<int4> const found = fetch_on_device<int4>(object, e.s, c, layer);
          int border[4];
          for (int k = 0; k < 4; ++k) {
            float const bits = static_cast<float>(s.border.c[k]);
            std::memcpy(&border[k], &bits, sizeof bits);
            // Integers have a border of their bits.
            s.border.c[k] = is_integer && std::is_unsigned_v<S>
                                ? static_cast<double>(static_cast<unsigned>(border[k]))
                                : static_cast<double>(border[k]);
          }
          for (std::size_t k = 0; k < c.size(); ++k) {
            texel4 const expected = host_result(t, s, e, c[k], layer[k]);
            int const all[4] = {found[k].x, found[k].y, found[k].z, found[k].w};
            for (int i = 0; i < channels<T>::count; ++i)
              EXPECT_AT(k, static_cast<unsigned>(all[i]) ==
                               static_cast<unsigned>(static_cast<long long>(expected.c[i])));
          }
        } else {
          std::vector<float4> const found = fetch_on_device<float4>(object, e.s, c, layer);
          for (std::size_t k = 0; k < c.size(); ++k) {
            texel4 const expected = host_result(t, s, e, c[k], layer[k]);
            float const all[4] = {found[k].x, found[k].y, found[k].z, found[k].w};
            for (int i = 0; i < channels<T>::count; ++i)
              EXPECT_AT(k, all[i] == static_cast<float>(expected.c[i]));
          }
        }
        SUCCEED(cudaDestroyTextureObject(object));
      }
  SUCCEED(cudaFreeArray(array));
}

}  // namespace

int main() {
  check_format<float>({line, 13, 0, 0}, false);
  check_format<float4>({plane, 9, 5, 0}, false);
  check_format<float2>({volume, 5, 4, 3}, false);
  check_format<float>({lines, 7, 0, 3}, false);
  check_format<float>({planes, 6, 3, 4}, false);
  check_format<float>({cube, 4, 4, 6}, false);
  check_format<float2>({cubes, 2, 2, 12}, false);
  check_format<float>({plane, 1, 1, 0}, false);
  check_format<half1>({plane, 5, 3, 0}, false);
  check_format<half4>({line, 5, 0, 0}, false);
  check_format<unsigned char>({plane, 7, 3, 0}, false);
  check_format<uchar4>({plane, 7, 3, 0}, true);
  check_format<uchar2>({line, 7, 0, 0}, true);
  check_format<char4>({plane, 4, 4, 0}, true);
  check_format<signed char>({volume, 4, 2, 2}, false);
  check_format<short2>({plane, 3, 5, 0}, true);
  check_format<short>({line, 6, 0, 0}, false);
  check_format<ushort4>({planes, 3, 2, 2}, true);
  check_format<ushort4>({plane, 3, 2, 0}, false);
  check_format<int2>({plane, 5, 5, 0}, false);
  check_format<uint4>({volume, 2, 3, 2}, false);
  return finish(20000);
}
