// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine_code.hpp"

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>

namespace device::ptx {

namespace {

// Entries of `.nv.info`: a format, an attribute, and 16 bits that are a value or the size of what
// follows. The attributes used here have a symbol and a number.
constexpr std::uint8_t sized_format = 4;
constexpr std::uint8_t register_count = 0x2f;
constexpr std::uint8_t frame_size = 0x11;
constexpr std::uint8_t min_stack_size = 0x12;  //!< with that of the functions that are called

//! A value in a text; nothing beyond its end.
template <class T>
std::optional<T> value_at(std::string_view text, std::uint64_t offset) {
  if (offset > text.size() || text.size() - offset < sizeof(T)) return {};
  T value;
  std::memcpy(&value, text.data() + offset, sizeof value);
  return value;
}

struct elf_file {
  std::string_view text;
  Elf64_Ehdr header{};

  [[nodiscard]] std::optional<Elf64_Shdr> section(std::uint64_t number) const {
    if (number >= header.e_shnum) return {};
    auto const found = value_at<Elf64_Shdr>(text, header.e_shoff + number * sizeof(Elf64_Shdr));
    if (!found || found->sh_offset > text.size() || found->sh_size > text.size() - found->sh_offset)
      return {};
    return found;
  }
  [[nodiscard]] std::string_view contents(Elf64_Shdr const& s) const {
    return text.substr(s.sh_offset, s.sh_size);
  }
  //! The name that begins there in a section of names.
  [[nodiscard]] std::string_view name(std::uint64_t names, std::uint64_t offset) const {
    auto const s = section(names);
    if (!s || s->sh_type != SHT_STRTAB || offset >= s->sh_size) return {};
    std::string_view const rest = contents(*s).substr(offset);
    return rest.substr(0, rest.find('\0'));
  }
  [[nodiscard]] std::string_view symbol(Elf64_Shdr const& symbols, std::uint32_t number) const {
    auto const found =
        value_at<Elf64_Sym>(contents(symbols), std::uint64_t{number} * sizeof(Elf64_Sym));
    return found ? name(symbols.sh_link, found->st_name) : std::string_view{};
  }
};

void read_entries(std::string_view entries, elf_file const& file, Elf64_Shdr const& symbols,
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
    std::string const name(file.symbol(symbols, *of_symbol));
    if (name.empty()) continue;
    if (attribute == register_count) into[name].registers = *number;
    if (attribute == frame_size || attribute == min_stack_size)
      into[name].stack_bytes = std::max(into[name].stack_bytes, *number);
  }
}

}  // namespace

std::map<std::string, machine_resources> resources_of(std::string_view cubin) {
  std::map<std::string, machine_resources> found;
  auto const header = value_at<Elf64_Ehdr>(cubin, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_CUDA)
    return found;
  elf_file const file{cubin, *header};
  std::optional<Elf64_Shdr> symbols;
  for (std::uint64_t k = 0; k < header->e_shnum && !symbols; ++k)
    if (auto const s = file.section(k); s && s->sh_type == SHT_SYMTAB) symbols = s;
  if (!symbols) return found;
  for (std::uint64_t k = 0; k < header->e_shnum; ++k)
    if (auto const s = file.section(k);
        s && file.name(header->e_shstrndx, s->sh_name) == ".nv.info")
      read_entries(file.contents(*s), file, *symbols, found);
  std::erase_if(found, [](auto const& entry) { return entry.second.registers == 0; });
  return found;
}

}  // namespace device::ptx
