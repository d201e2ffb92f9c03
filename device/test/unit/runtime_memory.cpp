// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"
#include "runtime_calls.hpp"

#include <array>
#include <numeric>

using namespace runtime_test;

namespace {

std::vector<int> counted(size n) {
  std::vector<int> all(n);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

TEST_CASE("memory is counted", "[runtime]") {
  size before = 0, after = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&before, &total) == cudaSuccess);
  REQUIRE(total == size{143771} << 20U);
  void* at = nullptr;
  REQUIRE(cudaMalloc(&at, size{1} << 30U) == cudaSuccess);
  REQUIRE(cudaMemGetInfo(&after, &total) == cudaSuccess);
  REQUIRE(before - after == size{1} << 30U);
  REQUIRE(cudaFree(at) == cudaSuccess);
  REQUIRE(cudaMemGetInfo(&after, &total) == cudaSuccess);
  REQUIRE(before == after);
  REQUIRE(cudaMalloc(&at, total + 1) == cudaErrorMemoryAllocation);
  REQUIRE(cudaMalloc(&at, 0) == cudaSuccess);
  REQUIRE(at == nullptr);
  (void)cudaGetLastError();
}

TEST_CASE("what can be freed", "[runtime]") {
  void* at = nullptr;
  int own = 0;
  REQUIRE(cudaMalloc(&at, 100) == cudaSuccess);
  REQUIRE(cudaFree(static_cast<char*>(at) + 4) == cudaErrorInvalidValue);
  REQUIRE(cudaFreeHost(at) == cudaErrorInvalidValue);
  REQUIRE(cudaFree(at) == cudaSuccess);
  REQUIRE(cudaFree(at) == cudaErrorInvalidValue);
  REQUIRE(cudaFree(&own) == cudaErrorInvalidValue);
  REQUIRE(cudaFree(nullptr) == cudaSuccess);
  REQUIRE(cudaMallocHost(&at, 100) == cudaSuccess);
  REQUIRE(cudaFree(at) == cudaErrorInvalidValue);
  REQUIRE(cudaFreeHost(at) == cudaSuccess);
  (void)cudaGetLastError();
}

TEST_CASE("what pointers are", "[runtime]") {
  auto const attributes = [](void const* at) {
    cudaPointerAttributes a{};
    REQUIRE(cudaPointerGetAttributes(&a, at) == cudaSuccess);
    return a;
  };
  void *device = nullptr, *managed = nullptr, *pinned = nullptr;
  std::vector<int> own(1000);
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  REQUIRE(cudaMalloc(&device, 100) == cudaSuccess);
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 100, 1) == cudaSuccess);
  REQUIRE(cudaHostAlloc(&pinned, 100, 1) == cudaSuccess);
  cudaPointerAttributes a = attributes(static_cast<char*>(device) + 99);
  REQUIRE((a.type == cudaMemoryTypeDevice && a.device == 1 && a.hostPointer == nullptr));
  REQUIRE(a.devicePointer == static_cast<char*>(device) + 99);
  a = attributes(managed);
  REQUIRE((a.type == cudaMemoryTypeManaged && a.device == 0 && a.hostPointer == managed &&
           a.devicePointer == managed));
  a = attributes(pinned);
  REQUIRE((a.type == cudaMemoryTypeHost && a.devicePointer == pinned));
  a = attributes(own.data());
  REQUIRE((a.type == cudaMemoryTypeUnregistered && a.hostPointer == own.data() &&
           a.devicePointer == nullptr));
  unsigned flags = 0;
  REQUIRE(cudaHostGetFlags(&flags, pinned) == cudaSuccess);
  REQUIRE(flags == 3);  // portable, and mapped, as all memory is with unified addresses

  void* same = nullptr;
  REQUIRE(cudaHostGetDevicePointer(&same, own.data(), 0) == cudaErrorInvalidValue);
  REQUIRE(cudaHostRegister(own.data(), 4000, 0) == cudaSuccess);
  REQUIRE(cudaHostRegister(own.data() + 10, 40, 0) == cudaErrorHostMemoryAlreadyRegistered);
  REQUIRE(cudaHostGetDevicePointer(&same, own.data(), 0) == cudaSuccess);
  REQUIRE(same == own.data());
  REQUIRE(attributes(own.data() + 999).type == cudaMemoryTypeHost);
  REQUIRE(add(own.data(), 5, 8) == cudaSuccess);
  REQUIRE((own[7] == 5 && own[8] == 0));
  REQUIRE(cudaHostUnregister(own.data()) == cudaSuccess);
  REQUIRE(cudaHostUnregister(own.data()) == cudaErrorHostMemoryNotRegistered);
  REQUIRE(cudaFree(device) == cudaSuccess);
  REQUIRE(cudaFree(managed) == cudaSuccess);
  REQUIRE(cudaFreeHost(pinned) == cudaSuccess);
  (void)cudaGetLastError();
}

