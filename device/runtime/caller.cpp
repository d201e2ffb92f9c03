// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "caller.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>

namespace device::runtime {

namespace {

struct symbol {
  std::uint64_t bytes = 0;
  std::string name{};
};

//! The functions of an ELF file, by address in it; empty if it cannot be read.
std::map<std::uint64_t, symbol> functions_of(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  std::string const text{std::istreambuf_iterator<char>(file), {}};
  std::map<std::uint64_t, symbol> found;
  Elf64_Ehdr header;
  if (text.size() < sizeof header) return found;
  std::memcpy(&header, text.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return found;
  auto const section = [&](std::size_t k) {
    Elf64_Shdr s{};
    std::size_t const begin = header.e_shoff + k * sizeof s;
    if (begin + sizeof s <= text.size()) std::memcpy(&s, text.data() + begin, sizeof s);
    if (s.sh_offset > text.size() || s.sh_size > text.size() - s.sh_offset) s.sh_size = 0;
    return s;
  };
  for (std::size_t k = 0; k < header.e_shnum; ++k) {
    Elf64_Shdr const table = section(k);
    if (table.sh_type != SHT_SYMTAB && table.sh_type != SHT_DYNSYM) continue;
    Elf64_Shdr const names = section(table.sh_link);
    for (std::size_t n = 0; n + 1 <= table.sh_size / sizeof(Elf64_Sym); ++n) {
      Elf64_Sym s;
      std::memcpy(&s, text.data() + table.sh_offset + n * sizeof s, sizeof s);
      if (ELF64_ST_TYPE(s.st_info) != STT_FUNC || s.st_value == 0 || s.st_name >= names.sh_size)
        continue;
      char const* const name = text.data() + names.sh_offset + s.st_name;
      found[s.st_value] = {s.st_size, std::string{name, strnlen(name, names.sh_size - s.st_name)}};
    }
  }
  return found;
}

std::string demangled(std::string const& name) {
  int status = 0;
  char* const text = __cxxabiv1::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (status != 0 || text == nullptr) return name;
  std::string const made{text};
  std::free(text);
  return made;
}

std::string hexadecimal(std::uint64_t n) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(n));
  return text;
}

//! The addresses of the file that this code is in.
struct addresses {
  std::uint64_t begin = 0, end = 0;
};
addresses const& own_addresses() {
  static addresses const own = [] {
    addresses found;
    dl_iterate_phdr(
        [](dl_phdr_info* file, std::size_t, void* to) {
          addresses in{~std::uint64_t{0}, 0};
          for (int k = 0; k < file->dlpi_phnum; ++k) {
            if (file->dlpi_phdr[k].p_type != PT_LOAD) continue;
            std::uint64_t const begin = file->dlpi_addr + file->dlpi_phdr[k].p_vaddr;
            in.begin = std::min(in.begin, begin);
            in.end = std::max(in.end, begin + file->dlpi_phdr[k].p_memsz);
          }
          auto const here = reinterpret_cast<std::uint64_t>(&callers);
          if (here < in.begin || here >= in.end) return 0;
          *static_cast<addresses*>(to) = in;
          return 1;
        },
        &found);
    return found;
  }();
  return own;
}

//! True of code of this library.
bool is_own(void const* code) {
  auto const address = reinterpret_cast<std::uint64_t>(code);
  return address >= own_addresses().begin && address < own_addresses().end;
}

//! The return addresses on the stack of this thread, innermost first.
struct stack {
  std::array<void*, 20> frames{};
  std::size_t count = 0;
  std::size_t first_of_program = 0;  //!< the frames before are this library's
};
stack this_stack() {
  stack s;
  s.count = static_cast<std::size_t>(backtrace(s.frames.data(), static_cast<int>(s.frames.size())));
  while (s.first_of_program < s.count && is_own(s.frames[s.first_of_program])) ++s.first_of_program;
  return s;
}

}  // namespace

