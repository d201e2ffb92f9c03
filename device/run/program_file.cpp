// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_file.hpp"

#include <common/failure.hpp>
#include <common/text.hpp>
#include <device/core/elf_file.hpp>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>

namespace run {

namespace {

constexpr std::string_view library_prefix = "libcudart.so.";
constexpr std::string_view wanted_library = "libcudart.so.13";
constexpr std::string_view driver_library = "libcuda.so.1";

#if defined(__x86_64__)
constexpr std::uint16_t this_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t this_machine = EM_AARCH64;
#else
#error "mmm-run: which ELF machine is this?"
#endif

std::vector<std::string> needed_libraries(device::elf_file const& file, Elf64_Phdr const& dynamic) {
  std::vector<std::uint64_t> names;
  std::string_view strings;
  for (std::uint64_t place = 0; place + sizeof(Elf64_Dyn) <= dynamic.p_filesz;
       place += sizeof(Elf64_Dyn)) {
    auto const entry = device::value_at<Elf64_Dyn>(file.bytes(), dynamic.p_offset + place);
    if (!entry || entry->d_tag == DT_NULL) break;
    if (entry->d_tag == DT_NEEDED) names.push_back(entry->d_un.d_val);
    if (entry->d_tag == DT_STRTAB) strings = file.loaded_from(entry->d_un.d_ptr);
  }
  std::vector<std::string> result;
  for (std::uint64_t const n : names)
    if (n < strings.size()) result.emplace_back(device::text_at(strings, n));
  return result;
}

//! The libraries that the loader would load for a program: it lists them instead of running the
//! program.
std::string loaded_libraries(std::string const& path) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  pid_t const child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    unsetenv("LD_PRELOAD");
    unsetenv("LD_AUDIT");
    setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
    execl(path.c_str(), path.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (;;) {
    ssize_t const n = read(ends[0], part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    text.append(part, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  if (child > 0)
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  return text;
}

//! The file names of CUDA runtimes in a text.
std::vector<std::string> cuda_runtimes(std::string_view text) {
  std::vector<std::string> found;
  for (std::size_t position = 0;
       (position = text.find(library_prefix, position)) != std::string_view::npos;
       position += library_prefix.size()) {
    std::size_t const end = text.find_first_of(" \t\n/", position);
    found.emplace_back(text.substr(position, end == std::string_view::npos ? end : end - position));
  }
  return found;
}

bool is_program(std::string const& path) {
  std::error_code failed;
  return std::filesystem::is_regular_file(path, failed) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::string find_program(std::string const& name) {
  if (name.find('/') == std::string::npos) {
    char const* const folders = std::getenv("PATH");
    std::string_view rest = folders == nullptr ? "/bin:/usr/bin" : folders;
    for (bool more = !name.empty(); more;) {
      std::size_t const colon = rest.find(':');
      std::string const folder(rest.substr(0, colon));
      std::string const path = (folder.empty() ? "." : folder) + '/' + name;
      if (is_program(path)) return path;
      more = colon != std::string_view::npos;
      if (more) rest.remove_prefix(colon + 1);
    }
    throw tool::failure("the program " + tool::in_quotes(name) +
                        " is in no folder of PATH; for one in this folder, write ./" +
                        tool::shortened(name));
  }
  struct stat status{};
  if (stat(name.c_str(), &status) != 0)
    throw tool::failure("the program " + tool::shown_path(name) +
                        " cannot be run: " + std::strerror(errno));
  if (!S_ISREG(status.st_mode)) throw tool::failure("the program " + name + " is no file");
  if (access(name.c_str(), X_OK) != 0)
    throw tool::failure("the program " + name + " is not executable");
  return name;
}

program_file read_program(std::string const& path) {
  device::elf_file const file(path.c_str());
  std::string_view const bytes = file.bytes();
  if (bytes.empty() && access(path.c_str(), R_OK) != 0)
    throw tool::failure(path + " cannot be read: " + std::strerror(errno));
  if (bytes.starts_with("#!")) {
    program_file script;
    script.is_script = true;
    return script;
  }
  if (!bytes.starts_with(ELFMAG)) throw tool::failure(path + " is no ELF program");
  auto const& header = file.header();
  if (!header || header->e_machine != this_machine ||
      (header->e_type != ET_EXEC && header->e_type != ET_DYN) ||
      header->e_phentsize != sizeof(Elf64_Phdr))
    throw tool::failure(path + " is no 64-bit program for this machine");
  program_file found;
  bool is_complete = true;
  is_complete &= file.for_each_segment([&](Elf64_Phdr const& p) {
    if (p.p_type == PT_LOAD && p.p_filesz != 0)
      is_complete &= p.p_filesz <= bytes.size() && p.p_offset <= bytes.size() - p.p_filesz;
    if (p.p_type == PT_INTERP) found.has_interpreter = true;
    if (p.p_type == PT_DYNAMIC) found.needed = needed_libraries(file, p);
  });
  if (!is_complete) throw tool::failure(path + " is no complete ELF file");
  found.has_device_code = file.section(".nv_fatbin").has_value();
  return found;
}

std::vector<dynamic_symbol> dynamic_symbols_of(std::string const& path) {
  std::vector<dynamic_symbol> found;
  device::elf_file(path.c_str())
      .for_each_symbol(SHT_DYNSYM, [&](std::string_view name, Elf64_Sym const& s) {
        found.push_back(
            {std::string(name), !device::is_defined(s), ELF64_ST_BIND(s.st_info) == STB_WEAK});
      });
  return found;
}

std::vector<std::string> library_paths_of(std::string const& program) {
  std::vector<std::string> found;
  std::istringstream lines(loaded_libraries(program));
  for (std::string line; std::getline(lines, line);) {  // "	libm.so.6 => /lib/libm.so.6 (0x…)"
    std::istringstream words(line);
    std::string name, arrow, path;
    if (words >> name >> arrow >> path && arrow == "=>")
      found.push_back(path.starts_with('/') ? path : name);
  }
  return found;
}

bool check_cuda_program(std::string const& path) {
  program_file const program = read_program(path);
  if (program.is_script) return false;
  std::string all;
  for (std::string const& n : program.needed) all += n + '\n';
  std::vector<std::string> runtimes = cuda_runtimes(all);
  bool const needs_driver = all.find(driver_library) != std::string::npos;
  if (runtimes.empty() && !program.has_interpreter)
    throw tool::failure(path + " is linked statically, without a loader; link it dynamically");
  if (runtimes.empty()) {
    all = loaded_libraries(path);
    runtimes = cuda_runtimes(all);
  }
  if (runtimes.empty())
    return program.has_device_code || needs_driver || all.find(driver_library) != std::string::npos;
  if (std::find(runtimes.begin(), runtimes.end(), wanted_library) != runtimes.end()) return true;
  throw tool::failure(path + " needs " + runtimes.front() +
                      ", the CUDA runtime of another version; mmm-run stands for " +
                      std::string(wanted_library) +
                      ", for one that is linked into the program and "
                      "for " +
                      std::string(driver_library) + ": compile with CUDA 13");
}

}  // namespace run
