// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose line a line is.
#include "catch.hpp"

#include <device/decode/source_place.hpp>

using namespace device;
using namespace device::decode;

TEST_CASE("headers of the CUDA toolkit are known by their folder") {
  for (char const* const file :
       {"/usr/local/cuda-13.0/include/cccl/cuda/barrier", "/usr/local/cuda/include/cuda_fp16.hpp",
        "/opt/cuda/include/crt/sm_90_rt.hpp",
        "/usr/local/cuda/bin/../targets/x86_64-linux/include/cooperative_groups.h",
        "/home/me/env/lib/python3.11/site-packages/nvidia/cu13/include/cuda_fp16.hpp",
        "/home/me/cccl/cub/block/block_scan.cuh"}) {
    CHECK(is_of_toolkit(file));
    CHECK(is_of_libraries(file));
  }
  for (char const* const file : {"", "a.cu", "/include/a.cuh", "/home/me/cuda/include/a.cuh",
                                 "/home/me/cuda-tools/include/a.hpp",
                                 "/home/me/include/cuda-13.0/a.cu", "/usr/include/view.hpp"}) {
    CHECK_FALSE(is_of_toolkit(file));
    CHECK_FALSE(is_of_libraries(file));
  }
  CHECK_FALSE(is_of_toolkit("/usr/include/mmm/algorithm/sum.hpp"));
  CHECK(is_of_libraries("/usr/include/mmm/algorithm/sum.hpp"));
}

TEST_CASE("the author's line of a path is the innermost one outside of libraries") {
  std::string const toolkit = "/usr/local/cuda-13.0/include/a.h";
  CHECK(own_line(
            {{toolkit, 1, "f"}, {"/include/mmm/b.hpp", 2, "g"}, {"c.cu", 3, "h"}, {"d.cu", 4, ""}})
            .line == 3);
  CHECK(own_line({{toolkit, 1, "f"}, {toolkit, 2, ""}}).line == 1);
  CHECK(own_line({{"c.cu", 3, ""}}).line == 3);
}
