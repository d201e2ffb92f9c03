// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "figures.hpp"

#include <mmm/cost/access.hpp>
#include <mmm/cost/request.hpp>
#include <mmm/gpu/cost.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/machine/machine.hpp>

#include <common/failure.hpp>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace explore::pattern {

namespace {

using mmm::detail::always;
using mmm::detail::assignment;
using mmm::detail::checked_arithmetic;

constexpr index max_warps_examined = index{1} << 15;  // for the warp that takes longest
constexpr index max_items_examined = index{1} << 24;  // where there is no closed form
constexpr index max_items_compared = index{1} << 16;  // for a better layout

//! Calls `use(address, condition)`.
template <class Use>
auto with_condition(addresses const& of, Use use) {
  return of.active ? use(of.of_item, *of.active) : use(of.of_item, always{});
}

//! The active lanes of a warp, whose items begin with `first`, `lanes` of them.
warp_request request_of(addresses const& of, index warp, index first, index lanes) {
  warp_request found;
  found.warp = warp;
  for (index t = 0; t < lanes; ++t) {
    assignment at;
    at.slot[mmm::detail::item_slot] = first + t;
    if (of.active && !of.active->template holds<checked_arithmetic>(at)) continue;
    index const address = of.of_item.template value<checked_arithmetic>(at);
    if (address < 0)
      throw tool::failure("the address of item " + std::to_string(first + t) + " is " +
                          std::to_string(address) + "; accepted: 0 or more");
    found.lane.push_back(t);
    found.address.push_back(address);
  }
  return found;
}

//! Finds the first warp for which `takes(request)` is the largest. Items are assigned to the
//! threads in chunks, and the threads are warps of w lanes.
template <class Takes>
void find_worst(options const& o, addresses const& of, index w, Takes takes, figures& result) {
  index warp = 0;
  bool any = false;
  for (index chunk = 0; chunk < o.items && warp < max_warps_examined; chunk += o.threads)
    for (index thread = 0;
         thread < std::min(o.threads, o.items - chunk) && warp < max_warps_examined;
         thread += w, ++warp) {
      index const lanes = std::min({w, o.threads - thread, o.items - chunk - thread});
      warp_request found = request_of(of, warp, chunk + thread, lanes);
      if (found.lane.empty()) continue;
      found.takes = takes(found);
      if (!any || found.takes > result.worst.takes) result.worst = std::move(found);
      any = true;
    }
  result.warps_seen = warp;
}

//! `closed()`; where that refuses what no item that is asked for does, as a division by zero on the
//! other side of `?:`, or a shift by other numbers than constants, `by_items()`.
template <class Closed, class ByItems>
auto closed_or_each(index items, Closed closed, ByItems by_items) {
  try {
    return closed();
  } catch (std::logic_error const&) {
    if (items > max_items_examined) throw;
  } catch (std::overflow_error const&) {
    if (items > max_items_examined) throw;
  }
  return by_items();
}

template <mmm::memory M>
mmm::detail::access_cost cost_on(M const& m, options const& o, addresses const& of) {
  mmm::detail::access_domain domain;
  domain.items = o.items;
  domain.threads = o.threads;
  return with_condition(of, [&](auto const& e, auto const& p) {
    return closed_or_each(
        o.items, [&] { return mmm::detail::cost_of_access(m, domain, e, p); },
        [&] { return mmm::detail::enumerated_cost_of_access(m, domain, e, p); });
  });
}

template <mmm::memory M>
figures on_memory(M const& m, options const& o, addresses const& of) {
  figures result;
  mmm::detail::access_cost const cost = cost_on(m, o, of);
  result.takes = cost.stages;
  result.closed_form = cost.closed_form;
  addresses same = of;
  same.of_item = tool::tree(tool::number(0));  // every warp that asks for anything takes a stage
  result.requests = result.least = cost_on(m, o, same).stages;
  auto const by = mmm::detail::service_for(M::conflicts, m.width());
  std::vector<mmm::detail::served_lane> served(64);
  find_worst(
      o, of, m.width(),
      [&](warp_request const& r) {
        return mmm::detail::serve(
            by, static_cast<int>(r.lane.size()),
            [&](int k) { return r.address[static_cast<std::size_t>(k)]; }, served.data());
      },
      result);
  warp_request const& r = result.worst;
  auto const count = static_cast<int>(r.lane.size());
  auto const longest = mmm::detail::longest_queue_of<64>(
      by, count, [&](int k) { return r.address[static_cast<std::size_t>(k)]; });
  if (longest.stages > 1) {
    result.worst_bank = longest.queue;
    for (int k = 0; k < longest.stages; ++k)
      result.colliding.push_back(r.lane[static_cast<std::size_t>(longest.place[k])]);
  }
  return result;
}

//! Calls `use.operator()<Access>()` for the access of a pattern.
template <class Use>
auto with_access(options const& o, Use use) {
  using namespace mmm::gpu;
  switch (o.bytes) {
    case 1:
      return o.store ? use(store<1>{}) : use(load<1>{});
    case 2:
      return o.store ? use(store<2>{}) : use(load<2>{});
    case 8:
      return o.store ? use(store<8>{}) : use(load<8>{});
    case 16:
      return o.store ? use(store<16>{}) : use(load<16>{});
    default:
      return o.store ? use(store<4>{}) : use(load<4>{});
  }
}

//! Sectors, and the fewest that could hold what is asked for.
struct sector_cost {
  mmm::gpu::global_cost cost;
  index least = 0;
};

index least_sectors(std::vector<index> address, int bytes) {
  std::sort(address.begin(), address.end());
  auto const different = std::unique(address.begin(), address.end()) - address.begin();
  return (different * bytes + mmm::gpu::sector_bytes - 1) / mmm::gpu::sector_bytes;
}

//! Adds up `cost(at, active)` of all warps of 32 items.
template <class Sum, class CostOfWarp, class Add>
Sum sum_each(options const& o, addresses const& of, CostOfWarp cost, Add add) {
  Sum sum{};
  for (index first = 0; first < o.items; first += 32) {
    mmm::gpu::detail::lane_addresses at;
    warp_request const r = request_of(of, first / 32, first, std::min<index>(32, o.items - first));
    for (std::size_t k = 0; k < r.lane.size(); ++k) {
      at.address[r.lane[k]] = r.address[k];
      at.bits |= r.address[k];
      at.active |= mmm::gpu::lane_mask{1} << r.lane[k];
    }
    mmm::gpu::detail::require_aligned(access_of(o), at);
    add(sum, cost(at, at.active), 1);
  }
  return sum;
}

template <mmm::gpu::bank_rules Rules>
mmm::gpu::shared_cost shared_cost_by(options const& o, addresses const& of) {
  return with_access(o, [&](auto access) {
    using A = decltype(access);
    return with_condition(of, [&](auto const& e, auto const& p) {
      return closed_or_each(
          o.items, [&] { return mmm::gpu::shared_cost_of<A, Rules>(e, mmm::size(o.items), p); },
          [&] {
            return sum_each<mmm::gpu::shared_cost>(
                o, of,
                [](auto const& at, mmm::gpu::lane_mask active) {
                  return mmm::gpu::detail::count_shared<Rules>(A{}, at, active);
                },
                mmm::gpu::detail::add_shared);
          });
    });
  });
}

mmm::gpu::shared_cost shared_cost(options const& o, addresses const& of) {
  return merges_pairs(o) ? shared_cost_by<mmm::gpu::nvidia_merging>(o, of)
                         : shared_cost_by<mmm::gpu::nvidia>(o, of);
}

figures in_shared(options const& o, addresses const& of) {
  figures result;
  mmm::gpu::shared_cost const cost = shared_cost(o, of);
  result.requests = cost.requests;
  result.takes = cost.wavefronts;
  result.least = cost.ideal;
  mmm::gpu::warp_access const access = access_of(o);
  auto const explained = [&](warp_request const& r) {
    std::vector<index> all(32, 0);
    mmm::gpu::lane_mask active = 0;
    for (std::size_t k = 0; k < r.lane.size(); ++k) {
      all[static_cast<std::size_t>(r.lane[k])] = r.address[k];
      active |= mmm::gpu::lane_mask{1} << r.lane[k];
    }
    return merges_pairs(o) ? mmm::gpu::explain_shared<mmm::gpu::nvidia_merging>(access, all, active)
                           : mmm::gpu::explain_shared<mmm::gpu::nvidia>(access, all, active);
  };
  find_worst(
      o, of, 32, [&](warp_request const& r) { return explained(r).cost().wavefronts; }, result);
  mmm::gpu::phase_cost const worst = explained(result.worst).worst();
  if (worst.wavefronts > 1) {
    result.worst_bank = worst.worst_bank;
    for (auto lanes = worst.colliding; lanes != 0; lanes &= lanes - 1)
      result.colliding.push_back(std::countr_zero(lanes));
  }
  return result;
}

figures in_global(options const& o, addresses const& of) {
  figures result;
  auto const of_warp = [&](auto const& at, mmm::gpu::lane_mask active) {
    std::vector<index> asked;
    for (auto lanes = active; lanes != 0; lanes &= lanes - 1)
      asked.push_back(at(std::countr_zero(lanes)));
    return sector_cost{mmm::gpu::detail::count_global(at, active),
                       least_sectors(std::move(asked), o.bytes)};
  };
  auto const add = +[](sector_cost& to, sector_cost const& c, index times) {
    mmm::gpu::detail::add_global(to.cost, c.cost, times);
    to.least = mmm::detail::checked_add(to.least, mmm::detail::checked_multiply(c.least, times));
  };
  sector_cost const sum = with_condition(of, [&](auto const& e, auto const& p) {
    return closed_or_each(
        o.items,
        [&] {
          return mmm::gpu::detail::sum_over_warps(e, p, o.items, 32, mmm::gpu::line_bytes,
                                                  access_of(o), mmm::gpu::all_lanes(32), of_warp,
                                                  sector_cost{}, add);
        },
        [&] { return sum_each<sector_cost>(o, of, of_warp, add); });
  });
  result.requests = sum.cost.requests;
  result.takes = sum.cost.sectors;
  result.lines = sum.cost.lines;
  result.least = sum.least;
  find_worst(
      o, of, 32,
      [&](warp_request const& r) {
        return mmm::gpu::global_request_cost(access_of(o), r.address).sectors;
      },
      result);
  return result;
}

index takes(options const& o, addresses const& of) {
  if (o.where == memory::dmm) return cost_on(mmm::dmm<mmm::dynamic, 1>(o.width), o, of).stages;
  return shared_cost(o, of).wavefronts;
}

//! Tries paddings and swizzles of rows of 1, 2, 4 … times the banks. The least time wins; of equal
//! ones the swizzle, which needs no more memory, then the fewest words between rows.
better_layout find_better(options o, index found, index least) {
  better_layout best;
  o.items = std::min(o.items, max_items_compared);
  o.threads = std::min(o.threads, o.items);
  addresses const own = parse(o.text, o.known, o.one_warp());
  best.over = o.items;
  best.instead_of = o.items == 0 ? found : takes(o, own);
  best.takes = best.instead_of;
  if (found <= least) return best;
  index const unit = o.on_gpu() ? o.bytes : 1;  // what is moved
  index const row = o.on_gpu() ? 128 : o.width;
  auto const in_units = [&](index n) {
    return std::to_string(n) + (o.on_gpu() ? " bytes" : n == 1 ? " word" : " words");
  };
  std::string const e = "(" + o.text + ")";
  auto const attempt = [&](std::string text, std::string how) {
    index const now = takes(o, parse(text, o.known, o.one_warp()));
    if (now >= best.takes) return;
    best.takes = now;
    best.text = std::move(text);
    best.how = std::move(how);
  };
  bool const power = (row & (row - 1)) == 0;
  for (index r = row; r <= 16 * row; r *= 2) {
    std::string const rows = std::to_string(r);
    index const places = row / unit;  // of accesses side by side
    if (power && places > 1)
      attempt(e + " ^ (" + e + " / " + rows + " % " + std::to_string(places) + ")" +
                  (unit == 1 ? "" : " * " + std::to_string(unit)),
              "swizzle: exclusive or with the number of the row, rows of " + in_units(r));
  }
  for (index const pad : {index{1}, index{2}, index{4}})
    for (index r = row; r <= 16 * row; r *= 2) {
      index const step = pad * std::max<index>(unit, o.on_gpu() ? 4 : 1);
      attempt(e + " + " + e + " / " + std::to_string(r) + " * " + std::to_string(step),
              "padding: " + in_units(step) + " after every " + in_units(r));
    }
  return best;
}

}  // namespace

