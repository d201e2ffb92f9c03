// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/host_array.hpp>

#include <cstdint>

//! The edge colouring of a regular bipartite multigraph.
namespace mmm::detail {

//! An edge from a left to a right vertex. `number` names the edge: its colour is stored there.
struct bipartite_edge {
  std::int32_t left;
  std::int32_t right;
  std::int32_t number;
};

//! Colours the edges of bipartite multigraphs in which each of `vertices` left and `vertices` right
//! vertices has the same number D of edges. D colours are enough, so that the edges of a colour are
//! a perfect matching (König 1916).
//!
//! An even degree is split: the edges of every vertex are paired, which divides the graph into
//! cycles, and the edges of a cycle go alternately into two graphs of degree D/2. From an odd
//! degree, a perfect matching is taken away, found by random walks (Goel, Kapralov, Khanna 2013).
//! Time: O(m log D) for m = D vertices edges, and O(vertices log vertices) expected for each of at
//! most D/2 matchings. The colours depend on the edges only.
class edge_coloring {
 public:
  //! Room for graphs of up to `max_edges` edges and `max_vertices` vertices on each side.
  constexpr edge_coloring(index max_edges, index max_vertices)
      : edge_(max_edges),
        other_edge_(max_edges),
        partners_(max_edges),
        matched_left_(max_vertices),
        matched_right_(max_vertices),
        open_left_(max_vertices),
        open_right_(max_vertices),
        color_(max_edges) {
    if (max_edges > INT32_MAX)
      reject("the number of words to permute in one memory", max_edges, "up to 2^31 - 1");
  }

  //! The edges of the next graph, in the caller's order; edge k is `edge(k)`.
  [[nodiscard]] constexpr bipartite_edge& edge(index k) { return edge_[k]; }
  //! Colours the first `degree * vertices` edges. Changes their order.
  constexpr void color(index vertices, index degree) {
    vertices_ = vertices;
    next_color_ = 0;
    color_graph(0, degree);
  }
  //! The colour of edge `number`, 0 … D - 1.
  [[nodiscard]] constexpr std::int32_t color_of(index number) { return color_[number]; }
  constexpr void set_color(index number, std::int32_t color) { color_[number] = color; }

 private:
  static constexpr std::int32_t none = -1;
  //! The edges that an edge is paired with. Afterwards `right` is the half that it goes to: on a
  //! cycle, an edge's cache line is all that is needed of it.
  struct partners {
    std::int32_t left;
    std::int32_t right;
  };
  static constexpr std::int32_t first_half = -1;
  static constexpr std::int32_t second_half = -2;

  //! Colours the graph of the edges from `first` on.
  constexpr void color_graph(index first, index degree) {
    if (degree == 0) return;
    if (degree % 2 != 0) {
      if (degree > 1) move_matching_to_front(first, degree);
      for (index k = first; k < first + vertices_; ++k) color_[edge_[k].number] = next_color_;
      ++next_color_;
      first += vertices_;
      --degree;
      if (degree == 0) return;
    }
    split(first, degree);
    color_graph(first, degree / 2);
    color_graph(first + degree / 2 * vertices_, degree / 2);
  }

  //! Divides the edges from `first` on into two halves with the same degree, one after the other.
  constexpr void split(index first, index degree) {
    index const m = degree * vertices_;
    for (index v = 0; v < vertices_; ++v) open_left_[v] = open_right_[v] = none;
    auto const pair = [this](std::int32_t& open, std::int32_t partners::* partner,
                             std::int32_t own) {
      bool const alone = open == none;  // until the next edge of the vertex; no branch is quicker
      partners_[alone ? own : open].*partner = own;
      partners_[own].*partner = open;
      open = alone ? own : none;
    };
    for (index k = 0; k < m; ++k) {
      auto const own = static_cast<std::int32_t>(k);
      pair(open_left_[edge_[first + k].left], &partners::left, own);
      pair(open_right_[edge_[first + k].right], &partners::right, own);
    }
    for (index k = 0; k < m; ++k)
      for (std::int32_t own = static_cast<std::int32_t>(k); partners_[own].right >= 0;) {
        partners& next = partners_[partners_[own].left];
        partners_[own].right = first_half;
        own = next.right;
        next.right = second_half;
      }
    index stored = 0, moved = 0;
    for (index k = 0; k < m; ++k) {  // each edge is written to both, and stays in one
      bool const moves = partners_[k].right == second_half;
      bipartite_edge const e = edge_[first + k];
      edge_[first + stored] = other_edge_[moved] = e;
      stored += moves ? 0 : 1;
      moved += moves ? 1 : 0;
    }
    for (index k = 0; k < moved; ++k) edge_[first + stored + k] = other_edge_[k];
  }

  //! Moves the edges of a perfect matching before the others. A left vertex without a partner walks
  //! along random edges to right vertices, and from each of these along its edge in the matching,
  //! until a right vertex has no partner; the walk without its loops is an augmenting path.
  constexpr void move_matching_to_front(index first, index degree) {
    index const m = degree * vertices_;
    for (index v = 0; v < vertices_; ++v) open_left_[v] = 0;
    for (index k = 0; k < m; ++k) {
      bipartite_edge const& e = edge_[first + k];
      other_edge_[e.left * degree + open_left_[e.left]++] = e;
    }
    auto& chosen = open_left_;  // the latest edge of the walk at a left vertex
    for (index v = 0; v < vertices_; ++v) matched_left_[v] = matched_right_[v] = none;
    for (index start = 0; start < vertices_; ++start) {
      for (index u = start;;) {
        index const e = u * degree + random_below(degree);
        if (e == matched_left_[u]) continue;
        chosen[u] = static_cast<std::int32_t>(e);
        std::int32_t const back = matched_right_[other_edge_[e].right];
        if (back == none) break;
        u = other_edge_[back].left;
      }
      for (index u = start;;) {
        std::int32_t const e = chosen[u];
        std::int32_t& place = matched_right_[other_edge_[e].right];
        std::int32_t const back = place;
        place = e;
        matched_left_[u] = e;
        if (back == none) break;
        u = other_edge_[back].left;
      }
    }
    index in_matching = first, others = first + vertices_;
    for (index k = 0; k < m; ++k)
      edge_[matched_left_[other_edge_[k].left] == k ? in_matching++ : others++] = other_edge_[k];
  }

  [[nodiscard]] constexpr index random_below(index n) {
    random_ = random_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<index>((random_ >> 33) % static_cast<std::uint64_t>(n));
  }

  index vertices_ = 0;
  std::int32_t next_color_ = 0;
  std::uint64_t random_ = 1;
  host_array<bipartite_edge> edge_;
  host_array<bipartite_edge> other_edge_;
  host_array<partners> partners_;
  host_array<std::int32_t> matched_left_;   //!< the edge of a left vertex in the matching
  host_array<std::int32_t> matched_right_;  //!< the edge of a right vertex in the matching
  host_array<std::int32_t> open_left_;
  host_array<std::int32_t> open_right_;
  host_array<std::int32_t> color_;
};

}  // namespace mmm::detail
