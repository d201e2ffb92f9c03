// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/execution/mpi/datatype.hpp>

#include "catch.hpp"

#include <mpi.h>

#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace {

struct extent {
  mmm::index size;  // bytes that are sent
  mmm::index first;
  mmm::index last;
};
extent extent_of(mmm::detail::mpi_rectangle const& all) {
  MPI_Count size = 0;
  MPI_Count first = 0;
  MPI_Count length = 0;
  MPI_Type_size_x(all.type.get(), &size);
  MPI_Type_get_true_extent_x(all.type.get(), &first, &length);
  if (all.count > 1) return {size * all.count, 0, size * all.count};  // of bytes
  return {size, first, first + length};
}

// The words that a rectangle has in a row-major sequence of numbers.
std::vector<int> packed(std::vector<int> const& all, mmm::detail::mpi_rectangle const& part,
                        std::size_t words) {
  std::vector<int> found(words, -1);
  MPI_Sendrecv(all.data(), part.count, part.type.get(), 0, 3, found.data(),
               static_cast<int>(words * sizeof(int)), MPI_BYTE, 0, 3, MPI_COMM_SELF,
               MPI_STATUS_IGNORE);
  return found;
}

}  // namespace

TEST_CASE("mpi: datatypes of rectangles, nested where their counts are large") {
  std::vector<int> all(2000);
  std::iota(all.begin(), all.end(), 0);
  for (mmm::index const max_count : {2, 3, 4, 7, 64, 1000})
    for (mmm::index rows = 1; rows <= 20; ++rows)
      for (mmm::index words = 1; words <= 9; ++words)
        for (mmm::index const pitch : {words, words + 1, mmm::index{13}}) {
          auto const part = mmm::detail::rectangle_type(rows, words, pitch, sizeof(int), max_count);
          std::vector<int> expected;
          for (mmm::index row = 0; row < rows; ++row)
            for (mmm::index i = 0; i < words; ++i)
              expected.push_back(static_cast<int>(row * pitch + i));
          auto const found = packed(all, part, expected.size());
          if (found == expected) continue;
          CAPTURE(max_count, rows, words, pitch);
          REQUIRE(found == expected);
        }
  SUCCEED("all rectangles have their words");
}

TEST_CASE("mpi: a rectangle in one piece is sent as bytes") {
  auto const part = mmm::detail::rectangle_type(3, 5, 5, 4);
  CHECK(part.type.get() == MPI_BYTE);
  CHECK(part.count == 60);
  CHECK(mmm::detail::rectangle_type(1, 5, 0, 4).count == 20);
}

TEST_CASE("mpi: datatypes of more than 2^31 bytes, words and rows") {
  constexpr mmm::index many = (mmm::index{1} << 31) + 5;
  // in one piece
  auto const piece = extent_of(mmm::detail::rectangle_type(1, many, 0, 8));
  CHECK(piece.size == 8 * many);
  CHECK(piece.first == 0);
  CHECK(piece.last == 8 * many);
  // long rows
  auto const wide = extent_of(mmm::detail::rectangle_type(3, many, many + 1, 4));
  CHECK(wide.size == 12 * many);
  CHECK(wide.last == 4 * (2 * (many + 1) + many));
  // many rows
  auto const tall = extent_of(mmm::detail::rectangle_type(many, 2, 100, 8));
  CHECK(tall.size == 16 * many);
  CHECK(tall.last == 8 * ((many - 1) * 100 + 2));
  // up to the largest that a count holds
  auto const edge = mmm::detail::rectangle_type(1, mmm::detail::max_mpi_count, 0, 1);
  CHECK(edge.count == mmm::detail::max_mpi_count);
  CHECK(extent_of(mmm::detail::rectangle_type(1, mmm::detail::max_mpi_count + 1, 0, 1)).size ==
        mmm::detail::max_mpi_count + 1);
  CHECK_THROWS_AS(mmm::detail::rectangle_type(mmm::index{1} << 40, 1 << 20, 1 << 20, 8),
                  std::overflow_error);
}
