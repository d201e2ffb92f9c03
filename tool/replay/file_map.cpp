// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "file_map.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#endif

namespace replay {

#if defined(__linux__)

namespace {

//! The message when a mapped file is gone: a signal's handler can but write it.
std::string& message() {
  static std::string text;
  return text;
}
char const* message_text = nullptr;
std::size_t message_size = 0;

void end_program(int) {
  static_cast<void>(!::write(STDERR_FILENO, message_text, message_size));
  ::_exit(2);
}

}  // namespace

file_map::file_map(std::FILE* file, std::string const& name) {
  if (file == nullptr || file == stdin) return;
  int const descriptor = ::fileno(file);
  struct stat about{};
  if (::fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size <= 0) return;
  auto const page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  auto const size = static_cast<std::size_t>(about.st_size);
  std::size_t const pages = (size + page - 1) / page * page;
  void* const all =
      ::mmap(nullptr, pages + 2 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return;
  all_ = all;
  size_of_all_ = pages + 2 * page;
  void* const mapped = ::mmap(static_cast<char*>(all) + page, size, PROT_READ,
                              MAP_PRIVATE | MAP_FIXED, descriptor, 0);
  if (mapped == MAP_FAILED) return;
  message() = "mmm-replay: " + name + " cannot be read: it became shorter, or its device failed\n";
  message_text = message().data();
  message_size = message().size();
  std::signal(SIGBUS, &end_program);
  bytes_ = {static_cast<char const*>(mapped), size};
}

file_map::~file_map() {
  if (all_ != nullptr) ::munmap(all_, size_of_all_);
}

#else

file_map::file_map(std::FILE*, std::string const&) {}
file_map::~file_map() = default;

#endif

}  // namespace replay
