// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/core/finding.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

//! The settings that mmm-run passes to the library in the environment of the program it starts.
namespace device::runtime {

//! Environment variable -> member. A variable that is not set, or empty, leaves the member as it is
//! here.
struct settings {
  std::string gpu = "h200";  //!< MMM_RUN_GPU: a name of gpus.hpp
  //! MMM_RUN_SEED: a number; set: blocks and warps are interleaved by it
  std::optional<std::uint64_t> seed{};
  bool weak_memory = false;  //!< MMM_RUN_MEMORY: "strong" or "weak"
  std::array<bool, check_kinds>
      //! MMM_RUN_CHECK: "none", "all", or names of name_of(check_kind) with commas between
      checks{};
  bool leaks_fail = false;  //!< leaks were asked for by name: `all` only reports them
  //! api was asked for by name: calls that fail are findings; for `all`, only launches whose error
  //! nobody asks for
  bool calls_checked = false;
  //! MMM_RUN_BLOCKS: of each launch only so many blocks are executed; 0: all. The check of
  //! uninitialized memory is off then, since others would have written some of it.
  std::uint64_t blocks = 0;
  std::string suppressions{};  //!< MMM_RUN_SUPPRESSIONS: path of the file that is read
  int devices = 1;             //!< MMM_RUN_DEVICES: 1 to 64
  std::string limits{};        //!< MMM_RUN_LIMITS: path of the file that is read
  std::string baseline{};      //!< MMM_RUN_BASELINE: path of the file that is read
  std::string tolerance{};     //!< MMM_RUN_TOLERANCE: as report::parse_tolerances takes it
  //! MMM_RUN_WRITE_BASELINE: path of the file that is written
  std::string write_baseline{};
  std::string sarif{};  //!< MMM_RUN_SARIF: path of the file that is written
  std::string json{};   //!< MMM_RUN_JSON: path of the file that is written
  std::string html{};   //!< MMM_RUN_HTML: path of the file that is written
  std::string trace{};  //!< MMM_RUN_TRACE: path of the file that is written
  //! MMM_RUN_VERDICT: path of the file to which the library appends what mmm-run has to know, a
  //! line each: `findings N`, `exceeded N`, `faults N`, `unsupported TEXT` (whose TEXT has been
  //! printed). A program may be several processes, and one may end without notice: the greatest N
  //! of a kind counts.
  std::string verdict{};
  //! The program has the device in its own process, and asks for figures and findings itself
  //! (<device/compose/embedded.hpp>): none are printed, and what this device lacks is an error of
  //! the call, and of all later ones, in place of the process's end. No variable sets it.
  bool embedded = false;

  [[nodiscard]] bool checks_any() const {
    for (bool const c : checks)
      if (c) return true;
    return false;
  }
  [[nodiscard]] bool checks_for(check_kind c) const { return checks[static_cast<std::size_t>(c)]; }
  //! Host threads of a launch: all cores, or one where a run must be repeatable exactly.
  [[nodiscard]] int workers() const;
};

//! The settings that variables have; `value_of` gives a variable's value, null or empty if it is
//! not set. Throws device::unsupported that names the variable and what it may be; also for
//! MMM_PROCESSOR of the environment (<common/processor.hpp>).
[[nodiscard]] settings read_settings(std::function<char const*(char const* name)> const& value_of);
//! The settings of this process's environment.
[[nodiscard]] settings read_settings();

//! Appends a line to settings::verdict, if there is one. May be called from a process that is about
//! to end.
void append_verdict(settings const&, std::string const& line);
//! True for the first process of a run that asks, which begins the files of reports; others, that
//! it has started, append to them.
[[nodiscard]] bool begins_reports(settings const&);

}  // namespace device::runtime
