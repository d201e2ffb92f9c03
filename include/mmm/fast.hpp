// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! The algorithms that make the most of a GPU: wide accesses, register tiles, one pass where the
//! papers take several. They stand beside the papers' literal ones (mmm/mmm.hpp) with costs of
//! their own.

#include <mmm/algorithm/argmin.hpp>
#include <mmm/algorithm/fast/convolution_in_registers.hpp>
#include <mmm/algorithm/fast/copy_wide.hpp>
#include <mmm/algorithm/fast/image_convolution_in_registers.hpp>
#include <mmm/algorithm/fast/matrix_multiply_in_registers.hpp>
#include <mmm/algorithm/fast/merge_sort.hpp>
#include <mmm/algorithm/fast/prefix_sums_one_pass.hpp>
#include <mmm/algorithm/fast/radix_sort.hpp>
#include <mmm/algorithm/fast/sum_wide.hpp>
#include <mmm/algorithm/fast/transpose_swizzled.hpp>
#include <mmm/algorithm/fast/triangulation_in_registers.hpp>
#include <mmm/choose/fastest.hpp>
#include <mmm/mmm.hpp>
