// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/abi.hpp>
#include <device/runtime/abi_textures.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

//! Calls of the runtime's functions as nvcc compiles them, and kernels written in PTX. There are
//! three devices; errors that leave a device unusable are made on device 2.
namespace runtime_test {

using namespace device::abi;
using size = std::size_t;

// set before the first call, which reads it
inline int const devices_are_set = setenv("MMM_RUN_DEVICES", "3", 1);

extern "C" {
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaRegisterFunction(void**, char const*, char*, char const*, int, void*, void*, void*,
                            void*, int*);
void __cudaRegisterVar(void**, char*, char*, char const*, int, size, int, int);
unsigned __cudaPushCallConfiguration(dim3, dim3, size, cudaStream_t);
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, size*, cudaStream_t*);
cudaError_t __cudaGetKernel(cudaKernel_t*, void const*);
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size, cudaStream_t);
cudaError_t cudaLaunchKernel(void const*, dim3, dim3, void**, size, cudaStream_t);
cudaError_t cudaLaunchKernel_ptsz(void const*, dim3, dim3, void**, size, cudaStream_t);
cudaError_t cudaLaunchKernelExC(cudaLaunchConfig_t const*, void const*, void**);
cudaError_t cudaLaunchCooperativeKernel(void const*, dim3, dim3, void**, size, cudaStream_t);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void*);

char const* cudaGetErrorName(cudaError_t);
char const* cudaGetErrorString(cudaError_t);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();

cudaError_t cudaGetDeviceCount(int*);
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDevice(int*);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int);
cudaError_t cudaDeviceGetAttribute(int*, cudaDeviceAttr, int);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceSetLimit(cudaLimit, size);
cudaError_t cudaDeviceGetLimit(size*, cudaLimit);
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned);
cudaError_t cudaDeviceDisablePeerAccess(int);
cudaError_t cudaDeviceCanAccessPeer(int*, int, int);
cudaError_t cudaDeviceGetPCIBusId(char*, int, int);
cudaError_t cudaDeviceGetByPCIBusId(int*, char const*);
cudaError_t cudaGetDriverEntryPointByVersion(char const*, void**, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult*);

cudaError_t cudaMalloc(void**, size);
cudaError_t cudaFree(void*);
cudaError_t cudaMallocHost(void**, size);
cudaError_t cudaFreeHost(void*);
cudaError_t cudaHostAlloc(void**, size, unsigned);
cudaError_t cudaHostGetFlags(unsigned*, void*);
cudaError_t cudaHostGetDevicePointer(void**, void*, unsigned);
cudaError_t cudaHostRegister(void*, size, unsigned);
cudaError_t cudaHostUnregister(void*);
cudaError_t cudaMallocManaged(void**, size, unsigned);
cudaError_t cudaMallocPitch(void**, size*, size, size);
cudaError_t cudaMalloc3D(cudaPitchedPtr*, cudaExtent);
cudaError_t cudaMemGetInfo(size*, size*);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes*, void const*);
cudaError_t cudaMemcpy(void*, void const*, size, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void*, void const*, size, cudaMemcpyKind, cudaStream_t);
cudaError_t cudaMemcpyPeer(void*, int, void const*, int, size);
cudaError_t cudaMemcpy2D(void*, size, void const*, size, size, size, cudaMemcpyKind);
cudaError_t cudaMemcpy3D(cudaMemcpy3DParms const*);
cudaError_t cudaMemset(void*, int, size);
cudaError_t cudaMemsetAsync(void*, int, size, cudaStream_t);
cudaError_t cudaMemset2D(void*, size, int, size, size);
cudaError_t cudaMemset3D(cudaPitchedPtr, int, cudaExtent);
cudaError_t cudaMemcpyToSymbol(void const*, void const*, size, size, cudaMemcpyKind);
cudaError_t cudaMemcpyFromSymbol(void*, void const*, size, size, cudaMemcpyKind);
cudaError_t cudaGetSymbolSize(size*, void const*);
cudaError_t cudaMemPrefetchAsync(void const*, size, cudaMemLocation, unsigned, cudaStream_t);
cudaError_t cudaMemAdvise(void const*, size, cudaMemoryAdvise, cudaMemLocation);
cudaError_t cudaMemRangeGetAttribute(void*, size, cudaMemRangeAttribute, void const*, size);

