// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/call/passed_words.hpp>
#include <mmm/algorithm/call/perform.hpp>
#include <mmm/algorithm/call/shapes.hpp>
#include <mmm/algorithm/cluster.hpp>
#include <mmm/algorithm/copy/copy_words.hpp>
#include <mmm/algorithm/halo_plan.hpp>
#include <mmm/algorithm/image/image_convolution.hpp>
#include <mmm/algorithm/natural.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/nodes.hpp>
#include <mmm/layout/row_blocks.hpp>

//! The convolution of an image on a cluster: blocks of rows, with a halo of v rows of the nodes
//! before and after, which arrive while the nodes compute the rows that do not need them.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The rows of a node that need rows of other nodes, as the time for them depends on their number.
struct image_border {
  index window = 0;  //!< rows of the window
  index more = 0;    //!< rows at the end that has more of them
  index fewer = 0;   //!< rows at the other end
  friend constexpr bool operator==(image_border const&, image_border const&) = default;
};

//! The window of a node's rows that need rows of other nodes: its first v rows and its last v rows.
//! The rows of a window are an image of their own, in which the convolutions of these rows are
//! right: v rows of the block follow the first ones, v rows precede the last ones. A block of few
//! rows is in its window as a whole.
struct image_window {
  block_distribution rows;
  index v;
  [[nodiscard]] constexpr index halo() const { return v; }
  [[nodiscard]] constexpr halo_window operator()(index r) const {
    index const own = rows.words(r);
    if (own == 0) return {};
    index const before = smaller(v, rows.first(r));
    index const after = smaller(v, rows.total() - rows.first(r) - own);
    if (before == 0 && after == 0) return {};
    if (own <= 4 * v) return {.before = before, .leading = own, .after = after};
    return {.before = before,
            .leading = before > 0 ? 2 * v : 0,
            .trailing = after > 0 ? 2 * v : 0,
            .after = after};
  }
  //! True if all of a node's rows are in its window.
  [[nodiscard]] constexpr bool whole(index r) const {
    halo_window const w = (*this)(r);
    return rows.words(r) == w.leading;
  }
  //! The number of the first rows that need rows of other nodes.
  [[nodiscard]] constexpr index first_rows(index r) const {
    return whole(r) ? rows.words(r) : (*this)(r).leading / 2;
  }
  //! The number of the last rows that need them and are not among the first ones.
  [[nodiscard]] constexpr index last_rows(index r) const { return (*this)(r).trailing / 2; }
  [[nodiscard]] constexpr image_border border(index r) const {
    return {(*this)(r).items(), larger(first_rows(r), last_rows(r)),
            smaller(first_rows(r), last_rows(r))};
  }
};

//! The convolution of an image in blocks of rows, by any algorithm of the nodes: `Derived` has
//! `of_node(shape)`, that algorithm's problem for rows of the image. Node r has block r of the
//! image's rows and of the result's (mmm::block_distribution of the rows), and the whole kernel. On
//! a cluster of processes each one passes the shape of the whole image, its own rows of the image
//! and of the result, and the kernel.
//! Time: the slower one of the exchange and of one node's time for its rows; then one node's time
//! for the 6v rows of its window, and for copying 2v of them.
template <class Derived>
struct convolution_of_rows {
  shape image;
  radius kernel;

