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
      buffer_(capacity + 2 * slack) {
  if (!file_)
    throw tool::failure(tool::shown_path(name) + " cannot be read: " + std::strerror(errno));
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
}

char const* line_reader::find_end() const {
  return static_cast<char const*>(std::memchr(buffer_.data() + begin_, '\n', end_ - begin_));
}

void line_reader::take(std::string_view& line, char const* end) {
  char const* const first = buffer_.data() + begin_;
  auto length = static_cast<std::size_t>(end - first);
  begin_ += length + 1;
  if (length > 0 && first[length - 1] == '\r') --length;
  line = {first, length};
  ++number_;
}

bool line_reader::next_of_refilled(std::string_view& line) {
  std::memmove(buffer_.data() + slack, buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_ - slack;
  begin_ = slack;
  while (!finished_) {
    std::size_t const searched = end_;
    std::size_t const room = slack + capacity - end_;
    if (room == 0)
      throw tool::failure(name_ + ", line " + std::to_string(number_ + 1) +
                          " is too long; accepted: up to " + std::to_string(capacity) + " bytes");
    std::size_t const more = std::fread(buffer_.data() + end_, 1, room, file_.get());
    if (more == 0) {
      if (std::ferror(file_.get()) != 0)
        throw tool::failure(name_ + " cannot be read: " + std::strerror(errno));
      finished_ = true;
    }
    end_ += more;
    auto const* const end =
        static_cast<char const*>(std::memchr(buffer_.data() + searched, '\n', end_ - searched));
    if (end == nullptr) continue;
    take(line, end);
    return true;
  }
  if (begin_ == end_) return false;
  take(line, buffer_.data() + end_);  // the last line has no end
  begin_ = end_;
  return true;
}

}  // namespace replay
