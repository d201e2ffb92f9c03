// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared array from whose address a register is computed.
#include "catch.hpp"

#include <device/decode/shared_arrays.hpp>
#include <device/ptx/module.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace ptx = device::ptx;

TEST_CASE("registers know the shared array of their address") {
  ptx::module of;
  ptx::parse(".version 9.0\n.target sm_90\n.address_size 64\n"
             ".shared .align 4 .b8 a[128];\n.shared .align 4 .b8 b[128];\n"
             ".func f() { .reg .b32 %r<16>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n"
             "mov.u32 %r0, %tid.x;\n"
             "mov.u32 %r1, a;\n"
             "mov.u32 %r2, b;\n"
             "add.s32 %r3, %r1, %r0;\n"        // in a
             "mad.lo.s32 %r4, %r0, 4, %r2;\n"  // in b
             "sub.s32 %r5, %r2, %r1;\n"        // from one to the other
             "add.s32 %r6, %r1, %r5;\n"
             "mov.u32 %r7, %r3;\n"  // a loop's pointer
             "L:\n"
             "add.s32 %r7, %r7, 4;\n"
             "setp.lt.u32 %p0, %r7, %r0;\n"
             "@%p0 bra L;\n"
             "selp.b32 %r8, %r1, %r2, %p0;\n"  // one of two
             "mov.u32 %r9, %r1;\n"
             "@%p0 mov.u32 %r9, %r2;\n"
             "ld.shared.u32 %r10, [%r3+4];\n"  // an index
             "add.s32 %r11, %r4, %r10;\n"
             "cvt.u64.u32 %rd1, %r11;\n"
             "cvta.shared.u64 %rd2, %rd1;\n"
             "ret; }\n",
             of);
  ptx::body const body = ptx::parse_body(of, of.functions.front());
  auto const found = device::decode::arrays_of_registers(body, [](ptx::operand const& o) {
    return o.name == "a" ? std::uint32_t{1} : o.name == "b" ? std::uint32_t{2} : std::uint32_t{0};
  });
  auto const array_of = [&](std::string const& name) -> std::uint32_t {
    for (std::size_t k = 0; k < body.registers.size(); ++k)
      if (std::string(body.registers[k].name) + (body.registers[k].number == ptx::none
                                                     ? ""
                                                     : std::to_string(body.registers[k].number)) ==
          name)
        return found[k];
    FAIL("no register " + name);
    return 0;
  };
  for (char const* const in_a : {"%r1", "%r3", "%r7"}) CHECK(array_of(in_a) == 1);
  for (char const* const in_b : {"%r2", "%r4", "%r11", "%rd1", "%rd2"}) CHECK(array_of(in_b) == 2);
  for (char const* const unknown : {"%r0", "%r5", "%r6", "%r8", "%r9", "%r10"})
    CHECK(array_of(unknown) == 0);
}
