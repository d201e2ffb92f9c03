// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays, textures and surfaces by the driver's API: descriptions as they were given, copies of
// bytes in rows and boxes, a kernel that reads a texture and stores to a surface.
#include "driver.hpp"

#include <cstring>

namespace {

//! surface[y][x] = texture(x, y), for a block of 8 x 4 threads.
char const* const copy_ptx = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .entry copy(.param .u64 texture, .param .u64 surface)
{
  .reg .u64 %rd<3>;
  .reg .u32 %r<5>;
  .reg .f32 %f<5>;
  ld.param.u64 %rd1, [texture];
  ld.param.u64 %rd2, [surface];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2}];
  shl.b32 %r3, %r1, 2;
  sust.b.2d.b32.trap [%rd2, {%r3, %r2}], %f1;
  ret;
}
)";

constexpr unsigned width = 8, height = 4;

CUarray make_array(CUarray_format format, unsigned channels, unsigned flags) {
  CUDA_ARRAY3D_DESCRIPTOR d{};
  d.Width = width;
  d.Height = height;
  d.Format = format;
  d.NumChannels = channels;
  d.Flags = flags;
  CUarray made{};
  SUCCEED(cuArray3DCreate(&made, &d));
  CUDA_ARRAY3D_DESCRIPTOR said{};
  SUCCEED(cuArray3DGetDescriptor(&said, made));
  EXPECT(said.Width == width && said.Height == height && said.Depth == 0 && said.Format == format &&
         said.NumChannels == channels && said.Flags == flags);
  return made;
}

CUDA_RESOURCE_DESC resource_of(CUarray a) {
  CUDA_RESOURCE_DESC r{};
  r.resType = CU_RESOURCE_TYPE_ARRAY;
  r.res.array.hArray = a;
  return r;
}

void descriptions() {
  for (CUarray_format const format :
       {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_UNSIGNED_INT32,
        CU_AD_FORMAT_SIGNED_INT8, CU_AD_FORMAT_SIGNED_INT16, CU_AD_FORMAT_SIGNED_INT32,
        CU_AD_FORMAT_HALF, CU_AD_FORMAT_FLOAT})
    for (unsigned const channels : {1U, 2U, 4U})
      SUCCEED(cuArrayDestroy(make_array(format, channels, 0)));
  SUCCEED(cuArrayDestroy(make_array(CU_AD_FORMAT_UNORM_INT8X4, 4, 0)));
  SUCCEED(cuArrayDestroy(make_array(CU_AD_FORMAT_SNORM_INT16X2, 2, 0)));
  CUDA_ARRAY_DESCRIPTOR d{16, 0, CU_AD_FORMAT_SIGNED_INT16, 2};
  CUarray row{};
  SUCCEED(cuArrayCreate(&row, &d));
  CUDA_ARRAY_DESCRIPTOR said{};
  SUCCEED(cuArrayGetDescriptor(&said, row));
  EXPECT(std::memcmp(&said, &d, sizeof d) == 0);
  short bytes[32], back[32] = {};
  for (short k = 0; k < 32; ++k) bytes[k] = k;
  SUCCEED(cuMemcpyHtoA(row, 8, bytes, 40));
  SUCCEED(cuMemcpyAtoH(back, row, 12, 36));
  EXPECT(back[0] == 2 && back[17] == 19 && back[18] == 0);
  EXPECT(cuMemcpyHtoA(row, 8, bytes, 60) == CUDA_ERROR_INVALID_VALUE);
  SUCCEED(cuArrayDestroy(row));
  EXPECT(cuArrayDestroy(row) == CUDA_ERROR_INVALID_HANDLE);
}

void mipmaps() {
  CUDA_ARRAY3D_DESCRIPTOR d{};
  d.Width = 32;
  d.Height = 8;
  d.Format = CU_AD_FORMAT_FLOAT;
  d.NumChannels = 1;
  CUmipmappedArray mipmap{};
  SUCCEED(cuMipmappedArrayCreate(&mipmap, &d, 3));
  CUarray level{};
  SUCCEED(cuMipmappedArrayGetLevel(&level, mipmap, 2));
  SUCCEED(cuArray3DGetDescriptor(&d, level));
  EXPECT(d.Width == 8 && d.Height == 2);
  EXPECT(cuMipmappedArrayGetLevel(&level, mipmap, 3) == CUDA_ERROR_INVALID_VALUE);
  SUCCEED(cuMipmappedArrayDestroy(mipmap));
}

