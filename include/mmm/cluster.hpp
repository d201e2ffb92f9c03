// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! Clusters of machines that a network joins: <mmm/mmm.hpp>, the algorithms on clusters with their
//! costs and bounds, and their simulation. <mmm/mpi.hpp> runs the same programs on MPI's processes.

#include <mmm/algorithm/convolution/convolution_on_nodes.hpp>
#include <mmm/algorithm/image/image_convolution_in_registers_on_nodes.hpp>
#include <mmm/algorithm/image/image_convolution_on_nodes.hpp>
#include <mmm/algorithm/image/separable_image_convolution_on_nodes.hpp>
#include <mmm/algorithm/product/matrix_multiply_on_nodes.hpp>
#include <mmm/algorithm/reduce/argmin_on_nodes.hpp>
#include <mmm/algorithm/reduce/sum_on_nodes.hpp>
#include <mmm/algorithm/scan/prefix_sums_on_nodes.hpp>
#include <mmm/algorithm/scan/segmented_prefix_sums_on_nodes.hpp>
#include <mmm/algorithm/scan/summed_area_on_nodes.hpp>
#include <mmm/algorithm/sort/sort_on_nodes.hpp>
#include <mmm/algorithm/transpose/transpose_on_nodes.hpp>
#include <mmm/choose/fastest_on_nodes.hpp>
#include <mmm/execution/simulate/nodes.hpp>
#include <mmm/gpu/networks.hpp>
#include <mmm/mmm.hpp>
