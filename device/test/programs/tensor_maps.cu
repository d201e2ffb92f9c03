// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of boxes by tensor maps: loads of 1 to 3 dimensions with each swizzle, boxes that hang
// over the tensor's edges, element strides, stores, reductions; cp.reduce.async.bulk; maps that the
// driver refuses.
#include "../checked.cuh"

#include <cudaTypedefs.h>

#include <algorithm>
#include <cstring>

namespace {

using namespace checked;

PFN_cuTensorMapEncodeTiled_v12000 encoder() {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status{};
  SUCCEED(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000,
                                           cudaEnableDefault, &status));
  EXPECT(status == cudaDriverEntryPointSuccess && found != nullptr);
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(found);
}

struct map_arguments {
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_INT32;
  unsigned rank = 2;
  cuuint64_t sizes[5] = {50, 20, 3, 1, 1};
  cuuint64_t strides[4] = {208, 208 * 20, 208 * 60, 0};
  cuuint32_t box[5] = {8, 8, 1, 1, 1};
  cuuint32_t element_strides[5] = {1, 1, 1, 1, 1};
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;

  CUresult encode(CUtensorMap& to, void* tensor) const {
    static auto const function = encoder();
    return function(&to, type, rank, tensor, sizes, strides, box, element_strides, interleave,
                    swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
  }
};

__device__ unsigned shared_address(void const* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

//! Loads one box, whose bytes the block then stores.
template <int Rank>
__global__ void load(__grid_constant__ CUtensorMap const map, int x, int y, int z, int bytes,
                     int words, int* out) {
  extern __shared__ __align__(1024) int tile[];
  __shared__ alignas(8) unsigned long long full;
  for (int k = static_cast<int>(threadIdx.x); k < words; k += static_cast<int>(blockDim.x))
    tile[k] = 0;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full)));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&full)),
        "r"(bytes)
        : "memory");
    if constexpr (Rank == 1)
      asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::"
                   "bytes [%0], [%1, "
                   "{%2}], [%3];" ::"r"(shared_address(tile)),
                   "l"(&map), "r"(x), "r"(shared_address(&full))
                   : "memory");
    if constexpr (Rank == 2)
      asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                   "[%0], [%1, {%2, "
                   "%3}], [%4];" ::"r"(shared_address(tile)),
                   "l"(&map), "r"(x), "r"(y), "r"(shared_address(&full))
                   : "memory");
    if constexpr (Rank == 3)
      asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
                   "[%0], [%1, {%2, "
                   "%3, %4}], [%5];" ::"r"(shared_address(tile)),
                   "l"(&map), "r"(x), "r"(y), "r"(z), "r"(shared_address(&full))
                   : "memory");
  }
  __syncthreads();
  asm volatile(
      "{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra "
      "again;\n}" ::"r"(shared_address(&full))
      : "memory");
  for (int k = static_cast<int>(threadIdx.x); k < words; k += static_cast<int>(blockDim.x))
    out[k] = tile[k];
}

//! The place of a box's word in shared memory, in words; worked out from the manual's figures.
int place_of(CUtensorMapSwizzle s, int row, int column, int width) {
  int const span = s == CU_TENSOR_MAP_SWIZZLE_NONE  ? width
                   : s == CU_TENSOR_MAP_SWIZZLE_32B ? 8
                   : s == CU_TENSOR_MAP_SWIZZLE_64B ? 16
                                                    : 32;
  int const byte = 4 * (row * span + column);
  int const line = byte / 128;
  int mixed = byte;
  if (s == CU_TENSOR_MAP_SWIZZLE_32B) mixed ^= (line % 2) * 16;
  if (s == CU_TENSOR_MAP_SWIZZLE_64B) mixed ^= (line % 4) * 16;
  if (s == CU_TENSOR_MAP_SWIZZLE_128B) mixed ^= (line % 8) * 16;
  return mixed / 4;
}

int const* element(std::vector<int> const& tensor, map_arguments const& m, int x, int y, int z) {
  bool const inside = x >= 0 && y >= 0 && z >= 0 && x < static_cast<int>(m.sizes[0]) &&
                      y < static_cast<int>(m.sizes[1]) && z < static_cast<int>(m.sizes[2]);
  static int const nothing = 0;
  return inside ? &tensor[static_cast<std::size_t>((z * 20 + y) * 52 + x)] : &nothing;
}

