// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/emit/entry_name.hpp>

#include <catch.hpp>

#include <iterator>
#include <string>

using mmm::detail::is_entry_name;

TEST_CASE("an emitted function has no name of C++, of the file, of C, of POSIX or of CUDA") {
  for (char const* const name : {"",
                                 "1a",
                                 "a-b",
                                 "a b",
                                 "_a",
                                 "_A",
                                 "a__b",
                                 "a_",
                                 "__a",
                                 "while",
                                 "typeof",
                                 "main",
                                 "int",
                                 "abs",
                                 "labs",
                                 "sinf",
                                 "sinl",
                                 "fmaxf",
                                 "hypot",
                                 "y1",
                                 "printf",
                                 "malloc",
                                 "read",
                                 "index",
                                 "errno",
                                 "EOF",
                                 "unix",
                                 "pthread_create",
                                 "cudaMalloc",
                                 "cuInit",
                                 "atomicAdd",
                                 "rsqrtf",
                                 "umin",
                                 "MMM_HOST_DEVICE",
                                 "guarded",
                                 "values",
                                 "compare",
                                 "least_cost",
                                 "cost_by_library",
                                 "mmm",
                                 "std",
                                 "TEST"}) {
    INFO(name);
    CHECK_FALSE(is_entry_name(name));
  }
  CHECK_FALSE(is_entry_name(std::string(65, 'x')));
  CHECK(is_entry_name(std::string(64, 'x')));
  for (char const* const name : {"total", "abs_sum", "sinus", "cube", "cudas", "custom", "printff",
                                 "a_b", "A1", "mainf", "atomically", "reads", "z"}) {
    INFO(name);
    CHECK(is_entry_name(name));
  }
}

TEST_CASE("the default names of all problems and types are accepted") {
  for (int k = 0; k < static_cast<int>(std::size(mmm::problem_names)); ++k)
    for (mmm::value_type const& type : mmm::value_types) {
      std::string const name =
          mmm::detail::default_entry({static_cast<mmm::problem_kind>(k), 1, type});
      INFO(name);
      CHECK(is_entry_name(name));
    }
}
