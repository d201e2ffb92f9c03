// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/cost/access.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/cost/diagonal_form.hpp>
#include <mmm/cost/trapezoid.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/estimate/cluster.hpp>
#include <mmm/execution/estimate/diagonals.hpp>
#include <mmm/execution/estimate/known_accesses.hpp>
#include <mmm/execution/estimate/symbolic.hpp>
#include <mmm/execution/estimate/watched.hpp>
#include <mmm/execution/handle.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/trapezoid.hpp>
#include <mmm/index/wide_item.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/machine/memory_space.hpp>

#include <initializer_list>

//! The state of an estimate, which its symbolic handles count into.
namespace mmm {

namespace detail {

//! The shape of a parallel-for that is no trapezoid: its items have neither row nor column.
inline constexpr trapezoid one_row{-1, -1, -1};

//! The state of an estimate: the figures counted so far, and the current parallel-for and loops.
template <machine M>
class estimator {
 public:
  constexpr estimator(M const& m, index all_threads) : machine_(m), all_threads_(all_threads) {
    if constexpr (hierarchical_machine<M>)
      if (all_threads % m.dmms() != 0)
        reject("the number of threads", all_threads, "a multiple of the machine's number of DMMs");
  }

  [[nodiscard]] constexpr M const& machine() const { return machine_; }
  [[nodiscard]] constexpr cost const& total() const { return total_; }

  //! Counts a parallel-for over `items` items, on `dmms` DMMs at the same time, with one call of
  //! the body. `shape` is one_row unless the items are those of a trapezoid.
  template <class Body>
  constexpr void each(trapezoid const& shape, index items, index threads_of_one, index dmms,
                      bool machine_wide, bool barrier, Body const& body) {
    if constexpr (watched_machine<M>)
      machine_.watch->begin_step(
          {items, threads_of_one, dmms, machine_wide, trips_of_loops(), barrier});
    if (form_ != nullptr)
      add_to_form(shape, items, threads_of_one, machine_wide, body);
    else if (items > 0)
      count_items(shape, items, threads_of_one, dmms, machine_wide, body);
    if constexpr (watched_machine<M>) machine_.watch->end_step();
  }
  template <class Body>
  constexpr void count_items(trapezoid const& shape, index items, index threads_of_one, index dmms,
                             bool machine_wide, Body const& body) {
    domain_.items = items;
    domain_.threads = threads_of_one;
    domain_.dmms = dmms;
    domain_.machine_wide = machine_wide;
    shape_ = shape;
    in_body_ = true;
    body();
    in_body_ = false;
  }

  template <class Body>
  constexpr void repeat(index count, Body&& body) {
    if constexpr (enumerating_machine<M>) {
      for (index trip = 0; trip < count; ++trip) body(constant(trip));
      return;
    }
    if (count == 0) return;
    if (first_loop_slot + domain_.loops == slot_count)
      reject_length("nested loops in an estimate", domain_.loops + 1, slot_count - first_loop_slot);
    domain_.trips[domain_.loops] = count;
    variable const k(first_loop_slot + domain_.loops++);
    body(k);
    --domain_.loops;
  }

  //! Calls `body(r)` for some of the r = first … last - 1, and adds up the costs of all.
  //! \param all_dmms the body is one for all DMMs, to which it may assign tiles
  template <class Body>
  constexpr void diagonals(index first, index last, bool all_dmms, Body& body) {
    if constexpr (!watched_machine<M>) {  // an observer is notified of all steps
      if (last - first > 6 && form_ == nullptr) {
        cost const before = total_;
        cost sum;
        bool const found =
            add_diagonals(*this, first, last, in_body_ ? 1 : all_threads_, all_dmms, body, sum);
        total_ = found ? before + sum : before;
        if (found) return;
      }
    }
    for (index r = first; r < last; ++r) body(r);
  }
  //! The form of diagonal r, given the numbers of accesses of its parallel-fors; counts them, too,
  //! if there are none.
  template <class Body>
  [[nodiscard]] constexpr diagonal_form form_of(index r, Body& body, diagonal_form form) {
    counts_accesses_ = form.of_step[0].accesses == 0;
    form_ = &form;
    body(r);
    form_ = nullptr;
    return form;
  }
  //! The cost of diagonal r, with accesses to trapezoids or without.
  template <class Body>
  [[nodiscard]] constexpr cost cost_of(index r, Body& body, bool trapezoids) {
    bool const before = counts_trapezoids_;
    total_ = {};
    counts_trapezoids_ = trapezoids;
    body(r);
    counts_trapezoids_ = before;
    return total_;
  }

