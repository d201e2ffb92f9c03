// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>

namespace run {

//! Prints on stdout what a program, or a PTX file, needs that the device lacks: instructions of its
//! PTX, functions of the CUDA runtime and the driver that it and its libraries link, libraries
//! without PTX. Writes the same to the file `json`, if that is not empty.
//! \param gpu      the name of the GPU whose PTX is chosen
//! \param library  the path of libmmm_device.so
//! \return the number of entries. Throws tool::failure if a file cannot be read.
[[nodiscard]] std::size_t list_unsupported(std::string const& path, std::string const& gpu,
                                           std::string const& library, std::string const& json);

}  // namespace run
