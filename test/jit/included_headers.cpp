// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/jit/disk_cache.hpp>
#include <mmm/jit/file_state.hpp>
#include <mmm/jit/included_headers.hpp>

#include "temporary_folder.hpp"

#include <catch.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace jit_tests;
using namespace mmm::jit::detail;
using list = std::vector<std::string>;

//! The header that a line includes, with its quotes; empty if there is none.
std::string included(std::string const& line) {
  auto const found = include_of(line);
  if (!found) return "";
  return found->quoted ? '"' + found->name + '"' : '<' + found->name + '>';
}

}  // namespace

TEST_CASE("lines that include a header") {
  CHECK(included("#include <a/b.hpp>") == "<a/b.hpp>");
  CHECK(included(" \t# \tinclude\"c.hpp\"  // a comment") == "\"c.hpp\"");
  for (char const* const other :
       {"", " ", "#", "# ", "#include", "#include ", "#include MACRO", "#include <open",
        "#include \"open", "#define include <a>", "include <a>", "// #include <a>"})
    CHECK(included(other).empty());
}

TEST_CASE("options that name a folder") {
  for (list const& options : {list{"-Ia/b"}, list{"-I=a/b"}, list{"-I", "a/b"},
                              list{"--include-path=a/b"}, list{"--include-path", "a/b"}}) {
    std::size_t at = 0;
    CHECK(option_value(options, at, "-I", "--include-path") == "a/b");
    CHECK(at == options.size() - 1);
  }
  for (list const& options : {list{"-i"}, list{"-include=a"}, list{"-I"}, list{""}}) {
    std::size_t at = 0;
    CHECK_FALSE(option_value(options, at, "-I", "--include-path"));
  }
}

TEST_CASE("all headers that a source includes, and places where they may appear") {
  temporary_folder const folder;
  std::string const at = folder.path.string(), first = at + "/first", second = at + "/second";
  fs::create_directories(first + "/sub");
  fs::create_directories(second);
  write(first + "/a.hpp", "#include \"sub/b.hpp\"\n#include <cstdint>");
  write(first + "/sub/b.hpp", "#include \"beside.hpp\"\n#include <a.hpp>\n");
  write(first + "/sub/beside.hpp", "#if 0\n#include <c.hpp>\n#endif\n");
  write(second + "/c.hpp", "#include <of_nvrtc.h>\n");
  write(second + "/before.hpp", "");
  included_headers const headers("#include <a.hpp>\n#include \"" + second + "/before.hpp\"",
                                 {"-I" + first, "-w", "--include-path=" + second});
  CHECK(headers.paths() == list{first + "/a.hpp", first + "/sub/b.hpp", first + "/sub/beside.hpp",
                                first + "/c.hpp", second + "/c.hpp", first + "/of_nvrtc.h",
                                second + "/of_nvrtc.h", second + "/before.hpp"});
  CHECK(included_headers("#include <a.hpp>", {}).paths().empty());
  CHECK(included_headers("", {"-I" + second, "-include", "c.hpp"}).paths() ==
        list{"./c.hpp", second + "/c.hpp", second + "/of_nvrtc.h"});

  std::string const before = state_of_files(headers.paths());
  SECTION("a header that appears") {
    write(first + "/c.hpp", "");
    CHECK(state_of_files(headers.paths()) != before);
  }
  SECTION("a header that is gone") {
    fs::remove(second + "/c.hpp");
    CHECK(state_of_files(headers.paths()) != before);
  }
  SECTION("a header of another size, or written later") {
    auto const written = fs::last_write_time(second + "/c.hpp");
    write(second + "/c.hpp", "#include <of_nvrtc.h>\n ");
    fs::last_write_time(second + "/c.hpp", written);
    CHECK(state_of_files(headers.paths()) != before);
    write(second + "/c.hpp", "#include <of_nvrtc.h>\n");
    fs::last_write_time(second + "/c.hpp", written);
    CHECK(state_of_files(headers.paths()) == before);
    fs::last_write_time(second + "/c.hpp", written + std::chrono::nanoseconds(1));
    CHECK(state_of_files(headers.paths()) != before);
  }
}

TEST_CASE("the standard library's headers for NVRTC include headers of the library") {
  list const paths = included_headers("#include <span>", {"-I/library"}).paths();
  CHECK(std::find(paths.begin(), paths.end(), "/library/mmm/core/type_traits.hpp") != paths.end());
  CHECK(file_state("/library") == "absent");
}