  //! Counts one access of the current parallel-for, to a word or to V words (docs/model.md, "Wide
  //! accesses"). `address` counts in vectors of V words if the width is a multiple of V.
  //! \param word_bytes the bytes of a word; 0 for the problem's values
  template <bool Shared, access_kind Kind, index V, class Address, class Predicate>
  constexpr void access(Address const& address, Predicate const& predicate, index word_bytes = 0) {
    if constexpr (enumerating_machine<M>) {
      constexpr index words = V == plain_word ? 1 : V;
      watched_access const noted{Shared, Kind, words, 0, 0, is_peer_address<Address>};
      machine_.watch->addresses(noted, address, unit_of<V>(), predicate);
    } else {
      count_and_notify<Shared, Kind, V>(address, predicate, word_bytes);
    }
  }
  template <bool Shared, access_kind Kind, index V, class Address, class Predicate>
  constexpr void count_and_notify(Address const& address, Predicate const& predicate,
                                  [[maybe_unused]] index word_bytes) {
    cost const before = total_;
    access_words<Shared, Kind, V>(address, predicate);
    if constexpr (watched_machine<M>) {
      watched_access noted{Shared,
                           Kind,
                           V == plain_word ? 1 : V,
                           total_.stages - before.stages,
                           total_.rounds - before.rounds,
                           is_peer_address<Address>};
      if constexpr (requires { machine_.watch->served(noted, address); })
        noted.stages = machine_.watch->served(noted, address);
      if constexpr (requires { machine_.watch->partial_sectors(noted, address); })
        noted.partial_sectors = machine_.watch->partial_sectors(noted, address);
      if constexpr (!Shared && requires { machine_.watch->value_bytes(); })
        noted.sectors = sectors<Kind, V>(
            word_bytes == 0 ? machine_.watch->value_bytes() : word_bytes, address, predicate);
      if constexpr (requires { machine_.watch->pattern(noted, address, predicate, index{}); }) {
        cost const after = total_;
        // neighbours: one stage a request
        access_words<Shared, Kind, V>(neighbouring_words(address), predicate);
        machine_.watch->pattern(noted, address, predicate, total_.stages - after.stages);
        total_ = after;
      } else {
        static_assert(!is_peer_address<Address>,
                      "mmm: predicted times have no accesses to the memories of peers");
        machine_.watch->access(noted);
      }
    }
  }
  //! The sectors of 32 bytes of an access: where address groups have 32 words, the groups of the
  //! lanes' addresses in bytes. A lane has a request for each 16 bytes.
  template <access_kind Kind, index V, class Address, class Predicate>
  [[nodiscard]] constexpr index sectors(index word_bytes, Address const& address,
                                        Predicate const& predicate) {
    if constexpr (V != plain_word)
      static_assert(in_vecs_of<M, V>, "mmm: no sectors of accesses that do not divide the width");
    index const bytes = word_bytes * (V == plain_word ? 1 : V);
    cost const before = total_;
    count_access<memory_space::global, Kind, 1>(domain_, address * constant(bytes), predicate);
    index const found = total_.stages - before.stages;
    total_ = before;
    return checked_multiply(found, larger(index{1}, bytes / 16));
  }
  template <bool Shared, access_kind Kind, index V, class Address, class Predicate>
  constexpr void access_words(Address const& address, Predicate const& predicate) {
    constexpr auto space = Shared ? memory_space::shared : memory_space::global;
    if constexpr (is_peer_address<Address>) {
      static_assert(V == plain_word, "mmm: an access to a peer's memory is of one word");
      count_peer_access<Kind>(address, predicate);
    } else if constexpr (V == plain_word) {
      count_access<space, Kind, 1>(domain_, address, predicate);
    } else if constexpr (in_vecs_of<M, V>) {  // the first address is a multiple of V, too
      count_access<space, Kind, V>(domain_, address, predicate);
    } else {  // V items of V times as many threads
      static_assert(
          !in_trapezoid<Address> && !in_trapezoid<Predicate>,
          "mmm: accesses of words that do not divide the width are not costed in a trapezoid");
      access_domain const domain = domain_;
      domain_.items = checked_multiply(domain.items, V);
      domain_.threads = checked_multiply(domain.threads, V);
      count_access<space, Kind, 1>(domain_, over_words(address, V) + item % V,
                                   over_words(predicate, V));
      domain_ = domain;
    }
  }

