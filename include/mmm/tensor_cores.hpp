// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! Tensor cores: fragments of mma.sync and their loads, tensor maps of the Tensor Memory
//! Accelerator, operands of wgmma, and the layouts and tiles that serve them at the least cost.

#include <mmm/gpu.hpp>
#include <mmm/gpu/best_tile.hpp>
#include <mmm/gpu/broken_rule.hpp>
#include <mmm/gpu/choose_operand_layout.hpp>
#include <mmm/gpu/data_type.hpp>
#include <mmm/gpu/fragment.hpp>
#include <mmm/gpu/fragment_load.hpp>
#include <mmm/gpu/fragment_product.hpp>
#include <mmm/gpu/number_type.hpp>
#include <mmm/gpu/tensor_map.hpp>
#include <mmm/gpu/wgmma.hpp>
#include <mmm/layout/panel_layout.hpp>
