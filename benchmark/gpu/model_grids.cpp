// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "modelled.hpp"

namespace bench {

template index modelled(hmm const&, algorithm<mmm::image_convolution> const&, mmm::size,
                        mmm::threads, mmm::radius);
template index modelled(hmm const&, algorithm<mmm::matrix_multiply> const&, mmm::size, mmm::threads,
                        mmm::tile);
template index modelled(hmm const&, algorithm<mmm::triangulation_blocked> const&, mmm::size,
                        mmm::threads);
template index modelled(umm const&, algorithm<mmm::triangulation_dp> const&, mmm::size,
                        mmm::threads);
template index modelled(umm const&, algorithm<mmm::triangulation> const&, mmm::size, mmm::threads);

}  // namespace bench
