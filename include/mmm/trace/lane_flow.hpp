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

//! Which accesses of a warp's lanes are made together.
namespace mmm::gpu::detail {

//! What a thread's list of accesses tells of its way besides them: nothing, rounds of a loop that
//! begin, a loop's end, a call of converge(), a meeting with other lanes.
enum class flow_mark : std::uint8_t { none, round, loop_end, converge, meeting };

//! One access of one thread, or a mark of its way.
struct traced_access {
  index address;  //!< of a mark: how often it follows itself
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

//! Puts the accesses of a warp's lanes together that compiled code makes as one request: those of
//! one place of the source in the same rounds of the same loops. So lanes wait for each other
//! behind every `if`, at the end of each round, and behind every loop.
//!
//! Where a way has no marks of its loops, these are found in the ways that the lanes went: where
//! one comes back to a line, there is a loop. One line's accesses are one step of a way, in which
//! loads come before stores.
class lane_flow {
 public:
  explicit lane_flow(place_table const& places) : places_(places) {}

  //! Calls `request(access, address, active)` for each request, whose lanes in `active` have the
  //! addresses address[lane].
  //! Time: proportional to the accesses, besides the square of the lines that have some.
  template <class Request>
  void for_each_request(std::vector<traced_access> const* const* lists, int lanes,
                        Request const& request) {
    if (one_way(lists, lanes))
      same_steps(lists, lanes, request);
    else
      by_rounds(lists, lanes, request);
  }

 private:
  using node = loop_nest::node;
  static constexpr node none = loop_nest::none;

  enum class does : std::uint8_t { step, open, round, close };
  //! A step of a lane's way: accesses of one line or a mark; a loop opened, its rounds, its end.
  struct step {
    does what;
    node at;
    std::uint32_t rounds;
    std::size_t begin;  //!< in the lane's list, to the begin of the next step
  };
  //! The statements of the kernel or, of a loop that is marked, those inside it.
  struct region {
    std::uint32_t outer;
    std::uint32_t place;  //!< of its loop
  };
  //! A line, a mark or a whole loop, in a region.
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
  //! A loop in which a lane is, marked or found.
  struct frame {
    node loop;  //!< none: marked
    std::uint32_t instance;
    std::uint32_t round;
  };
  struct request_key {
    std::uint32_t rounds;
    traced_access what;
    friend bool operator==(request_key const& a, request_key const& b) {
      return a.rounds == b.rounds && a.what.same_instruction(b.what);
    }
  };
  struct hash {
    static std::size_t mixed(std::uint64_t bits) {
      bits *= 0x9E3779B97F4A7C15U;
      return static_cast<std::size_t>(bits ^ bits >> 29);
    }
    std::size_t operator()(request_key const& k) const {
      return mixed(mixed(std::uint64_t{k.rounds} << 32 | k.what.place) + k.what.bytes * 8U +
                   static_cast<unsigned>(k.what.use) * 2U + static_cast<unsigned>(k.what.space));
    }
    std::size_t operator()(place_in_region const& k) const {
      return mixed(mixed(std::uint64_t{k.region} << 32 | k.place) + static_cast<unsigned>(k.mark));
    }
    std::size_t operator()(std::uint64_t k) const { return mixed(k); }
  };
  struct request_lanes {
    traced_access what;
    std::size_t begin;  //!< in sorted_
  };

  //! True if the lanes that access memory at all do so at the same places in the same order.
  [[nodiscard]] static bool one_way(std::vector<traced_access> const* const* lists, int lanes) {
    std::vector<traced_access> const* way = nullptr;
    for (int t = 0; t < lanes; ++t) {
      if (lists[t]->empty()) continue;
      if (way == nullptr) way = lists[t];
      auto const alike = [](traced_access const& a, traced_access const& b) {
        return a.same_instruction(b) && (a.mark == flow_mark::none || a.address == b.address);
      };
      if (!std::equal(way->begin(), way->end(), lists[t]->begin(), lists[t]->end(), alike))
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
    for (int t = 0; t < lanes; ++t) add_way(steps_[t]);
    nest_.find([this](loop_nest::cycle const& c) { return head_of(c); });

    requests_.clear();
    numbers_.clear();
    instances_.clear();
    rounds_.clear();
    for (int t = 0; t < lanes; ++t) number_requests(*lists[t], steps_[t], number_of_[t]);
    // Accesses are sorted by request.
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
      request(r.what, address, active);
    }
  }

