// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.hpp"

#include "entry_points.hpp"
#include "occupancy.hpp"
#include "tables.hpp"

#include <device/core/failure.hpp>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

namespace device::runtime {

using namespace abi;

namespace {

constexpr unsigned max_grid_x = 2147483647;
constexpr unsigned max_grid_yz = 65535;
constexpr unsigned max_block_z = 64;
constexpr unsigned max_threads_of_block = 1024;
constexpr std::size_t workspace_bytes = 256;

//! Registers are estimated from PTX, which ptxas can often do with fewer of: a launch is refused
//! for want of registers only if twice as many would be needed as there are.
constexpr int register_tolerance = 2;

std::uint64_t count(abi::dim3 const& d) { return std::uint64_t{d.x} * d.y * d.z; }

//! The event that an attribute of a launch records when its blocks have begun, or have allowed the
//! launches that depend on them: here it is recorded behind the kernel, which is late enough.
cudaEvent_t event_of_attribute(cudaLaunchAttributeID id, cudaLaunchAttributeValue const& value) {
  return id == cudaLaunchAttributeProgrammaticEvent       ? value.programmaticEvent.event
         : id == cudaLaunchAttributeLaunchCompletionEvent ? value.launchCompletionEvent.event
                                                          : nullptr;
}

//! The contents of an `extra` list, pairs of a tag and a value.
struct parameter_buffer {
  std::byte const* bytes = nullptr;
  std::size_t size = 0;
};
parameter_buffer buffer_of(void* const* extra) {
  constexpr std::uint64_t end = 0, pointer = 1, size = 2;
  parameter_buffer b;
  for (; address_of(*extra) != end; extra += 2) {
    if (address_of(*extra) == pointer)
      b.bytes = static_cast<std::byte const*>(extra[1]);
    else if (address_of(*extra) == size)
      b.size = *static_cast<std::size_t const*>(extra[1]);
    else
      throw failure{cudaErrorInvalidValue};
  }
  return b;
}

std::size_t max_dynamic(kernel const& k, program const& code, int device) {
  int const chosen = const_cast<kernel&>(k).on(device).dynamic_shared;
  if (chosen >= 0) return static_cast<std::size_t>(chosen);
  return static_cast<std::size_t>(
      std::max(0, shared_bytes_per_block - static_cast<int>(code.shared_bytes)));
}

//! Blocks of a cluster: those of the launch's attribute, of the kernel, or of its function
//! attributes; all 0 if none says so.
abi::dim3 cluster_of(program const& code, kernel_work const& k) {
  auto const given = [](int const(&n)[3]) {
    return abi::dim3{static_cast<unsigned>(n[0]), static_cast<unsigned>(std::max(n[1], 1)),
                     static_cast<unsigned>(std::max(n[2], 1))};
  };
  if (code.source->cluster[0] != 0) return given(code.source->cluster);
  auto const found = k.attributes.find(cudaLaunchAttributeClusterDimension);
  if (found != k.attributes.end()) {
    auto const& asked = found->second.clusterDim;
    return {asked.x, asked.y, asked.z};
  }
  auto const& chosen = k.function->on(k.device).cluster;
  return chosen[0] != 0 ? given(chosen) : abi::dim3{0, 0, 0};
}

void check_cluster(program const& code, kernel_work const& k) {
  if (code.source->blocks_are_clusters)
    throw unsupported("a grid that counts clusters (.blocksareclusters) is not supported: kernel " +
                      code.demangled);
  abi::dim3 const size = cluster_of(code, k);
  if (count(size) == 0) {
    require(!code.source->explicit_cluster, cudaErrorInvalidClusterSize);
    return;
  }
  constexpr std::uint64_t portable = 8;
  constexpr std::uint64_t largest = 16;
  bool const non_portable = k.function->on(k.device).non_portable_cluster;
  require(count(size) <= (non_portable ? largest : portable), cudaErrorInvalidClusterSize);
  require(k.grid.x % size.x == 0 && k.grid.y % size.y == 0 && k.grid.z % size.z == 0,
          cudaErrorInvalidClusterSize);
}

}  // namespace

kernel_work kernel_work_of(process& p, void const* function, abi::dim3 grid, abi::dim3 block,
                           std::size_t shared, void* const* arguments, void* const* extra) {
  kernel_work k;
  k.function = &kernel_of(function);
  k.device = p.current().number;
  k.grid = grid;
  k.block = block;
  k.shared = shared;
  auto const& parameters = program_of(p, *k.function, k.device).source->parameters;
  if (parameters.empty()) return k;
  k.params.resize(parameters.back().offset + parameters.back().bytes);
  if (extra != nullptr) {
    parameter_buffer const b = buffer_of(extra);
    require(b.bytes != nullptr && b.size >= k.params.size(), cudaErrorInvalidValue);
    std::memcpy(k.params.data(), b.bytes, k.params.size());
    return k;
  }
  require(arguments != nullptr, cudaErrorInvalidValue);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    require(arguments[i] != nullptr, cudaErrorInvalidValue);
    std::memcpy(k.params.data() + parameters[i].offset, arguments[i], parameters[i].bytes);
  }
  return k;
}

