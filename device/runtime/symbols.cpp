// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "symbols.hpp"

#include "modules.hpp"

namespace device::runtime {

using namespace abi;

namespace {

//! The address in a variable that bytes are copied to or from.
void* part_of(process& p, void const* symbol, std::size_t bytes, std::size_t offset) {
  symbol_place const s = symbol_of(p, symbol, p.current().number);
  require(offset <= s.bytes && bytes <= s.bytes - offset, cudaErrorInvalidValue);
  return pointer_to(s.address + offset);
}

}  // namespace

copy_work copy_to_symbol(process& p, void const* symbol, void const* source, std::size_t bytes,
                         std::size_t offset, cudaMemcpyKind kind) {
  bool const allowed = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ||
                       kind == cudaMemcpyDefault;
  require(allowed, cudaErrorInvalidMemcpyDirection);
  return copy_of(part_of(p, symbol, bytes, offset), source, bytes, kind);
}

copy_work copy_from_symbol(process& p, void* destination, void const* symbol, std::size_t bytes,
                           std::size_t offset, cudaMemcpyKind kind) {
  bool const allowed = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ||
                       kind == cudaMemcpyDefault;
  require(allowed, cudaErrorInvalidMemcpyDirection);
  return copy_of(destination, part_of(p, symbol, bytes, offset), bytes, kind);
}

MMM_CUDA_API cudaError_t cudaMemcpyToSymbol(void const* symbol, void const* source,
                                            std::size_t bytes, std::size_t offset,
                                            cudaMemcpyKind kind) {
  return api([&](process& p) {
    issue_and_wait(p, copy_to_symbol(p, symbol, source, bytes, offset, kind));
  });
}

MMM_CUDA_API cudaError_t cudaMemcpyFromSymbol(void* destination, void const* symbol,
                                              std::size_t bytes, std::size_t offset,
                                              cudaMemcpyKind kind) {
  return api([&](process& p) {
    issue_and_wait(p, copy_from_symbol(p, destination, symbol, bytes, offset, kind));
  });
}

MMM_CUDA_API cudaError_t cudaMemcpyToSymbolAsync(void const* symbol, void const* source,
                                                 std::size_t bytes, std::size_t offset,
                                                 cudaMemcpyKind kind, cudaStream_t in) {
  return api(
      [&](process& p) { issue(p, in, copy_to_symbol(p, symbol, source, bytes, offset, kind)); });
}

MMM_CUDA_API cudaError_t cudaMemcpyFromSymbolAsync(void* destination, void const* symbol,
                                                   std::size_t bytes, std::size_t offset,
                                                   cudaMemcpyKind kind, cudaStream_t in) {
  return api([&](process& p) {
    issue(p, in, copy_from_symbol(p, destination, symbol, bytes, offset, kind));
  });
}

MMM_CUDA_API cudaError_t cudaGetSymbolAddress(void** out, void const* symbol) {
  return api([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = pointer_to(symbol_of(p, symbol, p.current().number).address);
  });
}

MMM_CUDA_API cudaError_t cudaGetSymbolSize(std::size_t* out, void const* symbol) {
  return api([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = symbol_of(p, symbol, p.current().number).bytes;
  });
}

}  // namespace device::runtime
