// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tables.hpp"

// The entry points of programs compiled with --default-stream per-thread: the same functions, with
// the thread's own stream in the place of the legacy one. Functions that wait for their work take
// no stream.
namespace device::runtime {

using namespace abi;

namespace {

cudaStream_t own(cudaStream_t stream) { return stream == nullptr ? per_thread_stream : stream; }

}  // namespace

#define MMM_OWN_STREAM(name, parameters, arguments) \
  extern "C" cudaError_t name parameters;           \
  MMM_CUDA_API cudaError_t name##_ptsz parameters { return name arguments; }
#define MMM_OWN_DEFAULT(name, parameters, arguments) \
  extern "C" cudaError_t name parameters;            \
  MMM_CUDA_API cudaError_t name##_ptds parameters {  \
    own_default const while_it_runs;                 \
    return name arguments;                           \
  }

MMM_OWN_STREAM(cudaEventRecordWithFlags,
               (cudaEvent_t event_handle, cudaStream_t stream, unsigned flags),
               (event_handle, own(stream), flags))
MMM_OWN_STREAM(cudaEventRecord, (cudaEvent_t event_handle, cudaStream_t stream),
               (event_handle, own(stream)))
MMM_OWN_STREAM(cudaFreeAsync, (void* pointer, cudaStream_t stream), (pointer, own(stream)))
MMM_OWN_STREAM(cudaGetDriverEntryPointByVersion,
               (char const* symbol, void** out, unsigned version, unsigned long long flags,
                cudaDriverEntryPointQueryResult* status),
               (symbol, out, version, flags, status))
MMM_OWN_STREAM(cudaGraphInstantiateWithParams,
               (cudaGraphExec_t * out, cudaGraph_t graph, cudaGraphInstantiateParams* how),
               (out, graph, how))
MMM_OWN_STREAM(cudaGraphLaunch, (cudaGraphExec_t graph, cudaStream_t stream), (graph, own(stream)))
MMM_OWN_STREAM(cudaGraphUpload, (cudaGraphExec_t graph, cudaStream_t stream), (graph, own(stream)))
MMM_OWN_STREAM(cudaLaunchCooperativeKernel,
               (void const* function, abi::dim3 grid, abi::dim3 block, void** arguments,
                std::size_t shared, cudaStream_t stream),
               (function, grid, block, arguments, shared, own(stream)))
MMM_OWN_STREAM(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void* data),
               (own(stream), function, data))
MMM_OWN_STREAM(cudaLaunchKernel,
               (void const* function, abi::dim3 grid, abi::dim3 block, void** arguments,
                std::size_t shared, cudaStream_t stream),
               (function, grid, block, arguments, shared, own(stream)))
MMM_OWN_STREAM(cudaMallocAsync, (void** out, std::size_t bytes, cudaStream_t stream),
               (out, bytes, own(stream)))
