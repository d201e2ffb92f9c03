// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace device {

class calling_thread;  // engine/calling_thread.hpp

//! The functions of the CUDA runtime that device code may call (cuda_device_runtime_api.h): PTX has
//! them as cudaX or, for dynamic parallelism of today, __cudaCDP2X. With _ptsz the default stream
//! is the thread's own.
enum class device_function : std::uint8_t {
  get_parameter_buffer,
  get_parameter_buffer_v2,
  launch_device,
  launch_device_v2,
  get_last_error,
  peek_at_last_error,
  get_error_name,
  get_error_string,
  get_device,
  get_device_count,
  device_get_attribute,
  device_get_limit,
  device_get_cache_config,
  device_get_shared_config,
  runtime_get_version,
  func_get_attributes,
  occupancy,
  stream_create,
  stream_destroy,
  stream_wait_event,
  event_create,
  event_record,
  event_destroy,
  allocate,
  free,
  copy,
  copy_2d,
  copy_3d,
  fill,
  fill_2d,
  fill_3d,
  graph_set_conditional,
  graph_launch
};

//! A function with the stream that its default one stands for.
struct device_function_name {
  device_function function{};
  bool own_default = false;  //!< _ptsz
};

//! The function of a name in PTX, if it is one of them.
[[nodiscard]] std::optional<device_function_name> find_device_function(std::string_view);

//! Serves these calls for the threads of a launch. Several workers may call at once.
class device_runtime {
 public:
  device_runtime() = default;
  virtual ~device_runtime() = default;
  device_runtime(device_runtime const&) = delete;
  device_runtime& operator=(device_runtime const&) = delete;

  //! False if so many launches have to wait until others have begun: the call is made again later.
  [[nodiscard]] virtual bool has_room(std::uint32_t launches) = 0;
  //! \return the function's result
  [[nodiscard]] virtual std::uint64_t call(device_function_name, calling_thread const&) = 0;
};

}  // namespace device
