// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/parameters.hpp>
#include <mmm/choose/best.hpp>
#include <mmm/core/config.hpp>
#include <mmm/emit/chosen_kernel.hpp>
#include <mmm/emit/kernel_problem.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/jit/compiler.hpp>
#include <mmm/jit/device.hpp>
#include <mmm/jit/error.hpp>
#include <mmm/jit/launcher.hpp>
#include <mmm/jit/programs.hpp>

#include <cuda.h>

#include <utility>

//! The kernel that is chosen for a problem on the current GPU, compiled at run time.
namespace mmm::jit {

//! A kernel for a problem of one kind, by its pointers to device memory: those to what is read,
//! then the one to the result. Sorts and summed area tables have one array, which they change;
//! products read a and b, convolutions taps and words, image convolutions image and kernel.
template <problem_kind Kind, class T>
class problem_kernel {
 public:
  problem_kernel(kernel_problem const& problem, gpu::device_facts const& facts,
                 settings const& given)
      : problem_(problem),
        facts_(facts),
        chosen_(choose_kernel<Kind>(facts, problem)),
        settings_(given) {}

  //! The choice: the algorithm, its launch, predicted time and costs.
  [[nodiscard]] chosen_kernel const& chosen() const { return chosen_; }

  //! Launches the kernel; the first call in a process compiles it or takes it from the cache. The
  //! call is in order with the stream and does not wait. Errors: as of mmm::jit::launcher.
  void operator()(CUstream stream, T const* in, T* out) const
  requires(Kind == problem_kind::copies || Kind == problem_kind::sums ||
           Kind == problem_kind::scans || Kind == problem_kind::transposes)
  {
    perform(stream, [&](auto const& a, auto const& on, auto const&...) {
      shape const square(problem_.size, problem_.size);
      if constexpr (Kind != problem_kind::transposes)
        a(on, in, in + problem_.size, out);
      else if constexpr (requires { a(on, in, square, out); })
        a(on, in, square, out);
      else
        throw error("a transpose in place was chosen: " + chosen_.candidate);
    });
  }
  void operator()(CUstream stream, T* values) const
  requires(Kind == problem_kind::sorts || Kind == problem_kind::summed_areas)
  {
    perform(stream, [&](auto const& a, auto const& on, auto const&...) {
      if constexpr (Kind == problem_kind::summed_areas)
        a(on, values, shape(problem_.size, problem_.size));
      else
        a(on, values, values + problem_.size);
    });
  }
  void operator()(CUstream stream, T const* first, T const* second, T* out) const
  requires(Kind == problem_kind::products || Kind == problem_kind::convolutions ||
           Kind == problem_kind::image_convolutions)
  {
    index const n = problem_.size;
    perform(stream, [&](auto const& a, auto const& on, auto const&... more) {
      if constexpr (Kind == problem_kind::products)
        a(on, first, second, product_shape(n, n, n), out, more...);
      else if constexpr (Kind == problem_kind::convolutions)
        a(on, first, first + problem_.taps, second, second + (n + problem_.taps - 1), out, out + n);
      else
        a(on, first, shape(n, n), second, more..., out);
    });
  }

 private:
  //! Calls `use(algorithm, launcher, parameters …)` for the chosen candidate.
  template <class Use>
  void perform(CUstream stream, Use const& use) const {
    mmm::detail::with_chosen(
        facts_, chosen_,
        [&](auto const& with) { mmm::detail::with_candidates_of<Kind>(problem_, with); },
        [&]<class M>(auto, M const& m, auto const& a, auto const&... more) {
          use(a, launcher<M>(m, threads(chosen_.threads), stream, settings_, chosen_.machine),
              more...);
        });
  }

  kernel_problem problem_;
  gpu::device_facts facts_;
  chosen_kernel chosen_;
  settings settings_;
};

//! The kernel that mmm::choose_kernel chooses for a problem with values of type T on the current
//! GPU: `mmm::jit::kernel<mmm::problem_kind::sums, float>(n)(stream, values, result)`.
//! \param size as of kernel_problem: words, outputs, or the side of matrices and images.
//! \param more of a problem of convolutions the taps, of one of image convolutions the radius.
//! Errors: those of choose_kernel; mmm::jit::error without a driver or a GPU.
template <problem_kind Kind, class T>
[[nodiscard]] problem_kernel<Kind, T> kernel(index size, settings const& given = {},
                                             kernel_problem more = {}) {
  more.kind = Kind;
  more.size = size;
  more.type = value_type_of<T>();
  return {more, facts_of_current_gpu(), given};
}

}  // namespace mmm::jit
