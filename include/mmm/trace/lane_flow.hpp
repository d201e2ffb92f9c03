// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/trace/loop_nest.hpp>
#include <mmm/trace/region.hpp>
#include <mmm/trace/shadow.hpp>
#include <mmm/trace/source_place.hpp>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

//! Groups the accesses of a warp's lanes into requests.
namespace mmm::gpu::detail {

//! Control-flow markers between a thread's accesses: the begin of a loop's rounds, the end of a
//! loop, a call of converge() (a reconvergence point), a synchronization of lanes.
enum class flow_mark : std::uint8_t { none, round, loop_end, converge, warp_sync };

//! One access of one thread, or a control-flow marker.
struct traced_access {
  index address;  //!< of a marker: its number of successive occurrences
  std::uint32_t place;
  std::uint8_t bytes;
  access_kind use;
  memory_space space;
  flow_mark mark = flow_mark::none;

  [[nodiscard]] bool same_instruction(traced_access const& other) const {
    return place == other.place && bytes == other.bytes && use == other.use &&
           space == other.space && mark == other.mark;
  }
};

//! Groups the accesses of a warp's lanes as compiled code does: accesses at one place in the
//! source, in the same rounds of the same loops, are one request. Lanes thus wait for each other
//! behind every `if`, at the end of each round, and behind every loop.
//!
//! Loops without markers are found in the paths of the lanes: where a path returns to a line, there
//! is a loop. The accesses of one line are one step of a path, in which loads precede stores.
class lane_flow {
 public:
  explicit lane_flow(place_table const& places) : places_(places) {}

  //! Calls `request(access, address, active)` for each request; lane t of `active` has the address
  //! address[t].
  //! Time: proportional to the number of accesses, plus the square of the number of lines with
  //! accesses.
  template <class Request>
  void for_each_request(std::vector<traced_access> const* const* lists, int lanes,
                        Request const& request) {
    if (same_path(lists, lanes))
      same_steps(lists, lanes, request);
    else
      by_rounds(lists, lanes, request);
  }

 private:
  using node = loop_nest::node;
  static constexpr node none = loop_nest::none;

  enum class step_kind : std::uint8_t { visit, open, round, close };
  //! A step of a lane's path: the accesses of one line, a marker, or the begin, the next rounds or
  //! the end of a marked loop.
  struct step {
    step_kind kind;
    node line;
    std::uint32_t rounds;
    std::size_t begin;  //!< index in the lane's list; ends at the next step's begin
  };
  //! The statements of the kernel, or those inside a marked loop.
  struct region {
    std::uint32_t outer;
    std::uint32_t place;  //!< place of its loop
  };
  //! A node of the graph: a line, a marker or a whole marked loop, in a region.
  struct line_node {
    std::uint32_t place;
    flow_mark mark;
  };
  struct place_in_region {
    std::uint32_t region;
    std::uint32_t place;
    flow_mark mark;
    friend bool operator==(place_in_region const&, place_in_region const&) = default;
  };
  //! A loop that a lane is in, marked or found.
  struct frame {
    node loop;  //!< none for a marked loop
    std::uint32_t instance;
    std::uint32_t round;
  };
  struct request_key {
    std::uint32_t rounds;
    traced_access access;
    friend bool operator==(request_key const& a, request_key const& b) {
      return a.rounds == b.rounds && a.access.same_instruction(b.access);
    }
  };
  struct hash {
    static std::size_t mixed(std::uint64_t bits) {
      bits *= 0x9E3779B97F4A7C15U;
      return static_cast<std::size_t>(bits ^ bits >> 29);
    }
    std::size_t operator()(request_key const& k) const {
      return mixed(mixed(std::uint64_t{k.rounds} << 32 | k.access.place) + k.access.bytes * 8U +
                   static_cast<unsigned>(k.access.use) * 2U +
                   static_cast<unsigned>(k.access.space));
    }
    std::size_t operator()(place_in_region const& k) const {
      return mixed(mixed(std::uint64_t{k.region} << 32 | k.place) + static_cast<unsigned>(k.mark));
    }
    std::size_t operator()(std::uint64_t k) const { return mixed(k); }
  };
  struct request_lanes {
    traced_access access;
    std::size_t begin;  //!< index in sorted_
  };

  //! True if all lanes with accesses make them at the same places in the same order.
  [[nodiscard]] static bool same_path(std::vector<traced_access> const* const* lists, int lanes) {
    std::vector<traced_access> const* path = nullptr;
    for (int t = 0; t < lanes; ++t) {
      if (lists[t]->empty()) continue;
      if (path == nullptr) path = lists[t];
      auto const same = [](traced_access const& a, traced_access const& b) {
        return a.same_instruction(b) && (a.mark == flow_mark::none || a.address == b.address);
      };
      if (!std::equal(path->begin(), path->end(), lists[t]->begin(), lists[t]->end(), same))
        return false;
    }
    return true;
  }
  template <class Request>
  static void same_steps(std::vector<traced_access> const* const* lists, int lanes,
                         Request const& request) {
    lane_mask active = 0;
    int leader = 0;
    for (int t = lanes - 1; t >= 0; --t)
      if (!lists[t]->empty()) active |= lane_mask{1} << (leader = t);
    index address[32];
    for (std::size_t k = 0; k < lists[leader]->size(); ++k) {
      traced_access const& a = (*lists[leader])[k];
      if (a.mark != flow_mark::none) continue;
      for (int t = 0; t < lanes; ++t)
        if ((active >> t & 1) != 0) address[t] = (*lists[t])[k].address;
      request(a, address, active);
    }
  }

