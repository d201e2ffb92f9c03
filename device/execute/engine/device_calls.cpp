// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the CUDA runtime in device code.
#include <device/execute/device_runtime.hpp>
#include <device/execute/engine/calling_thread.hpp>
#include <device/execute/engine/system_calls.hpp>
#include <device/memory/weak_memory.hpp>

#include <array>
#include <bit>
#include <utility>

namespace device {

namespace {

constexpr std::array<std::pair<std::string_view, device_function>, 33> device_function_names = {{
    {"GetParameterBuffer", device_function::get_parameter_buffer},
    {"GetParameterBufferV2", device_function::get_parameter_buffer_v2},
    {"LaunchDevice", device_function::launch_device},
    {"LaunchDeviceV2", device_function::launch_device_v2},
    {"GetLastError", device_function::get_last_error},
    {"PeekAtLastError", device_function::peek_at_last_error},
    {"GetErrorName", device_function::get_error_name},
    {"GetErrorString", device_function::get_error_string},
    {"GetDevice", device_function::get_device},
    {"GetDeviceCount", device_function::get_device_count},
    {"DeviceGetAttribute", device_function::device_get_attribute},
    {"DeviceGetLimit", device_function::device_get_limit},
    {"DeviceGetCacheConfig", device_function::device_get_cache_config},
    {"DeviceGetSharedMemConfig", device_function::device_get_shared_config},
    {"RuntimeGetVersion", device_function::runtime_get_version},
    {"FuncGetAttributes", device_function::func_get_attributes},
    {"OccupancyMaxActiveBlocksPerMultiprocessor", device_function::occupancy},
    {"OccupancyMaxActiveBlocksPerMultiprocessorWithFlags", device_function::occupancy},
    {"StreamCreateWithFlags", device_function::stream_create},
    {"StreamDestroy", device_function::stream_destroy},
    {"StreamWaitEvent", device_function::stream_wait_event},
    {"EventCreateWithFlags", device_function::event_create},
    {"EventRecord", device_function::event_record},
    {"EventRecordWithFlags", device_function::event_record},
    {"EventDestroy", device_function::event_destroy},
    {"Malloc", device_function::allocate},
    {"Free", device_function::free},
    {"MemcpyAsync", device_function::copy},
    {"Memcpy2DAsync", device_function::copy_2d},
    {"Memcpy3DAsync", device_function::copy_3d},
    {"MemsetAsync", device_function::fill},
    {"Memset2DAsync", device_function::fill_2d},
    {"Memset3DAsync", device_function::fill_3d},
}};

//! operation::flags of a call whose default stream is the thread's own.
constexpr std::uint8_t own_default_flag = 0x80;

//! True for work of a stream, which sees the thread's stores.
bool is_work(device_function f) {
  switch (f) {
    case device_function::launch_device:
    case device_function::launch_device_v2:
    case device_function::copy:
    case device_function::copy_2d:
    case device_function::copy_3d:
    case device_function::fill:
    case device_function::fill_2d:
    case device_function::fill_3d:
    case device_function::graph_launch:
      return true;
    default:
      return false;
  }
}

//! The threads' stores, which may be delayed, become visible.
void hand_on_stores(warp& w, lane_mask active) {
  weak_memory* const weak = w.of_block->weak;
  if (weak == nullptr) return;
  for (; active != 0; active &= active - 1)
    weak->show_all(w.of_block->number,
                   w.number * lanes + static_cast<std::uint32_t>(std::countr_zero(active)));
}

}  // namespace

std::optional<device_function_name> find_device_function(std::string_view name) {
  if (name == "cudaGraphSetConditional")
    return device_function_name{device_function::graph_set_conditional, false};
  if (name == "cudaGraphLaunch") return device_function_name{device_function::graph_launch, false};
  for (std::string_view const prefix : {"__cudaCDP2", "cuda"}) {
    if (!name.starts_with(prefix)) continue;
    name.remove_prefix(prefix.size());
    constexpr std::string_view own = "_ptsz";
    bool const with_own = name.ends_with(own);
    if (with_own) name.remove_suffix(own.size());
    for (auto const& [known, function] : device_function_names)
      if (known == name) return device_function_name{function, with_own};
    return std::nullopt;
  }
  return std::nullopt;
}

std::uint8_t flags_of(device_function_name const& f) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(f.function) |
                                   (f.own_default ? own_default_flag : 0U));
}

void call_runtime(warp& w, operation const& op) {
  device_runtime* const served_by = w.of_block->of_launch->runtime;
  if (served_by == nullptr)
    throw device_fault(
        device_fault::kind_type::illegal_instruction,
        "a call of " + w.current->code->calls[op.immediate].callee + ", which nobody serves here");
  device_function_name const f{static_cast<device_function>(op.flags & (own_default_flag - 1U)),
                               (op.flags & own_default_flag) != 0};
  bool const launches = f.function == device_function::launch_device ||
                        f.function == device_function::launch_device_v2;
  if (launches && !served_by->has_room(static_cast<std::uint32_t>(std::popcount(w.active)))) {
    w.pc = op.index;  // once more, when others have begun
    w.yielded = true;
    ++w.polls;
    return;
  }
  if (is_work(f.function)) hand_on_stores(w, w.active);
  w.each_active([&](int lane) {
    calling_thread const by(w, op, lane);
    by.give_back(served_by->call(f, by));
  });
}

}  // namespace device
