// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/fast.hpp>

#include "modelled.hpp"

namespace bench {

template index modelled(hmm const&, algorithm<mmm::copy_wide> const&, mmm::size, mmm::threads);
template index modelled(hmm const&, algorithm<mmm::sum_wide> const&, mmm::size, mmm::threads);
template index modelled(hmm const&, algorithm<mmm::prefix_sums_one_pass> const&, mmm::size,
                        mmm::threads);
template index modelled(hmm const&, algorithm<mmm::transpose_swizzled> const&, mmm::size,
                        mmm::threads);
template index modelled(hmm const&, algorithm<mmm::matrix_multiply_in_registers> const&, mmm::size,
                        mmm::threads);
template index modelled(hmm const&, algorithm<mmm::matrix_multiply_in_more_registers> const&,
                        mmm::size, mmm::threads);
template index modelled(hmm const&, algorithm<mmm::matrix_multiply_on_tensor_cores> const&,
                        mmm::size, mmm::threads);
template index modelled(hmm const&,
                        algorithm<mmm::matrix_multiply_on_tensor_cores_in_smaller_tiles> const&,
                        mmm::size, mmm::threads);
template index modelled(hmm const&, algorithm<mmm::matrix_multiply_by_warpgroups> const&, mmm::size,
                        mmm::threads);
template index modelled(hmm const&, algorithm<mmm::convolution_in_registers> const&, mmm::size,
                        mmm::threads, mmm::taps);
template index modelled(hmm const&, algorithm<mmm::image_convolution_in_registers<3>> const&,
                        mmm::size, mmm::threads);
template index modelled(hmm const&, algorithm<mmm::image_convolution_in_registers<4>> const&,
                        mmm::size, mmm::threads);
template index modelled(hmm const&, algorithm<mmm::image_convolution_in_registers<8>> const&,
                        mmm::size, mmm::threads);
template index modelled(hmm const&, algorithm<mmm::separable_image_convolution<3>> const&,
                        mmm::size, mmm::threads);
template index modelled(hmm const&, algorithm<mmm::separable_image_convolution<8>> const&,
                        mmm::size, mmm::threads);
template index modelled(hmm const&, algorithm<mmm::triangulation_in_registers> const&, mmm::size,
                        mmm::threads);

}  // namespace bench