void set_attribute(kernel_work& k, cudaLaunchAttributeID id,
                   cudaLaunchAttributeValue const& value) {
  if (id == cudaLaunchAttributeIgnore) return;
  require(id <= cudaLaunchAttributeNvlinkUtilCentricScheduling, cudaErrorInvalidValue);
  if (id == cudaLaunchAttributeCooperative) k.cooperative = value.cooperative != 0;
  if (id == cudaLaunchAttributeProgrammaticEvent || id == cudaLaunchAttributeLaunchCompletionEvent)
    throw unsupported("launch attributes with events are not supported by this device");
  if (id == cudaLaunchAttributeDeviceUpdatableKernelNode &&
      value.deviceUpdatableKernelNode.deviceUpdatable != 0)
    throw unsupported("kernel nodes that a device updates are not supported by this device");
  k.attributes[id] = value;  // the others say how fast it may be, not what it does
}

void check_kernel(process& p, kernel_work const& k) {
  program const& code = program_of(p, *k.function, k.device);
  bool const grid_fits =
      k.grid.x - 1 < max_grid_x && k.grid.y - 1 < max_grid_yz && k.grid.z - 1 < max_grid_yz;
  bool const block_fits = k.block.x - 1 < max_threads_of_block &&
                          k.block.y - 1 < max_threads_of_block && k.block.z - 1 < max_block_z &&
                          count(k.block) <= max_threads_of_block;
  require(grid_fits && block_fits, cudaErrorInvalidConfiguration);
  check_cluster(code, k);
  int const threads = static_cast<int>(count(k.block));
  ptx::function const& declared = *code.source;
  if (int const bound = extent_product(declared.required_threads); bound != 0)
    require(threads == bound, cudaErrorInvalidValue);
  if (int const bound = extent_product(declared.max_threads); bound != 0)
    require(threads <= bound, cudaErrorInvalidValue);
  std::size_t const dynamic = max_dynamic(*k.function, code, k.device);
  require(k.shared <= dynamic, cudaErrorInvalidValue);
  kernel_needs needs = needs_of(code, dynamic);
  int const resident = resident_blocks(p.chip, needs, threads, k.shared);
  if (k.cooperative) {
    auto const together =
        static_cast<std::uint64_t>(p.chip.multiprocessors()) * static_cast<std::uint64_t>(resident);
    require(count(k.grid) <= together, cudaErrorCooperativeLaunchTooLarge);
  }
  needs.registers /= register_tolerance;
  require(resident_blocks(p.chip, needs, threads, k.shared) > 0, cudaErrorLaunchOutOfResources);
}

