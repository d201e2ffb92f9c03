// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/call/fold_forms.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/call/passed_words.hpp>
#include <mmm/algorithm/call/perform.hpp>
#include <mmm/algorithm/cluster.hpp>
#include <mmm/algorithm/product/grid_product.hpp>
#include <mmm/algorithm/product/matrix_multiply.hpp>
#include <mmm/algorithm/product/product_traffic_bound.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/nodes.hpp>
#include <mmm/layout/block_grid.hpp>

//! The matrix product on a cluster, with the node's own product:
//!   `mmm::matrix_multiply(on, a, b, shape, c, mmm::node_grid(rows, columns, layers))`.
//!
//! **The program.** The nodes form a grid (mmm::node_grid); the default is that of
//! mmm::product_grid. The inner side is divided into panels (mmm::inner_panels, one by default) and
//! each panel into a section for each layer. For each panel, every node sends its part of the
//! section of a to the nodes of its row, and its part of b to those of its column, in one exchange.
//! It multiplies the blocks that it then has, and adds the product to its sums, while the next
//! panel is exchanged. In the end the sums of the layers are added to the node in layer 0. With one
//! layer it is SUMMA (van de Geijn, Watts, SUMMA: Scalable Universal Matrix Multiplication
//! Algorithm, 1997), in which all nodes of a row broadcast their parts of a panel at once; with
//! several, the product with c copies of the sums of Solomonik and Demmel (Communication-Optimal
//! Parallel 2.5D Matrix Multiplication and LU Factorization Algorithms, Euro-Par 2011), which needs
//! no copies of the factors here, since each layer has a part of them from the beginning.
//!
//! **The matrices** lie on the nodes as mmm::product_blocks has them: row-major blocks. An estimate
//! and a simulation are given whole row-major matrices; under MPI each process is given, and gets,
//! its node's blocks. A node without a part of a matrix has 0 words of it.
//!
//! **Words** per node for n x n matrices on k nodes in an R x C x c grid, about `n^2/(c R) + n^2/(c
//! C) + 2 n^2 c/k`, without the last term for c = 1.
//!
//! Further arguments, in any order: mmm::node_grid, mmm::inner_panels, mmm::tile, which the nodes'
//! product needs on HMMs (a smaller one where a node's block is smaller), mmm::accumulate_in.
//! Errors: those of mmm::matrix_multiply; std::invalid_argument for a grid of another number of
//! nodes than the cluster's.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! Adds n words to sums.
struct add_to_sums {
  template <class On, class Sums, class Words>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Sums sums, Words x, index n) const {
    on.each(n, [=](auto i) { sums[i] = sums[i] + x[i]; });
  }
};
struct clear_sums {
  template <class On, class Sums>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Sums sums, index n) const {
    on.each(n, [=](auto i) { sums[i] = typename Sums::value_type{}; });
  }
};

//! A panel of each factor on the nodes.
template <class Left, class Right>
struct panel_arrays {
  Left left;
  Right right;
};
template <class Left, class Right>
panel_arrays(Left, Right) -> panel_arrays<Left, Right>;

//! The further arguments of a product on a cluster.
struct product_options {
  tile side{1};
  bool has_tile = false;
  node_grid grid{};
  bool has_grid = false;
  index panels = 1;

  constexpr void take(tile const& x) {
    side = x;
    has_tile = true;
  }
  constexpr void take(node_grid const& x) {
    grid = x;
    has_grid = true;
  }
  constexpr void take(inner_panels const& x) { panels = x.count; }
  template <class T>
  constexpr void take(accumulate_in_t<T> const&) {}
  template <class T>
  constexpr void take(T const&) {
    static_assert(sizeof(T) == 0,
                  "mmm: a matrix product on a cluster takes mmm::node_grid, mmm::inner_panels, "
                  "mmm::tile and mmm::accumulate_in, and no other argument");
  }
};

template <accumulation Where, items_per_thread_choices Numbers>
struct cluster_program<product_algorithm<Where, Numbers>> {
  using node_problem = typename product_algorithm<Where, Numbers>::problem;

  struct problem : product_sizes {
    product_options options{};

    template <class... Options>
    constexpr explicit problem(product_sizes const& sizes, Options const&... more)
        : product_sizes(sizes) {
      (options.take(more), ...);
    }

    //! Calls `f(grid)` with each grid of so many nodes (each_grid).
    template <class F>
    static constexpr void each_candidate(index nodes, F const& f) {
      each_grid(nodes, f);
    }

    template <class On, class Left = no_data, class Right = no_data, class Out = no_data,
              class... Form>
    constexpr void run(On& on, Left a = {}, Right b = {}, Out c = {}, Form const&... form) const {
      using value = accumulated_t<typename named_accumulator<Form...>::type, Out, Left, Right>;
      problem with_form = *this;
      (with_form.options.take(form), ...);
      with_form.template run_in<value>(on, a, b, c);
    }

