// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace_writer.hpp"

#include <device/count/counter.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

namespace device::report {

namespace {

constexpr std::size_t enough = std::size_t{1} << 20;

void append_number(std::string& to, std::uint64_t n) {
  std::array<char, 24> digits;
  to.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), n).ptr);
}

}  // namespace

trace_file::trace_file(std::string path, bool begin_empty) : file_(std::move(path), begin_empty) {
  if (begin_empty) file_.append("space,op,bytes,addresses\n");
}

void trace_file::append(std::string_view rows) {
  std::scoped_lock const lock(one_at_a_time_);
  file_.append(rows);
}

void trace_writer::access(memory_access const& a) {
  if (a.active == 0 || count::is_bulk(a) || (a.where != space::shared && a.where != space::global))
    return;
  int const matrices = count::matrices_of(a);
  // 32 bytes of a lane, at a multiple of them, ask for the same sectors and lines as their first
  // 16.
  int const bytes = matrices != 0 ? 4 * matrices : std::min(a.bytes, 16);
  std::uint64_t const* address = a.address;
  std::array<std::uint64_t, lanes> separate;
  if (a.kind == access_kind::update && a.where == space::shared) {
    count::separate_words(a.address, a.active, separate.data());
    address = separate.data();
  }
  rows_ += matrices != 0 ? "ldmatrix" : a.where == space::shared ? "shared" : "global";
  rows_ += a.kind == access_kind::read ? ",load," : ",store,";
  append_number(rows_, static_cast<std::uint64_t>(bytes));
  rows_ += ',';
  int const end = lanes - std::countl_zero(a.active);
  for (int t = 0; t < end; ++t) {
    if (t > 0) rows_ += ';';
    if ((a.active >> t & 1) != 0) append_number(rows_, address[t]);
  }
  rows_ += '\n';
  if (rows_.size() >= enough) flush();
}

void trace_writer::flush() {
  to_.append(rows_);
  rows_.clear();
}

}  // namespace device::report