  //! The words of the unit in which an access of V words is addressed.
  template <index V>
  [[nodiscard]] static constexpr index unit_of() {
    if constexpr (V != plain_word)
      if constexpr (in_vecs_of<M, V>) return V;
    return 1;
  }

  //! Throws std::invalid_argument if item 0 or 1 of the body names another thread's register. Items
  //! of trapezoids are not checked.
  template <class Index>
  constexpr void demand_own(Index const& i) const {
    if constexpr (is_same_v<Index, variable>)
      if (i.slot == item_slot) return;
    if (shape_ != one_row) return;
    index const threads = domain_.machine_wide ? domain_.threads * domain_.dmms : domain_.threads;
    for (index number = 0; number < smaller(domain_.items, 2); ++number) {
      index const named = i(number);
      if (named < 0 || named % threads != number % threads)
        reject("the item whose register is named", named, "a thread's own item");
    }
  }

  //! Allocates an array of `n` words in one of the memories; returns its first address, a multiple
  //! of the width.
  [[nodiscard]] constexpr index allocate(bool shared, index n) {
    index& next = shared ? next_shared_ : next_global_;
    index const first = checked_multiply(ceil_divide(next, machine_.width()), machine_.width());
    next = checked_add(first, n);
    if constexpr (hierarchical_machine<M>)
      if (shared && next > machine_.capacity())
        reject_length("words of shared memory", next, machine_.capacity());
    if constexpr (watched_machine<M>) machine_.watch->allocated(shared, next);
    return first;
  }
  //! Releases the arrays of a DMM, but for those of its cluster.
  constexpr void release_shared() { next_shared_ = of_cluster_; }
  //! The arrays allocated so far are the cluster's, until release_cluster().
  constexpr void hold_for_cluster() { of_cluster_ = next_shared_; }
  constexpr void release_cluster() { next_shared_ = of_cluster_ = 0; }
  //! A barrier of all threads of the machine.
  constexpr void machine_wide_barrier() const {
    if constexpr (watched_machine<M>) machine_.watch->machine_wide_barrier(trips_of_loops());
  }
  constexpr void first_alone() const {
    if constexpr (watched_machine<M>) machine_.watch->first_alone();
  }
  //! Events of a look-back, for predictions of time only, as no cost depends on them: the states of
  //! the tiles are cleared; in the next step a tile publishes its state and inspects its
  //! predecessors'.
  constexpr void look_back_states(index tiles) const {
    if constexpr (requires(M const& m) { m.watch->look_back_states(tiles); })
      machine_.watch->look_back_states(tiles);
  }
  constexpr void look_back(index at_once, index tiles) const {
    if constexpr (requires(M const& m) { m.watch->look_back(at_once, tiles); })
      machine_.watch->look_back(at_once, tiles);
  }
  //! In the next step a tile publishes its sums.
  constexpr void publish_sums() const {
    if constexpr (requires(M const& m) { m.watch->publish_sums(); }) machine_.watch->publish_sums();
  }
  //! A DMM waits for its asynchronous copies, but for those of the `latest` latest groups.
  constexpr void await_copies(index latest) const {
    if constexpr (requires(M const& m) { m.watch->await_copies(latest); })
      machine_.watch->await_copies(latest);
  }
  //! Products of numbers of `bits` bits by the lanes of `dmms` DMMs, so many on each.
  constexpr void multiply(int bits, index products, index dmms) const {
    if constexpr (requires(M const& m) { m.watch->multiply(bits, products, dmms, products); })
      machine_.watch->multiply(bits, products, dmms, trips_of_loops());
  }
  //! So many tiles are assigned to these DMMs, from number `first` on.
  constexpr void assign_tiles(dmm_range const& dmms, index first, index tiles) const {
    if constexpr (requires(M const& m) { m.watch->assign_tiles(dmms, first, tiles, tiles); })
      machine_.watch->assign_tiles(dmms, first, tiles, trips_of_loops());
  }

