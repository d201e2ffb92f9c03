// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/index/wide_item.hpp>

#include "rapidcheck.hpp"
#include "support/naive_model.hpp"
#include "support/random_expression.hpp"

#include <set>
#include <string>
#include <vector>

//! Wide accesses: estimate = the definition, lane by lane and word by word.
namespace checks::wide_items {

using mmm::index;
using random_expression::between;

struct domain {
  index items;
  index threads;
  index trips;
};

//! The cost by the definition: the words of all lanes, in the order of the lanes, w at a time.
template <class M, class E, class P>
naive_model::figures figures(M const& m, domain const& of, index words, E const& e, P const& p) {
  constexpr index w = M::width();
  naive_model::figures total;
  for (index trip = 0; trip < of.trips; ++trip)
    for (index chunk = 0; chunk < of.items; chunk += of.threads) {
      index sum = 0;
      index accesses = 0;
      for (index warp = 0; warp < of.threads; warp += w) {
        std::vector<std::set<index>> served(static_cast<std::size_t>(words + 1));
        for (index t = 0; t < w && warp + t < of.threads && chunk + warp + t < of.items; ++t) {
          mmm::detail::assignment at;
          at.slot[mmm::detail::item_slot] = chunk + warp + t;
          at.slot[mmm::detail::first_loop_slot] = trip;
          if (!p.template holds<mmm::detail::plain_arithmetic>(at)) continue;
          for (index k = 0; k < words; ++k) {
            index const first = e.template value<mmm::detail::plain_arithmetic>(at) * words;
            served[static_cast<std::size_t>((t * words + k) / w)].insert(first + k);
            ++accesses;
          }
        }
        for (auto const& together : served)
          sum += together.empty() ? 0 : naive_model::stages(m, together);
      }
      if (accesses == 0) continue;
      if (M::conflicts == mmm::conflict::none) sum = 1;
      if (M::conflicts == mmm::conflict::amount) sum = (accesses + w - 1) / w;
      ++total.rounds;
      total.stages += sum;
      total.time += (sum + m.ports() - 1) / m.ports() + m.latency() - 1;
    }
  return total;
}

template <index V, class M, class E, class P>
int compare(M const& m, domain const& of, E const& e, P const& p) {
  naive_model::figures const naive = figures(m, of, V, e, p);
  auto const found = mmm::estimate(m, mmm::threads(of.threads), [&](auto& on) {
    auto const a = on.template allocate<float>(1);
    on.repeat(of.trips, [&](auto) {
      on.each(of.items, [&](auto) {
        static_cast<void>(load_if(p, mmm::wide<V>(a)[e], 0));
        // an expression as the start of the array
        static_cast<void>(load_if(p, mmm::wide<V>(a + V * e)[0], 0));
      });
    });
  });
  RC_ASSERT(found.rounds == 2 * naive.rounds);
  RC_ASSERT(found.stages == 2 * naive.stages);
  RC_ASSERT(found.time == 2 * naive.time);
  return found.closed_form ? 1 : 0;
}

template <class M>
void agrees(std::string const& name, M const& m) {
  int cases = 0;
  int closed = 0;
  holds("wide accesses: estimate = definition on " + name, [&] {
    constexpr index w = M::width();
    domain const of{between(0, 5 * w), between(1, 3 * w), between(1, 3)};
    auto const number = [&](index low, index high) { return mmm::constant(between(low, high)); };
    mmm::constant const step = number(0, w + 2), other = number(1, w + 1), origin = number(0, 40);
    mmm::variable const loop(mmm::detail::first_loop_slot);
    auto const i = mmm::item;
    RC_LOG() << of.items << " items, " << of.threads << " threads, " << of.trips << " trips; step "
             << step.number << ", other " << other.number << ", origin " << origin.number << "\n";
    auto const everywhere = mmm::detail::always{};
    auto const first_few = i + other < mmm::constant(between(-2, of.items + 2));
    auto const some = (i + loop) % other < number(0, 3);
    auto const all_widths = [&](auto const& e, auto const& p) {
      closed += compare<1>(m, of, e, p) + compare<2>(m, of, e, p) + compare<4>(m, of, e, p) +
                compare<8>(m, of, e, p);
      cases += 4;
    };
    all_widths(i + origin, everywhere);
    all_widths(i + loop * step + origin, first_few);
    all_widths(step * i + loop + origin, some);
    all_widths(i / other * step + i % other + loop * origin, everywhere);
    all_widths((i + loop) % other + (i / other ^ origin), first_few);
    all_widths(min(i * step, origin) + select(i < origin, loop, i), i % other == loop);
  });
  INFO(name << ": " << closed << " of " << cases << " in closed form");
  CHECK(closed * 10 > cases * 9);
}

}  // namespace checks::wide_items
