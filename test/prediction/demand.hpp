// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/gpu.hpp>
#include <mmm/mmm.hpp>

#include <algorithm>
#include <vector>

//! Predicts a profiler's counts for the accesses of a simulation, from its trace and the rules of
//! <mmm/gpu.hpp>.
namespace prediction {

using mmm::index;

//! Counts of the requests of one kind to one memory.
struct figures {
  index requests = 0;
  index transfers = 0;  //!< wavefronts of shared memory, sectors of global memory
};

//! Counts of all requests, by memory and kind.
struct demand {
  figures shared_load{};
  figures shared_store{};
  figures global_load{};
  figures global_store{};
  figures global_atomic{};

  [[nodiscard]] figures& of(mmm::memory_space space, mmm::access_kind kind) {
    bool const load = kind == mmm::access_kind::read;
    if (space != mmm::memory_space::global) return load ? shared_load : shared_store;
    return load ? global_load : global_store;
  }
};

//! One memory instruction of a warp.
struct warp_request {
  mmm::gpu::lane_mask active = 0;
  index address[32] = {};  //!< byte addresses of the active lanes
};

inline void add(demand& d, mmm::memory_space space, mmm::access_kind kind, index bytes,
                warp_request const& r) {
  bool const load = kind == mmm::access_kind::read;
  auto const access =
      mmm::gpu::access_of(load ? mmm::gpu::instruction::load : mmm::gpu::instruction::store, bytes);
  figures& f = d.of(space, kind);
  if (space != mmm::memory_space::global) {
    auto const cost = mmm::gpu::shared_request_cost(access, r.address, r.active);
    f.requests += cost.requests;
    f.transfers += cost.wavefronts;
  } else {
    auto const cost = mmm::gpu::global_request_cost(access, r.address, r.active);
    f.requests += cost.requests;
    f.transfers += cost.sectors;
  }
}

//! The position of an array of the trace's global memory in a GPU's memory.
struct array_place {
  index first;       //!< the array's first word in the trace
  index words;       //!< the number of words
  index offset;      //!< of the first word, in bytes from a multiple of 256
  index word_bytes;  //!< the size of a word
};

//! The arrays whose position differs from the trace's, and the size of all other words.
struct placement {
  std::vector<array_place> arrays{};
  index word_bytes = 4;

  [[nodiscard]] array_place of(mmm::trace_entry const& e) const {
    if (e.space == mmm::memory_space::global)
      for (array_place const& a : arrays)
        if (a.first <= e.address && e.address < a.first + a.words) return a;
    return {0, 0, 0, word_bytes};
  }
};

//! Adds every request of the trace to the demand that `part(entry)` returns. A warp's request to
//! peers is one to each peer whose words it accesses. Wide accesses are
//! split into accesses of 16 bytes, or of one word where they are not aligned.
template <class Part>
void add_trace(mmm::trace const& t, placement const& places, Part const& part) {
  mmm::trace_entry const* const end = t.entries.data() + t.entries.size();
  for (mmm::trace_entry const* first = t.entries.data(); first != end;) {
    mmm::trace_entry const* last = first;
    while (last != end && last->round == first->round && last->dmm == first->dmm &&
           last->space == first->space && last->thread / 32 == first->thread / 32)
      ++last;
    index width = 1;  // consecutive words that each thread accesses
    while (first + width != last && first[width].thread == first->thread) ++width;
    array_place const place = places.of(*first);
    index const bytes = std::min<index>(width * place.word_bytes, 16);
    index const together = place.offset % bytes == 0 ? bytes / place.word_bytes : 1;
    for (index from = 0; from < width; from += together) {
      warp_request request;
      for (mmm::trace_entry const* e = first + from; e < last; e += width) {
        request.active |= mmm::gpu::lane_mask{1} << e->thread % 32;
        request.address[e->thread % 32] =
            place.offset + (e->address - place.first) * place.word_bytes;
      }
      add(part(*first), first->space, first->op, together * place.word_bytes, request);
    }
    first = last;
  }
}

}  // namespace prediction
