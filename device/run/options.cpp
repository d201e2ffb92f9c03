// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <common/command_line.hpp>
#include <common/failure.hpp>
#include <common/file.hpp>
#include <common/nearest_name.hpp>
#include <common/text.hpp>
#include <common/version.hpp>
#include <device/core/failure.hpp>
#include <device/core/finding.hpp>
#include <device/core/suppressions.hpp>
#include <device/report/baseline.hpp>
#include <device/runtime/gpus.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

namespace run {

namespace {

using tool::joined;

constexpr std::size_t max_devices = 64;

std::vector<std::string> check_names() {
  std::vector<std::string> names;
  for (int k = 0; k < device::check_kinds; ++k)
    names.emplace_back(device::name_of(static_cast<device::check_kind>(k)));
  return names;
}

[[noreturn]] void refuse(std::string const& option, std::string const& value,
                         std::string const& accepted) {
  throw tool::failure(option + " is " + tool::in_quotes(value) + "; accepted: " + accepted);
}

std::uint64_t number(std::string const& option, std::string const& text, std::uint64_t min_value,
                     std::uint64_t max_value, std::string const& accepted) {
  std::uint64_t value = 0;
  if (!tool::read_whole(text, value) || value < min_value || value > max_value)
    refuse(option, text, accepted);
  return value;
}

//! True if the list names a check, false if it only says none. Refuses other names.
bool names_checks(std::string const& list) {
  std::vector<std::string> const known = check_names();
  std::string const accepted = "none, all, or names with commas between them: " + joined(known);
  bool some = false;
  std::string_view rest = list;
  for (bool more = true; more;) {
    std::size_t const comma = rest.find(',');
    std::string_view const name = rest.substr(0, comma);
    bool const is_check =
        name == "all" || std::find(known.begin(), known.end(), name) != known.end();
    if (!is_check && (name != "none" || list != "none"))
      refuse("--check", list, accepted + tool::suggestion(name, known));
    some |= is_check;
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
  }
  return some;
}

//! True if the list of --check has that name.
bool check_named(std::string_view list, std::string_view name) {
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = list.find(',');
    if (list.substr(0, end) == name) return true;
    if (end != std::string_view::npos) list.remove_prefix(end + 1);
  }
  return false;
}

//! The absolute path of a file to write, since the program may change its folder. Refuses a path
//! that cannot be written, before the program runs.
std::string output_path(std::string const& option, std::string const& path) {
  if (path.empty()) refuse(option, path, "the path of a file to write");
  std::string const absolute = std::filesystem::absolute(path).lexically_normal().string();
  int const file = open(absolute.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0)
    throw tool::failure(option + " is " + tool::shown_path(path) +
                        ", which cannot be written: " + std::strerror(errno) +
                        "; accepted: a file in a folder that exists and can be written");
  close(file);
  return absolute;
}

//! The absolute path of a file of `kind`, which `parse` reads. The program's process reads the file
//! again, so that a pipe is refused.
template <class Parse>
std::string input_path(std::string const& option, std::string const& kind, std::string const& path,
                       Parse parse) {
  if (path.empty()) refuse(option, path, "the path of a file: " + kind);
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown))
    throw tool::failure(option + " is " + path + "; accepted: a regular file");
  std::string const text = tool::file_contents(path);
  std::string const name = kind + ' ' + path + ": ";
  if (!tool::utf8_text(text)) throw tool::failure(name + "the file " + tool::utf16_refused);
  try {
    parse(text, path);
  } catch (std::exception const& e) {  // JSON's own exceptions do not name the file
    std::string_view message = e.what();
    if (message.starts_with(name)) message.remove_prefix(name.size());
    throw tool::failure(name + tool::shortened(message, 300));
  }
  return std::filesystem::absolute(path).string();
}

//! The number of words that are mmm-run's own: those before the first word that is neither an
//! option nor the value of one.
std::size_t own_words(std::vector<std::string> const& words) {
  std::size_t first = 0;
  while (first < words.size() && words[first].starts_with('-') && words[first] != "--") {
    bool const alone = words[first] == "--help" || words[first] == "-h" ||
                       words[first] == "--version" || words[first] == "--list-unsupported" ||
                       words[first].find('=') != std::string::npos;
    first += alone ? 1 : 2;
  }
  return std::min(first, words.size());
}

struct texts {
  std::string gpu, seed, memory, check, devices, limits, baseline, tolerance, write_baseline, sarif,
      json, html, trace, suppressions, blocks;
  bool list_unsupported = false;
  std::vector<std::string> command;  //!< for the help only: its words are removed before parsing
};

