// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/product/matrix_multiply_on_tensor_cores.hpp>
#include <mmm/algorithm/product/staged_steps.hpp>
#include <mmm/algorithm/product/tensor_core_tile.hpp>
#include <mmm/algorithm/product/warpgroup_tile.hpp>
#include <mmm/algorithm/tile/tile_grid.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/kernel/kernel.hpp>
#include <mmm/execution/kernel/kernel_by_hand.cuh>
#include <mmm/execution/kernel/launch.hpp>
#include <mmm/execution/kernel/launch_limits.cuh>
#include <mmm/execution/kernel/memory.hpp>
#include <mmm/execution/kernel/tensor_maps.cuh>
#include <mmm/execution/kernel/warpgroup_instructions.cuh>

#include <cuda.h>

#include <cstddef>
#include <cstdint>

//! The kernel of a product by warpgroups: a thread copies boxes by tensor maps, stage by stage, and
//! warpgroups multiply what has arrived.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The tiles of a block, one after the other, as each_tile assigns them.
template <class Tiles, class Layout>
struct warpgroup_work {
  tile_grid<Layout::is_batched> grid;
  product_shape shape;
  index steps;  //!< of a tile

  __device__ warpgroup_work(product_shape const& sides, Layout const& layout, index depth)
      : grid(sides.rows, sides.columns, Tiles::rows, Tiles::columns, layout.count()),
        shape(sides),
        steps(ceil_divide(sides.inner, depth)) {}
  template <class Body>
  __device__ void each_place(Body const& body) const {
    for (index tile = blockIdx.x; tile < grid.count; tile += gridDim.x) body(grid.any_place(tile));
  }
};

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

//! The stages' barriers: `full` when both factors have arrived, `empty` when all warps have read
//! them. Stages are used by turns; `stage` and `parity` are those of the next step.
template <index Stages>
struct warpgroup_pipeline {
  std::uint32_t full;  //!< addresses in shared memory
  std::uint32_t empty;
  std::uint32_t stage = 0;
  std::uint32_t parity = 0;

  [[nodiscard]] __device__ transaction_barrier full_at(std::uint32_t k) const {
    return {full + 8 * k};
  }
  [[nodiscard]] __device__ transaction_barrier empty_at(std::uint32_t k) const {
    return {empty + 8 * k};
  }
  __device__ void next() {
    if (++stage < Stages) return;
    stage = 0;
    parity ^= 1;
  }
};

//! Copies all steps of all tiles of the block; by one thread.
template <class Stage, class Tiles, class Work>
__device__ void copy_stages(CUtensorMap const& a, CUtensorMap const& b, Work const& work,
                            std::uint32_t memory, warpgroup_pipeline<Tiles::stages> line) {
  work.each_place([&](auto const& place) {
    auto const copy = [&]<class Factor, bool Along>(Factor, std::bool_constant<Along>,
                                                    CUtensorMap const& map, index first, int inner,
                                                    std::uint32_t to) {
      unroll<Factor::boxes>([&](index q) {
        int const side = static_cast<int>(first + q * Factor::depth);
        auto const target = to + static_cast<std::uint32_t>(q * Factor::box_bytes);
        int const x = Along ? inner : side;
        int const y = Along ? side : inner;
        if constexpr (Stage::is_batched)
          copy_box(target, &map, line.full_at(line.stage), x, y, static_cast<int>(place.matrix));
        else
          copy_box(target, &map, line.full_at(line.stage), x, y);
      });
    };
    using left = typename Stage::left;
    using right = typename Stage::right;
    for (index step = 0; step < work.steps; ++step) {
      line.empty_at(line.stage).await(line.parity ^ 1);
      line.full_at(line.stage).arrive_expecting(static_cast<std::uint32_t>(Stage::bytes));
      auto const to = memory + line.stage * static_cast<std::uint32_t>(Stage::bytes);
      int const inner = static_cast<int>(step * Stage::depth);
      copy(left{}, std::bool_constant < left::operand::direction == gpu::major::k > {}, a,
           place.row * Tiles::rows, inner, to);
      copy(right{}, std::bool_constant < right::operand::direction == gpu::major::k > {}, b,
           place.column * Tiles::columns, inner, to + static_cast<std::uint32_t>(left::bytes));
      line.next();
    }
  });
}

//! Multiplies one tile in the registers of the warpgroups.
template <class Stage, gpu::data_type A, gpu::data_type B, class Pipeline, int N, class Sum>
__device__ void multiply_stages(Sum (&sums)[N], std::uint32_t steps, std::uint32_t memory,
                                Pipeline& line) {
  using left = typename Stage::left;
  using right = typename Stage::right;
  // The lower half of a descriptor has the address, in units of 16 bytes.
  auto const lower = [](std::uint64_t bits, std::uint32_t address) {
    return static_cast<std::uint32_t>(bits) | (address >> 4 & 0x3FFF);
  };
  auto const moved = [](std::uint64_t bits, std::uint32_t low, index bytes) {
    return (bits >> 32 << 32) | (low + static_cast<std::uint32_t>(bytes / 16));
  };
  // The same in all lanes, which the compiler cannot see.
  auto const group = __shfl_sync(0xffffffffU, threadIdx.x / 128, 0);
  auto const own = static_cast<std::uint32_t>(left::offset(64, 0)) * group;
  std::uint32_t before = line.stage;
  for (std::uint32_t step = 0; step < steps; ++step) {
    line.full_at(line.stage).await(line.parity);
    std::uint32_t const begin = memory + line.stage * static_cast<std::uint32_t>(Stage::bytes);
    auto const of_a = lower(Stage::left_descriptor, begin + own);
    auto const of_b =
        lower(Stage::right_descriptor, begin + static_cast<std::uint32_t>(left::bytes));
    hold(sums);
    begin_products();
#pragma unroll
    for (int part = 0; part < static_cast<int>(left::parts); ++part)
      multiply_tiles<A, B, left::operand::direction == gpu::major::mn,
                     right::operand::direction == gpu::major::mn>(
          sums, moved(Stage::left_descriptor, of_a, left::offset(0, part)),
          moved(Stage::right_descriptor, of_b, right::offset(0, part)),
          step > 0 || part > 0 ? 1 : 0);
    commit_products();
    hold(sums);
    await_products<1>();
    if (step > 0 && threadIdx.x % 32 == 0) line.empty_at(before).arrive();
    before = line.stage;
    line.next();
  }
  await_products<0>();
  hold(sums);
  if (threadIdx.x % 32 == 0) line.empty_at(before).arrive();
}
#endif

