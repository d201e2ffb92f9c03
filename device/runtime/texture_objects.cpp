// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tables.hpp"

#include <device/core/failure.hpp>

#include <algorithm>
#include <bit>

namespace device::runtime {

using namespace abi;

namespace {

constexpr std::size_t plane_pitch_unit = 32;
//! CUDA C++ Programming Guide 13.0, technical specifications
constexpr std::size_t max_linear_width = std::size_t{1} << 28;
constexpr std::size_t max_plane_width = 131072;
constexpr std::size_t max_plane_height = 65000;
constexpr std::size_t max_plane_pitch = 2097120;

//! The shape and levels of arrays.
void set_arrays(texture_object& t, std::vector<array*> const& levels) {
  array const& base = *levels[0];
  t.format = base.format;
  t.dimensions = base.dimensions();
  t.is_layered = (base.flags & array_layered) != 0;
  t.is_cubemap = (base.flags & array_cubemap) != 0;
  for (array const* const level : levels) t.levels.push_back(level->texels);
}

void require_memory(process& p, void const* pointer, std::size_t bytes) {
  require(pointer != nullptr && address_of(pointer) % texture_alignment == 0 &&
              p.memory.holds(address_of(pointer), bytes),
          cudaErrorInvalidValue);
}

void set_resource(process& p, texture_object& t, cudaResourceDesc const& r) {
  switch (r.resType) {
    case cudaResourceTypeArray:
      return set_arrays(t, {&array_of(p, r.res.array.array)});
    case cudaResourceTypeMipmappedArray:
      return set_arrays(t, mipmapped_of(p, r.res.mipmap.mipmap).levels);
    case cudaResourceTypeLinear: {
      auto const& l = r.res.linear;
      t.format = format_of(l.desc);
      auto const texels = l.sizeInBytes / static_cast<std::size_t>(t.format.bytes());
      require(texels != 0 && texels <= max_linear_width, cudaErrorInvalidValue);
      require_memory(p, l.devPtr, l.sizeInBytes);
      t.levels.push_back({address_of(l.devPtr), texels, 1, 1, l.sizeInBytes, l.sizeInBytes});
      return;
    }
    case cudaResourceTypePitch2D: {
      auto const& l = r.res.pitch2D;
      t.format = format_of(l.desc);
      t.dimensions = 2;
      auto const row = l.width * static_cast<std::size_t>(t.format.bytes());
      require(l.width != 0 && l.height != 0 && l.width <= max_plane_width &&
                  l.height <= max_plane_height && l.pitchInBytes <= max_plane_pitch &&
                  l.pitchInBytes % plane_pitch_unit == 0 && row <= l.pitchInBytes,
              cudaErrorInvalidValue);
      require_memory(p, l.devPtr, (l.height - 1) * l.pitchInBytes + row);
      t.levels.push_back(
          {address_of(l.devPtr), l.width, l.height, 1, l.pitchInBytes, l.pitchInBytes * l.height});
      return;
    }
  }
  throw failure{cudaErrorInvalidValue};
}

//! The format of a view; three numbers of channels of each kind and size, in order.
texel_format view_format(cudaResourceViewFormat f) {
  using enum texel_format::number_type;
  constexpr struct {
    texel_format::number_type numbers;
    int bits;
  } kinds[] = {{unsigned_integer, 8}, {signed_integer, 8},    {unsigned_integer, 16},
               {signed_integer, 16},  {unsigned_integer, 32}, {signed_integer, 32},
               {floating, 16},        {floating, 32}};
  if (f > cudaResViewFormatFloat4)
    throw unsupported("textures of compressed formats are not supported by this device");
  unsigned const k = f - cudaResViewFormatUnsignedChar1;
  return {kinds[k / 3].numbers, kinds[k / 3].bits, 1 << k % 3};
}

void set_view(texture_object& t, cudaResourceViewDesc const& v, bool is_array) {
  require(is_array, cudaErrorInvalidValue);
  if (v.format != cudaResViewFormatNone) {
    texel_format const f = view_format(v.format);
    require(f.bytes() == t.format.bytes(), cudaErrorInvalidValue);
    t.format = f;
  }
  require(v.firstMipmapLevel <= v.lastMipmapLevel && v.lastMipmapLevel < t.levels.size(),
          cudaErrorInvalidValue);
  t.levels = {t.levels.begin() + v.firstMipmapLevel, t.levels.begin() + v.lastMipmapLevel + 1};
  bool const has_layers = t.is_layered || t.is_cubemap;
  require(v.firstLayer <= v.lastLayer && (has_layers || v.lastLayer == 0), cudaErrorInvalidValue);
  if (!t.is_layered) return;
  for (texel_box& level : t.levels) {
    require(v.lastLayer < level.depth, cudaErrorInvalidValue);
    level.begin += v.firstLayer * level.slice;
    level.depth = v.lastLayer - v.firstLayer + 1;
  }
}

void set_sampler(texture_object& t, cudaTextureDesc const& d, cudaResourceType source) {
  for (auto const mode : d.addressMode)
    require(mode <= cudaAddressModeBorder, cudaErrorInvalidValue);
  require(d.filterMode <= cudaFilterModeLinear && d.mipmapFilterMode <= cudaFilterModeLinear &&
              d.readMode <= cudaReadModeNormalizedFloat,
          cudaErrorInvalidValue);
  using enum texel_format::number_type;
  if (d.readMode == cudaReadModeNormalizedFloat && t.format.is_integer() && t.format.bits < 32)
    t.format.numbers = t.format.numbers == signed_integer ? signed_normalized : unsigned_normalized;
  t.decodes_srgb = d.sRGB != 0 && t.format.bits == 8 && t.format.numbers == unsigned_normalized;
  if (source == cudaResourceTypeLinear) {
    // tex1Dfetch reads 0 outside.
    t.modes.fill(address_mode::border);
    return;
  }
  require(source != cudaResourceTypeMipmappedArray || d.normalizedCoords != 0,
          cudaErrorInvalidValue);
  t.filters = d.filterMode == cudaFilterModeLinear;
  require(!t.filters || !t.format.is_integer(), cudaErrorInvalidFilterSetting);
  t.filters_levels = t.levels.size() > 1 && d.mipmapFilterMode == cudaFilterModeLinear;
  require(!t.filters_levels || !t.format.is_integer(), cudaErrorInvalidFilterSetting);
  t.normalized_coordinates = d.normalizedCoords != 0;
  t.is_seamless = d.seamlessCubemap != 0;
  require(!t.is_seamless || t.is_cubemap, cudaErrorInvalidValue);
  for (std::size_t k = 0; k < t.modes.size(); ++k) {
    auto const mode = static_cast<address_mode>(d.addressMode[k]);
    bool const repeats = mode == address_mode::wrap || mode == address_mode::mirror;
    bool const is_possible = (t.normalized_coordinates || !repeats) && !t.is_seamless;
    t.modes[k] = is_possible ? mode : address_mode::clamp;
  }
  for (std::size_t k = 0; k < 4; ++k) t.border[k] = std::bit_cast<std::uint32_t>(d.borderColor[k]);
  t.level_bias = d.mipmapLevelBias;
  t.min_level = d.minMipmapLevelClamp;
  t.max_level = d.maxMipmapLevelClamp;
  t.max_anisotropy = d.maxAnisotropy;
}

object_descriptions const& description_of(process& p, std::uint64_t number, bool is_surface) {
  texture_object const* const t = p.table.textures.find(number);
  require(t != nullptr && !t->destroyed && t->is_surface == is_surface, cudaErrorInvalidValue);
  return p.table.described.at(number);
}

cudaError_t destroy(std::uint64_t number, bool is_surface) {
  return api([&](process& p) {
    if (number == 0) return;
    require(p.table.textures.destroy(number, is_surface), cudaErrorInvalidValue);
    p.table.described.erase(number);
  });
}

}  // namespace

MMM_CUDA_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t* out,
                                                 cudaResourceDesc const* resource,
                                                 cudaTextureDesc const* how,
                                                 cudaResourceViewDesc const* view) {
  return api([&](process& p) {
    require(out != nullptr && resource != nullptr && how != nullptr && resource->flags == 0,
            cudaErrorInvalidValue);
    texture_object made;
    set_resource(p, made, *resource);
    bool const is_array = resource->resType <= cudaResourceTypeMipmappedArray;
    if (view != nullptr) set_view(made, *view, is_array);
    set_sampler(made, *how, resource->resType);
    *out = p.table.textures.add(std::move(made));
    object_descriptions& d = p.table.described[*out];
    d = {*resource, *how, {}};
    if (view != nullptr) d.view = *view;
  });
}

