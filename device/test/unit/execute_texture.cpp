// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"
#include "small_device.hpp"

#include <device/core/failure.hpp>

#include <cmath>
#include <functional>
#include <limits>

// Instructions on textures and surfaces that programs of CUDA C++ do not have, and errors.
// test/programs compares the others with loops.
using device::address_mode;
using device::check_kind;
using device::texel_format;
using device::texture_object;

namespace {

using number = texel_format::number_type;

//! Kernel k(object, out): one thread executes `body`, which stores results at [%rd2].
std::string kernel(std::string const& body) {
  return R"(
.visible .entry k(.param .u64 object, .param .u64 out)
{
  .reg .u64 %rd<4>;
  .reg .u32 %r<9>;
  .reg .f32 %f<9>;
  .reg .pred %p<3>;
  ld.param.u64 %rd1, [object];
  ld.param.u64 %rd2, [out];
)" + body +
         R"(
  st.global.v4.f32 [%rd2], {%f1, %f2, %f3, %f4};
  st.global.v4.u32 [%rd2+16], {%r1, %r2, %r3, %r4};
  ret;
}
)";
}

//! A texture of `width` x `height` x `depth` floats, which count from 1.
struct counted {
  explicit counted(checks::small_device& d, std::uint64_t width, std::uint64_t height = 1,
                   std::uint64_t depth = 1) {
    texels = d.array<float>(width * height * depth);
    for (std::size_t k = 0; k < width * height * depth; ++k) texels[k] = static_cast<float>(k + 1);
    object.levels = {{reinterpret_cast<std::uint64_t>(texels), width, height, depth, 4 * width,
                      4 * width * height}};
    object.dimensions = height > 1 ? 2 : 1;
    object.modes.fill(address_mode::clamp);
  }
  float* texels = nullptr;
  texture_object object{};
};

struct result {
  float f[4];
  std::uint32_t r[4];
};

result run(std::string const& body,
           std::function<std::uint64_t(checks::small_device&)> const& make) {
  checks::small_device d(kernel(body));
  auto* const out = d.array<result>(1);
  std::uint64_t const object = make(d);
  static_cast<void>(d.run("k", {}, {}, object, out));
  return *out;
}

//! The finding of an access that is a fault.
device::finding fault(std::string const& body,
                      std::function<std::uint64_t(checks::small_device&)> const& make) {
  checks::small_device d(kernel(body));
  auto* const out = d.array<result>(1);
  std::uint64_t const object = make(d);
  REQUIRE_THROWS_AS(static_cast<void>(d.run("k", {}, {}, object, out)), device::device_fault);
  REQUIRE(d.findings.size() == 1);
  return d.findings[0];
}

std::uint64_t plane(checks::small_device& d) { return d.textures.add(counted(d, 4, 3).object); }
std::uint64_t surface(checks::small_device& d) {
  texture_object o = counted(d, 4, 3).object;
  o.is_surface = true;
  return d.textures.add(o);
}

}  // namespace

TEST_CASE("textures: integer coordinates, residency, destinations that are dropped", "[texture]") {
  result const r =
      run("  mov.u32 %r1, 2;\n  mov.u32 %r2, 9;\n"
          "  tex.2d.v4.f32.s32 {%f1, _, _, %f4}|%p1, [%rd1, {%r1, %r2}];\n"
          "  selp.u32 %r3, 1, 0, %p1;\n"
          "  tex.level.2d.v4.f32.f32 {%f2, %f3, %f5, %f6}, [%rd1, {1.0, 0f3F800000}], 7.0;\n",
          plane);
  CHECK(r.f[0] == 11);  // row 9 is the last one
  CHECK(r.r[2] == 1);
  CHECK(r.f[1] == 6);
}

