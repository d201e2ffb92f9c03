// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/core/elf_file.hpp>
#include <device/core/failure.hpp>
#include <device/ptx/fatbin.hpp>
#include <lz4.h>
#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <span>

namespace device::ptx {

namespace {

//! The argument of __cudaRegisterFatBinary.
struct wrapper {
  std::uint32_t magic;
  std::uint32_t version;  //!< 1, or 2 for what the device linker has linked
  void const* data;
  void const* const* linked;  //!< of version 2: a container for each object file, then null
};
constexpr std::uint32_t wrapper_magic = 0x466243b1U;

//! The header before all members.
struct container_header {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_size;
  std::uint64_t size;  //!< of what follows the header
};
constexpr std::uint32_t container_magic = 0xba55ed50U;

//! The header before one member.
struct member_header {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_size;
  std::uint64_t size;             //!< in the container, padded
  std::uint32_t compressed_size;  //!< 0 if not compressed
  std::uint32_t options_offset;
  std::uint16_t minor;
  std::uint16_t major;
  std::uint32_t architecture;
  std::uint32_t name_offset;
  std::uint32_t name_size;
  std::uint64_t flags;
  std::uint64_t zero;
  std::uint64_t text_size;  //!< decompressed
};
static_assert(sizeof(member_header) == 64);
constexpr std::uint16_t kind_ptx = 1;
constexpr std::uint16_t kind_elf = 2;
constexpr std::uint64_t flag_lz4 = 0x2000;
constexpr std::uint64_t flag_zstd = 0x8000;

constexpr std::uint64_t flag_variant_a = 0x100000;
constexpr std::uint64_t flag_variant_f = 0x200000;

constexpr char const* help = "; compile with nvcc -no-compress";

[[noreturn]] void fail(std::string const& reason) { throw unsupported("fat binary: " + reason); }
[[noreturn]] void fail_broken(std::string const& reason) {
  throw broken_image("fat binary: " + reason);
}

template <class Header>
Header read_header(std::span<char const> bytes) {
  Header h;
  if (bytes.size() < sizeof h) fail_broken("the data ends within a header");
  std::memcpy(&h, bytes.data(), sizeof h);
  return h;
}

std::string decompress(member_header const& h, std::span<char const> data) {
  if (h.text_size > std::uint64_t{1} << 31U) fail_broken("PTX above 2 GiB");
  if (h.compressed_size > data.size())
    fail_broken("a compressed member that is longer than its place");
  std::string text(h.text_size, '\0');
  if ((h.flags & flag_zstd) != 0) {
    std::size_t const size =
        ZSTD_decompress(text.data(), text.size(), data.data(), h.compressed_size);
    if (ZSTD_isError(size) != 0U || size != text.size())
      fail_broken(std::string{"PTX that Zstandard does not decompress"} + help);
  } else if ((h.flags & flag_lz4) != 0) {
    int const size =
        LZ4_decompress_safe(data.data(), text.data(), static_cast<int>(h.compressed_size),
                            static_cast<int>(text.size()));
    if (size < 0 || static_cast<std::size_t>(size) != text.size())
      fail_broken(std::string{"PTX that LZ4 does not decompress"} + help);
  } else {
    fail("an unknown compression, flags " + std::to_string(h.flags) + help);
  }
  return text;
}

std::string contents_of(member_header const& h, std::span<char const> data) {
  return h.compressed_size != 0 ? decompress(h, data) : std::string{data.data(), data.size()};
}

fat_member read_member(member_header const& h, std::span<char const> whole,
                       std::span<char const> data) {
  fat_member member;
  member.architecture = static_cast<int>(h.architecture);
  member.variant = (h.flags & flag_variant_a) != 0   ? 'a'
                   : (h.flags & flag_variant_f) != 0 ? 'f'
                                                     : '\0';
  if (h.name_size != 0 && h.name_offset < h.header_size &&
      h.name_size <= h.header_size - h.name_offset) {
    member.name.assign(whole.data() + h.name_offset, h.name_size);
    member.name.resize(std::strlen(member.name.c_str()));
  }
  if (h.kind == kind_elf) {
    member.kind = fat_member::kind_type::elf;
    try {
      member.text = contents_of(h, data);
    } catch (unsupported const&) {  // it is only asked for its resources
    }
  }
  if (h.kind != kind_ptx) return member;
  member.kind = fat_member::kind_type::ptx;
  member.text = contents_of(h, data);
  member.text.resize(std::strlen(member.text.c_str()));  // padded with zeroes
  return member;
}

void read_container(void const* data, std::size_t available, int unit,
                    std::vector<fat_member>& into) {
  auto const* const begin = static_cast<char const*>(data);
  if (available < sizeof(container_header)) fail_broken("the data ends within a header");
  container_header const header = read_header<container_header>({begin, sizeof(container_header)});
  if (header.magic != container_magic) fail_broken("data that begin with another magic number");
  if (header.version != 1 || header.header_size < sizeof header)
    fail("a container of version " + std::to_string(header.version));
  if (available - sizeof header < header.header_size - sizeof header ||
      available - header.header_size < header.size)
    fail_broken("the data ends before the container does");
  std::span<char const> rest{begin + header.header_size, header.size};
  while (!rest.empty()) {
    auto const h = read_header<member_header>(rest);
    if (h.header_size < sizeof h || h.header_size > rest.size() ||
        h.size > rest.size() - h.header_size)
      fail_broken("a member that is longer than its container");
    into.push_back(read_member(h, rest, rest.subspan(h.header_size, h.size)));
    into.back().unit = unit;
    rest = rest.subspan(h.header_size + h.size);
  }
}

//! Calls `visit` with the address of each container of a section, and its bytes up to the end of
//! the section.
template <class Visit>
void read_section(elf_image const& program, std::string_view name, Visit const& visit) {
  auto const section = program.section(name);
  if (!section) return;
  std::string_view const bytes = program.contents(*section);
  for (std::uint64_t place = 0; auto const header = value_at<container_header>(bytes, place);) {
    if (header->magic != container_magic) {  // what aligns the next one
      place += sizeof(std::uint32_t);
      continue;
    }
    visit(section->sh_addr + place, bytes.substr(place));
    place += header->header_size + header->size;
  }
}

//! The addresses of the containers that the device linker has made. Time: proportional to the
//! number of the file's relocations, times the logarithm of that of its wrappers.
std::set<std::uint64_t> linked_containers(elf_image const& program) {
  std::map<std::uint64_t, std::uint64_t> pointers;  // by the address that holds it
  if (auto const wrappers = program.section(".nvFatBinSegment"))
    for (std::uint64_t place = 0;
         auto const w = value_at<wrapper>(program.contents(*wrappers), place);
         place += sizeof(wrapper))
      if (w->magic == wrapper_magic && w->version == 2)
        pointers.emplace(wrappers->sh_addr + place + offsetof(wrapper, data),
                         reinterpret_cast<std::uint64_t>(w->data));
  program.for_each_relocated_pointer([&](std::uint64_t address, std::uint64_t pointer) {
    if (auto const found = pointers.find(address); found != pointers.end()) found->second = pointer;
  });
  std::set<std::uint64_t> containers;
  for (auto const& [address, pointer] : pointers) containers.insert(pointer);
  return containers;
}

bool runs_on(fat_member const& m, int architecture) {
  if (m.kind != fat_member::kind_type::ptx || m.architecture > architecture) return false;
  if (m.variant == 'a') return m.architecture == architecture;
  return m.variant == 0 || m.architecture / 10 == architecture / 10;
}

bool is_better(fat_member const& a, fat_member const& b) {
  return a.architecture != b.architecture ? a.architecture > b.architecture
                                          : a.variant == 0 && b.variant != 0;
}

std::string architectures_of(std::vector<fat_member> const& members) {
  std::string list;
  for (fat_member const& m : members) {
    if (m.kind == fat_member::kind_type::other) continue;
    list += (list.empty() ? "" : ", ") +
            std::string{m.kind == fat_member::kind_type::ptx ? "compute_" : "sm_"} +
            std::to_string(m.architecture);
    if (m.variant != 0) list += m.variant;
  }
  return list.empty() ? "nothing" : list;
}

}  // namespace

std::vector<fat_member> read_fat_binary(void const* data, std::size_t available) {
  std::vector<fat_member> members;
  std::uint32_t magic = 0;
  if (available < sizeof magic) fail_broken("the data ends within a header");
  std::memcpy(&magic, data, sizeof magic);
  if (magic != wrapper_magic) {
    read_container(data, available, 0, members);
    return members;
  }
  wrapper w{};
  std::memcpy(&w, data, sizeof w);
  if (w.version != 1 && w.version != 2) fail("a wrapper of version " + std::to_string(w.version));
  read_container(w.data, SIZE_MAX, 0, members);
  if (w.version == 2 && w.linked != nullptr)
    for (int i = 0; w.linked[i] != nullptr; ++i)
      read_container(w.linked[i], SIZE_MAX, i + 1, members);
  return members;
}

std::vector<std::vector<fat_member>> read_fat_binaries(elf_image const& program) {
  std::set<std::uint64_t> const linked = linked_containers(program);
  std::vector<std::vector<fat_member>> modules;
  read_section(program, "__nv_relfatbin", [&](std::uint64_t, std::string_view rest) {
    if (modules.empty()) modules.emplace_back();
    int const unit = modules[0].empty() ? 1 : modules[0].back().unit + 1;
    read_container(rest.data(), rest.size(), unit, modules[0]);
  });
  read_section(program, ".nv_fatbin", [&](std::uint64_t address, std::string_view rest) {
    read_container(rest.data(), rest.size(), 0, modules.emplace_back());
    if (linked.contains(address)) modules.pop_back();
  });
  return modules;
}

fat_member const* find_machine_code(std::vector<fat_member> const& members, int architecture) {
  fat_member const* best = nullptr;
  for (fat_member const& m : members) {
    bool const runs = m.kind == fat_member::kind_type::elf && m.architecture <= architecture &&
                      m.architecture / 10 == architecture / 10 &&
                      (m.variant != 'a' || m.architecture == architecture);
    if (runs && (best == nullptr || m.architecture > best->architecture)) best = &m;
  }
  return best;
}

fat_member const& choose_ptx(std::vector<fat_member> const& members, int architecture) {
  std::vector<fat_member const*> const chosen = choose_linked_ptx(members, architecture);
  if (chosen.size() != 1) fail("PTX of several object files (-rdc=true) where one is expected");
  return *chosen.front();
}

// An object file without PTX for this device is left out: every program of relocatable device code
// has the machine code of libcudadevrt in it. Whatever else is missing has a name that the linking
// of the modules will ask for.
std::vector<fat_member const*> choose_linked_ptx(std::vector<fat_member> const& members,
                                                 int architecture) {
  std::map<int, fat_member const*> best;  // by unit
  for (fat_member const& m : members) {
    if (!runs_on(m, architecture)) continue;
    fat_member const*& place = best[m.unit];
    if (place == nullptr || is_better(m, *place)) place = &m;
  }
  std::vector<fat_member const*> chosen;
  for (auto const& [unit, member] : best) chosen.push_back(member);
  if (chosen.empty()) {
    std::string const number = std::to_string(architecture);
    throw missing_image("fat binary: no PTX for compute capability " + number + " or below, only " +
                        architectures_of(members) + "; compile with nvcc -gencode arch=compute_" +
                        number + ",code=compute_" + number);
  }
  return chosen;
}

}  // namespace device::ptx
