// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/execution/estimate/watched.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/trace/block_orders.hpp>
#include <mmm/trace/sector_reuse.hpp>

#include <cstddef>

//! The traffic between a cache and the memory behind it for a program, without running it.
namespace mmm {

//! A cache of the global memory, and the blocks whose accesses pass through it.
struct memory_cache {
  index bytes = 0;           //!< of the cache, as `mmm::gpu::h100::facts.l2_bytes`
  gpu::cache_units units{};  //!< bytes of a line and of a sector
  index word_bytes = 4;      //!< of a word of the program's arrays
  //! threads of a block on a machine with one memory; on a hierarchical one, a DMM is a block
  index threads_per_block = 256;
  index resident = 0;  //!< blocks side by side; 0: all
  index random = 3;    //!< random orders of the blocks
};

namespace detail {

//! Enumerates the accesses of a program to the global memory while it is estimated.
template <machine M>
class traffic_recorder {
 public:
  constexpr traffic_recorder(M const& m, memory_cache const& cache)
      : width_(m.width()), cache_(cache) {}

  constexpr void begin_step(watched_step const& s) {
    now_ = s;
    number_ = 0;
  }
  //! Appends the step's requests to those of their blocks: chunk by chunk, in a chunk access by
  //! access, of an access warp by warp.
  constexpr void end_step() {
    std::sort(requests_.begin(), requests_.end(), [](request const& a, request const& b) {
      if (a.chunk != b.chunk) return a.chunk < b.chunk;
      return a.access != b.access ? a.access < b.access : a.warp < b.warp;
    });
    for (request const& r : requests_) {
      blocks_.begin_request(static_cast<std::size_t>(r.block));
      for (std::size_t k = r.first; k < r.last; ++k) blocks_.add(sectors_[k], r.writes);
    }
    requests_.clear();
    sectors_.clear();
    if (now_.barrier && (now_.machine_wide || !hierarchical_machine<M>)) blocks_.barrier();
  }
  constexpr void machine_wide_barrier(index) { blocks_.barrier(); }
  constexpr void first_alone() const {}
  constexpr void allocated(bool, index) const {}
  template <class... Any>
  constexpr void argument(Any const&...) const {}

  template <class Address, class Predicate>
  constexpr void addresses(watched_access const& a, Address const& address, index words_of_unit,
                           Predicate const& predicate) {
    if constexpr (!is_peer_address<Address>) {
      static_assert(!Address::in_trapezoid && !Predicate::in_trapezoid,
                    "mmm: the traffic of a program with items in a trapezoid is not counted: "
                    "mmm::simulate has its trace");
      if (hierarchical_machine<M> && a.shared) return;
      index const block_threads = hierarchical_machine<M> ? now_.threads : cache_.threads_per_block;
      index const dmms = now_.machine_wide ? 1 : now_.dmms;
      index const in_chunk =
          now_.machine_wide ? checked_multiply(now_.threads, now_.dmms) : now_.threads;
      for (index dmm = 0; dmm < dmms; ++dmm)
        for (index chunk = 0; chunk * in_chunk < now_.items; ++chunk)
          for (index begin = 0; begin < in_chunk; begin += block_threads)
            for (index thread = begin; thread < smaller(begin + block_threads, in_chunk);
                 thread += width_) {
              index const first = chunk * in_chunk + thread;
              index const lanes = smaller(smaller(width_, begin + block_threads - thread),
                                          smaller(in_chunk - thread, now_.items - first));
              add_request(a, first, lanes, now_.machine_wide ? thread / block_threads : dmm,
                          address, words_of_unit, predicate);
              if (request_.sorted().empty()) continue;
              requests_.push_back(
                  {chunk, number_, thread,
                   hierarchical_machine<M> && !now_.machine_wide ? dmm : thread / block_threads,
                   sectors_.size(), sectors_.size() + request_.sorted().size(),
                   a.kind != access_kind::read});
              for (index const sector : request_.sorted()) sectors_.push_back(sector);
            }
      ++number_;
    }
  }

  [[nodiscard]] constexpr gpu::block_accesses const& blocks() const { return blocks_; }

 private:
  //! A request of a warp in the current step; its sectors are [first, last) of sectors_.
  struct request {
    index chunk;
    index access;  //!< number of the access in the body
    index warp;    //!< the warp's first thread
    index block;
    std::size_t first;
    std::size_t last;
    bool writes;
  };

