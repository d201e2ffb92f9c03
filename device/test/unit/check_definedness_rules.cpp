// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The undefined bytes of results, compared with what an instruction computes: a byte depends on
// undefined bytes of the operands if it changes with them.
#include "catch.hpp"
#include "small_device.hpp"

#include <device/check/definedness_rules.hpp>

#include <array>
#include <cstring>
#include <random>
#include <sstream>

namespace {

using checks::small_device;
using device::check::operand_value;

struct instruction_case {
  char const* text;  //!< of three 32-bit sources, "%r1", "%r2", "%r3", or fewer, and immediates
  bool exact;        //!< the rule is exact for bytes that are wholly undefined
};

//! The instruction's opcode, modifiers and operands, as the reader of PTX gives them.
struct parsed {
  std::string text;
  device::ptx::instruction instruction{};
  std::vector<std::string> operands{};
  explicit parsed(std::string const& t) : text(t.substr(0, t.find(' '))) {
    std::string_view rest = text;
    instruction.opcode = rest.substr(0, rest.find('.'));
    rest.remove_prefix(instruction.opcode.size());
    while (!rest.empty()) {
      rest.remove_prefix(1);
      instruction.modifiers.push_back(rest.substr(0, rest.find('.')));
      rest.remove_prefix(instruction.modifiers.back().size());
    }
    std::istringstream all(t.substr(t.find(' ')));
    for (std::string o; std::getline(all, o, ',');) operands.push_back(o.substr(1));
  }
};

constexpr std::size_t lanes = 32;
using words = std::array<std::uint32_t, 3 * lanes>;

}  // namespace

TEST_CASE("undefined bytes of results are those that change with the operands") {
  auto const [text, exact] = GENERATE(
      instruction_case{"and.b32 %r1, %r2", true}, instruction_case{"and.b32 %r1, 16711935", true},
      instruction_case{"or.b32 %r1, %r2", true}, instruction_case{"or.b32 %r1, 16711935", true},
      instruction_case{"xor.b32 %r1, %r2", true}, instruction_case{"not.b32 %r1", true},
      instruction_case{"add.u32 %r1, %r2", false}, instruction_case{"sub.u32 %r1, %r2", false},
      instruction_case{"mul.lo.u32 %r1, %r2", false},
      instruction_case{"mad.lo.u32 %r1, %r2, %r3", false},
      instruction_case{"mul.hi.u32 %r1, %r2", false}, instruction_case{"min.u32 %r1, %r2", false},
      instruction_case{"add.f32 %r1, %r2", false}, instruction_case{"add.u16x2 %r1, %r2", false},
      instruction_case{"shl.b32 %r1, 0", true}, instruction_case{"shl.b32 %r1, 5", true},
      instruction_case{"shl.b32 %r1, 16", true}, instruction_case{"shl.b32 %r1, 31", true},
      instruction_case{"shl.b32 %r1, 40", true}, instruction_case{"shr.u32 %r1, 8", true},
      instruction_case{"shr.u32 %r1, 13", true}, instruction_case{"shr.s32 %r1, 13", true},
      instruction_case{"shr.s32 %r1, 50", true}, instruction_case{"shr.s32 %r1, %r2", false},
      instruction_case{"shf.l.wrap.b32 %r1, %r2, 8", true},
      instruction_case{"shf.l.clamp.b32 %r1, %r2, 32", true},
      instruction_case{"shf.r.wrap.b32 %r1, %r2, 12", true},
      instruction_case{"shf.r.clamp.b32 %r1, %r2, 45", true},
      instruction_case{"prmt.b32 %r1, %r2, 21572", true},
      instruction_case{"prmt.b32 %r1, %r2, 12816", true},
      instruction_case{"bfe.u32 %r1, 8, 8", true}, instruction_case{"bfe.u32 %r1, 4, 12", true},
      instruction_case{"bfe.s32 %r1, 8, 8", true}, instruction_case{"bfe.s32 %r1, 3, 21", false},
      instruction_case{"bfi.b32 %r1, %r2, 8, 16", true},
      instruction_case{"bfi.b32 %r1, %r2, 5, 9", true},
      instruction_case{"lop3.b32 %r1, %r2, %r3, 150", true},
      instruction_case{"lop3.b32 %r1, %r2, %r3, 202", true},
      instruction_case{"lop3.b32 %r1, %r2, 255, 192", true},
      instruction_case{"cvt.u32.u8 %r1", true}, instruction_case{"cvt.s32.s8 %r1", true},
      instruction_case{"cvt.s32.s16 %r1", true}, instruction_case{"cvt.rn.f32.u32 %r1", false});
  CAPTURE(text);
  parsed const p(text);
  auto const rule = device::check::definedness_rule_of(p.instruction);
  std::string sources;
  for (std::string const& o : p.operands) sources += ", " + o;
  small_device device(R"(
.visible .entry k(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd3, %r0, 4;
  add.s64 %rd1, %rd1, %rd3;
  add.s64 %rd2, %rd2, %rd3;
  ld.global.u32 %r1, [%rd1];
  ld.global.u32 %r2, [%rd1+128];
  ld.global.u32 %r3, [%rd1+256];
)" + p.text + " %r4" + sources +
                      R"(;
  st.global.u32 [%rd2], %r4;
  ret;
}
)");
  std::uint64_t const in =
      device.memory().allocate(sizeof(words), device::allocation_kind::device, 0);
  std::uint64_t const out = device.memory().allocate(128, device::allocation_kind::device, 0);
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    std::array<std::uint32_t, 3> fixed{}, missing{};
    for (std::size_t k = 0; k < 3; ++k) {
      std::array<std::uint32_t, 4> const values = {static_cast<std::uint32_t>(random()), 0,
                                                   0xffffffffU, 0x00ff00ffU};
      fixed[k] = values[random() % 4];
      missing[k] = random() % 3 == 0 ? 0 : random() % 16;
    }
    words w{};
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t t = 0; t < lanes; ++t) {
        std::uint32_t mask = 0;
        for (unsigned byte = 0; byte < 4; ++byte)
          if ((missing[k] >> byte & 1) != 0) mask |= 0xffU << 8 * byte;
        // Two lanes differ in all undefined bits.
        std::uint32_t const drawn = t == 0   ? 0
                                    : t == 1 ? 0xffffffffU
                                             : static_cast<std::uint32_t>(random());
        w[k * lanes + t] = (fixed[k] & ~mask) | (drawn & mask);
      }
    std::memcpy(reinterpret_cast<void*>(in), w.data(), sizeof w);
    (void)device.run("k", {1, 1, 1}, {32, 1, 1}, in, out);
    std::array<std::uint32_t, lanes> results{};
    std::memcpy(results.data(), reinterpret_cast<void const*>(out), sizeof results);
    std::uint32_t changed = 0;
    for (std::uint32_t const r : results)
      for (unsigned byte = 0; byte < 4; ++byte)
        if (((r ^ results[0]) >> 8 * byte & 0xff) != 0) changed |= 1U << byte;
    std::vector<operand_value> values;
    for (std::string const& o : p.operands) {
      operand_value v;
      v.bytes = 4;
      if (o[0] == '%') {
        auto const k = static_cast<std::size_t>(o[2] - '1');
        v.missing = missing[k];
        v.value = w[k * lanes];
      } else {
        v.value = std::stoul(o);
      }
      values.push_back(v);
    }
    std::uint32_t const undefined = device::check::undefined_result(rule, p.instruction, values, 4);
    CAPTURE(round, missing, fixed, undefined, changed);
    CHECK((changed & ~undefined) == 0);
    if (exact) CHECK(changed == undefined);
  }
}
