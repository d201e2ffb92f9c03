// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/count/counter.hpp>
#include <device/execute/launch.hpp>
#include <device/ptx/machine_code.hpp>
#include <device/report/finding_list.hpp>
#include <device/report/places.hpp>
#include <device/report/sums.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace device::report {

//! The figures of one launch.
struct launch_record {
  std::string kernel{};  //!< demangled
  std::uint64_t number = 0;
  dim3 grid{}, block{};
  std::optional<launch_origin> by{};     //!< none: the host
  sum all{};                             //!< of the blocks that were executed
  std::map<std::uint32_t, sum> sites{};  //!< by number of the site
  finding_list findings{};
  std::optional<ptx::machine_resources> resources{};  //!< if there is machine code
  std::string failure{};                              //!< why it ended early; empty if it did not
  //! Blocks that were to be executed: all of the grid, or a sample of them.
  std::uint64_t executed_blocks = 0;
};

//! Puts together what observers and execution counted.
[[nodiscard]] launch_record record_of(launch const&, launch_result const&,
                                      std::vector<count::program_accesses> const&, place_table&);

//! The figures of all launches of a kernel.
struct kernel_record {
  std::string name{};
  std::uint64_t launches = 0;
  std::uint64_t by_kernels = 0;  //!< of these
  std::uint64_t failures = 0;
  sum all{};
  std::map<std::uint32_t, sum> sites{};
  finding_list findings{};
  std::optional<ptx::machine_resources> resources{};

  void add(launch_record const&);
};

//! The figures of source lines: of their own instructions, with those of libraries that are inlined
//! there (place_table::own), or with all that is inlined there.
enum class attribution : std::uint8_t { own, with_libraries, with_inlined };
[[nodiscard]] std::map<place, sum> lines_of(std::map<std::uint32_t, sum> const& sites,
                                            place_table const&, attribution);

}  // namespace device::report