void describe(CLI::App& app, texts& to) {
  app.name("mmm-run");
  app.add_option(
         "--gpu", to.gpu,
         "the GPU that the program sees: " + joined(device::runtime::gpu_names()) + " (h200)")
      ->type_name("NAME");
  app.add_option("--seed", to.seed,
                 "interleave blocks and warps by chance, the same for the same number")
      ->type_name("S");
  app.add_option(
         "--memory", to.memory,
         "strong, or weak: stores are delayed at random until a fence or barrier orders them")
      ->type_name("MODEL");
  app.add_option("--check", to.check,
                 "the checks: none, all, or names with commas between them: " +
                     joined(check_names()) + " (none)")
      ->type_name("LIST");
  app.add_option("--suppressions", to.suppressions,
                 "leave out the findings that this file names: check:part of a function or file, "
                 "a line each")
      ->type_name("FILE");
  app.add_option("--devices", to.devices, "the number of GPUs that the program sees: 1 to 64 (1)")
      ->type_name("N");
  app.add_option("--limits", to.limits,
                 "hold the figures of kernels and lines against those in this file")
      ->type_name("FILE");
  app.add_option("--write-baseline", to.write_baseline,
                 "write the figures of kernels and lines, for later runs to be compared with")
      ->type_name("FILE");
  app.add_option("--baseline", to.baseline,
                 "compare with the figures in this file: exit status 4 if some are greater")
      ->type_name("FILE");
  app.add_option("--tolerance", to.tolerance,
                 "percent that figures may grow, of all or by name: 2,instructions=10 "
                 "(0,instructions=5,lanes=5)")
      ->type_name("LIST");
  app.add_option("--sarif", to.sarif, "write findings, and what grew, as SARIF 2.1.0")
      ->type_name("FILE");
  app.add_option("--json", to.json, "write the figures of each launch, an object a line")
      ->type_name("FILE");
  app.add_option("--html", to.html, "write a page with the source annotated line by line")
      ->type_name("FILE");
  app.add_option("--trace", to.trace,
                 "write every request to shared and global memory, as mmm-replay reads them")
      ->type_name("FILE");
  app.add_option("--blocks", to.blocks,
                 "execute only K blocks of each launch, spread evenly: for figures of programs too "
                 "large to run whole, whose results are wrong then")
      ->type_name("K");
  app.add_flag("--list-unsupported", to.list_unsupported,
               "run nothing: list what PROGRAM, or a .ptx file, needs and the device lacks");
  app.add_option("PROGRAM", to.command,
                 "the program to run, and its arguments, which it gets as they are");
  app.set_version_flag("--version", tool::version_of("mmm-run"));
  app.footer(
      "PROGRAM is compiled by nvcc of CUDA 13 with PTX that the GPU can run, as\n"
      "  nvcc -gencode arch=compute_90,code=compute_90 -lineinfo my.cu -o my\n"
      "It runs unchanged, on the CPU, from its PTX. A table of its kernels is printed on stderr at "
      "its end.\n"
      "A file of limits holds the most that is allowed of figures, summed over the run; kernels by "
      "name, where * and\n"
      "? stand for any text and character:\n"
      "  {\"kernels\": {\"transpose*\": {\"shared_excessive\": 0}},\n"
      "   \"lines\": {\"my.cu:12\": {\"global_excess_sectors\": 9}},\n"
      "   \"default\": {\"findings\": 0}}\n"
      "--list-unsupported ends with status 0 if nothing is missing, 1 if something is.\n"
      "Exit status: the program's own, or 128 and the signal that ended it; 2 if an option is "
      "wrong or something\n"
      "cannot be run, 3 if --check found something (leaks: if they are asked for by name), 4 if a "
      "limit is exceeded or\n"
      "a figure of the baseline has grown, 5 if a kernel ended by a fault, unless --check none is "
      "given.\n"
      "MMM_RUN_LIBRARY in the environment is the path of libmmm_device.so, if it is not in its "
      "usual place,\n"
      "MMM_PROCESSOR limits the instructions that are used: baseline, avx2 or avx512 (no limit).");
}

}  // namespace

