// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "caller.hpp"
#include "process.hpp"

namespace device::runtime {

using namespace abi;

namespace {

struct error_text {
  cudaError_t code;
  char const* name;
  char const* text;
};
constexpr error_text error_texts[] = {
#define MMM_CUDA_ERROR(value, name, text) {name, #name, text},
#include "errors.def"
#undef MMM_CUDA_ERROR
};
constexpr error_text unknown{cudaErrorUnknown, "unrecognized error code",
                             "unrecognized error code"};

error_text const& text_of(cudaError_t code) {
  for (error_text const& e : error_texts)
    if (e.code == code) return e;
  return unknown;
}

}  // namespace

char const* name_of_error(cudaError_t e) { return text_of(e).name; }
char const* text_of_error(cudaError_t e) { return text_of(e).text; }

void note_failed_call(process& p, cudaError_t error) {
  // By `<<<…>>>` a launch has no result: note_failed_launch. An update that does not fit and the
  // error that a kernel's fault left are no errors of the call.
  std::string const function = p.set.calls_checked ? called_function() : std::string{};
  if (function.empty() || error == cudaErrorNotReady || error == cudaErrorGraphExecUpdateFailure ||
      error == p.current().fault || this_thread().launches_without_result)
    return;
  char const* const name =
      this_thread().driver_calls != 0 ? p.with.driver_error(error) : text_of(error).name;
  finding f;
  f.check = check_kind::api;
  f.message = function + " returned " + name + ", " + text_of(error).text + "\ncalled at " +
              place_of_call(callers(), {});
  p.found(f);
}

void note_failed_launch(process& p, std::string const& kernel, cudaError_t error) {
  finding f;
  f.check = check_kind::api;
  f.message = "the launch of " + kernel +
              " failed, and the program has not asked why: " + text_of(error).name + ", " +
              text_of(error).text + "\ncalled at " + place_of_call(callers(), kernel) +
              "; cudaGetLastError() after the launch returns the error";
  p.unasked.emplace_back(&this_thread(), std::move(f));
}

MMM_CUDA_API char const* cudaGetErrorName(cudaError_t code) { return text_of(code).name; }
MMM_CUDA_API char const* cudaGetErrorString(cudaError_t code) { return text_of(code).text; }

// The error of the calling thread's last failed call. The error of a kernel's fault is not cleared,
// since its context is lost.

MMM_CUDA_API cudaError_t cudaPeekAtLastError() {
  note_asked();
  return this_thread().last_error;
}

MMM_CUDA_API cudaError_t cudaGetLastError() {
  note_asked();
  cudaError_t const last = this_thread().last_error;
  bool lost = false;
  if (last != cudaSuccess)
    (void)api(
        [&](process& p) {
          for (context const& c : p.contexts) lost = lost || c.fault == last;
        },
        after_fault::works);
  this_thread().last_error = lost ? last : cudaSuccess;
  return last;
}

}  // namespace device::runtime