TEST_CASE("copies keep to allocations", "[runtime]") {
  device_array const a(10), b(10);
  std::vector<int> const host = counted(10);
  REQUIRE(cudaMemcpy(a.at(), host.data(), 40, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpy(b.at(), a.at(), 40, cudaMemcpyDeviceToDevice) == cudaSuccess);
  REQUIRE(b.host() == host);
  REQUIRE(cudaMemcpy(b.at() + 5, a.at(), 20, cudaMemcpyDefault) == cudaSuccess);
  REQUIRE(b.host() == std::vector{0, 1, 2, 3, 4, 0, 1, 2, 3, 4});
  // overlapping ranges
  REQUIRE(cudaMemcpy(a.at() + 1, a.at(), 36, cudaMemcpyDefault) == cudaSuccess);
  REQUIRE(a.host() == std::vector{0, 0, 1, 2, 3, 4, 5, 6, 7, 8});

  std::vector<int> large(20);
  REQUIRE(cudaMemcpy(a.at(), large.data(), 44, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  REQUIRE(cudaMemcpy(large.data(), a.at() + 1, 40, cudaMemcpyDeviceToHost) ==
          cudaErrorInvalidValue);
  REQUIRE(cudaMemcpy(large.data(), a.at() + 1, 40, cudaMemcpyDefault) == cudaErrorInvalidValue);
  REQUIRE(cudaMemcpy(large.data(), large.data() + 10, 40, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidValue);
  REQUIRE(cudaMemcpy(a.at(), large.data(), 4, static_cast<cudaMemcpyKind>(5)) ==
          cudaErrorInvalidMemcpyDirection);
  REQUIRE(cudaMemcpy(a.at(), nullptr, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  REQUIRE(cudaMemcpy(a.at(), nullptr, 0, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpyPeer(a.at(), 0, b.at(), 3, 4) == cudaErrorInvalidDevice);
  REQUIRE(cudaMemset(a.at(), 1, 41) == cudaErrorInvalidValue);
  REQUIRE(cudaMemset(large.data(), 1, 4) == cudaErrorInvalidValue);
  REQUIRE(cudaMemset(a.at(), 257, 8) == cudaSuccess);  // only the low byte counts
  REQUIRE(a.host()[1] == 0x01010101);
  (void)cudaGetLastError();
}

TEST_CASE("copies of rows and boxes", "[runtime]") {
  size pitch = 0;
  void* rows = nullptr;
  REQUIRE(cudaMallocPitch(&rows, &pitch, 20, 3) == cudaSuccess);
  REQUIRE(pitch == 512);
  std::vector<int> const host = counted(15);
  REQUIRE(cudaMemcpy2D(rows, pitch, host.data(), 20, 20, 3, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpy2D(rows, 16, host.data(), 20, 20, 3, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidPitchValue);
  REQUIRE(cudaMemcpy2D(rows, pitch, host.data(), 20, 20, 4, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidValue);
  std::vector<int> back(4, -1);  // columns 1 and 2 of rows 1 and 2
  REQUIRE(cudaMemcpy2D(back.data(), 8, static_cast<char*>(rows) + pitch + 4, pitch, 8, 2,
                       cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(back == std::vector{6, 7, 11, 12});
  REQUIRE(cudaMemset2D(static_cast<char*>(rows) + 4, pitch, 0xff, 4, 3) == cudaSuccess);
  std::vector<int> all(15);
  REQUIRE(cudaMemcpy2D(all.data(), 20, rows, pitch, 20, 3, cudaMemcpyDefault) == cudaSuccess);
  REQUIRE(all == std::vector{0, -1, 2, 3, 4, 5, -1, 7, 8, 9, 10, -1, 12, 13, 14});
  REQUIRE(cudaFree(rows) == cudaSuccess);

  cudaPitchedPtr box{};
  REQUIRE(cudaMalloc3D(&box, {12, 4, 5}) == cudaSuccess);
  REQUIRE((box.pitch == 512 && box.xsize == 12 && box.ysize == 4));
  REQUIRE(cudaMemset3D(box, 0, {12, 4, 5}) == cudaSuccess);
  std::vector<int> const source = counted(2 * 2 * 3);  // 2 x 2 x 3
  cudaMemcpy3DParms to{};
  to.srcPtr = {const_cast<int*>(source.data()), 8, 8, 2};
  to.dstPtr = box;
  to.dstPos = {4, 1, 2};
  to.extent = {8, 2, 3};
  to.kind = cudaMemcpyHostToDevice;
  REQUIRE(cudaMemcpy3D(&to) == cudaSuccess);
  std::vector<int> whole(3 * 4 * 5);
  cudaMemcpy3DParms from{};
  from.srcPtr = box;
  from.dstPtr = {whole.data(), 12, 12, 4};
  from.extent = {12, 4, 5};
  from.kind = cudaMemcpyDeviceToHost;
  REQUIRE(cudaMemcpy3D(&from) == cudaSuccess);
  for (size z = 0; z < 5; ++z)
    for (size y = 0; y < 4; ++y)
      for (size x = 0; x < 3; ++x) {
        bool const inside = x >= 1 && y >= 1 && y < 3 && z >= 2;
        int const expected = inside ? static_cast<int>(x - 1 + 2 * (y - 1) + 4 * (z - 2)) : 0;
        REQUIRE(whole[x + 3 * (y + 4 * z)] == expected);
      }
  to.dstPos = {4, 1, 3};
  REQUIRE(cudaMemcpy3D(&to) == cudaErrorInvalidValue);  // one layer too many
  REQUIRE(cudaFree(box.ptr) == cudaSuccess);
  (void)cudaGetLastError();
}

TEST_CASE("variables", "[runtime]") {
  void const* const table = program().table;
  size bytes = 0;
  int values[4] = {};
  REQUIRE(cudaGetSymbolSize(&bytes, table) == cudaSuccess);
  REQUIRE(bytes == 16);
  REQUIRE(cudaMemcpyFromSymbol(values, table, 16, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(std::vector(values, values + 4) == std::vector{1, 2, 3, 4});
  int const nine = 9;
  REQUIRE(cudaMemcpyToSymbol(table, &nine, 4, 8, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpyFromSymbol(values, table, 8, 8, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE((values[0] == 9 && values[1] == 4));
  REQUIRE(cudaMemcpyToSymbol(table, &nine, 4, 13, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  REQUIRE(cudaMemcpyToSymbol(table, &nine, 4, 0, cudaMemcpyDeviceToHost) ==
          cudaErrorInvalidMemcpyDirection);
  REQUIRE(cudaMemcpyToSymbol(&nine, &nine, 4, 0, cudaMemcpyHostToDevice) == cudaErrorInvalidSymbol);
  (void)cudaGetLastError();
}

TEST_CASE("advice for managed memory", "[runtime]") {
  void* at = nullptr;
  REQUIRE(cudaMallocManaged(&at, 1000, 1) == cudaSuccess);
  auto const attribute = [&](cudaMemRangeAttribute which) {
    int value = -7;
    REQUIRE(cudaMemRangeGetAttribute(&value, sizeof value, which, at, 1000) == cudaSuccess);
    return value;
  };
  REQUIRE(attribute(cudaMemRangeAttributeReadMostly) == 0);
  REQUIRE(attribute(cudaMemRangeAttributeLastPrefetchLocation) == -2);
  REQUIRE(cudaMemAdvise(at, 1000, cudaMemAdviseSetReadMostly, {cudaMemLocationTypeDevice, 0}) ==
          cudaSuccess);
  REQUIRE(cudaMemPrefetchAsync(at, 1000, {cudaMemLocationTypeDevice, 1}, 0, nullptr) ==
          cudaSuccess);
  REQUIRE(attribute(cudaMemRangeAttributeReadMostly) == 1);
  REQUIRE(attribute(cudaMemRangeAttributeLastPrefetchLocation) == 1);
  REQUIRE(cudaMemPrefetchAsync(at, 1000, {cudaMemLocationTypeDevice, 3}, 0, nullptr) ==
          cudaErrorInvalidDevice);
  REQUIRE(cudaMemPrefetchAsync(at, 1001, {cudaMemLocationTypeDevice, 1}, 0, nullptr) ==
          cudaErrorInvalidValue);
  REQUIRE(cudaFree(at) == cudaSuccess);
  (void)cudaGetLastError();
}

TEST_CASE("pools", "[runtime]") {
  cudaMemPool_t pool = nullptr, same = nullptr;
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 1};
  auto const figure = [&](cudaMemPoolAttr which) {
    std::uint64_t bytes = 0;
    REQUIRE(cudaMemPoolGetAttribute(pool, which, &bytes) == cudaSuccess);
    return bytes;
  };
  REQUIRE(cudaMemPoolCreate(&pool, &props) == cudaSuccess);
  REQUIRE(cudaDeviceSetMemPool(0, pool) == cudaErrorInvalidValue);  // the pool belongs to device 1
  REQUIRE(cudaDeviceSetMemPool(1, pool) == cudaSuccess);
  REQUIRE(cudaDeviceGetMemPool(&same, 1) == cudaSuccess);
  REQUIRE(same == pool);

  void *a = nullptr, *b = nullptr;
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  REQUIRE(cudaMallocAsync(&a, 1000, nullptr) == cudaSuccess);
  REQUIRE(cudaMallocFromPoolAsync(&b, 5000, pool, nullptr) == cudaSuccess);
  REQUIRE(figure(cudaMemPoolAttrUsedMemCurrent) == 6000);
  REQUIRE(figure(cudaMemPoolAttrReservedMemCurrent) >= 6000);
  REQUIRE(cudaFreeAsync(a, nullptr) == cudaSuccess);
  REQUIRE(cudaFreeAsync(a, nullptr) == cudaErrorInvalidValue);
  REQUIRE(cudaFree(b) == cudaSuccess);
  REQUIRE(figure(cudaMemPoolAttrUsedMemCurrent) == 0);
  REQUIRE(figure(cudaMemPoolAttrUsedMemHigh) == 6000);
  std::uint64_t keep = ~std::uint64_t{0}, none = 0;
  REQUIRE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(figure(cudaMemPoolAttrReservedMemCurrent) > 0);
  REQUIRE(cudaMemPoolTrimTo(pool, 0) == cudaSuccess);
  REQUIRE(figure(cudaMemPoolAttrReservedMemCurrent) == 0);
  REQUIRE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &none) == cudaSuccess);
  REQUIRE(figure(cudaMemPoolAttrUsedMemHigh) == 0);

  cudaMemAccessDesc const access{{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
  cudaMemLocation of{cudaMemLocationTypeDevice, 0};
  cudaMemAccessFlags flags{};
  REQUIRE(cudaMemPoolGetAccess(&flags, pool, &of) == cudaSuccess);
  REQUIRE(flags == cudaMemAccessFlagsProtNone);
  REQUIRE(cudaMemPoolSetAccess(pool, &access, 1) == cudaSuccess);
  REQUIRE(cudaMemPoolGetAccess(&flags, pool, &of) == cudaSuccess);
  REQUIRE(flags == cudaMemAccessFlagsProtReadWrite);

  REQUIRE(cudaMallocAsync(&a, 10, nullptr) == cudaSuccess);
  REQUIRE(cudaMemPoolDestroy(pool) == cudaSuccess);
  REQUIRE(cudaMemPoolTrimTo(pool, 0) == cudaErrorInvalidValue);
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 1) == cudaSuccess);
  REQUIRE(cudaDeviceGetMemPool(&same, 1) == cudaSuccess);
  REQUIRE(same == pool);
  REQUIRE(cudaMemPoolDestroy(pool) == cudaErrorInvalidValue);  // a default pool cannot be destroyed
  REQUIRE(cudaFreeAsync(a, nullptr) == cudaSuccess);           // memory of the destroyed pool
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  (void)cudaGetLastError();
}

TEST_CASE("a copy to an array that does not fit copies nothing", "[runtime]") {
  cudaChannelFormatDesc const channels{32, 0, 0, 0, cudaChannelFormatKindSigned};
  cudaArray_t a = nullptr;
  REQUIRE(cudaMallocArray(&a, &channels, 4, 2, 0) == cudaSuccess);
  std::vector<int> const zeros(8), ones(12, 1);
  std::vector<int> found(8);
  auto const copied = [&](size x, size y, size n) {
    return cudaMemcpyToArray(a, x, y, ones.data(), n, cudaMemcpyHostToDevice);
  };
  REQUIRE(cudaMemcpyToArray(a, 0, 0, zeros.data(), 32, cudaMemcpyHostToDevice) == cudaSuccess);
  for (auto const& [x, y, n] : {std::array<size, 3>{0, 0, 36}, {4, 0, 32}, {0, 1, 20}, {0, 0, 18}})
    REQUIRE(copied(x, y, n) == cudaErrorInvalidValue);
  REQUIRE(copied(16, 1, 0) == cudaSuccess);
  REQUIRE(cudaMemcpyFromArray(found.data(), a, 0, 0, 32, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(found == zeros);
  REQUIRE(copied(4, 0, 28) == cudaSuccess);
  REQUIRE(cudaMemcpyFromArray(found.data(), a, 0, 0, 32, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(found == std::vector<int>{0, 1, 1, 1, 1, 1, 1, 1});
  REQUIRE(cudaFreeArray(a) == cudaSuccess);
}

TEST_CASE("a mipmapped array without memory for all levels leaves none", "[runtime]") {
  cudaChannelFormatDesc const channels{32, 0, 0, 0, cudaChannelFormatKindFloat};
  size free = 0, total = 0, after = 0;
  REQUIRE(cudaMemGetInfo(&free, &total) == cudaSuccess);
  constexpr size first_level = size{1024} * 1024 * 4;
  void* rest = nullptr;
  REQUIRE(cudaMalloc(&rest, free - first_level - (size{512} << 10)) == cudaSuccess);
  REQUIRE(cudaMemGetInfo(&free, &total) == cudaSuccess);
  REQUIRE(free >= first_level);
  cudaMipmappedArray_t m = nullptr;
  REQUIRE(cudaMallocMipmappedArray(&m, &channels, {1024, 1024, 0}, 2, 0) ==
          cudaErrorMemoryAllocation);
  REQUIRE(cudaMemGetInfo(&after, &total) == cudaSuccess);
  REQUIRE(after == free);
  REQUIRE(cudaFree(rest) == cudaSuccess);
}

TEST_CASE("host memory that is registered no more does not end with its context", "[runtime]") {
  std::vector<int> memory(4096);
  void* created = nullptr;
  void* primary = nullptr;
  REQUIRE(cuInit(0) == 0);
  REQUIRE(cuDevicePrimaryCtxRetain(&primary, 0) == 0);
  REQUIRE(cuCtxCreate_v2(&created, 0, 0) == 0);
  REQUIRE(cudaHostRegister(memory.data(), memory.size() * sizeof(int), 0) == cudaSuccess);
  REQUIRE(cudaHostUnregister(memory.data()) == cudaSuccess);
  REQUIRE(cuCtxSetCurrent(primary) == 0);
  REQUIRE(cudaHostRegister(memory.data(), memory.size() * sizeof(int), 2) == cudaSuccess);
  unsigned flags = 0, after = 0;
  REQUIRE(cudaHostGetFlags(&flags, memory.data()) == cudaSuccess);
  REQUIRE(cuCtxDestroy_v2(created) == 0);
  REQUIRE(cudaHostGetFlags(&after, memory.data()) == cudaSuccess);
  REQUIRE((after == flags && flags != 0));
  REQUIRE(cudaHostUnregister(memory.data()) == cudaSuccess);
}

TEST_CASE("a device may access a peer as long as one of its contexts may", "[runtime]") {
  REQUIRE(cuInit(0) == 0);
  void* primary = nullptr;
  void* peer = nullptr;
  void* created = nullptr;
  REQUIRE(cuDevicePrimaryCtxRetain(&primary, 0) == 0);
  REQUIRE(cuDevicePrimaryCtxRetain(&peer, 1) == 0);
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  device_array const theirs(2);
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  REQUIRE(cuCtxSetCurrent(primary) == 0);
  REQUIRE(cuCtxEnablePeerAccess(peer, 0) == 0);
  REQUIRE(cuCtxCreate_v2(&created, 0, 0) == 0);
  REQUIRE(cuCtxEnablePeerAccess(peer, 0) == 0);
  REQUIRE(cuCtxDestroy_v2(created) == 0);
  REQUIRE(cuCtxSetCurrent(primary) == 0);
  REQUIRE(add(theirs.at(), 3, 2) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(theirs.host() == std::vector<int>{3, 3});
  REQUIRE(cudaDeviceDisablePeerAccess(1) == cudaSuccess);
}