TEST_CASE("textures: a gather from a layer, and layers beyond the last", "[texture]") {
  auto const layers = [](checks::small_device& d) {
    texture_object o = counted(d, 4, 3, 2).object;
    o.is_layered = true;
    return d.textures.add(o);
  };
  result const r =
      run("  mov.u32 %r1, 1;\n  mov.u32 %r2, 5;\n  mov.f32 %f7, 0f3F800000;\n"
          "  tld4.r.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %f7, %f7, %f7}];\n"
          "  tex.a2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%r2, %f7, %f7, %f7}];\n"
          "  mov.b32 %r1, %f5;\n"
          "  txq.array_size.b32 %r2, [%rd1];\n  txq.height.b32 %r3, [%rd1];\n"
          "  txq.normalized_coords.b32 %r4, [%rd1];\n",
          layers);
  CHECK(r.f[0] == 12 + 5);
  CHECK(r.f[1] == 12 + 6);
  CHECK(r.f[2] == 12 + 2);
  CHECK(r.f[3] == 12 + 1);
  float f = 0;
  std::memcpy(&f, &r.r[0], 4);
  CHECK(f == 12 + 6);
  CHECK(r.r[1] == 2);
  CHECK(r.r[2] == 3);
  CHECK(r.r[3] == 0);
}

TEST_CASE("textures: values that are no numbers, and infinite ones", "[texture]") {
  // A texel of weight 0 is not read: 0 times infinity would be no number.
  auto const filtered = [](checks::small_device& d) {
    counted c(d, 3);
    c.texels[1] = std::numeric_limits<float>::infinity();
    c.object.filters = true;
    return d.textures.add(c.object);
  };
  result const r = run("  mov.f32 %f7, 0f3F000000;\n  mov.f32 %f8, 0f7FC00000;\n"
                       "  tex.1d.v4.f32.f32 {%f1, %f5, %f5, %f5}, [%rd1, {%f7}];\n"
                       "  mov.f32 %f7, 0f3F800000;\n"
                       "  tex.1d.v4.f32.f32 {%f2, %f5, %f5, %f5}, [%rd1, {%f7}];\n"
                       "  tex.1d.v4.f32.f32 {%f3, %f5, %f5, %f5}, [%rd1, {%f8}];\n",
                       filtered);
  CHECK(r.f[0] == 1);
  CHECK(std::isinf(r.f[1]));
  CHECK(r.f[2] == 1);
}

TEST_CASE("surfaces: formatted stores round and saturate", "[texture]") {
  auto const stored = [](texel_format format, std::string const& value) {
    checks::small_device d(
        kernel("  mov.u32 %r1, 1;\n  sust.p.1d.b32.trap [%rd1, {%r1}], " + value + ";\n"));
    auto* const texels = d.array<std::uint32_t>(2);
    auto* const out = d.array<result>(1);
    texture_object o;
    o.is_surface = true;
    o.format = format;
    auto const bytes = static_cast<std::uint64_t>(format.bytes());
    o.levels = {{reinterpret_cast<std::uint64_t>(texels), 2, 1, 1, 2 * bytes, 2 * bytes}};
    static_cast<void>(d.run("k", {}, {}, d.textures.add(o), out));
    std::uint32_t found = 0;
    std::memcpy(&found, reinterpret_cast<char const*>(texels) + bytes, bytes);
    return found;
  };
  CHECK(stored({number::unsigned_integer, 8, 1}, "300") == 255);
  CHECK(stored({number::signed_integer, 8, 1}, "-300") == 0x80);
  CHECK(stored({number::signed_integer, 16, 1}, "-5") == 0xfffb);
  CHECK(stored({number::unsigned_integer, 32, 1}, "-5") == 0xfffffffb);
  CHECK(stored({number::floating, 16, 1}, "0f3DCCCCCD") == 0x2e66);           // 0.1
  CHECK(stored({number::unsigned_normalized, 8, 1}, "0f3F000000") == 128);    // 127.5 to even
  CHECK(stored({number::unsigned_normalized, 8, 1}, "0fBF000000") == 0);      // -0.5
  CHECK(stored({number::signed_normalized, 8, 1}, "0fC0000000") == 0x81);     // -2
  CHECK(stored({number::signed_normalized, 16, 1}, "0f3F800000") == 0x7fff);  // 1
  CHECK(stored({number::unsigned_normalized, 16, 1}, "0f7FC00000") == 0);     // no number
}

