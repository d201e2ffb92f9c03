// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace device {

//! An ELF file of 64 bits, mapped for reading. Nothing that it says of its size is trusted. Neither
//! the heap nor exceptions are used, since the loader of programs calls this, too.
class elf_file {
 public:
  //! Empty if the file cannot be read, or is no ELF file of 64 bits.
  explicit elf_file(char const* path) noexcept {
    int const file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status{};
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
      bytes_ = static_cast<std::size_t>(status.st_size);
      void* const mapped = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file, 0);
      if (mapped != MAP_FAILED) begin_ = static_cast<char const*>(mapped);
    }
    close(file);
    auto const* const found = at<Elf64_Ehdr>(0);
    if (found != nullptr && std::memcmp(found->e_ident, ELFMAG, SELFMAG) == 0 &&
        found->e_ident[EI_CLASS] == ELFCLASS64)
      head_ = found;
  }
  ~elf_file() {
    if (begin_ != nullptr) munmap(const_cast<char*>(begin_), bytes_);
  }
  elf_file(elf_file const&) = delete;
  elf_file& operator=(elf_file const&) = delete;

  //! Calls `visit(std::string_view name, Elf64_Sym const&)` for each symbol that the file defines
  //! in its table of type SHT_SYMTAB or SHT_DYNSYM. False if it has no such table.
  template <class Visit>
  bool for_each_symbol(Elf64_Word table_type, Visit const& visit) const {
    if (head_ == nullptr) return false;
    for (unsigned k = 0; k < head_->e_shnum; ++k) {
      Elf64_Shdr const* const table = section(k);
      if (table == nullptr || table->sh_type != table_type) continue;
      Elf64_Shdr const* const names = section(table->sh_link);
      std::uint64_t const count = table->sh_size / sizeof(Elf64_Sym);
      auto const* const symbols = at<Elf64_Sym>(table->sh_offset, count);
      char const* const text =
          names == nullptr ? nullptr : at<char>(names->sh_offset, names->sh_size);
      if (symbols == nullptr || text == nullptr) return false;
      for (std::uint64_t n = 0; n < count; ++n) {
        Elf64_Sym const& s = symbols[n];
        if (s.st_shndx == SHN_UNDEF || s.st_name >= names->sh_size) continue;
        char const* const name = text + s.st_name;
        visit(std::string_view(name, strnlen(name, names->sh_size - s.st_name)), s);
      }
      return true;
    }
    return false;
  }

  //! The bytes of the file that are loaded to an address of the program; null if the file has not
  //! all of them.
  [[nodiscard]] char const* loaded_to(std::uint64_t address, std::uint64_t count) const {
    if (head_ == nullptr || head_->e_phentsize != sizeof(Elf64_Phdr)) return nullptr;
    auto const* const segments = at<Elf64_Phdr>(head_->e_phoff, head_->e_phnum);
    for (unsigned k = 0; segments != nullptr && k < head_->e_phnum; ++k) {
      Elf64_Phdr const& p = segments[k];
      if (p.p_type != PT_LOAD || address < p.p_vaddr || address - p.p_vaddr > p.p_filesz ||
          count > p.p_filesz - (address - p.p_vaddr))
        continue;
      return at<char>(p.p_offset + (address - p.p_vaddr), count);
    }
    return nullptr;
  }

 private:
  template <class T>
  [[nodiscard]] T const* at(std::uint64_t offset, std::uint64_t count = 1) const {
    bool const is_inside = begin_ != nullptr && offset <= bytes_ && offset % alignof(T) == 0 &&
                           count <= (bytes_ - offset) / sizeof(T);
    return is_inside ? reinterpret_cast<T const*>(begin_ + offset) : nullptr;
  }
  [[nodiscard]] Elf64_Shdr const* section(std::uint64_t number) const {
    if (head_->e_shentsize != sizeof(Elf64_Shdr) || number >= head_->e_shnum) return nullptr;
    return at<Elf64_Shdr>(head_->e_shoff + number * sizeof(Elf64_Shdr));
  }

  char const* begin_ = nullptr;
  std::size_t bytes_ = 0;
  Elf64_Ehdr const* head_ = nullptr;
};

}  // namespace device
