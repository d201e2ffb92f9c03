// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! Access patterns and what they cost, for assertions and choices at compile time: machines, index
//! expressions, layouts, the costs of patterns, the rules of GPUs. The lightest header: it costs a
//! compiler less than <vector>. The figures of real GPUs, and the choice of a layout, are in
//! <mmm/gpu.hpp>.

#include <mmm/cost/assert.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/cost/inside.hpp>
#include <mmm/gpu/access.hpp>
#include <mmm/gpu/assert.hpp>
#include <mmm/gpu/cost.hpp>
#include <mmm/gpu/request.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/index/period.hpp>
#include <mmm/index/trapezoid.hpp>
#include <mmm/index/warp_split.hpp>
#include <mmm/layout/check.hpp>
#include <mmm/layout/layout.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/layout/strided.hpp>
#include <mmm/layout/swizzle.hpp>
#include <mmm/layout/swizzled.hpp>
#include <mmm/layout/tile_layout.hpp>
#include <mmm/machine/machine.hpp>
