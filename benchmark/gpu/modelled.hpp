// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/mmm.hpp>

#include "model.hpp"

#include <stdexcept>
#include <type_traits>

//! What model_*.cpp instantiate: a line for each algorithm and machine. Each of them takes seconds
//! to compile.
namespace bench {

template <class M, class Algorithm, class... Parameters>
index modelled(M const& m, Algorithm const& algorithm, Parameters... parameters) {
  try {
    return mmm::cost_of(m, algorithm, parameters...).time;
  } catch (std::
               // too large for the machine's shared memories, as it will be for the kernel
           length_error const&) {
    return 0;
  }
}

template <auto const& Object>
using algorithm = std::remove_cvref_t<decltype(Object)>;

}  // namespace bench
