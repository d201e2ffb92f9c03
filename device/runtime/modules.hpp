// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/linked_module.hpp>
#include <device/ptx/fatbin.hpp>
#include <device/runtime/process.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

//! Device code: that of the program, as nvcc's host code registers it before main, and that which
//! the program loads by the driver's API.
namespace device::runtime {

struct kernel;

//! Device code of one or more object files: loaded on a device when it is first needed there.
struct fat_binary {
  void const* data = nullptr;
  bool read = false;
  std::vector<ptx::fat_member> members{};
  std::vector<std::unique_ptr<linked_module>> code{};  //!< by device
  std::unordered_map<std::string, kernel*> kernels{};  //!< by mangled name
  bool has_managed = false;
  int only_device = -1;  //!< of a module, which is one device's; -1: of all
};

//! A kernel as the host knows it. Its address is the cudaKernel_t and the cudaFunction_t.
struct kernel {
  fat_binary* binary = nullptr;
  std::string name;            //!< mangled
  void const* host = nullptr;  //!< the host function that stands for it
  struct options {
    int dynamic_shared = -1;  //!< cudaFuncAttributeMaxDynamicSharedMemorySize, if set
    int carveout = -1;
    int cluster[3] = {0, 0, 0};
    bool non_portable_cluster = false;
    int cluster_policy = 0;
  };
  std::vector<options> of_device{};

  [[nodiscard]] options& on(int device);
};

//! A `__device__`, `__constant__` or `__managed__` variable as the host knows it.
struct host_variable {
  fat_binary* binary = nullptr;
  std::string name;
  std::uint64_t bytes = 0;
  void** managed_pointer = nullptr;  //!< of a managed one: where the host finds its address
};

//! Registers code that the program loads, whose members have been read.
[[nodiscard]] fat_binary& add_binary(std::vector<ptx::fat_member>);
//! Registers a kernel of it.
[[nodiscard]] kernel& add_kernel(fat_binary&, std::string name);
//! The kernel of that name, which is there; known to the host or not.
[[nodiscard]] kernel& kernel_named(fat_binary&, std::string const& name);
//! The answer of cudaFuncGetAttributes.
[[nodiscard]] abi::cudaFuncAttributes function_attributes(process&, kernel&, int device);
//! Ends the use of a fat binary: its kernels' handles are invalid. The code stays, since reports at
//! the end of the process name it.
void remove_binary(fat_binary&);
//! The code of a fat binary on a device.
[[nodiscard]] linked_module& code_of(process&, fat_binary&, int device);
//! The kernel that a host function stands for, or a cudaKernel_t or cudaFunction_t is; null if
//! none.
[[nodiscard]] kernel* find_kernel(void const* function);
//! The same; fails with cudaErrorInvalidDeviceFunction.
[[nodiscard]] kernel& kernel_of(void const* function);
//! A kernel's code on a device, to be launched; fails with cudaErrorInvalidDeviceFunction. Throws
//! device::unsupported that names an instruction if the device does not support all of them.
[[nodiscard]] program const& program_of(process&, kernel const&, int device);
//! The same, to be asked for its needs, whatever its instructions are.
[[nodiscard]] program const& description_of(process&, kernel const&, int device);

struct symbol_place {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};
//! The place of a variable on a device; fails with cudaErrorInvalidSymbol.
[[nodiscard]] symbol_place symbol_of(process&, void const* host_variable, int device);

//! Stores the addresses of all `__managed__` variables of a fat binary in the host's pointers to
//! them.
void load_managed(process&, fat_binary&);

}  // namespace device::runtime
