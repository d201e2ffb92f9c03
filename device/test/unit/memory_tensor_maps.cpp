// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor maps that kernels make: each field that tensormap.replace changes, the copy to global
// memory, and what is refused.
#include "catch.hpp"
#include "small_device.hpp"

#include <device/core/failure.hpp>
#include <device/memory/tensor_map.hpp>

#include <cstring>
#include <string>

using Catch::Matchers::Contains;
using checks::small_device;

namespace {

//! A kernel of one warp, whose first thread changes the map `m` in shared memory, of zeros before;
//! then the map is copied to global memory.
std::string making(std::string const& changes) {
  return R"(
.visible .entry k(.param .u64 out, .param .u64 tensor)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  .shared .align 128 .b8 m[128];
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [tensor];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, m;
  add.u32 %r2, %r2, %r3;
  mov.u32 %r3, 0;
  st.shared.u32 [%r2], %r3;
  bar.warp.sync -1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra COPY;
)" + changes +
         R"(
COPY:
  bar.warp.sync -1;
  tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned
      [%rd1], [m], 128;
  fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;
  ret;
})";
}

//! `.field` with operands, in shared memory.
std::string replace(std::string const& field, std::string const& operands, int bits = 32) {
  return "  tensormap.replace.tile." + field + ".shared::cta.b1024.b" + std::to_string(bits) +
         " [m], " + operands + ";\n";
}

}  // namespace

TEST_CASE("a kernel makes a tensor map field by field") {
  std::string changes = replace("global_address", "%rd2", 64) + replace("rank", "2") +
                        replace("elemtype", "6") + replace("interleave_layout", "0") +
                        replace("swizzle_mode", "3") + replace("swizzle_atomicity", "1") +
                        replace("fill_mode", "1");
  for (int d = 0; d < 3; ++d) {
    std::string const dimension = std::to_string(d) + ", ";
    changes += replace("box_dim", dimension + std::to_string(8 + d));
    changes += replace("global_dim", dimension + std::to_string(100 + d));
    changes += replace("element_stride", dimension + std::to_string(1 + d));
    if (d < 2) changes += "  mov.u64 %rd3, " + std::to_string(4096 * (d + 1)) + ";\n";
    if (d < 2) changes += replace("global_stride", dimension + "%rd3", 64);
  }
  small_device gpu(making(changes));
  auto* const map = reinterpret_cast<std::byte*>(gpu.array<std::uint64_t>(16, ~std::uint64_t{0}));
  static_cast<void>(gpu.run("k", {1, 1, 1}, {32, 1, 1}, map, std::uint64_t{0x123450}));
  auto const found = device::read_tensor_map(map);
  REQUIRE(found);
  CHECK(found->address == 0x123450);
  CHECK(found->rank == 3);
  CHECK(found->type == mmm::gpu::data_type::f16);
  CHECK(found->swizzle == mmm::gpu::tensor_swizzle::bytes_128_atom_32);
  CHECK(found->fill_with_nan);
  for (int d = 0; d < 3; ++d) {
    CHECK(found->box[d] == 8 + d);
    CHECK(found->sizes[d] == 100 + d);
    CHECK(found->element_strides[d] == 1 + d);
    if (d < 2) CHECK(found->strides[d] == 4096 * (d + 1));
  }
  CHECK(!broken_rule_of(*found));
  CHECK(gpu.findings.empty());
}

TEST_CASE("the types of tensormap.replace are numbered otherwise than the driver's") {
  using enum mmm::gpu::data_type;
  constexpr mmm::gpu::data_type types[] = {u8,  u16, u32, s32,  u64,  s64, f16,
                                           f32, f32, f64, bf16, tf32, tf32};
  for (std::size_t k = 0; k < std::size(types); ++k) {
    small_device gpu(making(replace("elemtype", std::to_string(k))));
    auto* const map = reinterpret_cast<std::byte*>(gpu.array<std::uint64_t>(16));
    static_cast<void>(gpu.run("k", {1, 1, 1}, {32, 1, 1}, map, std::uint64_t{0}));
    CHECK(device::read_tensor_map(map)->type == types[k]);
  }
}

TEST_CASE("tensor maps that cannot be") {
  auto const refusal = [](std::string const& changes) -> std::string {
    try {
      small_device gpu(making(changes));
      auto* const map = gpu.array<std::uint64_t>(16);
      static_cast<void>(gpu.run("k", {1, 1, 1}, {32, 1, 1}, map, std::uint64_t{0}));
    } catch (std::exception const& e) {
      return e.what();
    }
    return {};
  };
  CHECK_THAT(refusal(replace("elemtype", "13")), Contains("elemtype") && Contains("0 to 12"));
  CHECK_THAT(refusal(replace("swizzle_mode", "4")), Contains("swizzle_mode"));
  CHECK_THAT(refusal(replace("interleave_layout", "1")), Contains("interleaved"));
  CHECK_THAT(refusal(replace("global_stride", "4, %rd2", 64)), Contains("0 to 3"));
  CHECK_THAT(refusal(replace("size", "0, 1")), Contains(".size"));
  CHECK_THAT(refusal("tensormap.replace.tile.rank.shared::cta.b1024.b32 [m+8], 1;"),
             Contains("align"));
}
