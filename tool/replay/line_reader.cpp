// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "line_reader.hpp"

#include <common/failure.hpp>
#include <common/text.hpp>

#include <cerrno>
#include <cstring>

namespace replay {

namespace {
constexpr std::size_t capacity = std::size_t{1} << 20;
}

line_reader::line_reader(std::string const& name)
    : name_(name),
      file_(name == "-" ? stdin : std::fopen(name.c_str(), "rb")),
      map_(file_.get(), name) {
  if (!file_)
    throw tool::failure(tool::shown_path(name) + " cannot be read: " + std::strerror(errno));
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  begin_ = map_.bytes().data();
  end_ = begin_ + map_.bytes().size();
}

char const* line_reader::find_end() const {
  if (begin_ == end_) return nullptr;
  return static_cast<char const*>(
      std::memchr(begin_, '\n', static_cast<std::size_t>(end_ - begin_)));
}

void line_reader::refuse_long_line() const {
  throw tool::failure(name_ + ", line " + std::to_string(number_ + 1) +
                      " is too long; accepted: up to " + std::to_string(capacity) + " bytes");
}

void line_reader::take(std::string_view& line, char const* end) {
  auto length = static_cast<std::size_t>(end - begin_);
  if (length >= capacity) refuse_long_line();
  line = {begin_, length};
  if (line.ends_with('\r')) line.remove_suffix(1);
  begin_ = end + 1;
  ++number_;
}

bool line_reader::next_of_refilled(std::string_view& line) {
  auto held = static_cast<std::size_t>(end_ - begin_);
  if (held >= capacity) refuse_long_line();
  if (buffer_.empty()) {
    buffer_.resize(capacity + 2 * slack);
    if (!map_.bytes().empty() &&
        std::fseek(file_.get(), static_cast<long>(map_.bytes().size()), SEEK_SET) != 0)
      finished_ = true;
  }
  char* const first = buffer_.data() + slack;
  if (held > 0) std::memmove(first, begin_, held);
  begin_ = first;
  end_ = first + held;
  while (!finished_) {
    if (held == capacity) refuse_long_line();
    std::size_t const more = std::fread(first + held, 1, capacity - held, file_.get());
    if (more == 0) {
      if (std::ferror(file_.get()) != 0)
        throw tool::failure(name_ + " cannot be read: " + std::strerror(errno));
      finished_ = true;
    }
    auto const* const end = static_cast<char const*>(std::memchr(first + held, '\n', more));
    held += more;
    end_ = first + held;
    if (end == nullptr) continue;
    take(line, end);
    return true;
  }
  if (begin_ == end_) return false;
  take(line, end_);  // the last line has no end
  begin_ = end_;
  return true;
}

}  // namespace replay