  //! The number of a pair of numbers, from 0 in the order in which they are first seen.
  using numbered = std::unordered_map<std::uint64_t, std::uint32_t, hash>;
  [[nodiscard]] static std::uint32_t number(numbered& of, std::uint32_t a, std::uint32_t b) {
    return of.try_emplace(std::uint64_t{a} << 32 | b, static_cast<std::uint32_t>(of.size()))
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
          steps.push_back({does::close, none, 0, k});
        }
        continue;
      }
      auto const rounds = static_cast<std::uint32_t>(a.address);
      if (a.mark == flow_mark::round && in != 0 && regions_[in].place == a.place) {
        steps.push_back({does::round, none, rounds, k});
        continue;
      }
      node const at = node_of(in, a);
      if (a.mark == flow_mark::round) {
        steps.push_back({does::open, at, rounds, k});
        in = inside(in, a.place);
      } else if (!goes_on(list, k, steps, at)) {
        steps.push_back({does::step, at, 1, k});
      }
    }
  }
  [[nodiscard]] bool is_open(std::uint32_t in, std::uint32_t place) const {
    while (in != 0 && regions_[in].place != place) in = regions_[in].outer;
    return in != 0;
  }
  //! True if the k-th access belongs to the last step.
  [[nodiscard]] static bool goes_on(std::vector<traced_access> const& list, std::size_t k,
                                    std::vector<step> const& steps, node at) {
    traced_access const& a = list[k];
    if (a.mark != flow_mark::none || steps.empty() || steps.back().at != at) return false;
    if (a.use == access_kind::read && list[k - 1].use != access_kind::read) return false;
    for (std::size_t i = k; i > steps.back().begin; --i)
      if (list[i - 1].same_instruction(a)) return false;
    return true;
  }
  //! Adds a lane's way through the nodes: in a loop each round is a way of its own.
  void add_way(std::vector<step> const& steps) {
    last_.assign(1, none);
    auto const end_round = [this] {
      if (last_.back() != none) nest_.leave(last_.back());
    };
    for (step const& s : steps) {
      if (s.what == does::close || s.what == does::round) {
        end_round();
        if (s.what == does::close)
          last_.pop_back();
        else
          last_.back() = none;
        continue;
      }
      if (last_.back() == none)
        nest_.enter(s.at);
      else
        nest_.add(last_.back(), s.at);
      last_.back() = s.at;
      if (s.what == does::open) last_.push_back(none);
    }
    for (; !last_.empty(); last_.pop_back()) end_round();
  }

  //! The node that all rounds of the outermost loop of a cycle pass: where all lanes enter it, or
  //! all leave it, or where converge() says so. Of several that which leaves most for inner loops;
  //! without any, that which leaves least.
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

  //! Gives each access of a lane the number of its request.
  void number_requests(std::vector<traced_access> const& list, std::vector<step> const& steps,
                       std::vector<std::uint32_t>& numbers) {
    numbers.assign(list.size(), none);
    frames_.clear();
    auto const rounds = [this] {
      return frames_.empty() ? none
                             : number(rounds_, frames_.back().instance, frames_.back().round);
    };
    for (std::size_t s = 0; s < steps.size(); ++s) {
      if (steps[s].what == does::round || steps[s].what == does::close) {
        while (frames_.back().loop != none) frames_.pop_back();
        frames_.back().round += steps[s].rounds;
        if (steps[s].what == does::close) frames_.pop_back();
        continue;
      }
      go_to(steps[s].at, rounds);
      if (steps[s].what == does::open)
        frames_.push_back({none, number(instances_, rounds(), ~steps[s].at), steps[s].rounds});
      if (nodes_[steps[s].at].mark != flow_mark::none) continue;
      std::uint32_t const here = rounds();
      std::size_t const end = s + 1 < steps.size() ? steps[s + 1].begin : list.size();
      for (std::size_t k = steps[s].begin; k < end; ++k) {
        auto const [found, inserted] = numbers_.try_emplace(
            request_key{here, list[k]}, static_cast<std::uint32_t>(requests_.size()));
        if (inserted) requests_.push_back({list[k], 0});
        numbers[k] = found->second;
        ++requests_[numbers[k]].begin;  // counts, until sort_begins
      }
    }
  }
  //! Leaves and enters loops that were found, begins rounds of theirs.
  template <class Rounds>
  void go_to(node at, Rounds const& rounds) {
    node const loop = nest_.innermost(at);
    auto const in_found = [this] { return !frames_.empty() && frames_.back().loop != none; };
    while (in_found() && !nest_.contains(frames_.back().loop, loop)) frames_.pop_back();
    entered_.clear();
    for (node l = loop; l != none && !(in_found() && l == frames_.back().loop); l = nest_.parent(l))
      entered_.push_back(l);
    for (; !entered_.empty(); entered_.pop_back())
      frames_.push_back({entered_.back(), number(instances_, rounds(), entered_.back()), 0});
    if (loop != none && nest_.head(loop) == at) ++frames_.back().round;
  }
  //! From the number of each request's accesses to where they begin; returns their sum.
  std::size_t sort_begins() {
    std::size_t sum = 0;
    for (request_lanes& r : requests_) sum += std::exchange(r.begin, sum);
    return sum;
  }

  place_table const& places_;
  std::vector<line_node> nodes_;
  std::unordered_map<place_in_region, node, hash> node_numbers_;
  std::vector<region> regions_;  //!< the first is the kernel
  std::vector<step> steps_[32];
  loop_nest nest_;
  std::vector<frame> frames_;
  std::vector<node> entered_;
  std::vector<node> last_;  //!< of the ways through loops that a lane is in
  numbered region_numbers_;
  numbered instances_;  //!< of loops, by the rounds around them
  numbered rounds_;     //!< of instances
  std::unordered_map<request_key, std::uint32_t, hash> numbers_;
  std::vector<request_lanes> requests_;
  std::vector<std::uint32_t> number_of_[32];
  std::vector<std::pair<index, int>> sorted_;
};

}  // namespace mmm::gpu::detail