template <int Rank>
void check_load(map_arguments const& m, int x, int y, int z) {
  auto const tensor = random_vector<int>(52 * 20 * 3, 11);
  device_array<int> d(tensor), out(4096);
  CUtensorMap map;
  EXPECT(m.encode(map, d.data()) == CUDA_SUCCESS);
  int const step = static_cast<int>(m.element_strides[1]);
  int const width = static_cast<int>(m.box[0]);
  int const rows = (static_cast<int>(m.box[1]) + step - 1) / step;
  int const layers = static_cast<int>(m.box[2]);
  load<Rank><<<1, 64, 16384>>>(map, x, y, z, 4 * width * rows * layers, 4096, out.data());
  WAIT();
  auto const found = out.host();
  for (int c = 0; c < layers; ++c)
    for (int b = 0; b < rows; ++b)
      for (int a = 0; a < width; ++a) {
        int const place = place_of(m.swizzle, c * rows + b, a, width);
        EXPECT_AT(a + 100 * b + 10000 * c, found[static_cast<std::size_t>(place)] ==
                                               *element(tensor, m, x + a, y + b * step, z + c));
      }
}

void check_loads() {
  map_arguments m;
  for (auto const swizzle : {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B,
                             CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B}) {
    m.swizzle = swizzle;
    check_load<2>(m, 4, 3, 0);
    check_load<2>(m, -3, -2, 0);
    check_load<2>(m, 45, 15, 0);  // over both far edges
    check_load<2>(m, 60, 0, 0);   // nothing of it inside
  }
  m.swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
  m.box[0] = 32;
  m.box[1] = 16;
  check_load<2>(m, 10, 4, 0);
  m.element_strides[1] = 3;
  check_load<2>(m, 1, 1, 0);
  map_arguments three;
  three.rank = 3;
  three.box[2] = 2;
  check_load<3>(three, 2, 18, 1);
  check_load<3>(three, 2, 0, 2);
  map_arguments one;
  one.rank = 1;
  one.box[1] = 1;
  check_load<1>(one, 47, 0, 0);
}

//! CUTLASS and Triton clear bit 21 of the second word of small tensors' maps, for drivers up to
//! 13.1: a map means the same then, also of a tensor whose address has that bit.
void check_cleared_bit() {
  constexpr std::uintptr_t bit = 1U << 21;
  auto const tensor = random_vector<int>(52 * 20, 13);
  device_array<int> d(2 * bit / sizeof(int)), out(64);
  int* at = d.data();
  while ((reinterpret_cast<std::uintptr_t>(at) & bit) == 0) at += bit / sizeof(int);
  SUCCEED(cudaMemcpy(at, tensor.data(), tensor.size() * sizeof(int), cudaMemcpyHostToDevice));
  CUtensorMap map;
  EXPECT(map_arguments{}.encode(map, at) == CUDA_SUCCESS);
  map.opaque[1] &= ~cuuint64_t{bit};
  load<2><<<1, 64, 16384>>>(map, 4, 3, 0, 256, 64, out.data());
  WAIT();
  auto const found = out.host();
  for (int k = 0; k < 64; ++k)
    EXPECT_AT(k, found[static_cast<std::size_t>(k)] ==
                     tensor[static_cast<std::size_t>((3 + k / 8) * 52 + 4 + k % 8)]);
}

//! Numbers outside of a tensor of floating-point numbers.
void check_fill() {
  map_arguments m;
  m.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  m.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  device_array<int> d(std::vector<int>(52 * 20 * 3, 5)), out(64);
  CUtensorMap map;
  EXPECT(m.encode(map, d.data()) == CUDA_SUCCESS);
  load<2><<<1, 64, 16384>>>(map, 46, 0, 0, 256, 64, out.data());
  WAIT();
  auto const found = out.host();
  for (int k = 0; k < 64; ++k) {
    float f;
    std::memcpy(&f, &found[static_cast<std::size_t>(k)], 4);
    EXPECT_AT(k, k % 8 < 4 ? found[static_cast<std::size_t>(k)] == 5 : f != f);
  }
}

