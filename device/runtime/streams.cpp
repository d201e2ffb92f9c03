// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "agenda.hpp"
#include "tables.hpp"

namespace device::runtime {

using namespace abi;

namespace {

constexpr int least_priority = 0;
constexpr int greatest_priority = -5;

stream make_stream(process& p, int device, unsigned flags, int priority) {
  stream s;
  s.device = device;
  s.flags = flags;
  s.priority = priority;
  s.number = p.table.next_number++;
  return s;
}

cudaError_t create(cudaStream_t* out, unsigned flags, int priority) {
  return api([&](process& p) {
    require(out != nullptr && flags <= 1, cudaErrorInvalidValue);
    forbid_during_capture(p);
    int const within = priority < greatest_priority ? greatest_priority
                       : priority > least_priority  ? least_priority
                                                    : priority;
    auto made = std::make_unique<stream>(make_stream(p, p.current().number, flags, within));
    made->owner = &p.current();
    *out = handle_of(made.get());
    p.table.streams.emplace(made.get(), std::move(made));
    if (p.order != nullptr) p.order->watch();
  });
}

}  // namespace

stream& stream_of(process& p, cudaStream_t handle) {
  int const device = p.current().number;
  if (handle == nullptr && this_thread().own_default) handle = per_thread_stream;
  if (handle == nullptr || handle == legacy_stream) {
    auto& s = p.table.legacy[device];
    if (!s) {
      s = std::make_unique<stream>(make_stream(p, device, 0, 0));
      s->is_legacy = true;
    }
    return *s;
  }
  if (handle == per_thread_stream) {
    auto& s = p.table.per_thread[{device, this_thread().number}];
    if (!s) {
      s = std::make_unique<stream>(make_stream(p, device, 0, 0));
      s->is_per_thread = true;
      if (p.order != nullptr) p.order->watch();
    }
    return *s;
  }
  auto const found = p.table.streams.find(reinterpret_cast<stream*>(handle));
  require(found != p.table.streams.end(), cudaErrorInvalidResourceHandle);
  return *found->second;
}

MMM_CUDA_API cudaError_t cudaStreamCreate(cudaStream_t* out) { return create(out, 0, 0); }
MMM_CUDA_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* out, unsigned flags) {
  return create(out, flags, 0);
}
MMM_CUDA_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t* out, unsigned flags,
                                                      int priority) {
  return create(out, flags, priority);
}

MMM_CUDA_API cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api([&](process&) {
    if (least != nullptr) *least = least_priority;
    if (greatest != nullptr) *greatest = greatest_priority;
  });
}

MMM_CUDA_API cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return api([&](process& p) {
    require(handle != nullptr && handle != legacy_stream && handle != per_thread_stream,
            cudaErrorInvalidResourceHandle);
    stream& s = stream_of(p, handle);
    if (s.capturing != nullptr) {
      s.capturing->invalid = true;
      s.capturing->members.erase(&s);
      if (s.capturing->origin == &s) s.capturing->origin = nullptr;
    }
    p.table.streams.erase(&s);
  });
}

MMM_CUDA_API cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  return api([&](process& p) {
    require(priority != nullptr, cudaErrorInvalidValue);
    *priority = stream_of(p, handle).priority;
  });
}

MMM_CUDA_API cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
  return api([&](process& p) {
    require(flags != nullptr, cudaErrorInvalidValue);
    *flags = stream_of(p, handle).flags;
  });
}

MMM_CUDA_API cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* number) {
  return api([&](process& p) {
    require(number != nullptr, cudaErrorInvalidValue);
    *number = stream_of(p, handle).number;
  });
}

MMM_CUDA_API cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
  return api([&](process& p) {
    require(device != nullptr, cudaErrorInvalidValue);
    *device = stream_of(p, handle).device;
  });
}

MMM_CUDA_API cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                                cudaLaunchAttributeValue* out) {
  return api([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    stream const& s = stream_of(p, handle);
    *out = {};
    if (auto const found = s.attributes.find(id); found != s.attributes.end())
      *out = found->second;
    else if (id == cudaLaunchAttributePriority)
      out->priority = s.priority;
    else if (id == cudaLaunchAttributeSynchronizationPolicy)
      out->syncPolicy = cudaSyncPolicyAuto;
  });
}

MMM_CUDA_API cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                                cudaLaunchAttributeValue const* value) {
  return api([&](process& p) {
    require(value != nullptr, cudaErrorInvalidValue);
    stream& s = stream_of(p, handle);
    s.attributes[id] = *value;
    if (id == cudaLaunchAttributePriority) s.priority = value->priority;
  });
}

MMM_CUDA_API cudaError_t cudaStreamCopyAttributes(cudaStream_t destination, cudaStream_t source) {
  return api([&](process& p) {
    stream const& model = stream_of(p, source);
    stream& target = stream_of(p, destination);
    target.attributes = model.attributes;
    target.priority = model.priority;
  });
}

// --- waiting: all that was issued has been executed ----------------------------------------------

MMM_CUDA_API cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return api([&](process& p) {
    stream& s = stream_of(p, handle);
    forbid_if_capturing(p, s);
    if (s.is_legacy) forbid_legacy_during_capture(p);
    p.todo.wait_for(s);
    flush_prints(p);
    if (p.order != nullptr) p.order->host_waited_for(s);
    trim_pools(p, s.device);
  });
}

MMM_CUDA_API cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return api([&](process& p) {
    stream& s = stream_of(p, handle);
    forbid_if_capturing(p, s);
    if (s.is_legacy) forbid_legacy_during_capture(p);
    p.todo.help();
    if (!p.todo.is_done(s)) throw not_ready{};
    if (p.order != nullptr) p.order->host_waited_for(s);
  });
}

MMM_CUDA_API cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle,
                                             unsigned flags) {
  return api([&](process& p) {
    require(flags <= 1, cudaErrorInvalidValue);
    stream& s = stream_of(p, handle);
    event& e = event_of(p, event_handle);
    if (flags == 1 && s.capturing != nullptr)  // cudaEventWaitExternal: a node
      add_captured(p, s, wait_work{&e});
    else if (s.capturing != nullptr || e.captured_in != 0)
      capture_event_wait(p, s, e);
    else
      p.todo.issue(s, wait_work{&e});
  });
}

// --- host functions ------------------------------------------------------------------------------

MMM_CUDA_API cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function,
                                            void* data) {
  return api([&](process& p) { issue(p, handle, host_work{function, data}); });
}

MMM_CUDA_API cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t function,
                                               void* data, unsigned flags) {
  return api([&](process& p) {
    require(function != nullptr && flags == 0, cudaErrorInvalidValue);
    forbid_if_capturing(p, stream_of(p, handle));
    struct call {
      cudaStreamCallback_t function;
      cudaStream_t stream;
      void* data;
    };
    p.todo.issue(stream_of(p, handle),
                 host_work{[](void* c) {
                             std::unique_ptr<call> const with(static_cast<call*>(c));
                             with->function(with->stream, cudaSuccess, with->data);
                           },
                           new call{function, handle, data}});
  });
}

MMM_CUDA_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void* pointer,
                                                  std::size_t /*bytes*/, unsigned flags) {
  return api([&](process& p) {
    stream& s = stream_of(p, handle);
    forbid_if_capturing(p, s);
    require(flags == 1 || flags == 2 || flags == 4, cudaErrorInvalidValue);
    auto const a = p.memory.find(address_of(pointer));
    require(a && !a->freed && a->kind == allocation_kind::managed &&
                p.memory.holds(address_of(pointer), 1),
            cudaErrorInvalidValue);
  });
}

}  // namespace device::runtime
