// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/cost/access_domain.hpp>
#include <mmm/execution/estimate/symbolic.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/rewriting.hpp>

//! Accesses to the memories of peers in an estimate, as the requests that reach each DMM.
namespace mmm::detail {

//! The word at an address of the DMM with this rank in the cluster.
template <class Rank, class Address>
struct peer_address {
  static constexpr bool in_trapezoid = Rank::in_trapezoid || Address::in_trapezoid;
  Rank rank;
  Address address;
};
template <class Address>
inline constexpr bool is_peer_address = false;
template <class Rank, class Address>
inline constexpr bool is_peer_address<peer_address<Rank, Address>> = true;

//! In place of an access's address: item i accesses word i, of the same memory.
template <class Address>
[[nodiscard]] constexpr auto neighbouring_words(Address const& address) {
  if constexpr (is_peer_address<Address>)
    return peer_address<decltype(address.rank), remove_const_t<decltype(item)>>{address.rank, item};
  else
    return item;
}

//! The requests of a parallel-for at the DMM that is asked. A DMM t stands here for the one asked,
//! and handles the warps of all DMMs of its cluster: those of rank 0, then those of rank 1, …,
//! chunk by chunk. Each DMM has whole warps, whose lanes beyond its last thread are inactive.
//! Expressions are rewritten for these items and DMMs.
class requests_at_peers : public rewriting<requests_at_peers> {
 public:
  constexpr requests_at_peers(index width, index cluster, access_domain const& own)
      : own_(own),
        cluster_(cluster),
        lanes_(checked_multiply(ceil_divide(own.threads, width), width)) {}

  //! A thread's own item, the number of the DMM that asks, or a loop's trip.
  [[nodiscard]] constexpr auto variable(mmm::variable const& v) const {
    bool const of_item = v.slot == item_slot;
    bool const of_dmm = v.slot == dmm_slot;
    index const each = of_item ? lanes_ * cluster_ : of_dmm ? cluster_ : 1;
    index const apart = of_item ? own_.threads : each;
    index const divisor = of_dmm ? lanes_ : 1;
    index const modulus = of_item ? lanes_ : of_dmm ? cluster_ : 1;
    return v / constant(each) * constant(apart) + item / constant(divisor) % constant(modulus);
  }

  [[nodiscard]] constexpr access_domain domain() const {
    access_domain all = own_;
    all.threads = checked_multiply(lanes_, cluster_);
    all.items = checked_multiply(ceil_divide(own_.items, own_.threads), all.threads);
    return all;
  }
  template <class E>
  [[nodiscard]] constexpr auto moved(E const& e) const {
    return e.fold(*this);
  }
  //! The lanes that are active, have an item, and ask for a word of this DMM.
  template <class Rank, class Predicate>
  [[nodiscard]] constexpr auto reaches(Rank const& rank, Predicate const& predicate) const {
    return moved(predicate) && item % constant(lanes_) < constant(own_.threads) &&
           moved(item) < constant(own_.items) &&
           moved(rank) == mmm::variable(dmm_slot) % constant(cluster_);
  }

 private:
  access_domain own_;
  index cluster_;
  index lanes_;  //!< of a DMM's warps
};

//! A distributed array of an estimate: an address, the same in every DMM.
template <class T, class M>
class symbolic_distributed {
  using own_part = symbolic_iterator<T, M, true, plain_word, constant>;

 public:
  using value_type = remove_const_t<T>;
  constexpr symbolic_distributed(estimator<M>& engine, index start)
      : engine_(&engine), start_(start) {}

  [[nodiscard]] constexpr own_part own() const {
    return own_part(*engine_, constant(start_), start_);
  }
  template <class Index>
  [[nodiscard]] constexpr auto operator[](Index const& i) const {
    return own()[i];
  }
  template <operand Rank, operand Index>
  [[nodiscard]] constexpr auto operator()(Rank const& rank, Index const& i) const {
    auto const of_dmm = as_expression(rank);
    auto const address = constant(start_) + as_expression(i);
    using place = peer_address<remove_const_t<decltype(of_dmm)>, remove_const_t<decltype(address)>>;
    return symbolic_reference<T, M, true, plain_word, place>(*engine_, place{of_dmm, address});
  }
  //! A compile error with a readable text: a rank or an address that depends on data.
  template <class Rank, class Index>
  requires(symbolic_data<Rank> || symbolic_data<Index>)
  constexpr auto operator()(Rank const&, Index const&) const {
    static_assert(never<Rank>,
                  "mmm: a peer's rank or an address that depends on data has no cost without the "
                  "data: mmm::simulate runs the program on data and counts it");
    return own()[0];
  }

 private:
  estimator<M>* engine_;
  index start_;
};

}  // namespace mmm::detail