//! Stores, or adds, the threads' numbers as a box.
__global__ void store(__grid_constant__ CUtensorMap const map, int x, int y, bool adds,
                      unsigned issuers) {
  __shared__ __align__(1024) int tile[64];
  tile[threadIdx.x] = static_cast<int>(threadIdx.x) + 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x >= issuers) return;
  if (adds)
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, "
                 "%2}], [%3];" ::"l"(&map),
                 "r"(x), "r"(y), "r"(shared_address(tile))
                 : "memory");
  else
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
        "r"(x), "r"(y), "r"(shared_address(tile))
        : "memory");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
}

void check_stores() {
  for (bool const adds : {false, true})
    for (int const x : {4, -3, 46}) {
      // A store that all lanes of a warp issue, as CUTLASS's epilogues do, is made once.
      unsigned const issuers = x == 4 ? 32 : 1;
      auto tensor = random_vector<int>(52 * 20 * 3, 12, 1000);
      device_array<int> d(tensor);
      map_arguments m;
      m.swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
      CUtensorMap map;
      EXPECT(m.encode(map, d.data()) == CUDA_SUCCESS);
      store<<<1, 64>>>(map, x, 17, adds, issuers);
      WAIT();
      for (int b = 0; b < 8; ++b)
        for (int a = 0; a < 8; ++a) {
          if (x + a < 0 || x + a >= 50 || 17 + b >= 20) continue;
          int& e = tensor[static_cast<std::size_t>((17 + b) * 52 + x + a)];
          e = place_of(m.swizzle, b, a, 8) + 1 + (adds ? e : 0);
        }
      SAME(d.host(), tensor);
    }
}

//! Adds shared memory to global memory, and takes minima in shared memory.
__global__ void reduce(unsigned* sums, unsigned* least) {
  __shared__ __align__(16) unsigned own[64], other[64];
  __shared__ alignas(8) unsigned long long full;
  own[threadIdx.x] = threadIdx.x + blockIdx.x;
  other[threadIdx.x] = 40;
  asm volatile("fence.proxy.async;" ::: "memory");
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full)));
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(shared_address(&full))
        : "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 256;" ::"l"(sums),
        "r"(shared_address(own))
        : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes."
                 "min.u32 [%0], "
                 "[%1], 256, [%2];" ::"r"(shared_address(other)),
                 "r"(shared_address(own)), "r"(shared_address(&full))
                 : "memory");
  }
  asm volatile(
      "{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra "
      "again;\n}" ::"r"(shared_address(&full))
      : "memory");
  least[blockIdx.x * 64 + threadIdx.x] = other[threadIdx.x];
}

void check_reductions() {
  device_array<unsigned> sums(std::vector<unsigned>(64, 3)), least(3 * 64);
  reduce<<<3, 64>>>(sums.data(), least.data());
  WAIT();
  auto const s = sums.host(), l = least.host();
  for (unsigned t = 0; t < 64; ++t) {
    EXPECT_AT(t, s[t] == 3 + 3 * t + 3);
    for (unsigned b = 0; b < 3; ++b) EXPECT_AT(t, l[b * 64 + t] == std::min(40U, t + b));
  }
}

//! Each breaks one rule of the driver's; that it is named, mmm-run's test looks at.
void check_refusals() {
  device_array<int> d(52 * 20 * 3);
  CUtensorMap map;
  auto const refused = [&](auto const& change, int offset = 0) {
    map_arguments m;
    change(m);
    EXPECT(m.encode(map, reinterpret_cast<char*>(d.data()) + offset) == CUDA_ERROR_INVALID_VALUE);
  };
  refused([](map_arguments& m) { m.rank = 6; });
  refused([](map_arguments&) {}, 8);
  refused([](map_arguments& m) { m.sizes[1] = 0; });
  refused([](map_arguments& m) { m.strides[0] = 200; });
  refused([](map_arguments& m) { m.box[1] = 257; });
  refused([](map_arguments& m) { m.box[0] = 3; });
  refused([](map_arguments& m) { m.element_strides[0] = 9; });
  refused([](map_arguments& m) {
    m.swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
    m.box[0] = 12;
  });
  refused([](map_arguments& m) { m.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA; });
}

}  // namespace

int main() {
  check_loads();
  check_cleared_bit();
  check_fill();
  check_stores();
  check_reductions();
  check_refusals();
  return finish(1500);
}
