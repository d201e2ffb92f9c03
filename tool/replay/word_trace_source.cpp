// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces that the library's simulations write, a line for each thread's access to a word of 4
// bytes. The words that the threads of one warp read from one memory in one round are a request,
// and so are the words that they write.
#include "source.hpp"

#include <array>
#include <map>
#include <tuple>
#include <vector>

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
};

//! The memory, DMM, warp and operation by which the accesses of one round are requests.
using request_key = std::tuple<replay::space, index, index, bool>;

request_key key_of(word_access const& a) {
  return {a.space, a.dmm, a.thread / warp_lanes, a.writes};
}

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
  constexpr index most = INT64_MAX / word_bytes;
  for (named const& n : numbers)
    if (!tool::read_whole(n.text, n.value) || n.value > most)
      throw malformed(std::string(n.name) + " is " + in_quotes(n.text) +
                      "; accepted: a whole number from 0 to " + std::to_string(most));
  if (field[1] != "shared" && field[1] != "global")
    throw malformed("space is " + in_quotes(field[1]) + "; accepted: shared or global");
  if (field[5] != "r" && field[5] != "w")
    throw malformed("op is " + in_quotes(field[5]) + "; accepted: r or w");
  result.address *= word_bytes;
  result.space = field[1] == "shared" ? space::shared : space::global;
  result.writes = field[5] == "w";
  return result;
}

class word_trace : public source {
 public:
  explicit word_trace(line_reader& lines) : lines_(lines) {}

  bool next(request& to) override {
    if (sent_ == ready_.size() && !collect_round()) return false;
    to = ready_[sent_++];
    return true;
  }

 private:
  //! Reads the requests of one round, whose lines may come in any order; false at the end.
  bool collect_round() {
    ready_.clear();
    place_.clear();
    sent_ = 0;
    if (!ahead_ && !read_ahead()) return false;
    index const round = access_.round;
    do {
      add(access_);
    } while (read_ahead() && access_.round == round);
    if (ahead_ && access_.round < round)
      throw malformed("round is " + std::to_string(access_.round) + " after " +
                      std::to_string(round) + "; accepted: rounds that increase");
    return true;
  }
  bool read_ahead() {
    std::string_view line;
    ahead_ = lines_.next(line);
    if (ahead_) access_ = read_access(line);
    return ahead_;
  }
  //! The request of this round that the access belongs to.
  request& request_of(word_access const& a) {
    request_key const key = key_of(a);
    if (!ready_.empty() && key == last_key_) return ready_[last_];
    auto const [at, is_new] = place_.try_emplace(key, ready_.size());
    last_key_ = key;
    last_ = at->second;
    if (is_new) {
      request& r = ready_.emplace_back();
      r.line = lines_.number();
      r.space = a.space;
      r.access = lane_access(a.writes, word_bytes);
    }
    return ready_[last_];
  }
  void add(word_access const& a) {
    request& r = request_of(a);
    auto const lane = static_cast<std::size_t>(a.thread % warp_lanes);
    mmm::gpu::lane_mask const bit = mmm::gpu::lane_mask{1} << lane;
    if ((r.active & bit) != 0)
      throw malformed("thread " + std::to_string(a.thread) + " does the same twice in round " +
                      std::to_string(a.round) + "; accepted: once");
    r.active |= bit;
    r.address[lane] = a.address;
  }

  line_reader& lines_;
  word_access access_;  //!< of the line read last, the first of the next round
  bool ahead_ = false;
  std::vector<request> ready_;  //!< of the present round, by their first lines
  std::size_t sent_ = 0;
  std::map<request_key, std::size_t> place_;  //!< positions in ready_
  request_key last_key_;
  std::size_t last_ = 0;
};

}  // namespace

std::unique_ptr<source> word_trace_source(line_reader& lines) {
  return std::make_unique<word_trace>(lines);
}

}  // namespace replay
