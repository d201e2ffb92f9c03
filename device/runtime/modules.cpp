// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "modules.hpp"

#include "caller.hpp"

#include <device/core/failure.hpp>
#include <device/core/vendor_libraries.hpp>

#include <deque>
#include <list>
#include <mutex>
#include <unordered_map>

namespace device::runtime {

using namespace abi;

namespace {

//! All that was registered. Lives from the first registration, before main, to the end of the
//! process.
struct registry {
  std::list<fat_binary> binaries;
  std::deque<kernel> kernels;
  std::unordered_map<void const*, kernel*> by_host;  // host function, or the kernel's own address
  std::unordered_map<void const*, host_variable> variables;
};

registry& registered() {
  static registry& all = *new registry;
  return all;
}

fat_binary& binary_of(void** handle) { return *reinterpret_cast<fat_binary*>(handle); }

//! The PTX of a binary for a compute capability. Fails with missing_image that names the file, or
//! with unsupported if that is a library of machine code.
std::vector<ptx::fat_member const*> chosen_ptx(fat_binary const& binary, int capability) {
  try {
    return ptx::choose_linked_ptx(binary.members, capability);
  } catch (missing_image const& e) {
    std::string const path = file_of(binary.data);
    if (std::string const text = missing_ptx_of(path); !text.empty()) throw unsupported(text);
    if (path.empty()) throw;
    throw missing_image(path.substr(path.rfind('/') + 1) + ": " + e.what());
  }
}

}  // namespace

kernel::options& kernel::on(int device) {
  if (of_device.size() <= static_cast<std::size_t>(device))
    of_device.resize(static_cast<std::size_t>(device) + 1);
  return of_device[static_cast<std::size_t>(device)];
}

fat_binary& add_binary(std::vector<ptx::fat_member> members) {
  fat_binary& b = registered().binaries.emplace_back();
  b.members = std::move(members);
  b.read = true;
  return b;
}

kernel& add_kernel(fat_binary& binary, std::string name) {
  auto& known = registered();
  kernel& k = known.kernels.emplace_back();
  k.binary = &binary;
  k.name = std::move(name);
  known.by_host.insert_or_assign(&k, &k);
  binary.kernels.emplace(k.name, &k);
  return k;
}

kernel& kernel_named(fat_binary& binary, std::string const& name) {
  auto const found = binary.kernels.find(name);
  return found == binary.kernels.end() ? add_kernel(binary, name) : *found->second;
}

void remove_binary(fat_binary& binary) {
  std::erase_if(registered().by_host,
                [&](auto const& entry) { return entry.second->binary == &binary; });
  std::erase_if(registered().variables,
                [&](auto const& entry) { return entry.second.binary == &binary; });
}

linked_module& code_of(process& p, fat_binary& binary, int device) {
  require(binary.only_device < 0 || binary.only_device == device, cudaErrorInvalidResourceHandle);
  auto const d = static_cast<std::size_t>(device);
  if (binary.code.size() <= d) binary.code.resize(p.contexts.size());
  if (binary.code[d]) return *binary.code[d];
  if (!binary.read) binary.members = ptx::read_fat_binary(binary.data);
  binary.read = true;
  if (binary.has_managed)
    for (auto const& other : binary.code)
      if (other)
        throw unsupported(
            "__managed__ variables with kernels on several devices are not supported");
  std::vector<std::string> texts;
  for (ptx::fat_member const* m : chosen_ptx(binary, p.chip.capability())) texts.push_back(m->text);
  binary.code[d] =
      std::make_unique<linked_module>(std::move(texts), p.memory, device, p.with.execution);
  if (auto const* const machine = ptx::find_machine_code(binary.members, p.chip.capability()))
    binary.code[d]->set_machine_code(machine->text);
  return *binary.code[d];
}

kernel* find_kernel(void const* function) {
  auto const& known = registered().by_host;
  auto const found = known.find(function);
  return found == known.end() ? nullptr : found->second;
}

kernel& kernel_of(void const* function) {
  kernel* const k = find_kernel(function);
  require(k != nullptr, cudaErrorInvalidDeviceFunction);
  return *k;
}

program const& program_of(process& p, kernel const& k, int device) {
  linked_module& code = code_of(p, *k.binary, device);
  require(code.has_kernel(k.name), cudaErrorInvalidDeviceFunction);
  return *code.find(k.name);
}

program const& description_of(process& p, kernel const& k, int device) {
  linked_module& code = code_of(p, *k.binary, device);
  require(code.has_kernel(k.name), cudaErrorInvalidDeviceFunction);
  return *code.describe(k.name);
}

symbol_place symbol_of(process& p, void const* variable, int device) {
  auto const& known = registered().variables;
  auto found = known.find(variable);
  // Host code names a managed variable by what its pointer leads to.
  if (found == known.end())
    for (found = known.begin(); found != known.end(); ++found)
      if (found->second.managed_pointer != nullptr && *found->second.managed_pointer == variable)
        break;
  require(variable != nullptr && found != known.end(), cudaErrorInvalidSymbol);
  auto const symbol = code_of(p, *found->second.binary, device).variable(found->second.name);
  require(symbol.has_value(), cudaErrorInvalidSymbol);
  return {symbol->address, symbol->bytes};
}

void load_managed(process& p, fat_binary& binary) {
  if (!binary.has_managed) return;
  for (auto& [host, v] : registered().variables) {
    if (v.binary != &binary || v.managed_pointer == nullptr || *v.managed_pointer != nullptr)
      continue;
    auto const symbol = code_of(p, binary, p.current().number).variable(v.name);
    require(symbol.has_value(), cudaErrorInvalidSymbol);
    *v.managed_pointer = pointer_to(symbol->address);
  }
}

// --- entry points: registration, before main; needs no device ------------------------------------

MMM_CUDA_API void** __cudaRegisterFatBinary(void* data) {
  std::scoped_lock const hold(big_lock());
  fat_binary& b = registered().binaries.emplace_back();
  b.data = data;
  return reinterpret_cast<void**>(&b);
}

MMM_CUDA_API void __cudaRegisterFatBinaryEnd(void** /*handle*/) {}

MMM_CUDA_API void __cudaUnregisterFatBinary(void** handle) {
  // Destructors may still run kernels' cleanup.
  std::scoped_lock const hold(big_lock());
  remove_binary(binary_of(handle));
}

MMM_CUDA_API void __cudaRegisterFunction(void** handle, char const* host, char* /*device*/,
                                         char const* name, int /*thread_limit*/, void* /*tid*/,
                                         void* /*bid*/, void* /*block*/, void* /*grid*/,
                                         int* /*warp_size*/) {
  std::scoped_lock const hold(big_lock());
  kernel& k = add_kernel(binary_of(handle), name);
  k.host = host;
  registered().by_host.insert_or_assign(host, &k);
}

MMM_CUDA_API void __cudaRegisterVar(void** handle, char* host, char* /*device*/, char const* name,
                                    int /*ext*/, std::size_t bytes, int /*constant*/,
                                    int /*global*/) {
  std::scoped_lock const hold(big_lock());
  registered().variables.insert_or_assign(host,
                                          host_variable{&binary_of(handle), name, bytes, nullptr});
}

MMM_CUDA_API void __cudaRegisterManagedVar(void** handle, void** host, char* /*device*/,
                                           char const* name, int /*ext*/, std::size_t bytes,
                                           int /*constant*/, int /*global*/) {
  std::scoped_lock const hold(big_lock());
  binary_of(handle).has_managed = true;
  registered().variables.insert_or_assign(host,
                                          host_variable{&binary_of(handle), name, bytes, host});
}

MMM_CUDA_API char __cudaInitModule(void** handle) {
  return api([&](process& p) { load_managed(p, binary_of(handle)); }) == cudaSuccess ? 1 : 0;
}

MMM_CUDA_API cudaError_t __cudaGetKernel(cudaKernel_t* out, void const* function) {
  std::scoped_lock const hold(big_lock());
  kernel* const k = find_kernel(function);
  if (out == nullptr) return remember(cudaErrorInvalidValue);
  *out = reinterpret_cast<cudaKernel_t>(k);
  return k == nullptr ? remember(cudaErrorInvalidDeviceFunction) : cudaSuccess;
}

}  // namespace device::runtime
