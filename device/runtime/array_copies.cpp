// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tables.hpp"

#include <algorithm>

namespace device::runtime {

using namespace abi;

namespace {

//! The memory of a side that is an array, whose position counts texels.
cudaPitchedPtr memory_of(array const& a, cudaPos const& position, cudaExtent const& e) {
  texel_box const& t = a.texels;
  auto const fits = [](std::size_t begin, std::size_t count, std::uint64_t size) {
    return begin <= size && count <= size - begin;
  };
  require(fits(position.x, e.width, t.width) && fits(position.y, e.height, t.height) &&
              fits(position.z, e.depth, t.depth),
          cudaErrorInvalidValue);
  return {pointer_to(t.begin), t.pitch, t.width * static_cast<std::uint64_t>(a.format.bytes()),
          t.height};
}

std::size_t in_texels(std::size_t bytes, array const& a) {
  auto const size = static_cast<std::size_t>(a.format.bytes());
  require(bytes % size == 0, cudaErrorInvalidValue);
  return bytes / size;
}

//! One side of a copy, as the functions of 2 dimensions describe it: offsets and widths in bytes.
struct copy_side {
  array const* texels = nullptr;
  cudaArray_t handle = nullptr;
  std::size_t x = 0, y = 0;
  void* memory = nullptr;
  std::size_t pitch = 0;
};

copy_side side_of(process& p, cudaArray_t handle, std::size_t x, std::size_t y) {
  return {&array_of(p, handle), handle, x, y};
}
copy_side side_of(void const* memory, std::size_t pitch) {
  return {nullptr, nullptr, 0, 0, const_cast<void*>(memory), pitch};
}

copy_work copy_between(copy_side const& to, copy_side const& source, std::size_t width,
                       std::size_t height, cudaMemcpyKind kind) {
  copy_work c;
  array const& counted = to.texels != nullptr ? *to.texels : *source.texels;
  c.box.extent = {in_texels(width, counted), height, 1};
  c.box.kind = kind;
  for (bool const is_source : {false, true}) {
    copy_side const& s = is_source ? source : to;
    cudaPos& position = is_source ? c.box.srcPos : c.box.dstPos;
    if (s.texels == nullptr) {
      require(height <= 1 || width <= s.pitch, cudaErrorInvalidPitchValue);
      (is_source ? c.box.srcPtr : c.box.dstPtr) = {s.memory, s.pitch, width, height};
    } else {
      (is_source ? c.box.srcArray : c.box.dstArray) = s.handle;
      position = {in_texels(s.x, *s.texels), s.y, 0};
    }
  }
  return c;
}

//! A row of bytes that begins in a row of an array and goes on in the next ones, as boxes. `other`
//! gives the other side, that many bytes on.
template <class Other, class Issue>
void each_row_piece(copy_side const& in_array, std::size_t bytes, Other const& other,
                    Issue const& issue_piece) {
  array const& a = *in_array.texels;
  std::size_t const row = a.texels.width * static_cast<std::size_t>(a.format.bytes());
  std::uint64_t const begin = in_array.y * row + in_array.x, end = a.texels.height * row;
  auto const size = static_cast<std::size_t>(a.format.bytes());
  // All is checked before the first piece is copied.
  require(in_array.x <= row && in_array.y <= a.texels.height && begin <= end &&
              bytes <= end - begin && in_array.x % size == 0 && bytes % size == 0,
          cudaErrorInvalidValue);
  copy_side piece = in_array;
  for (std::size_t done = 0; done < bytes; piece.x = 0, ++piece.y) {
    std::size_t const count = std::min(bytes - done, row - piece.x);
    issue_piece(piece, other(done), count);
    done += count;
  }
}

}  // namespace

cudaMemcpy3DParms without_arrays(process& p, cudaMemcpy3DParms const& c) {
  if (c.srcArray == nullptr && c.dstArray == nullptr) return c;
  // An array and memory besides it would be two sources.
  require((c.srcArray == nullptr || c.srcPtr.ptr == nullptr) &&
              (c.dstArray == nullptr || c.dstPtr.ptr == nullptr),
          cudaErrorInvalidValue);
  array const* const source = c.srcArray == nullptr ? nullptr : &array_of(p, c.srcArray);
  array const* const destination = c.dstArray == nullptr ? nullptr : &array_of(p, c.dstArray);
  auto const size =
      static_cast<std::size_t>((source == nullptr ? *destination : *source).format.bytes());
  if (source != nullptr && destination != nullptr)
    require(source->format.bytes() == destination->format.bytes(), cudaErrorInvalidValue);
  cudaMemcpy3DParms plain = c;
  plain.srcArray = plain.dstArray = nullptr;
  if (source != nullptr) {
    plain.srcPtr = memory_of(*source, c.srcPos, c.extent);
    plain.srcPos.x *= size;
  }
  if (destination != nullptr) {
    plain.dstPtr = memory_of(*destination, c.dstPos, c.extent);
    plain.dstPos.x *= size;
  }
  require(!__builtin_mul_overflow(c.extent.width, size, &plain.extent.width),
          cudaErrorInvalidValue);
  return plain;
}

// --- entry points --------------------------------------------------------------------------------

MMM_CUDA_API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y,
                                             void const* source, std::size_t pitch,
                                             std::size_t width, std::size_t height,
                                             cudaMemcpyKind kind) {
  return api([&](process& p) {
    issue_and_wait(p,
                   copy_between(side_of(p, to, x, y), side_of(source, pitch), width, height, kind));
  });
}

