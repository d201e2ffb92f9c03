// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PTX parser finds the declarations outside of functions.
#include "catch.hpp"

#include <device/core/failure.hpp>
#include <device/ptx/module.hpp>

#include <cstring>
#include <map>
#include <string>
#include <vector>

using namespace device::ptx;
using Catch::Matchers::Contains;

namespace {

std::string const head = ".version 9.0\n.target sm_90a, debug\n.address_size 64\n";

void read(std::string const& text, module& into) { parse(head + text, into); }

variable const& variable_of(module const& m, std::string_view name) {
  for (variable const& v : m.variables)
    if (v.name == name) return v;
  throw std::logic_error("no such variable");
}

function const& function_of(module const& m, std::string_view name) {
  for (function const& f : m.functions)
    if (f.name == name) return f;
  throw std::logic_error("no such function");
}

//! The initial value of the only variable, as an array of numbers.
template <class T>
std::vector<T> values(std::string const& declaration) {
  module m;
  read(declaration, m);
  variable const& v = m.variables.front();
  std::vector<T> result(v.initial.size() / sizeof(T));
  std::memcpy(result.data(), v.initial.data(), result.size() * sizeof(T));
  return result;
}

std::string refusal(std::string const& text) {
  module m;
  try {
    read(text, m);
  } catch (device::unsupported const& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("types have sizes and names") {
  CHECK(scalar_of("u32") == scalar::u32);
  CHECK(scalar_of("bf16x2") == scalar::bf16x2);
  CHECK(scalar_of("pred") == scalar::pred);
  CHECK(scalar_of("e4m3x2") == scalar::other);
  CHECK(scalar_of("tf32") == scalar::other);
  CHECK(scalar_of("global") == scalar::none);
  CHECK(scalar_of("u") == scalar::none);
  CHECK(scalar_of("") == scalar::none);
  std::map<std::string, int> const sizes{
      {"b8", 1},   {"u8", 1},    {"s8", 1},     {"b16", 2}, {"u16", 2}, {"s16", 2},
      {"f16", 2},  {"bf16", 2},  {"b32", 4},    {"u32", 4}, {"s32", 4}, {"f32", 4},
      {"b64", 8},  {"f16x2", 4}, {"bf16x2", 4}, {"u64", 8}, {"s64", 8}, {"f64", 8},
      {"pred", 0}, {"b128", 16}, {"tf32", 0},   {"none", 0}};
  for (auto const& [name, bytes] : sizes) CHECK(bytes_of(scalar_of(name)) == bytes);
}

TEST_CASE("a module has a version, a target, and files") {
  module m;
  read("\t.file\t1 \"/a/b.cu\"\n.file 2 \"c.cuh\", 12345, 678\n.alias a, b;\n.pragma \"nothing\";",
       m);
  CHECK(m.version == 90);
  CHECK(m.target == "sm_90a");
  CHECK(m.debug);
  CHECK(m.files == std::map<std::uint32_t, std::string>{{1, "/a/b.cu"}, {2, "c.cuh"}});
  CHECK(m.aliases.at("a") == "b");
  CHECK_FALSE(m.functions.size() + m.variables.size());
}

TEST_CASE("functions have parameters where the hardware has them") {
  module m;
  read(R"(
.visible .entry k(
	.param .u8 p0,
	.param .u64 .ptr .global .align 16 p1,
	.param .align 16 .b8 p2[20], // a comment with ) and {
	.param .u16 p3[3]
)
.maxntid 256, 2
.minnctapersm 2
.maxnreg 64
.reqnctapercluster 2, 1, 1
.explicitcluster
.pragma "x";
{
	.pragma "not } here";
	/* nor } here */ ret; // nor } here
	{ { } }
}
.weak .func (.param .b32 r) f (.reg .b32 a, .reg .pred p) .noreturn ;
.extern .func  (.param .align 8 .b8 r[12]) g;
.func h() { ret; }
.entry e .reqntid 7 .blocksareclusters { }
)",
       m);
  REQUIRE(m.functions.size() == 5);
  function const& k = function_of(m, "k");
  CHECK(k.is_entry);
  CHECK_FALSE(k.is_extern);
  REQUIRE(k.parameters.size() == 4);
  CHECK(
      (k.parameters[0].offset == 0 && k.parameters[0].bytes == 1 && k.parameters[0].name == "p0"));
  CHECK((k.parameters[1].offset == 8 && k.parameters[1].bytes == 8 && k.parameters[1].align == 8));
  CHECK(
      (k.parameters[2].offset == 16 && k.parameters[2].bytes == 20 && k.parameters[2].align == 16));
  CHECK((k.parameters[3].offset == 36 && k.parameters[3].bytes == 6 &&
         k.parameters[3].type == scalar::u16));
  CHECK((k.max_threads[0] == 256 && k.max_threads[1] == 2 && k.max_threads[2] == 1));
  CHECK((k.min_blocks == 2 && k.max_registers == 64 && k.cluster[0] == 2 && k.explicit_cluster));
  CHECK(k.required_threads[0] == 0);
  CHECK(k.text.find("{ { } }") != std::string_view::npos);
  CHECK(k.text.find(".weak") == std::string_view::npos);
  CHECK(k.text_line == 17);
  function const& f = function_of(m, "f");
  CHECK((f.is_extern && f.is_weak && f.noreturn && f.returns.size() == 1 &&
         f.parameters.size() == 2));
  CHECK(function_of(m, "g").returns[0].bytes == 12);
  CHECK_FALSE(function_of(m, "h").is_entry);
  CHECK((function_of(m, "e").required_threads[0] == 7 && function_of(m, "e").blocks_are_clusters));
}

TEST_CASE("a definition replaces its declaration") {
  module m;
  read(".func f();\n.extern .global .u32 v;\n.func f() { ret; }\n.func f();\n.global .u32 v = 3;\n",
       m);
  REQUIRE(m.functions.size() == 1);
  CHECK_FALSE(m.functions[0].is_extern);
  CHECK(m.functions[0].text == " ret; ");
  REQUIRE(m.variables.size() == 1);
  CHECK_FALSE(m.variables[0].is_extern);
  CHECK_THAT(refusal(".func f() { }\n.func f() { }\n"), Contains("line 5") && Contains("`f`"));
}

TEST_CASE("variables have spaces, sizes, and attributes") {
  module m;
  read(R"(
.global .align 4 .u32 counter;
.const .align 4 .b8 c[16];
.extern .shared .align 16 .b8 dynamic[];
.visible .global .attribute(.managed) .align 8 .v2 .f32 pair[3], other;
.weak .const .f64 d;
.common .global .b8 m[2][3*2];
.global .align 16 .b128 wide;
)",
       m);
  CHECK(variable_of(m, "counter").bytes == 4);
  CHECK(variable_of(m, "c").space == state_space::constant);
  CHECK((variable_of(m, "c").bytes == 16 && variable_of(m, "c").elements == 16 &&
         variable_of(m, "c").align == 4));
  variable const& dynamic = variable_of(m, "dynamic");
  CHECK((dynamic.is_extern && dynamic.bytes == 0 && dynamic.elements == 0 && dynamic.align == 16));
  variable const& pair = variable_of(m, "pair");
  CHECK((pair.is_managed && pair.is_visible && pair.vector == 2 && pair.elements == 3 &&
         pair.bytes == 24));
  CHECK((variable_of(m, "other").bytes == 8 && variable_of(m, "other").is_managed));
  CHECK((variable_of(m, "d").align == 8 && variable_of(m, "d").is_weak));
  CHECK((variable_of(m, "m").bytes == 12 && variable_of(m, "m").is_weak));
  CHECK(variable_of(m, "wide").bytes == 16);
}

TEST_CASE("initial values are bytes") {
  using std::uint8_t;
  CHECK(values<uint8_t>(".global .b8 s[4] = {104, 0x69, 0};") == std::vector<uint8_t>{104, 105, 0});
  CHECK(values<std::int32_t>(".global .s32 x = -7;") == std::vector<std::int32_t>{-7});
  CHECK(values<std::int32_t>(".global .s32 x = {5};") == std::vector<std::int32_t>{5});
  CHECK(values<float>(".global .f32 f[] = {0f3F800000, 2.5, -1.0, 3, -2};") ==
        std::vector<float>{1, 2.5, -1, 3, -2});
  CHECK(values<double>(".const .f64 d[2] = {0d3FF8000000000000, 1e300};") ==
        std::vector<double>{1.5, 1e300});
  CHECK(values<std::uint16_t>(".global .u16 m[2][3] = {{1}, {2, 3}};") ==
        std::vector<std::uint16_t>{1, 0, 0, 2, 3});
  CHECK(values<std::uint32_t>(".global .v2 .u32 p[2] = {{1, 2}, {3, 4}};") ==
        std::vector<std::uint32_t>{1, 2, 3, 4});
  CHECK(
      values<std::int64_t>(
          ".global .s64 x[] = {(1+2)*3, 1 << 4 | 2, 7/-2, ~0, -(4), !3, 010, 0b101, 5 > 4 ? 8 : 9, "
          "WARP_SZ, 0xFFFFFFFFFFFFFFFF / 2, -1 >> 1, 6 % 4 - 1, 1 == 1 && 2 <= 1, (.s64)-1U / "
          "2};") == std::vector<std::int64_t>{9, 18, -3, -1, -4, 0, 8, 5, 8, 32, 0x7fffffffffffffff,
                                              -1, 1, 0, 0});
  module m;
  read(".global .u32 a[] = {1, 2, 3};", m);
  CHECK((m.variables[0].bytes == 12 && m.variables[0].elements == 3));
}

TEST_CASE("initial values are addresses") {
  module m;
  read(".global .u64 p[4] = {generic(x), 5, y+8, generic(z)-4};\n.global .u32 q = s;\n"
       ".global .u8 packed[17] = {97, 0XFF(generic(n)), 0xFF00(generic(n)), 0xFF0000(generic(n)), "
       "0xFF000000(generic(n)), 0xFF00000000(generic(n)), 0xFF0000000000(generic(n)), "
       "0xFF000000000000(generic(n)), "
       "0xFF00000000000000(generic(n)), 0xFF(f+2), 0xFF00(f+2), 0xFF0000(f+2), 0xFF000000(f+2), "
       "0xFF00000000(f+2), "
       "0xFF0000000000(f+2), 0xFF000000000000(f+2), 0xFF00000000000000(f+2)};",
       m);
  auto const& p = m.variables[0].addresses;
  REQUIRE(p.size() == 3);
  CHECK((p[0].symbol == "x" && p[0].generic && p[0].offset == 0 && p[0].width == 8 &&
         p[0].addend == 0));
  CHECK((p[1].symbol == "y" && !p[1].generic && p[1].offset == 16 && p[1].addend == 8));
  CHECK((p[2].symbol == "z" && p[2].generic && p[2].offset == 24 && p[2].addend == -4));
  CHECK(m.variables[0].initial.size() == 32);
  CHECK(m.variables[0].initial[8] == 5);
  CHECK(m.variables[1].addresses[0].width == 4);
  auto const& packed = m.variables[2].addresses;
  REQUIRE(packed.size() == 2);
  CHECK((packed[0].symbol == "n" && packed[0].generic && packed[0].offset == 1 &&
         packed[0].width == 8));
  CHECK((packed[1].symbol == "f" && !packed[1].generic && packed[1].offset == 9 &&
         packed[1].addend == 2));
  CHECK(m.variables[2].initial[0] == 97);
}

TEST_CASE("names of inlined functions are found in the debug strings") {
  module m;
  read(".section\t.debug_str\n\t{\n$L__info_string0:\n.b8 95,90\n.b8 49,0\n$L__info_string1:\n.b8 "
       "97,0,98,0\n\t}\n"
       ".section .debug_info { .b32 {, } }\n",
       m);
  CHECK(m.debug_strings ==
        std::map<std::string, std::string>{{"$L__info_string0", "_Z1"}, {"$L__info_string1", "a"}});
}

TEST_CASE("what is not PTX is refused with its line and token") {
  CHECK_THAT(refusal("\n.globl .u32 x;"), Contains("PTX line 5") && Contains("`globl`"));
  CHECK_THAT(refusal(".global .u33 x;"), Contains("line 4") && Contains("`u33`"));
  CHECK_THAT(refusal(".global .u32 x"), Contains("the end of the text"));
  CHECK_THAT(refusal(".global .u32 x[2] = {1,2,3};"), Contains("more initial values"));
  CHECK_THAT(refusal(".global .b8 x[2] = {0xFF00(y)};"), Contains("`y`"));
  CHECK_THAT(refusal(".global .b8 x[2] = {0xFF(y)};"), Contains("`y`"));
  CHECK_THAT(refusal(".global .b8 x = 18446744073709551616;"), Contains("above 64 bits"));
  CHECK_THAT(refusal(".global .b8 x = 1/0;"), Contains("divided by zero"));
  CHECK_THAT(refusal(".global .b8 x = 0f3F80;"), Contains("`0f3F80`"));
  CHECK_THAT(refusal(".func f() {"), Contains("without its `}`"));
  CHECK_THAT(refusal("/* no end"), Contains("comment"));
  CHECK_THAT(refusal(".address_size 32"), Contains("64 bits"));
  module m;
  CHECK_THROWS_AS(parse("", m), device::unsupported);
}
