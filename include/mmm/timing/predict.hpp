// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/scatter.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/gpu/timing.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/timing/kernel_code.hpp>
#include <mmm/timing/kernel_codes.hpp>
#include <mmm/timing/program_record.hpp>
#include <mmm/timing/timing_model.hpp>
#include <mmm/timing/warpgroup_operands.hpp>

#include <cstdint>
#include <type_traits>

//! The time that an algorithm's kernel takes on a GPU, predicted from the program, from the counted
//! instructions of its machine code and from what is published about the GPU: docs/prediction.md.
namespace mmm {

//! The resources and waits that can limit a kernel's time.
enum class time_limit : std::uint8_t {
  global_bandwidth,   //!< the bytes of the global memory
  cache_bandwidth,    //!< the bytes of the level-2 cache
  shared_bandwidth,   //!< the wavefronts of the shared memories
  instruction_issue,  //!< the instructions of all warps
  tensor_cores,       //!< the products of matrices in registers
  bytes_in_flight,    //!< a warp's waits for its loads of the global memory
  latency,            //!< a warp's waits for its instructions and its shared loads
  barriers,           //!< barriers of blocks and of the grid
  launch              //!< the start of a kernel
};

//! A predicted time, and what it was found from.
struct prediction {
  static constexpr int limits = static_cast<int>(time_limit::launch) + 1;

  double microseconds = 0;
  time_limit limit = time_limit::launch;  //!< takes most of the time
  index blocks_per_sm = 0;                //!< resident on a multiprocessor side by side
  index grid_barriers = 0;
  //! Microseconds that each part would take alone; they overlap.
  double parts[limits] = {};
  double bytes = 0;            //!< of all requests to the global memory, in sectors of 32 bytes
  bool counted = false;        //!< by counted instructions, not by the defaults of kernel_code
  bool written_cache = false;  //!< see prediction_conditions
  double memory_bytes = 0;     //!< the kernel's arrays in the global memory
  double gpu_bytes = 0;        //!< the GPU's global memory; 0: not known

