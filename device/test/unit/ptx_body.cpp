// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PTX parser finds every instruction of a body, with its registers, variables and labels.
#include "catch.hpp"
#include "ptx_statements.hpp"

#include <device/core/failure.hpp>
#include <device/ptx/module.hpp>

#include <bit>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace device::ptx;
using kind = operand::kind_type;
using Catch::Matchers::Contains;

namespace {

//! A module with one function of that body, and the parsed body.
struct sample {
  module of;
  body read;

  explicit sample(std::string const& text, std::string const& after = {}) {
    parse(".version 9.0\n.target sm_90\n.address_size 64\n.func f() {" + text + "}\n" + after, of);
    read = parse_body(of, of.functions.front());
    CHECK(read.instructions.size() == ptx_text::count_instructions(of.functions.front().text));
  }

  [[nodiscard]] instruction const& at(std::size_t i) const { return read.instructions.at(i); }
  [[nodiscard]] operand const& at(std::size_t i, std::size_t o) const {
    return at(i).operands.at(o);
  }
  //! The name of a register: `%r` and its number.
  [[nodiscard]] std::string name(operand const& o) const {
    register_declaration const& r = read.registers.at(o.reg);
    return std::string{r.name} + (r.number == none ? "" : std::to_string(r.number));
  }
};

std::string refusal(std::string const& text) {
  try {
    sample const s{text};
  } catch (device::unsupported const& e) {
    return e.what();
  }
  return {};
}

//! The lines of a location and its callers, innermost first, with the names of the functions.
std::string chain(body const& b, std::uint32_t at) {
  std::string text;
  for (; at != none; at = b.locations[at].inlined_at)
    text += (text.empty() ? "" : " < ") + b.locations[at].function + ":" +
            std::to_string(b.locations[at].line);
  return text;
}

}  // namespace

TEST_CASE("an instruction has an opcode, modifiers, a guard, and operands") {
  sample const s{R"(
	.reg .b32 	%r<17>;
	.reg .pred 	%p<3>, q;
	.reg .b64 	%rd<4>, %SP;
	@%p1 ld.global.nc.L1::no_allocate.v2.u32 	{%r1, %r16}, [%rd3+-4];
	@!q st.shared::cta .b32 [%rd1 + 8], -1; add.s32 %r2, %r3, 0x10U;
	mov.u64 %SP, %rd0;
)"};
  REQUIRE(s.read.instructions.size() == 4);
  instruction const& load = s.at(0);
  CHECK(load.opcode == "ld");
  CHECK(load.modifiers ==
        std::vector<std::string_view>{"global", "nc", "L1::no_allocate", "v2", "u32"});
  CHECK(s.read.registers[load.guard].name == "%p");
  CHECK(s.read.registers[load.guard].number == 1);
  CHECK(s.read.registers[load.guard].type == scalar::pred);
  CHECK_FALSE(load.guard_negated);
  CHECK(load.text_line == 8);
  REQUIRE(load.operands.size() == 2);
  CHECK((load.operands[0].kind == kind::vector && !load.operands[0].pair &&
         load.operands[0].parts.size() == 2));
  CHECK(s.name(load.operands[0].parts[1]) == "%r16");
  CHECK((load.operands[1].kind == kind::memory && load.operands[1].bits == std::uint64_t{0} - 4));
  CHECK(s.name(load.operands[1]) == "%rd3");
  CHECK(s.at(1).modifiers == std::vector<std::string_view>{"shared::cta", "b32"});
  CHECK((s.at(1).guard_negated && s.read.registers[s.at(1).guard].name == "q"));
  CHECK((s.at(1, 0).bits == 8 && s.at(1, 1).bits == ~std::uint64_t{0} &&
         s.at(1, 1).kind == kind::integer));
  CHECK((s.at(2).guard == none && s.at(2, 2).bits == 16 && s.at(2).text_line == 9));
  CHECK(s.name(s.at(3, 0)) == "%SP");
}

