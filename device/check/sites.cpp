// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/sites.hpp>

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

ptx::location const* location_at(program const* code, std::uint32_t operation) {
  if (code == nullptr || operation >= code->location_of.size()) return nullptr;
  std::uint32_t const number = code->location_of[operation];
  return number == ptx::none ? nullptr : &code->body.locations[number];
}

std::string file_of(program const& code, ptx::location const& location) {
  if (code.source_module == nullptr) return {};
  auto const file = code.source_module->files.find(location.file);
  return file == code.source_module->files.end() ? std::string() : file->second;
}

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

void set_place(finding& f, program const* code, std::uint32_t operation) {
  ptx::location const* const location = location_at(code, operation);
  if (location == nullptr) return;
  f.file = file_of(*code, *location);
  f.line = location->line;
}

bool is_of_library(finding const& f) {
  for (char const* const folder :
       {"/cccl/cub/", "/cccl/thrust/", "/include/cub/", "/include/thrust/"})
    if (f.file.find(folder) != std::string::npos) return true;
  return false;
}

std::string place_text(program const* code, std::uint32_t operation) {
  if (ptx::location const* const location = location_at(code, operation))
    return file_of(*code, *location) + ":" + std::to_string(location->line);
  if (code == nullptr || operation >= code->text_line_of.size()) return "an unknown line";
  return "line " + std::to_string(code->text_line_of[operation]) + " of the PTX";
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
  set_place(f, program_of(*a.of_warp), a.op->index);
  return f;
}

}  // namespace device::check
