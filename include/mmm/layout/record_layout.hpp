// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/layout/layout.hpp>

//! Arrays of structures, structures of arrays, and what lies between them, as values of one type.
namespace mmm {

//! Records as rows, their fields as columns, in groups: the first field of a group's records, one
//! after the other, then the second, …. Groups of one record are an array of structures, one group
//! of all records is a structure of arrays. \param records, fields shape in elements. \param group
//! records of a group, 1 or more. \param padding elements after the fields of each record, 0 or
//! more, in groups of one; otherwise std::invalid_argument.
struct record_layout {
  index record_count = 0;
  index field_count = 0;
  index group = 1;
  index padding = 0;

  constexpr record_layout() = default;  //!< of no records
  MMM_NO_SIDE_CHECK
  MMM_HOST_DEVICE constexpr record_layout(index records, index fields, index group_records = 1,
                                          index padding_elements = 0)
      : record_count(records),
        field_count(fields),
        group(group_records),
        padding(padding_elements) {
    if (group_records < 1) detail::reject("the records of a group", group_records, "1 or more");
    if (padding_elements < 0) detail::reject("a layout's padding", padding_elements, "0 or more");
    if (padding_elements != 0 && group_records != 1)
      detail::reject("the padding of grouped records", padding_elements, "0");
    detail::require_shape(records, fields, 0);
    index const all = detail::checked_add(records, group_records);
    detail::require_shape(all, fields, detail::checked_add(fields, padding_elements));
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index rows() const { return record_count; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index columns() const { return field_count; }
  MMM_NO_SIDE_CHECK
  template <class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row,
                                                          Column const& column) const {
    auto const r = detail::coordinate(row);
    index const pitch = (field_count + padding) * group;
    return detail::element(*this, row, column,
                           r / group * pitch + detail::coordinate(column) * group + r % group);
  }
  //! Words of memory up to the last field of the last record.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index words() const {
    return record_count == 0 || field_count == 0 ? 0
                                                 : (*this)(record_count - 1, field_count - 1) + 1;
  }
  friend constexpr bool operator==(record_layout const&, record_layout const&) = default;
};

}  // namespace mmm