TEST_CASE("operands are of all kinds") {
  sample const s{R"(
	.reg .b32 %r<5>; .reg .pred %p<4>; .reg .f32 %f<2>; .reg .b64 %rd<2>; .reg .v4 .b32 %v;
	.shared .align 4 .b8 buffer[64];
	mov.f32 %f1, 0f3F800000;
	mov.f64 %f1, -0dBFF0000000000000;
	mov.f32 %f1, -2.0e-1;
	mov.u32 %r1, %tid.x;
	mov.u64 %rd1, %clock64;
	mov.u32 %r1, %envreg31;
	mov.u32 %r1, %lanemask_lt;
	mov.u64 %rd1, buffer+12;
	mov.u64 %rd1, outside-4;
	setp.lt.and.s32 %p1|%p2, %r1, (1+2)*3, !%p3;
	shfl.sync.idx.b32 %r2|_, %r1, WARP_SZ, 017, 0b11;
	ld.param.b32 %r1, [param+4];
	ld.shared.b32 %r1, [buffer];
	ld.global.b32 %r1, [4096+8];
	tex.2d.v4.f32.f32 {%r1, _, %r3, 5}, [texture, {%f0, %f1}];
	cp.async.bulk.tensor.2d [%r1], [%rd1, {%r1, %r2}], [%r2];
	mov.b32 %r1, %v.z;
	mov.b32 %v, 0;
	lop3.b32 %r1, %r1, %r2, %r3, 1 << 2 | 3;
)"};
  CHECK((s.at(0, 1).kind == kind::floating && s.at(0, 1).float_bits == 32 &&
         s.at(0, 1).bits == 0x3f800000));
  CHECK((s.at(1, 1).float_bits == 64 && std::bit_cast<double>(s.at(1, 1).bits) == 1.0));
  CHECK(std::bit_cast<double>(s.at(2, 1).bits) == -0.2);
  CHECK((s.at(3, 1).kind == kind::special && s.at(3, 1).name == "tid.x"));
  CHECK(s.at(4, 1).name == "clock64");
  CHECK(s.at(5, 1).name == "envreg31");
  CHECK(s.at(6, 1).name == "lanemask_lt");
  CHECK((s.at(7, 1).kind == kind::symbol && s.at(7, 1).variable == 0 && s.at(7, 1).bits == 12));
  CHECK((s.at(8, 1).variable == none && s.at(8, 1).name == "outside" &&
         s.at(8, 1).bits == std::uint64_t{0} - 4));
  CHECK((s.at(9, 0).pair && s.at(9, 0).parts.size() == 2 && s.name(s.at(9, 0).parts[1]) == "%p2"));
  CHECK((s.at(9, 2).bits == 9 && s.at(9, 3).negated && s.name(s.at(9, 3)) == "%p3"));
  CHECK((s.at(10, 0).pair && s.at(10, 0).parts[1].kind == kind::sink));
  CHECK((s.at(10, 2).bits == 32 && s.at(10, 3).bits == 15 && s.at(10, 4).bits == 3));
  CHECK((s.at(11, 1).kind == kind::memory && s.at(11, 1).name == "param" && s.at(11, 1).bits == 4));
  CHECK((s.at(12, 1).kind == kind::memory && s.at(12, 1).variable == 0 && s.at(12, 1).reg == none));
  CHECK((s.at(13, 1).kind == kind::memory && s.at(13, 1).bits == 4104 && s.at(13, 1).name.empty()));
  CHECK((s.at(14, 0).parts[1].kind == kind::sink && s.at(14, 0).parts[3].bits == 5));
  CHECK((s.at(14, 1).name == "texture" && s.at(14, 1).parts.size() == 1));
  CHECK((s.at(15, 1).kind == kind::memory && s.at(15, 1).parts[0].parts.size() == 2));
  CHECK((s.name(s.at(16, 1)) == "%v2" && s.at(16, 1).kind == kind::reg));
  CHECK((s.at(17, 0).kind == kind::vector && s.at(17, 0).parts.size() == 4));
  CHECK(s.at(18, 4).bits == 7);
}

