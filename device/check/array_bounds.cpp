// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/array_bounds.hpp>
#include <device/check/sites.hpp>
#include <device/core/demangled.hpp>

#include <bit>

namespace device::check {
namespace {

//! "2 bytes after the end of array b of 128 bytes"
std::string place_in(shared_array const& array, std::uint64_t address) {
  bool const before = address < array.begin;
  std::uint64_t const distance = before ? array.begin - address : address - array.end;
  std::string const whose = " array " + demangled(std::string(array.name)) + " of " +
                            bytes_text(array.end - array.begin) + " from which it is computed";
  if (!before && address < array.end) return "its last byte lies after the end of" + whose;
  return "it lies " + bytes_text(distance) + (before ? " before" : " after the end of") + whose;
}

void report(memory_access const& a, shared_array const& array, lane_mask outside) {
  launch const& launched = *a.of_block->of_launch;
  if (!launched.report) return;
  finding f = finding_at(a, check_kind::bounds);
  if (a.kind == access_kind::read && is_of_algorithms(f)) return;
  int const t = std::countr_zero(outside);
  f.message = "out of bounds of a shared array: " +
              std::string(a.kind == access_kind::read    ? "load"
                          : a.kind == access_kind::write ? "store"
                                                         : "atomic operation") +
              " of " + bytes_text(static_cast<std::uint64_t>(a.bytes)) + " by " +
              thread_text(launched, a.of_block->number,
                          a.of_warp->number * lanes + static_cast<std::uint32_t>(t)) +
              "\n" + address_text(launched, a.where, a.address[t]) + ": " +
              place_in(array, a.address[t]);
  launched.report(f);
}

}  // namespace

void check_array_bounds(memory_access const& a) {
  program const* const p = program_of(*a.of_warp);
  if (p == nullptr || a.owner != nullptr || a.op->index >= p->array_of.size()) return;
  std::uint32_t const number = p->array_of[a.op->index];
  if (number == 0) return;
  shared_array const& array = p->arrays[number - 1];
  auto const bytes = static_cast<std::uint64_t>(a.bytes);
  if (a.end != 0 && a.begin >= array.begin && a.end <= array.end) return;
  lane_mask outside = 0;
  for (lane_mask left = a.active; left != 0; left &= left - 1) {
    int const t = std::countr_zero(left);
    if (a.address[t] < array.begin || a.address[t] + bytes > array.end)
      outside |= lane_mask{1} << t;
  }
  if (outside != 0) report(a, array, outside);
}

}  // namespace device::check
