// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "modelled.hpp"

namespace bench {

template index modelled(hmm const&, algorithm<mmm::prefix_sums> const&, mmm::size, mmm::threads);
template index modelled(umm const&, algorithm<mmm::prefix_sums> const&, mmm::size, mmm::threads);
template index modelled(dmm const&, algorithm<mmm::prefix_sums> const&, mmm::size, mmm::threads);
template index modelled(umm const&, algorithm<mmm::prefix_sums_simple> const&, mmm::size,
                        mmm::threads);
template index modelled(dmm const&, algorithm<mmm::prefix_sums_simple> const&, mmm::size,
                        mmm::threads);
template index modelled(hmm const&, algorithm<mmm::transpose_straightforward> const&, mmm::size,
                        mmm::threads);
template index modelled(umm const&, algorithm<mmm::transpose_straightforward> const&, mmm::size,
                        mmm::threads);
template index modelled(umm const&, algorithm<mmm::transpose_rotating> const&, mmm::size,
                        mmm::threads);

}  // namespace bench
