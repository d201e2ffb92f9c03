// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces that the library's simulations write, a line for each thread's access to a word of 4
// bytes. The words that the threads of one warp read from one memory in one round are a request,
// and so are those that they write, or update atomically.
#include "numbers.hpp"
#include "source.hpp"
#include "word_lines.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
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
  memory_space space = memory_space::shared;
  char op = 'r';
};

//! The DMM, warp, memory and operation by which the accesses of one round are requests, in the
//! order in which the library writes them.
using request_key = std::tuple<index, index, memory_space, char>;

request_key key_of(word_access const& a) { return {a.dmm, a.thread / warp_lanes, a.space, a.op}; }

//! A lane's address for the counts: a bank makes one atomic update at a time, so that updates count
//! as writes to words of their own in the same banks (mmm/gpu/atomic.hpp).
index place_of(word_access const& a, std::size_t lane, index address) {
  constexpr index row = warp_lanes * word_bytes;
  if (a.op != 'u' || a.space != memory_space::shared) return address;
  return address % row + static_cast<index>(lane) * row;
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
  if (field[5] != "r" && field[5] != "w" && field[5] != "u")
    throw malformed("op is " + in_quotes(field[5]) + "; accepted: r, w or u");
  result.address *= word_bytes;
  result.space = field[1] == "shared" ? memory_space::shared : memory_space::global;
  result.op = field[5][0];
  return result;
}

//! The requests of one round, whose lines may come in any order.
class round_requests {
 public:
  void clear() {
    all_.clear();
    keys_.clear();
    position_.clear();
  }
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] request& operator[](std::size_t k) { return all_[k]; }
  [[nodiscard]] request& last() { return all_[last_]; }

  //! The position of a request, which becomes the last one; true if it is new.
  bool find(request_key const& key) {
    std::size_t const count = all_.size();
    if (count != 0 && keys_[last_] == key) return false;
    if (position_.empty()) {
      // Ascending keys are their own index.
      if (count == 0 || keys_.back() < key) {
        append(key);
        return true;
      }
      auto const at = std::lower_bound(keys_.begin(), keys_.end(), key);
      if (*at == key) {
        last_ = static_cast<std::size_t>(at - keys_.begin());
        return false;
      }
      for (std::size_t k = 0; k < count; ++k) position_.emplace_hint(position_.end(), keys_[k], k);
    }
    auto const [at, is_new] = position_.try_emplace(key, count);
    last_ = at->second;
    if (is_new) append(key);
    return is_new;
  }

 private:
  void append(request_key const& key) {
    last_ = all_.size();
    all_.emplace_back();
    keys_.push_back(key);
  }
  std::vector<request> all_;  //!< by their first lines
  std::vector<request_key> keys_;
  std::map<request_key, std::size_t> position_;  //!< once they do not ascend
  std::size_t last_ = 0;
};

class word_trace : public source {
 public:
  word_trace(line_reader& lines, tool::processor by)
      : lines_(lines), lines_in_order_(by >= word_lines::first_processor) {}

  bool next(request& to) override {
    if (sent_ == ready_.size() && !collect_round()) return false;
    to = ready_[sent_++];
    return true;
  }

 private:
  //! Reads the requests of one round; false at the end.
  bool collect_round() {
    ready_.clear();
    sent_ = 0;
    if (!ahead_ && !read_ahead()) return false;
    index const round = access_.round;
    do {
      add(access_);
      add_lines_alike();
    } while (read_ahead() && access_.round == round);
    if (ahead_ && access_.round < round)
      throw malformed("round is " + std::to_string(access_.round) + " after " +
                      std::to_string(round) + "; accepted: rounds that increase");
    return true;
  }
  bool read_ahead() {
    ahead_ = lines_.next(line_);
    if (ahead_) access_ = read_access(line_);
    return ahead_;
  }
  //! The request that an access of line `line` belongs to, which becomes the last one.
  request& request_of(word_access const& a, std::size_t line) {
    if (ready_.find(key_of(a))) {
      request& fresh = ready_.last();
      fresh.line = line;
      fresh.space = a.space;
      fresh.block = static_cast<std::size_t>(a.dmm);
      fresh.access = lane_access(fresh.space, a.op != 'r', word_bytes);
    }
    return ready_.last();
  }
  void add(word_access const& a) {
    request& r = request_of(a, lines_.number());
    auto const lane = static_cast<std::size_t>(a.thread % warp_lanes);
    mmm::gpu::lane_mask const bit = mmm::gpu::lane_mask{1} << lane;
    if ((r.active & bit) != 0)
      throw malformed("thread " + std::to_string(a.thread) + " does the same twice in round " +
                      std::to_string(a.round) + "; accepted: once");
    r.active |= bit;
    r.address[lane] = place_of(a, lane, a.address);
  }

