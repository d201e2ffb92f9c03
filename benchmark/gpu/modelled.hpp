// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/mmm.hpp>

#include "model.hpp"

#include <stdexcept>
#include <type_traits>

//! The definition of the modelled time, which model_*.cpp instantiate with one line per algorithm
//! and machine. Each of those files takes seconds to compile.
namespace bench {

template <class M, class Algorithm, class... Parameters>
index modelled(M const& m, Algorithm const& algorithm, Parameters... parameters) {
  try {
    return mmm::cost_of(m, algorithm, parameters...).time;
  } catch (std::length_error const&) {
    return 0;  // the problem does not fit into the shared memories; the kernel refuses it, too
  }
}

template <auto const& Object>
using algorithm = std::remove_cvref_t<decltype(Object)>;

}  // namespace bench
