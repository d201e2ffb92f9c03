// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replace.hpp"

#include <device/core/elf_file.hpp>

#include <algorithm>
#include <array>
#include <iterator>

namespace device::static_runtime {

namespace {

constexpr std::string_view names[] = {
#define MMM_CUDA_FUNCTION(name) #name,
#include <device/runtime/functions.def>
};
static_assert(std::is_sorted(std::begin(names), std::end(names)));
constexpr std::size_t not_of_runtime = std::size(names);

//! Functions that every program with a runtime of CUDA 13 has; the second is not in earlier ones.
constexpr std::string_view of_runtimes[] = {"__cudaRegisterFatBinary", "__cudaGetProcAddress",
                                            "cudaLaunchKernel", "cudaMalloc"};

//! The device's functions, in the order of `names`; null before find_device.
std::uint64_t targets[std::size(names)];
//! The device's count of files with a runtime that was replaced.
unsigned* replaced = nullptr;

//! A jump to any address.
#if defined(__x86_64__)
struct jump {
  unsigned char jmp[6] = {0xff, 0x25, 0, 0, 0, 0};  // jmp [rip]
  unsigned char target[8];
};
constexpr std::size_t jump_bytes = 14;
#elif defined(__aarch64__)
struct jump {
  unsigned char ldr_br[8] = {0x50, 0, 0, 0x58, 0, 0x02, 0x1f, 0xd6};  // ldr x16, . + 8; br x16
  unsigned char target[8];
};
constexpr std::size_t jump_bytes = 16;
#else
#error "the CUDA runtime does not exist for this machine"
#endif
static_assert(sizeof(jump) == jump_bytes);

//! Functions of the runtime begin at multiples of this, so that a shorter one has as much room.
constexpr std::uint64_t alignment = 16;
static_assert(jump_bytes <= alignment);

struct place {
  std::uint64_t address = 0;  //!< in the file
  std::size_t function = 0;   //!< index in `names`
};
struct places {
  std::array<place, std::size(names)> all{};
  std::size_t count = 0;
  bool is_clear = true;  //!< each function is there once, and has room for a jump
};

std::size_t index_of(std::string_view name) {
  if (!name.starts_with("cuda") && !name.starts_with("__cuda")) return not_of_runtime;
  auto const* const found = std::lower_bound(std::begin(names), std::end(names), name);
  return found != std::end(names) && *found == name
             ? static_cast<std::size_t>(found - std::begin(names))
             : not_of_runtime;
}

bool is_function(Elf64_Sym const& s) {
  return is_defined(s) && ELF64_ST_TYPE(s.st_info) == STT_FUNC;
}

bool has(places const& found, std::string_view name) {
  return std::any_of(found.all.begin(), found.all.begin() + found.count,
                     [&](place const& p) { return names[p.function] == name; });
}

//! The functions of a runtime that is linked into a file, by address.
places find_runtime(elf_file const& file) {
  places found;
  file.for_each_symbol(SHT_SYMTAB, [&](std::string_view name, Elf64_Sym const& s) {
    std::size_t const k = is_function(s) ? index_of(name) : not_of_runtime;
    if (k == not_of_runtime) return;
    if (found.count == found.all.size() || has(found, name)) {
      found.is_clear = false;
      return;
    }
    found.is_clear &= s.st_size >= jump_bytes || s.st_value % alignment == 0;
    found.all[found.count++] = {s.st_value, k};
  });
  if (found.count == 0) return found;  // as in nearly all files
  auto const end = found.all.begin() + found.count;
  std::sort(found.all.begin(), end,
            [](place const& a, place const& b) { return a.address < b.address; });
  // No other code begins where a jump will be.
  file.for_each_symbol(SHT_SYMTAB, [&](std::string_view name, Elf64_Sym const& s) {
    if (!is_function(s)) return;
    auto const after =
        std::upper_bound(found.all.begin(), end, s.st_value,
                         [](std::uint64_t a, place const& p) { return a < p.address; });
    if (after == found.all.begin()) return;
    place const& before = *std::prev(after);
    if (s.st_value - before.address < jump_bytes && names[before.function] != name)
      found.is_clear = false;
  });
  return found;
}

bool is_runtime(places const& found) {
  return std::all_of(std::begin(of_runtimes), std::end(of_runtimes),
                     [&](std::string_view name) { return has(found, name); });
}

//! True if the code at all places is the file's.
bool is_loaded(places const& found, elf_file const& file, std::uint64_t base) {
  return std::all_of(found.all.begin(), found.all.begin() + found.count, [&](place const& p) {
    char const* const in_file = file.loaded_to(p.address, jump_bytes);
    return in_file != nullptr &&
           std::memcmp(in_file, reinterpret_cast<void const*>(base + p.address), jump_bytes) == 0;
  });
}

void write_jump(std::uint64_t address, std::uint64_t target) {
  jump code;
  std::memcpy(code.target, &target, sizeof target);
  auto* const begin = reinterpret_cast<char*>(address);
  std::memcpy(begin, &code, sizeof code);
  __builtin___clear_cache(begin, begin + sizeof code);
}

}  // namespace

void find_device(loaded_file const& device) {
  elf_file(device.path).for_each_symbol(SHT_DYNSYM, [&](std::string_view name, Elf64_Sym const& s) {
    if (std::size_t const k = index_of(name); is_function(s) && k != not_of_runtime)
      targets[k] = device.base + s.st_value;
    if (name == "mmm_replaced_runtimes" && is_defined(s))
      replaced = reinterpret_cast<unsigned*>(device.base + s.st_value);
  });
}

void replace_runtime(loaded_file const& into) {
  elf_file const file(into.path);
  places const found = find_runtime(file);
  if (!found.is_clear || !is_runtime(found) || !is_loaded(found, file, into.base)) return;
  auto const end = found.all.begin() + found.count;
  if (std::any_of(found.all.begin(), end, [](place const& p) { return targets[p.function] == 0; }))
    return;
  auto const page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::uint64_t const first = (into.base + found.all[0].address) / page * page;
  std::uint64_t const last = into.base + found.all[found.count - 1].address + jump_bytes;
  auto* const begin = reinterpret_cast<void*>(first);
  if (mprotect(begin, last - first, PROT_READ | PROT_WRITE) != 0) return;
  for (auto p = found.all.begin(); p != end; ++p)
    write_jump(into.base + p->address, targets[p->function]);
  if (mprotect(begin, last - first, PROT_READ | PROT_EXEC) != 0) _exit(2);
  if (replaced != nullptr) ++*replaced;
}

}  // namespace device::static_runtime
