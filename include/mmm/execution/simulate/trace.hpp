// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/clustered.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/machine/memory_space.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

//! Traces of simulations: every access of every thread, with its time.
namespace mmm {

//! One access of one thread.
struct trace_entry {
  //! the number of its round; accesses of one round happen at once; increasing, in model.md's lock
  //! step
  index round;
  index address;  //!< the word, from 0
  //! number within its DMM; in a peer's memory, within its cluster, where each DMM counts whole
  //! warps
  std::uint32_t thread;
  std::uint16_t
      dmm;  //!< 0 for machines without DMMs; in a peer's memory, the DMM that has the word
  memory_space space;
  access_kind op;
  friend constexpr bool operator==(trace_entry const&, trace_entry const&) = default;
};

//! All accesses of a program, sorted by round, then DMM, then thread.
struct trace {
  std::vector<trace_entry> entries;

  //! Writes a header and one line per access: `round,space,dmm,thread,address,op`; the last is r, w
  //! or u. `out` has a member `write(char const*, length)`, as std::ostream.
  template <class Stream>
  void write_csv(Stream& out) const {
    write_text([&out](char const* text, std::size_t length) {
      out.write(text, static_cast<std::ptrdiff_t>(length));
    });
  }
  //! Writes the lines of write_csv to a C stream. std::runtime_error if it cannot be written.
  void write_csv(std::FILE* out) const {
    write_text([out](char const* text, std::size_t length) {
      if (std::fwrite(text, 1, length, out) != length)
        detail::throw_runtime_error(detail::failure_text("mmm: a trace could not be written"));
    });
  }