std::vector<void*> callers() {
  constexpr std::size_t shown = 8;
  stack const s = this_stack();
  return std::vector<void*>(s.frames.begin() + static_cast<std::ptrdiff_t>(s.first_of_program),
                            s.frames.begin() + static_cast<std::ptrdiff_t>(
                                                   std::min(s.count, s.first_of_program + shown)));
}

std::string called_function() {
  stack const s = this_stack();
  Dl_info in{};
  if (s.first_of_program == 0 || dladdr(s.frames[s.first_of_program - 1], &in) == 0 ||
      in.dli_sname == nullptr)
    return {};
  std::string name = in.dli_sname;
  for (char const* const of_per_thread : {"_ptsz", "_ptds"})  // the compiler's names
    if (name.ends_with(of_per_thread)) name.resize(name.size() - 5);
  return name;
}

bool program_imports(char const* part) {
  struct question {
    std::string_view part;
    bool found = false;
  } asked{part};
  dl_iterate_phdr(
      [](dl_phdr_info* file, std::size_t, void* given) {
        auto& q = *static_cast<question*>(given);
        for (int k = 0; k < file->dlpi_phnum; ++k) {
          if (file->dlpi_phdr[k].p_type != PT_DYNAMIC) continue;
          std::uint64_t names = 0, bytes = 0;
          for (auto const* d =
                   reinterpret_cast<Elf64_Dyn const*>(file->dlpi_addr + file->dlpi_phdr[k].p_vaddr);
               d->d_tag != DT_NULL; ++d) {
            if (d->d_tag == DT_STRTAB) names = d->d_un.d_ptr;
            if (d->d_tag == DT_STRSZ) bytes = d->d_un.d_val;
          }
          if (names < file->dlpi_addr) names += file->dlpi_addr;  // not relocated
          if (is_own(reinterpret_cast<void const*>(names)) || bytes == 0) continue;
          q.found |= std::string_view{reinterpret_cast<char const*>(names), bytes}.find(q.part) !=
                     std::string_view::npos;
        }
        return q.found ? 1 : 0;
      },
      &asked);
  return asked.found;
}

std::string place_of_code(void const* address) {
  Dl_info in{};
  if (dladdr(address, &in) == 0 || in.dli_fname == nullptr) return "an unknown place";
  static auto& files = *new std::map<std::string, std::map<std::uint64_t, symbol>>;
  std::string const path = in.dli_fname;
  auto const [file, is_new] = files.try_emplace(path);
  if (is_new) {
    file->second = functions_of(path);
    if (file->second.empty()) file->second = functions_of("/proc/self/exe");
  }
  auto const offset =
      reinterpret_cast<std::uint64_t>(address) - reinterpret_cast<std::uint64_t>(in.dli_fbase);
  std::string const name = path.substr(path.rfind('/') + 1);
  // A program at a fixed place has its symbols by address, others by offset.
  for (std::uint64_t const value : {offset, reinterpret_cast<std::uint64_t>(address)}) {
    auto const after = file->second.upper_bound(value);
    if (after == file->second.begin()) continue;
    auto const& [begin, function] = *std::prev(after);
    if (value - begin < std::max<std::uint64_t>(function.bytes, 1))
      return demangled(function.name) + "+" + hexadecimal(value - begin) + " of " + name;
  }
  return name + "+" + hexadecimal(offset);
}

std::string place_of_call(std::vector<void*> const& callers, std::string const& kernel) {
  std::string last = "an unknown place";
  for (void const* const c : callers) {
    last = place_of_code(c);
    // cudaMalloc<T> and their like are functions of the toolkit's headers
    bool const of_header =
        last.starts_with("cudaError cuda") || last.starts_with("cudaError_t cuda");
    bool const of_launch = of_header || last.find("cudaLaunch") != std::string::npos ||
                           last.find("__device_stub") != std::string::npos ||
                           (!kernel.empty() && last.starts_with(kernel));
    if (!of_launch) return last;
  }
  return last;
}

}  // namespace device::runtime
