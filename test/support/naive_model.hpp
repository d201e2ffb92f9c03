// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An independent implementation of the model, literal and slow: sets of addresses, thread by
// thread, round by round. It shares only names with the library, no code.
#pragma once

#include <mmm/cost/access.hpp>
#include <mmm/machine/machine.hpp>

#include "support/random_expression.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>

namespace naive_model {

using mmm::index;
using random_expression::branch;
using random_expression::kind;

//! Thrown where a value does not fit into 64 bits.
struct out_of_range : std::runtime_error {
  out_of_range() : std::runtime_error("out of range") {}
};

__extension__ using wide = __int128;

inline index fit(wide x) {
  if (x > INT64_MAX || x < INT64_MIN) throw out_of_range();
  return static_cast<index>(x);
}

//! The value of an expression for given values of its variables.
inline index value(branch const& b, index const (&at)[4]) {
  using random_expression::operation;
  random_expression::node const& x = *b;
  auto const first = [&] { return value(x.first, at); };
  auto const second = [&] { return value(x.second, at); };
  switch (x.what) {
    case kind::variable:
      return at[x.number];
    case kind::constant:
      return x.number;
    case kind::select:
      return first() != 0 ? second() : value(x.third, at);
    case kind::less:
      return first() < second() ? 1 : 0;
    case kind::equal:
      return first() == second() ? 1 : 0;
    case kind::both:
      return first() != 0 && second() != 0 ? 1 : 0;
    case kind::either:
      return first() != 0 || second() != 0 ? 1 : 0;
    case kind::negation:
      return first() != 0 ? 0 : 1;
    case kind::binary:
      break;
  }
  wide const l = first();
  wide const r = second();
  switch (x.op) {
    case operation::add:
      return fit(l + r);
    case operation::subtract:
      return fit(l - r);
    case operation::multiply:
      return fit(l * r);
    case operation::divide:
      return fit(l / r);
    case operation::modulo:
      return fit(l % r);
    case operation::bit_and:
      return fit(l & r);
    case operation::bit_or:
      return fit(l | r);
    case operation::bit_xor:
      return fit(l ^ r);
    case operation::shift_left:
      return fit(l << static_cast<int>(r));
    case operation::shift_right:
      return fit(l >> static_cast<int>(r));
    case operation::minimum:
      return fit(l < r ? l : r);
    case operation::maximum:
      return fit(l > r ? l : r);
  }
  return 0;
}

inline index rounded_down(index a, index w) { return a >= 0 ? a / w : -((-a + w - 1) / w); }

//! The stages of one request with these addresses of active lanes, a std::multiset where equal ones
//! count.
template <class M, class Lanes>
index stages(M const& m, Lanes const& lanes) {
  index const w = m.width();
  std::set<index> const addresses(lanes.begin(), lanes.end());
  if (M::conflicts == mmm::conflict::groups) {
    std::set<index> groups;
    for (index a : addresses) groups.insert(rounded_down(a, w));
    return static_cast<index>(groups.size());
  }
  std::map<index, index> in_bank;
  index most = 0;
  auto const count = [&](index a) {
    index const bank = a - rounded_down(a, w) * w;
    if (++in_bank[bank] > most) most = in_bank[bank];
  };
  if (M::conflicts == mmm::conflict::updates)
    for (index a : lanes) count(a);
  else
    for (index a : addresses) count(a);
  return most;
}

struct figures {
  index rounds = 0;
  index stages = 0;
  index time = 0;
};

//! The cost of one round: each thread of each DMM, warp by warp.
template <class M>
void one_round(M const& m, mmm::detail::access_domain const& of, branch const& address,
               branch const& when, index first_item, index const (&loops)[2], figures& total) {
  index sum = 0;
  index longest = 0;
  index accesses = 0;
  for (index d = 0; d < of.dmms; ++d) {
    index own = 0;
    for (index first_thread = 0; first_thread < of.threads; first_thread += m.width()) {
      std::multiset<index> addresses;
      for (index t = first_thread; t < first_thread + m.width() && t < of.threads; ++t) {
        index const item = first_item + (of.machine_wide ? d * of.threads : 0) + t;
        index const at[4] = {item, d, loops[0], loops[1]};
        if (item >= of.items || (when && value(when, at) == 0)) continue;
        ++accesses;
        addresses.insert(value(address, at));
      }
      own += stages(m, addresses);
    }
    sum += own;
    if (own > longest) longest = own;
  }
  if (accesses == 0) return;
  ++total.rounds;
  if (M::conflicts == mmm::conflict::none) {
    total.stages += 1;
    total.time += 1;
  } else if (M::conflicts == mmm::conflict::amount) {
    total.stages += (accesses + m.width() - 1) / m.width();
    total.time += (accesses + m.width() - 1) / m.width();
  } else {
    total.stages += sum;
    index const counted = of.side_by_side ? longest : sum;
    total.time += (counted + m.ports() - 1) / m.ports() + m.latency() - 1;
  }
}

//! The cost of all rounds of an access. A null `when` means that every item is active.
template <class M>
figures cost_of_access(M const& m, mmm::detail::access_domain const& of, branch const& address,
                       branch const& when) {
  figures total;
  index const in_chunk = of.threads * (of.machine_wide ? of.dmms : 1);
  for (index outer = 0; outer < (of.loops > 0 ? of.trips[0] : 1); ++outer)
    for (index inner = 0; inner < (of.loops > 1 ? of.trips[1] : 1); ++inner)
      for (index first = 0; first < of.items; first += in_chunk)
        one_round(m, of, address, when, first, {outer, inner}, total);
  return total;
}

}  // namespace naive_model
