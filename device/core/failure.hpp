// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>
#include <string>

namespace device {

//! This device lacks an instruction, a function or a format. The program ends with this
//! line on stderr and exit status 2, never with a wrong result.
class unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace device