//! Arrays end with the context in which they were made, as their memory does.
void context_ends(CUdevice device) {
  std::size_t before = 0, after = 0, total = 0;
  SUCCEED(cuMemGetInfo(&before, &total));
  CUcontext own{};
  SUCCEED(cuCtxCreate(&own, nullptr, 0, device));
  CUDA_ARRAY3D_DESCRIPTOR d{1024, 1024, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  CUarray array{}, level{};
  CUmipmappedArray mipmap{};
  SUCCEED(cuArray3DCreate(&array, &d));
  SUCCEED(cuMipmappedArrayCreate(&mipmap, &d, 2));
  SUCCEED(cuMipmappedArrayGetLevel(&level, mipmap, 1));
  SUCCEED(cuCtxDestroy(own));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuArray3DGetDescriptor(&d, array));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuArray3DGetDescriptor(&d, level));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuMipmappedArrayDestroy(mipmap));
  SUCCEED(cuMemGetInfo(&after, &total));
  EXPECT(after == before);
}

}  // namespace

int main() {
  CUdevice const device = driver::begin();
  descriptions();
  mipmaps();
  context_ends(device);

  CUarray const from = make_array(CU_AD_FORMAT_UNSIGNED_INT8, 1, 0);
  CUarray const to = make_array(CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST);
  unsigned char texels[height][width];
  for (unsigned k = 0; k < width * height; ++k)
    texels[k / width][k % width] = static_cast<unsigned char>(k * 8);
  CUDA_MEMCPY2D rows{};
  rows.srcMemoryType = CU_MEMORYTYPE_HOST;
  rows.srcHost = texels;
  rows.srcPitch = width;
  rows.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  rows.dstArray = from;
  rows.WidthInBytes = width;
  rows.Height = height;
  SUCCEED(cuMemcpy2D(&rows));

  CUDA_RESOURCE_DESC r = resource_of(from);
  CUDA_TEXTURE_DESC how{};
  for (auto& mode : how.addressMode) mode = CU_TR_ADDRESS_MODE_CLAMP;
  CUtexObject texture = 0;
  SUCCEED(cuTexObjectCreate(&texture, &r, &how, nullptr));  // bytes become fractions
  CUDA_TEXTURE_DESC said{};
  SUCCEED(cuTexObjectGetTextureDesc(&said, texture));
  EXPECT(said.flags == 0 && said.addressMode[1] == CU_TR_ADDRESS_MODE_CLAMP);
  CUDA_RESOURCE_DESC of{};
  SUCCEED(cuTexObjectGetResourceDesc(&of, texture));
  EXPECT(of.res.array.hArray == from);
  how.filterMode = CU_TR_FILTER_MODE_LINEAR;
  how.flags = CU_TRSF_READ_AS_INTEGER;
  CUtexObject none = 0;
  EXPECT(cuTexObjectCreate(&none, &r, &how, nullptr) == CUDA_ERROR_INVALID_VALUE);
  r = resource_of(to);
  CUsurfObject surface = 0;
  SUCCEED(cuSurfObjectCreate(&surface, &r));

  CUmodule module;
  CUfunction copy;
  SUCCEED(cuModuleLoadData(&module, copy_ptx));
  SUCCEED(cuModuleGetFunction(&copy, module, "copy"));
  void* arguments[] = {&texture, &surface};
  SUCCEED(cuLaunchKernel(copy, 1, 1, 1, width, height, 1, 0, nullptr, arguments, nullptr));
  // Columns 2 to 6 of rows 1 to 3, to columns from 1 on of 8 in memory.
  std::vector<float> found(width * height, -1);
  CUDA_MEMCPY3D box{};
  box.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  box.srcArray = to;
  box.srcXInBytes = 8;
  box.srcY = 1;
  box.dstMemoryType = CU_MEMORYTYPE_HOST;
  box.dstHost = found.data();
  box.dstXInBytes = 4;
  box.dstPitch = 4 * width;
  box.dstHeight = height;
  box.WidthInBytes = 20;
  box.Height = 3;
  box.Depth = 1;
  SUCCEED(cuMemcpy3D(&box));
  bool right = true;
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = 0; x < width; ++x) {
      bool const inside = x >= 1 && x < 6 && y < 3;
      float const expected = inside ? static_cast<float>(texels[y + 1][x + 1]) / 255 : -1;
      right = right && found[y * width + x] == expected;
    }
  EXPECT(right);
  box.srcXInBytes = 6;  // within a texel
  EXPECT(cuMemcpy3D(&box) == CUDA_ERROR_INVALID_VALUE);
  SUCCEED(cuSurfObjectDestroy(surface));
  SUCCEED(cuTexObjectDestroy(texture));
  EXPECT(cuTexObjectDestroy(texture) == CUDA_ERROR_INVALID_VALUE);
  SUCCEED(cuModuleUnload(module));
  SUCCEED(cuArrayDestroy(from));
  SUCCEED(cuArrayDestroy(to));
  return driver::finish(70);
}