TEST_CASE("textures and surfaces: faults", "[texture]") {
  std::string const fetch = "  mov.f32 %f7, 0f3F800000;\n"
                            "  tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f7, %f7}];\n";
  auto const says = [](device::finding const& f, check_kind check, char const* text) {
    INFO(f.message);
    CHECK(f.check == check);
    CHECK(f.message.find(text) != std::string::npos);
    CHECK(f.message.find("by thread (0, 0, 0) of block (0, 0, 0)") != std::string::npos);
  };
  says(fault(fetch, [](auto&) { return std::uint64_t{3}; }), check_kind::bounds,
       "there is no texture object of number 3");
  says(fault(fetch, surface), check_kind::bounds, "there is no texture object");
  says(fault(fetch,
             [](auto& d) {
               std::uint64_t const t = plane(d);
               CHECK_FALSE(d.textures.destroy(t, true));
               CHECK(d.textures.destroy(t, false));
               CHECK_FALSE(d.textures.destroy(t, false));
               return t;
             }),
       check_kind::free, "the texture object was destroyed");
  says(fault(fetch, [](auto& d) { return d.textures.add(counted(d, 4).object); }),
       check_kind::descriptor, "the texture object is 1D, the instruction's shape is 2D");
  auto const load = [](char const* mode, char const* x, char const* y) {
    return std::string("  mov.u32 %r1, ") + x + ";\n  mov.u32 %r2, " + y +
           ";\n  suld.b.2d.v2.b32." + mode + " {%r3, %r4}, [%rd1, {%r1, %r2}];\n";
  };
  says(fault(load("trap", "16", "0"), surface), check_kind::bounds,
       "byte 16 of a row, row 0: the surface has 4 x 3 texels of 4 bytes");
  says(fault(load("trap", "0", "-1"), surface), check_kind::bounds, "row -1");
  says(fault(load("clamp", "4", "0"), surface), check_kind::misaligned,
       "byte 4 of a row is no multiple of 8");
  // The nearest place for all 8 bytes: texels 2 and 3 of the last row.
  result const r = run(load("clamp", "800", "9"), surface);
  float f[2];
  std::memcpy(f, &r.r[2], 8);
  CHECK(f[0] == 11);
  CHECK(f[1] == 12);
  result const none = run(load("zero", "16", "0"), surface);
  CHECK(none.r[2] == 0);
  CHECK(none.r[3] == 0);
  // An array that was freed.
  says(fault(fetch,
             [](auto& d) {
               counted const c(d, 4, 3);
               CHECK(d.memory().free(reinterpret_cast<std::uint64_t>(c.texels)));
               return d.textures.add(c.object);
             }),
       check_kind::free, "which was freed");
}

TEST_CASE("textures: what is refused is named", "[texture]") {
  auto const refused = [](std::string const& instruction, char const* why) {
    checks::small_device d(kernel("  " + instruction + "\n"));
    auto* const out = d.array<result>(1);
    try {
      static_cast<void>(d.run("k", {}, {}, std::uint64_t{0}, out));
      FAIL("it is not refused");
    } catch (device::unsupported const& e) {
      INFO(e.what());
      CHECK(std::string(e.what()).find(why) != std::string::npos);
    }
  };
  refused("tex.2dms.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2, %r3, %r4}];", ".2dms");
  refused("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, %rd2, {%f1, %f2}];", "sampler");
  refused("tld4.r.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2, %f3, %f4}];", "shape");
  refused("txq.channel_order.b32 %r1, [%rd1];", ".channel_order");
  refused("sured.p.add.1d.b32.trap [%rd1, {%r1}], %r2;", "formatted");
}
