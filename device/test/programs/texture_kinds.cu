// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures of other kinds than arrays of one level: mipmaps by level and by derivatives, linear
// memory, pitched memory, gathers, sRGB, views, normalized formats; what textures and arrays say of
// themselves, and errors of calls.
#include "../checked.cuh"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

using namespace checked;

cudaTextureDesc description(bool linear, bool normalized, cudaTextureAddressMode mode) {
  cudaTextureDesc t{};
  for (auto& m : t.addressMode) m = mode;
  t.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  t.normalizedCoords = normalized;
  return t;
}

cudaTextureObject_t texture_of(cudaResourceDesc const& r, cudaTextureDesc const& t,
                               cudaResourceViewDesc const* view = nullptr) {
  cudaTextureObject_t made = 0;
  SUCCEED(cudaCreateTextureObject(&made, &r, &t, view));
  EXPECT(made != 0);
  return made;
}

cudaResourceDesc resource_of(cudaArray_t a) {
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  return r;
}

template <class T>
void fill(cudaArray_t to, std::vector<T> const& texels, int width, int height) {
  SUCCEED(cudaMemcpy2DToArray(to, 0, 0, texels.data(), static_cast<std::size_t>(width) * sizeof(T),
                              static_cast<std::size_t>(width) * sizeof(T),
                              static_cast<std::size_t>(height), cudaMemcpyHostToDevice));
}

// --- mipmaps -------------------------------------------------------------------------------------

__global__ void by_level(cudaTextureObject_t t, int n, float const* level, float* out) {
  for (int k = 0; k < n; ++k) out[k] = tex2DLod<float>(t, 0.3F, 0.6F, level[k]);
}
__global__ void by_derivatives(cudaTextureObject_t t, int n, float const* dx, float const* dy,
                               float* out) {
  for (int k = 0; k < n; ++k)
    out[k] = tex2DGrad<float>(t, 0.3F, 0.6F, make_float2(dx[k], 0), make_float2(0, dy[k]));
}
__global__ void at_base(cudaTextureObject_t t, float* out) {
  out[0] = tex2D<float>(t, 0.3F, 0.6F);
  unsigned width, half_width, levels;
  asm("txq.width.b32 %0, [%1];" : "=r"(width) : "l"(t));
  asm("txq.level.width.b32 %0, [%1], 1;" : "=r"(half_width) : "l"(t));
  asm("txq.num_mipmap_levels.b32 %0, [%1];" : "=r"(levels) : "l"(t));
  out[1] = static_cast<float>(width);
  out[2] = static_cast<float>(half_width);
  out[3] = static_cast<float>(levels);
}