  template <class Request>
  void by_rounds(std::vector<traced_access> const* const* lists, int lanes,
                 Request const& request) {
    nodes_.clear();
    node_numbers_.clear();
    regions_.assign(1, {0, none});
    region_numbers_.clear();
    for (int t = 0; t < lanes; ++t) take_steps(*lists[t], steps_[t]);
    nest_.clear(nodes_.size());
    for (int t = 0; t < lanes; ++t) add_path(steps_[t]);
    nest_.find([this](loop_nest::cycle const& c) { return head_of(c); });

    requests_.clear();
    numbers_.clear();
    instances_.clear();
    rounds_.clear();
    for (int t = 0; t < lanes; ++t) number_requests(*lists[t], steps_[t], number_of_[t]);
    // Sort the accesses by request.
    sorted_.resize(sort_begins());
    for (int t = 0; t < lanes; ++t)
      for (std::size_t k = 0; k < lists[t]->size(); ++k)
        if (number_of_[t][k] != none)
          sorted_[requests_[number_of_[t][k]].begin++] = {(*lists[t])[k].address, t};
    std::size_t k = 0;
    for (request_lanes const& r : requests_) {
      index address[32];
      lane_mask active = 0;
      for (; k < r.begin; ++k) {
        address[sorted_[k].second] = sorted_[k].first;
        active |= lane_mask{1} << sorted_[k].second;
      }
      request(r.access, address, active);
    }
  }

  //! The number of a pair of numbers, counted from 0 in the order of first occurrence.
  using numbered = std::unordered_map<std::uint64_t, std::uint32_t, hash>;
  [[nodiscard]] static std::uint32_t number(numbered& numbers, std::uint32_t a, std::uint32_t b) {
    return numbers
        .try_emplace(std::uint64_t{a} << 32 | b, static_cast<std::uint32_t>(numbers.size()))
        .first->second;
  }
  [[nodiscard]] node node_of(std::uint32_t in, traced_access const& a) {
    std::uint32_t const place = a.mark == flow_mark::none ? places_.line_of(a.place) : a.place;
    auto const [found, inserted] =
        node_numbers_.try_emplace({in, place, a.mark}, static_cast<node>(nodes_.size()));
    if (inserted) nodes_.push_back({place, a.mark});
    return found->second;
  }
  [[nodiscard]] std::uint32_t inside(std::uint32_t in, std::uint32_t place) {
    std::uint32_t const n = 1 + number(region_numbers_, in, place);
    if (n == regions_.size()) regions_.push_back({in, place});
    return n;
  }
  void take_steps(std::vector<traced_access> const& list, std::vector<step>& steps) {
    steps.clear();
    std::uint32_t in = 0;
    for (std::size_t k = 0; k < list.size(); ++k) {
      traced_access const& a = list[k];
      if (a.mark == flow_mark::loop_end && is_open(in, a.place)) {
        for (bool closed = false; !closed; in = regions_[in].outer) {
          closed = regions_[in].place == a.place;
          steps.push_back({step_kind::close, none, 0, k});
        }
        continue;
      }
      auto const rounds = static_cast<std::uint32_t>(a.address);
      if (a.mark == flow_mark::round && in != 0 && regions_[in].place == a.place) {
        steps.push_back({step_kind::round, none, rounds, k});
        continue;
      }
      node const line = node_of(in, a);
      if (a.mark == flow_mark::round) {
        steps.push_back({step_kind::open, line, rounds, k});
        in = inside(in, a.place);
      } else if (!goes_on(list, k, steps, line)) {
        steps.push_back({step_kind::visit, line, 1, k});
      }
    }
  }
  [[nodiscard]] bool is_open(std::uint32_t in, std::uint32_t place) const {
    while (in != 0 && regions_[in].place != place) in = regions_[in].outer;
    return in != 0;
  }
  //! True if the k-th access belongs to the last step.
  [[nodiscard]] static bool goes_on(std::vector<traced_access> const& list, std::size_t k,
                                    std::vector<step> const& steps, node line) {
    traced_access const& a = list[k];
    if (a.mark != flow_mark::none || steps.empty() || steps.back().line != line) return false;
    if (a.use == access_kind::read && list[k - 1].use != access_kind::read) return false;
    for (std::size_t i = k; i > steps.back().begin; --i)
      if (list[i - 1].same_instruction(a)) return false;
    return true;
  }
  //! Adds a lane's path to the graph; in a marked loop each round is a path of its own.
  void add_path(std::vector<step> const& steps) {
    last_.assign(1, none);
    auto const end_round = [this] {
      if (last_.back() != none) nest_.leave(last_.back());
    };
    for (step const& s : steps) {
      if (s.kind == step_kind::close || s.kind == step_kind::round) {
        end_round();
        if (s.kind == step_kind::close)
          last_.pop_back();
        else
          last_.back() = none;
        continue;
      }
      if (last_.back() == none)
        nest_.enter(s.line);
      else
        nest_.add(last_.back(), s.line);
      last_.back() = s.line;
      if (s.kind == step_kind::open) last_.push_back(none);
    }
    for (; !last_.empty(); last_.pop_back()) end_round();
  }

