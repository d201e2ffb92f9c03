// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reader of fat binaries finds the PTX in the output of nvcc.
#include "catch.hpp"
#include "ptx_fat_samples.hpp"

#include <device/core/elf_file.hpp>
#include <device/core/failure.hpp>
#include <device/ptx/fatbin.hpp>
#include <device/ptx/module.hpp>

#include <cstdint>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

using namespace device::ptx;
using Catch::Matchers::Contains;

namespace {

//! Builds a fat binary in memory, with uncompressed members.
class container {
 public:
  container() {
    put<std::uint32_t>(0xba55ed50U);
    put<std::uint16_t>(1);
    put<std::uint16_t>(16);
    put<std::uint64_t>(0);
  }

  container& add(std::uint16_t kind, std::uint32_t architecture, std::string text,
                 std::uint64_t flags = 0x11, std::uint32_t compressed = 0) {
    text.resize((text.size() + 8) / 8 * 8);
    put(kind);
    put<std::uint16_t>(0x101);
    put<std::uint32_t>(64);
    put<std::uint64_t>(text.size());
    put(compressed);
    put<std::uint32_t>(0);
    put<std::uint32_t>(0x90000);
    put(architecture);
    put<std::uint64_t>(0);
    put(flags);
    put<std::uint64_t>(0);
    put<std::uint64_t>(compressed == 0 ? 0 : 100);
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    std::uint64_t const size = bytes_.size() - 16;
    std::memcpy(bytes_.data() + 8, &size, sizeof size);
    return *this;
  }

  [[nodiscard]] void const* data() const { return bytes_.data(); }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

 private:
  std::vector<char> bytes_;

  template <class T>
  void put(T value) {
    auto const* const begin = reinterpret_cast<char const*>(&value);
    bytes_.insert(bytes_.end(), begin, begin + sizeof value);
  }
};

struct wrapper {
  std::uint32_t magic = 0x466243b1U;
  std::uint32_t version = 1;
  void const* data = nullptr;
  void const* const* linked = nullptr;
};

constexpr std::uint16_t ptx = 1;
constexpr std::uint16_t elf = 2;

template <class Call>
std::string refusal(Call&& call) {
  try {
    static_cast<void>(call());
  } catch (device::unsupported const& e) {
    return e.what();
  }
  return {};
}

//! The bytes of a program with these containers and so many wrappers of the device linker: the last
//! wrapper names the container `linked`, the others name `last`, by relocations, as in a
//! position-independent program, or by pointers in the wrappers.
std::string program_with(std::vector<container> const& containers, std::size_t wrappers,
                         std::size_t linked, std::size_t last, bool relocates) {
  constexpr std::uint64_t code_begin = 0x10000, wrappers_begin = 0x100000000;
  std::string const names{"\0.shstrtab\0.nv_fatbin\0.nvFatBinSegment\0.rela.dyn\0", 49};
  std::string code, segment, relocations;
  std::vector<std::uint64_t> address;
  for (container const& c : containers) {
    address.push_back(code_begin + code.size());
    code.append(static_cast<char const*>(c.data()), c.size());
  }
  auto const put = [](std::string& into, auto const& value) {
    into.append(reinterpret_cast<char const*>(&value), sizeof value);
  };
  for (std::size_t k = 0; k < wrappers; ++k) {
    std::uint64_t const named = address[k + 1 == wrappers ? linked : last];
    wrapper w;
    w.version = 2;
    if (!relocates) w.data = reinterpret_cast<void const*>(named);
    std::uint64_t const place = wrappers_begin + segment.size() + offsetof(wrapper, data);
    put(segment, w);
    if (relocates)
      put(relocations,
          Elf64_Rela{place, ELF64_R_INFO(0, R_X86_64_RELATIVE), static_cast<Elf64_Sxword>(named)});
  }
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shstrndx = 1;
  std::vector<Elf64_Shdr> sections(1);
  std::string contents;
  auto const add = [&](char const* name, Elf64_Word type, std::uint64_t begin,
                       std::string const& bytes) {
    Elf64_Shdr s{};
    s.sh_name = static_cast<Elf64_Word>(names.find(name));
    s.sh_type = type;
    s.sh_addr = begin;
    s.sh_offset = sizeof header + contents.size();
    s.sh_size = bytes.size();
    sections.push_back(s);
    contents += bytes;
  };
  add(".shstrtab", SHT_STRTAB, 0, names);
  add(".nv_fatbin", SHT_PROGBITS, code_begin, code);
  add(".nvFatBinSegment", SHT_PROGBITS, wrappers_begin, segment);
  add(".rela.dyn", SHT_RELA, 0, relocations);
  header.e_shnum = static_cast<Elf64_Half>(sections.size());
  header.e_shoff = sizeof header + contents.size();
  std::string file;
  put(file, header);
  file += contents;
  for (Elf64_Shdr const& s : sections) put(file, s);
  return file;
}

}  // namespace

TEST_CASE("compressed PTX of nvcc is read") {
  wrapper const wrapped{.data = fat_samples::zstd};
  std::vector<fat_member> const zstd = read_fat_binary(&wrapped);
  std::vector<fat_member> const lz4 = read_fat_binary(fat_samples::lz4);
  REQUIRE(zstd.size() == 1);
  REQUIRE(lz4.size() == 1);
  CHECK(zstd[0].kind == fat_member::kind_type::ptx);
  CHECK(zstd[0].architecture == 90);
  CHECK(zstd[0].text.size() == 341);
  CHECK(zstd[0].text == lz4[0].text);
  module m;
  parse(choose_ptx(zstd, 120).text, m);
  REQUIRE(m.functions.size() == 1);
  CHECK(m.functions[0].name == "_Z1kPi");
  CHECK(parse_body(m, m.functions[0]).instructions.back().opcode == "ret");
}

