// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/timing/predict.hpp>

#include <concepts>
#include <type_traits>

//! The choice of a kernel among candidates by predicted time.
namespace mmm {

//! The blocks of a candidate's launch.
struct grid_plan {
  index blocks_per_sm = 1;
  index threads = 256;      //!< threads per block
  bool one_memory = false;  //!< true for a program of a machine without DMMs: a umm
  prediction_conditions conditions{};
};

//! A program with its tiling, its layout and its launch. `predict(facts, plan, size)` returns the
//! prediction for a GPU with these facts; candidate_of makes a candidate from an algorithm.
template <class Predict>
struct candidate {
  char const* name;
  grid_plan plan;
  Predict predict;
};
template <class Predict>
candidate(char const*, grid_plan, Predict) -> candidate<Predict>;

//! A condition that a candidate does not meet, with its figures: "bytes of shared memory", 65600
//! needed, 49152 available. No condition: all are met.
struct unmet_condition {
  char const* quantity = nullptr;
  index needed = 0;
  index available = 0;

  [[nodiscard]] constexpr explicit operator bool() const { return quantity != nullptr; }
};

//! A prediction, or the condition on which the kernel cannot run on the GPU.
struct candidate_prediction {
  bool possible = false;
  prediction time{};
  unmet_condition unmet{};
  double conflicts = 0;  //!< stages of all shared requests beyond one for each word of a thread
};

namespace detail {

using planned_hmm = any_blocks<32>;
using planned_umm = umm<32, dynamic, dynamic>;

//! True if the tiles of an algorithm are as large as a shared memory has room for.
template <class A>
inline constexpr bool tiles_fill_capacity = requires { A::fills_capacity; };

//! The machine of a launch on a GPU, with shared memories as large as the program needs; the
//! prediction decides whether the GPU has them. If tiles fill a shared memory, the machine has
//! those of the GPU, divided by the blocks of a multiprocessor.
template <class A = void>
[[nodiscard]] constexpr planned_hmm machine_of(gpu::device_facts const& facts,
                                               grid_plan const& plan) {
  index const bytes = gpu::detail::split(facts, plan.blocks_per_sm).shared_bytes_per_block;
  return planned_hmm(facts.sms * plan.blocks_per_sm, facts.shared_latency, facts.global_latency,
                     tiles_fill_capacity<A> ? bytes / plan.conditions.value_bytes : unlimited,
                     facts.ports());
}

[[nodiscard]] constexpr candidate_prediction cannot_run(char const* quantity, index needed,
                                                        index available) {
  candidate_prediction found;
  found.unmet = {quantity, needed, available};
  return found;
}

//! The condition on which not one block of a kernel is resident on a multiprocessor.
[[nodiscard]] constexpr candidate_prediction no_resident_block(timing_model const& model,
                                                               launched_blocks const& blocks,
                                                               index shared_bytes) {
  index const registers =
      ceil_divide(model.code().registers, 8) * 8 * ceil_divide(blocks.threads, 32) * 32;
  if (registers > model.timing().registers_per_sm)
    return cannot_run("registers of a block", registers, model.timing().registers_per_sm);
  return cannot_run("bytes of shared memory of a block", shared_bytes,
                    model.timing().shared_bytes_per_sm);
}

template <machine M, class A, class Size, class... More>
[[nodiscard]] constexpr candidate_prediction predict_planned(gpu::device_facts const& facts,
                                                             prediction_conditions const& given,
                                                             M const& m, index p, A const& a,
                                                             Size const& n, More const&... more) {
  prediction_conditions const conditions = conditions_for<A>(given);
  launched_blocks const blocks = blocks_of(m, p);
  if (blocks.threads > facts.max_threads_per_block)
    return cannot_run("threads of a block", blocks.threads, facts.max_threads_per_block);
  gpu::timing_facts const timing = gpu::timing_of(facts);
  if constexpr (requires { A::on_tensor_cores; })
    if (timing_for<A>(timing).tensor_halves <= 0) return cannot_run("tensor cores", 1, 0);
  kernel_code const code = code_of(a, kind_of(m), blocks.threads, conditions.value_bytes, more...);
  timing_model model = model_of<A>(facts, timing, blocks, code, conditions);
  auto const problem = predicted_problem<A>(n, more...);
  if constexpr (requires { problem.largest_side(); })
    if (index const side = problem.largest_side(); problem.m > side)
      return cannot_run("rows or columns of the matrices", problem.m, side);
  program_record record(model, true);
  watch_program(record, m, p, problem);
  auto const bytes = static_cast<index>(model.demand().words_shared) * conditions.value_bytes;
  double const conflicts = model.demand().conflicts;
  index const resident = model.blocks_per_sm();
  if (bytes > facts.shared_bytes_per_block)
    return cannot_run("bytes of shared memory of a block", bytes, facts.shared_bytes_per_block);
  if (resident == 0) return no_resident_block(model, blocks, bytes);
  prediction const found = timed<A>(record, m, p, problem);
  // All blocks that wait for each other have to be resident.
  if (found.grid_barriers > 0 && blocks.blocks > resident * facts.sms)
    return cannot_run("resident blocks", blocks.blocks, resident * facts.sms);
  return {true, found, {}, conflicts};
}

//! The prediction for two kernels one after the other, which share their arrays.
[[nodiscard]] constexpr candidate_prediction in_sequence(candidate_prediction const& a,
                                                         candidate_prediction const& b) {
  prediction both = a.time;
  prediction const& then = b.time;
  both.microseconds += then.microseconds;
  both.blocks_per_sm = smaller(both.blocks_per_sm, then.blocks_per_sm);
  both.grid_barriers += then.grid_barriers;
  both.bytes += then.bytes;
  both.counted = both.counted && then.counted;
  both.memory_bytes = larger_of(both.memory_bytes, then.memory_bytes);
  for (int k = 0; k < prediction::limits; ++k) {
    both.parts[k] += then.parts[k];
    if (both.parts[k] > both.parts[static_cast<int>(both.limit)])
      both.limit = static_cast<time_limit>(k);
  }
  return {a.possible && b.possible, both, a.unmet ? a.unmet : b.unmet, a.conflicts + b.conflicts};
}

}  // namespace detail

namespace detail {

//! The prediction for an algorithm with its parameters besides size and threads. `with(use)`
//! returns `use(algorithm, parameters...)`.
template <class With>
struct predict_algorithm {
  With with;

