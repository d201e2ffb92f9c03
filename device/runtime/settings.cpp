// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "settings.hpp"

#include <common/failure.hpp>
#include <common/processor.hpp>
#include <device/core/failure.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace device::runtime {

namespace {

[[noreturn]] void refuse(std::string const& name, std::string_view value,
                         std::string const& may_be) {
  throw unsupported(name + " is \"" + std::string{value} + "\", but must be " + may_be);
}

std::uint64_t number_of(std::string const& name, std::string_view text, std::string const& may_be) {
  std::uint64_t value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) refuse(name, text, may_be);
  return value;
}

void read_checks(std::string_view text, settings& to) {
  std::string names = "none, all or a list of";
  for (int k = 0; k < check_kinds; ++k)
    names += (k == 0 ? " " : ", ") + std::string{name_of(static_cast<check_kind>(k))};
  std::string_view rest = text;
  while (!rest.empty()) {
    std::size_t const comma = rest.find(',');
    std::string_view const name = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    bool known = name == "none" || name == "all";
    for (std::size_t k = 0; k < to.checks.size(); ++k) {
      auto const kind = static_cast<check_kind>(k);
      bool const is_named = name == name_of(kind);
      known |= is_named;
      to.checks[k] |= is_named || (name == "all" && !is_asked_for_by_name(kind));
      to.leaks_fail |= is_named && kind == check_kind::leak;
      to.calls_checked |= is_named && kind == check_kind::api;
    }
    if (!known) refuse("MMM_RUN_CHECK", text, names);
  }
}

}  // namespace

int settings::workers() const {
  if (seed || checks_any() || weak_memory) return 1;
  unsigned const cores = std::thread::hardware_concurrency();
  return cores == 0 ? 1 : static_cast<int>(cores);
}

settings read_settings(std::function<char const*(char const* name)> const& value_of) {
  auto const variable = [&](char const* name) {
    char const* const value = value_of(name);
    return value == nullptr ? std::string_view{} : std::string_view{value};
  };
  settings s;
  try {
    static_cast<void>(tool::processor_in_use());
  } catch (tool::failure const& e) {
    throw unsupported(e.what());
  }
  if (auto const text = variable("MMM_RUN_GPU"); !text.empty()) s.gpu = text;
  if (auto const text = variable("MMM_RUN_SEED"); !text.empty())
    s.seed = number_of("MMM_RUN_SEED", text, "a number below 2^64");
  if (auto const text = variable("MMM_RUN_MEMORY"); !text.empty()) {
    if (text != "strong" && text != "weak") refuse("MMM_RUN_MEMORY", text, "strong or weak");
    s.weak_memory = text == "weak";
  }
  if (auto const text = variable("MMM_RUN_CHECK"); !text.empty()) read_checks(text, s);
  if (auto const text = variable("MMM_RUN_DEVICES"); !text.empty()) {
    std::uint64_t const n = number_of("MMM_RUN_DEVICES", text, "1 to 64");
    if (n < 1 || n > 64) refuse("MMM_RUN_DEVICES", text, "1 to 64");
    s.devices = static_cast<int>(n);
  }
  if (auto const text = variable("MMM_RUN_BLOCKS"); !text.empty()) {
    s.blocks = number_of("MMM_RUN_BLOCKS", text, "a number from 1 on");
    if (s.blocks == 0) refuse("MMM_RUN_BLOCKS", text, "a number from 1 on");
    s.checks[static_cast<std::size_t>(check_kind::uninitialized)] = false;
  }
  s.suppressions = variable("MMM_RUN_SUPPRESSIONS");
  s.limits = variable("MMM_RUN_LIMITS");
  s.baseline = variable("MMM_RUN_BASELINE");
  s.tolerance = variable("MMM_RUN_TOLERANCE");
  s.write_baseline = variable("MMM_RUN_WRITE_BASELINE");
  s.sarif = variable("MMM_RUN_SARIF");
  s.json = variable("MMM_RUN_JSON");
  s.html = variable("MMM_RUN_HTML");
  s.trace = variable("MMM_RUN_TRACE");
  s.verdict = variable("MMM_RUN_VERDICT");
  return s;
}

settings read_settings() {
  return read_settings([](char const* name) -> char const* { return std::getenv(name); });
}

void append_verdict(settings const& s, std::string const& line) {
  if (s.verdict.empty()) return;
  int const file = open(s.verdict.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  std::string const text = line + '\n';
  // One write, so that the lines of several processes do not mix; a verdict that cannot be written
  // is noticed by mmm-run.
  [[maybe_unused]] ssize_t const written = write(file, text.data(), text.size());
  close(file);
}

bool begins_reports(settings const& s) {
  struct stat status{};
  bool const is_first =
      s.verdict.empty() || stat(s.verdict.c_str(), &status) != 0 || status.st_size == 0;
  append_verdict(s, "begun 1");
  return is_first;
}

}  // namespace device::runtime
