// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>
#include <device/execute/memory/request.hpp>

//! Builders of asynchronous copies.
namespace device::memory_access_detail {

void build_bulk_copy(ptx::instruction const&, decode::context&);    // cp.async.bulk
void build_store_async(ptx::instruction const&, decode::context&);  // st.async, red.async

}  // namespace device::memory_access_detail
