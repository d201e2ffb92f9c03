// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/cluster.hpp>

#include "turns.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

// The matrix product by a hand-written SUMMA (MPI_Bcast along the rows and the columns of a grid of
// processes), and the transpose by MPI_Alltoallv, beside the library's.

namespace {

using mmm::index;
using turns::local_handle;
using turns::process;

std::size_t count_of(index n) { return static_cast<std::size_t>(n); }
int int_of(index n) { return static_cast<int>(n); }

// The communicators of a process's row and column of a grid.
struct grid_communicators {
  MPI_Comm row = MPI_COMM_NULL;
  MPI_Comm column = MPI_COMM_NULL;
  grid_communicators(mmm::node_grid const& grid, int rank) {
    MPI_Comm_split(MPI_COMM_WORLD, int_of(grid.row(rank)), rank, &row);
    MPI_Comm_split(MPI_COMM_WORLD, int_of(grid.column(rank)), rank, &column);
  }
  ~grid_communicators() {
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
  }
};

void products(char const* name, index side, index panels, int runs) {
  process const own;
  local_handle const local(mmm::threads(1));
  index rows = 1;
  for (index r = 1; r * r <= own.count; ++r)
    if (own.count % r == 0) rows = r;
  mmm::node_grid const grid(rows, own.count / rows);
  mmm::product_shape const shape{side, side, side};
  mmm::tile const tile(4);  // a thread has registers for its sums
  mmm::product_blocks const blocks(shape, grid, mmm::inner_panels(panels));
  std::vector<float> a(count_of(blocks.left.words(own.rank)));
  std::vector<float> b(count_of(blocks.right.words(own.rank)));
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<float>(blocks.left.place(own.rank, static_cast<index>(i)) % 7);
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] = static_cast<float>(blocks.right.place(own.rank, static_cast<index>(i)) % 5);
  std::vector<float> plain(count_of(blocks.result.words(own.rank)));
  std::vector<float> library(plain.size());
  grid_communicators const near(grid, own.rank);
  index const own_rows = blocks.left.rows(own.rank);
  index const own_columns = blocks.right.columns(own.rank);
  // For each panel a broadcast of a's part for each column of the grid, and of b's for each row.
  // Whole panels are multiplied at once.
  std::vector<float> received;
  std::vector<float> panel_a(count_of(own_rows * side));
  std::vector<float> panel_b(count_of(side * own_columns));
  std::vector<float> product(plain.size());
  auto const gather_a = [&](index panel) {
    mmm::block_distribution const of_a = blocks.left.across.section(panel, 0);
    for (index k = 0; k < grid.columns; ++k) {
      index const width = of_a.words(k);
      received.resize(count_of(own_rows * width));
      if (k == grid.column(own.rank)) {
        index const first = blocks.left.across.before(panel, 0, k);
        for (index i = 0; i < own_rows; ++i)
          std::copy_n(a.data() + i * blocks.left.columns(own.rank) + first, width,
                      received.data() + i * width);
      }
      MPI_Bcast(received.data(), int_of(own_rows * width), MPI_FLOAT, int_of(k), near.row);
      for (index i = 0; i < own_rows; ++i)
        std::copy_n(received.data() + i * width, width,
                    panel_a.data() + i * of_a.total() + of_a.first(k));
    }
  };
  auto const gather_b = [&](index panel) {
    mmm::block_distribution const of_b = blocks.right.down.section(panel, 0);
    for (index k = 0; k < grid.rows; ++k) {
      float* const rows_of_panel = panel_b.data() + of_b.first(k) * own_columns;
      index const words = of_b.words(k) * own_columns;
      if (k == grid.row(own.rank))
        std::copy_n(b.data() + blocks.right.down.before(panel, 0, k) * own_columns, words,
                    rows_of_panel);
      MPI_Bcast(rows_of_panel, int_of(words), MPI_FLOAT, int_of(k), near.column);
    }
  };
  auto const summa = [&] {
    for (index panel = 0; panel < panels; ++panel) {
      gather_a(panel);
      gather_b(panel);
      mmm::product_shape const part{own_rows, blocks.left.across.section(panel, 0).total(),
                                    own_columns};
      mmm::matrix_multiply(local, panel_a.data(), panel_b.data(), part,
                           panel == 0 ? plain.data() : product.data(), tile);
      if (panel > 0)
        for (std::size_t i = 0; i < plain.size(); ++i) plain[i] += product[i];
    }
  };
  auto const on = mmm::mpi::on(MPI_COMM_WORLD, local);
  turns::compare(name, runs, summa, [&] {
    mmm::matrix_multiply(on, a.data(), b.data(), shape, library.data(), grid, tile,
                         mmm::inner_panels(panels));
  });
  turns::demand(plain == library, name);
}

void transposes(char const* name, index side, int runs) {
  process const own;
  local_handle const local(mmm::threads(1));
  mmm::block_distribution const parts(side, own.count);
  index const own_rows = parts.words(own.rank);
  index const first = parts.first(own.rank);
  std::vector<float> plain(count_of(own_rows * side));
  for (std::size_t i = 0; i < plain.size(); ++i)
    plain[i] = static_cast<float>(first * side + static_cast<index>(i));
  std::vector<float> library = plain;
  std::vector<int> words(count_of(own.count));
  std::vector<int> places(count_of(own.count));
  for (int r = 0; r < own.count; ++r) {
    words[count_of(r)] = int_of(own_rows * parts.words(r));
    places[count_of(r)] = int_of(own_rows * parts.first(r));
  }
  std::vector<float> sent(plain.size());
  std::vector<float> arrived(plain.size());
  // The columns of the process's rows go out one after the other, so that the words for a process
  // are consecutive; what arrives is put in rows.
  auto const all_to_all = [&] {
    for (index i = 0; i < own_rows; ++i)
      for (index j = 0; j < side; ++j)
        sent[count_of(j * own_rows + i)] = plain[count_of(i * side + j)];
    MPI_Alltoallv(sent.data(), words.data(), places.data(), MPI_FLOAT, arrived.data(), words.data(),
                  places.data(), MPI_FLOAT, MPI_COMM_WORLD);
    for (index r = 0; r < own.count; ++r)
      for (index i = 0; i < own_rows; ++i)
        std::copy_n(arrived.data() + own_rows * parts.first(r) + i * parts.words(r), parts.words(r),
                    plain.data() + i * side + parts.first(r));
  };
  auto const on = mmm::mpi::on(MPI_COMM_WORLD, local);
  turns::compare(name, runs, all_to_all,
                 [&] { mmm::transpose_straightforward(on, library.data(), side); });
  turns::demand(plain == library, name);
}

}  // namespace

void compare_matrices(mmm::index scale, int runs) {
  using mmm::index;
  auto const divisor = static_cast<index>(std::sqrt(static_cast<double>(scale)));
  products("product, side 384, floats", std::max<index>(384 / divisor, 1), 1, runs);
  products("product in 4 panels, side 384", std::max<index>(384 / divisor, 1), 4, runs);
  transposes("transpose, side 2048, floats", std::max<index>(2048 / divisor, 1), runs);
}