TEST_CASE("an index counts elements of an array") {
  sample const s{R"(
	.reg .b64 %rd<2>;
	.shared .align 16 .b8 bytes[64];
	.shared .align 16 .v2 .b32 pairs[8];
	mov.u64 %rd1, bytes[3];
	mov.u64 %rd1, pairs[(1+1)*2];
	mov.u64 %rd1, words[5];
)",
                 ".global .u32 words[8];\n"};
  CHECK((s.at(0, 1).kind == kind::symbol && s.at(0, 1).variable == 0 && s.at(0, 1).bits == 3));
  CHECK((s.at(1, 1).variable == 1 && s.at(1, 1).bits == 32));
  CHECK((s.at(2, 1).name == "words" && s.at(2, 1).bits == 20));
}

TEST_CASE("inner scopes hide outer names") {
  sample const s{R"(
	.reg .b32 %r<4>, x;
	.param .b64 param0;
	mov.b32 %r1, x;
	{ .reg .b32 %r1, x; .param .b32 param0; mov.b32 %r1, %r2; st.param.b32 [param0], x;
	  { .reg .b32 %r<3>; mov.b32 %r1, %r3; } mov.b32 %r1, 0; }
	mov.b32 %r1, x; st.param.b64 [param0], 0;
	{.reg .pred p; { .reg .b32 p; mov.b32 p, 0; } mov.pred p, 0;; }
)"};
  std::uint32_t const outer = s.at(0, 0).reg;
  std::uint32_t const outer_x = s.at(0, 1).reg;
  std::uint32_t const middle = s.at(1, 0).reg;
  CHECK(outer != middle);
  CHECK(s.name(s.at(1, 1)) == "%r2");
  CHECK(s.at(2, 0).variable == 1);
  CHECK(s.at(2, 1).reg != outer_x);
  CHECK((s.at(3, 0).reg != outer && s.at(3, 0).reg != middle));
  CHECK(s.at(3, 1).reg == outer + 2);
  CHECK(s.at(4, 0).reg == middle);
  CHECK((s.at(5, 0).reg == outer && s.at(5, 1).reg == outer_x));
  CHECK((s.at(6, 0).variable == 0 && s.read.variables[0].bytes == 8 &&
         s.read.variables[1].bytes == 4));
  CHECK(s.read.registers[s.at(8, 0).reg].type == scalar::pred);
}

TEST_CASE("names that end in digits belong to the right range") {
  sample const s{".reg .b32 %r<12>; .reg .b32 %x1<3>, p<2>; mov.b32 %r11, %x12; mov.b32 p1, %r0;"};
  CHECK(s.name(s.at(0, 0)) == "%r11");
  CHECK((s.read.registers[s.at(0, 1).reg].name == "%x1" &&
         s.read.registers[s.at(0, 1).reg].number == 2));
  CHECK(s.name(s.at(1, 0)) == "p1");
  CHECK_THAT(refusal(".reg .b32 %r<12>; mov.b32 %r12, 0;"), Contains("`%r12`"));
  CHECK_THAT(refusal(".reg .b32 %r<12>; mov.b32 %r01, 0;"), Contains("`%r01`"));
}

TEST_CASE("labels, tables, and calls") {
  sample const s{R"(
	.reg .b32 %r<4>; .reg .b64 %rd<3>; .reg .pred %p<2>;
$L_0:
	@%p1 bra.uni $L_1; bra $L_0;
	$L_table: .branchtargets
		$L_0,
		$L_1;
	brx.idx.uni 	%r1, $L_table;
$L_1: $L_2: { // callseq 0, 0
	.param .b64 param0;
	.param .align 16 .b8 param1[16];
	.param .b32 retval0;
	st.param.b64 	[param0+0], %rd1;
	call.uni (retval0),
	vprintf,
	(
	param0,
	param1
	);
	ld.param.b32 	%r1, [retval0+0];
	} // callseq 0
	prototype_3 : .callprototype (.param .align 8 .b8 _[12]) _
	    (.param .b64 _, .param .b32 _) .noreturn;
	call (%r1), %rd1, (%rd2, 7), prototype_3;
	call nothing; call nothing, (%r1); call %rd1, targets; targets: .calltargets f, g;
	ret;
)"};
  CHECK(s.read.labels ==
        std::map<std::string_view, std::uint32_t>{{"$L_0", 0}, {"$L_1", 3}, {"$L_2", 3}});
  CHECK((s.at(0, 0).kind == kind::symbol && s.at(0, 0).name == "$L_1" && s.at(0).has("uni")));
  CHECK(s.read.branch_targets.at("$L_table") == std::vector<std::string_view>{"$L_0", "$L_1"});
  CHECK(s.at(2, 1).name == "$L_table");
  instruction const& printf_call = s.at(4);
  CHECK((printf_call.call_returns.size() == 1 && printf_call.call_returns[0].variable == 2));
  CHECK((printf_call.operands.size() == 1 && printf_call.operands[0].name == "vprintf"));
  CHECK((printf_call.call_arguments.size() == 2 && printf_call.call_arguments[1].variable == 1));
  instruction const& through_pointer = s.at(6);
  CHECK((through_pointer.operands.size() == 2 && through_pointer.operands[0].kind == kind::reg));
  CHECK((through_pointer.operands[1].name == "prototype_3" &&
         through_pointer.call_arguments.size() == 2));
  body::prototype const& prototype = s.read.prototypes.at("prototype_3");
  CHECK((prototype.returns[0].bytes == 12 && prototype.parameters[1].offset == 8 &&
         prototype.noreturn));
  CHECK((s.at(7).call_arguments.empty() && s.at(8).call_arguments.size() == 1 &&
         s.at(9).operands.size() == 2));
  CHECK(s.read.call_targets.at("targets") == std::vector<std::string_view>{"f", "g"});
}

