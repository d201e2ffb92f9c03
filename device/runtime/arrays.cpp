// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arrays.hpp"

#include "agenda.hpp"
#include "tables.hpp"

#include <device/core/failure.hpp>

#include <algorithm>
#include <bit>

namespace device::runtime {

using namespace abi;

namespace {

//! Rows begin at multiples of this many bytes, so that accesses of surfaces are aligned.
constexpr std::uint64_t row_alignment = 16;
constexpr unsigned known_flags =
    array_layered | array_surface_load_store | array_cubemap | array_texture_gather;

cudaArray_t handle_of(array* a) { return reinterpret_cast<cudaArray_t>(a); }
cudaMipmappedArray_t handle_of(mipmapped_array* m) {
  return reinterpret_cast<cudaMipmappedArray_t>(m);
}

//! The greatest extents of CUDA C++ Programming Guide 13.0, technical specifications.
cudaExtent greatest(cudaExtent const& e, unsigned flags, bool has_levels) {
  constexpr std::size_t layers = 2048;
  constexpr std::size_t cubemap_layers = 2046;
  constexpr std::size_t side = 32768;
  constexpr std::size_t volume = 16384;
  if ((flags & array_cubemap) != 0) return {side, side, 6 * cubemap_layers};
  if ((flags & array_layered) != 0) return {side, side, layers};
  if (e.depth != 0) return {volume, volume, volume};
  if (has_levels || (flags & array_texture_gather) != 0) return {side, side, 0};
  return e.height == 0 ? cudaExtent{131072, 0, 0} : cudaExtent{131072, 65536, 0};
}

//! Refuses extents that no array has with these flags.
void check_extent(cudaExtent const& e, unsigned flags, bool has_levels) {
  auto const invalid = cudaErrorInvalidValue;
  require((flags & ~known_flags) == 0 && e.width != 0, invalid);
  bool const layered = (flags & array_layered) != 0;
  if ((flags & array_cubemap) != 0) {
    require(e.width == e.height, invalid);
    require(layered ? e.depth != 0 && e.depth % 6 == 0 : e.depth == 6, invalid);
  } else if (layered) {
    require(e.depth != 0, invalid);
  } else {
    require(e.depth == 0 || e.height != 0, invalid);
  }
  if ((flags & array_texture_gather) != 0) require(e.height != 0 && e.depth == 0, invalid);
  cudaExtent const limit = greatest(e, flags, has_levels);
  require(e.width <= limit.width && e.height <= limit.height && e.depth <= limit.depth, invalid);
}

array& make_array(process& p, cudaChannelFormatDesc const& channels, cudaExtent const& extent,
                  unsigned flags) {
  auto made = std::make_unique<array>();
  made->device = p.current().number;
  made->channels = channels;
  made->extent = extent;
  made->flags = flags;
  made->format = format_of(channels);
  texel_box& t = made->texels;
  t.width = extent.width;
  t.height = std::max<std::uint64_t>(extent.height, 1);
  t.depth = std::max<std::uint64_t>(extent.depth, 1);
  auto const row = t.width * static_cast<std::uint64_t>(made->format.bytes());
  t.pitch = (row + row_alignment - 1) / row_alignment * row_alignment;
  t.slice = t.pitch * t.height;
  t.begin =
      p.memory.allocate(made->bytes(), allocation_kind::array, made->device, texture_alignment);
  require(t.begin != 0, cudaErrorMemoryAllocation);
  p.allocated(t.begin);
  array* const key = made.get();
  return *(p.table.arrays[key] = std::move(made));
}

cudaExtent extent_of_level(array const& base, unsigned level) {
  auto const halved = [&](std::size_t n) {
    return n == 0 ? 0 : std::max<std::size_t>(n >> level, 1);
  };
  bool const has_layers = (base.flags & (array_layered | array_cubemap)) != 0;
  cudaExtent const& e = base.extent;
  return {halved(e.width), halved(e.height), has_layers ? e.depth : halved(e.depth)};
}

unsigned max_levels(cudaExtent const& e, unsigned flags) {
  bool const has_layers = (flags & (array_layered | array_cubemap)) != 0;
  std::size_t const longest = std::max({e.width, e.height, has_layers ? 0 : e.depth});
  return static_cast<unsigned>(std::bit_width(longest));
}

cudaError_t allocate(cudaArray_t* out, cudaChannelFormatDesc const* channels, cudaExtent extent,
                     unsigned flags) {
  return api([&](process& p) {
    require(out != nullptr && channels != nullptr, cudaErrorInvalidValue);
    forbid_during_capture(p);
    check_extent(extent, flags, false);
    *out = handle_of(&make_array(p, *channels, extent, flags));
  });
}

void free_levels(process& p, mipmapped_array const& m) {
  for (array* const level : m.levels) {
    (void)p.free(level->texels.begin);
    p.table.arrays.erase(level);
  }
}

void wait_for_all(process& p) {
  forbid_during_capture(p);
  p.todo.wait_for_device(p.current().number);
  if (p.order != nullptr) p.order->host_waited_for_device(p.current().number);
}

}  // namespace

int array::dimensions() const {
  if ((flags & array_cubemap) != 0) return 2;
  if ((flags & array_layered) == 0 && extent.depth != 0) return 3;
  return extent.height != 0 ? 2 : 1;
}

array& array_of(process& p, cudaArray_t handle) {
  auto const found = p.table.arrays.find(reinterpret_cast<array*>(handle));
  require(found != p.table.arrays.end(), cudaErrorInvalidResourceHandle);
  return *found->second;
}

mipmapped_array& mipmapped_of(process& p, cudaMipmappedArray_t handle) {
  auto const found = p.table.mipmapped.find(reinterpret_cast<mipmapped_array*>(handle));
  require(found != p.table.mipmapped.end(), cudaErrorInvalidResourceHandle);
  return *found->second;
}

texel_format format_of(cudaChannelFormatDesc const& c) {
  using enum texel_format::number_type;
  constexpr auto normalized = cudaChannelFormatKindUnsignedNormalized8X1;
  if (c.f == cudaChannelFormatKindNV12 || c.f > cudaChannelFormatKindSignedNormalized16X4)
    throw unsupported("arrays of compressed and planar formats are not supported by this device");
  int const bits[] = {c.x, c.y, c.z, c.w};
  texel_format f;
  f.bits = c.x;
  f.channels = 0;
  while (f.channels < 4 && bits[f.channels] != 0) ++f.channels;
  bool is_valid = f.channels == 1 || f.channels == 2 || f.channels == 4;
  for (int k = 0; k < 4; ++k) is_valid = is_valid && bits[k] == (k < f.channels ? f.bits : 0);
  if (c.f >= normalized) {
    // Three numbers of channels of 8 and 16 bits without a sign, then of those with one.
    unsigned const k = c.f - normalized;
    f.numbers = k < 6 ? unsigned_normalized : signed_normalized;
    is_valid = is_valid && f.bits == (k % 6 < 3 ? 8 : 16) && f.channels == 1 << k % 3;
  } else {
    f.numbers = c.f == cudaChannelFormatKindSigned     ? signed_integer
                : c.f == cudaChannelFormatKindUnsigned ? unsigned_integer
                                                       : floating;
    bool const has_bits = f.bits == 16 || f.bits == 32 || (f.bits == 8 && f.numbers != floating);
    is_valid = is_valid && has_bits && c.f != cudaChannelFormatKindNone;
  }
  require(is_valid, cudaErrorInvalidChannelDescriptor);
  return f;
}

void forget_arrays(process& p, int device) {
  std::erase_if(p.table.mipmapped,
                [&](auto const& m) { return m.second->levels.front()->device == device; });
  std::erase_if(p.table.arrays, [&](auto const& a) { return a.second->device == device; });
}

// --- entry points --------------------------------------------------------------------------------

MMM_CUDA_API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                         cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

MMM_CUDA_API cudaError_t cudaMallocArray(cudaArray_t* out, cudaChannelFormatDesc const* channels,
                                         std::size_t width, std::size_t height, unsigned flags) {
  return allocate(out, channels, {width, height, 0}, flags);
}

MMM_CUDA_API cudaError_t cudaMalloc3DArray(cudaArray_t* out, cudaChannelFormatDesc const* channels,
                                           cudaExtent extent, unsigned flags) {
  return allocate(out, channels, extent, flags);
}

MMM_CUDA_API cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* out,
                                                  cudaChannelFormatDesc const* channels,
                                                  cudaExtent extent, unsigned levels,
                                                  unsigned flags) {
  return api([&](process& p) {
    require(out != nullptr && channels != nullptr, cudaErrorInvalidValue);
    forbid_during_capture(p);
    check_extent(extent, flags, true);
    auto made = std::make_unique<mipmapped_array>();
    unsigned const count = std::clamp(levels, 1U, max_levels(extent, flags));
    try {
      for (unsigned k = 0; k < count; ++k) {
        cudaExtent const of_level = k == 0 ? extent : extent_of_level(*made->levels[0], k);
        array& level = make_array(p, *channels, of_level, flags);
        level.is_level = true;
        made->levels.push_back(&level);
      }
    } catch (failure const&) {
      free_levels(p, *made);
      throw;
    }
    *out = handle_of(made.get());
    p.table.mipmapped[made.get()] = std::move(made);
  });
}