//! Level k holds 10 k everywhere: the level of detail shows in the result.
void mipmaps() {
  cudaMipmappedArray_t mipmap{};
  auto const channels = cudaCreateChannelDesc<float>();
  SUCCEED(cudaMallocMipmappedArray(&mipmap, &channels, make_cudaExtent(16, 8, 0), 99));
  int levels = 0;
  for (;; ++levels) {
    cudaArray_t level{};
    if (cudaGetMipmappedArrayLevel(&level, mipmap, static_cast<unsigned>(levels)) != cudaSuccess)
      break;
    cudaExtent e{};
    SUCCEED(cudaArrayGetInfo(nullptr, &e, nullptr, level));
    EXPECT(e.width == std::max(16U >> levels, 1U) && e.height == std::max(8U >> levels, 1U));
    fill(level, std::vector<float>(e.width * e.height, 10.0F * static_cast<float>(levels)),
         static_cast<int>(e.width), static_cast<int>(e.height));
  }
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  EXPECT(levels == 5);
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeMipmappedArray;
  r.res.mipmap.mipmap = mipmap;
  std::vector<float> const asked{-3, 0, 0.25F, 0.5F, 0.75F, 1, 1.375F, 2.5F, 3.99F, 4, 7, NAN};
  device_array<float> level(asked);
  device_array<float> out(asked.size());
  int const n = static_cast<int>(asked.size());
  for (bool const linear : {false, true})
    for (float const bias : {0.0F, 0.5F}) {
      cudaTextureDesc t = description(true, true, cudaAddressModeWrap);
      t.mipmapFilterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
      t.mipmapLevelBias = bias;
      t.minMipmapLevelClamp = 0.25F;
      t.maxMipmapLevelClamp = 3.5F;
      cudaTextureObject_t const texture = texture_of(r, t);
      auto const expected = [&](double detail) {
        double const d = std::min(
            std::max((std::isnan(detail) ? 0 : detail) + static_cast<double>(bias), 0.25), 3.5);
        return linear ? static_cast<float>(10 * (std::floor(d * 256 + 0.5) / 256))
                      : static_cast<float>(10 * std::floor(d + 0.5));
      };
      by_level<<<1, 1>>>(texture, n, level.data(), out.data());
      WAIT();
      std::vector<float> found = out.host();
      for (std::size_t k = 0; k < asked.size(); ++k)
        EXPECT_AT(k, found[k] == expected(static_cast<double>(asked[k])));
      // A step of 2^d texels: along x of 2^d / 16, along y of 2^d / 8.
      std::vector<float> dx, dy;
      for (int k = 0; k < n; ++k) {
        dx.push_back(std::exp2(static_cast<float>(k) / 4) / 16 * (k % 2 == 0 ? 1.0F : 0.5F));
        dy.push_back(std::exp2(static_cast<float>(k) / 4) / 8 * (k % 2 == 1 ? -1.0F : 0.25F));
      }
      device_array<float> x(dx), y(dy);
      by_derivatives<<<1, 1>>>(texture, n, x.data(), y.data(), out.data());
      WAIT();
      found = out.host();
      for (std::size_t k = 0; k < asked.size(); ++k) {
        double const steps = std::max(std::fabs(static_cast<double>(dx[k]) * 16),
                                      std::fabs(static_cast<double>(dy[k]) * 8));
        EXPECT_AT(k, found[k] == expected(std::log2(steps)));
      }
      at_base<<<1, 1>>>(texture, out.data());
      WAIT();
      found = out.host(4);
      EXPECT(found[0] == 0 && found[1] == 16 && found[2] == 8 && found[3] == 5);
      // A view of levels 1 to 3: level 0 is the array's level 1.
      cudaResourceViewDesc view{};
      view.format = cudaResViewFormatFloat1;
      view.width = 8;
      view.height = 4;
      view.firstMipmapLevel = 1;
      view.lastMipmapLevel = 3;
      cudaTextureObject_t const part = texture_of(r, t, &view);
      at_base<<<1, 1>>>(part, out.data());
      WAIT();
      found = out.host(4);
      EXPECT(found[0] == 10 && found[1] == 8 && found[2] == 4 && found[3] == 3);
      cudaResourceViewDesc said{};
      SUCCEED(cudaGetTextureObjectResourceViewDesc(&said, part));
      EXPECT(said.firstMipmapLevel == 1 && said.lastMipmapLevel == 3);
      SUCCEED(cudaDestroyTextureObject(part));
      SUCCEED(cudaDestroyTextureObject(texture));
    }
  SUCCEED(cudaFreeMipmappedArray(mipmap));
}

// --- memory --------------------------------------------------------------------------------------

__global__ void from_line(cudaTextureObject_t t, int first, int n, float4* out) {
  for (int k = 0; k < n; ++k) out[k] = tex1Dfetch<float4>(t, first + k);
}
__global__ void from_plane(cudaTextureObject_t t, int n, float const* x, float const* y,
                           float* out) {
  for (int k = 0; k < n; ++k) out[k] = tex2D<float>(t, x[k], y[k]);
}
__global__ void by_texel(cudaTextureObject_t t, int x, int y, float* out) {
  float a, b, c, d;
  asm("tex.2d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
      : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
      : "l"(t), "r"(x), "r"(y));
  out[0] = b == 0 && c == 0 && d == 0 ? a : -1;
  bool resident = false;
  out[1] = tex2D<float>(t, static_cast<float>(x), static_cast<float>(y), &resident);
  out[2] = resident ? 1.0F : 0.0F;
}

