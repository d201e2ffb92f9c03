// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/count/counter.hpp>
#include <device/execute/launch.hpp>
#include <device/ptx/machine_code.hpp>
#include <device/report/finding_list.hpp>
#include <device/report/places.hpp>
#include <device/report/sums.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
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

//! The figures and findings of all launches from a moment on.
class recording {
 public:
  //! Adds a launch, with its findings.
  void add(launch_record const&);
  //! Adds a finding that belongs to no launch, or was found after its launch.
  void add(finding const&);
  //! The record of a kernel; null if it was not launched.
  [[nodiscard]] kernel_record* find(std::string const& name);
  //! In the order of their first launches.
  [[nodiscard]] std::vector<kernel_record const*> kernels() const;
  [[nodiscard]] finding_list const& findings() const { return findings_; }

 private:
  std::deque<kernel_record> kernels_{};
  std::unordered_map<std::string, std::size_t> by_name_{};
  finding_list findings_{};
};

//! The figures of source lines: of their own instructions, with those of libraries that are inlined
//! there (place_table::own), or with all that is inlined there.
enum class attribution : std::uint8_t { own, with_libraries, with_inlined };
[[nodiscard]] std::map<place, sum> lines_of(std::map<std::uint32_t, sum> const& sites,
                                            place_table const&, attribution);

}  // namespace device::report
