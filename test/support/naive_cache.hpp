// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cache as a list of lines, straight from its description: fully associative, the least recently
// used line is evicted. It uses nothing of the library.
#pragma once

#include <cstdint>
#include <list>
#include <set>

namespace naive_cache {

class cache {
 public:
  cache(std::int64_t lines, std::int64_t sectors_of_a_line)
      : lines_(lines), sectors_(sectors_of_a_line) {}

  std::int64_t reads = 0;
  std::int64_t writes = 0;
  std::int64_t read_misses = 0;
  std::int64_t write_misses = 0;
  std::int64_t write_backs = 0;

  //! True if the sector is in the cache.
  bool access(std::int64_t sector, bool writing) {
    ++(writing ? writes : reads);
    std::int64_t const number = sector / sectors_;
    auto at = held_.begin();
    while (at != held_.end() && at->number != number) ++at;
    if (at == held_.end()) {
      held_.push_front({number, {}, {}});
      if (static_cast<std::int64_t>(held_.size()) > lines_ && lines_ > 0) {
        write_backs += static_cast<std::int64_t>(held_.back().written.size());
        held_.pop_back();
      }
    } else {
      held_.splice(held_.begin(), held_, at);
    }
    line& l = held_.front();
    bool const hit = l.valid.contains(sector);
    if (!hit) ++(writing ? write_misses : read_misses);
    l.valid.insert(sector);
    if (writing) l.written.insert(sector);
    if (lines_ == 0) {
      write_backs += static_cast<std::int64_t>(l.written.size());
      held_.clear();
    }
    return hit;
  }
  [[nodiscard]] std::int64_t left() const {
    std::int64_t sum = 0;
    for (line const& l : held_) sum += static_cast<std::int64_t>(l.written.size());
    return sum;
  }

 private:
  struct line {
    std::int64_t number;
    std::set<std::int64_t> valid;
    std::set<std::int64_t> written;
  };
  std::int64_t lines_;
  std::int64_t sectors_;
  std::list<line> held_;  //!< the most recently used first
};

}  // namespace naive_cache
