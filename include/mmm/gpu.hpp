// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! The hardware's own rules beside the papers' machines: GPUs that people have, what a profiler
//! counts for accesses of 1 to 16 bytes and of matrices to shared and global memory, and the
//! layouts that people use there. Not part of <mmm/mmm.hpp>.

#include <mmm/gpu/access.hpp>
#include <mmm/gpu/assert.hpp>
#include <mmm/gpu/choose_layout.hpp>
#include <mmm/gpu/choose_record_layout.hpp>
#include <mmm/gpu/cost.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/gpu/for_all.hpp>
#include <mmm/gpu/optimal_layout.hpp>
#include <mmm/gpu/optimal_width.hpp>
#include <mmm/gpu/request.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/layout/check.hpp>
#include <mmm/layout/layout.hpp>
#include <mmm/layout/linear_layout.hpp>
#include <mmm/layout/record_layout.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/layout/strided.hpp>
#include <mmm/layout/swizzle.hpp>
#include <mmm/layout/swizzled.hpp>
#include <mmm/layout/tile_layout.hpp>
#include <mmm/layout/typed_tile.hpp>
