// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace run {

//! The facts about a program that its ELF file states.
struct program_file {
  bool is_script = false;             //!< another program executes it; the rest is unknown
  bool has_interpreter = false;       //!< it is linked dynamically: a preloaded library takes part
  bool has_device_code = false;       //!< it has a section of nvcc's fat binaries
  std::vector<std::string> needed{};  //!< libraries that it names itself
};

//! A function or variable that a file has, or looks for, when it is loaded.
struct dynamic_symbol {
  std::string name{};
  bool is_undefined = false;
  bool is_weak = false;
};

//! The dynamic symbols of an ELF file; none if it has none, or is no ELF file.
[[nodiscard]] std::vector<dynamic_symbol> dynamic_symbols_of(std::string const& path);
//! The libraries that the loader would load for a program: their paths, or their names where it
//! does not find them.
[[nodiscard]] std::vector<std::string> library_paths_of(std::string const& program);

//! The path of a program: its name if that has a slash, otherwise the first executable file of that
//! name in a folder of PATH. Throws tool::failure if there is none.
[[nodiscard]] std::string find_program(std::string const& name);

//! Reads the ELF file of a program. Throws tool::failure if the file is not one for this machine.
[[nodiscard]] program_file read_program(std::string const& path);

//! Throws tool::failure that says what helps if the program needs a CUDA runtime of another version
//! than 13, or has no loader. False if it has no device code and needs neither the runtime nor the
//! driver's library: it may load them itself, as a Python interpreter does, or be a script.
[[nodiscard]] bool check_cuda_program(std::string const& path);

}  // namespace run