bool parse(int argc, char const* const* argv, options& o, std::string& text) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  std::size_t own = own_words(words);
  o.command.assign(words.begin() + static_cast<std::ptrdiff_t>(own), words.end());
  if (!o.command.empty() && o.command.front() == "--") o.command.erase(o.command.begin());
  words.resize(own);
  std::reverse(words.begin(), words.end());  // as CLI::App::parse takes a vector

  CLI::App app{"Runs a compiled CUDA program without a GPU; counts what its kernels ask of memory, "
               "and checks them."};
  texts given;
  describe(app, given);
  try {
    app.parse(std::move(words));
  } catch (CLI::CallForHelp const&) {
    text = app.help();
    return false;
  } catch (CLI::CallForVersion const& e) {
    text = std::string(e.what()) + '\n';
    return false;
  } catch (CLI::ParseError const& e) {
    throw tool::unparsed(app, e);
  }
  auto const set = [&](char const* name, std::string value) {
    o.settings.emplace_back(name, std::move(value));
  };
  auto const is_given = [&](char const* option) { return app.count(option) != 0; };
  if (is_given("--gpu")) {
    std::vector<std::string> const names = device::runtime::gpu_names();
    if (std::find(names.begin(), names.end(), given.gpu) == names.end())
      throw tool::no_such_name("--gpu", given.gpu, names);
    set("MMM_RUN_GPU", given.gpu);
  }
  if (is_given("--seed"))
    set("MMM_RUN_SEED", std::to_string(number("--seed", given.seed, 0, ~std::uint64_t{0},
                                              "a whole number from 0 on, below 2^64")));
  if (is_given("--memory")) {
    if (given.memory != "strong" && given.memory != "weak")
      refuse("--memory", given.memory, "strong or weak");
    set("MMM_RUN_MEMORY", given.memory);
  }
  if (is_given("--check")) {
    o.checks = names_checks(given.check);
    set("MMM_RUN_CHECK", given.check);
    o.faults_fail = given.check != "none";
  }
  if (is_given("--devices"))
    set("MMM_RUN_DEVICES",
        std::to_string(number("--devices", given.devices, 1, max_devices, "1 to 64")));
  if (is_given("--blocks")) {
    std::uint64_t const blocks = number("--blocks", given.blocks, 1, ~std::uint64_t{0},
                                        "a whole number from 1 on, below 2^64");
    for (char const* const other : {"--limits", "--baseline", "--write-baseline"})
      if (is_given(other))
        throw tool::failure("--blocks and " + std::string(other) +
                            ": figures of some blocks are not those of the program");
    if (check_named(given.check, "uninitialized"))
      throw tool::failure(
          "--blocks and --check uninitialized: the blocks that are left out would have written "
          "memory that others read");
    set("MMM_RUN_BLOCKS", std::to_string(blocks));
  }
  o.list_unsupported = given.list_unsupported;
  if (is_given("--gpu")) o.gpu = given.gpu;
  if (o.list_unsupported) {
    for (CLI::Option const* const other : app.get_options())
      if (other->count() != 0 && other->get_name() != "--list-unsupported" &&
          other->get_name() != "--gpu" && other->get_name() != "--json")
        throw tool::failure("--list-unsupported runs nothing, so that " + other->get_name() +
                            " has no meaning; accepted: --gpu and --json");
    if (o.command.size() > 1)
      throw tool::failure("--list-unsupported takes one PROGRAM, without arguments");
  }
  if (o.command.empty())
    throw tool::failure("the PROGRAM to run is missing; mmm-run --help tells more");
  if (is_given("--limits")) {
    o.limits = true;
    set("MMM_RUN_LIMITS",
        input_path("--limits", "limits", given.limits, [](auto const& contents, auto const& path) {
          static_cast<void>(device::report::parse_limits(contents, path));
        }));
  }
  if (is_given("--suppressions"))
    set("MMM_RUN_SUPPRESSIONS", input_path("--suppressions", "suppressions", given.suppressions,
                                           [](auto const& contents, auto const& path) {
                                             device::suppressions{}.add(contents, path);
                                           }));
  if (is_given("--baseline")) {
    o.baseline = true;
    set("MMM_RUN_BASELINE",
        input_path("--baseline", "baseline", given.baseline,
                   [](auto const& contents, auto const& path) {
                     static_cast<void>(device::report::parse_baseline(contents, path));
                   }));
  }
  if (is_given("--tolerance")) {
    if (!o.baseline) throw tool::failure("--tolerance needs --baseline");
    try {
      static_cast<void>(device::report::parse_tolerances(given.tolerance));
    } catch (device::unsupported const& e) {
      throw tool::failure("--tolerance: " + tool::shortened(e.what(), 600));
    }
    set("MMM_RUN_TOLERANCE", given.tolerance);
  }
  std::vector<std::string> written;
  for (auto const& [option, name, path] :
       {std::tuple{"--json", "MMM_RUN_JSON", &given.json},
        std::tuple{"--html", "MMM_RUN_HTML", &given.html},
        std::tuple{"--trace", "MMM_RUN_TRACE", &given.trace},
        std::tuple{"--write-baseline", "MMM_RUN_WRITE_BASELINE", &given.write_baseline},
        std::tuple{"--sarif", "MMM_RUN_SARIF", &given.sarif}}) {
    if (!is_given(option)) continue;
    std::string const absolute = output_path(option, *path);
    if (absolute != "/dev/null" &&
        std::find(written.begin(), written.end(), absolute) != written.end())
      throw tool::failure(std::string(option) + ": " + *path +
                          " is written by another option, too");
    written.push_back(absolute);
    set(name, absolute);
    if (option == std::string_view("--json")) o.json = absolute;
    for (auto const& [late, report] :
         {std::pair{"--html", "page"}, {"--write-baseline", "baseline"}, {"--sarif", "SARIF log"}})
      if (option == std::string_view(late)) o.at_end.emplace_back(report);
  }
  return true;
}

}  // namespace run