  //! False if the arrays are larger than the GPU's memory: the time is that of a GPU with more.
  [[nodiscard]] constexpr bool fits() const { return gpu_bytes == 0 || memory_bytes <= gpu_bytes; }
};

//! The state of the GPU when the kernel starts, and the size of a value.
struct prediction_conditions {
  //! False: the level-2 cache is clean. It holds no word of the kernel's arrays, and nothing that
  //! it would have to write to the memory first. True: it is full of what others have written, as
  //! in a benchmark that overwrites it before every run.
  bool written_cache = false;
  index value_bytes = 4;
};

namespace detail {

template <machine M>
[[nodiscard]] constexpr launched_blocks blocks_of(M const& m, index p) {
  if constexpr (hierarchical_machine<M>)
    return {m.dmms(), p / m.dmms(), false, false};
  else if constexpr (M::conflicts == conflict::banks)
    return {1, p, false, true};
  else
    return {ceil_divide(p, 256), smaller(p, 256), true, false};
}

template <machine M>
[[nodiscard]] constexpr char const* kind_of(M const&) {
  if constexpr (hierarchical_machine<M>)
    return "hmm";
  else if constexpr (M::conflicts == conflict::banks)
    return "dmm";
  else
    return "umm";
}

//! True if an algorithm assigns each tile to a block of its own: its kernel has as many blocks as
//! are resident, whatever the number of DMMs.
template <class A>
inline constexpr bool one_block_per_tile = requires { A::assigns_tiles; };

//! A problem whose cost depends on its keys, with random keys.
template <class Problem>
struct with_random_keys {
  Problem problem;
  template <class On>
  constexpr void run(On& on) const {
    problem.start(on, scatter_random{});
  }
};

//! The conditions for a kernel of algorithm `A`: its words may have a size of their own.
template <class A>
[[nodiscard]] constexpr prediction_conditions conditions_for(prediction_conditions conditions) {
  if constexpr (requires { A::word_bytes; }) conditions.value_bytes = A::word_bytes;
  return conditions;
}

//! The times of a GPU for a kernel of algorithm `A`: tensor cores multiply faster what warpgroups
//! ask for.
template <class A>
[[nodiscard]] constexpr gpu::timing_facts timing_for(gpu::timing_facts timing) {
  if constexpr (requires { requires A::on_warpgroups; })
    timing.tensor_halves = timing.warpgroup_halves;
  return timing;
}

//! The factors that tensor cores of a GPU read from the shared memory in a kernel of algorithm `A`.
template <class A>
[[nodiscard]] constexpr warpgroup_operands operands_for(gpu::timing_facts const& timing) {
  if constexpr (requires { requires A::on_warpgroups; })
    if (timing.warpgroup_halves > 0) return {64, A::tile_columns};
  return {};
}

//! The model of a kernel of algorithm `A` on a GPU with these facts and times.
template <class A>
[[nodiscard]] constexpr timing_model model_of(gpu::device_facts const& facts,
                                              gpu::timing_facts const& timing,
                                              launched_blocks const& blocks,
                                              kernel_code const& code,
                                              prediction_conditions const& conditions) {
  timing_model model(facts, timing_for<A>(timing), blocks, code,
                     conditions_for<A>(conditions).value_bytes, conditions.written_cache);
  model.set_operands(operands_for<A>(timing));
  return model;
}

//! The problem of algorithm `A` whose time is predicted: with random keys, unless a mmm::scatter is
//! among the parameters.
template <class A, class... Parameters>
[[nodiscard]] constexpr auto predicted_problem(Parameters const&... parameters) {
  auto const problem = problem_of<A>(parameters...);
  using type = remove_cvref_t<decltype(problem)>;
  if constexpr (requires { problem.places; } && !(is_same_v<Parameters, scatter> || ...))
    return with_random_keys<type>{problem};
  else
    return problem;
}

//! One pass of a watch over the program.
template <machine M, class Problem>
constexpr void watch_program(program_record& record, M const& m, index p, Problem const& problem) {
  static_cast<void>(estimate(watched<M, program_record>(m, record), threads(p),
                             [&](auto& on) { static_cast<void>(problem.run(on)); }));
  record.model().end();
}

//! The executed parts of a kernel's code, for the fit of its instruction counts.
template <machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr program_demand demand_of(M const& m, A const&, Size const& n, threads p,
                                                 More const&... more) {
  timing_model model(gpu::h100::facts, gpu::timing_of(gpu::h100::facts), blocks_of(m, p.count), {},
                     4, false);
  program_record record(model, false);
  watch_program(record, m, p.count, predicted_problem<A>(n, more...));
  return model.demand();
}

[[nodiscard]] constexpr prediction prediction_of(timing_model const& model) {
  gpu::device_facts const& facts = model.facts();
  gpu::timing_facts const& timing = model.timing();
  resource_clocks const& spent = model.spent();
  double const us = 1 / as_double(facts.clock_mhz);
  prediction found{};
  auto const set = [&](time_limit which, double time) {
    found.parts[static_cast<int>(which)] = time;
  };
  set(time_limit::global_bandwidth, spent.global_memory * us);
  set(time_limit::cache_bandwidth, (spent.l2_cache + spent.partial_sectors) * us);
  set(time_limit::shared_bandwidth, spent.shared_banks * us);
  set(time_limit::instruction_issue, spent.issue * us);
  set(time_limit::tensor_cores, spent.tensor_cores * us);
  set(time_limit::bytes_in_flight, spent.memory_stall * us);
  set(time_limit::latency, spent.dependency_stall * us);
  set(time_limit::barriers, spent.barrier_stall * us + model.barrier_microseconds());
  set(time_limit::launch, timing.launch_us);
  found.microseconds = timing.launch_us + model.microseconds();
  found.blocks_per_sm = model.blocks_per_sm();
  found.grid_barriers = model.grid_barriers();
  found.bytes = model.bytes();
  found.counted = model.code().kernel[0] != 0;
  found.written_cache = model.written_cache();
  found.memory_bytes = model.demand().global_words() * as_double(model.value_bytes());
  found.gpu_bytes = as_double(facts.memory_mib) * 1048576;
  for (int k = 0; k < prediction::limits; ++k)
    if (found.parts[k] > found.parts[static_cast<int>(found.limit)])
      found.limit = static_cast<time_limit>(k);
  return found;
}

//! A hierarchical machine with only its width in the type: an algorithm is compiled once for all
//! such machines.
template <index W>
using any_blocks = hmm<dynamic, W, dynamic, dynamic, dynamic, dynamic>;

//! The prediction for algorithm `A`'s program, whose demand the model of `record` has: on `m` or,
//! if each tile has a block of its own, on as many DMMs as blocks are resident.
template <class A, machine M, class Problem>
[[nodiscard]] constexpr prediction timed(program_record const& record, M const& m, index p,
                                         Problem const& problem) {
  timing_model model = record.model();
  auto const estimated = [&](auto const& on, index threads) {
    program_record again(model, false);
    model.begin_timing();
    watch_program(again, on, threads, problem);
    return prediction_of(model);
  };
  if constexpr (one_block_per_tile<A> && hierarchical_machine<M> && fixed_width<M>)
    if (index const resident = model.facts().sms * model.blocks_per_sm();
        resident > 0 && resident != m.dmms()) {
      any_blocks<M::width()> const all(resident, m.shared().latency(), m.global().latency(),
                                       unlimited, m.global().ports());
      index const threads = p / m.dmms() * resident;
      model = model.with_launch(blocks_of(all, threads));
      return estimated(all, threads);
    }
  if (!record.complete()) return estimated(m, p);
  model.begin_timing();
  record.replay(model);
  model.end();
  return prediction_of(model);
}

//! The prediction, if its arrays fit the GPU.
[[nodiscard]] constexpr prediction fitting(prediction const& found) {
  if (!found.fits())
    reject_length("bytes of arrays on this GPU",
                  static_cast<index>(smaller_of(found.memory_bytes, 9e18)),
                  static_cast<index>(found.gpu_bytes));
  return found;
}

}  // namespace detail

//! The predicted time of an algorithm's kernel on GPU facts `facts` whose blocks are the DMMs of
//! `m`. Parameters otherwise as for mmm::cost_of. Time: an estimate, or two where each
//! tile has a block of its own. Errors: as mmm::cost_of.
template <machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr prediction predict_with(gpu::device_facts const& facts,
                                                gpu::timing_facts const& timing,
                                                kernel_code const& code,
                                                prediction_conditions const& conditions, M const& m,
                                                A const&, Size const& n, threads p,
                                                More const&... more) {
  auto const problem = detail::predicted_problem<A>(n, more...);
  detail::timing_model model =
      detail::model_of<A>(facts, timing, detail::blocks_of(m, p.count), code, conditions);
  detail::program_record record(model, true);
  detail::watch_program(record, m, p.count, problem);
  return detail::timed<A>(record, m, p.count, problem);
}

//! The time that predict() returns, but for a GPU in the state of `conditions`. Errors: as predict.
template <class G, machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr prediction predict_under(prediction_conditions const& conditions,
                                                 M const& m, A const& a, Size const& n, threads p,
                                                 More const&... more) {
  kernel_code const code =
      detail::code_of(a, detail::kind_of(m), detail::blocks_of(m, p.count).threads,
                      detail::conditions_for<A>(conditions).value_bytes, more...);
  return detail::fitting(
      predict_with(G::facts, gpu::timing_of(G::facts), code, conditions, m, a, n, p, more...));
}

//! The predicted time of an algorithm on GPU `G`, `predict<gpu::h200>(sum, size(n), threads(p))`;
//! or of its kernel for machine `m`, whose DMMs are the blocks. Errors: as mmm::cost_of, and
//! std::length_error, a compile error in a constant expression, for arrays larger than the GPU's
//! memory.
template <class G, machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr prediction predict(M const& m, A const& a, Size const& n, threads p,
                                           More const&... more) {
  return predict_under<G>({}, m, a, n, p, more...);
}
template <class G, algorithm A, class Size, class... More>
[[nodiscard]] constexpr prediction predict(A const& a, Size const& n, threads p,
                                           More const&... more) {
  return predict<G>(G{}, a, n, p, more...);
}

namespace detail {

//! predict() with the threads before the size.
template <machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr prediction predict_facts(gpu::device_facts const& facts,
                                                 prediction_conditions const& conditions,
                                                 M const& m, A const& a, index p, Size const& n,
                                                 More const&... more) {
  kernel_code const code = code_of(a, kind_of(m), blocks_of(m, p).threads,
                                   conditions_for<A>(conditions).value_bytes, more...);
  return predict_with(facts, gpu::timing_of(facts), code, conditions, m, a, n, threads(p), more...);
}

}  // namespace detail

}  // namespace mmm
