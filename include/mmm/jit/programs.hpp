// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! The programs of the problems that mmm::jit::kernel knows: what NVRTC reads before a kernel.
#include <mmm/algorithm/convolution/convolution.hpp>
#include <mmm/algorithm/convolution/convolution_in_registers.hpp>
#include <mmm/algorithm/copy/copy_through_shared.hpp>
#include <mmm/algorithm/copy/copy_wide.hpp>
#include <mmm/algorithm/image/image_convolution.hpp>
#include <mmm/algorithm/image/image_convolution_in_registers.hpp>
#include <mmm/algorithm/product/matrix_multiply.hpp>
#include <mmm/algorithm/product/matrix_multiply_in_registers.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/reduce/sum_in_one_block.hpp>
#include <mmm/algorithm/reduce/sum_wide.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/algorithm/scan/prefix_sums_in_one_block.hpp>
#include <mmm/algorithm/scan/prefix_sums_one_pass.hpp>
#include <mmm/algorithm/scan/summed_area.hpp>
#include <mmm/algorithm/scan/summed_area_1r1w.hpp>
#include <mmm/algorithm/scan/summed_area_one_pass.hpp>
#include <mmm/algorithm/sort/merge_sort.hpp>
#include <mmm/algorithm/sort/radix_sort.hpp>
#include <mmm/algorithm/sort/sort.hpp>
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/algorithm/transpose/transpose_swizzled.hpp>