running_grid::running_grid(process& p, kernel_work k, std::optional<launch_origin> by,
                           std::uint64_t first_block, device_runtime& runtime)
    : process_(p), work_(std::move(k)) {
  program const& code = program_of(p, *work_.function, work_.device);
  launch& l = launch_;
  l.code = &code_of(p, *work_.function->binary, work_.device);
  l.kernel = &code;
  l.grid = {work_.grid.x, work_.grid.y, work_.grid.z};
  l.block = {work_.block.x, work_.block.y, work_.block.z};
  if (abi::dim3 const size = cluster_of(code, work_); count(size) != 0) {
    l.cluster = {size.x, size.y, size.z};
    l.explicit_cluster = true;
  }
  l.dynamic_shared = static_cast<std::uint32_t>(work_.shared);
  l.params = work_.params;
  l.cooperative = work_.cooperative;
  l.device = work_.device;
  l.number = p.launches++;
  l.by = std::move(by);
  l.first_block = first_block;
  l.runtime = &runtime;
  l.memory = &p.memory;
  l.textures = &p.table.textures;
  l.multiprocessors = p.chip.multiprocessors();
  kernel_needs const needs = needs_of(code, max_dynamic(*work_.function, code, work_.device));
  l.resident_blocks = std::max(
      1, resident_blocks(p.chip, needs, static_cast<int>(count(work_.block)), work_.shared));
  l.seed = p.set.seed.value_or(0);
  l.mixed = p.set.seed.has_value() || p.set.weak_memory;
  l.workers = static_cast<int>(
      std::min<std::uint64_t>(static_cast<std::uint64_t>(p.set.workers()), l.grid.count()));
  l.weak = p.set.weak_memory;
  if (work_.of_graph != nullptr &&
      (work_.of_graph->flags & abi::cudaGraphInstantiateFlagDeviceLaunch) != 0)
    l.graph = reinterpret_cast<std::uint64_t>(handle_of(work_.of_graph));
  l.names_owners = p.set.checks_for(check_kind::bounds);
  l.notes_tiles = p.set.checks_for(check_kind::descriptor);
  // A barrier of the whole grid waits for all of its blocks.
  l.sampled_blocks = l.cooperative ? 0 : p.set.blocks;
  l.report = [&p](finding const& f) { p.found(f); };
  l.print = [&p](std::string const& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    p.printed = true;
  };
  l.observers.resize(static_cast<std::size_t>(l.workers));
  for (int w = 0; w < l.workers; ++w)
    for (auto const& i : p.watching)
      for (observer* const o : i->for_worker(l, w))
        l.observers[static_cast<std::size_t>(w)].push_back(o);
  if (work_.cooperative) {
    l.grid_workspace = p.memory.allocate(workspace_bytes, allocation_kind::heap, work_.device);
    require(l.grid_workspace != 0, cudaErrorMemoryAllocation);
    p.allocated(l.grid_workspace);
    std::memset(pointer_to(l.grid_workspace), 0, workspace_bytes);
    p.host_wrote(pointer_to(l.grid_workspace), workspace_bytes);
  }
  if (std::uint64_t const blocks = executed_clusters(l).some * l.cluster.count(); blocks > 1) {
    progress_.emplace(code.demangled + ", launch " + std::to_string(l.number),
                      std::chrono::steady_clock::now(), isatty(STDERR_FILENO) != 0, stderr);
    l.progress = [this, blocks](std::uint64_t ended, std::uint64_t operations) {
      progress_->update(std::chrono::steady_clock::now(), ended, blocks, operations);
    };
  }
  findings_before_ = p.findings;
  execution_.emplace(l);
}

running_grid::~running_grid() {
  if (launch_.grid_workspace != 0) (void)process_.free(launch_.grid_workspace);
}

bool running_grid::advance() {
  try {
    if (!execution_->advance()) return false;
    launch_result const result = execution_->result();
    for (auto const& i : process_.watching) i->finished(launch_, result);
  } catch (device_fault const& f) {
    failed(f);
  }
  return true;
}

void running_grid::give_up() {
  try {
    execution_->give_up();
  } catch (device_fault const& f) {
    failed(f);
  }
}

