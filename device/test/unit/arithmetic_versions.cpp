// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arithmetic_checks.hpp"
#include "processors.hpp"

#include <device/execute/lane/lane_tables.hpp>

using namespace checks;

// Handlers are compiled for any processor, and for one with AVX2 and FMA: both versions must give
// the same bits. The other tests use one of them, and run once more with MMM_PROCESSOR=baseline.

namespace {

constexpr std::size_t operand_bytes = 32 * 16;
using bytes = std::vector<std::byte>;

//! Fills an operand with edge cases and random values of its size; predicates get random bits.
void fill_operand(bytes& all, std::size_t at, int size, value_source& random) {
  for (std::size_t t = 0; t < 32; ++t) {
    auto const put = [&](auto v) { std::memcpy(all.data() + at + t * sizeof v, &v, sizeof v); };
    bool const as_number = (random.bits() & 1) != 0;
    if (size == 2 && as_number)
      put(random.next<half_bits>());
    else if (size == 2)
      put(random.next<std::uint16_t>());
    else if (size == 4 && as_number)
      put(random.next<float>());
    else if (size == 4)
      put(random.next<std::uint32_t>());
    else if (as_number)
      put(random.next<double>());
    else
      put(random.next<std::uint64_t>());
  }
}

//! True if the bits are equal; a NaN of f64 may be that of either operand.
bool equal(bytes const& one, bytes const& other, bool is_f64) {
  if (one == other) return true;
  if (!is_f64) return false;
  for (std::size_t at = 0; at < one.size(); at += 8) {
    double x = 0, y = 0;
    std::memcpy(&x, one.data() + at, 8);
    std::memcpy(&y, other.data() + at, 8);
    if (std::memcmp(&x, &y, 8) != 0 && !(x != x && y != y)) return false;
  }
  return true;
}

//! Runs both versions on equal registers (d, a, b, c, and two in a list) and tells whether the
//! registers are equal afterwards.
bool agree(device::handler one, device::handler other, device::operation o, value_source& random,
           int const (&sizes)[6], bool is_f64) {
  bytes before(6 * operand_bytes);
  device::slot slots[6];
  for (std::size_t k = 0; k < 6; ++k) {
    slots[k] = static_cast<device::slot>(k * operand_bytes);
    fill_operand(before, slots[k], sizes[k], random);
  }
  o.d = slots[0];
  o.a = slots[1];
  o.b = slots[2];
  o.c = slots[3];
  o.list = slots + 4;
  o.list_size = 2;
  device::warp w;
  w.active = (random.bits() & 1) != 0 ? device::all_lanes
                                      : static_cast<device::lane_mask>(random.bits()) | 1;
  bytes first = before, second = before;
  w.base[0] = first.data();
  one(w, o);
  w.base[0] = second.data();
  other(w, o);
  return equal(first, second, is_f64);
}

//! All combinations of modifiers that a row of the instruction table allows.
std::vector<unsigned> modifiers_of(device::row const& r) {
  if (!r.general) return {0};
  std::vector<unsigned> all;
  for (unsigned f = 0; f < 32; ++f) {
    if ((f & device::rounding) != 0 && (r.allowed & device::may_direct) == 0) continue;
    if (((f & ~static_cast<unsigned>(device::rounding)) & ~static_cast<unsigned>(r.allowed)) != 0)
      continue;
    all.push_back(f);
  }
  return all;
}

void compare(device::row_list base, device::row_list fast) {
  REQUIRE(base.size == fast.size);
  value_source random(17);
  for (std::size_t k = 0; k < base.size; ++k) {
    device::row const &r = base.begin[k], &f = fast.begin[k];
    INFO(r.name);
    CHECK(std::string(r.name) == f.name);
    bool all = true;
    for (unsigned const flags : modifiers_of(r)) {
      for (int round = 0; round < 30; ++round) {
        device::operation o;
        o.immediate = r.immediate ? random.bits() & 0xff : flags;
        o.bytes = 4;  // the size that `set` uses
        o.flags = std::string_view(r.name).starts_with("set")
                      ? static_cast<std::uint8_t>(random.bits() % 4)
                      : std::uint8_t{0};
        int sizes[6] = {r.d.bytes, 0, 0, 0, r.source[3].bytes, 4};
        for (int s = 0; s < 3; ++s) sizes[s + 1] = r.source[s].bytes;
        all = all &&
              agree(r.run, f.run, o, random, sizes, std::string_view(r.name).ends_with(".f64"));
      }
    }
    CHECK(all);
  }
}

void compare(device::conversion_list base, device::conversion_list fast) {
  REQUIRE(base.size == fast.size);
  value_source random(18);
  for (std::size_t k = 0; k < base.size; ++k) {
    device::conversion const &r = base.begin[k], &f = fast.begin[k];
    INFO("to " << static_cast<int>(r.to) << " from " << static_cast<int>(r.source));
    CHECK((r.to == f.to && r.source == f.source));
    auto const is_integer = [](device::ptx::scalar s) { return s <= device::ptx::scalar::s64; };
    std::vector<unsigned> modifiers{0, device::saturate};
    if (!is_integer(r.to) || !is_integer(r.source)) {
      modifiers = {0, 1, 2, 3, 0x100, 0x200, 0x300};
      if (r.source == device::ptx::scalar::f32) modifiers.push_back(device::flush);
      if (!is_integer(r.to) && r.to == r.source) modifiers = {0, 0x400, 0x500, 0x600, 0x700};
    }
    int const to = std::max(2, device::ptx::bytes_of(r.to)),
              from = std::max(2, device::ptx::bytes_of(r.source));
    for (unsigned const flags : modifiers) {
      bool all = true;
      for (int round = 0; round < 30; ++round) {
        device::operation o;
        o.immediate = flags;
        o.bytes = static_cast<std::uint8_t>(to);
        int const sizes[6] = {to, from, 4, 4, 4, 4};
        all = all && agree(r.run, f.run, o, random, sizes, r.to == device::ptx::scalar::f64);
      }
      INFO("modifiers " << flags);
      CHECK(all);
    }
  }
}

}  // namespace

TEST_CASE("arithmetic: handlers for AVX2 agree with those for any processor") {
  SKIP_BEFORE(tool::processor::avx2);
  device::lane_tables const& base = device::tables_for(tool::processor::baseline);
  device::lane_tables const& fast = device::tables_for(tool::processor::avx2);
  CHECK(base.integer.begin != fast.integer.begin);
  compare(base.integer, fast.integer);
  compare(base.integer_bits, fast.integer_bits);
  compare(base.integer_carry, fast.integer_carry);
  compare(base.floating, fast.floating);
  compare(base.floating_general, fast.floating_general);
  compare(base.half, fast.half);
  compare(base.half_general, fast.half_general);
  compare(base.compare, fast.compare);
  compare(base.select, fast.select);
  compare(base.pack, fast.pack);
  compare(base.integer_conversions, fast.integer_conversions);
  compare(base.floating_conversions, fast.floating_conversions);
}
