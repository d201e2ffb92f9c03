// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/jit/compiler_version.hpp>
#include <mmm/jit/disk_cache.hpp>
#include <mmm/jit/environment.hpp>
#include <mmm/jit/error.hpp>
#include <mmm/jit/included_headers.hpp>
#include <mmm/jit/libraries.hpp>
#include <mmm/jit/standard_headers.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

//! The compilation of kernels by NVRTC, with a cache on disk.
namespace mmm::jit {

//! The form of compiled code. `automatic` is PTX for the device in software, which reads nothing
//! else, and machine code (a cubin) for a GPU.
enum class code_form : std::uint8_t { automatic, ptx, machine_code };

//! The settings of a compilation.
struct settings {
  //! The folder that holds the library's headers, `mmm/…`: MMM_INCLUDE_DIR, or else that from
  //! which the program itself included them.
  std::filesystem::path headers = default_headers();
  disk_cache cache{};
  code_form form = code_form::automatic;
  std::vector<std::string> options{};  //!< of NVRTC, besides the library's: "-lineinfo"
  //! Source that precedes the kernel. It includes the programs; a caller with a program of its own
  //! includes that instead.
  std::string source = library_programs();

  [[nodiscard]] static std::filesystem::path default_headers() {
    std::string const own = detail::environment("MMM_INCLUDE_DIR");
    if (!own.empty()) return own;
    return std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
  }
  //! True if a kernel compiles to the same code by both. The cache does not matter.
  [[nodiscard]] bool same_code(settings const& other) const {
    return form == other.form && options == other.options && source == other.source &&
           headers == other.headers;
  }
  //! Includes the programs of the problems that mmm::jit::kernel knows.
  [[nodiscard]] static std::string library_programs() {
    return "#include <mmm/jit/programs.hpp>\n";
  }
};

//! A compiled kernel.
struct compiled_kernel {
  std::string name;  //!< in the code
  std::string code;  //!< PTX, which ends with a zero, or machine code
  bool from_cache = false;
  //! Why the cache does not have it; empty if it has, or if there is none.
  std::string cache_failure;
};

namespace detail {

[[nodiscard]] inline std::filesystem::path checked_headers(settings const& given) {
  std::filesystem::path const file = given.headers / "mmm" / "jit" / "programs.hpp";
  if (std::error_code failure; !std::filesystem::exists(file, failure))
    throw error("the library's headers are not there: " + file.string() + " is missing" +
                (file.is_relative() ? " (from the folder in which the program was compiled)" : "") +
                "; MMM_INCLUDE_DIR names the folder that holds them");
  return given.headers;
}

//! The target of a compilation: a compute capability, times ten, and whether the code is PTX.
struct code_target {
  index capability;
  bool ptx;
  [[nodiscard]] std::string option() const {
    return (ptx ? "-arch=compute_" : "-arch=sm_") + std::to_string(capability);
  }
};

//! The target itself if NVRTC knows its compute capability. For a GPU that is newer than NVRTC it
//! is PTX for the highest capability below, which the driver translates.
//! Errors: mmm::jit::error for a GPU that is older than all that NVRTC knows.
[[nodiscard]] inline code_target known_target(code_target const& wanted) {
  compiler_functions const& nvrtc = compiler_functions::get();
  int count = 0;
  if (nvrtc.capability_count(&count) != NVRTC_SUCCESS || count < 1) return wanted;
  std::vector<int> known(static_cast<std::size_t>(count));
  if (nvrtc.capabilities(known.data()) != NVRTC_SUCCESS) return wanted;
  index best = 0;
  for (int const one : known)
    if (one <= wanted.capability && one > best) best = one;
  if (best == wanted.capability) return wanted;
  if (best == 0)
    throw error("the GPU has compute capability " + std::to_string(wanted.capability / 10) + "." +
                std::to_string(wanted.capability % 10) +
                "; accepted by this NVRTC: " + std::to_string(known.front() / 10) + "." +
                std::to_string(known.front() % 10) + " or higher");
  return {best, true};
}

//! A program of NVRTC.
class compilation {
 public:
  explicit compilation(std::string const& source) {
    std::vector<char const*> names, texts;
    for (source_file const& file : standard_headers) {
      names.push_back(file.name);
      texts.push_back(file.text);
    }
    check(nvrtc_.create(&program_, source.c_str(), "mmm_kernel.cu", static_cast<int>(names.size()),
                        texts.data(), names.data()),
          "nvrtcCreateProgram");
  }
  compilation(compilation const&) = delete;
  compilation& operator=(compilation const&) = delete;
  ~compilation() { static_cast<void>(nvrtc_.destroy(&program_)); }