void memory() {
  constexpr int n = 37;
  auto const numbers = random_vector<float>(4 * n, 3);
  device_array<float> in(numbers);
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = in.data();
  r.res.linear.desc = cudaCreateChannelDesc<float4>();
  r.res.linear.sizeInBytes = 16 * n;
  cudaTextureDesc const how = description(false, false, cudaAddressModeClamp);
  cudaTextureObject_t texture = texture_of(r, how);
  device_array<float4> out(n + 4);
  from_line<<<1, 1>>>(texture, -2, n + 4, out.data());
  WAIT();
  std::vector<float4> const found = out.host();
  for (int k = -2; k < n + 2; ++k) {
    bool const inside = k >= 0 && k < n;
    float4 const f = found[static_cast<std::size_t>(k + 2)];
    auto const expected = [&](int c) {
      return inside ? numbers[static_cast<std::size_t>(4 * k + c)] : 0;
    };
    EXPECT_AT(k + 2,
              f.x == expected(0) && f.y == expected(1) && f.z == expected(2) && f.w == expected(3));
  }
  SUCCEED(cudaDestroyTextureObject(texture));

  constexpr int width = 11, height = 7;
  float* plane = nullptr;
  std::size_t pitch = 0;
  SUCCEED(cudaMallocPitch(&plane, &pitch, width * sizeof(float), height));
  auto const texels = random_vector<float>(width * height, 4);
  SUCCEED(cudaMemcpy2D(plane, pitch, texels.data(), width * sizeof(float), width * sizeof(float),
                       height, cudaMemcpyHostToDevice));
  r = {};
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D.devPtr = plane;
  r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  r.res.pitch2D.width = width;
  r.res.pitch2D.height = height;
  r.res.pitch2D.pitchInBytes = pitch;
  texture = texture_of(r, description(true, false, cudaAddressModeBorder));
  std::vector<float> x, y;
  for (int k = -1; k <= 2 * width; ++k) {
    x.push_back(static_cast<float>(k) / 2 + 0.125F);
    y.push_back(static_cast<float>(k % 18) / 2);
  }
  device_array<float> xs(x), ys(y), read(x.size());
  from_plane<<<1, 1>>>(texture, static_cast<int>(x.size()), xs.data(), ys.data(), read.data());
  WAIT();
  std::vector<float> const got = read.host();
  auto const texel = [&](double i, double j) {
    bool const inside = i >= 0 && i < width && j >= 0 && j < height;
    return inside ? static_cast<double>(texels[static_cast<std::size_t>(j * width + i)]) : 0.0;
  };
  for (std::size_t k = 0; k < x.size(); ++k) {
    double const u = static_cast<double>(x[k]) - 0.5, v = static_cast<double>(y[k]) - 0.5;
    double const i = std::floor(u), j = std::floor(v), a = u - i, b = v - j;
    double const sum = (1 - a) * (1 - b) * texel(i, j) + a * (1 - b) * texel(i + 1, j) +
                       (1 - a) * b * texel(i, j + 1) + a * b * texel(i + 1, j + 1);
    EXPECT_AT(k, got[k] == static_cast<float>(sum));
  }
  SUCCEED(cudaDestroyTextureObject(texture));
  texture = texture_of(r, how);
  by_texel<<<1, 1>>>(texture, 3, 2, read.data());
  WAIT();
  std::vector<float> const one = read.host(3);
  EXPECT(one[0] == texels[2 * width + 3] && one[1] == one[0] && one[2] == 1);
  by_texel<<<1, 1>>>(texture, -9, height, read.data());
  WAIT();
  EXPECT(read.host(1)[0] == texels[(height - 1) * width]);
  SUCCEED(cudaDestroyTextureObject(texture));
  SUCCEED(cudaFree(plane));
}

// --- gathers -------------------------------------------------------------------------------------

__global__ void gather(cudaTextureObject_t t, int n, float const* x, float const* y, float4* out) {
  for (int k = 0; k < n; ++k) {
    out[4 * k] = tex2Dgather<float4>(t, x[k], y[k], 0);
    out[4 * k + 1] = tex2Dgather<float4>(t, x[k], y[k], 1);
    out[4 * k + 2] = tex2Dgather<float4>(t, x[k], y[k], 2);
    out[4 * k + 3] = tex2Dgather<float4>(t, x[k], y[k], 3);
  }
}

