// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine_code.hpp"

#include <device/core/elf_file.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace device::ptx {

namespace {

// Entries of `.nv.info`: a format, an attribute, and 16 bits that are a value or the size of what
// follows. The attributes used here have a symbol and a number.
constexpr std::uint8_t sized_format = 4;
constexpr std::uint8_t register_count = 0x2f;
constexpr std::uint8_t frame_size = 0x11;
constexpr std::uint8_t min_stack_size = 0x12;  //!< with that of the functions that are called

void read_entries(std::string_view entries, elf_image const& file, Elf64_Shdr const& symbols,
                  std::map<std::string, machine_resources>& into) {
  for (std::uint64_t offset = 0; offset + 4 <= entries.size();) {
    auto const format = static_cast<std::uint8_t>(entries[offset]);
    auto const attribute = static_cast<std::uint8_t>(entries[offset + 1]);
    std::uint16_t const size = value_at<std::uint16_t>(entries, offset + 2).value_or(0);
    offset += 4;
    if (format != sized_format) continue;
    auto const of_symbol = value_at<std::uint32_t>(entries, offset);
    auto const number = value_at<std::uint32_t>(entries, offset + 4);
    offset += size;
    if (size != 8 || !of_symbol || !number) continue;
    auto const symbol = file.symbol(symbols, *of_symbol);
    if (!symbol) continue;
    std::string const name(file.text(symbols.sh_link, symbol->st_name));
    if (name.empty()) continue;
    if (attribute == register_count) into[name].registers = *number;
    if (attribute == frame_size || attribute == min_stack_size)
      into[name].stack_bytes = std::max(into[name].stack_bytes, *number);
  }
}

}  // namespace

std::map<std::string, machine_resources> resources_of(std::string_view cubin) {
  std::map<std::string, machine_resources> found;
  elf_image const file(cubin);
  if (!file.header() || file.header()->e_machine != EM_CUDA) return found;
  std::optional<Elf64_Shdr> symbols;
  for (unsigned k = 0; k < file.header()->e_shnum && !symbols; ++k)
    if (auto const s = file.section(k); s && s->sh_type == SHT_SYMTAB) symbols = s;
  if (symbols) read_entries(file.contents(".nv.info"), file, *symbols, found);
  std::erase_if(found, [](auto const& entry) { return entry.second.registers == 0; });
  return found;
}

}  // namespace device::ptx
