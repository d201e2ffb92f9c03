// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/instruments.hpp>

#include <memory>
#include <string>

namespace device::report {

//! The instrument that counts and writes reports; there is always something to count.
[[nodiscard]] std::unique_ptr<runtime::instruments> make_counting(runtime::settings const&);

//! A part of a run that is counted for itself, beside the whole and other parts.
class section {
 public:
  section() = default;
  virtual ~section() = default;
  section(section const&) = delete;
  section& operator=(section const&) = delete;

  //! The launches that follow are no part of it.
  virtual void end() = 0;
  //! Its kernels and findings, as json_text(recording) has them.
  [[nodiscard]] virtual std::string json() const = 0;
  //! The page that mmm-run writes (html_page).
  [[nodiscard]] virtual std::string html() const = 0;
};
//! Begins a section of what an instrument of make_counting counts. The instrument outlives it.
[[nodiscard]] std::unique_ptr<section> begin_section(runtime::instruments& counting);

}  // namespace device::report
