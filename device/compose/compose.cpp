// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compose.hpp"

#include <device/check/checking.hpp>
#include <device/driver/functions.hpp>
#include <device/execute/engine/services.hpp>
#include <device/report/counting.hpp>

namespace device {

runtime::parts const& composed() {
  static runtime::parts const all{
      execution_services(),
      {&report::make_counting, &check::make_checking},
      [](std::string_view name, int version, bool per_thread, bool& is_newer) {
        driver::found_function const found = driver::find_function(name, version, per_thread);
        is_newer = found.is_newer;
        return found.address;
      },
      &driver::error_name};
  return all;
}

namespace {

// Before other static initializers, which may call the runtime.
[[gnu::constructor(101)]] void hand_in() { runtime::use_parts(&composed); }

}  // namespace

}  // namespace device
