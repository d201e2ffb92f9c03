// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/sort/radix_sort.hpp>
#include <mmm/algorithm/sort/sort_on_nodes.hpp>

#include "sorting.hpp"

namespace explore {

namespace {

struct radix_sort_problem : sorting_problem<radix_sort_problem> {
  static constexpr auto const& algorithm = mmm::radix_sort;
  static constexpr char const* summary =
      "all words in ascending order, by their digits: 64 bits, 4 or on an hmm 8 at a time";

  static std::tuple<mmm::key_bits> more(extra_numbers const&) { return {mmm::key_bits(64)}; }

  template <class M>
  [[nodiscard]] static closed_form estimate_of(M const& machine, mmm::size n, mmm::threads p) {
    if constexpr (mmm::hierarchical_machine<M>)
      return {.known = false, .least = {}, .most = {}};
    else
      return cost_by_keys(machine, n, p);
  }
  template <class M>
  [[nodiscard]] static known_cost<mmm::cluster_cost> estimate_on_nodes(M const& machine,
                                                                       mmm::size n,
                                                                       mmm::threads p) {
    if constexpr (mmm::hierarchical_machine<decltype(machine.node())>)
      return {.known = false, .least = {}, .most = {}};
    else
      return cost_by_keys(machine, n, p);
  }
};

}  // namespace

algorithm_entry radix_sort() { return cluster::entry_of<radix_sort_problem>(); }

}  // namespace explore
