// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nested_launches.hpp"

#include "launch.hpp"
#include "occupancy.hpp"
#include "tables.hpp"

#include <device/execute/engine/calling_thread.hpp>

#include <algorithm>
#include <cstring>

namespace device::runtime {

using namespace abi;

namespace {

// Streams that device code names without making them (cuda_device_runtime_api.h).
constexpr std::uint64_t default_stream = 0;
constexpr std::uint64_t legacy_default = 1;
constexpr std::uint64_t own_stream_of_thread = 2;
constexpr std::uint64_t tail_stream = 3;
constexpr std::uint64_t forgetting_stream = 4;
constexpr std::uint64_t event_without_time = 2;
// The ways to launch a graph, in the place of a stream.
constexpr std::uint64_t graph_as_tail = std::uint64_t{1} << 56U;
constexpr std::uint64_t graph_fire_and_forget = std::uint64_t{2} << 56U;
constexpr std::uint64_t graph_fire_and_forget_as_sibling = std::uint64_t{3} << 56U;
constexpr std::size_t max_fire_and_forget = 120, max_tails = 255;

constexpr std::uint64_t parameter_align = 64;
constexpr std::uint64_t chunk_bytes = std::uint64_t{64} << 10U;

abi::dim3 extent(calling_thread const& by, std::size_t k) { return by.argument_as<abi::dim3>(k); }

}  // namespace

nested_launches::nested_launches(process& p, kernel_work const& launched, family_numbers& numbers)
    : process_(p),
      binary_(*launched.function->binary),
      device_(launched.device),
      of_graph_(launched.of_graph),
      numbers_(numbers) {}

nested_launches::~nested_launches() {
  for (chunk const& c : chunks_) (void)process_.free(c.begin);
}

void nested_launches::position::join(position const& other) {
  for (auto const& [to, other_list] :
       {std::pair{&waits, &other.waits}, {&launches, &other.launches}})
    for (std::uint64_t const n : *other_list)
      if (std::find(to->begin(), to->end(), n) == to->end()) to->push_back(n);
}

bool nested_launches::has_room(std::uint32_t launches) {
  std::lock_guard const hold(calling_);
  std::size_t const limit =
      process_.of_device(device_).limits[cudaLimitDevRuntimePendingLaunchCount];
  return waiting_.empty() || waiting_.size() + tails_.size() + launches <= limit;
}

std::uint64_t nested_launches::call(device_function_name f, calling_thread const& by) {
  std::lock_guard const hold(calling_);
  try {
    return answer(f, by);
  } catch (failure const& e) {
    errors_[{by.of_block().number, by.thread()}] = e.code;
    bool const gives_address = f.function == device_function::get_parameter_buffer ||
                               f.function == device_function::get_parameter_buffer_v2;
    return gives_address ? std::uint64_t{0} : std::uint64_t{e.code};
  }
}

//! Global memory of the grid's, until it is complete.
std::uint64_t nested_launches::memory(std::uint64_t bytes, calling_thread const& by) {
  bytes =
      (std::max<std::uint64_t>(bytes, 1) + parameter_align - 1) / parameter_align * parameter_align;
  if (chunks_.empty() || chunks_.back().bytes - chunks_.back().used < bytes) {
    std::uint64_t const size = std::max(bytes, chunk_bytes);
    std::uint64_t const begin =
        process_.memory.allocate(size, allocation_kind::heap, device_, parameter_align);
    require(begin != 0, cudaErrorMemoryAllocation);
    if (by.launched().workers == 1) process_.allocated(begin);
    chunks_.push_back({begin, 0, size});
  }
  chunk& c = chunks_.back();
  std::uint64_t const address = c.begin + c.used;
  c.used += bytes;
  return address;
}

std::uint64_t nested_launches::text(char const* s, calling_thread const& by) {
  std::size_t const bytes = std::strlen(s) + 1;
  std::uint64_t const address = memory(bytes, by);
  std::memcpy(pointer_to(address), s, bytes);
  if (by.launched().workers == 1) process_.host_wrote(pointer_to(address), bytes);
  return address;
}

kernel& nested_launches::kernel_at(std::uint64_t function, calling_thread const& by) const {
  require((function & window_mask) == function_window, cudaErrorInvalidDeviceFunction);
  linked_module& code = *by.launched().code;
  std::uint64_t const number = function & ~window_mask;
  require(number < code.functions(), cudaErrorInvalidDeviceFunction);
  program const& p = code.function(static_cast<std::uint32_t>(number));
  require(p.source->is_entry, cudaErrorInvalidDeviceFunction);
  return kernel_named(binary_, p.name);
}

kernel_work nested_launches::launch_of(std::uint64_t function, abi::dim3 grid, abi::dim3 block,
                                       std::uint64_t shared, calling_thread const& by) const {
  kernel_work k;
  k.function = &kernel_at(function, by);
  k.device = device_;
  k.grid = grid;
  k.block = block;
  k.shared = shared;
  check_kernel(process_, k);
  auto const& parameters = program_of(process_, *k.function, device_).source->parameters;
  if (!parameters.empty()) k.params.resize(parameters.back().offset + parameters.back().bytes);
  return k;
}

//! Launches with the parameters in a buffer, which are copied now.
void nested_launches::launch_from(std::uint64_t address, kernel_work k, std::uint64_t stream,
                                  bool own_default, calling_thread const& by) {
  auto const found = buffers_.find(address);
  require(found != buffers_.end() && found->second.bytes >= k.params.size(), cudaErrorInvalidValue);
  if (!k.params.empty()) std::memcpy(k.params.data(), pointer_to(address), k.params.size());
  enqueue(std::move(k), stream, own_default, by);
  buffers_.erase(found);
}

nested_launches::own_stream& nested_launches::own(
    std::unordered_map<std::uint64_t, own_stream>& all, std::uint64_t handle,
    calling_thread const& by) {
  auto const found = all.find(handle);
  require(found != all.end() && found->second.block == by.of_block().number,
          cudaErrorInvalidResourceHandle);
  return found->second;
}

nested_launches::position& nested_launches::position_of(std::uint64_t stream, bool own_default,
                                                        calling_thread const& by) {
  std::uint64_t const block = by.of_block().number;
  if (stream == own_stream_of_thread || (stream == default_stream && own_default))
    return defaults_[{block, by.thread()}];
  if (stream == default_stream || stream == legacy_default) return defaults_[{block, every_thread}];
  return own(streams_, stream, by).place;
}

//! Launches a graph from a kernel of another, or of its own.
void nested_launches::launch_graph(std::uint64_t executable, std::uint64_t stream) const {
  require(of_graph_ != nullptr, cudaErrorInvalidValue);
  executable_graph& launched =
      executable_of(process_, reinterpret_cast<cudaGraphExec_t>(executable));
  require((launched.flags & cudaGraphInstantiateFlagDeviceLaunch) != 0 && launched.is_uploaded,
          cudaErrorInvalidValue);
  bool const is_tail = stream == graph_as_tail;
  bool const is_own = &launched == of_graph_.get();
  require(is_tail || (!is_own && (stream == graph_fire_and_forget ||
                                  stream == graph_fire_and_forget_as_sibling)),
          cudaErrorInvalidValue);
  require(!launched.is_queued && (is_own || !launched.is_running), cudaErrorInvalidValue);
  auto& queue = is_tail ? of_graph_->tails : of_graph_->fire_and_forget;
  require(queue.size() < (is_tail ? max_tails : max_fire_and_forget),
          cudaErrorLaunchPendingCountExceeded);
  launched.is_queued = true;
  queue.push_back(launched.weak_from_this());
}

void nested_launches::enqueue(work job, std::uint64_t stream, bool own_default,
                              calling_thread const& by) {
  bool const is_tail = stream == tail_stream;
  bool const forgets = stream == forgetting_stream;
  bool const is_launch = std::holds_alternative<kernel_work>(job);
  require(is_launch || (!is_tail && !forgets), cudaErrorInvalidResourceHandle);
  position* const place = is_tail || forgets ? nullptr : &position_of(stream, own_default, by);
  std::size_t const limit =
      process_.of_device(device_).limits[cudaLimitDevRuntimePendingLaunchCount];
  require(waiting_.size() + tails_.size() < limit, cudaErrorLaunchPendingCountExceeded);
  launch const& l = by.launched();
  nested_work w{std::move(job), {}, {}};
  w.origin.parent = l.number;
  w.origin.kernel = l.kernel->demangled;
  w.origin.number = ++numbers_.last;
  w.origin.is_tail = is_tail;
  if (place != nullptr) {
    w.waits = place->waits;
    w.origin.after = place->launches;
    place->waits = {w.origin.number};
    if (is_launch) place->launches = {w.origin.number};
  }
  if (is_launch)
    for (observer* const o : *by.of_block().observers)
      o->launches(by.of_warp(), by.lane(), w.origin.number);
  incomplete_.insert(w.origin.number);
  (is_tail ? tails_ : waiting_).push_back(std::move(w));
}

std::optional<nested_work> nested_launches::next(std::mt19937_64* random) {
  std::vector<std::size_t> ready;
  for (std::size_t k = 0; k < waiting_.size(); ++k) {
    auto const& waits = waiting_[k].waits;
    if (std::any_of(waits.begin(), waits.end(),
                    [&](std::uint64_t n) { return incomplete_.contains(n); }))
      continue;
    ready.push_back(k);
    if (random == nullptr) break;
  }
  if (ready.empty()) return std::nullopt;
  auto const chosen =
      waiting_.begin() +
      static_cast<std::ptrdiff_t>(ready[ready.size() == 1 ? 0 : (*random)() % ready.size()]);
  nested_work w = std::move(*chosen);
  waiting_.erase(chosen);
  return w;
}

std::optional<nested_work> nested_launches::next_tail() {
  if (tails_.empty()) return std::nullopt;
  nested_work w = std::move(tails_.front());
  tails_.pop_front();
  return w;
}

void nested_launches::complete(std::vector<std::uint64_t> const& numbers) {
  for (std::uint64_t const n : numbers) incomplete_.erase(n);
}

std::uint64_t nested_launches::answer(device_function_name f, calling_thread const& by) {
  thread_key const me{by.of_block().number, by.thread()};
  auto const argument = [&](std::size_t k) { return by.argument(k); };
  auto const last_error = [&] {
    auto const found = errors_.find(me);
    return found == errors_.end() ? cudaSuccess : found->second;
  };
  auto const pointer = [&](std::size_t k) {
    require(argument(k) != 0, cudaErrorInvalidValue);
    return argument(k);
  };
  auto const byte = [&](std::size_t k) {
    return static_cast<unsigned>(static_cast<unsigned char>(argument(k)));
  };
  auto const fill = [&](fill_work const& w, std::uint64_t stream) {
    check(process_, w);
    enqueue(w, stream, f.own_default, by);
  };
  auto const copy = [&](copy_work w, std::uint64_t stream) {
    cudaMemcpyKind& kind = w.box.kind;
    require(kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault,
            cudaErrorInvalidMemcpyDirection);
    kind = cudaMemcpyDeviceToDevice;
    check(process_, w);
    enqueue(std::move(w), stream, f.own_default, by);
  };
  context& c = process_.of_device(device_);
  switch (f.function) {
    case device_function::get_parameter_buffer: {
      std::uint64_t const address = memory(argument(1), by);
      buffers_[address] = {argument(1), std::nullopt};
      return address;
    }
    case device_function::get_parameter_buffer_v2: {
      kernel_work k = launch_of(argument(0), extent(by, 1), extent(by, 2), argument(3), by);
      std::uint64_t const address = memory(k.params.size(), by);
      std::size_t const bytes = k.params.size();
      buffers_[address] = {bytes, std::move(k)};
      return address;
    }
    case device_function::launch_device:
      launch_from(argument(1),
                  launch_of(argument(0), extent(by, 2), extent(by, 3), argument(4), by),
                  argument(5), f.own_default, by);
      break;
    case device_function::launch_device_v2: {
      auto const found = buffers_.find(argument(0));
      require(found != buffers_.end() && found->second.launches, cudaErrorInvalidValue);
      launch_from(argument(0), *found->second.launches, argument(1), f.own_default, by);
      break;
    }
    case device_function::get_last_error: {
      cudaError_t const e = last_error();
      errors_.erase(me);
      return e;
    }
    case device_function::peek_at_last_error:
      return last_error();
    case device_function::get_error_name:
      return text(name_of_error(static_cast<cudaError_t>(argument(0))), by);
    case device_function::get_error_string:
      return text(text_of_error(static_cast<cudaError_t>(argument(0))), by);
    case device_function::get_device:
      by.put(pointer(0), device_);
      break;
    case device_function::get_device_count:
      by.put(pointer(0), static_cast<int>(process_.contexts.size()));
      break;
    case device_function::device_get_attribute:
      by.put(pointer(0), device_attribute(process_, static_cast<cudaDeviceAttr>(argument(1)),
                                          static_cast<int>(argument(2))));
      break;
    case device_function::device_get_limit:
      require(argument(1) < c.limits.size(), cudaErrorUnsupportedLimit);
      by.put(pointer(0), c.limits[argument(1)]);
      break;
    case device_function::device_get_cache_config:
      by.put(pointer(0), static_cast<unsigned>(c.cache));
      break;
    case device_function::device_get_shared_config:
      by.put(pointer(0), static_cast<unsigned>(c.banks));
      break;
    case device_function::runtime_get_version:
      by.put(pointer(0), runtime_version);
      break;
    case device_function::func_get_attributes:
      by.put(pointer(0), function_attributes(process_, kernel_at(argument(1), by), device_));
      break;
    case device_function::occupancy: {
      auto const threads = static_cast<int>(argument(2));
      require(threads > 0, cudaErrorInvalidValue);
      by.put(pointer(0),
             resident_blocks(process_.chip, needs_of(process_, kernel_at(argument(1), by), device_),
                             threads, argument(3)));
      break;
    }
    case device_function::stream_create:
      require(argument(1) == non_blocking, cudaErrorInvalidValue);  // as CUDA has it
      by.put(pointer(0), next_handle_);
      streams_[next_handle_++] = {me.first, {}};
      break;
    case device_function::stream_destroy:
      (void)own(streams_, argument(0), by);
      streams_.erase(argument(0));
      break;
    case device_function::stream_wait_event: {
      position const awaited = own(events_, argument(1), by).place;
      position_of(argument(0), f.own_default, by).join(awaited);
      break;
    }
    case device_function::event_create:
      require(argument(1) == event_without_time, cudaErrorInvalidValue);  // as CUDA has it
      by.put(pointer(0), next_handle_);
      events_[next_handle_++] = {me.first, {}};
      break;
    case device_function::event_record:
      own(events_, argument(0), by).place = position_of(argument(1), f.own_default, by);
      break;
    case device_function::event_destroy:
      (void)own(events_, argument(0), by);
      events_.erase(argument(0));
      break;
    case device_function::allocate: {
      require(argument(1) != 0, cudaErrorInvalidValue);
      std::uint64_t const address =
          process_.memory.allocate(argument(1), allocation_kind::heap, device_);
      require(address != 0, cudaErrorMemoryAllocation);
      by.put(pointer(0), address);
      break;
    }
    case device_function::free:
      require(argument(0) == 0 || process_.memory.free(argument(0)), cudaErrorInvalidValue);
      break;
    case device_function::copy:
      copy(copy_of(pointer_to(argument(0)), pointer_to(argument(1)), argument(2),
                   static_cast<cudaMemcpyKind>(argument(3))),
           argument(4));
      break;
    case device_function::copy_2d:
      copy(copy_of(pointer_to(argument(0)), argument(1), pointer_to(argument(2)), argument(3),
                   argument(4), argument(5), static_cast<cudaMemcpyKind>(argument(6))),
           argument(7));
      break;
    case device_function::copy_3d:
      copy(copy_work{by.value<cudaMemcpy3DParms>(pointer(0)), {}}, argument(1));
      break;
    case device_function::fill:
      fill(fill_of(pointer_to(argument(0)), byte(1), 1, argument(2), argument(2), 1), argument(3));
      break;
    case device_function::fill_2d:
      fill(fill_of(pointer_to(argument(0)), byte(2), 1, argument(1), argument(3), argument(4)),
           argument(5));
      break;
    case device_function::fill_3d:
      fill(fill_of(by.argument_as<cudaPitchedPtr>(0), static_cast<int>(argument(1)),
                   by.argument_as<cudaExtent>(2)),
           argument(3));
      break;
    case device_function::graph_set_conditional:
      set_condition(process_, argument(0), static_cast<unsigned>(argument(1)));
      break;
    case device_function::graph_launch:
      launch_graph(argument(0), argument(1));
      break;
  }
  return cudaSuccess;
}

}  // namespace device::runtime