TEST_CASE("each scope has its own labels") {
  sample s{R"(
	.reg .pred p;
	{ LOOP: @p bra DONE; bra LOOP; DONE: }
	{ LOOP: @p bra DONE; { bra LOOP; } DONE: }
	bra END; LOOP: bra LOOP;
	END: ret;
)"};
  body const copy = s.read;
  s.read = body{};  // the names remain valid
  auto const target = [&](std::size_t i) {
    return copy.labels.at(copy.instructions[i].operands[0].name);
  };
  CHECK(copy.labels.size() == 6);
  CHECK((target(0) == 2 && target(1) == 0 && target(2) == 4 && target(3) == 2 && target(4) == 6 &&
         target(5) == 5));
  CHECK_THAT(refusal("L: L: ret;"), Contains("second label"));
}

TEST_CASE("instructions know their source lines and callers") {
  sample const s{R"(
	mov.b32 x, 0;
	.loc	1 4 0
	mov.b32 x, 1;
	.loc	1 10 5
	.loc	2 107 3, function_name $L__info_string0, inlined_at 1 10 5
	mov.b32 x, 2;
	.loc	2 108 1, function_name $L__info_string0+2, inlined_at 1 10 5 mov.b32 x, 3;
	.loc	1 10 5
	mov.b32 x, 4;
)",
                 ".section .debug_str { $L__info_string0: .b8 97,0,98,0 }\n"};
  CHECK(s.at(0).location == none);
  CHECK(chain(s.read, s.at(1).location) == ":4");
  CHECK(chain(s.read, s.at(2).location) == "a:107 < :10");
  CHECK(chain(s.read, s.at(3).location) == "b:108 < :10");
  CHECK(chain(s.read, s.at(4).location) == ":10");
  CHECK(s.read.locations.size() == 4);
  CHECK((s.read.locations[2].file == 2 && s.read.locations[2].column == 3));
}

TEST_CASE("inline assembly has one source line, that of its statement") {
  sample const s{R"(
	.loc	1 204 9
	// begin inline asm
	.loc	1 204 9
	mov.b32 x, 0;
	.loc	1 205 9
	mov.b32 x, 1;
	// end inline asm
	mov.b32 x, 2;
	.loc	1 207 1  // begins before a comment that begins inline assembly
	// begin inline asm
	.loc	1 208 1
	mov.b32 x, 3;
	// end inline asm
	.loc	1 209 1
	mov.b32 x, 4;
)"};
  for (std::size_t i = 0; i < 3; ++i) CHECK(chain(s.read, s.at(i).location) == ":204");
  CHECK(chain(s.read, s.at(3).location) == ":207");
  CHECK(chain(s.read, s.at(4).location) == ":209");
}

