// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contexts.hpp"

#include <device/runtime/tables.hpp>

// Streams, events and captures: the runtime's.
namespace device::driver {

MMM_CU_FORWARD(cuStreamCreate, cudaStreamCreateWithFlags, (cudaStream_t * out, unsigned flags),
               (out, flags))
MMM_CU_FORWARD(cuStreamCreateWithPriority, cudaStreamCreateWithPriority,
               (cudaStream_t * out, unsigned flags, int priority), (out, flags, priority))
MMM_CU_FORWARD_END(cuStreamDestroy_v2, cudaStreamDestroy, (cudaStream_t stream), (stream))
MMM_CU_FORWARD_END(cuStreamDestroy, cudaStreamDestroy, (cudaStream_t stream), (stream))
MMM_CU_FORWARD_IN_STREAM(cuStreamSynchronize, _ptsz, cudaStreamSynchronize, (cudaStream_t stream),
                         (stream))
MMM_CU_FORWARD_IN_STREAM(cuStreamQuery, _ptsz, cudaStreamQuery, (cudaStream_t stream), (stream))
MMM_CU_FORWARD_IN_STREAM(cuStreamWaitEvent, _ptsz, cudaStreamWaitEvent,
                         (cudaStream_t stream, cudaEvent_t event, unsigned flags),
                         (stream, event, flags))
MMM_CU_FORWARD_IN_STREAM(cuStreamAddCallback, _ptsz, cudaStreamAddCallback,
                         (cudaStream_t stream, cudaStreamCallback_t function, void* data,
                          unsigned flags),
                         (stream, function, data, flags))
MMM_CU_FORWARD_IN_STREAM(cuStreamAttachMemAsync, _ptsz, cudaStreamAttachMemAsync,
                         (cudaStream_t stream, void* pointer, std::size_t bytes, unsigned flags),
                         (stream, pointer, bytes, flags))
MMM_CU_FORWARD_IN_STREAM(cuStreamGetPriority, _ptsz, cudaStreamGetPriority,
                         (cudaStream_t stream, int* priority), (stream, priority))
MMM_CU_FORWARD_IN_STREAM(cuStreamGetFlags, _ptsz, cudaStreamGetFlags,
                         (cudaStream_t stream, unsigned* flags), (stream, flags))
MMM_CU_FORWARD_IN_STREAM(cuStreamGetId, _ptsz, cudaStreamGetId,
                         (cudaStream_t stream, unsigned long long* number), (stream, number))
MMM_CU_FORWARD_IN_STREAM(cuStreamGetDevice, _ptsz, cudaStreamGetDevice,
                         (cudaStream_t stream, int* device), (stream, device))
MMM_CU_FORWARD_IN_STREAM(cuStreamGetAttribute, _ptsz, cudaStreamGetAttribute,
                         (cudaStream_t stream, cudaLaunchAttributeID id,
                          cudaLaunchAttributeValue* value),
                         (stream, id, value))
MMM_CU_FORWARD_IN_STREAM(cuStreamSetAttribute, _ptsz, cudaStreamSetAttribute,
                         (cudaStream_t stream, cudaLaunchAttributeID id,
                          cudaLaunchAttributeValue const* value),
                         (stream, id, value))
MMM_CU_FORWARD_IN_STREAM(cuStreamCopyAttributes, _ptsz, cudaStreamCopyAttributes,
                         (cudaStream_t destination, cudaStream_t source), (destination, source))

MMM_CUDA_API CUresult cuStreamGetCtx(cudaStream_t handle, CUcontext* out) {
  return call([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    int const device = runtime::stream_of(p, handle).device;
    *out = driver::handle_of(device == p.current().number ? p.current() : p.of_device(device));
  });
}
MMM_CU_TWIN(cuStreamGetCtx, _ptsz, (cudaStream_t stream, CUcontext* out), (stream, out))
MMM_CUDA_API CUresult cuStreamGetCtx_v2(cudaStream_t stream, CUcontext* out, void** green) {
  if (green != nullptr) *green = nullptr;
  return cuStreamGetCtx(stream, out);
}
MMM_CU_TWIN(cuStreamGetCtx_v2, _ptsz, (cudaStream_t stream, CUcontext* out, void** green),
            (stream, out, green))

// --- captures ------------------------------------------------------------------------------------

MMM_CU_FORWARD_IN_STREAM(cuStreamBeginCapture_v2, _ptsz, cudaStreamBeginCapture,
                         (cudaStream_t stream, cudaStreamCaptureMode mode), (stream, mode))
MMM_CU_FORWARD_IN_STREAM(cuStreamBeginCaptureToGraph, _ptsz, cudaStreamBeginCaptureToGraph,
                         (cudaStream_t stream, cudaGraph_t graph, cudaGraphNode_t const* after,
                          cudaGraphEdgeData const* edges, std::size_t count,
                          cudaStreamCaptureMode mode),
                         (stream, graph, after, edges, count, mode))
MMM_CU_FORWARD_IN_STREAM(cuStreamEndCapture, _ptsz, cudaStreamEndCapture,
                         (cudaStream_t stream, cudaGraph_t* out), (stream, out))
MMM_CU_FORWARD_IN_STREAM(cuStreamIsCapturing, _ptsz, cudaStreamIsCapturing,
                         (cudaStream_t stream, cudaStreamCaptureStatus* status), (stream, status))
MMM_CU_FORWARD_IN_STREAM(cuStreamGetCaptureInfo_v3, _ptsz, cudaStreamGetCaptureInfo,
                         (cudaStream_t stream, cudaStreamCaptureStatus* status,
                          unsigned long long* number, cudaGraph_t* into,
                          cudaGraphNode_t const** after, cudaGraphEdgeData const** edges,
                          std::size_t* count),
                         (stream, status, number, into, after, edges, count))
MMM_CU_FORWARD(cuStreamGetCaptureInfo_v2, cudaStreamGetCaptureInfo,
               (cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* number,
                cudaGraph_t* into, cudaGraphNode_t const** after, std::size_t* count),
               (stream, status, number, into, after, nullptr, count))
MMM_CU_TWIN(cuStreamGetCaptureInfo_v2, _ptsz,
            (cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* number,
             cudaGraph_t* into, cudaGraphNode_t const** after, std::size_t* count),
            (stream, status, number, into, after, count))
MMM_CU_FORWARD(cuStreamGetCaptureInfo, cudaStreamGetCaptureInfo,
               (cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* number),
               (stream, status, number, nullptr, nullptr, nullptr, nullptr))
MMM_CU_TWIN(cuStreamGetCaptureInfo, _ptsz,
            (cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* number),
            (stream, status, number))
MMM_CU_FORWARD_IN_STREAM(cuStreamUpdateCaptureDependencies_v2, _ptsz,
                         cudaStreamUpdateCaptureDependencies,
                         (cudaStream_t stream, cudaGraphNode_t* after,
                          cudaGraphEdgeData const* edges, std::size_t count, unsigned flags),
                         (stream, after, edges, count, flags))
MMM_CU_FORWARD(cuStreamUpdateCaptureDependencies, cudaStreamUpdateCaptureDependencies,
               (cudaStream_t stream, cudaGraphNode_t* after, std::size_t count, unsigned flags),
               (stream, after, nullptr, count, flags))
MMM_CU_TWIN(cuStreamUpdateCaptureDependencies, _ptsz,
            (cudaStream_t stream, cudaGraphNode_t* after, std::size_t count, unsigned flags),
            (stream, after, count, flags))
MMM_CU_FORWARD(cuThreadExchangeStreamCaptureMode, cudaThreadExchangeStreamCaptureMode,
               (cudaStreamCaptureMode * mode), (mode))

// --- events --------------------------------------------------------------------------------------

MMM_CU_FORWARD(cuEventCreate, cudaEventCreateWithFlags, (cudaEvent_t * out, unsigned flags),
               (out, flags))
MMM_CU_FORWARD_END(cuEventDestroy_v2, cudaEventDestroy, (cudaEvent_t event), (event))
MMM_CU_FORWARD_END(cuEventDestroy, cudaEventDestroy, (cudaEvent_t event), (event))
MMM_CU_FORWARD_IN_STREAM(cuEventRecord, _ptsz, cudaEventRecord,
                         (cudaEvent_t event, cudaStream_t stream), (event, stream))
MMM_CU_FORWARD_IN_STREAM(cuEventRecordWithFlags, _ptsz, cudaEventRecordWithFlags,
                         (cudaEvent_t event, cudaStream_t stream, unsigned flags),
                         (event, stream, flags))
MMM_CU_FORWARD(cuEventQuery, cudaEventQuery, (cudaEvent_t event), (event))
MMM_CU_FORWARD(cuEventSynchronize, cudaEventSynchronize, (cudaEvent_t event), (event))
MMM_CU_FORWARD(cuEventElapsedTime_v2, cudaEventElapsedTime,
               (float* milliseconds, cudaEvent_t start, cudaEvent_t end),
               (milliseconds, start, end))
MMM_CU_FORWARD(cuEventElapsedTime, cudaEventElapsedTime,
               (float* milliseconds, cudaEvent_t start, cudaEvent_t end),
               (milliseconds, start, end))

}  // namespace device::driver
