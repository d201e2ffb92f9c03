// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/count/rules.hpp>
#include <device/report/sums.hpp>

#include <string>

namespace device::report {

//! Why a request takes as long as it does.
struct request_picture {
  std::string sentence{};  //!< "block (1, 0, 0), warp 3: 32 wavefronts where 1 would do"
  std::string text{};      //!< more, for a fixed-width font; may be empty
  std::string svg{};       //!< may be empty
};

//! The picture of an operation's worst request. Precondition: there was a request.
[[nodiscard]] request_picture picture_of(memory_sum const&, count::bank_policy);

}  // namespace device::report