// The compiler writes the location of each inlined call once, before the first instruction inlined
// there.
TEST_CASE("a function that is inlined twice is told apart") {
  sample const s{R"(
	.loc 1 20 1
	.loc 1 10 1, function_name $f, inlined_at 1 20 1
	.loc 1 5 1, function_name $g, inlined_at 1 10 1
	mov.b32 x, 0;
	.loc 1 21 1
	.loc 1 10 1, function_name $f, inlined_at 1 21 1
	.loc 1 5 1, function_name $g, inlined_at 1 10 1
	mov.b32 x, 1;
	.loc 1 11 1, function_name $f, inlined_at 1 20 1
	mov.b32 x, 2;
	.loc 1 6 1, function_name $g, inlined_at 1 10 1
	mov.b32 x, 3;
	.loc 1 11 1, function_name $f, inlined_at 1 21 1
	.loc 1 6 1, function_name $g, inlined_at 1 10 1
	mov.b32 x, 4;
)",
                 ".section .debug_str { $f: .b8 102,0 $g: .b8 103,0 }\n"};
  CHECK(chain(s.read, s.at(0).location) == "g:5 < f:10 < :20");
  CHECK(chain(s.read, s.at(1).location) == "g:5 < f:10 < :21");
  CHECK(chain(s.read, s.at(3).location) == "g:6 < f:10 < :20");
  CHECK(chain(s.read, s.at(4).location) == "g:6 < f:10 < :21");
}

TEST_CASE("templates that call themselves are told apart") {
  sample const s{R"(
	.loc 1 30 1
	.loc 1 23 1, function_name $r2, inlined_at 1 30 1
	.loc 1 23 1, function_name $r1, inlined_at 1 23 1
	.loc 1 23 1, function_name $r1, inlined_at 1 23 1
	.loc 1 22 1, function_name $r0, inlined_at 1 23 1
	mov.b32 x, 0;
	.loc 1 22 1, function_name $r1, inlined_at 1 23 1
	mov.b32 x, 1;
)",
                 ".section .debug_str { $r0: .b8 48,0 $r1: .b8 49,0 $r2: .b8 50,0 }\n"};
  CHECK(chain(s.read, s.at(0).location) == "0:22 < 1:23 < 2:23 < :30");
  CHECK(chain(s.read, s.at(1).location) == "1:22 < 2:23 < :30");
}

TEST_CASE("a body that is not PTX is refused with its line and token") {
  CHECK_THAT(refusal("\n\nmov.b32 %q1, 0;"), Contains("PTX line 6") && Contains("`%q1`"));
  CHECK_THAT(refusal(".reg .b32 %r<2>; mov.b32 %r1, 0"), Contains("expected `;`"));
  CHECK_THAT(refusal(".reg .b32 %r<2>; mov.b32 [%r1, 0;"), Contains("`]`"));
  CHECK_THAT(refusal(".reg .b32 %r<2>; mov.b32 %r1 %r1;"), Contains("`%r1`"));
  CHECK_THAT(refusal(".reg .b32 %r<2>, %r; .reg .b64 %r;"), Contains("second declaration"));
  CHECK_THAT(refusal("@x bra L;"), Contains("`x`"));
  CHECK_THAT(refusal("mov.u32 x, %tid.q;"), Contains("`q`"));
  CHECK_THAT(refusal(".nothing x;"), Contains("unknown directive"));
  CHECK_THAT(refusal(".reg .b64 %rd; mov.u64 %rd, f[1];"), Contains("no variable"));
  CHECK_THAT(refusal(".reg .b64 %rd; .shared .b8 a[4]; mov.u64 %rd, a[1.5];"),
             Contains("an index") && Contains("`a`"));
}

// Reads files of the compiler; run only on request: `MMM_PTX_FILES="a.ptx b.ptx" … "[files]"`.
TEST_CASE("no statement of a file is lost", "[.files]") {
  char const* const names = std::getenv("MMM_PTX_FILES");
  REQUIRE(names != nullptr);
  std::istringstream list{names};
  for (std::string name; list >> name;) {
    INFO(name);
    std::ifstream file{name};
    std::stringstream text;
    text << file.rdbuf();
    module m;
    parse(text.str(), m);
    for (function const& f : m.functions) {
      if (f.is_extern) continue;
      INFO(f.name);
      CHECK(parse_body(m, f).instructions.size() == ptx_text::count_instructions(f.text));
    }
  }
}