//! The kernel: two or three warpgroups multiply, the last one copies.
template <class Program, class Result>
__global__ void __launch_bounds__(static_cast<int>(Program::max_block_threads), 1)
    warpgroup_kernel(__grid_constant__ CUtensorMap const a, __grid_constant__ CUtensorMap const b,
                     product_shape const shape, typename Program::layout_type const layout,
                     Result const c) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  using Tiles = typename Program::tiles;
  using Layout = typename Program::layout_type;
  constexpr auto A = Program::left_type;
  constexpr auto B = Program::right_type;
  using stage = warpgroup_stage<Tiles, A, B, Layout>;
  using value = typename Result::value_type;
  extern __shared__ __align__(1024) std::byte mmm_stages[];
  __shared__ alignas(8) std::uint64_t full[Tiles::stages];
  __shared__ alignas(8) std::uint64_t empty[Tiles::stages];
  constexpr int sums_of_thread = Tiles::columns / 2;
  constexpr auto multiplying = static_cast<unsigned>(Tiles::threads);
  warpgroup_pipeline<Tiles::stages> line{shared_address(full), shared_address(empty)};
  auto const memory = shared_address(mmm_stages);
  if (threadIdx.x == 0) {
#pragma unroll
    for (unsigned k = 0; k < Tiles::stages; ++k) {
      line.full_at(k).begin(1);
      line.empty_at(k).begin(multiplying / 32);
    }
    publish_barriers();
  }
  __syncthreads();
  warpgroup_work<Tiles, Layout> const work(shape, layout, stage::depth);
  if (threadIdx.x >= multiplying) {
    leave_registers<40>();
    if (threadIdx.x == multiplying) copy_stages<stage, Tiles>(a, b, work, memory, line);
  } else {
    take_registers<Tiles::rows == 128 ? 232 : 160>();
    using tile = tensor_core_tile<typename stage::in_registers, A, B, true, Layout>;
    placed_matrices<int, int, Result, Layout> const all{{0, 0, c, shape}, layout};
    work.each_place([&](auto const& place) {
      value sums[sums_of_thread] = {};
      multiply_stages<stage, A, B>(sums, static_cast<std::uint32_t>(work.steps), memory, line);
      auto const sum = [&](index, index k) -> value& { return sums[k]; };
      index const i = threadIdx.x;
      if ((place.row + 1) * Tiles::rows <= shape.rows &&
          (place.column + 1) * Tiles::columns <= shape.columns)
        tile::template write<product_reach::nothing>(all, place, i, sum);
      else
        tile::template write<product_reach::any>(all, place, i, sum);
    });
  }
#endif
}

//! Tells by its limit of threads whether it was compiled for compute capability 9.0a: nothing else
//! tells code for 9.0, which lacks wgmma, from it.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
inline constexpr int has_warpgroups_threads = 32;
#else
inline constexpr int has_warpgroups_threads = 64;
#endif
template <class>
__global__ void __launch_bounds__(has_warpgroups_threads) has_warpgroups() {}
//! True if the current device has code with wgmma.
[[nodiscard]] inline bool has_code_for_warpgroups() {
  auto* const probe = &has_warpgroups<void>;
  return limits_of<void>(reinterpret_cast<void const*>(probe)).of_launch().block_threads == 32;
}

template <class Tiles, gpu::data_type A, gpu::data_type B, class Layout>
requires by_warpgroups<Tiles>
struct kernel_by_hand<tensor_core_product<Tiles, A, B, true, Layout>> {
  static constexpr bool exists = true;
  using program_type = tensor_core_product<Tiles, A, B, true, Layout>;

  [[nodiscard]] static bool is_compiled() { return has_code_for_warpgroups(); }
  template <class M, class Left, class Right, class Result>
  static void launch(M const& m, launch_shape const& shape, cudaStream_t stream,
                     program_type const& program, Left const& a, Right const& b,
                     product_shape const& sides, Result const& c) {
    using stage = warpgroup_stage<Tiles, A, B, Layout>;
    auto const target = kernel_target<typename Result::value_type>(c.out);
    auto* const kernel = &warpgroup_kernel<program_type, std::remove_const_t<decltype(target)>>;
    auto& limits = limits_of<program_type>(reinterpret_cast<void const*>(kernel));
    auto plan = plan_of(m, shape, program, a, b, sides, c);
    Layout const& layout = program.layout;
    if (sides.rows == 0 || sides.columns == 0 || layout.count() == 0) return;
    auto const address = [](auto const& x) { return reinterpret_cast<std::uint64_t>(x.in.first); };
    launch_kernel(kernel, limits, shape, plan, false, stream,
                  encoded(stage::left_map(layout, sides, address(a))),
                  encoded(stage::right_map(layout, sides, address(b))), sides, layout, target);
  }
};

}  // namespace mmm::detail
MMM_BODIES_END
