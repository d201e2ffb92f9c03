// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! The algorithms that make the most of a GPU: wide accesses, register tiles, one pass where the
//! papers take several. They stand beside the papers' literal ones (mmm/mmm.hpp) with costs of
//! their own.

#include <mmm/algorithm/convolution/convolution_by_fft.hpp>
#include <mmm/algorithm/convolution/convolution_in_clusters.hpp>
#include <mmm/algorithm/convolution/convolution_in_registers.hpp>
#include <mmm/algorithm/copy/copy_wide.hpp>
#include <mmm/algorithm/image/image_convolution_in_registers.hpp>
#include <mmm/algorithm/image/separable_image_convolution.hpp>
#include <mmm/algorithm/permutation/permutation_in_tiles.hpp>
#include <mmm/algorithm/product/matrix_multiply_in_registers.hpp>
#include <mmm/algorithm/product/matrix_multiply_on_tensor_cores.hpp>
#include <mmm/algorithm/reduce/argmin.hpp>
#include <mmm/algorithm/reduce/sum_in_one_block.hpp>
#include <mmm/algorithm/reduce/sum_wide.hpp>
#include <mmm/algorithm/scan/prefix_sums_in_one_block.hpp>
#include <mmm/algorithm/scan/prefix_sums_one_pass.hpp>
#include <mmm/algorithm/scan/summed_area_one_pass.hpp>
#include <mmm/algorithm/sort/merge_sort.hpp>
#include <mmm/algorithm/sort/radix_sort.hpp>
#include <mmm/algorithm/strings/string_matching_in_bits.hpp>
#include <mmm/algorithm/transpose/transpose_swizzled.hpp>
#include <mmm/algorithm/triangulation/triangulation_in_registers.hpp>
#include <mmm/choose/fastest.hpp>
#include <mmm/mmm.hpp>