  [[nodiscard]] constexpr candidate_prediction operator()(gpu::device_facts const& facts,
                                                          grid_plan const& by,
                                                          auto const& n) const {
    return with([&]<class A>(A const& a, auto const&... more) -> candidate_prediction {
      index const p = facts.sms * by.blocks_per_sm * by.threads;
      constexpr bool of_dmms = A::kinds.hmm != 0;
      constexpr bool of_one_memory = A::kinds.umm != 0;
      if (by.one_memory) {
        if constexpr (of_one_memory)
          return predict_planned(facts, by.conditions,
                                 planned_umm(facts.global_latency, facts.ports()), p, a, n,
                                 more...);
        else
          return cannot_run("programs for one memory", 1, 0);
      }
      if constexpr (of_dmms)
        return predict_planned(facts, by.conditions, machine_of<A>(facts, by), p, a, n, more...);
      else
        return cannot_run("programs for DMMs", 1, 0);
    });
  }
};
template <class With>
predict_algorithm(With) -> predict_algorithm<With>;

}  // namespace detail

//! The candidate that runs `a` by `plan`, with parameters `more` besides size and threads.
template <algorithm A, class... More>
[[nodiscard]] constexpr auto candidate_of(char const* name, grid_plan plan, A const& a,
                                          More const&... more) {
  auto const with = [=](auto const& use) { return use(a, more...); };
  return candidate{name, plan, detail::predict_algorithm{with}};
}

//! Candidates for one problem. `for_each(visit)` calls `visit(number, candidate)` for each.
template <class... Candidates>
struct candidates;
template <>
struct candidates<> {
  static constexpr index count = 0;
  template <class Visit>
  constexpr void for_each(Visit const&, index = 0) const {}
};
template <class First, class... More>
struct candidates<First, More...> {
  static constexpr index count = 1 + sizeof...(More);
  First first;
  candidates<More...> more;

