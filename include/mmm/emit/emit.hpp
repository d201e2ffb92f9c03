// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/emit/chosen_kernel.hpp>
#include <mmm/emit/entry_name.hpp>
#include <mmm/emit/kernel_costs.hpp>
#include <mmm/emit/kernel_problem.hpp>
#include <mmm/emit/kernel_text.hpp>
#include <mmm/execution/estimate/known_accesses.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/report/prediction_text.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

//! CUDA source for a problem on a GPU: the kernel with the least predicted time, with its costs.
namespace mmm {

//! An emitted file, and the choice that it is of, with its costs.
struct emitted_kernel {
  std::string source;
  std::string entry;  //!< the name of its first function
  chosen_kernel chosen;
  kernel_costs costs;
};

namespace detail {

//! Lines of a comment of at most 100 columns.
[[nodiscard]] inline std::string comment_lines(std::string const& text, std::string const& indent) {
  std::string lines = "//" + indent;
  std::size_t column = lines.size();
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t const end = std::min(text.find(' ', begin), text.size());
    if (column + 1 + (end - begin) > 100) {
      lines += "\n//" + indent;
      column = 2 + indent.size();
    }
    lines += ' ' + text.substr(begin, end - begin);
    column += 1 + (end - begin);
    begin = end + 1;
  }
  return lines + '\n';
}

//! How an emitted file compares its cost with the library's. nvcc's front end evaluates the cost
//! of some programs in constant expressions, compiles that of others as a function only, and
//! compiles neither for the rest.
enum class cost_check : std::uint8_t { assertion, at_run_time, none };
[[nodiscard]] inline cost_check check_in_nvcc(kernel_costs const& costs,
                                              kernel_problem const& problem) {
  if (costs.depends_on_data) return cost_check::none;
  switch (problem.kind) {
    case problem_kind::copies:
    case problem_kind::sums:
    case problem_kind::scans:
      return cost_check::assertion;
    case problem_kind::transposes:
      return problem.size >= (problem.wide ? 128 : 32) && (problem.size & (problem.size - 1)) == 0
                 ? cost_check::assertion
                 : cost_check::at_run_time;
    case problem_kind::image_convolutions:
      return cost_check::none;
    default:
      return cost_check::at_run_time;
  }
}

//! The costs of a choice: expected figures, and assertions.
[[nodiscard]] inline std::string cost_assertions(std::string const& algorithm,
                                                 kernel_costs const& costs,
                                                 kernel_problem const& problem) {
  std::string const arguments = "mmm::" + algorithm + ", mmm::size(" +
                                std::to_string(problem.size) + "), threads" + costs.parameters;
  cost_check const checked = check_in_nvcc(costs, problem);
  std::string text;
  auto const add = [&](std::string const& name, cost const& found) {
    text += "[[maybe_unused]] constexpr mmm::cost " + name + "{" + std::to_string(found.rounds) +
            ", " + std::to_string(found.stages) + ", " + std::to_string(found.time) +
            "};  // rounds, stages, time\n";
  };
  if (costs.depends_on_data) {
    add("least_cost", costs.least);
    add("greatest_cost", costs.greatest);
  } else {
    add("cost", costs.least);
  }
  std::string const call = "mmm::cost_of<machine>(" + arguments + ")";
  if (checked == cost_check::assertion) text += "static_assert(" + call + " == cost);\n";
  if (checked == cost_check::at_run_time)
    text +=
        "// nvcc's front end does not evaluate this program's cost in a constant expression: "
        "-DTEST\n"
        "// compares it at run time.\n[[maybe_unused]] mmm::cost cost_by_library() {\n  return " +
        call + ";\n}\n";
  return text + "constexpr mmm::index bound = mmm::lower_bound<machine>(" + arguments +
         ").time;\nstatic_assert(bound == " + std::to_string(costs.bound) + ");\n";
}

//! The sectors of a choice in words.
[[nodiscard]] inline std::string sectors_text(kernel_costs const& costs) {
  auto const range = [](index least, index greatest) {
    std::string const lowest = std::to_string(least);
    return least == greatest ? lowest : lowest + " to " + std::to_string(greatest);
  };
  global_sectors const& a = costs.least_sectors;
  global_sectors const& b = costs.greatest_sectors;
  std::string text = "Sectors of 32 bytes of the global memory: " + range(a.loaded, b.loaded) +
                     " loaded, " + range(a.stored, b.stored) + " stored";
  if (b.updated > 0) text += ", " + range(a.updated, b.updated) + " updated";
  if (costs.depends_on_data) text += ", as the data are";
  return text + "; besides those by which blocks wait for each other.";
}

//! The comment at the head of an emitted file.
[[nodiscard]] inline std::string head_comment(std::string const& title, std::string const& file,
                                              std::string const& gpu, index capability,
                                              chosen_kernel const& chosen,
                                              kernel_costs const& costs) {
  auto const time = [](prediction const& p) {
    return report::microseconds(p.microseconds) + " us";
  };
  std::string const arch = "-arch=sm_" + std::to_string(capability);
  std::string text = comment_lines(title + ", for " + gpu + ".", "");
  text +=
      "//\n" + comment_lines("nvcc -std=c++20 " + arch + " -c " + file, "  ") +
      comment_lines("nvcc -std=c++20 " + arch + " -DTEST " + file + " -o test && ./test", "  ") +
      comment_lines(
          "-I names the folder of mmm's headers, or one with the single file mmm.cuh that "
          "scripts/one-file-headers writes, which may also lie beside this one. With -DTEST the "
          "result is compared with a plain loop; the exit status is 1 if it differs.",
          "");
  text +=
      "//\n" +
      comment_lines(
          "Predicted time: " + time(chosen.time) + ", most of it " +
              report::words(chosen.time.limit) + "; " + std::to_string(chosen.time.blocks_per_sm) +
              " blocks resident per multiprocessor; " + std::to_string(chosen.time.grid_barriers) +
              " barriers of the grid (docs/prediction.md says how exact times are).",
          "");
  text += comment_lines(sectors_text(costs), "");
  text += comment_lines("Candidates, by predicted time:", "");
  std::vector<rated_candidate> all = chosen.rated;
  std::sort(all.begin(), all.end(), [](rated_candidate const& a, rated_candidate const& b) {
    if (a.found.possible != b.found.possible) return a.found.possible;
    return a.found.time.microseconds < b.found.time.microseconds;
  });
  for (rated_candidate const& one : all)
    text += comment_lines(one.found.possible ? time(one.found.time) + "  " + one.name
                                             : "cannot run  " + one.name + ": " +
                                                   report::detail::condition_text(one.found.unmet),
                          "  ");
  return text;
}

//! The file for a choice among the candidates that `with` calls its argument with.
template <class With>
[[nodiscard]] emitted_kernel emitted_among(gpu::device_facts const& facts, std::string const& gpu,
                                           kernel_problem const& problem, std::string const& file,
                                           std::string const& name, With const& with) {
  problem.check();
  std::string const entry = name.empty() ? default_entry(problem) : name;
  if (!is_entry_name(entry))
    throw std::invalid_argument("mmm: the name of the function is " + name +
                                "; accepted: " + accepted_entry_names);
  shared_known_accesses const shared;
  chosen_kernel const chosen = chosen_among(facts, problem, with);
  kernel_costs const costs = costs_among(facts, problem, chosen, with);
  emitted_kernel emitted{{}, entry, chosen, costs};
  kernel_text const& text = kernel_texts[static_cast<int>(problem.kind)];
  bool const in_template = problem.kind == problem_kind::image_convolutions &&
                           chosen.algorithm == "image_convolution_in_registers";
  std::string const radius = std::to_string(problem.radius);
  std::string const algorithm =
      in_template ? chosen.algorithm + "<" + radius + ">" : chosen.algorithm;
  auto const filled = [&](std::string const& part) {
    return substituted(part, {{"$entry", entry},
                              {"$type", problem.type.spelling},
                              {"$taps", std::to_string(problem.taps)},
                              {"$radius", radius},
                              {"$width", std::to_string(2 * problem.radius + 1)},
                              {"$more", costs.parameters},
                              {"$n", std::to_string(problem.size)}});
  };
  emitted.source = substituted(
      file_text,
      {{"$include", "#include"},
       {"$comment", head_comment(filled(text.title) + " of type " + problem.type.spelling, file,
                                 gpu, facts.compute_capability, chosen, costs)},
       {"$machine", chosen.machine},
       {"$threads", std::to_string(chosen.threads)},
       {"$blocks", std::to_string(chosen.threads / chosen.plan.threads)},
       {"$block_threads", std::to_string(chosen.plan.threads)},
       {"$of_data", costs.depends_on_data ? ", for the cheapest and the dearest data" : ""},
       {"$costs", cost_assertions(algorithm, costs, problem)},
       {"$contract", comment_lines(filled(text.contract) +
                                       " Arrays are in memory that the device can access; the "
                                       "call is in the order of the stream and does not wait. "
                                       "Returns 0, or 1 if " +
                                       entry + "_error() says why not.",
                                   "")},
       {"$algorithm", algorithm},
       {"$parameters", text.parameters},
       {"$call", text.call},
       {"$strided_parameters", text.strided_parameters},
       {"$strided_demands", text.strided_demands},
       {"$strided_arguments", text.strided_arguments},
       {"$test", text.test},
       {"$cost_checks", check_in_nvcc(costs, problem) == cost_check::at_run_time
                            ? "  compare_cost(cost_by_library(), cost);\n"
                            : ""}});
  emitted.source = filled(emitted.source);
  return emitted;
}

}  // namespace detail

