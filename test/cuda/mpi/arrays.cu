// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products, convolutions and transposes of device memory on all processes.
#include "processes.cuh"

#include <algorithm>

namespace {

[[nodiscard]] std::size_t place(mmm::index i) { return static_cast<std::size_t>(i); }

std::vector<int> plain_product(std::vector<int> const& a, std::vector<int> const& b,
                               mmm::product_shape const& s) {
  std::vector<int> c(place(s.rows * s.columns));
  for (mmm::index i = 0; i < s.rows; ++i)
    for (mmm::index j = 0; j < s.columns; ++j)
      for (mmm::index k = 0; k < s.inner; ++k)
        c[place(i * s.columns + j)] += a[place(i * s.inner + k)] * b[place(k * s.columns + j)];
  return c;
}

void check_product(mmm::product_shape const& shape, mmm::node_grid const& grid,
                   mmm::inner_panels const& panels) {
  auto const on = checks::processes();
  auto const a = checks::numbers<int>(shape.rows * shape.inner);
  auto const b = checks::numbers<int>(shape.inner * shape.columns);
  mmm::product_blocks const blocks(shape, grid, panels);
  thrust::device_vector<int> const left(checks::own_part(a, blocks.left));
  thrust::device_vector<int> const right(checks::own_part(b, blocks.right));
  thrust::device_vector<int> result(place(blocks.result.words(checks::own_rank())), -1);
  mmm::matrix_multiply(on, left.begin(), right.begin(), shape, result.begin(), grid, panels,
                       mmm::tile(2));
  CAPTURE(shape.rows, shape.inner, shape.columns, grid.rows, grid.columns, grid.layers);
  CHECK(checks::on_host(result) == checks::own_part(plain_product(a, b, shape), blocks.result));
}

}  // namespace

TEST_CASE("mpi, kernels: products on each grid") {
  mmm::index const k = checks::number_of_processes();
  for (mmm::index layers = 1; layers <= k; ++layers)
    for (mmm::index rows = 1; rows <= k; ++rows)
      for (mmm::index columns = 1; columns <= k; ++columns)
        if (rows * columns * layers == k)
          for (mmm::index const panels : {1, 2}) {
            mmm::node_grid const grid(rows, columns, layers);
            check_product({7, 10, 9}, grid, mmm::inner_panels(panels));
            check_product({2, 3, 1}, grid, mmm::inner_panels(panels));
          }
}

TEST_CASE("mpi, kernels: convolutions") {
  auto const on = checks::processes();
  mmm::index const k = checks::number_of_processes();
  for (checks::sizes const& outputs : checks::all_sizes(500))
    for (mmm::index const m : {1, 2, 17}) {
      mmm::index const n = outputs.total();
      auto const x = checks::numbers<int>(m);
      auto const y = checks::numbers<int>(n + m - 1);
      std::vector<int> z(place(n));
      for (mmm::index i = 0; i < n; ++i)
        for (mmm::index j = 0; j < m; ++j) z[place(i)] += x[place(j)] * y[place(i + j)];
      checks::sizes given = outputs;
      given.of_process[place(k - 1)] += m - 1;
      thrust::device_vector<int> const taps(x);
      thrust::device_vector<int> const words(checks::own_part(y, given));
      thrust::device_vector<int> result(place(outputs.words(checks::own_rank())), -1);
      mmm::convolution(on, taps.begin(), taps.end(), words.begin(), words.end(), result.begin(),
                       result.end());
      CAPTURE(n, m);
      CHECK(checks::on_host(result) == checks::own_part(z, outputs));
    }
}

TEST_CASE("mpi, kernels: convolutions of images") {
  auto const on = checks::processes();
  for (mmm::index const v : {0, 1, 2})
    for (mmm::index const rows : {1, 3, 40}) {
      mmm::shape const image(rows, 9);
      mmm::index const columns = image.columns;
      mmm::index const side = 2 * v + 1;
      auto const a = checks::numbers<int>(image.area());
      auto const b = checks::numbers<int>(side * side);
      std::vector<int> c(place(image.area()));
      for (mmm::index i = 0; i < rows; ++i)
        for (mmm::index j = 0; j < columns; ++j)
          for (mmm::index s = -v; s <= v; ++s)
            for (mmm::index t = -v; t <= v; ++t)
              if (i + s >= 0 && i + s < rows && j + t >= 0 && j + t < columns)
                c[place(i * columns + j)] +=
                    a[place((i + s) * columns + j + t)] * b[place((s + v) * side + t + v)];
      mmm::row_blocks const parts{mmm::block_distribution(rows, checks::number_of_processes()),
                                  columns};
      thrust::device_vector<int> const own(checks::own_part(a, parts));
      thrust::device_vector<int> const kernel(b);
      thrust::device_vector<int> result(own.size(), -1);
      mmm::image_convolution(on, own.begin(), image, kernel.begin(), mmm::radius(v),
                             result.begin());
      CAPTURE(rows, v);
      CHECK(checks::on_host(result) == checks::own_part(c, parts));
    }
}

TEST_CASE("mpi, kernels: transposes") {
  auto const on = checks::processes();
  mmm::index const k = checks::number_of_processes();
  for (mmm::index const side : {1, 3, 65}) {
    auto const a = checks::numbers<int>(side * side);
    auto b = a;
    for (mmm::index i = 0; i < side; ++i)
      for (mmm::index j = 0; j < side; ++j) b[place(j * side + i)] = a[place(i * side + j)];
    mmm::row_blocks const parts{mmm::block_distribution(side, k), side};
    thrust::device_vector<int> own(checks::own_part(a, parts));
    mmm::transpose_straightforward(on, own.begin(), side);
    CAPTURE(side);
    CHECK(checks::on_host(own) == checks::own_part(b, parts));
  }
}

TEST_CASE("mpi, kernels: transposes of rectangles") {
  auto const on = checks::processes();
  mmm::index const k = checks::number_of_processes();
  for (mmm::shape const matrix : {mmm::shape(70, 33), mmm::shape(2, 64)}) {
    auto const a = checks::numbers<float>(matrix.area());
    auto b = a;
    for (mmm::index i = 0; i < matrix.rows; ++i)
      for (mmm::index j = 0; j < matrix.columns; ++j)
        b[place(j * matrix.rows + i)] = a[place(i * matrix.columns + j)];
    mmm::row_blocks const rows{mmm::block_distribution(matrix.rows, k), matrix.columns};
    mmm::row_blocks const columns{mmm::block_distribution(matrix.columns, k), matrix.rows};
    thrust::device_vector<float> const own(checks::own_part(a, rows));
    thrust::device_vector<float> result(place(columns.words(checks::own_rank())), -1.0F);
    mmm::transpose_swizzled(on, own.begin(), matrix, result.begin());
    CAPTURE(matrix.rows, matrix.columns);
    CHECK(checks::on_host(result) == checks::own_part(b, columns));
  }
}
