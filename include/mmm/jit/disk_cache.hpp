// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/jit/environment.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

//! A cache of compiled kernels on disk, which several processes may use at once.
namespace mmm::jit {

namespace detail {

//! A hash of 64 bits, as FNV-1a but of eight bytes at a time. Texts that differ in eight bytes from
//! a multiple of eight on, and nowhere else, have different hashes.
[[nodiscard]] inline std::uint64_t hash_of(std::string_view text,
                                           std::uint64_t hash = 0xcbf29ce484222325U) {
  auto const add = [&](std::uint64_t word) {
    hash = (hash ^ word) * 0x100000001b3U;
    hash ^= hash >> 32;  // a product has nothing of its upper bits in the lower ones
  };
  add(text.size());
  for (; !text.empty(); text.remove_prefix(std::min<std::size_t>(text.size(), 8))) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), std::min<std::size_t>(text.size(), 8));
    add(word);
  }
  return hash;
}
[[nodiscard]] inline std::string hex_text(std::uint64_t number) {
  std::string text(16, '0');
  for (std::size_t k = 16; k-- > 0; number >>= 4) text[k] = "0123456789abcdef"[number & 15];
  return text;
}

}  // namespace detail

//! Compiled kernels as files of a folder, by keys. A key is a text of all that the kernel depends
//! on: the file's name is a hash of it, and the file holds it whole, so that keys of equal hash are
//! told apart. A file is written under another name and then renamed: a reader finds all of it or
//! nothing, and among processes that write the same key one wins. A file that is not whole, by its
//! size and a checksum, counts as missing and is replaced. A folder that cannot be written does
//! not stop a program: `store` says why, and the kernel is compiled again next time.
class disk_cache {
 public:
  //! \param folder made when it is first needed; empty: no cache.
  explicit disk_cache(std::filesystem::path folder = default_folder())
      : folder_(std::move(folder)) {}

  //! MMM_CACHE_DIR; else `mmm` in XDG_CACHE_HOME, or in `.cache` of HOME; else none. An
  //! MMM_CACHE_DIR that is set but empty means no cache.
  [[nodiscard]] static std::filesystem::path default_folder() {
    if (char const* const own = std::getenv("MMM_CACHE_DIR"); own != nullptr) return own;
    // The standard of these folders ignores those that are not absolute.
    std::filesystem::path const caches = detail::environment("XDG_CACHE_HOME");
    if (caches.is_absolute()) return caches / "mmm";
    std::filesystem::path const home = detail::environment("HOME");
    return home.is_absolute() ? home / ".cache" / "mmm" : std::filesystem::path();
  }

  [[nodiscard]] std::filesystem::path const& folder() const { return folder_; }
  //! The file of a key.
  [[nodiscard]] std::filesystem::path file_of(std::string_view key) const {
    return folder_ / (detail::hex_text(detail::hash_of(key)) + ".kernel");
  }

  //! The contents of a key; nothing if there are none, or if its file is damaged.
  [[nodiscard]] std::optional<std::string> find(std::string_view key) const {
    if (folder_.empty()) return {};
    std::string const all = contents_of(file_of(key).c_str());
    std::string const head = head_of(key);
    if (all.size() < head.size() + 16 || all.compare(0, head.size(), head) != 0) return {};
    std::string_view const contents = std::string_view(all).substr(head.size() + 16);
    if (all.compare(head.size(), 16, detail::hex_text(detail::hash_of(contents))) != 0) return {};
    return std::string(contents);
  }

  //! Stores the contents of a key. Returns an empty text, or the reason why the cache does not have
  //! them; then no file of this call remains.
  [[nodiscard]] std::string store(std::string_view key, std::string_view contents) const {
    if (folder_.empty()) return {};
    std::error_code failure;
    std::filesystem::create_directories(folder_, failure);
    if (failure) return "mmm: cannot make the cache " + folder_.string() + ": " + failure.message();
    std::filesystem::path const file = file_of(key);
    std::string name = file.string() + ".XXXXXX";
    int const open_file = ::mkstemp(name.data());
    if (open_file < 0)
      return "mmm: cannot write to the cache " + folder_.string() + ": " + reason();
    std::string const all =
        head_of(key) + detail::hex_text(detail::hash_of(contents)) + std::string(contents);
    bool written = write_all(open_file, all);
    std::string why = written ? "" : reason();
    if (::close(open_file) != 0 && written) {
      written = false;
      why = reason();
    }
    if (written && ::rename(name.c_str(), file.c_str()) == 0) return {};
    if (written) why = reason();
    static_cast<void>(::unlink(name.c_str()));
    return "mmm: cannot write " + file.string() + ": " + why;
  }

 private:
  //! The beginning of a key's file: a mark, the key's length, the key.
  [[nodiscard]] static std::string head_of(std::string_view key) {
    return "mmm kernel 2\n" + std::to_string(key.size()) + "\n" + std::string(key) + "\n";
  }
  [[nodiscard]] static std::string reason() { return std::generic_category().message(errno); }
  //! A file's contents, as far as they can be read.
  [[nodiscard]] static std::string contents_of(char const* name) {
    std::string all;
    int const file = ::open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0) return all;
    struct ::stat about{};
    if (::fstat(file, &about) == 0 && S_ISREG(about.st_mode))
      all.resize(static_cast<std::size_t>(about.st_size));
    std::size_t size = 0;
    while (size < all.size()) {
      ::ssize_t const n = ::read(file, all.data() + size, all.size() - size);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      size += static_cast<std::size_t>(n);
    }
    static_cast<void>(::close(file));
    all.resize(size);
    return all;
  }
  [[nodiscard]] static bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
      ::ssize_t const n = ::write(file, text.data(), text.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }

  std::filesystem::path folder_;
};

}  // namespace mmm::jit
