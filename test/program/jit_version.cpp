// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints NVRTC's version as a kernel's key has it, and whether NVRTC was loaded for it. With an
// argument loads that library first (jit_kernels.py).
#include <mmm/jit/compiler_version.hpp>

#include <dlfcn.h>

#include <cstdio>
#include <exception>
#include <string>

int main(int argc, char** argv) {
  try {
    if (argc > 1 && ::dlopen(argv[1], RTLD_NOW) == nullptr) return 1;
    std::string const version = mmm::jit::detail::version_of_compiler(mmm::jit::disk_cache());
    bool const loaded = mmm::jit::detail::is_loaded(mmm::jit::detail::compiler_functions::names());
    std::printf("%s %s\n", version.c_str(), loaded ? "loaded" : "from the cache");
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
