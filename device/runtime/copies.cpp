// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tables.hpp"

#include <cstring>

namespace device::runtime {

using namespace abi;

namespace {

//! One side of a copy: its first row, and the distances between rows and layers.
struct side {
  char* first = nullptr;
  std::size_t pitch = 0;
  std::size_t layer = 0;
};

side side_of(cudaPitchedPtr const& p, cudaPos const& position) {
  std::size_t const layer = p.pitch * p.ysize;
  return {static_cast<char*>(p.ptr) + position.z * layer + position.y * p.pitch + position.x,
          p.pitch, layer};
}

bool is_empty(cudaExtent const& e) { return e.width == 0 || e.height == 0 || e.depth == 0; }

//! Refuses a side of a copy that is not memory that may be reached: of the device, if
//! it has to be; else also the program's own, of which nothing is known.
void check_side(process& p, cudaPitchedPtr const& whole, cudaPos const& position,
                cudaExtent const& e, bool on_device) {
  require(whole.ptr != nullptr, cudaErrorInvalidValue);
  if (e.height > 1 || e.depth > 1)
    require(position.x + e.width <= whole.pitch, cudaErrorInvalidPitchValue);
  if (e.depth > 1) require(position.y + e.height <= whole.ysize, cudaErrorInvalidValue);
  side const s = side_of(whole, position);
  std::size_t const span = (e.depth - 1) * s.layer + (e.height - 1) * s.pitch + e.width;
  std::uint64_t const begin = address_of(s.first);
  bool const in_arena = begin < p.memory.arena_end() && begin + span > p.memory.arena_begin();
  require(!(on_device || in_arena) || p.memory.holds(begin, span), cudaErrorInvalidValue);
}

void check_device(process& p, int device) { (void)p.of_device(device); }

cudaMemcpy3DParms box_of(process& p, cudaMemcpy3DPeerParms const& peer) {
  check_device(p, peer.srcDevice);
  check_device(p, peer.dstDevice);
  return {peer.srcArray, peer.srcPos, peer.srcPtr, peer.dstArray,
          peer.dstPos,   peer.dstPtr, peer.extent, cudaMemcpyDefault};
}

}  // namespace

copy_work copy_of(void* destination, void const* source, std::size_t bytes, cudaMemcpyKind kind) {
  return copy_of(destination, bytes, source, bytes, bytes, 1, kind);
}

copy_work copy_of(void* destination, std::size_t destination_pitch, void const* source,
                  std::size_t source_pitch, std::size_t width, std::size_t height,
                  cudaMemcpyKind kind) {
  copy_work c;
  c.box.srcPtr = {const_cast<void*>(source), source_pitch, width, height};
  c.box.dstPtr = {destination, destination_pitch, width, height};
  c.box.extent = {width, height, 1};
  c.box.kind = kind;
  return c;
}

void check_copy(process& p, cudaMemcpy3DParms const& given) {
  cudaMemcpy3DParms const c = without_arrays(p, given);
  require(c.kind <= cudaMemcpyDefault, cudaErrorInvalidMemcpyDirection);
  if (is_empty(c.extent)) return;
  bool const source_device = c.kind == cudaMemcpyDeviceToHost || c.kind == cudaMemcpyDeviceToDevice;
  bool const destination_device =
      c.kind == cudaMemcpyHostToDevice || c.kind == cudaMemcpyDeviceToDevice;
  check_side(p, c.srcPtr, c.srcPos, c.extent, source_device);
  check_side(p, c.dstPtr, c.dstPos, c.extent, destination_device);
}

void execute_copy(process& p, cudaMemcpy3DParms const& given) {
  cudaMemcpy3DParms const c = without_arrays(p, given);
  if (is_empty(c.extent)) return;
  auto [width, height, depth] = c.extent;
  side const source = side_of(c.srcPtr, c.srcPos);
  side const destination = side_of(c.dstPtr, c.dstPos);
  if (height > 1 && source.pitch == width && destination.pitch == width &&
      (depth == 1 || (source.layer == width * height && destination.layer == width * height))) {
    width *= height * depth;  // one row
    height = depth = 1;
  }
  for (std::size_t z = 0; z < depth; ++z)
    for (std::size_t y = 0; y < height; ++y) {
      char* const target = destination.first + z * destination.layer + y * destination.pitch;
      char const* const source_row = source.first + z * source.layer + y * source.pitch;
      p.host_copied(target, source_row, width);
      std::memmove(target, source_row, width);
    }
}

// --- entry points --------------------------------------------------------------------------------

MMM_CUDA_API cudaError_t cudaMemcpy(void* destination, void const* source, std::size_t bytes,
                                    cudaMemcpyKind kind) {
  return api([&](process& p) { issue_and_wait(p, copy_of(destination, source, bytes, kind)); });
}

MMM_CUDA_API cudaError_t cudaMemcpyAsync(void* destination, void const* source, std::size_t bytes,
                                         cudaMemcpyKind kind, cudaStream_t in) {
  return api([&](process& p) { issue(p, in, copy_of(destination, source, bytes, kind)); });
}

MMM_CUDA_API cudaError_t cudaMemcpyPeer(void* destination, int destination_device,
                                        void const* source, int source_device, std::size_t bytes) {
  return api([&](process& p) {
    check_device(p, destination_device);
    check_device(p, source_device);
    issue_and_wait(p, copy_of(destination, source, bytes, cudaMemcpyDefault));
  });
}

MMM_CUDA_API cudaError_t cudaMemcpyPeerAsync(void* destination, int destination_device,
                                             void const* source, int source_device,
                                             std::size_t bytes, cudaStream_t in) {
  return api([&](process& p) {
    check_device(p, destination_device);
    check_device(p, source_device);
    issue(p, in, copy_of(destination, source, bytes, cudaMemcpyDefault));
  });
}

MMM_CUDA_API cudaError_t cudaMemcpy2D(void* destination, std::size_t destination_pitch,
                                      void const* source, std::size_t source_pitch,
                                      std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return api([&](process& p) {
    require(width <= destination_pitch && width <= source_pitch, cudaErrorInvalidPitchValue);
    issue_and_wait(
        p, copy_of(destination, destination_pitch, source, source_pitch, width, height, kind));
  });
}

MMM_CUDA_API cudaError_t cudaMemcpy2DAsync(void* destination, std::size_t destination_pitch,
                                           void const* source, std::size_t source_pitch,
                                           std::size_t width, std::size_t height,
                                           cudaMemcpyKind kind, cudaStream_t in) {
  return api([&](process& p) {
    require(width <= destination_pitch && width <= source_pitch, cudaErrorInvalidPitchValue);
    issue(p, in,
          copy_of(destination, destination_pitch, source, source_pitch, width, height, kind));
  });
}

MMM_CUDA_API cudaError_t cudaMemcpy3D(cudaMemcpy3DParms const* box) {
  return api([&](process& p) {
    require(box != nullptr, cudaErrorInvalidValue);
    issue_and_wait(p, copy_work{*box});
  });
}

MMM_CUDA_API cudaError_t cudaMemcpy3DAsync(cudaMemcpy3DParms const* box, cudaStream_t in) {
  return api([&](process& p) {
    require(box != nullptr, cudaErrorInvalidValue);
    issue(p, in, copy_work{*box});
  });
}

MMM_CUDA_API cudaError_t cudaMemcpy3DPeer(cudaMemcpy3DPeerParms const* peer) {
  return api([&](process& p) {
    require(peer != nullptr, cudaErrorInvalidValue);
    issue_and_wait(p, copy_work{box_of(p, *peer)});
  });
}

MMM_CUDA_API cudaError_t cudaMemcpy3DPeerAsync(cudaMemcpy3DPeerParms const* peer, cudaStream_t in) {
  return api([&](process& p) {
    require(peer != nullptr, cudaErrorInvalidValue);
    issue(p, in, copy_work{box_of(p, *peer)});
  });
}

MMM_CUDA_API cudaError_t cudaMemcpyBatchAsync(void* const* destination, void const* const* source,
                                              std::size_t const* bytes, std::size_t count,
                                              cudaMemcpyAttributes const* attributes,
                                              std::size_t const* first_of_attribute,
                                              std::size_t attribute_count, cudaStream_t in) {
  return api([&](process& p) {
    require(destination != nullptr && source != nullptr && bytes != nullptr && count != 0,
            cudaErrorInvalidValue);
    require(attributes != nullptr && first_of_attribute != nullptr && attribute_count != 0 &&
                attribute_count <= count && first_of_attribute[0] == 0,
            cudaErrorInvalidValue);
    stream& s = stream_of(p, in);
    require(!s.is_legacy, cudaErrorInvalidValue);
    forbid_if_capturing(p, s);
    for (std::size_t k = 0; k < count; ++k)
      issue(p, in, copy_of(destination[k], source[k], bytes[k], cudaMemcpyDefault));
  });
}

MMM_CUDA_API cudaError_t cudaMemcpy3DBatchAsync(std::size_t count, cudaMemcpy3DBatchOp* list,
                                                unsigned long long flags, cudaStream_t in) {
  return api([&](process& p) {
    require(list != nullptr && count != 0 && flags == 0, cudaErrorInvalidValue);
    stream& s = stream_of(p, in);
    require(!s.is_legacy, cudaErrorInvalidValue);
    forbid_if_capturing(p, s);
    for (cudaMemcpy3DBatchOp const* o = list; o != list + count; ++o) {
      cudaMemcpy3DParms box{};
      std::size_t unit = 1;  // of extents and rows, where an array takes part
      for (cudaMemcpy3DOperand const* const operand : {&o->src, &o->dst})
        if (operand->type == cudaMemcpyOperandTypeArray)
          unit = static_cast<std::size_t>(array_of(p, operand->op.array.array).format.bytes());
      auto const pitched = [&](cudaMemcpy3DOperand const& operand, cudaArray_t& array,
                               cudaPos& position) {
        if (operand.type == cudaMemcpyOperandTypeArray) {
          array = operand.op.array.array;
          position = operand.op.array.offset;
          return cudaPitchedPtr{};
        }
        std::size_t const row =
            operand.op.ptr.rowLength == 0 ? o->extent.width : operand.op.ptr.rowLength;
        std::size_t const rows =
            operand.op.ptr.layerHeight == 0 ? o->extent.height : operand.op.ptr.layerHeight;
        return cudaPitchedPtr{operand.op.ptr.ptr, row * unit, row * unit, rows};
      };
      box.srcPtr = pitched(o->src, box.srcArray, box.srcPos);
      box.dstPtr = pitched(o->dst, box.dstArray, box.dstPos);
      box.extent = o->extent;
      box.kind = cudaMemcpyDefault;
      issue(p, in, copy_work{box});
    }
  });
}

}  // namespace device::runtime