mmm::gpu::warp_access access_of(options const& o) {
  return {o.store ? mmm::gpu::instruction::store : mmm::gpu::instruction::load, o.bytes, 0};
}

bool merges_pairs(options const& o) {
  bool merges = false;
  mmm::gpu::for_each_device([&](char const* name, auto const& gpu) {
    index const capability = std::remove_cvref_t<decltype(gpu)>::facts.compute_capability;
    if (name == o.gpu) merges = mmm::gpu::merges_by_measurement(capability);
  });
  return merges;
}

figures plain_figures(options const& o, addresses const& of) {
  switch (o.where) {
    case memory::dmm:
      return on_memory(mmm::dmm<mmm::dynamic, 1>(o.width), o, of);
    case memory::umm:
      return on_memory(mmm::umm<mmm::dynamic, 1>(o.width), o, of);
    case memory::gpu_shared:
      return in_shared(o, of);
    default:
      return in_global(o, of);
  }
}

figures figures_of(options const& o, addresses const& of) {
  figures result;
  try {
    result = plain_figures(o, of);
  } catch (std::invalid_argument const& e) {
    if (!o.on_gpu()) throw;
    throw tool::failure(std::string(e.what()) + "; on a GPU the pattern is an address in bytes: " +
                        std::to_string(o.bytes) + " * (...) for the number of an element");
  }
  if (o.has_banks()) result.better = find_better(o, result.takes, result.least);
  return result;
}

}  // namespace explore::pattern
