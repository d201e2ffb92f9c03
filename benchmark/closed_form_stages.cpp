// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random accesses for benchmark/closed_form_stages.py, which compiles this with headers whose
// search for a closed form has switches. Each access is costed once without each set of stages; the
// results have to be the same. Prints a line for each set: accesses, lost closed forms,
// evaluations, seconds.
#include <mmm/cost/access.hpp>
#include <mmm/machine/machine.hpp>

#include "support/random_expression.hpp"

#include <rapidcheck.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <vector>

namespace {

using mmm::dynamic;
using mmm::index;
using random_expression::between;

struct figures {
  char const* left_out;
  long long lost = 0;
  long long evaluations = 0;
  double seconds = 0;
};

double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

//! Costs an access without each set of stages, and adds to the figures unless some search refuses
//! it.
template <class M, class Predicate>
void compare(M const& m, mmm::detail::access_domain const& domain,
             random_expression::tree const& address, Predicate const& predicate,
             std::vector<figures>& sets) {
  mmm::detail::stage_switches& switches = mmm::detail::switches();
  mmm::detail::access_cost reference;
  bool reference_known = false;
  std::vector<figures> sum = sets;
  for (figures& set : sum) {
    switches = {set.left_out};
    mmm::detail::access_cost found;
    double const begin = processor_time();
    try {
      found = mmm::detail::cost_of_access(m, domain, address, predicate);
    } catch (std::exception const&) {
      RC_DISCARD("a value over 64 bits");
    }
    set.seconds += processor_time() - begin;
    set.evaluations += switches.evaluations;
    set.lost += switches.lost != 0;
    if (switches.lost != 0) continue;
    if (!reference_known) reference = found;
    reference_known = true;
    RC_ASSERT(found.rounds == reference.rounds);
    RC_ASSERT(found.stages == reference.stages);
    RC_ASSERT(found.time == reference.time);
  }
  sets = sum;
}

template <class M>
void compare_any(M const& m, index scale, std::vector<figures>& sets) {
  bool const banks = M::conflicts == mmm::conflict::banks;
  mmm::detail::access_domain domain = random_expression::any_domain(m.width(), banks);
  domain.items *= scale;
  random_expression::material const from{m.width(), domain.loops, domain.dmms > 1};
  random_expression::tree const address(
      random_expression::any_expression(from, static_cast<int>(between(1, 4))));
  if (random_expression::one_in(2))
    compare(m, domain, address, mmm::detail::always{}, sets);
  else
    compare(m, domain, address,
            random_expression::condition(random_expression::any_condition(from, 2)), sets);
}

}  // namespace

//! Usage: closed_form_stages LARGEST_SCALE SET..., with RC_PARAMS for the number of cases. A domain
//! has up to 1500 items, times a random scale from 1 on.
int main(int count, char** arguments) {
  if (count < 3) return 2;
  mmm::index const largest = std::atoll(arguments[1]);
  std::vector<figures> sets;
  for (int k = 2; k < count; ++k) sets.push_back({arguments[k]});
  int accesses = 0;
  bool const agree = rc::check("the stages agree", [&] {
    mmm::index const scale = largest == 1 ? 1 : between(1, largest);
    mmm::index const width = between(1, 64);
    switch (between(0, 3)) {
      case 0:
        compare_any(mmm::dmm<dynamic, dynamic>(width, between(1, 9)), scale, sets);
        break;
      case 1:
        compare_any(mmm::umm<dynamic, dynamic>(width, between(1, 9)), scale, sets);
        break;
      case 2:
        compare_any(mmm::umm<dynamic, dynamic, dynamic>(width, between(1, 9), between(2, 9)), scale,
                    sets);
        break;
      default:
        compare_any(mmm::bpram<dynamic>(width), scale, sets);
    }
    ++accesses;
  });
  for (figures const& set : sets)
    std::printf("%s|%d|%lld|%lld|%.3f\n", set.left_out, accesses, set.lost, set.evaluations,
                set.seconds);
  return agree ? 0 : 1;
}
