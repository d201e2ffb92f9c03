// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! Where an algorithm's stages come from, access by access: mmm::profile_of, and its table; and the
//! sectors of its global memory: mmm::global_sectors_of. Not part of <mmm/mmm.hpp>.

#include <mmm/algorithm/global_sectors.hpp>
#include <mmm/algorithm/profile.hpp>
#include <mmm/report/profile_text.hpp>
