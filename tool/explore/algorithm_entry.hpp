// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "task.hpp"

#include <vector>

//! The algorithms that the program knows. To add one: a source file with a problem (problem.hpp)
//! and its entry below, and a line in algorithms.cpp. One with a program for clusters has the entry
//! of cluster/problem_on_nodes.hpp.
namespace explore {

struct network_choice;
namespace cluster {
struct figures;
}

//! The meaning of an algorithm's size.
enum class problem_shape {
  sequence,  //!< the elements of the input
  text,      //!< the symbols of the input
  windows,   //!< the elements of the result; the input has taps - 1 more
  square,    //!< the side
  polygon,   //!< the vertices; the input is a square of weights
  chain,     //!< the matrices; the input has their sides, one more
  inputs,    //!< the elements of each of --inputs inputs
  polygons   //!< the vertices of each of --inputs polygons
};

//! Options that only some algorithms use.
struct extra_options {
  bool taps = false;
  bool radius = false;
  bool tile = false;
  bool bins = false;
  bool permutation = false;  //!< the input is a permutation: --permutation, or a file of places
  bool schedule = false;     //!< the permutation is scheduled: --schedule draws it
  bool inputs = false;       //!< and their arrangement
  bool grid = false;         //!< of a cluster's nodes, and panels
};

struct algorithm_entry {
  char const* name;
  char const* summary;
  char const* paper;
  bool (*runs_on)(machine_kind);
  problem_shape shape;
  extra_options uses;
  //! Does the task. `threads` and the machine's parameters are valid.
  outcome (*run)(machine_choice const&, task const&);
  //! Does the task on a cluster of such machines: its size and threads are those of all nodes
  //! together. Null: the algorithm has no program for clusters.
  cluster::figures (*run_on_nodes)(machine_choice const& node, network_choice const&,
                                   task const&) = nullptr;
};

[[nodiscard]] algorithm_entry contiguous();
[[nodiscard]] algorithm_entry stride();
[[nodiscard]] algorithm_entry transpose_straightforward();
[[nodiscard]] algorithm_entry transpose_diagonal();
[[nodiscard]] algorithm_entry transpose_rotating();
[[nodiscard]] algorithm_entry sum();
[[nodiscard]] algorithm_entry sum_on_one_dmm();
[[nodiscard]] algorithm_entry argmin();
[[nodiscard]] algorithm_entry argmax();
[[nodiscard]] algorithm_entry prefix_sums_simple();
[[nodiscard]] algorithm_entry prefix_sums();
[[nodiscard]] algorithm_entry exclusive_prefix_sums();
[[nodiscard]] algorithm_entry segmented_prefix_sums();
[[nodiscard]] algorithm_entry exclusive_segmented_prefix_sums();
[[nodiscard]] algorithm_entry summed_area();
[[nodiscard]] algorithm_entry summed_area_1r1w();
[[nodiscard]] algorithm_entry permutation();
[[nodiscard]] algorithm_entry permutation_direct();
[[nodiscard]] algorithm_entry sort();
[[nodiscard]] algorithm_entry radix_sort();
[[nodiscard]] algorithm_entry merge_sort();
[[nodiscard]] algorithm_entry histogram();
[[nodiscard]] algorithm_entry copy();
[[nodiscard]] algorithm_entry convolution();
[[nodiscard]] algorithm_entry convolution_in_clusters();
[[nodiscard]] algorithm_entry triangulation_dp();
[[nodiscard]] algorithm_entry triangulation();
[[nodiscard]] algorithm_entry triangulation_blocked();
[[nodiscard]] algorithm_entry image_convolution();
[[nodiscard]] algorithm_entry matrix_multiply();
[[nodiscard]] algorithm_entry string_matching();
[[nodiscard]] algorithm_entry lcs();
[[nodiscard]] algorithm_entry matrix_chain();
[[nodiscard]] algorithm_entry bulk_prefix_sums();
[[nodiscard]] algorithm_entry bulk_sort();
[[nodiscard]] algorithm_entry bulk_triangulation();

//! All of them, in the order of `--list`.
[[nodiscard]] std::vector<algorithm_entry> const& algorithms();

}  // namespace explore
