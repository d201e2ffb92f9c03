// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/sites.hpp>
#include <device/decode/source_place.hpp>

#include <cstdio>
#include <optional>

namespace device::check {

void site_table::clear() {
  latest_.fill({});
  numbers_.clear();
  sites_.clear();
}

site_id site_table::number(memory_access const& a) {
  auto const [found, is_new] = numbers_.try_emplace(a.op, site_id{0});
  if (is_new && sites_.size() < 0xffffU) {
    sites_.push_back({program_of(*a.of_warp), a.op->index, a.kind});
    found->second = static_cast<site_id>(sites_.size());
  }
  return found->second;
}

program const* program_of(warp const& w) {
  return w.current == nullptr ? nullptr : w.current->code;
}

namespace {

std::string triple(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

std::string at_text(dim3 const& size, std::uint64_t n) {
  return triple(n % size.x, n / size.x % size.y, n / size.x / size.y);
}

std::string hexadecimal(std::uint64_t n) {
  char text[19];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(n));
  return text;
}

}  // namespace

bool is_of_algorithms(finding const& f) {
  if (f.path.empty()) return false;
  for (char const* const folder :
       {"/cccl/cub/", "/cccl/thrust/", "/include/cub/", "/include/thrust/"})
    if (f.path.front().file.find(folder) != std::string::npos) return true;
  return false;
}

std::string thread_text(launch const& launched, std::uint64_t block, std::uint32_t thread) {
  return "thread " + at_text(launched.block, thread) + " of block " + at_text(launched.grid, block);
}

std::string bytes_text(std::uint64_t n) {
  return std::to_string(n) + (n == 1 ? " byte" : " bytes");
}

std::string address_text(launch const& launched, space where, std::uint64_t address) {
  if (where == space::shared) return "shared memory at offset " + hexadecimal(address);
  if (where == space::local) return "local memory at offset " + hexadecimal(address);
  std::string text = "global memory at " + hexadecimal(address);
  if (launched.memory == nullptr) return text;
  std::optional<allocation> const a = launched.memory->find(address);
  if (!a || address < a->begin || address >= a->begin + a->bytes) return text;
  return text + ", byte " + std::to_string(address - a->begin) + " of " +
         (a->name.empty() ? "an allocation" : "variable " + a->name) + " of " +
         bytes_text(a->bytes);
}

finding finding_at(memory_access const& a, check_kind kind) {
  launch const& launched = *a.of_block->of_launch;
  finding f;
  f.check = kind;
  f.kernel = launched.kernel == nullptr ? "" : launched.kernel->demangled;
  f.launch = launched.number;
  decode::set_place(f, program_of(*a.of_warp), a.op->index);
  return f;
}

}  // namespace device::check
