// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry.hpp"

#include <device/runtime/launch.hpp>

namespace device::driver {

namespace {

runtime::kernel_work work_of(process& p, cudaFunction_t function, CUlaunchConfig const& c,
                             void** arguments, void** extra) {
  require(arguments == nullptr || extra == nullptr, cudaErrorInvalidValue);
  return runtime::kernel_work_of(p, function, {c.gridDimX, c.gridDimY, c.gridDimZ},
                                 {c.blockDimX, c.blockDimY, c.blockDimZ}, c.sharedMemBytes,
                                 arguments, extra);
}

}  // namespace

MMM_CUDA_API CUresult cuLaunchKernelEx(CUlaunchConfig const* config, cudaFunction_t function,
                                       void** arguments, void** extra) {
  return call([&](process& p) {
    require(config != nullptr, cudaErrorInvalidValue);
    runtime::issue_with_attributes(p, config->hStream,
                                   work_of(p, function, *config, arguments, extra), config->attrs,
                                   config->numAttrs);
  });
}

MMM_CUDA_API CUresult cuLaunchKernel(cudaFunction_t function, unsigned grid_x, unsigned grid_y,
                                     unsigned grid_z, unsigned block_x, unsigned block_y,
                                     unsigned block_z, unsigned shared, cudaStream_t stream,
                                     void** arguments, void** extra) {
  return call([&](process& p) {
    CUlaunchConfig const c{grid_x,  grid_y, grid_z, block_x, block_y,
                           block_z, shared, stream, nullptr, 0};
    runtime::issue(p, stream, work_of(p, function, c, arguments, extra));
  });
}

MMM_CUDA_API CUresult cuLaunchCooperativeKernel(cudaFunction_t function, unsigned grid_x,
                                                unsigned grid_y, unsigned grid_z, unsigned block_x,
                                                unsigned block_y, unsigned block_z, unsigned shared,
                                                cudaStream_t stream, void** arguments) {
  return call([&](process& p) {
    CUlaunchConfig const c{grid_x,  grid_y, grid_z, block_x, block_y,
                           block_z, shared, stream, nullptr, 0};
    runtime::kernel_work k = work_of(p, function, c, arguments, nullptr);
    k.cooperative = true;
    runtime::issue(p, stream, std::move(k));
  });
}

MMM_CU_TWIN(cuLaunchKernelEx, _ptsz,
            (CUlaunchConfig const* config, cudaFunction_t function, void** arguments, void** extra),
            (config, function, arguments, extra))
MMM_CU_TWIN(cuLaunchKernel, _ptsz,
            (cudaFunction_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
             unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
             cudaStream_t stream, void** arguments, void** extra),
            (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, arguments,
             extra))
MMM_CU_TWIN(cuLaunchCooperativeKernel, _ptsz,
            (cudaFunction_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
             unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
             cudaStream_t stream, void** arguments),
            (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream,
             arguments))

MMM_CU_FORWARD_IN_STREAM(cuLaunchHostFunc, _ptsz, cudaLaunchHostFunc,
                         (cudaStream_t stream, cudaHostFn_t function, void* data),
                         (stream, function, data))

}  // namespace device::driver
