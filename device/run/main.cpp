// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmm-run: runs a compiled CUDA program on the CPU, with libmmm_device.so in the place of the CUDA
// runtime.
#include "child.hpp"
#include "library.hpp"
#include "options.hpp"
#include "program_file.hpp"
#include "unsupported_list.hpp"
#include "verdict.hpp"

#include <common/processor.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>

namespace {

constexpr int cannot_run = 2;
constexpr int check_found = 3;
constexpr int limit_exceeded = 4;
constexpr int kernel_failed = 5;

//! The environment variables that the program is given: libmmm_device.so to preload, and its
//! settings.
run::variables environment_of(run::options const& o, std::string const& library,
                              std::string const& verdict) {
  run::variables all;
  for (char const* const name :
       {"GPU", "SEED", "MEMORY", "CHECK", "SUPPRESSIONS", "DEVICES", "LIMITS", "BASELINE",
        "TOLERANCE", "WRITE_BASELINE", "SARIF", "JSON", "HTML", "TRACE", "BLOCKS"})
    all.emplace_back(std::string("MMM_RUN_") + name, std::nullopt);
  all.insert(all.end(), o.settings.begin(), o.settings.end());
  all.emplace_back("MMM_RUN_VERDICT", verdict);
  auto const put_first = [&](char const* list, std::string const& entry) {
    char const* const others = std::getenv(list);
    all.emplace_back(list, others == nullptr || *others == '\0' ? entry : entry + ':' + others);
  };
  put_first("LD_PRELOAD", library);
  // The loader lets it replace runtimes that are linked into programs and their libraries.
  if (std::string const file = run::file_beside(library, "libmmm_static_runtime.so"); !file.empty())
    put_first("LD_AUDIT", file);
  // The loader looks there first, for programs that load the driver or the runtime themselves.
  if (std::string const folder = run::folder_beside(library, "cuda"); !folder.empty()) {
    put_first("LD_LIBRARY_PATH", folder);
    all.emplace_back("TRITON_LIBCUDA_PATH", folder);
  }
  // Triton asks for an assembler before it loads a kernel.
  if (std::string const folder = run::folder_beside(library, "triton"); !folder.empty())
    for (char const* const name : {"TRITON_PTXAS_PATH", "TRITON_PTXAS_BLACKWELL_PATH"})
      all.emplace_back(name, folder + "/ptxas");
  // CuPy compiles to PTX, and its reductions by itself; its binary parts have machine code.
  all.emplace_back("CUPY_COMPILE_WITH_PTX", "1");
  if (std::getenv("CUPY_ACCELERATORS") == nullptr) all.emplace_back("CUPY_ACCELERATORS", "");
  return all;
}

//! The exit status of mmm-run: that of the program, unless the library reported something.
int exit_status(run::options const& o, run::verdict_file::verdict const& v, int status) {
  if (v.unsupported) return cannot_run;
  if (!v.findings)
    for (std::string const& report : o.at_end)
      std::fprintf(
          stderr,
          "mmm-run: no %s was written: the program used no GPU, or did not end in order (by "
          "_exit, or a signal)\n",
          report.c_str());
  if (o.checks && v.findings.value_or(0) != 0) return check_found;
  if (o.faults_fail && v.faults.value_or(0) != 0) return kernel_failed;
  bool const holds = o.limits || o.baseline;
  if (holds && v.exceeded.value_or(0) != 0) return limit_exceeded;
  if (holds && !v.exceeded) {
    std::fprintf(stderr,
                 "mmm-run: the %s not checked: the program used no GPU, or did not end in order\n",
                 o.limits ? "limits were" : "baseline was");
    return status != 0 ? status : cannot_run;
  }
  return status;
}

int run_program(int argc, char const* const* argv) {
  run::options asked;
  std::string text;
  if (!run::parse(argc, argv, asked, text)) {
    std::fputs(text.c_str(), stdout);
    return std::fflush(stdout) == 0 ? 0 : cannot_run;
  }
  if (asked.list_unsupported)
    return run::list_unsupported(asked.command.front(), asked.gpu, run::find_library(),
                                 asked.json) == 0
               ? 0
               : 1;
  static_cast<void>(tool::processor_in_use());  // refused here, not in the program
  std::string const program = run::find_program(asked.command.front());
  bool const needs_cuda = run::check_cuda_program(program);
  std::string const library = run::find_library();
  run::verdict_file const verdict;
  int const status =
      run::run_child(program, asked.command, environment_of(asked, library, verdict.path()));
  run::verdict_file::verdict const known = verdict.read();
  if (!needs_cuda && status == 0 && !known.findings && !known.unsupported) {
    std::fprintf(
        stderr,
        "mmm-run: %s used no GPU: it called neither the CUDA runtime (libcudart.so.13, or one that "
        "is linked into it) nor the driver (libcuda.so.1)\n",
        program.c_str());
    return cannot_run;
  }
  return exit_status(asked, known, status);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_program(argc, argv);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "mmm-run: %s\n", e.what());
  }
  return cannot_run;
}