void gathers() {
  constexpr int width = 5, height = 4;
  auto const numbers = random_vector<float>(4 * width * height, 5);
  std::vector<float4> texels;
  for (std::size_t k = 0; k < width * height; ++k)
    texels.push_back({numbers[4 * k], numbers[4 * k + 1], numbers[4 * k + 2], numbers[4 * k + 3]});
  cudaArray_t array{};
  auto const channels = cudaCreateChannelDesc<float4>();
  SUCCEED(cudaMallocArray(&array, &channels, width, height, cudaArrayTextureGather));
  fill(array, texels, width, height);
  cudaTextureObject_t const texture =
      texture_of(resource_of(array), description(false, false, cudaAddressModeClamp));
  std::vector<float> const x{0, 0.5F, 1.25F, 2.75F, 4.75F, 5, 9}, y{0, 3.9F, 1.1F, 2, 2.5F, 4, -1};
  device_array<float> xs(x), ys(y);
  device_array<float4> out(4 * x.size());
  gather<<<1, 1>>>(texture, static_cast<int>(x.size()), xs.data(), ys.data(), out.data());
  WAIT();
  std::vector<float4> const found = out.host();
  for (std::size_t k = 0; k < x.size(); ++k)
    for (std::size_t c = 0; c < 4; ++c) {
      auto const at = [&](int dx, int dy) {
        int const i = static_cast<int>(std::floor(x[k] - 0.5F)) + dx;
        int const j = static_cast<int>(std::floor(y[k] - 0.5F)) + dy;
        std::size_t const place = static_cast<std::size_t>(std::clamp(j, 0, height - 1) * width +
                                                           std::clamp(i, 0, width - 1));
        return numbers[4 * place + c];
      };
      float4 const f = found[4 * k + c];
      EXPECT_AT(k, f.x == at(0, 1) && f.y == at(1, 1) && f.z == at(1, 0) && f.w == at(0, 0));
    }
  SUCCEED(cudaDestroyTextureObject(texture));
  SUCCEED(cudaFreeArray(array));
}

// --- sRGB, views, formats ------------------------------------------------------------------------

__global__ void read_row(cudaTextureObject_t t, int n, float4* out) {
  for (int k = 0; k < n; ++k) out[k] = tex2D<float4>(t, static_cast<float>(k) + 0.5F, 0.5F);
}

void formats() {
  std::vector<uchar4> texels;
  for (int k = 0; k < 64; ++k) {
    auto const byte = [](int n) { return static_cast<unsigned char>(n); };
    texels.push_back({byte(4 * k), byte(4 * k + 1), byte(4 * k + 2), byte(4 * k + 3)});
  }
  cudaArray_t array{};
  auto channels = cudaCreateChannelDesc<uchar4>();
  SUCCEED(cudaMallocArray(&array, &channels, texels.size(), 1));
  fill(array, texels, 64, 1);
  cudaTextureDesc how = description(false, false, cudaAddressModeClamp);
  how.readMode = cudaReadModeNormalizedFloat;
  how.sRGB = 1;
  device_array<float4> out(texels.size());
  cudaTextureObject_t texture = texture_of(resource_of(array), how);
  read_row<<<1, 1>>>(texture, 64, out.data());
  WAIT();
  std::vector<float4> found = out.host();
  auto const fraction = [](unsigned char n) { return static_cast<float>(n) / 255.0F; };
  auto const linear = [&](unsigned char n) {
    double const c = static_cast<double>(fraction(n));
    return static_cast<float>(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  };
  for (std::size_t k = 0; k < texels.size(); ++k)
    EXPECT_AT(k, found[k].x == linear(texels[k].x) && found[k].y == linear(texels[k].y) &&
                     found[k].z == linear(texels[k].z) && found[k].w == fraction(texels[k].w));
  SUCCEED(cudaDestroyTextureObject(texture));

  // The same bytes as one float each.
  cudaResourceViewDesc view{};
  view.format = cudaResViewFormatFloat1;
  view.width = 64;
  view.height = 1;
  how = description(false, false, cudaAddressModeClamp);
  texture = texture_of(resource_of(array), how, &view);
  read_row<<<1, 1>>>(texture, 64, out.data());
  WAIT();
  found = out.host();
  for (std::size_t k = 0; k < texels.size(); ++k)
    EXPECT_AT(k, std::memcmp(&found[k].x, &texels[k], 4) == 0);
  SUCCEED(cudaDestroyTextureObject(texture));
  SUCCEED(cudaFreeArray(array));

  // Formats that are fractions by themselves.
  channels = cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindSignedNormalized16X2);
  SUCCEED(cudaMallocArray(&array, &channels, 3, 1));
  std::vector<short2> const pairs{{-32768, 32767}, {-32767, 0}, {1, -1}};
  fill(array, pairs, 3, 1);
  texture = texture_of(resource_of(array), how);
  read_row<<<1, 1>>>(texture, 3, out.data());
  WAIT();
  found = out.host(3);
  EXPECT(found[0].x == -1 && found[0].y == 1 && found[1].x == -1 && found[1].y == 0);
  EXPECT(found[2].x == 1 / 32767.0F && found[2].y == -1 / 32767.0F);
  SUCCEED(cudaDestroyTextureObject(texture));
  SUCCEED(cudaFreeArray(array));
}

