// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/driver/entry.hpp>
#include <device/runtime/modules.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace device::driver {

using cudaLibrary_t = abi::cudaLibrary_t;

//! Device code that the program gives: PTX, or a fat binary.
struct image {
  void const* data = nullptr;
  std::size_t bytes = SIZE_MAX;  //!< that may be read there; PTX ends at a zero byte, too
};

//! A CUmodule, the code of one device, or a CUlibrary, that of all.
struct loaded_code {
  runtime::fat_binary* binary = nullptr;
  bool is_library = false;
  runtime::context const* owner = nullptr;  //!< of a module: ends with it
  std::vector<runtime::kernel*> kernels{};  //!< in the order of the code
  std::unordered_map<std::string, runtime::kernel*> by_name{};
};

//! The options of cuModuleLoadDataEx, cuLibraryLoadData and cuLinkCreate: what they have to do with
//! the log of the compiler. Others are accepted, and have no effect on PTX that is interpreted.
class jit_options {
 public:
  //! Fails with cudaErrorInvalidValue.
  jit_options(unsigned count, CUjit_option const* options, void** values);
  //! Writes a text into the program's buffer for errors, or for information.
  void write_error(std::string const& text) const { write(error_, error_size_, text); }
  void write_info(std::string const& text) const { write(info_, info_size_, text); }

 private:
  void** info_ = nullptr;
  void** info_size_ = nullptr;
  void** error_ = nullptr;
  void** error_size_ = nullptr;
  static void write(void** buffer, void** size, std::string const& text);
};

//! The texts of an image. Fails with the error of the driver for an image that cannot be read.
[[nodiscard]] std::vector<ptx::fat_member> members_of(image const&, char const* function);
//! An image of PTX texts that members_of reads: the result of linking.
[[nodiscard]] std::string linked_image(std::vector<ptx::fat_member> const&);
//! Adds a text, or those of a fat binary, to the texts that are linked, each as a unit.
void add_input(std::vector<ptx::fat_member>& into, CUjitInputType, image const&,
               char const* function);
//! Loads code for the current device, and notes its kernels. Fails with cudaErrorInvalidPtx, whose
//! reason is in the log and on stderr, or another error of the driver.
[[nodiscard]] loaded_code& load(process&, std::vector<ptx::fat_member>, jit_options const&,
                                bool is_library, char const* function);
//! Reads a file; fails with cudaErrorFileNotFound.
[[nodiscard]] std::string contents_of(char const* path);
//! The code of a handle; fails with cudaErrorInvalidResourceHandle.
[[nodiscard]] loaded_code& code_of(cudaLibrary_t);
//! The code that a kernel is of.
[[nodiscard]] loaded_code& code_of(runtime::kernel const&);
[[nodiscard]] runtime::kernel& kernel_named(loaded_code&, char const* name);
void unload(process&, loaded_code&);
//! Unloads the modules of a context.
void unload_of(process&, runtime::context const&);

}  // namespace device::driver
