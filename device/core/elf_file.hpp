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
#include <optional>
#include <string_view>

namespace device {

//! A value at an offset in bytes; nothing if they end before.
template <class T>
[[nodiscard]] std::optional<T> value_at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

//! `count` bytes from an offset on; none if there are not so many.
[[nodiscard]] inline std::string_view part_of(std::string_view bytes, std::uint64_t offset,
                                              std::uint64_t count) {
  bool const is_inside = offset <= bytes.size() && count <= bytes.size() - offset;
  return is_inside ? std::string_view(bytes.data() + offset, count) : std::string_view{};
}

//! The text that begins at an offset in bytes and ends at a zero byte, or where they end.
[[nodiscard]] inline std::string_view text_at(std::string_view bytes, std::uint64_t offset) {
  if (offset >= bytes.size()) return {};
  return {bytes.data() + offset, strnlen(bytes.data() + offset, bytes.size() - offset)};
}

//! True if the file has the symbol; otherwise another one must define it.
[[nodiscard]] inline bool is_defined(Elf64_Sym const& s) { return s.st_shndx != SHN_UNDEF; }

//! The bytes of an ELF file of 64 bits. Nothing that they state of their sizes is trusted. Neither
//! the heap nor exceptions are used, since the loader of programs calls this, too.
class elf_image {
 public:
  //! Has no header, sections, symbols and segments if the bytes are no ELF file of 64 bits.
  explicit elf_image(std::string_view bytes) noexcept : bytes_(bytes) {
    auto const found = value_at<Elf64_Ehdr>(bytes_, 0);
    if (found && std::memcmp(found->e_ident, ELFMAG, SELFMAG) == 0 &&
        found->e_ident[EI_CLASS] == ELFCLASS64)
      header_ = found;
  }

  [[nodiscard]] std::optional<Elf64_Ehdr> const& header() const { return header_; }

  //! The section with that number, all bytes of which the file has.
  [[nodiscard]] std::optional<Elf64_Shdr> section(std::uint64_t number) const {
    if (!header_ || header_->e_shentsize != sizeof(Elf64_Shdr) || number >= header_->e_shnum)
      return std::nullopt;
    auto const found = value_at<Elf64_Shdr>(bytes_, header_->e_shoff + number * sizeof(Elf64_Shdr));
    bool const is_complete =
        found &&
        (found->sh_type == SHT_NOBITS ||
         (found->sh_offset <= bytes_.size() && found->sh_size <= bytes_.size() - found->sh_offset));
    return is_complete ? found : std::nullopt;
  }
  //! The first section of that name.
  [[nodiscard]] std::optional<Elf64_Shdr> section(std::string_view name) const {
    for (unsigned k = 0; header_ && k < header_->e_shnum; ++k)
      if (auto const s = section(k); s && text(header_->e_shstrndx, s->sh_name) == name) return s;
    return std::nullopt;
  }
  [[nodiscard]] std::string_view contents(Elf64_Shdr const& s) const {
    return s.sh_type == SHT_NOBITS ? std::string_view{} : part_of(bytes_, s.sh_offset, s.sh_size);
  }
  //! The contents of the first section of that name; empty if there is none.
  [[nodiscard]] std::string_view contents(std::string_view name) const {
    auto const s = section(name);
    return s ? contents(*s) : std::string_view{};
  }
  //! The text that begins at an offset in the section `names` and ends at a zero byte.
  [[nodiscard]] std::string_view text(std::uint64_t names, std::uint64_t offset) const {
    auto const s = section(names);
    return s ? text_at(contents(*s), offset) : std::string_view{};
  }

