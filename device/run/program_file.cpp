// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_file.hpp"

#include <common/failure.hpp>
#include <common/text.hpp>
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
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

//! Bytes of a file, read where they are asked for: nothing of an ELF file's size is to be trusted.
class bytes {
 public:
  explicit bytes(std::string const& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0) throw tool::failure(path + " cannot be read: " + std::strerror(errno));
  }
  ~bytes() { close(file_); }
  bytes(bytes const&) = delete;
  bytes& operator=(bytes const&) = delete;

  //! Nothing if the file ends before.
  template <class T>
  [[nodiscard]] std::optional<T> at(std::uint64_t offset) const {
    T value;
    if (read(&value, sizeof value, offset) != sizeof value) return std::nullopt;
    return value;
  }
  //! The text from `offset` on, which ends at a zero byte, at the end of the file or after 4096
  //! bytes.
  [[nodiscard]] std::string text(std::uint64_t offset) const {
    char part[4096];
    return std::string(part, strnlen(part, read(part, sizeof part, offset)));
  }
  //! At most `count` bytes from `offset` on, as many as there are.
  [[nodiscard]] std::string part(std::uint64_t offset, std::uint64_t count) const {
    struct stat status{};
    auto const size = fstat(file_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
    if (offset >= size) return {};
    std::string text(std::min(count, size - offset), '\0');
    text.resize(read(text.data(), text.size(), offset));
    return text;
  }

 private:
  std::size_t read(void* to, std::size_t count, std::uint64_t offset) const {
    if (offset > std::uint64_t{INT64_MAX}) return 0;
    ssize_t const n = pread(file_, to, count, static_cast<off_t>(offset));
    return n < 0 ? 0 : static_cast<std::size_t>(n);
  }
  int file_;
};

//! The offset in the file of an address of the loaded program; -1 if the file has no such address.
std::uint64_t file_offset(bytes const& file, Elf64_Ehdr const& head, std::uint64_t address) {
  for (unsigned k = 0; k < head.e_phnum; ++k) {
    auto const p = file.at<Elf64_Phdr>(head.e_phoff + std::uint64_t{k} * sizeof(Elf64_Phdr));
    if (p && p->p_type == PT_LOAD && address >= p->p_vaddr && address - p->p_vaddr < p->p_filesz)
      return address - p->p_vaddr + p->p_offset;
  }
  return ~std::uint64_t{0};
}

std::vector<std::string> needed_libraries(bytes const& file, Elf64_Ehdr const& head,
                                          Elf64_Phdr const& dynamic) {
  std::vector<std::uint64_t> names;
  std::uint64_t strings = ~std::uint64_t{0};
  for (std::uint64_t position = 0; position + sizeof(Elf64_Dyn) <= dynamic.p_filesz;
       position += sizeof(Elf64_Dyn)) {
    auto const entry = file.at<Elf64_Dyn>(dynamic.p_offset + position);
    if (!entry || entry->d_tag == DT_NULL) break;
    if (entry->d_tag == DT_NEEDED) names.push_back(entry->d_un.d_val);
    if (entry->d_tag == DT_STRTAB) strings = file_offset(file, head, entry->d_un.d_ptr);
  }
  std::vector<std::string> result;
  if (strings != ~std::uint64_t{0})
    for (std::uint64_t const n : names) result.push_back(file.text(strings + n));
  return result;
}

//! The header of a section; nothing if there is none of that name.
std::optional<Elf64_Shdr> find_section(bytes const& file, Elf64_Ehdr const& head,
                                       std::string_view wanted) {
  auto const names =
      file.at<Elf64_Shdr>(head.e_shoff + std::uint64_t{head.e_shstrndx} * sizeof(Elf64_Shdr));
  if (head.e_shoff == 0 || !names) return std::nullopt;
  for (unsigned k = 0; k < head.e_shnum; ++k) {
    auto const s = file.at<Elf64_Shdr>(head.e_shoff + std::uint64_t{k} * sizeof(Elf64_Shdr));
    if (s && file.text(names->sh_offset + s->sh_name) == wanted) return s;
  }
  return std::nullopt;
}

std::optional<Elf64_Ehdr> header_of(bytes const& file) {
  auto const head = file.at<Elf64_Ehdr>(0);
  bool const is_elf =
      head && std::string_view(reinterpret_cast<char const*>(head->e_ident), SELFMAG) == ELFMAG &&
      head->e_ident[EI_CLASS] == ELFCLASS64;
  return is_elf ? head : std::nullopt;
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
  bytes const file(path);
  auto const head = file.at<Elf64_Ehdr>(0);
  std::string const start = file.text(0);
  if (start.starts_with("#!")) {
    program_file script;
    script.is_script = true;
    return script;
  }
  if (!start.starts_with(ELFMAG)) throw tool::failure(path + " is no ELF program");
  if (!head || head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_machine != this_machine ||
      (head->e_type != ET_EXEC && head->e_type != ET_DYN) ||
      head->e_phentsize != sizeof(Elf64_Phdr))
    throw tool::failure(path + " is no 64-bit program for this machine");
  program_file found;
  for (unsigned k = 0; k < head->e_phnum; ++k) {
    auto const p = file.at<Elf64_Phdr>(head->e_phoff + std::uint64_t{k} * sizeof(Elf64_Phdr));
    bool const is_complete = p && (p->p_type != PT_LOAD || p->p_filesz == 0 ||
                                   file.at<char>(p->p_offset + p->p_filesz - 1));
    if (!is_complete) throw tool::failure(path + " is no complete ELF file");
    if (p->p_type == PT_INTERP) found.has_interpreter = true;
    if (p->p_type == PT_DYNAMIC) found.needed = needed_libraries(file, *head, *p);
  }
  found.has_device_code = find_section(file, *head, ".nv_fatbin").has_value();
  return found;
}

std::vector<dynamic_symbol> dynamic_symbols_of(std::string const& path) {
  bytes const file(path);
  std::vector<dynamic_symbol> found;
  auto const head = header_of(file);
  auto const symbols = head ? find_section(file, *head, ".dynsym") : std::nullopt;
  auto const names = head ? find_section(file, *head, ".dynstr") : std::nullopt;
  if (!symbols || !names) return found;
  std::string const text = file.part(names->sh_offset, names->sh_size);
  for (std::uint64_t place = 0; place + sizeof(Elf64_Sym) <= symbols->sh_size;
       place += sizeof(Elf64_Sym)) {
    auto const symbol = file.at<Elf64_Sym>(symbols->sh_offset + place);
    if (!symbol || symbol->st_name >= text.size()) break;
    found.push_back({text.c_str() + symbol->st_name, symbol->st_shndx == SHN_UNDEF,
                     ELF64_ST_BIND(symbol->st_info) == STB_WEAK});
  }
  return found;
}

std::string section_of(std::string const& path, std::string_view name) {
  bytes const file(path);
  auto const head = header_of(file);
  auto const section = head ? find_section(file, *head, name) : std::nullopt;
  return section ? file.part(section->sh_offset, section->sh_size) : std::string{};
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
