// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "modelled.hpp"

namespace bench {

template index modelled(hmm const&, algorithm<mmm::copy_through_shared> const&, mmm::size,
                        mmm::threads);
template index modelled(hmm const&, algorithm<mmm::sum> const&, mmm::size, mmm::threads);
template index modelled(hmm const&, algorithm<mmm::sum_on_one_dmm> const&, mmm::size, mmm::threads);
template index modelled(umm const&, algorithm<mmm::sum> const&, mmm::size, mmm::threads);
template index modelled(dmm const&, algorithm<mmm::sum> const&, mmm::size, mmm::threads);
template index modelled(umm const&, algorithm<mmm::convolution> const&, mmm::size, mmm::threads,
                        mmm::taps);
template index modelled(hmm const&, algorithm<mmm::convolution> const&, mmm::size, mmm::threads,
                        mmm::taps);

}  // namespace bench
