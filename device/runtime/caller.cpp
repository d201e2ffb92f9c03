// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "caller.hpp"

#include <device/core/demangled.hpp>

#ifdef DEVICE_HAS_BACKTRACE
#include <backtrace.h>
#endif
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
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>

//! The number of the program's files whose own CUDA runtime leads here. static_runtime/replace.cpp
//! counts them before code of this library runs.
extern "C" [[gnu::visibility("default")]] unsigned mmm_replaced_runtimes;
unsigned mmm_replaced_runtimes = 0;

namespace device::runtime {

namespace {

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

std::string file_of(void const* address) {
  Dl_info in{};
  void* loaded = nullptr;
  if (dladdr1(address, &in, &loaded, RTLD_DL_LINKMAP) == 0 || loaded == nullptr) return {};
  std::string const name = static_cast<link_map const*>(loaded)->l_name;
  if (!name.empty()) return name;
  // The program's own name is what it was called by, which need not be a path.
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed).string();
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

bool program_may_call(char const* part) {
  if (mmm_replaced_runtimes != 0) return true;
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

namespace {

//! A place in the program's code, as far as its symbols and its debug information say it.
struct code_place {
  std::string file{};  //!< of the source
  int line = 0;
  std::string function{};
  std::uint64_t offset = 0;  //!< in the function
};

#ifdef DEVICE_HAS_BACKTRACE
code_place find_place(std::uint64_t address) {
  auto const ignore = [](void*, char const*, int) {};
  static backtrace_state* const state = backtrace_create_state(nullptr, 1, ignore, nullptr);
  code_place found;
  auto const line = [](void* to, std::uintptr_t, char const* file, int number, char const*) {
    if (file == nullptr) return 0;
    static_cast<code_place*>(to)->file = file;
    static_cast<code_place*>(to)->line = number;
    return 1;  // the innermost of inlined functions
  };
  auto const function = [](void* to, std::uintptr_t position, char const* name,
                           std::uintptr_t begin, std::uintptr_t) {
    if (name == nullptr) return;
    static_cast<code_place*>(to)->function = name;
    static_cast<code_place*>(to)->offset = position - begin;
  };
  backtrace_pcinfo(state, address - 1, line, ignore, &found);  // a return address
  backtrace_syminfo(state, address, function, ignore, &found);
  return found;
}
#else
code_place find_place(std::uint64_t) { return {}; }
#endif

//! A file's name without the folder that the program runs in.
std::string shortened(std::string const& file) {
  std::error_code failed;
  std::string const here = std::filesystem::current_path(failed).string() + "/";
  return !failed && file.starts_with(here) ? file.substr(here.size()) : file;
}

}  // namespace

std::string place_of_code(void const* address) {
  Dl_info in{};
  if (dladdr(address, &in) == 0 || in.dli_fname == nullptr) return "an unknown place";
  auto const position = reinterpret_cast<std::uint64_t>(address);
  static auto& known = *new std::map<std::uint64_t, code_place>;
  auto const [place, is_new] = known.try_emplace(position);
  code_place& found = place->second;
  if (is_new) found = find_place(position);
  if (found.function.empty() && in.dli_sname != nullptr) {
    found.function = in.dli_sname;
    found.offset = position - reinterpret_cast<std::uint64_t>(in.dli_saddr);
  }
  std::string_view const path = in.dli_fname;
  std::string const name{path.substr(path.rfind('/') + 1)};
  if (found.function.empty())
    return name + "+" + hexadecimal(position - reinterpret_cast<std::uint64_t>(in.dli_fbase));
  std::string const function = demangled(found.function);
  if (found.line != 0)
    return function + ", " + shortened(found.file) + ":" + std::to_string(found.line);
  return function + "+" + hexadecimal(found.offset) + " of " + name;
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
