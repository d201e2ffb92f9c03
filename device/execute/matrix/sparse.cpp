// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/launch.hpp>
#include <device/execute/matrix/handlers.hpp>
#include <device/execute/matrix/sparse.hpp>
#include <device/execute/memory/request.hpp>

#include <string>

namespace device::matrix_detail {
namespace {

//! The four bits of metadata of a group of a row.
std::uint32_t metadata_of(std::uint32_t const* words, sparse_form const& form, int selector,
                          int row, int group) {
  int const lane = row % 8 * 4;
  int const half = row / 8;
  switch (form.groups) {
    case 4:  // one lane has both rows
      return words[lane + selector] >> 4 * (group + 4 * half) & 0xfU;
    case 8:  // each of two lanes has half of both rows
      return words[lane + 2 * selector + group / 4] >> 4 * (group % 4 + 4 * half) & 0xfU;
    default:  // each of four lanes has half of a row
      return words[lane + half + group / 8 * 2] >> 4 * (group % 8) & 0xfU;
  }
}

[[noreturn]] void refuse_metadata(warp& w, operation const& op, char const* name, int row,
                                  int first, int last, std::uint32_t bits, char const* accepted) {
  std::string binary;
  for (int k = 3; k >= 0; --k) binary += (bits >> k & 1U) != 0 ? '1' : '0';
  std::string const text = std::string(name) + ": the metadata of row " + std::to_string(row) +
                           ", columns " + std::to_string(first) + " to " + std::to_string(last) +
                           ", are 0b" + binary + "; accepted: " + accepted;
  memory_access_detail::report_descriptor(w, op, text);
  throw device_fault(device_fault::kind_type::illegal_instruction, text);
}

}  // namespace

stored_columns columns_of(warp& w, operation const& op, char const* name, sparse_form const& form,
                          slot metadata, int selector, bool ordered) {
  stored_columns columns{};
  auto const* const words = w.source<std::uint32_t>(metadata);
  for (int row = 0; row < 16; ++row) {
    std::uint8_t* next = columns[static_cast<std::size_t>(row)].data();
    for (int group = 0; group < form.groups; ++group) {
      std::uint32_t const bits = metadata_of(words, form, selector, row, group);
      int const first = group * form.group;
      auto const refuse = [&](char const* accepted) {
        refuse_metadata(w, op, name, row, first, first + form.group - 1, bits, accepted);
      };
      auto const add = [&](std::uint32_t place) {
        for (int k = 0; k < form.together; ++k)
          *next++ = static_cast<std::uint8_t>(first + static_cast<int>(place) * form.together + k);
      };
      if (form.group == 2) {
        if (bits != 0b0100U && bits != 0b1110U) refuse("0b0100 and 0b1110");
        add(bits >> 3);
        continue;
      }
      std::uint32_t const low = bits & 3U;
      std::uint32_t const high = bits >> 2;
      if (low == high) refuse("two different places");
      if (ordered && low > high) refuse("two places, the lower one in the lower bits");
      add(low);
      add(high);
    }
  }
  return columns;
}

int selector_of(ptx::operand const& o, sparse_form const& form, ptx::instruction const& i,
                decode::context& c) {
  if (o.kind != ptx::operand::kind_type::integer ||
      o.bits >= static_cast<std::uint64_t>(form.selectors()))
    c.refuse(
        i, "the sparsity selector is no number from 0 to " + std::to_string(form.selectors() - 1));
  return static_cast<int>(o.bits);
}

}  // namespace device::matrix_detail
