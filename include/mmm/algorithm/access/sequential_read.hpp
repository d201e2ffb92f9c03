// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/access/reading.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/natural.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/host_array.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/cost/request.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/index/warp_index.hpp>
#include <mmm/machine/machine.hpp>

//! Sequential access to any sequence of addresses, and its bound by fragmentation (Nakano
//! 2013b, section II, theorem 1).
MMM_BODIES_BEGIN
namespace mmm {

//! A sequence of addresses that the threads know without an access, as in the paper: item i goes to
//! `address_of(i)`.
class address_sequence {
 public:
  MMM_HOST_DEVICE constexpr address_sequence(detail::known_table const& table)
      : address_sequence(table.data, table.count) {}
  MMM_HOST_DEVICE constexpr address_sequence(index const* addresses, index count)
      : addresses_(addresses), count_(count) {}

  [[nodiscard]] MMM_HOST_DEVICE constexpr index address_of(index i) const { return addresses_[i]; }
  template <int W>
  [[nodiscard]] constexpr warp_index<W> address_of(warp_index<W> const& items) const {
    return warp_index<W>::by_lane(
        [&](int t) { return items[t] < count_ ? addresses_[items[t]] : addresses_[0]; });
  }
  template <expression E>
  // Addresses from data have no closed form: mmm::sequential_cost counts them.
  index address_of(E const&) const = delete;

 private:
  index const* addresses_;
  index count_;
};

//! Thread i reads the words at the addresses i, i + p, … of the sequence, and adds them up in its
//! register.
//! Time on a UMM: at most sequential_bound; exactly sequential_cost.
struct sequential_access {
  template <class Threads, class Iterator, class Registers>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a,
                                            address_sequence addresses, index n,
                                            Registers r) const {
    if (n == 0) return;
    threads.each(n, [=](auto i) { r[i] = load(r[i]) + load(a[addresses.address_of(i)]); });
  }
};

//! The number of gaps of a sequence of addresses: neighbours that differ by 2 or more. Nakano
//! 2013b, section II. Precondition: [first, last) is a range of integers. Time: one step per
//! address.
template <class Iterator>
[[nodiscard]] constexpr index fragmentation(Iterator first, Iterator last) {
  index gaps = 0;
  if (first == last) return gaps;
  auto previous = static_cast<index>(*first);
  for (++first; first != last; ++first) {
    auto const address = static_cast<index>(*first);
    gaps += address - previous >= 2 || previous - address >= 2;
    previous = address;
  }
  return gaps;
}

//! The cost of sequential access to any sequence of n addresses (Nakano 2013b, theorem 1): thread i
//! accesses the addresses i, i + p, …. The cost is enumerated, as addresses from data have no
//! closed form. Errors: std::invalid_argument for a negative address. Time to compute: one step per
//! address.
template <memory M, class Iterator>
[[nodiscard]] constexpr cost sequential_cost(M const& m, Iterator first, Iterator last, threads p) {
  static_assert(detail::has_stages(M::conflicts), "mmm: a dmm or a umm");
  auto const width = detail::width_in(m);
  index const w = width.width();
  cost total;
  total.closed_form = false;
  auto const n = static_cast<index>(last - first);
  for (index chunk = 0; chunk < n; chunk += p.count) {
    index const end = chunk > n - p.count ? n : chunk + p.count;
    index in_round = 0;
    for (index warp = chunk; warp < end; warp += w) {
      index address[detail::max_lanes<M>] = {};
      int const lanes = static_cast<int>(detail::smaller(w, end - warp));
      for (int t = 0; t < lanes; ++t, ++first) {
        address[t] = static_cast<index>(*first);
        if (address[t] < 0) detail::reject("an address", address[t], "0 or more");
      }
      in_round += detail::count_stages<M::conflicts>(
          width, lanes, [&](int t) { return address[t]; }, [](int) { return true; });
    }
    total = total + cost{1, in_round, round_time(m, in_round), false};
  }
  return total;
}

//! The bound of Nakano 2013b, theorem 1, for n addresses of fragmentation f on a UMM:
//! `2f + ceil(n/p)(2 ceil(p/w) + l - 1)`.
template <memory M>
[[nodiscard]] constexpr index sequential_bound(M const& m, index n, index f, threads p) {
  natural const in_use = larger(1, smaller(natural(n), p.count));
  return natural(2) * f + natural(n) / p.count * (2 * (in_use / m.width()) + (m.latency() - 1));
}

namespace detail {

//! The algorithm object behind mmm::sequential_read, whose cost depends on data:
//! mmm::sequential_cost takes the place of mmm::cost_of.
struct sequential_algorithm {
  static constexpr char const* name = "sequential";
  static constexpr char const* paper = "Nakano 2013b, theorem 1";

  //! Reads the words of [first, last) at the given addresses, in their order, and returns the sum
  //! of all words read. Errors: std::out_of_range for an address outside [0, last - first), before
  //! anything is read.
  template <class On, class Iterator, class Addresses>
  auto operator()(On on, Iterator first, Iterator last, Addresses address_first,
                  Addresses address_last) const {
    static_assert(call_of<On, Iterator, Addresses>::accepted);
    auto const words = static_cast<index>(last - first);
    host_array<index> addresses;
    for (; address_first != address_last; ++address_first) {
      auto const address = static_cast<index>(*address_first);
      if (address < 0 || address >= words)
        throw_out_of_range(failure_text("mmm: address ", address, " of an array of ", words));
      addresses.push_back(address);
    }
    index const n = addresses.size();
    return total_of_threads(on, sequential_access{}, reads(first, words),
                            known_table{addresses.data(), n}, n);
  }
};

}  // namespace detail

//! Sequential access to any sequence of addresses. Source: Nakano 2013b, theorem 1.
inline constexpr detail::sequential_algorithm sequential_read{};

}  // namespace mmm
MMM_BODIES_END