 private:
  //! Calls `put(text, length)` for pieces of the text.
  template <class Put>
  void write_text(Put put) const {
    constexpr std::size_t room = 1 << 14;
    constexpr std::size_t longest_line = 100;
    char text[room];
    std::size_t length = 0;
    auto const words = [&](char const* word) {
      while (*word != '\0') text[length++] = *word++;
    };
    auto const number = [&](auto figure) {
      char digits[20];
      int count = 0;
      do digits[count++] = static_cast<char>('0' + figure % 10);
      while ((figure /= 10) != 0);
      while (count != 0) text[length++] = digits[--count];
    };
    words("round,space,dmm,thread,address,op\n");
    for (trace_entry const& e : entries) {
      number(static_cast<std::uint64_t>(e.round));
      words(",");
      words(name_of(e.space));
      words(",");
      number(std::uint32_t{e.dmm});
      words(",");
      number(e.thread);
      words(",");
      number(static_cast<std::uint64_t>(e.address));
      words(e.op == access_kind::read ? ",r\n" : e.op == access_kind::write ? ",w\n" : ",u\n");
      if (length < room - longest_line) continue;
      put(text, length);
      length = 0;
    }
    put(text, length);
  }
};

namespace detail {

//! Stages of the accesses [first, last) of one warp in one round, straight from the definition of a
//! conflict.
template <conflict Conflict>
[[nodiscard]] inline index traced_stages(trace_entry const* first, trace_entry const* last,
                                         index width) {
  if constexpr (Conflict == conflict::amount || Conflict == conflict::none) {
    return last - first;
  } else {
    index deepest = 0;
    index groups = 0;
    for (trace_entry const* e = first; e != last; ++e) {
      index same_bank = 1;
      bool repeated = false;
      for (trace_entry const* f = first; f != e; ++f) {
        repeated =
            repeated || (Conflict == conflict::banks ? f->address == e->address
                                                     : f->address / width == e->address / width);
        bool earlier = f->address % width == e->address % width;
        if (e->op != access_kind::update) {
          earlier = earlier && f->address != e->address;
          for (trace_entry const* g = first; g != f; ++g)
            earlier = earlier && g->address != f->address;
        }
        same_bank += earlier ? 1 : 0;
      }
      if (!repeated) ++groups;
      if (deepest < same_bank) deepest = same_bank;
    }
    return Conflict == conflict::banks ? deepest : groups;
  }
}

//! The end of the accesses that a memory serves together: from `begin` on, in one warp's request
//! with entries [first, last). That is the end of the request, unless it is wide: then every thread
//! has as many entries as words, and the words are served in the order of the lanes, `width` of
//! them at a time.
[[nodiscard]] inline trace_entry const* served_together(trace_entry const* first,
                                                        trace_entry const* begin,
                                                        trace_entry const* last, index width) {
  index words = 1;
  while (first + words != last && first[words].thread == first->thread) ++words;
  auto const turn = [&](trace_entry const* e) {
    return (e->thread % width * words + (e - first) % words) / width;
  };
  trace_entry const* end = begin;
  while (end != last && turn(end) == turn(begin)) ++end;
  return end;
}

//! Stages of one warp's request.
template <conflict Conflict>
[[nodiscard]] inline index traced_request(trace_entry const* first, trace_entry const* last,
                                          index width) {
  index sum = 0;
  for (trace_entry const* begin = first; begin != last;) {
    trace_entry const* const end = served_together(first, begin, last, width);
    sum += traced_stages<Conflict>(begin, end, width);
    begin = end;
  }
  return sum;
}

//! The sum of a round's stages in one memory: of the entries with this space (and DMM).
template <conflict Conflict>
[[nodiscard]] index traced_round(trace_entry const* first, trace_entry const* last,
                                 memory_space space, index dmm, index width) {
  index sum = 0;
  while (first != last) {
    trace_entry const* next = first + 1;
    while (next != last && next->dmm == first->dmm &&
           next->thread / width == first->thread / width && next->space == first->space)
      ++next;
    if (first->space == space && (dmm < 0 || first->dmm == dmm))
      sum += traced_request<Conflict>(first, next, width);
    first = next;
  }
  if constexpr (Conflict == conflict::none) return sum > 0 ? 1 : 0;
  if constexpr (Conflict == conflict::amount) return (sum + width - 1) / width;
  return sum;
}

}  // namespace detail

//! A trace with its machine, as a simulation returns it.
template <machine M>
struct machine_trace : trace {
  M machine;
};

//! The synchronous time of a program in time units, computed from its trace and its machine alone.
//! It shares no code with the simulation and checks it. Time: O(accesses * w^2).
template <machine M>
[[nodiscard]] index recomputed_time(M const& m, trace const& t) {
  index time = 0;
  trace_entry const* const end = t.entries.data() + t.entries.size();
  for (trace_entry const* first = t.entries.data(); first != end;) {
    trace_entry const* last = first;
    while (last != end && last->round == first->round) ++last;
    if constexpr (hierarchical_machine<M>) {
      index const stages =
          detail::traced_round<conflict::groups>(first, last, memory_space::global, -1, m.width());
      index longest = stages == 0 ? 0
                                  : (stages + m.global().ports() - 1) / m.global().ports() +
                                        m.global().latency() - 1;
      for (trace_entry const* e = first; e != last; ++e) {
        if (e->space != memory_space::shared || (e != first && (e - 1)->dmm == e->dmm)) continue;
        index const inside = detail::traced_round<conflict::banks>(
            first, last, memory_space::shared, e->dmm, m.width());
        if (longest < inside + m.shared().latency() - 1)
          longest = inside + m.shared().latency() - 1;
      }
      if constexpr (clustered_machine<M>)
        for (trace_entry const* e = first; e != last; ++e) {
          if (e->space != memory_space::peer) continue;
          index const asked = detail::traced_round<conflict::banks>(first, last, memory_space::peer,
                                                                    e->dmm, m.width());
          if (longest < asked + m.peer().latency() - 1) longest = asked + m.peer().latency() - 1;
        }
      time += longest;
    } else {
      index const stages =
          detail::traced_round<M::conflicts>(first, last, first->space, -1, m.width());
      time += (stages + m.ports() - 1) / m.ports() + m.latency() - 1;
    }
    first = last;
  }
  return time;
}

}  // namespace mmm