MMM_CUDA_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y,
                                                  void const* source, std::size_t pitch,
                                                  std::size_t width, std::size_t height,
                                                  cudaMemcpyKind kind, cudaStream_t in) {
  return api([&](process& p) {
    issue(p, in, copy_between(side_of(p, to, x, y), side_of(source, pitch), width, height, kind));
  });
}

MMM_CUDA_API cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_t source,
                                               std::size_t x, std::size_t y, std::size_t width,
                                               std::size_t height, cudaMemcpyKind kind) {
  return api([&](process& p) {
    issue_and_wait(p,
                   copy_between(side_of(to, pitch), side_of(p, source, x, y), width, height, kind));
  });
}

MMM_CUDA_API cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_t source,
                                                    std::size_t x, std::size_t y, std::size_t width,
                                                    std::size_t height, cudaMemcpyKind kind,
                                                    cudaStream_t in) {
  return api([&](process& p) {
    issue(p, in, copy_between(side_of(to, pitch), side_of(p, source, x, y), width, height, kind));
  });
}

MMM_CUDA_API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x,
                                                  std::size_t to_y, cudaArray_t source,
                                                  std::size_t x, std::size_t y, std::size_t width,
                                                  std::size_t height, cudaMemcpyKind kind) {
  return api([&](process& p) {
    issue_and_wait(
        p, copy_between(side_of(p, to, to_x, to_y), side_of(p, source, x, y), width, height, kind));
  });
}

MMM_CUDA_API cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y,
                                           void const* source, std::size_t bytes,
                                           cudaMemcpyKind kind) {
  return api([&](process& p) {
    each_row_piece(
        side_of(p, to, x, y), bytes,
        [&](std::size_t n) { return side_of(static_cast<char const*>(source) + n, 0); },
        [&](copy_side const& row, copy_side const& memory, std::size_t count) {
          issue_and_wait(p, copy_between(row, memory, count, 1, kind));
        });
  });
}

MMM_CUDA_API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y,
                                                void const* source, std::size_t bytes,
                                                cudaMemcpyKind kind, cudaStream_t in) {
  return api([&](process& p) {
    each_row_piece(
        side_of(p, to, x, y), bytes,
        [&](std::size_t n) { return side_of(static_cast<char const*>(source) + n, 0); },
        [&](copy_side const& row, copy_side const& memory, std::size_t count) {
          issue(p, in, copy_between(row, memory, count, 1, kind));
        });
  });
}

MMM_CUDA_API cudaError_t cudaMemcpyFromArray(void* to, cudaArray_t source, std::size_t x,
                                             std::size_t y, std::size_t bytes,
                                             cudaMemcpyKind kind) {
  return api([&](process& p) {
    each_row_piece(
        side_of(p, source, x, y), bytes,
        [&](std::size_t n) { return side_of(static_cast<char*>(to) + n, 0); },
        [&](copy_side const& row, copy_side const& memory, std::size_t count) {
          issue_and_wait(p, copy_between(memory, row, count, 1, kind));
        });
  });
}

MMM_CUDA_API cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_t source, std::size_t x,
                                                  std::size_t y, std::size_t bytes,
                                                  cudaMemcpyKind kind, cudaStream_t in) {
  return api([&](process& p) {
    each_row_piece(
        side_of(p, source, x, y), bytes,
        [&](std::size_t n) { return side_of(static_cast<char*>(to) + n, 0); },
        [&](copy_side const& row, copy_side const& memory, std::size_t count) {
          issue(p, in, copy_between(memory, row, count, 1, kind));
        });
  });
}

}  // namespace device::runtime
