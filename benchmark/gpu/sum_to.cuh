// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/mmm.cuh>

MMM_BODIES_BEGIN
namespace bench {

using mmm::index;

//! Runs the kernel of mmm::sum and leaves the result in `out[0]` in device memory, without copying
//! it to the host.
template <class Program>
struct first_word_kept {
  Program program{};
  template <class On, class Array, class Output>
  MMM_HOST_DEVICE void operator()(On& on, Array a, index n, Output out) const {
    auto const result = program(on, a, n);
    on.each(1, [=](auto i) { out[i] = mmm::load(result[i]); });
  }
};

using sum = mmm::detail::sum_program<mmm::plus, false>;
using sum_on_one_dmm = mmm::detail::sum_program<mmm::plus, true>;
using sum_wide = mmm::detail::wide_sum_program<4, 4>;

template <class Program = sum, class On>
void sum_on_device(On const& on, float const* a, index n, float* out) {
  using mmm::reads;
  using mmm::works_on;
  using mmm::writes;
  if constexpr (mmm::hierarchical_machine<typename On::machine_type>)
    on.launch(first_word_kept<Program>{}, reads<float>(a, n), n, writes<float>(out, 1));
  else
    on.launch(first_word_kept<Program>{}, works_on<float>(a, n), n, writes<float>(out, 1));
}

}  // namespace bench
MMM_BODIES_END