cudaError_t cudaMallocAsync(void**, size, cudaStream_t);
cudaError_t cudaFreeAsync(void*, cudaStream_t);
cudaError_t cudaMallocFromPoolAsync(void**, size, cudaMemPool_t, cudaStream_t);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t*, int);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t*, int);
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t);
cudaError_t cudaMemPoolCreate(cudaMemPool_t*, cudaMemPoolProps const*);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, cudaMemAccessDesc const*, size);
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags*, cudaMemPool_t, cudaMemLocation*);

cudaError_t cudaStreamCreate(cudaStream_t*);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t*, unsigned, int);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned*);
cudaError_t cudaStreamGetPriority(cudaStream_t, int*);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned);
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void*, unsigned);
cudaError_t cudaEventCreate(cudaEvent_t*);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t);

cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*);
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus*);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus*, unsigned long long*,
                                     cudaGraph_t*, cudaGraphNode_t const**,
                                     cudaGraphEdgeData const**, size*);
cudaError_t cudaGraphCreate(cudaGraph_t*, unsigned);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphClone(cudaGraph_t*, cudaGraph_t);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t*, cudaGraphNode_t, cudaGraph_t);
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t*, size*);
cudaError_t cudaGraphGetEdges(cudaGraph_t, cudaGraphNode_t*, cudaGraphNode_t*, cudaGraphEdgeData*,
                              size*);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t, cudaGraphNodeType*);
cudaError_t cudaGraphAddDependencies(cudaGraph_t, cudaGraphNode_t const*, cudaGraphNode_t const*,
                                     cudaGraphEdgeData const*, size);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t*, cudaGraph_t, cudaGraphNode_t const*, size);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t*, cudaGraph_t, cudaGraphNode_t const*, size,
                                   cudaKernelNodeParams const*);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t, cudaKernelNodeParams*);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t*, cudaGraph_t, cudaGraphNode_t const*, size,
                                     void*, void const*, size, cudaMemcpyKind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t*, cudaGraph_t, cudaGraphNode_t const*, size,
                                   cudaMemsetParams const*);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t*, cudaGraph_t, cudaGraphNode_t const*, size,
                                 cudaHostNodeParams const*);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t*, cudaGraph_t, cudaGraphNode_t const*, size,
                                       cudaGraph_t);
cudaError_t cudaGraphAddNode(cudaGraphNode_t*, cudaGraph_t, cudaGraphNode_t const*,
                             cudaGraphEdgeData const*, size, cudaGraphNodeParams*);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle*, cudaGraph_t, unsigned,
                                             unsigned);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, unsigned long long);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphExecUpdateResultInfo*);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                             cudaKernelNodeParams const*);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t, cudaGraphNode_t, unsigned);
cudaError_t cudaDeviceGetGraphMemAttribute(int, cudaGraphMemAttributeType, void*);

cudaError_t cudaMallocArray(cudaArray_t*, cudaChannelFormatDesc const*, size, size, unsigned);
cudaError_t cudaFreeArray(cudaArray_t);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t*, cudaChannelFormatDesc const*,
                                     cudaExtent, unsigned, unsigned);
cudaError_t cudaMemcpyToArray(cudaArray_t, size, size, void const*, size, cudaMemcpyKind);
cudaError_t cudaMemcpyFromArray(void*, cudaArray_t, size, size, size, cudaMemcpyKind);

int cuInit(unsigned);
int cuCtxCreate_v2(void**, unsigned, int);
int cuCtxDestroy_v2(void*);
int cuCtxSetCurrent(void*);
int cuCtxEnablePeerAccess(void*, unsigned);
int cuDevicePrimaryCtxRetain(void**, int);
int cuDevicePrimaryCtxReset_v2(int);

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, void const*);
cudaError_t cudaFuncSetAttribute(void const*, cudaFuncAttribute, int);
cudaError_t cudaFuncGetName(char const**, void const*);
cudaError_t cudaFuncGetParamInfo(void const*, size, size*, size*);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, void const*, int, size);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size*, void const*, int, int);
}

//! Device code as in a program: PTX in a fat binary, with a host address for each name. It remains
//! registered.
class registered_code {
 public:
  explicit registered_code(std::string const& text) {
    std::string const ptx = ".version 9.0\n.target sm_90\n.address_size 64\n" + text;
    size const padded = (ptx.size() + 8) / 8 * 8;
    auto const put = [this](auto value) {
      char bytes[sizeof value];
      std::memcpy(bytes, &value, sizeof value);
      container_->insert(container_->end(), bytes, bytes + sizeof value);
    };
    put(std::uint32_t{0xba55ed50U});
    put(std::uint16_t{1});
    put(std::uint16_t{16});
    put(std::uint64_t{64 + padded});
    put(std::uint16_t{1});  // PTX
    put(std::uint16_t{0x101});
    put(std::uint32_t{64});
    put(std::uint64_t{padded});
    put(std::uint64_t{0});  // not compressed
    put(std::uint32_t{0x90000});
    put(std::uint32_t{90});
    for (int k = 0; k < 4; ++k) put(std::uint64_t{0});
    container_->insert(container_->end(), ptx.begin(), ptx.end());
    container_->resize(16 + 64 + padded);
    wrapper_->data = container_->data();
    handle_ = __cudaRegisterFatBinary(wrapper_);
    __cudaRegisterFatBinaryEnd(handle_);
  }