  void run(std::string const& kernel, std::vector<std::string> const& options) {
    check(nvrtc_.add_name(program_, kernel.c_str()), "nvrtcAddNameExpression");
    std::vector<char const*> texts;
    for (std::string const& option : options) texts.push_back(option.c_str());
    nvrtcResult const result =
        nvrtc_.compile(program_, static_cast<int>(texts.size()), texts.data());
    if (result != NVRTC_SUCCESS)
      throw error("NVRTC refuses a kernel: " + std::string(nvrtc_.error_string(result)), log());
  }
  [[nodiscard]] std::string lowered_name(std::string const& kernel) const {
    char const* name = nullptr;
    check(nvrtc_.lowered_name(program_, kernel.c_str(), &name), "nvrtcGetLoweredName");
    return name;
  }
  [[nodiscard]] std::string code(bool ptx) const {
    std::size_t bytes = 0;
    check(ptx ? nvrtc_.ptx_size(program_, &bytes) : nvrtc_.cubin_size(program_, &bytes),
          "nvrtcGetPTXSize or nvrtcGetCUBINSize");
    std::string text(bytes, '\0');
    check(ptx ? nvrtc_.ptx(program_, text.data()) : nvrtc_.cubin(program_, text.data()),
          "nvrtcGetPTX or nvrtcGetCUBIN");
    return text;
  }

 private:
  [[nodiscard]] std::string log() const {
    std::size_t bytes = 0;
    if (nvrtc_.log_size(program_, &bytes) != NVRTC_SUCCESS || bytes < 2) return "";
    std::string text(bytes, '\0');
    if (nvrtc_.log(program_, text.data()) != NVRTC_SUCCESS) return "";
    text.pop_back();
    return text;
  }
  void check(nvrtcResult result, char const* call) const {
    if (result != NVRTC_SUCCESS)
      throw error(std::string(call) + " failed: " + nvrtc_.error_string(result));
  }

  compiler_functions const& nvrtc_ = compiler_functions::get();
  nvrtcProgram program_ = nullptr;
};

}  // namespace detail

//! Compiles `kernel`, a C++ expression that names a kernel, for GPUs of this compute capability,
//! times ten; or takes it from the cache. A GPU that is newer than NVRTC gets PTX in any case.
//! The key of the cache is the source, the options, the versions of NVRTC and of the library and
//! the state of all headers that the source includes. Errors: mmm::jit::error for what is missing,
//! for a GPU that is older than all that NVRTC knows, and for source that NVRTC refuses, with its
//! log.
[[nodiscard]] inline compiled_kernel compile(std::string const& kernel, index capability, bool ptx,
                                             settings const& given = {}) {
  std::filesystem::path const headers = detail::checked_headers(given);
  detail::code_target target{capability, ptx};
  std::vector<std::string> options{target.option(),
                                   "-std=c++20",
                                   "-default-device",
                                   "--builtin-move-forward=true",
                                   "--builtin-initializer-list=true",
                                   "-no-source-include",
                                   "-w",
                                   "-I" + headers.string()};
  options.insert(options.end(), given.options.begin(), given.options.end());
  std::string const source = std::string(detail::prelude) +
                             "#include <mmm/execution/kernel/program_kernel.cuh>\n" + given.source;
  detail::header_list const& included = detail::headers_of(source, options, given.cache);
  std::string key = "mmm " + std::to_string(MMM_VERSION) + "\nheaders " + included.state +
                    "\nNVRTC " + detail::version_of_compiler(given.cache);
  for (std::string const& option : options) key += "\n" + option;
  key += "\n" + kernel + "\n" + source;
  for (detail::source_file const& file : detail::standard_headers) key += file.text;

  compiled_kernel found;
  if (std::optional<std::string> const entry = given.cache.find(key)) {
    std::size_t const end = entry->find('\n');
    found.name = entry->substr(0, end);
    found.code = entry->substr(end + 1);
    found.from_cache = true;
    return found;
  }
  target = detail::known_target(target);
  options.front() = target.option();
  detail::compilation program(source);
  program.run(kernel, options);
  found.name = program.lowered_name(kernel);
  found.code = program.code(target.ptx);
  // A header that has changed since the process asked is another kernel's.
  if (included.is_unchanged())
    found.cache_failure = given.cache.store(key, found.name + "\n" + found.code);
  return found;
}

}  // namespace mmm::jit