MMM_OWN_STREAM(cudaMallocFromPoolAsync,
               (void** out, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
               (out, bytes, pool, own(stream)))
MMM_OWN_STREAM(cudaMemPrefetchAsync,
               (void const* pointer, std::size_t bytes, cudaMemLocation place, unsigned flags,
                cudaStream_t stream),
               (pointer, bytes, place, flags, own(stream)))
MMM_OWN_STREAM(cudaMemPrefetchBatchAsync,
               (void** pointer, std::size_t* bytes, std::size_t count, cudaMemLocation* places,
                std::size_t* first_of, std::size_t place_count, unsigned long long flags,
                cudaStream_t stream),
               (pointer, bytes, count, places, first_of, place_count, flags, own(stream)))
MMM_OWN_STREAM(cudaMemcpy2DAsync,
               (void* destination, std::size_t destination_pitch, void const* source,
                std::size_t source_pitch, std::size_t width, std::size_t height,
                cudaMemcpyKind kind, cudaStream_t stream),
               (destination, destination_pitch, source, source_pitch, width, height, kind,
                own(stream)))
MMM_OWN_DEFAULT(cudaMemcpy2D,
                (void* destination, std::size_t destination_pitch, void const* source,
                 std::size_t source_pitch, std::size_t width, std::size_t height,
                 cudaMemcpyKind kind),
                (destination, destination_pitch, source, source_pitch, width, height, kind))
MMM_OWN_STREAM(cudaMemcpy2DToArrayAsync,
               (cudaArray_t to, std::size_t x, std::size_t y, void const* source, std::size_t pitch,
                std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream),
               (to, x, y, source, pitch, width, height, kind, own(stream)))
MMM_OWN_DEFAULT(cudaMemcpy2DToArray,
                (cudaArray_t to, std::size_t x, std::size_t y, void const* source,
                 std::size_t pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind),
                (to, x, y, source, pitch, width, height, kind))
MMM_OWN_STREAM(cudaMemcpy2DFromArrayAsync,
               (void* to, std::size_t pitch, cudaArray_t source, std::size_t x, std::size_t y,
                std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream),
               (to, pitch, source, x, y, width, height, kind, own(stream)))
MMM_OWN_DEFAULT(cudaMemcpy2DFromArray,
                (void* to, std::size_t pitch, cudaArray_t source, std::size_t x, std::size_t y,
                 std::size_t width, std::size_t height, cudaMemcpyKind kind),
                (to, pitch, source, x, y, width, height, kind))
MMM_OWN_DEFAULT(cudaMemcpy2DArrayToArray,
                (cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_t source,
                 std::size_t x, std::size_t y, std::size_t width, std::size_t height,
                 cudaMemcpyKind kind),
                (to, to_x, to_y, source, x, y, width, height, kind))
MMM_OWN_STREAM(cudaMemcpyToArrayAsync,
               (cudaArray_t to, std::size_t x, std::size_t y, void const* source, std::size_t bytes,
                cudaMemcpyKind kind, cudaStream_t stream),
               (to, x, y, source, bytes, kind, own(stream)))
MMM_OWN_DEFAULT(cudaMemcpyToArray,
                (cudaArray_t to, std::size_t x, std::size_t y, void const* source,
                 std::size_t bytes, cudaMemcpyKind kind),
                (to, x, y, source, bytes, kind))
MMM_OWN_STREAM(cudaMemcpyFromArrayAsync,
               (void* to, cudaArray_t source, std::size_t x, std::size_t y, std::size_t bytes,
                cudaMemcpyKind kind, cudaStream_t stream),
               (to, source, x, y, bytes, kind, own(stream)))
MMM_OWN_DEFAULT(cudaMemcpyFromArray,
                (void* to, cudaArray_t source, std::size_t x, std::size_t y, std::size_t bytes,
                 cudaMemcpyKind kind),
                (to, source, x, y, bytes, kind))
MMM_OWN_STREAM(cudaMemcpy3DAsync, (cudaMemcpy3DParms const* box, cudaStream_t stream),
               (box, own(stream)))
MMM_OWN_STREAM(cudaMemcpy3DBatchAsync,
               (std::size_t count, cudaMemcpy3DBatchOp* list, unsigned long long flags,
                cudaStream_t stream),
               (count, list, flags, own(stream)))
MMM_OWN_STREAM(cudaMemcpy3DPeerAsync, (cudaMemcpy3DPeerParms const* box, cudaStream_t stream),
               (box, own(stream)))
MMM_OWN_DEFAULT(cudaMemcpy3DPeer, (cudaMemcpy3DPeerParms const* box), (box))
MMM_OWN_DEFAULT(cudaMemcpy3D, (cudaMemcpy3DParms const* box), (box))
MMM_OWN_STREAM(cudaMemcpyAsync,
               (void* destination, void const* source, std::size_t bytes, cudaMemcpyKind kind,
                cudaStream_t stream),
               (destination, source, bytes, kind, own(stream)))
MMM_OWN_STREAM(cudaMemcpyBatchAsync,
               (void* const* destination, void const* const* source, std::size_t const* bytes,
                std::size_t count, cudaMemcpyAttributes const* attributes,
                std::size_t const* first_of, std::size_t attribute_count, cudaStream_t stream),
               (destination, source, bytes, count, attributes, first_of, attribute_count,
                own(stream)))
MMM_OWN_STREAM(cudaMemcpyFromSymbolAsync,
               (void* destination, void const* symbol, std::size_t bytes, std::size_t offset,
                cudaMemcpyKind kind, cudaStream_t stream),
               (destination, symbol, bytes, offset, kind, own(stream)))
MMM_OWN_DEFAULT(cudaMemcpyFromSymbol,
                (void* destination, void const* symbol, std::size_t bytes, std::size_t offset,
                 cudaMemcpyKind kind),
                (destination, symbol, bytes, offset, kind))
MMM_OWN_STREAM(cudaMemcpyToSymbolAsync,
               (void const* symbol, void const* source, std::size_t bytes, std::size_t offset,
                cudaMemcpyKind kind, cudaStream_t stream),
               (symbol, source, bytes, offset, kind, own(stream)))
MMM_OWN_DEFAULT(cudaMemcpyToSymbol,
                (void const* symbol, void const* source, std::size_t bytes, std::size_t offset,
                 cudaMemcpyKind kind),
                (symbol, source, bytes, offset, kind))
MMM_OWN_DEFAULT(cudaMemcpy,
                (void* destination, void const* source, std::size_t bytes, cudaMemcpyKind kind),
                (destination, source, bytes, kind))
MMM_OWN_STREAM(cudaMemset2DAsync,
               (void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height,
                cudaStream_t stream),
               (pointer, pitch, value, width, height, own(stream)))
MMM_OWN_DEFAULT(cudaMemset2D,
                (void* pointer, std::size_t pitch, int value, std::size_t width,
                 std::size_t height),
                (pointer, pitch, value, width, height))
MMM_OWN_STREAM(cudaMemset3DAsync,
               (cudaPitchedPtr box, int value, cudaExtent extent, cudaStream_t stream),
               (box, value, extent, own(stream)))
MMM_OWN_DEFAULT(cudaMemset3D, (cudaPitchedPtr box, int value, cudaExtent extent),
                (box, value, extent))
MMM_OWN_STREAM(cudaMemsetAsync, (void* pointer, int value, std::size_t bytes, cudaStream_t stream),
               (pointer, value, bytes, own(stream)))
MMM_OWN_DEFAULT(cudaMemset, (void* pointer, int value, std::size_t bytes), (pointer, value, bytes))
MMM_OWN_STREAM(cudaStreamAddCallback,
               (cudaStream_t stream, cudaStreamCallback_t function, void* data, unsigned flags),
               (own(stream), function, data, flags))
MMM_OWN_STREAM(cudaStreamAttachMemAsync,
               (cudaStream_t stream, void* pointer, std::size_t bytes, unsigned flags),
               (own(stream), pointer, bytes, flags))
MMM_OWN_STREAM(cudaStreamBeginCaptureToGraph,
               (cudaStream_t stream, cudaGraph_t graph, cudaGraphNode_t const* after,
                cudaGraphEdgeData const* edges, std::size_t count, cudaStreamCaptureMode mode),
               (own(stream), graph, after, edges, count, mode))
MMM_OWN_STREAM(cudaStreamBeginCapture, (cudaStream_t stream, cudaStreamCaptureMode mode),
               (own(stream), mode))
MMM_OWN_STREAM(cudaStreamCopyAttributes, (cudaStream_t destination, cudaStream_t source),
               (own(destination), own(source)))
MMM_OWN_STREAM(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t* out), (own(stream), out))
MMM_OWN_STREAM(cudaStreamGetAttribute,
               (cudaStream_t stream, cudaLaunchAttributeID id, cudaLaunchAttributeValue* value),
               (own(stream), id, value))