  //! Adds the buffered lines after the one that was added last, as long as they differ from it in
  //! the thread and the address only, both of up to 8 digits. Any other line is left to
  //! `read_ahead`.
  void add_lines_alike() {
    std::size_t prefix = 0;
    for (int commas = 0; commas < 3; ++prefix) commas += line_[prefix] == ',' ? 1 : 0;
    if (prefix >= max_prefix) return;
    std::array<char, max_prefix> first{};
    std::memcpy(first.data(), line_.data(), prefix);
    char const last[2] = {line_.back(), '\n'};
    std::string_view const buffered = lines_.buffered();
    char const* at = buffered.data();
    char const* const end = at + buffered.size();
    std::size_t count = 0;
    number_pair shape;
    word_access next = access_;
    request* r = &ready_.last();
    word_lines in_order({first.data(), prefix}, next.op);
    word_lines::addresses words;
    index previous = next.thread;
    std::size_t not_before =
        lines_in_order_ ? 0 : SIZE_MAX;  // lines until those in order are tried
    while (end - at >= static_cast<std::ptrdiff_t>(max_prefix + 32)) {
      auto const lane_after = static_cast<std::size_t>((previous + 1) % warp_lanes);
      std::size_t const to_warps_end = warp_lanes - lane_after;
      if (count >= not_before && to_warps_end >= least_in_order &&
          end - at >= static_cast<std::ptrdiff_t>(word_lines::looked_at)) {
        if (in_order.read(at, previous + 1, to_warps_end, words)) {
          if (lane_after == 0) {
            next.thread = previous + 1;
            r = &request_of(next, lines_.number() + count + 1);
          }
          auto const bits = static_cast<mmm::gpu::lane_mask>(mmm::gpu::all_lanes(warp_lanes))
                                << lane_after &
                            mmm::gpu::all_lanes(warp_lanes);
          if ((r->active & bits) == 0) {
            r->active |= bits;
            for (std::size_t k = 0; k < to_warps_end; ++k)
              r->address[lane_after + k] = words[k] * word_bytes;
            if (next.op == 'u')
              for (std::size_t k = lane_after; k < warp_lanes; ++k)
                r->address[k] = place_of(next, k, r->address[k]);
            at += in_order.bytes();
            count += to_warps_end;
            previous += static_cast<index>(to_warps_end);
            continue;
          }
        }
        not_before = count + warp_lanes;
      }
      if (!same_start(at, first.data(), prefix)) break;
      char const* const numbers = at + prefix;
      // Most lines have the lengths of the line before: that is a branch that can be foreseen, so
      // that lines are read side by side.
      if (!shape.fits(numbers, ',') && !shape.find(numbers, ',')) break;
      char const* const rest = numbers + shape.bytes();
      if (std::memcmp(rest, last, sizeof last) != 0) break;
      index number[2];
      if (!shape.read(numbers, number)) break;
      if (number[0] / warp_lanes != next.thread / warp_lanes) {
        next.thread = number[0];
        r = &request_of(next, lines_.number() + count + 1);
      }
      auto const lane = static_cast<std::size_t>(number[0] % warp_lanes);
      mmm::gpu::lane_mask const bit = mmm::gpu::lane_mask{1} << lane;
      if ((r->active & bit) != 0) break;
      r->active |= bit;
      r->address[lane] = place_of(next, lane, number[1] * word_bytes);
      previous = number[0];
      at = rest + sizeof last;
      ++count;
    }
    lines_.skip(count, static_cast<std::size_t>(at - buffered.data()));
  }

  static constexpr std::size_t max_prefix = 32;
  static constexpr std::size_t least_in_order = 8;  //!< lines; fewer are read one by one

  line_reader& lines_;
  std::string_view line_;
  word_access access_;  //!< of the line read last, the first of the next round
  bool ahead_ = false;
  bool const lines_in_order_;  //!< whether word_lines may read
  round_requests ready_;
  std::size_t sent_ = 0;
};

}  // namespace

std::unique_ptr<source> word_trace_source(line_reader& lines, tool::processor by) {
  return std::make_unique<word_trace>(lines, by);
}

}  // namespace replay
