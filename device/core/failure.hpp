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

//! PTX that cannot be read: a mistake in it, or something that this device does not know.
class unreadable_ptx : public unsupported {
 public:
  using unsupported::unsupported;
};

//! A fat binary without PTX for this device.
class missing_image : public unsupported {
 public:
  using unsupported::unsupported;
};

//! A fat binary that contradicts itself or ends too early.
class broken_image : public unsupported {
 public:
  using unsupported::unsupported;
};

}  // namespace device
