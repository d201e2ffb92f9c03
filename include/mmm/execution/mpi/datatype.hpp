// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/mpi/failure.hpp>
#include <mmm/execution/nodes.hpp>

#include <mpi.h>

#include <utility>

//! MPI's datatypes for rectangles of any size. The counts of MPI 3 have 32 bits: larger ones are
//! nested datatypes.
namespace mmm::detail {

//! The largest count that is given to a function of MPI.
inline constexpr index max_mpi_count = index{1} << 30;

//! A datatype of MPI that is freed in the end. MPI completes operations that still use it.
class mpi_datatype {
 public:
  //! \param own whether to free it.
  explicit mpi_datatype(MPI_Datatype type, bool own = true) : type_(type), own_(own) {}
  mpi_datatype(mpi_datatype&& other) noexcept
      : type_(other.type_), own_(std::exchange(other.own_, false)) {}
  mpi_datatype& operator=(mpi_datatype&& other) noexcept {
    std::swap(type_, other.type_);
    std::swap(own_, other.own_);
    return *this;
  }
  ~mpi_datatype() {
    if (own_) MPI_Type_free(&type_);
  }
  [[nodiscard]] MPI_Datatype get() const { return type_; }
  void commit() { demand_success("MPI_Type_commit", MPI_Type_commit(&type_)); }

 private:
  MPI_Datatype type_;
  bool own_;
};

//! `count` elements of a datatype, 1 or more, each `stride` bytes after the one before.
//! \param max_count the largest count that one datatype may have, 2 or more.
[[nodiscard]] inline mpi_datatype repeated_type(MPI_Datatype element, index count, index stride,
                                                index max_count = max_mpi_count) {
  auto const vector_of = [](MPI_Datatype type, index length, index bytes) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    demand_success("MPI_Type_create_hvector",
                   MPI_Type_create_hvector(static_cast<int>(length), 1,
                                           static_cast<MPI_Aint>(bytes), type, &made));
    return mpi_datatype(made);
  };
  if (count <= max_count) return vector_of(element, count, stride);
  mpi_datatype const block = vector_of(element, max_count, stride);
  index const block_stride = checked_multiply(max_count, stride);
  index const blocks = count / max_count;
  mpi_datatype all = repeated_type(block.get(), blocks, block_stride, max_count);
  index const rest = count % max_count;
  if (rest == 0) return all;
  mpi_datatype const last = vector_of(element, rest, stride);
  int const lengths[] = {1, 1};
  MPI_Aint const places[] = {0, static_cast<MPI_Aint>(checked_multiply(blocks, block_stride))};
  MPI_Datatype const types[] = {all.get(), last.get()};
  MPI_Datatype made = MPI_DATATYPE_NULL;
  demand_success("MPI_Type_create_struct",
                 MPI_Type_create_struct(2, lengths, places, types, &made));
  return mpi_datatype(made);
}

//! The datatype and the count of `rows` rows of `words` words of `bytes` bytes each, 1 or more in
//! all, whose rows begin `pitch` words apart.
struct mpi_rectangle {
  mpi_datatype type;
  int count;
};
[[nodiscard]] inline mpi_rectangle rectangle_type(index rows, index words, index pitch, index bytes,
                                                  index max_count = max_mpi_count) {
  if (rows == 1 || pitch == words) {
    index const all = checked_multiply(checked_multiply(rows, words), bytes);
    if (all <= max_count) return {mpi_datatype(MPI_BYTE, false), static_cast<int>(all)};
    mpi_rectangle found{repeated_type(MPI_BYTE, all, 1, max_count), 1};
    found.type.commit();
    return found;
  }
  mpi_datatype const row = repeated_type(MPI_BYTE, checked_multiply(words, bytes), 1, max_count);
  mpi_rectangle found{repeated_type(row.get(), rows, checked_multiply(pitch, bytes), max_count), 1};
  found.type.commit();
  return found;
}

}  // namespace mmm::detail
