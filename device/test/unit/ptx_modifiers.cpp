// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"

#include <device/ptx/modifiers.hpp>

using device::ptx::is_modifier;

TEST_CASE("modifiers of PTX are told from what is none") {
  for (char const* const name : {"u32",         "NaN",
                                 "shared::cta", "L2::cache_hint",
                                 "m16n8k16",    "m8n8",
                                 "x4",          "v8",
                                 "1d",          "a2dms",
                                 "128x256b",    "16x32bx2",
                                 "kind::f16",   "mbarrier::complete_tx::bytes",
                                 "f32x2",       "scale_vec::2X",
                                 "e4m3x2",      "b6x16_p32",
                                 "acq_rel",     "sp::ordered_metadata",
                                 "b",           "L1"})
    CHECK(is_modifier(name));
  for (char const* const name :
       {"", "u33", "foo", "v3", "global_", "Global", "sharedd::cta", "32", "x", "::", "mn"})
    CHECK_FALSE(is_modifier(name));
}
