// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of wgmma: descriptors of common tiles, and each way to be refused. test/interop compares
// them with CuTe on thousands of layouts.
#include <mmm/tensor_cores.hpp>

namespace {

using namespace mmm::gpu;
using enum data_type;
using enum tensor_swizzle;

// [operand]
using a = wgmma_operand<f16, 64>;
constexpr auto tile = mmm::swizzled(mmm::row_major(64, 64), mmm::tma_swizzle<128, 2>{});
static_assert(assert_operand<a, bytes_128, tile>);
constexpr auto second_step = describe<a, bytes_128>(tile, 0, 16);  // 16 further along k
static_assert(second_step.start_address == 32 && second_step.stride_byte_offset == 1024);
static_assert(second_step.bits() == 0x4000004000010002);
// [/operand]
static_assert(descriptor_of(0x4000004000010002).bits() == 0x4000004000010002);
static_assert(descriptor_of(0xC00E'0003'0002'0001).bits() == 0xC00E'0003'0002'0001);
static_assert(descriptor_of(0xC00E'0003'0002'0001).swizzle == bytes_32 &&
              descriptor_of(0xC00E'0003'0002'0001).base_offset == 7 &&
              descriptor_of(0xC00E'0003'0002'0001).stride_byte_offset == 48);

// Types of 8 and 32 bits, the other swizzles, and operands along the rows.
static_assert(valid<wgmma_operand<e4m3, 64>, bytes_128>(mmm::swizzled(mmm::row_major(64, 128),
                                                                      mmm::tma_swizzle<128, 1>{}),
                                                        0, 96));
static_assert(valid<wgmma_operand<tf32, 256>, bytes_64>(mmm::swizzled(mmm::row_major(256, 16),
                                                                      mmm::tma_swizzle<64, 4>{})));
static_assert(valid<wgmma_operand<bf16, 8>, bytes_32>(mmm::swizzled(mmm::row_major(8, 16),
                                                                    mmm::tma_swizzle<32, 2>{})));
constexpr auto down = describe<wgmma_operand<f16, 64, major::mn>, none>(mmm::blocked(64, 16, 8, 8));
static_assert(down.broken.field == descriptor_field::place_of_element);

// The tile of a tensor map is an operand.
constexpr tensor_map map{.type = f16,
                         .rank = 2,
                         .sizes = {4096, 4096},
                         .strides = {8192},
                         .box = {64, 128},
                         .swizzle = bytes_128};
static_assert(assert_operand<wgmma_operand<f16, 128>, bytes_128, box_of<map>()>);

// Each way to be refused, by the field's name.
static_assert(describe<a, bytes_128>(mmm::row_major(64, 64)).broken.field ==
              descriptor_field::place_of_element);  // written without the swizzle
static_assert(describe<a, none>(tile).broken.field == descriptor_field::place_of_element);
static_assert(describe<a, bytes_64>(tile).broken.field == descriptor_field::place_of_element);
static_assert(describe<a, bytes_128>(tile, 1, 0).broken.field == descriptor_field::rows);
constexpr auto long_tile = mmm::swizzled(mmm::row_major(128, 64), mmm::tma_swizzle<128, 2>{});
static_assert(describe<a, bytes_128>(long_tile, 1, 0).broken ==
              broken_rule{descriptor_field::start_address, 0, 128,
                          accepted_values::multiples_of_the_swizzle_pattern});
static_assert(valid<a, bytes_128>(long_tile, 64, 48));
static_assert(describe<a, bytes_128>(tile, 0, 56).broken.field == descriptor_field::columns);
static_assert(describe<wgmma_operand<f16, 32, major::mn>, bytes_128>(mmm::column_major(32, 16))
                  .broken.field == descriptor_field::rows);
static_assert(describe<wgmma_operand<f16, 16>, none>(mmm::blocked(16, 16, 8, 8)).broken.field ==
              descriptor_field::none);
static_assert(describe<wgmma_operand<f16, 16>, none>(mmm::padded(16, 16, 4)).broken.field ==
              descriptor_field::place_of_element);

}  // namespace