// --- what calls say ------------------------------------------------------------------------------

bool fails(cudaError_t found, cudaError_t expected) {
  (void)cudaGetLastError();
  return found == expected;
}

void calls() {
  // cudaMalloc gives addresses that textures of linear memory may begin at.
  cudaDeviceProp properties{};
  SUCCEED(cudaGetDeviceProperties(&properties, 0));
  std::vector<device_array<char>> odd;
  for (std::size_t bytes : {1U, 300U, 77U, 256U, 5U}) {
    odd.emplace_back(bytes);
    EXPECT(reinterpret_cast<std::uintptr_t>(odd.back().data()) % properties.textureAlignment == 0);
  }
  cudaArray_t array{};
  auto const bytes = cudaCreateChannelDesc<unsigned char>();
  SUCCEED(cudaMallocArray(&array, &bytes, 8, 4));
  cudaResourceDesc r = resource_of(array);
  cudaTextureDesc how = description(true, false, cudaAddressModeClamp);
  cudaTextureObject_t texture = 0;
  EXPECT(
      fails(cudaCreateTextureObject(&texture, &r, &how, nullptr), cudaErrorInvalidFilterSetting));
  cudaSurfaceObject_t surface = 0;
  EXPECT(fails(cudaCreateSurfaceObject(&surface, &r), cudaErrorInvalidValue));
  how.readMode = cudaReadModeNormalizedFloat;
  how.maxAnisotropy = 4;
  texture = texture_of(r, how);
  cudaTextureDesc said{};
  cudaResourceDesc of{};
  SUCCEED(cudaGetTextureObjectTextureDesc(&said, texture));
  SUCCEED(cudaGetTextureObjectResourceDesc(&of, texture));
  EXPECT(said.filterMode == cudaFilterModeLinear && said.maxAnisotropy == 4 &&
         of.res.array.array == array);
  cudaResourceViewDesc view{};
  EXPECT(fails(cudaGetTextureObjectResourceViewDesc(&view, texture), cudaErrorInvalidValue));
  SUCCEED(cudaDestroyTextureObject(texture));
  EXPECT(fails(cudaDestroyTextureObject(texture), cudaErrorInvalidValue));
  EXPECT(fails(cudaDestroySurfaceObject(texture), cudaErrorInvalidValue));
  cudaArray_t none{};
  EXPECT(fails(cudaMallocArray(&none, &bytes, 0, 4), cudaErrorInvalidValue));
  EXPECT(fails(cudaMallocArray(&none, &bytes, 1 << 20, 4), cudaErrorInvalidValue));
  auto const three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
  EXPECT(fails(cudaMallocArray(&none, &three, 4, 4), cudaErrorInvalidChannelDescriptor));
  EXPECT(fails(cudaMalloc3DArray(&none, &bytes, make_cudaExtent(4, 5, 6), cudaArrayCubemap),
               cudaErrorInvalidValue));
  EXPECT(
      fails(cudaMalloc3DArray(&none, &bytes, make_cudaExtent(4, 0, 6), 0), cudaErrorInvalidValue));
  SUCCEED(cudaFreeArray(array));
  EXPECT(fails(cudaFreeArray(array), cudaErrorInvalidResourceHandle));
  SUCCEED(cudaFreeArray(nullptr));
  EXPECT(
      fails(cudaCreateTextureObject(&texture, &r, &how, nullptr), cudaErrorInvalidResourceHandle));
}

}  // namespace

int main() {
  mipmaps();
  memory();
  gathers();
  formats();
  calls();
  return finish(400);
}