void running_grid::failed(device_fault const& f) {
  process& p = process_;
  failed_ = true;
  // A later call of the runtime returns the fault, as on a GPU, which runs asynchronously.
  p.contexts[static_cast<std::size_t>(work_.device)].fault = error_of(f);
  for (auto const& c : p.created)
    if (c->number == work_.device) c->fault = error_of(f);
  if (++p.faults == 1) append_verdict(p.set, "faults 1");
  std::fflush(stdout);
  // A finding was printed by an instrument, a failed assertion by the device.
  if (p.findings == findings_before_ && f.kind() != device_fault::kind_type::assertion)
    std::fprintf(stderr, "mmm-run: kernel %s: %s\n", launch_.kernel->demangled.c_str(), f.what());
  launch_result const result = execution_->result();
  for (auto const& i : p.watching) i->failed(launch_, result, f.what());
}

// --- entry points --------------------------------------------------------------------------------

MMM_CUDA_API unsigned __cudaPushCallConfiguration(abi::dim3 grid, abi::dim3 block,
                                                  std::size_t shared, cudaStream_t stream) {
  thread_state& t = this_thread();
  if (static_cast<std::size_t>(t.configurations) == t.configured.size())
    return cudaErrorInvalidConfiguration;
  t.configured[static_cast<std::size_t>(t.configurations++)] = {grid, block, shared, stream};
  return 0;
}

MMM_CUDA_API cudaError_t __cudaPopCallConfiguration(abi::dim3* grid, abi::dim3* block,
                                                    std::size_t* shared, cudaStream_t* stream) {
  thread_state& t = this_thread();
  if (t.configurations == 0) return remember(cudaErrorMissingConfiguration);
  auto const& c = t.configured[static_cast<std::size_t>(--t.configurations)];
  *grid = c.grid;
  *block = c.block;
  *shared = c.shared;
  *stream = c.stream;
  t.takes_configuration = true;
  return cudaSuccess;
}

MMM_CUDA_API cudaError_t cudaLaunchKernel(void const* function, abi::dim3 grid, abi::dim3 block,
                                          void** arguments, std::size_t shared,
                                          cudaStream_t stream) {
  thread_state& t = this_thread();
  t.launches_without_result = std::exchange(t.takes_configuration, false);
  cudaError_t const result = api([&](process& p) {
    try {
      issue(p, stream, kernel_work_of(p, function, grid, block, shared, arguments));
    } catch (failure const& f) {
      if (t.launches_without_result)
        note_failed_launch(p, program_of(p, kernel_of(function), p.current().number).demangled,
                           f.code);
      throw;
    }
  });
  t.launches_without_result = false;
  return result;
}

MMM_CUDA_API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, abi::dim3 grid, abi::dim3 block,
                                            void** arguments, std::size_t shared,
                                            cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

MMM_CUDA_API cudaError_t cudaLaunchCooperativeKernel(void const* function, abi::dim3 grid,
                                                     abi::dim3 block, void** arguments,
                                                     std::size_t shared, cudaStream_t stream) {
  return api([&](process& p) {
    kernel_work k = kernel_work_of(p, function, grid, block, shared, arguments);
    k.cooperative = true;
    issue(p, stream, std::move(k));
  });
}

MMM_CUDA_API cudaError_t cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const* function,
                                             void** arguments) {
  return api([&](process& p) {
    require(config != nullptr && (config->attrs != nullptr || config->numAttrs == 0),
            cudaErrorInvalidValue);
    kernel_work k = kernel_work_of(p, function, config->gridDim, config->blockDim,
                                   config->dynamicSmemBytes, arguments);
    std::vector<cudaEvent_t> events;
    for (unsigned a = 0; a < config->numAttrs; ++a)
      if (auto const& [id, padding, value] = config->attrs[a];
          cudaEvent_t const e = event_of_attribute(id, value)) {
        require((event_of(p, e).flags & disable_timing) != 0, cudaErrorInvalidValue);
        events.push_back(e);
      } else {
        set_attribute(k, id, value);
      }
    issue(p, config->stream, std::move(k));
    for (cudaEvent_t const e : events)
      if (cudaError_t const result = cudaEventRecord(e, config->stream); result != cudaSuccess)
        throw failure{result};
  });
}

}  // namespace device::runtime