 private:
  //! Counts an access to words of other DMMs of the cluster.
  template <access_kind Kind, class Rank, class Address, class Predicate>
  constexpr void count_peer_access(peer_address<Rank, Address> const& place,
                                   Predicate const& predicate) {
    static_assert(!in_trapezoid<Address> && !in_trapezoid<Rank> && !in_trapezoid<Predicate>,
                  "mmm: accesses to the memories of peers are not costed in a trapezoid");
    if (form_ != nullptr) {
      form_->known = false;
      return;
    }
    requests_at_peers const moved(machine_.width(), machine_.cluster_size(), domain_);
    count_access<memory_space::peer, Kind, 1>(moved.domain(), moved.moved(place.address),
                                              moved.reaches(place.rank, predicate));
  }
  //! Counts an access to vectors of V words, addressed by vector number.
  template <memory_space Space, access_kind Kind, index V, class Address, class Predicate>
  constexpr void count_access(access_domain domain, Address const& address,
                              Predicate const& predicate) {
    if (form_ != nullptr) {
      form_->affine &= !in_trapezoid<Address> || (V == 1 && Kind != access_kind::update);
      if (V != 1 || Kind == access_kind::update) form_->min_item_step = 0;
      return form_->add_access(domain.loops > 0, address, predicate);
    }
    if constexpr (in_trapezoid<Address> || in_trapezoid<Predicate>)
      if (!counts_trapezoids_) return;
    known_accesses* const shared =
        is_constant_evaluated() ? nullptr : shared_known_accesses::current();
    known_accesses& known = shared != nullptr ? *shared : known_;
    known.keys.begin();
    variable_set const used =
        describe_unmoved(address, known.keys) | describe(predicate, known.keys);
    known.keys.add(place_in_group<Space, V>(added_number(address)));
    domain.side_by_side = hierarchical_machine<M> && Space != memory_space::global;
    repetition const times = reduce(domain, used);
    for (index const number :
         {domain.items, domain.threads, domain.dmms, index{domain.machine_wide}, shape_.rows,
          shape_.columns, shape_.diagonal, static_cast<index>(Space),
          Kind == access_kind::update ? index{0} : V})
      known.keys.add(number);
    if (shared != nullptr) {  // by estimates for other machines, too
      auto const memory = memory_for<Kind, V>(memory_of<Space>());
      for (index const number :
           {static_cast<index>(memory.conflicts), memory.width(), memory.latency(), memory.ports()})
        known.keys.add(number);
    }
    for (int k = 0; k < domain.loops; ++k) known.keys.add(domain.trips[k]);
    known.keys.add(domain.loops);  // the number of trip counts, read from the end
    pool_key const key = known.keys.end();
    if (access_cost const* const found = known.find(key)) return count(*found, times);
    access_cost const found =
        cost_on(memory_for<Kind, V>(memory_of<Space>()), domain, address, predicate);
    known.remember(key, found);
    count(found, times);
  }
  //! The memory of the machine that accesses in `Space` are to.
  template <memory_space Space>
  [[nodiscard]] constexpr auto memory_of() const {
    if constexpr (Space == memory_space::peer)
      return machine_.peer();
    else if constexpr (!hierarchical_machine<M>)
      return machine_;
    else if constexpr (Space == memory_space::shared)
      return machine_.shared();
    else
      return machine_.global();
  }
  //! Reduces a number that is added to all addresses of an access, in vectors of V words, to the
  //! part that the cost depends on: 0 where banks conflict, the position within an address group
  //! where address groups are counted.
  template <memory_space Space, index V>
  [[nodiscard]] constexpr index place_in_group(index moved) const {
    constexpr auto of_memory = [] {
      if constexpr (!hierarchical_machine<M>)
        return M::conflicts;
      else
        return Space == memory_space::global ? conflict::groups : conflict::banks;
    }();
    if constexpr (is(of_memory, conflict::banks)) return 0;
    if constexpr (is(of_memory, conflict::groups)) {
      index const group = machine_.width() / V;
      return (moved % group + group) % group;
    }
    return moved;
  }
  constexpr void count(access_cost figures, repetition const& times) {
    times.apply_to(figures);
    total_ = total_ + cost{figures.rounds, figures.stages, figures.time, figures.closed_form};
  }
  template <access_kind Kind, index V, memory Memory>
  [[nodiscard]] static constexpr auto memory_for(Memory const& m) {
    if constexpr (Kind == access_kind::update)
      return for_updates(m);
    else if constexpr (V == 1)
      return m;
    else
      return vec_memory<Memory, V>{m};
  }

