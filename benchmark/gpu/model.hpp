// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/parameters.hpp>
#include <mmm/machine/machine.hpp>

//! Modelled times. They are compiled apart from the kernels, by the host's compiler; what a machine
//! is here is measured.
namespace bench {

using mmm::index;

using hmm = mmm::hmm<mmm::dynamic, 32, mmm::dynamic, mmm::dynamic, mmm::dynamic, mmm::dynamic>;
using umm = mmm::umm<32, mmm::dynamic, mmm::dynamic>;
using dmm = mmm::dmm<32, mmm::dynamic>;

//! The time of `algorithm` on `m`, synchronous, in time units; the parameters are those of
//! mmm::cost_of. 0 if the shared memories of `m` are too small for it. model_*.cpp have a line for
//! each algorithm and machine.
template <class M, class Algorithm, class... Parameters>
[[nodiscard]] index modelled(M const& m, Algorithm const& algorithm, Parameters... parameters);

}  // namespace bench