MMM_CUDA_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t number) {
  return destroy(number, false);
}

MMM_CUDA_API cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* out,
                                                          cudaTextureObject_t number) {
  return api([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = description_of(p, number, false).resource;
  });
}

MMM_CUDA_API cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* out,
                                                         cudaTextureObject_t number) {
  return api([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = description_of(p, number, false).texture;
  });
}

MMM_CUDA_API cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* out,
                                                              cudaTextureObject_t number) {
  return api([&](process& p) {
    auto const& view = description_of(p, number, false).view;
    require(out != nullptr && view.has_value(), cudaErrorInvalidValue);
    *out = *view;
  });
}

MMM_CUDA_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* out,
                                                 cudaResourceDesc const* resource) {
  return api([&](process& p) {
    require(out != nullptr && resource != nullptr && resource->flags == 0 &&
                resource->resType == cudaResourceTypeArray,
            cudaErrorInvalidValue);
    array& a = array_of(p, resource->res.array.array);
    require((a.flags & array_surface_load_store) != 0, cudaErrorInvalidValue);
    texture_object made;
    made.is_surface = true;
    set_arrays(made, {&a});
    *out = p.table.textures.add(std::move(made));
    p.table.described[*out] = {*resource, {}, {}};
  });
}

MMM_CUDA_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t number) {
  return destroy(number, true);
}

MMM_CUDA_API cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* out,
                                                          cudaSurfaceObject_t number) {
  return api([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = description_of(p, number, true).resource;
  });
}

MMM_CUDA_API cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* texels,
                                                              cudaChannelFormatDesc const* channels,
                                                              int device) {
  return api([&](process& p) {
    require(texels != nullptr && channels != nullptr, cudaErrorInvalidValue);
    (void)p.of_device(device);
    (void)format_of(*channels);
    *texels = max_linear_width;
  });
}

}  // namespace device::runtime