  //! The host function that represents a kernel.
  [[nodiscard]] void const* kernel(char const* name) {
    char const* const address = new char;
    __cudaRegisterFunction(handle_, address, nullptr, name, -1, nullptr, nullptr, nullptr, nullptr,
                           nullptr);
    return address;
  }
  //! The host variable that represents a device variable.
  [[nodiscard]] void const* variable(char const* name, size bytes) {
    char* const address = new char[bytes];
    __cudaRegisterVar(handle_, address, nullptr, name, 0, bytes, 0, 0);
    return address;
  }

 private:
  struct wrapper {
    std::uint32_t magic = 0x466243b1U;
    std::uint32_t version = 1;
    void const* data = nullptr;
    void* rest = nullptr;
  };
  // It lives until the program ends, as in a program compiled by nvcc.
  wrapper* wrapper_ = new wrapper;
  std::vector<char>* container_ = new std::vector<char>;
  void** handle_ = nullptr;
};

//! Kernels: `add_number` adds a number to the elements of an array, with one block of any size;
//! `set_index` writes %tid.x; `fails` writes to address 0; `bounded` is for at most 64 threads;
//! `shares` has 1024 bytes of shared memory.
struct kernels {
  registered_code code{R"(
.global .align 4 .u32 table[4] = {1, 2, 3, 4};
.visible .entry add_number(.param .u64 to, .param .u32 number) {
  .reg .b64 %rd<4>; .reg .b32 %r<4>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [number];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r3, [%rd3];
  add.u32 %r3, %r3, %r1;
  st.global.u32 [%rd3], %r3;
  ret;
}
.visible .entry fails() {
  .reg .b64 %rd<2>; .reg .b32 %r<2>;
  mov.u64 %rd1, 0;
  mov.u32 %r1, 1;
  st.global.u32 [%rd1], %r1;
  ret;
}
.visible .entry bounded() .maxntid 64, 1, 1 { ret; }
.visible .entry shares(.param .u64 to) {
  .shared .align 4 .b8 kept[1024];
  .reg .b64 %rd<2>; .reg .b32 %r<3>;
  mov.u32 %r1, 7;
  st.shared.u32 [kept], %r1;
  ld.shared.u32 %r2, [kept];
  ld.param.u64 %rd1, [to];
  st.global.u32 [%rd1], %r2;
  ret;
}
)"};
  void const* add_number = code.kernel("add_number");
  void const* fails = code.kernel("fails");
  void const* bounded = code.kernel("bounded");
  void const* shares = code.kernel("shares");
  void const* missing = code.kernel("missing");
  void const* table = code.variable("table", 16);
};
inline kernels& program() {
  static kernels& all = *new kernels;
  return all;
}

//! Launches add_number with one block.
inline cudaError_t add(int* to, int number, unsigned threads, cudaStream_t in = nullptr) {
  void* arguments[] = {&to, &number};
  return cudaLaunchKernel(program().add_number, {1, 1, 1}, {threads, 1, 1}, arguments, 0, in);
}

//! An array in device memory.
class device_array {
 public:
  explicit device_array(size n) : n_(n) {
    void* at = nullptr;
    if (cudaMalloc(&at, n * sizeof(int)) == cudaSuccess) at_ = static_cast<int*>(at);
    if (at_ != nullptr) (void)cudaMemset(at_, 0, n * sizeof(int));
  }
  ~device_array() { (void)cudaFree(at_); }
  device_array(device_array const&) = delete;
  device_array& operator=(device_array const&) = delete;
  [[nodiscard]] int* at() const { return at_; }
  [[nodiscard]] std::vector<int> host() const {
    std::vector<int> all(n_);
    (void)cudaMemcpy(all.data(), at_, n_ * sizeof(int), cudaMemcpyDeviceToHost);
    return all;
  }

 private:
  size n_;
  int* at_ = nullptr;
};

}  // namespace runtime_test