  //! The symbol with that number of a table of symbols.
  [[nodiscard]] std::optional<Elf64_Sym> symbol(Elf64_Shdr const& table,
                                                std::uint64_t number) const {
    return number < table.sh_size / sizeof(Elf64_Sym)
               ? value_at<Elf64_Sym>(bytes_, table.sh_offset + number * sizeof(Elf64_Sym))
               : std::nullopt;
  }
  //! Calls `visit(std::string_view name, Elf64_Sym const&)` for each symbol that the file defines
  //! or needs, in its table of type SHT_SYMTAB or SHT_DYNSYM. False if it has no such table.
  template <class Visit>
  bool for_each_symbol(Elf64_Word table_type, Visit const& visit) const {
    for (unsigned k = 0; header_ && k < header_->e_shnum; ++k) {
      auto const table = section(k);
      if (!table || table->sh_type != table_type) continue;
      auto const names = section(table->sh_link);
      if (!names) return false;
      std::string_view const texts = contents(*names);
      for (std::uint64_t n = 0; auto const s = symbol(*table, n); ++n) {
        if (s->st_name < texts.size()) visit(text_at(texts, s->st_name), *s);
      }
      return true;
    }
    return false;
  }

  //! Calls `visit(Elf64_Phdr const&)` for each segment. False if the file does not have all.
  template <class Visit>
  bool for_each_segment(Visit const& visit) const {
    if (!header_ || header_->e_phentsize != sizeof(Elf64_Phdr)) return false;
    for (std::uint64_t k = 0; k < header_->e_phnum; ++k) {
      auto const p = value_at<Elf64_Phdr>(bytes_, header_->e_phoff + k * sizeof(Elf64_Phdr));
      if (!p) return false;
      visit(*p);
    }
    return true;
  }
  //! The bytes of the file from the one on that is loaded to an address of the program, to the end
  //! of its segment; empty if the file does not have all of them.
  [[nodiscard]] std::string_view loaded_from(std::uint64_t address) const {
    std::string_view found;
    for_each_segment([&](Elf64_Phdr const& p) {
      std::uint64_t const offset = address - p.p_vaddr;
      if (p.p_type == PT_LOAD && address >= p.p_vaddr && offset < p.p_filesz)
        found = part_of(part_of(bytes_, p.p_offset, p.p_filesz), offset, p.p_filesz - offset);
    });
    return found;
  }
  //! `count` bytes that are loaded to an address of the program; null if the file does not have all
  //! of them.
  [[nodiscard]] char const* loaded_to(std::uint64_t address, std::uint64_t count) const {
    std::string_view const found = loaded_from(address);
    return !found.empty() && count <= found.size() ? found.data() : nullptr;
  }
  //! Calls `visit(std::uint64_t address, std::uint64_t pointer)` for each pointer that the loader
  //! writes to an address of a program that is loaded where its file says.
  template <class Visit>
  void for_each_relocated_pointer(Visit const& visit) const {
    for (unsigned k = 0; header_ && k < header_->e_shnum; ++k) {
      auto const table = section(k);
      if (!table || table->sh_type != SHT_RELA) continue;
      for (std::uint64_t n = 0; n < table->sh_size / sizeof(Elf64_Rela); ++n)
        if (auto const r = value_at<Elf64_Rela>(bytes_, table->sh_offset + n * sizeof(Elf64_Rela));
            r && ELF64_R_SYM(r->r_info) == 0)
          visit(r->r_offset, static_cast<std::uint64_t>(r->r_addend));
    }
  }

 private:
  std::string_view bytes_;
  std::optional<Elf64_Ehdr> header_{};
};

//! A file, mapped for reading.
class mapped_file {
 public:
  //! Has no bytes if the file cannot be read.
  explicit mapped_file(char const* path) noexcept {
    int const file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status{};
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
      auto const count = static_cast<std::size_t>(status.st_size);
      void* const begin = mmap(nullptr, count, PROT_READ, MAP_PRIVATE, file, 0);
      if (begin != MAP_FAILED) bytes_ = {static_cast<char const*>(begin), count};
    }
    close(file);
  }
  ~mapped_file() {
    if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  mapped_file(mapped_file const&) = delete;
  mapped_file& operator=(mapped_file const&) = delete;

  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_{};
};

class elf_file : public mapped_file, public elf_image {
 public:
  explicit elf_file(char const* path) noexcept : mapped_file(path), elf_image(bytes()) {}
};

}  // namespace device
