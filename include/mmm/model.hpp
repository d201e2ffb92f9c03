// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! What algorithms cost, without running them: <mmm/access.hpp>, the papers' algorithms with their
//! costs and bounds, and estimates of programs of one's own. To run them, include a back end:
//! <mmm/mmm.hpp> has the simulation.

#include <mmm/access.hpp>
#include <mmm/algorithm/access/contiguous.hpp>
#include <mmm/algorithm/access/segments.hpp>
#include <mmm/algorithm/access/sequential_read.hpp>
#include <mmm/algorithm/access/stride.hpp>
#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/bulk/bulk.hpp>
#include <mmm/algorithm/bulk/oblivious_programs.hpp>
#include <mmm/algorithm/call/perform.hpp>
#include <mmm/algorithm/convolution/convolution.hpp>
#include <mmm/algorithm/copy/copy_segments.hpp>
#include <mmm/algorithm/copy/copy_through_shared.hpp>
#include <mmm/algorithm/histogram/histogram.hpp>
#include <mmm/algorithm/image/image_convolution.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/permutation/permutation.hpp>
#include <mmm/algorithm/permutation/permutation_direct.hpp>
#include <mmm/algorithm/product/matrix_multiply.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/regime.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/algorithm/scan/segmented_prefix_sums.hpp>
#include <mmm/algorithm/scan/summed_area.hpp>
#include <mmm/algorithm/scan/summed_area_1r1w.hpp>
#include <mmm/algorithm/sort/sort.hpp>
#include <mmm/algorithm/strings/lcs.hpp>
#include <mmm/algorithm/strings/string_matching.hpp>
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/algorithm/triangulation/matrix_chain.hpp>
#include <mmm/algorithm/triangulation/polygon.hpp>
#include <mmm/algorithm/triangulation/triangulation.hpp>
#include <mmm/algorithm/triangulation/triangulation_blocked.hpp>
#include <mmm/choose/best_tile.hpp>
#include <mmm/cost/expected_congestion.hpp>
#include <mmm/execution/atomic.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/layout/row_shifts.hpp>
