// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/matrix/element.hpp>
#include <device/execute/warp.hpp>

#include <array>
#include <cstdint>

//! Operand A of mma.sp and wgmma.mma_async.sp: half of the elements of each group of neighbours in
//! a row are stored, and metadata say which (PTX ISA, "Sparse matrix storage").
namespace device::matrix_detail {

//! The groups of an operand. Four bits of metadata describe each.
struct sparse_form {
  int group = 4;     //!< elements: 2 of tf32, 8 of numbers of 4 bits, otherwise 4
  int together = 1;  //!< neighbours that are stored or not together: 2 of numbers of 4 bits
  int groups = 0;    //!< in a row: 4, 8 or 16

  sparse_form(data_type t, int depth) {
    if (t == data_type::tf32) group = 2;
    if (t == data_type::s4 || t == data_type::u4) {
      group = 8;
      together = 2;
    }
    groups = depth / group;
  }
  //! Accepted selectors are the smaller numbers: one, two or all four of the lanes that hold a row
  //! of the accumulators give the row's metadata.
  [[nodiscard]] int selectors() const { return 16 / groups; }
};

//! For each stored element of a warp's 16 rows, its column in A.
using stored_columns = std::array<std::array<std::uint8_t, 64>, 16>;

//! The columns that a warp's metadata name. \param metadata a register of 32 bits in each lane.
//! \param ordered true: of two places the lower one has to come first (.sp::ordered_metadata).
//! A finding and a fault for metadata that name no two places of a group.
//!
//! The lanes and bits are those of CUTLASS 4.2: reorder_meta (host_reorder.h) and ELayout
//! (mma_traits_sm90_gmma_sparse.hpp).
[[nodiscard]] stored_columns columns_of(warp& w, operation const& op, char const* name,
                                        sparse_form const& form, slot metadata, int selector,
                                        bool ordered);

//! The selector that an instruction gives; refused if the form has no such one.
[[nodiscard]] int selector_of(ptx::operand const& o, sparse_form const& form,
                              ptx::instruction const& i, decode::context& c);

}  // namespace device::matrix_detail