  //! `convolve(local, rows, results, shape)` convolves rows on one node.
  template <class On, class Image, class Out, class Convolve>
  constexpr void run_in_rows(On& on, Image a, Out c, Convolve const& convolve_part) const {
    using value = iterator_value_t<Out>;
    if (image.area() == 0 || kernel.area() == 0) return;  // rejects areas over 64 bits
    index const k = on.nodes();
    index const columns = image.columns;
    auto const rows = on.blocks(image.rows, halo_reach(image.rows, k, kernel.v));
    image_window const window{rows, kernel.v};
    halo_plan<block_distribution, image_window> const plan{rows, k, columns, window};
    row_blocks const blocks{rows, columns};
    reject_overlap_on_nodes(on, a, blocks, c, blocks);
    auto const own = on.bring(a, blocks);
    auto const result = on.template results<value>(c, blocks);
    auto const around = on.template allocate<iterator_value_t<Image>>(plan);
    auto const computed = on.template allocate<value>(plan);
    auto const convolve = [convolve_part, columns](auto& local, auto from_rows, auto to_rows,
                                                   index count) {
      convolve_part(local, from_rows, to_rows, shape(count, columns));
    };
    auto const inner = [=](index r) { return window.whole(r) ? index{0} : rows.words(r); };
    auto const border = [=](index r) { return window.border(r); };
    auto const compute_inner = [=](auto& local, index r) {
      if (inner(r) > 0) convolve(local, own.part(r), result.part(r), inner(r));
    };
    auto const compute_border = [=](auto& local, index r) {
      halo_window const w = window(r);
      if (w.items() == 0) return;
      convolve(local, around.part(r), computed.part(r), w.items());
      auto const copy = [&](index row, index to_row, index count) {
        index const n = count * columns;
        perform(local, copy_words_program{}, reads(computed.part(r) + row * columns, n),
                writes<value>(result.part(r) + to_row * columns, n), n);
      };
      index const last = window.last_rows(r);
      copy(w.before, 0, window.first_rows(r));
      copy(w.before + w.leading + last, rows.words(r) - last, last);
    };
    on.exchange(own, around, plan, keyed_body{inner, compute_inner});
    on.each_node(keyed_body{border, compute_border});
    on.deliver(result, c, blocks);
  }
  //! The bounds of one node's rows. The rows next to those of other nodes depend on these by a
  //! matrix of full rank, so that as many words, or sums of them, have to be sent.
  template <cluster_machine M>
  [[nodiscard]] constexpr bound lower_bound(cluster_terms<M> const& t) const {
    if (image.area() == 0) return {};
    natural const own = image.rows / t.k;
    bound b = of_rows(own).lower_bound(t.node);
    natural const v = kernel.v;
    natural halo = t.k > 1 ? smaller(smaller(v, own), image.rows - own) : natural(0);
    index const smallest = image.rows / t.k.count;
    if (t.k > 2 && smallest >= v) halo = smaller(2 * v, natural(smallest));
    b.network_bandwidth = t.exchange(halo * image.columns);
    return b;
  }
  //! The bounds of one node for its rows, for those of its window and for copying them, and that
  //! of the exchange, in which a node sends its rows to all nodes whose halo has them.
  template <cluster_machine M>
  [[nodiscard]] constexpr natural upper_bound(cluster_terms<M> const& t) const {
    if (image.area() == 0) return 0;
    natural const own = image.rows / t.k;
    natural const v = kernel.v;
    natural const work = of_rows(own).upper_bound(t.node);
    if (t.k == 1 || v == 0) return work;
    index const smallest = image.rows / t.k.count;
    natural const receivers = smaller(t.k - 1, 2 * (v / larger(natural(smallest), 1)));
    natural const words = larger(receivers * smaller(own, v), 2 * v) * image.columns;
    natural const border = smaller(6 * v, own + 2 * v);
    natural const copied = 2 * smaller(2 * v, own) * image.columns;
    return exchange_time(t.machine, words, receivers) + work + of_rows(border).upper_bound(t.node) +
           copied / t.node.w + copied * t.node.L / smaller(t.node.p, copied);
  }

 private:
  [[nodiscard]] constexpr auto of_rows(natural rows) const {
    return static_cast<Derived const&>(*this).of_node(shape(rows, image.columns));
  }
};

template <accumulation Where>
struct cluster_program<image_algorithm<Where>> {
  struct problem : convolution_of_rows<problem> {
    using node_problem = typename image_algorithm<Where>::problem;
    constexpr explicit problem(sides size, radius v)
        : convolution_of_rows<problem>{size.extents, v} {}
    [[nodiscard]] constexpr node_problem of_node(shape const& part) const {
      return node_problem(part, this->kernel);
    }
    template <class On, class Image = no_data, class Kernel = no_data, class Out = no_data,
              class... Form>
    constexpr void run(On& on, Image a = {}, Kernel b = {}, Out c = {}, Form const&... form) const {
      if (this->image.area() > 0) compare_words(on, "a kernel of", b, this->kernel.area());
      this->run_in_rows(
          on, a, c,
          [b, v = this->kernel, form...](auto& local, auto from_rows, auto to_rows, shape part) {
            node_problem(part, v).run(local, from_rows, b, to_rows, form...);
          });
    }
  };
};

}  // namespace mmm::detail
MMM_BODIES_END