TEST_CASE("the greatest architecture that is not above the device's is chosen") {
  container c;
  c.add(ptx, 75, "p75")
      .add(elf, 90, "e90")
      .add(ptx, 80, "p80")
      .add(ptx, 90, "p90a", 0x100011)
      .add(64, 90, "?");
  c.add(ptx, 100, "p100f", 0x200011).add(ptx, 100, "p100a", 0x100011);
  std::vector<fat_member> const members = read_fat_binary(c.data());
  REQUIRE(members.size() == 7);
  CHECK(members[1].kind == fat_member::kind_type::elf);
  CHECK(members[4].kind == fat_member::kind_type::other);
  CHECK(choose_ptx(members, 75).text == "p75");
  CHECK(choose_ptx(members, 86).text == "p80");
  CHECK(choose_ptx(members, 90).text == "p90a");
  CHECK(choose_ptx(members, 103).text == "p100f");
  CHECK(choose_ptx(members, 120).text == "p80");
  CHECK_THAT(refusal([&] { return choose_ptx(members, 70).text; }),
             Contains("compute_75, sm_90, compute_80, compute_90a") &&
                 Contains("-gencode arch=compute_70,code=compute_70"));
  c.add(ptx, 90, "p90");
  CHECK(choose_ptx(read_fat_binary(c.data()), 90).text == "p90");
}

TEST_CASE("relocatable device code has PTX of each object file") {
  container none_linked;
  container a;
  container b;
  container empty;
  a.add(ptx, 80, "a80").add(ptx, 90, "a90");
  b.add(ptx, 90, "b90").add(elf, 90, "b");
  void const* const linked[] = {a.data(), empty.data(), b.data(), nullptr};
  wrapper const w{.version = 2, .data = none_linked.data(), .linked = linked};
  std::vector<fat_member> const members = read_fat_binary(&w);
  std::vector<fat_member const*> const chosen = choose_linked_ptx(members, 90);
  REQUIRE(chosen.size() == 2);
  CHECK((chosen[0]->text == "a90" && chosen[0]->unit == 1));
  CHECK((chosen[1]->text == "b90" && chosen[1]->unit == 3));
  CHECK_THAT(refusal([&] { return choose_ptx(members, 90).text; }), Contains("-rdc=true"));
  std::vector<fat_member const*> const older = choose_linked_ptx(members, 86);
  REQUIRE(older.size() == 1);
  CHECK(older[0]->text == "a80");
  CHECK_THAT(refusal([&] { return choose_linked_ptx(members, 75); }), Contains("no PTX"));
}

TEST_CASE("another format is refused with the flag that helps") {
  std::uint64_t const nothing[2] = {0x1234, 0};
  CHECK_THAT(refusal([&] { return read_fat_binary(nothing); }), Contains("magic"));
  wrapper const newer{.version = 3};
  CHECK_THAT(refusal([&] { return read_fat_binary(&newer); }), Contains("version 3"));
  container unknown;
  unknown.add(ptx, 90, "text", 0x4011, 4);
  CHECK_THAT(refusal([&] { return read_fat_binary(unknown.data()); }), Contains("-no-compress"));
  container broken;
  broken.add(ptx, 90, "text", 0x8011, 4);
  CHECK_THAT(refusal([&] { return read_fat_binary(broken.data()); }),
             Contains("Zstandard") && Contains("-no-compress"));
  container broken_lz4;
  broken_lz4.add(ptx, 90, "text", 0x2011, 4);
  CHECK_THAT(refusal([&] { return read_fat_binary(broken_lz4.data()); }), Contains("LZ4"));
  container longer;
  longer.add(ptx, 90, "text", 0x8011, 4000);
  CHECK_THAT(refusal([&] { return read_fat_binary(longer.data()); }), Contains("longer"));
}

TEST_CASE("a fat binary that ends anywhere before its end is broken") {
  container whole;
  whole.add(ptx, 90, "text").add(ptx, 80, "another");
  REQUIRE(read_fat_binary(whole.data(), whole.size()).size() == 2);
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
    CHECK_THROWS_AS(read_fat_binary(whole.data(), bytes), device::broken_image);
}

TEST_CASE("What the device linker has made is left out of a program's fat binaries", "[ptx]") {
  std::vector<container> const containers{container().add(ptx, 90, "first"),
                                          container().add(ptx, 90, "second"),
                                          container().add(ptx, 90, "third")};
  for (bool const relocates : {true, false})
    for (std::size_t const linked : {0U, 1U}) {
      std::string const file = program_with(containers, 3, linked, 2, relocates);
      auto const modules = read_fat_binaries(device::elf_image(file));
      REQUIRE(modules.size() == 1);
      CHECK(modules[0].at(0).text == (linked == 0 ? "second" : "first"));
    }
}

TEST_CASE("Wrappers and relocations may be very many", "[ptx]") {
  std::vector<container> const containers{container().add(ptx, 90, "first"),
                                          container().add(ptx, 90, "second")};
  std::string const file = program_with(containers, 200'000, 0, 0, true);
  std::clock_t const begin = std::clock();
  auto const modules = read_fat_binaries(device::elf_image(file));
  CHECK(std::clock() - begin < 4 * CLOCKS_PER_SEC);  // of processor time
  REQUIRE(modules.size() == 1);
  CHECK(modules[0].at(0).text == "second");
}