//! Writes the kernel for a problem on the GPU with these facts, named `gpu`: a file that nvcc
//! compiles, with an `extern "C"` function, one for tensors with strides, the costs, the assertions
//! and, with -DTEST, a program that compares the result with a plain loop. The functions take
//! problems of other sizes, too, and then launch the same blocks. Time: as choose_kernel. Errors:
//! those of choose_kernel.
//! \param file the name of the file in its own comment.
//! \param name of the first function, with which those of the others begin: a name of C++ that the
//! file does not use otherwise, and that is no function of C, POSIX or CUDA. By default
//! "mmm_", the problem and the type, as mmm_sum_float. std::invalid_argument otherwise.
template <class Problem = kernel_problem>  // candidates are instantiated where it is called
[[nodiscard]] emitted_kernel emit_for(gpu::device_facts const& facts, std::string const& gpu,
                                      std::type_identity_t<Problem> const& problem,
                                      std::string const& file = "kernel.cu",
                                      std::string const& name = {}) {
  return detail::emitted_among(facts, gpu, problem, file, name,
                               [&](auto const& use) { detail::with_candidates(problem, use); });
}
//! The same for a problem of kind `Kind`, without the instantiations of other kinds' candidates.
template <problem_kind Kind>
[[nodiscard]] emitted_kernel emit_for(gpu::device_facts const& facts, std::string const& gpu,
                                      kernel_problem problem, std::string const& file = "kernel.cu",
                                      std::string const& name = {}) {
  problem.kind = Kind;
  return detail::emitted_among(facts, gpu, problem, file, name, [&](auto const& use) {
    detail::with_candidates_of<Kind>(problem, use);
  });
}

//! The same for a GPU of gpu/devices.hpp: `emit<gpu::h200>({problem_kind::sums, 1 << 20}).source`.
template <class G>
[[nodiscard]] emitted_kernel emit(kernel_problem const& problem,
                                  std::string const& file = "kernel.cu",
                                  std::string const& name = {}) {
  return emit_for(G::facts, G::name, problem, file, name);
}

}  // namespace mmm