  constexpr explicit candidates(First const& one, More const&... others)
      : first(one), more(others...) {}
  template <class Visit>
  constexpr void for_each(Visit const& visit, index number = 0) const {
    visit(number, first);
    more.for_each(visit, number + 1);
  }
};
template <class... Candidates>
candidates(Candidates const&...) -> candidates<Candidates...>;

//! The candidates of a list, and those of another one after them if `all`.
template <class First, class More>
struct extended_candidates {
  First first;
  More more;
  bool all;
  template <class Visit>
  constexpr void for_each(Visit const& visit) const {
    first.for_each(visit);
    if (all) more.for_each(visit, First::count);
  }
};
template <class First, class More>
extended_candidates(First, More, bool) -> extended_candidates<First, More>;

//! The chosen candidate: its number, name, launch and predicted time.
struct choice {
  index number = -1;
  char const* name = "";
  grid_plan plan{};
  prediction time{};
};

//! The candidate with the least predicted time on a GPU with these facts, among those that can run
//! there; the first one of equal candidates. `n` is a size or a shape. `conditions`, if given,
//! replace the candidates' own conditions. Time: an estimate or two for each candidate. Errors:
//! std::invalid_argument, a compile error in a constant expression, if no candidate can run.
template <class... Candidates, class Size, class... Conditions>
requires(sizeof...(Conditions) <= 1)
[[nodiscard]] constexpr choice best(gpu::device_facts const& facts,
                                    candidates<Candidates...> const& all, Size const& n,
                                    Conditions const&... conditions) {
  choice found;
  all.for_each([&](index number, auto const& one) {
    grid_plan plan = one.plan;
    ((plan.conditions = conditions), ...);
    candidate_prediction const p = one.predict(facts, plan, n);
    if (!p.possible) return;
    if (found.number >= 0 && found.time.microseconds <= p.time.microseconds) return;
    found = {number, one.name, plan, p.time};
  });
  if (found.number < 0)
    detail::reject("the number of candidates that can run on this GPU", 0, "1 or more");
  return found;
}
//! The best candidate for GPU `G`: `best<gpu::h200>(candidates, size(n))`.
template <class G, class... Candidates, class Size, class... Conditions>
requires(sizeof...(Conditions) <= 1)
[[nodiscard]] constexpr choice best(candidates<Candidates...> const& all, Size const& n,
                                    Conditions const&... conditions) {
  return best(G::facts, all, n, conditions...);
}

//! A cache of choices for calls whose sizes are known only at run time: it has the choices for the
//! last `Entries` sizes. Not to be shared by threads.
template <class G, class Candidates, int Entries = 16>
class chooser {
 public:
  constexpr explicit chooser(Candidates const& all) : all_(all) {}

  //! Returns best<G>(candidates, size(n)). Time: O(1) for a size in the cache.
  [[nodiscard]] constexpr choice const& operator()(index n) {
    entry& slot =
        entries_[static_cast<unsigned long long>(n) * 0x9E3779B97F4A7C15ULL >> 32 & (Entries - 1)];
    if (slot.n != n) slot = {n, best<G>(all_, size(n))};
    return slot.chosen;
  }

 private:
  static_assert((Entries & (Entries - 1)) == 0, "mmm: a power of two of sizes is kept");
  struct entry {
    index n = -1;
    choice chosen{};
  };
  Candidates all_;
  entry entries_[Entries] = {};
};

}  // namespace mmm
