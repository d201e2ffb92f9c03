// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of what a program's device code needs and this device has not, for mmm-run.
#include "compose.hpp"

#include <device/core/elf_file.hpp>
#include <device/core/failure.hpp>
#include <device/decode/instruction_text.hpp>
#include <device/decode/linked_module.hpp>
#include <device/execute/engine/services.hpp>
#include <device/memory/memory.hpp>
#include <device/ptx/fatbin.hpp>
#include <device/runtime/gpus.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace device {

namespace {

//! Receives an entry: its kind, its name, its place, and the reason.
using list_taker = void (*)(void*, char const*, char const*, char const*, char const*);

//! Names the instructions of all functions of these texts that are not supported.
void list_instructions(std::vector<std::string> texts, list_taker take, void* to) {
  constexpr std::uint64_t memory_bytes = std::uint64_t{1} << 36;
  global_memory memory(memory_bytes, 1);
  linked_module code(std::move(texts), memory, 0, execution_services());
  for (std::uint32_t number = 0; number < code.functions(); ++number) try {
      program const& p = code.describe(number);
      for (refused_instruction const& r : p.refused) {
        ptx::instruction const& i = p.body.instructions[r.instruction];
        std::string const name = decode::name_text(i);
        std::string const place = decode::place_text(p, i).substr(name.size() + 2);
        take(to, "instruction", name.c_str(), place.substr(0, place.size() - 1).c_str(),
             r.why.c_str());
      }
    } catch (unsupported const& e) {
      take(to, "function", code.name_of(number).c_str(), "", e.what());
    }
}

void list_code(int capability, std::string_view file, list_taker take, void* to) {
  elf_image const program(file);
  if (!program.header()) {
    list_instructions({std::string(file)}, take, to);
    return;
  }
  for (std::vector<ptx::fat_member> const& members : ptx::read_fat_binaries(program)) try {
      std::vector<std::string> texts;
      for (ptx::fat_member const* const m : ptx::choose_linked_ptx(members, capability))
        texts.push_back(m->text);
      list_instructions(std::move(texts), take, to);
    } catch (unsupported const& e) {
      take(to, "code", "", "", e.what());
    }
}

}  // namespace

//! Names what this device lacks of the code in a file's contents, a PTX text or a program, for a
//! GPU of gpus.hpp. For mmm-run --list-unsupported.
extern "C" [[gnu::visibility("default")]] void mmm_list_unsupported(
    char const* gpu, char const* file, std::size_t bytes, list_taker take, void* to) noexcept {
  try {
    list_code(runtime::gpu_of(gpu).capability(), {file, bytes}, take, to);
  } catch (std::exception const& e) {
    take(to, "code", "", "", e.what());
  }
}

}  // namespace device