  //! Collects the sectors of `lanes` items from `first` on.
  template <class Address, class Predicate>
  constexpr void add_request(watched_access const& a, index first, index lanes, index dmm,
                             Address const& address, index words_of_unit,
                             Predicate const& predicate) {
    request_.clear();
    assignment lane;
    lane.slot[dmm_slot] = dmm;
    for (index t = 0; t < lanes; ++t) {
      lane.slot[item_slot] = first + t;
      if (!predicate.template holds<checked_arithmetic>(lane)) continue;
      index const word =
          checked_multiply(address.template value<checked_arithmetic>(lane), words_of_unit);
      request_.add(checked_multiply(word, cache_.word_bytes), a.words * cache_.word_bytes,
                   cache_.units.sector_bytes);
    }
  }

  index width_;
  memory_cache cache_;
  watched_step now_{};
  index number_ = 0;  //!< of accesses in the current step's body so far
  gpu::request_sectors request_;
  std::vector<request> requests_;  //!< of the current step
  std::vector<index> sectors_;
  gpu::block_accesses blocks_;
};

}  // namespace detail

//! The traffic of a cache for a user's program, over orders of its blocks: `program` as for
//! mmm::estimate, on a `umm` or a hierarchical machine. Each request of a warp to the global memory
//! is one access to each sector that it touches, and an atomic update is a write; there is no other
//! cache in front. Arrays lie as in the machine's memory: one after the other, from multiples of
//! the width on. A parallel-for with a barrier of all threads ends before the next begins; between
//! two such barriers the blocks follow each other in the orders of mmm::gpu::traffic_over_orders,
//! which describes the cache.
//!
//! \param cache its bytes, and how the blocks share it.
//! Time: O(accesses log accesses) for an order. It is a constant expression for a few hundred
//! accesses, up to the compiler's limits.
//! Errors: std::invalid_argument for a cache that cannot be, words that have no bytes or more than
//! 1024, or a block without threads; those of mmm::estimate; a compile error for addresses that
//! depend on data and for items in a trapezoid.
template <machine M, class Program>
[[nodiscard]] constexpr gpu::traffic_interval traffic_program(M const& m, threads p,
                                                              Program const& program,
                                                              memory_cache const& cache) {
  if constexpr (!hierarchical_machine<M>)
    static_assert(detail::is(M::conflicts, conflict::groups),
                  "mmm: the memory behind a cache is that of a umm, or the global one of an hmm");
  if (cache.word_bytes < 1 || cache.word_bytes > 1024)
    detail::reject("the bytes of a word", cache.word_bytes, "1 to 1024");
  if (cache.threads_per_block < 1)
    detail::reject("threads of a block", cache.threads_per_block, "1 or more");
  if (cache.resident < 0) detail::reject("resident blocks", cache.resident, "0 or more; 0: all");
  if (cache.random < 0) detail::reject("random orders", cache.random, "0 or more");
  static_cast<void>(gpu::sector_reuse(cache.units));  // refuses units that cannot be
  detail::traffic_recorder<M> recorder(m, cache);
  static_cast<void>(
      estimate(detail::watched<M, detail::traffic_recorder<M>>(m, recorder), p, program));
  auto const all = static_cast<index>(recorder.blocks().blocks());
  index const resident = cache.resident == 0 ? all : detail::smaller(cache.resident, all);
  return gpu::traffic_over_orders(recorder.blocks(), cache.units, cache.bytes,
                                  {static_cast<std::size_t>(detail::larger(resident, 1)),
                                   static_cast<std::size_t>(cache.random)});
}

//! The traffic of a cache for an algorithm: `traffic_of<umm<32, 1>>(cache, sum, size(n),
//! threads(p))` has the other parameters of mmm::cost_of, and errors and time as traffic_program.
template <machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr gpu::traffic_interval traffic_of(memory_cache const& cache, A const&,
                                                         Size const& n, threads p,
                                                         More const&... more) {
  auto const problem = detail::problem_of<A>(n, more...);
  return traffic_program(
      detail::machine_of<M>(), p, [&](auto& on) { static_cast<void>(problem.run(on)); }, cache);
}

}  // namespace mmm
