// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces that the library's simulations write, a line for each thread's access to a word of 4
// bytes. What the threads of one warp read from one memory in one round is a request, and so is
// what they write.
#include "numbers.hpp"
#include "source.hpp"

#include <array>

namespace replay {

namespace {

constexpr index warp_lanes = 32;
constexpr index word_bytes = 4;

//! One line.
struct word_access {
  index round = 0;
  index dmm = 0;
  index thread = 0;
  index address = 0;  //!< bytes
  replay::space space = space::shared;
  bool writes = false;
  [[nodiscard]] bool same_warp(word_access const& other) const {
    return round == other.round && dmm == other.dmm &&
           thread / warp_lanes == other.thread / warp_lanes;
  }
};

word_access read_access(std::string_view line) {
  std::array<std::string_view, 6> field;
  for (std::size_t k = 0; k < field.size(); ++k) {
    std::size_t const comma = line.find(',');
    if ((comma == std::string_view::npos) != (k + 1 == field.size()))
      throw malformed("there are not six fields; accepted: round,space,dmm,thread,address,op");
    field[k] = line.substr(0, comma);
    line.remove_prefix(k + 1 == field.size() ? line.size() : comma + 1);
  }
  word_access result;
  struct named {
    char const* name;
    std::string_view text;
    index& value;
  } const numbers[] = {{"round", field[0], result.round},
                       {"dmm", field[2], result.dmm},
                       {"thread", field[3], result.thread},
                       {"address", field[4], result.address}};
  for (named const& n : numbers)
    if (!read_number(n.text, 10, n.value) || n.value < 0 || n.value > INT64_MAX / word_bytes)
      throw malformed(std::string(n.name) + " is " + quoted(n.text) +
                      "; accepted: a whole number, 0 or more");
  if (field[1] != "shared" && field[1] != "global")
    throw malformed("space is " + quoted(field[1]) + "; accepted: shared or global");
  if (field[5] != "r" && field[5] != "w")
    throw malformed("op is " + quoted(field[5]) + "; accepted: r or w");
  result.address *= word_bytes;
  result.space = field[1] == "shared" ? space::shared : space::global;
  result.writes = field[5] == "w";
  return result;
}

class word_trace : public source {
 public:
  explicit word_trace(line_reader& lines) : lines_(lines) {}

  bool next(request& to) override {
    while (ready_ == 0 || sent_ == ready_) {
      if (sent_ == ready_) sent_ = ready_ = 0;
      if (!collect()) return false;
    }
    to = warp_[sent_++];
    return true;
  }

 private:
  //! Reads the requests of one warp in one round; false at the end.
  bool collect() {
    if (!ahead_ && !read_ahead()) return false;
    word_access const first = access_;
    do {
      add(access_);
    } while (read_ahead() && access_.same_warp(first));
    return true;
  }
  bool read_ahead() {
    std::string_view line;
    ahead_ = lines_.next(line);
    if (!ahead_) return false;
    access_ = read_access(line);
    access_line_ = lines_.number();
    return true;
  }
  void add(word_access const& a) {
    auto const lane = static_cast<std::size_t>(a.thread % warp_lanes);
    mmm::gpu::lane_mask const bit = mmm::gpu::lane_mask{1} << lane;
    std::size_t k = 0;
    while (k < ready_ && (warp_[k].space != a.space || warp_[k].access.writes() != a.writes)) ++k;
    if (k == ready_) {
      warp_[ready_] = {};
      warp_[ready_].line = access_line_;
      warp_[ready_].space = a.space;
      warp_[ready_++].access = lane_access(a.writes, word_bytes);
    }
    if ((warp_[k].active & bit) != 0)
      throw malformed("thread " + std::to_string(a.thread) + " does the same twice in round " +
                      std::to_string(a.round) + "; accepted: once");
    warp_[k].active |= bit;
    warp_[k].address[lane] = a.address;
  }

  line_reader& lines_;
  word_access access_;  //!< read, but not yet part of a request
  std::size_t access_line_ = 0;
  bool ahead_ = false;
  std::array<request, 4> warp_;  //!< reads and writes of both memories
  std::size_t ready_ = 0;
  std::size_t sent_ = 0;
};

}  // namespace

std::unique_ptr<source> word_trace_source(line_reader& lines) {
  return std::make_unique<word_trace>(lines);
}

}  // namespace replay
