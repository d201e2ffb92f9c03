// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output_file.hpp"

#include <device/core/failure.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace device::report {

output_file::output_file(std::string path, bool begin_empty) : path_(std::move(path)) {
  file_ = open(path_.c_str(),
               O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (begin_empty ? O_TRUNC : 0), 0666);
  if (file_ < 0) throw unsupported(path_ + " cannot be written: " + std::strerror(errno));
  struct stat status{};
  rewritable_ = fstat(file_, &status) == 0 && S_ISREG(status.st_mode);
}

output_file::output_file(output_file&& other) noexcept { *this = std::move(other); }

output_file& output_file::operator=(output_file&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  std::swap(rewritable_, other.rewritable_);
  std::swap(last_, other.last_);
  std::swap(end_, other.end_);
  std::swap(held_, other.held_);
  return *this;
}

output_file::~output_file() {
  if (file_ >= 0) close(file_);
}

void output_file::append(std::string_view text) {
  while (!text.empty()) {
    ssize_t const n = write(file_, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw unsupported(path_ + " cannot be written: " + std::strerror(errno));
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

void output_file::append_last(std::string text) {
  finish();
  if (rewritable_) {
    append(text);
    end_ = lseek(file_, 0, SEEK_CUR);  // others may have written before
    last_ = end_ - static_cast<std::int64_t>(text.size());
  } else {
    held_ = std::move(text);
  }
}

bool output_file::replace_last(std::string text) {
  if (!rewritable_) {
    held_ = std::move(text);
    return true;
  }
  struct stat status{};
  if (fstat(file_, &status) != 0 || status.st_size != end_) return false;
  if (ftruncate(file_, last_) != 0)
    throw unsupported(path_ + " cannot be written: " + std::strerror(errno));
  append(text);
  end_ = lseek(file_, 0, SEEK_CUR);
  return true;
}

void output_file::finish() {
  append(held_);
  held_.clear();
}

}  // namespace device::report