MMM_CUDA_API cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* out,
                                                    cudaMipmappedArray_t mipmapped,
                                                    unsigned level) {
  return api([&](process& p) {
    mipmapped_array& m = mipmapped_of(p, mipmapped);
    require(out != nullptr && level < m.levels.size(), cudaErrorInvalidValue);
    *out = handle_of(m.levels[level]);
  });
}

MMM_CUDA_API cudaError_t cudaFreeArray(cudaArray_t handle) {
  return api([&](process& p) {
    if (handle == nullptr) return;
    wait_for_all(p);
    array& a = array_of(p, handle);
    require(!a.is_level, cudaErrorInvalidResourceHandle);
    (void)p.free(a.texels.begin);
    p.table.arrays.erase(&a);
  });
}

MMM_CUDA_API cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t handle) {
  return api([&](process& p) {
    if (handle == nullptr) return;
    wait_for_all(p);
    mipmapped_array& m = mipmapped_of(p, handle);
    free_levels(p, m);
    p.table.mipmapped.erase(&m);
  });
}

MMM_CUDA_API cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent,
                                          unsigned* flags, cudaArray_t handle) {
  return api([&](process& p) {
    array const& a = array_of(p, handle);
    if (channels != nullptr) *channels = a.channels;
    if (extent != nullptr) *extent = a.extent;
    if (flags != nullptr) *flags = a.flags;
  });
}

MMM_CUDA_API cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* channels, cudaArray_t handle) {
  return api([&](process& p) {
    require(channels != nullptr, cudaErrorInvalidValue);
    *channels = array_of(p, handle).channels;
  });
}

MMM_CUDA_API cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements* out,
                                                        cudaArray_t handle, int device) {
  return api([&](process& p) {
    (void)p.of_device(device);
    require(out != nullptr, cudaErrorInvalidValue);
    *out = {array_of(p, handle).bytes(), texture_alignment, {}};
  });
}

MMM_CUDA_API cudaError_t cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements* out,
                                                                 cudaMipmappedArray_t handle,
                                                                 int device) {
  return api([&](process& p) {
    (void)p.of_device(device);
    require(out != nullptr, cudaErrorInvalidValue);
    *out = {0, texture_alignment, {}};
    for (array const* const level : mipmapped_of(p, handle).levels)
      out->size += (level->bytes() + texture_alignment - 1) / texture_alignment * texture_alignment;
  });
}

}  // namespace device::runtime