  template <memory Memory, class Address, class Predicate>
  [[nodiscard]] constexpr access_cost cost_on(Memory const& m, access_domain const& domain,
                                              Address const& address,
                                              Predicate const& predicate) const {
    if constexpr (in_trapezoid<Address> || in_trapezoid<Predicate>)
      return cost_of_trapezoid_access(m, domain, shape_, address, predicate);
    else  // without row and column, an address does not depend on the shape of the items
      return cost_of_reduced_access(m, domain, address, predicate);
  }

  //! Adds a parallel-for to the form of a diagonal.
  template <class Body>
  constexpr void add_to_form(trapezoid const& shape, index items, index threads_of_one,
                             bool machine_wide, Body const& body) {
    form_->add_step(shape, machine_wide && items > 0);
    if (!form_->known) return;
    if (counts_accesses_) count_items(shape, larger(items, 1), threads_of_one, 1, false, body);
    form_->add_figures(machine_.width(), items, threads_of_one, trips_of_loops());
  }

  [[nodiscard]] constexpr index trips_of_loops() const {
    index trips = 1;
    for (int k = 0; k < domain_.loops; ++k) trips = checked_multiply(trips, domain_.trips[k]);
    return trips;
  }

  M machine_;
  index all_threads_;
  bool in_body_ = false;           //!< of a parallel-for
  diagonal_form* form_ = nullptr;  //!< if set, nothing is counted but a diagonal's form
  bool counts_accesses_ = false;   //!< the form lacks the numbers of accesses
  bool counts_trapezoids_ = true;  //!< accesses to trapezoids
  cost total_;
  access_domain domain_;
  trapezoid shape_ = one_row;
  index next_shared_ = 0;
  index of_cluster_ = 0;  //!< words of the shared memory that a cluster's arrays take
  index next_global_ = 0;
  known_accesses known_;
};

}  // namespace detail

}  // namespace mmm