    //! The bounds of the node that does the largest part of the multiplications, among all programs
    //! on nodes that hold no more words of the matrices than those of the grid do.
    template <cluster_machine M>
    [[nodiscard]] constexpr bound lower_bound(cluster_terms<M> const& t) const {
      reject_tile<M>();
      grid_product const by = on_grid(t.machine);
      bound b = multiplication_bound(t.node, work() / t.k, t.node.hmm ? options.side.side : 1);
      index const words = product_words_bound(shape, t.k, by.max_inputs(), by.sums(0));
      b.network_bandwidth = t.exchange(words);
      b.network_latency = words > 0 ? t.machine.network_latency() : 0;
      return b;
    }
    //! The node's bound for its part of each panel, three accesses for each sum and panel where
    //! there are several, and the time of the exchanges.
    template <cluster_machine M>
    [[nodiscard]] constexpr natural upper_bound(cluster_terms<M> const& t) const {
      grid_product const by = on_grid(t.machine);
      product_shape const part(by.max_rows(), by.section(0, 0).total(), by.max_columns());
      natural time =
          natural(by.panels()) * of_node<M>(part).upper_bound(t.node) + by.traffic(t.machine).time;
      if (by.panels() > 1) {
        natural const sums = natural(part.rows) * part.columns;
        time = time + natural(3 * by.panels() + 1) *
                          (sums / t.node.at_once() + sums * t.node.L / t.node.p + t.node.L);
      }
      return time;
    }

   private:
    template <cluster_machine M>
    [[nodiscard]] constexpr grid_product on_grid(M const& m) const {
      grid_product const by{
          shape, options.has_grid ? options.grid : product_grid(m, shape, options.panels),
          options.panels};
      if (by.grid().nodes() != m.nodes())
        throw_invalid_argument(failure_text("mmm: the number of nodes of the grid is ",
                                            by.grid().nodes(), "; accepted: ", m.nodes(),
                                            ", the number of nodes of the cluster"));
      return by;
    }
    template <cluster_machine M>
    static constexpr bool of_hmms = hierarchical_machine<decltype(declval<M const&>().node())>;
    template <cluster_machine M>
    constexpr void reject_tile() const {
      if constexpr (of_hmms<M>)
        if (!options.has_tile || options.side.side > larger(longest(), 1))
          static_cast<void>(
              (options.has_tile ? node_problem(shape, options.side) : node_problem(shape))
                  .upper_bound(machine_terms{.hmm = true}));
    }
    //! The problem of a node, with a tile that is not larger than the node's matrices.
    template <cluster_machine M>
    [[nodiscard]] constexpr node_problem of_node(product_shape const& part) const {
      node_problem const of_part(part);
      if constexpr (of_hmms<M>)
        return node_problem(part, tile(smaller(options.side.side, of_part.largest_side())));
      else
        return of_part;
    }

    template <class Value, class On, class Left, class Right, class Out>
    constexpr void run_in(On& on, Left a, Right b, Out c) const {
      using machine = typename On::machine_type;
      reject_tile<machine>();
      grid_product const by = on_grid(on.machine());
      by.examine(on);
      auto const left_blocks = by.blocks.left;
      auto const right_blocks = by.blocks.right;
      reject_overlap_on_nodes(on, a, left_blocks, c, by.blocks.result);
      reject_overlap_on_nodes(on, b, right_blocks, c, by.blocks.result);
      auto const of_a = on.bring(a, left_blocks);
      auto const of_b = on.bring(b, right_blocks);
      auto const allocate_panels = [&] {
        return panel_arrays{on.template allocate<iterator_value_t<Left>>(left_panel_words{by}),
                            on.template allocate<iterator_value_t<Right>>(right_panel_words{by})};
      };
      auto const even = allocate_panels();
      auto const odd = by.panels() > 1 ? allocate_panels() : even;
      auto const result = on.template results<Value>(c, by.blocks.result);
      bool const one_layer = by.grid().layers == 1;
      auto const sums_on_all = [&](auto const& use) {
        if (one_layer)
          use(result);
        else {
          auto const sums = on.template allocate<Value>(sums_words{by});
          use(sums);
          on.reduce(layer_nodes(by.grid()), 0, sums, result, plus{});
        }
      };
      sums_on_all([&](auto const& sums) {
        // the panel comes while the body runs
        auto const fetch = [&](index panel, auto const& body) {
          auto const& arrays = panel % 2 == 0 ? even : odd;
          on.exchange(transfer{of_a, arrays.left, left_panel_plan{by, panel}},
                      transfer{of_b, arrays.right, right_panel_plan{by, panel}}, body);
        };
        auto const multiply = [&](index panel, auto const& target) {
          auto const& arrays = panel % 2 == 0 ? even : odd;
          return [=, this](auto& local, index r) {
            of_node<machine>(by.part(r, panel))
                .run(local, arrays.left.part(r), arrays.right.part(r), target.part(r),
                     accumulate_in<Value>);
          };
        };
        index const last = by.panels() - 1;
        if (last == 0) {
          fetch(0, typename On::nothing_meanwhile{});
          on.each_node(multiply(0, sums));
          return;
        }
        auto const product = on.template allocate<Value>(sums_words{by});
        fetch(0, [=](auto& local, index r) {
          index const n = by.sums(r);
          perform(local, clear_sums{}, writes<Value>(sums.part(r), n), n);
        });
        auto const add_product = [&](index panel) {
          return [=, multiplied = multiply(panel, product)](auto& local, index r) {
            multiplied(local, r);
            index const n = by.sums(r);
            perform(local, add_to_sums{}, updates<Value>(sums.part(r), n),
                    reads<Value>(product.part(r), n), n);
          };
        };
        // panels that are followed by one of the same size cost the same
        auto const add_panels = [&](index first, index end) {
          if (first < end)
            on.repeat(block_distribution(end - first, end - first),
                      [&](index i) { fetch(first + i + 1, add_product(first + i)); });
        };
        index const larger = by.blocks.left.across.panels.larger_blocks();
        add_panels(0, larger - 1);
        if (larger > 0) add_panels(larger - 1, larger);
        add_panels(larger, last);
        on.each_node(add_product(last));
      });
      on.deliver(result, c, by.blocks.result);
    }
  };
};

}  // namespace mmm::detail
MMM_BODIES_END
