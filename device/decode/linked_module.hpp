// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/operation.hpp>
#include <device/decode/services.hpp>
#include <device/memory/memory.hpp>
#include <device/ptx/machine_code.hpp>
#include <device/ptx/module.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace device {

//! The code of one or more PTX texts on one device, its variables in that device's memory.
//! Functions are decoded when they are first asked for. Thread-safe.
class linked_module {
 public:
  //! Several texts are linked: what one declares `.extern` another defines. Their functions are
  //! decoded into the handlers of `execution`.
  linked_module(std::vector<std::string> texts, global_memory&, int device,
                decode::services const& execution);
  ~linked_module();
  linked_module(linked_module const&) = delete;
  linked_module& operator=(linked_module const&) = delete;

  //! The kernel or function of that mangled name, decoded, to be executed; null if there is none.
  //! Throws device::unsupported that names an instruction and its source line if the device does
  //! not support all of its instructions.
  [[nodiscard]] program const* find(std::string_view name);
  //! The same, to be asked for its needs: program::refused may name instructions.
  [[nodiscard]] program const* describe(std::string_view name);
  //! True if a kernel of that name exists; decodes nothing.
  [[nodiscard]] bool has_kernel(std::string_view name) const;
  //! The names of all kernels, in the order of the texts.
  [[nodiscard]] std::vector<std::string> kernels() const;
  //! Reads the bodies of all functions. Throws device::unreadable_ptx.
  void read_bodies() const;
  //! Frees the variables' memory: the module's code is not executed any more.
  void free_variables();
  //! The function with that number (operation::target of a call, function_window addresses),
  //! decoded, to be executed. The address of a kernel or function is function_window + number.
  //! Throws as find.
  [[nodiscard]] program const& function(std::uint32_t number);
  //! The same, to be asked for its needs.
  [[nodiscard]] program const& describe(std::uint32_t number);
  [[nodiscard]] std::uint32_t functions() const;
  //! True if a kernel, or a function that it may call, uses the shared memory that the system
  //! reserves for cooperative groups.
  [[nodiscard]] bool uses_reserved_shared(program const& kernel) const;
  [[nodiscard]] std::string name_of(std::uint32_t number) const;  //!< demangled
  //! The number of a function; none if there is no such function.
  [[nodiscard]] std::optional<std::uint32_t> number_of(std::string_view name) const;

  struct symbol {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    bool managed = false;
  };
  //! A variable of the .global or .const space.
  [[nodiscard]] std::optional<symbol> variable(std::string_view name) const;
  [[nodiscard]] int version() const;  //!< of the PTX, 90
  [[nodiscard]] int target() const;   //!< 90 of sm_90

  //! The machine code of the same functions, if the program has some for the device: for reports.
  void set_machine_code(std::string_view cubin);
  //! The resources of a kernel there; nothing if there is no machine code, or it lacks the kernel.
  [[nodiscard]] std::optional<ptx::machine_resources> resources_of(std::string const& name) const;

 private:
  struct state;
  std::unique_ptr<state> state_;
  std::map<std::string, ptx::machine_resources> resources_{};
};

}  // namespace device
