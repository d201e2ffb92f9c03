// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "agenda.hpp"
#include "tables.hpp"

namespace device::runtime {

using namespace abi;

namespace {

constexpr unsigned interprocess = 4;
constexpr unsigned record_external = 1;

cudaError_t create(cudaEvent_t* out, unsigned flags) {
  return api([&](process& p) {
    require(out != nullptr && flags <= 7, cudaErrorInvalidValue);
    require((flags & interprocess) == 0 || (flags & disable_timing) != 0, cudaErrorInvalidValue);
    auto made = std::make_unique<event>();
    made->flags = flags;
    made->device = p.current().number;
    made->owner = &p.current();
    *out = handle_of(made.get());
    p.table.events.emplace(made.get(), std::move(made));
  });
}

cudaError_t record(cudaEvent_t handle, cudaStream_t in, unsigned flags) {
  return api([&](process& p) {
    require(flags <= 1, cudaErrorInvalidValue);
    event& e = event_of(p, handle);
    stream& s = stream_of(p, in);
    require(s.device == e.device, cudaErrorInvalidResourceHandle);
    if (s.capturing == nullptr) {
      if (s.is_legacy) forbid_legacy_during_capture(p);
      p.todo.issue(s, record_work{&e});
    } else if (flags == record_external) {
      add_captured(p, s, record_work{&e});
    } else {
      capture_event_record(p, s, e);
    }
  });
}

//! For calls that look at an event.
event& uncaptured(process& p, cudaEvent_t handle) {
  event& e = event_of(p, handle);
  if (e.captured_in != 0) {
    if (auto const found = p.table.captures.find(e.captured_in); found != p.table.captures.end())
      found->second->invalid = true;
    throw failure{cudaErrorCapturedEvent};
  }
  return e;
}

}  // namespace

event& event_of(process& p, cudaEvent_t handle) {
  auto const found = p.table.events.find(reinterpret_cast<event*>(handle));
  require(found != p.table.events.end(), cudaErrorInvalidResourceHandle);
  return *found->second;
}

MMM_CUDA_API cudaError_t cudaEventCreate(cudaEvent_t* out) { return create(out, 0); }
MMM_CUDA_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned flags) {
  return create(out, flags);
}

MMM_CUDA_API cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return api([&](process& p) { p.table.events.erase(&event_of(p, handle)); });
}

MMM_CUDA_API cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t in) {
  return record(handle, in, 0);
}
MMM_CUDA_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t in,
                                                  unsigned flags) {
  return record(handle, in, flags);
}

MMM_CUDA_API cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return api([&](process& p) {
    event const& e = uncaptured(p, handle);
    p.todo.help();
    if (e.last != nullptr && !e.last->done) throw not_ready{};
    if (p.order != nullptr) p.order->host_waited_for(e);
  });
}

MMM_CUDA_API cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return api([&](process& p) {
    event const& e = uncaptured(p, handle);
    p.todo.wait_for(e.last);
    flush_prints(p);
    if (p.order != nullptr) p.order->host_waited_for(e);
    trim_pools(p, e.device);
  });
}

MMM_CUDA_API cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start,
                                              cudaEvent_t end) {
  return api([&](process& p) {
    require(milliseconds != nullptr, cudaErrorInvalidValue);
    event const& a = uncaptured(p, start);
    event const& b = uncaptured(p, end);
    bool const timed = ((a.flags | b.flags) & disable_timing) == 0;
    auto const was_recorded = [](event const& e) { return e.recorded || e.last != nullptr; };
    require(timed && was_recorded(a) && was_recorded(b) && a.device == b.device,
            cudaErrorInvalidResourceHandle);
    for (event const* const side : {&a, &b})
      if (side->last != nullptr && !side->last->done) throw not_ready{};
    // The time of this machine, not of the GPU that it stands for.
    *milliseconds = std::chrono::duration<float, std::milli>(b.time - a.time).count();
  });
}

}  // namespace device::runtime
