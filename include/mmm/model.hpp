// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! What algorithms cost, without running them: <mmm/access.hpp>, the papers' algorithms with their
//! costs and bounds, and estimates of programs of one's own. To run them, include a back end:
//! <mmm/mmm.hpp> has the simulation.

#include <mmm/access.hpp>
#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/paper/contiguous.hpp>
#include <mmm/algorithm/paper/convolution.hpp>
#include <mmm/algorithm/paper/copy_through_shared.hpp>
#include <mmm/algorithm/paper/histogram.hpp>
#include <mmm/algorithm/paper/image_convolution.hpp>
#include <mmm/algorithm/paper/matrix_multiply.hpp>
#include <mmm/algorithm/paper/prefix_sums.hpp>
#include <mmm/algorithm/paper/segmented_prefix_sums.hpp>
#include <mmm/algorithm/paper/sequential_read.hpp>
#include <mmm/algorithm/paper/sort.hpp>
#include <mmm/algorithm/paper/stride.hpp>
#include <mmm/algorithm/paper/sum.hpp>
#include <mmm/algorithm/paper/transpose.hpp>
#include <mmm/algorithm/paper/triangulation.hpp>
#include <mmm/algorithm/paper/triangulation_blocked.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/perform.hpp>
#include <mmm/algorithm/polygon.hpp>
#include <mmm/algorithm/regime.hpp>
#include <mmm/choose/best_tile.hpp>
#include <mmm/execution/atomic.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/gpu/devices.hpp>
