// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The resources of kernels in machine code; device_test.py compares those of nvcc's with ptxas's.
#include "catch.hpp"

#include <device/ptx/fatbin.hpp>
#include <device/ptx/machine_code.hpp>
#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

using namespace device::ptx;

namespace {

template <class T>
void append(std::string& to, T const& value) {
  to.append(reinterpret_cast<char const*>(&value), sizeof value);
}

//! An entry of `.nv.info` with a symbol and a number.
std::string entry(std::uint8_t attribute, std::uint32_t symbol, std::uint32_t number) {
  std::string text{4, static_cast<char>(attribute), 8, 0};
  append(text, symbol);
  append(text, number);
  return text;
}

//! Machine code with the symbols "f" (1) and "g" (2), and a section `.nv.info`.
std::string cubin(std::string const& info, std::uint16_t machine = EM_CUDA) {
  std::string const section_names("\0.nv.info\0", 10);
  std::string const names("\0f\0g\0", 5);
  std::string symbols;
  for (unsigned const name : {0U, 1U, 3U}) append(symbols, Elf64_Sym{name, 0, 0, 0, 0, 0});
  std::vector<std::pair<Elf64_Word, std::string>> const sections = {{SHT_NULL, ""},
                                                                    {SHT_STRTAB, section_names},
                                                                    {SHT_STRTAB, names},
                                                                    {SHT_SYMTAB, symbols},
                                                                    {0x70000000, info}};
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_machine = machine;
  header.e_shnum = static_cast<Elf64_Half>(sections.size());
  header.e_shstrndx = 1;
  header.e_shentsize = sizeof(Elf64_Shdr);
  std::string contents;
  std::string table;
  for (auto const& [type, text] : sections) {
    Elf64_Shdr s{};
    s.sh_type = type;
    s.sh_name = type == 0x70000000 ? 1 : 0;
    s.sh_offset = sizeof header + contents.size();
    s.sh_size = text.size();
    s.sh_link = type == SHT_SYMTAB ? 2 : 0;
    append(table, s);
    contents += text;
  }
  header.e_shoff = sizeof header + contents.size();
  std::string file;
  append(file, header);
  return file + contents + table;
}

}  // namespace

TEST_CASE("registers and stack of kernels are those of .nv.info") {
  std::string const other_form{3, 0x1b, 0x40, 0};  // the value is in the entry itself
  auto const found =
      resources_of(cubin(entry(0x2f, 2, 40) + other_form + entry(0x11, 2, 24) + entry(0x12, 2, 32) +
                         entry(0x2f, 1, 8) + entry(0x11, 1, 0) + entry(0x30, 1, 99)));
  REQUIRE(found.size() == 2);
  CHECK(found.at("f") == machine_resources{8, 0});
  CHECK(found.at("g") == machine_resources{40, 32});
}

TEST_CASE("what is no machine code, or is cut off, has no resources") {
  std::string const whole = cubin(entry(0x2f, 1, 8));
  CHECK(resources_of(whole).size() == 1);
  CHECK(resources_of(cubin(entry(0x2f, 1, 8), EM_X86_64)).empty());
  CHECK(resources_of(cubin(entry(0x2f, 7, 8))).empty());   // no such symbol
  CHECK(resources_of(cubin(entry(0x11, 1, 24))).empty());  // no registers
  CHECK(resources_of("PTX").empty());
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK(resources_of(std::string_view(whole).substr(0, size)).empty());
}

TEST_CASE("machine code is that of the same generation, as new as the device at most") {
  std::vector<fat_member> members;
  auto const add = [&](int architecture, char variant, fat_member::kind_type kind) {
    members.push_back({kind, architecture, variant, "", "", 0});
  };
  add(80, 0, fat_member::kind_type::elf);
  add(86, 0, fat_member::kind_type::elf);
  add(90, 0, fat_member::kind_type::ptx);
  add(90, 'a', fat_member::kind_type::elf);
  auto const chosen = [&](int architecture) {
    fat_member const* const m = find_machine_code(members, architecture);
    return m == nullptr ? 0 : m->architecture;
  };
  CHECK(chosen(75) == 0);
  CHECK(chosen(80) == 80);
  CHECK(chosen(89) == 86);
  CHECK(chosen(90) == 90);
  CHECK(chosen(92) == 0);  // sm_90a is for no other device
  CHECK(chosen(100) == 0);
}