MMM_OWN_STREAM(cudaStreamGetCaptureInfo,
               (cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* number,
                cudaGraph_t* into, cudaGraphNode_t const** after, cudaGraphEdgeData const** edges,
                std::size_t* count),
               (own(stream), status, number, into, after, edges, count))
MMM_OWN_STREAM(cudaStreamGetDevice, (cudaStream_t stream, int* device), (own(stream), device))
MMM_OWN_STREAM(cudaStreamGetFlags, (cudaStream_t stream, unsigned* flags), (own(stream), flags))
MMM_OWN_STREAM(cudaStreamGetId, (cudaStream_t stream, unsigned long long* number),
               (own(stream), number))
MMM_OWN_STREAM(cudaStreamGetPriority, (cudaStream_t stream, int* priority), (own(stream), priority))
MMM_OWN_STREAM(cudaStreamIsCapturing, (cudaStream_t stream, cudaStreamCaptureStatus* status),
               (own(stream), status))
MMM_OWN_STREAM(cudaStreamQuery, (cudaStream_t stream), (own(stream)))
MMM_OWN_STREAM(cudaStreamSetAttribute,
               (cudaStream_t stream, cudaLaunchAttributeID id,
                cudaLaunchAttributeValue const* value),
               (own(stream), id, value))
MMM_OWN_STREAM(cudaStreamSynchronize, (cudaStream_t stream), (own(stream)))
MMM_OWN_STREAM(cudaStreamUpdateCaptureDependencies,
               (cudaStream_t stream, cudaGraphNode_t* after, cudaGraphEdgeData const* edges,
                std::size_t count, unsigned flags),
               (own(stream), after, edges, count, flags))
MMM_OWN_STREAM(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event_handle, unsigned flags),
               (own(stream), event_handle, flags))
MMM_OWN_STREAM(__cudaLaunchKernel,
               (cudaKernel_t kernel, abi::dim3 grid, abi::dim3 block, void** arguments,
                std::size_t shared, cudaStream_t stream),
               (kernel, grid, block, arguments, shared, own(stream)))

extern "C" cudaError_t cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const* function,
                                           void** arguments);

MMM_CUDA_API cudaError_t cudaLaunchKernelExC_ptsz(cudaLaunchConfig_t const* config,
                                                  void const* function, void** arguments) {
  if (config == nullptr) return cudaLaunchKernelExC(config, function, arguments);
  cudaLaunchConfig_t mine = *config;
  mine.stream = own(mine.stream);
  return cudaLaunchKernelExC(&mine, function, arguments);
}

}  // namespace device::runtime
