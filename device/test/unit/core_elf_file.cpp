// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"

#include <device/core/elf_file.hpp>
#include <dlfcn.h>
#include <link.h>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

extern "C" int function_of_elf_file_test() { return 42; }
extern "C" {
int (*pointer_of_elf_file_test)() = &function_of_elf_file_test;
}

namespace {

using device::elf_file;

//! A file for a test, removed at its end.
struct temporary {
  std::string path = std::string(P_tmpdir) + "/mmm_elf_file_" + std::to_string(getpid());
  explicit temporary(std::string const& text) {
    std::ofstream(path, std::ios::binary)
        .write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  ~temporary() { std::remove(path.c_str()); }
};

std::uint64_t base_of_program() {
  std::uint64_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* file, std::size_t, void* to) {
        *static_cast<std::uint64_t*>(to) = file->dlpi_addr;
        return 1;  // the program is the first
      },
      &base);
  return base;
}

//! A small ELF file of the system.
std::string loader_of_programs() {
  std::string path;
  dl_iterate_phdr(
      [](dl_phdr_info* file, std::size_t, void* to) {
        std::string const name = file->dlpi_name;
        if (name.find("/ld-") != name.npos) *static_cast<std::string*>(to) = name;
        return 0;
      },
      &path);
  return path;
}

constexpr std::size_t with_zero = std::size_t{1} << 40;
//! Reads all that a file has to say. The number of its symbols and relocated pointers; with_zero is
//! added for a name that does not end at a zero.
std::size_t read_all(elf_file const& file) {
  std::size_t count = 0;
  for (Elf64_Word const table : {SHT_SYMTAB, SHT_DYNSYM})
    file.for_each_symbol(table, [&](std::string_view name, Elf64_Sym const& s) {
      count += name.find('\0') == name.npos ? 1 : with_zero;
      char const* const code = file.loaded_to(s.st_value, s.st_size);
      if (code != nullptr) count += std::string_view(code, s.st_size).find("no such text") == 0;
    });
  file.for_each_relocated_pointer([&](std::uint64_t, std::uint64_t) { ++count; });
  return count;
}

}  // namespace

TEST_CASE("Symbols of an ELF file, and the code that they name", "[core]") {
  elf_file const file("/proc/self/exe");
  std::uint64_t address = 0, pointer = 0;
  bool needs_mmap = false;
  REQUIRE(file.for_each_symbol(SHT_SYMTAB, [&](std::string_view name, Elf64_Sym const& s) {
    if (name == "function_of_elf_file_test") address = s.st_value;
    if (name == "pointer_of_elf_file_test") pointer = s.st_value;
    needs_mmap |= name.starts_with("mmap") && !device::is_defined(s);
  }));
  REQUIRE(needs_mmap);
  std::uint64_t relocated = 0;
  file.for_each_relocated_pointer([&](std::uint64_t place, std::uint64_t value) {
    if (place == pointer) relocated = value;
  });
  REQUIRE(relocated == address);
  auto const here = reinterpret_cast<std::uint64_t>(&function_of_elf_file_test);
  REQUIRE(address + base_of_program() == here);
  char const* const code = file.loaded_to(address, 6);
  REQUIRE(code != nullptr);
  REQUIRE(std::memcmp(code, reinterpret_cast<void const*>(here), 6) == 0);
  REQUIRE(file.loaded_to(address, ~std::uint64_t{0}) == nullptr);
  REQUIRE(file.loaded_to(~std::uint64_t{0} - 2, 6) == nullptr);
}

TEST_CASE("What is no ELF file has no symbols", "[core]") {
  for (char const* const path : {"/no/such/file", "/", "/dev/null", "/proc/self/status"}) {
    elf_file const file(path);
    REQUIRE(read_all(file) == 0);
    REQUIRE(file.loaded_to(0, 1) == nullptr);
  }
}

TEST_CASE("Truncated and altered ELF files are read without a fault", "[core]") {
  std::ifstream in(loader_of_programs(), std::ios::binary);
  std::string const whole{std::istreambuf_iterator<char>(in), {}};
  REQUIRE(whole.size() > 4096);
  std::uint64_t sections = 0;
  std::memcpy(&sections, whole.data() + offsetof(Elf64_Ehdr, e_shoff), sizeof sections);
  REQUIRE(sections < whole.size());
  for (std::uint64_t const bytes : {std::uint64_t{3}, std::uint64_t{63}, std::uint64_t{64},
                                    std::uint64_t{4096}, sections + 100, whole.size() - 1}) {
    temporary const part(whole.substr(0, bytes));
    CHECK(read_all(elf_file(part.path.c_str())) < with_zero);
  }
  std::mt19937 random(1);
  auto const any_byte = [&] { return static_cast<char>(random() & 0xff); };
  for (int k = 0; k < 50; ++k) {
    std::string text = whole;
    for (int n = 0; n < 4; ++n)
      text[EI_NIDENT + random() % (sizeof(Elf64_Ehdr) - EI_NIDENT)] = any_byte();
    for (std::size_t word = sections; word + 8 < text.size(); word += 8)
      if (random() % 8 == 0) text[word + random() % 8] = any_byte();
    temporary const altered(text);
    CHECK(read_all(elf_file(altered.path.c_str())) < with_zero);
  }
}
