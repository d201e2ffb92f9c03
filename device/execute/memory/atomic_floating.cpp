// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/memory/atomic_lanes.hpp>

//! Atomic operations on floating numbers.
namespace device::memory_access_detail {
namespace {

template <class Operation>
handler handler_for() {
  return run_atomic<Operation, Operation>;
}

template <template <atomic_name, class> class Operation, class Format>
handler of_half(atomic_name name) {
  switch (name) {
    case atomic_name::add:
      return handler_for<Operation<atomic_name::add, Format>>();
    case atomic_name::min:
      return handler_for<Operation<atomic_name::min, Format>>();
    case atomic_name::max:
      return handler_for<Operation<atomic_name::max, Format>>();
    default:
      return nullptr;
  }
}

}  // namespace

handler floating_atomic_handler(atomic_name name, ptx::scalar type) {
  switch (type) {
    case ptx::scalar::f32:
      if (name == atomic_name::exchange) return integer_atomic_handler(name, ptx::scalar::b32);
      return name == atomic_name::add ? run_atomic<float_add<true>, float_add<false>> : nullptr;
    case ptx::scalar::f64:
      if (name == atomic_name::exchange) return integer_atomic_handler(name, ptx::scalar::b64);
      return name == atomic_name::add ? handler_for<double_add>() : nullptr;
    case ptx::scalar::f16:
      return of_half<half_atomic, half_format>(name);
    case ptx::scalar::bf16:
      return of_half<half_atomic, bfloat_format>(name);
    case ptx::scalar::f16x2:
      return of_half<half_pair_atomic, half_format>(name);
    case ptx::scalar::bf16x2:
      return of_half<half_pair_atomic, bfloat_format>(name);
    default:
      return nullptr;
  }
}

}  // namespace device::memory_access_detail