  //! The head of the outermost loop of a cycle, a node that all its rounds pass: the only entry or
  //! the only exit of all lanes, or a call of converge(). Among several such nodes, the one whose
  //! removal leaves most nodes on inner loops; without any, the one whose removal leaves fewest.
  [[nodiscard]] node head_of(loop_nest::cycle const& c) const {
    std::vector<node> known;
    if (c.entries.size() == 1) known.push_back(c.entries[0]);
    if (c.exits.size() == 1) known.push_back(c.exits[0]);
    for (node const n : c.nodes)
      if (nodes_[n].mark == flow_mark::converge) known.push_back(n);
    if (known.size() == 1) return known[0];
    std::vector<node> const& candidates = known.empty() ? c.nodes : known;
    node best = none;
    std::size_t left_by_best = 0;
    for (node const n : candidates) {
      std::size_t const left = nest_.on_cycles_without(n, c.nodes);
      bool const better = known.empty() ? left < left_by_best : left > left_by_best;
      if (best == none || better) {
        best = n;
        left_by_best = left;
      }
    }
    return best;
  }

  //! Assigns each access of a lane the number of its request.
  void number_requests(std::vector<traced_access> const& list, std::vector<step> const& steps,
                       std::vector<std::uint32_t>& numbers) {
    numbers.assign(list.size(), none);
    frames_.clear();
    auto const rounds = [this] {
      return frames_.empty() ? none
                             : number(rounds_, frames_.back().instance, frames_.back().round);
    };
    for (std::size_t s = 0; s < steps.size(); ++s) {
      if (steps[s].kind == step_kind::round || steps[s].kind == step_kind::close) {
        while (frames_.back().loop != none) frames_.pop_back();
        frames_.back().round += steps[s].rounds;
        if (steps[s].kind == step_kind::close) frames_.pop_back();
        continue;
      }
      go_to(steps[s].line, rounds);
      if (steps[s].kind == step_kind::open)
        frames_.push_back({none, number(instances_, rounds(), ~steps[s].line), steps[s].rounds});
      if (nodes_[steps[s].line].mark != flow_mark::none) continue;
      std::uint32_t const here = rounds();
      std::size_t const end = s + 1 < steps.size() ? steps[s + 1].begin : list.size();
      for (std::size_t k = steps[s].begin; k < end; ++k) {
        auto const [found, inserted] = numbers_.try_emplace(
            request_key{here, list[k]}, static_cast<std::uint32_t>(requests_.size()));
        if (inserted) requests_.push_back({list[k], 0});
        numbers[k] = found->second;
        ++requests_[numbers[k]].begin;  // a count, until sort_begins
      }
    }
  }
  //! Leaves and enters found loops on the way to a line, and begins their rounds.
  template <class Rounds>
  void go_to(node line, Rounds const& rounds) {
    node const loop = nest_.innermost(line);
    auto const in_found = [this] { return !frames_.empty() && frames_.back().loop != none; };
    while (in_found() && !nest_.contains(frames_.back().loop, loop)) frames_.pop_back();
    entered_.clear();
    for (node l = loop; l != none && !(in_found() && l == frames_.back().loop); l = nest_.parent(l))
      entered_.push_back(l);
    for (; !entered_.empty(); entered_.pop_back())
      frames_.push_back({entered_.back(), number(instances_, rounds(), entered_.back()), 0});
    if (loop != none && nest_.head(loop) == line) ++frames_.back().round;
  }
  //! Replaces the number of each request's accesses by the index of the first one; returns the sum.
  std::size_t sort_begins() {
    std::size_t sum = 0;
    for (request_lanes& r : requests_) sum += std::exchange(r.begin, sum);
    return sum;
  }

  place_table const& places_;
  std::vector<line_node> nodes_;
  std::unordered_map<place_in_region, node, hash> node_numbers_;
  std::vector<region> regions_;  //!< the first region is the kernel
  std::vector<step> steps_[32];
  loop_nest nest_;
  std::vector<frame> frames_;
  std::vector<node> entered_;
  std::vector<node> last_;  //!< last node of each path, for the loops that a lane is in
  numbered region_numbers_;
  numbered instances_;  //!< instances of loops, by the rounds around them
  numbered rounds_;     //!< rounds of instances
  std::unordered_map<request_key, std::uint32_t, hash> numbers_;
  std::vector<request_lanes> requests_;
  std::vector<std::uint32_t> number_of_[32];
  std::vector<std::pair<index, int>> sorted_;
};

}  // namespace mmm::gpu::detail
