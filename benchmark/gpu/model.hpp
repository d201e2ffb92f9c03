// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/parameters.hpp>
#include <mmm/machine/machine.hpp>

//! Modelled times. The host's compiler compiles them, apart from the kernels. The machines have the
//! measured parameters of the device.
namespace bench {

using mmm::index;

using hmm = mmm::hmm<mmm::dynamic, 32, mmm::dynamic, mmm::dynamic, mmm::dynamic, mmm::dynamic>;
using umm = mmm::umm<32, mmm::dynamic, mmm::dynamic>;
using dmm = mmm::dmm<32, mmm::dynamic>;

//! The synchronous time of `algorithm` on `m`, in time units; the other parameters are those of
//! mmm::cost_of. The result is 0 if the shared memories of `m` are too small for it. Each pair of
//! algorithm and machine is instantiated in one of model_*.cpp.
template <class M, class Algorithm, class... Parameters>
[[nodiscard]] index modelled(M const& m, Algorithm const& algorithm, Parameters... parameters);

}  // namespace bench
