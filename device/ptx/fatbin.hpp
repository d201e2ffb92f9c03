// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace device {
class elf_image;
}

//! The container in which nvcc puts device code into a program.
namespace device::ptx {

//! One member of a fat binary.
struct fat_member {
  enum class kind_type { ptx, elf, other } kind = kind_type::other;
  int architecture = 0;  //!< 90 of compute_90
  char variant = 0;      //!< 'a' of compute_90a, 'f' of compute_100f; 0 otherwise
  std::string text;      //!< PTX, or machine code: decompressed; empty if that cannot be
  std::string name;      //!< of the source file, if given
  //! from 1 on: of which object file, if the device linker has linked several (-rdc=true)
  int unit = 0;
};

//! The members of the fat binary at `data` (the wrapper that __cudaRegisterFatBinary gets, magic
//! 0x466243b1, or the container itself, magic 0xba55ed50). Decompresses LZ4 and Zstandard.
//! Throws device::broken_image for what is no fat binary, or a damaged one, or ends after
//! `available` bytes; device::unsupported with the nvcc flag that helps for another version, or for
//! PTX of another compression.
[[nodiscard]] std::vector<fat_member> read_fat_binary(void const* data,
                                                      std::size_t available = SIZE_MAX);

//! The members of the fat binaries of a program or a library, each list as read_fat_binary has that
//! of one module: first the object files of relocatable device code, which are linked, if there are
//! some, then each other one. The device linker's machine code is left out. Throws as
//! read_fat_binary.
[[nodiscard]] std::vector<std::vector<fat_member>> read_fat_binaries(elf_image const& program);

//! The PTX to run on a device of compute capability `architecture` (90): that of the greatest
//! architecture that is not above it; `a` only if it is that architecture, `f` only if it is of
//! that family, and either only where there is no other PTX of the same architecture. Throws
//! device::unsupported that says which `-gencode` is missing if there is none.
[[nodiscard]] fat_member const& choose_ptx(std::vector<fat_member> const&, int architecture);

//! The machine code for a device of compute capability `architecture`: that of the greatest
//! architecture of the same generation that is not above it; null if there is none.
[[nodiscard]] fat_member const* find_machine_code(std::vector<fat_member> const&, int architecture);

//! The same for a program of relocatable device code: the PTX of each object file, to be linked.
//! Object files that have none for this device are left out (the runtime library for devices is
//! machine code); throws if all are.
[[nodiscard]] std::vector<fat_member const*> choose_linked_ptx(std::vector<fat_member> const&,
                                                               int architecture);

}  // namespace device::ptx
