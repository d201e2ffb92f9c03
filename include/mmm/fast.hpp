// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! The algorithms that make the most of a GPU: wide accesses, register tiles, one pass where the
//! papers take several. They stand beside the papers' literal ones (mmm/mmm.hpp) with costs of
//! their own.

#include <mmm/algorithm/fastest.hpp>
#include <mmm/algorithm/one_pass_scan.hpp>
#include <mmm/algorithm/register_convolution.hpp>
#include <mmm/algorithm/register_image_convolution.hpp>
#include <mmm/algorithm/register_product.hpp>
#include <mmm/algorithm/swizzled_transpose.hpp>
#include <mmm/algorithm/wide_copy.hpp>
#include <mmm/algorithm/wide_sum.hpp>
#include <mmm/mmm.hpp>
