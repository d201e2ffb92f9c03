// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "modules.hpp"

#include <device/core/failure.hpp>
#include <device/core/vendor_libraries.hpp>
#include <device/ptx/module.hpp>
#include <device/runtime/agenda.hpp>
#include <device/runtime/caller.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

namespace device::driver {

namespace {

using loaded_table = std::unordered_map<loaded_code const*, std::unique_ptr<loaded_code>>;

loaded_table& all_loaded() {
  static loaded_table& all = *new loaded_table;
  return all;
}

cudaLibrary_t handle_of(loaded_code& c) { return reinterpret_cast<cudaLibrary_t>(&c); }

//! The first four bytes of what may be an image.
constexpr std::uint32_t fat_wrapper = 0x466243b1U;
constexpr std::uint32_t fat_container = 0xba55ed50U;
constexpr std::uint32_t elf = 0x464c457fU;
constexpr std::uint32_t intermediate_code = 0x7f4e43edU;  // NVVM's, of -dlto
constexpr std::uint32_t bitcode = 0xdec04342U;
constexpr std::uint32_t archive = 0x72613c21U;     // of a static library
constexpr std::uint32_t linked_ptx = 0x4b4c4d4dU;  // "MMLK", of linked_image

//! Before each text of a linked image; one without bytes ends it.
struct linked_text {
  std::uint64_t bytes = 0;
  std::int32_t unit = 0;
  std::int32_t architecture = 0;
  std::int64_t variant = 0;
};

void print_line(char const* function, std::string const& text) {
  std::fflush(stdout);
  std::fprintf(stderr, "mmm-run: %s: %s\n", function, text.c_str());
}

[[noreturn]] void refuse_ptx(char const* function, jit_options const& log,
                             std::string const& reason) {
  print_line(function, reason);
  log.write_error(reason + "\n");
  throw failure{cudaErrorInvalidPtx};
}

ptx::fat_member text_member(std::string text) {
  ptx::fat_member m;
  m.kind = ptx::fat_member::kind_type::ptx;
  ptx::module declared;
  ptx::parse(text, declared);
  std::string const& target = declared.target;  // sm_90a
  std::size_t const digits = target.find_first_of("0123456789");
  if (digits != std::string::npos) {
    m.architecture = std::atoi(target.c_str() + digits);
    if (char const last = target.back(); last == 'a' || last == 'f') m.variant = last;
  }
  m.text = std::move(text);
  return m;
}

std::vector<ptx::fat_member> linked_members(char const* data) {
  std::vector<ptx::fat_member> members;
  for (linked_text head;; data += head.bytes) {
    std::memcpy(&head, data, sizeof head);
    data += sizeof head;
    if (head.bytes == 0) return members;
    ptx::fat_member& m = members.emplace_back();
    m.kind = ptx::fat_member::kind_type::ptx;
    m.unit = head.unit;
    m.architecture = head.architecture;
    m.variant = static_cast<char>(head.variant);
    m.text.assign(data, head.bytes);
  }
}

//! Reads all of the code, so that a mistake in it is found now.
void read_all(process& p, runtime::fat_binary& binary, int device) {
  runtime::code_of(p, binary, device).read_bodies();
}

}  // namespace

// --- options -------------------------------------------------------------------------------------

jit_options::jit_options(unsigned count, CUjit_option const* options, void** values) {
  require(count == 0 || (options != nullptr && values != nullptr), cudaErrorInvalidValue);
  for (unsigned k = 0; k < count; ++k) {
    require(options[k] < CU_JIT_NUM_OPTIONS, cudaErrorInvalidValue);
    switch (options[k]) {
      case CU_JIT_INFO_LOG_BUFFER:
        info_ = values + k;
        break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        info_size_ = values + k;
        break;
      case CU_JIT_ERROR_LOG_BUFFER:
        error_ = values + k;
        break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        error_size_ = values + k;
        break;
      case CU_JIT_WALL_TIME: {
        float const milliseconds = 0;
        std::memcpy(values + k, &milliseconds, sizeof milliseconds);
        break;
      }
      default:
        break;
    }
  }
}

void jit_options::write(void** buffer, void** size, std::string const& text) {
  if (buffer == nullptr || *buffer == nullptr || size == nullptr) return;
  auto const room = static_cast<std::size_t>(runtime::address_of(*size) & 0xffff'ffffU);
  if (room == 0) return;
  std::size_t const written = std::min(room - 1, text.size());
  std::memcpy(*buffer, text.data(), written);
  static_cast<char*>(*buffer)[written] = '\0';
  *size = runtime::pointer_to(written == 0 ? 0 : written + 1);
}

// --- loading -------------------------------------------------------------------------------------

std::string contents_of(char const* path) {
  require(path != nullptr, cudaErrorInvalidValue);
  std::ifstream file(path, std::ios::binary);
  require(file.good(), cudaErrorFileNotFound);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<ptx::fat_member> members_of(image const& given, char const* function) {
  require(given.data != nullptr, cudaErrorInvalidValue);
  auto const* const text = static_cast<char const*>(given.data);
  // A text may be shorter than a number.
  std::uint32_t magic = 0;
  for (unsigned k = 0; k < 4 && k < given.bytes; ++k) {
    magic |= std::uint32_t{static_cast<unsigned char>(text[k])} << (8 * k);
    if (text[k] == '\0') break;
  }
  if (magic == elf)
    throw unsupported(std::string{function} +
                      ": machine code (a cubin, or an object file) cannot run on this device; load "
                      "PTX: nvcc -ptx, or -gencode arch=compute_90,code=compute_90");
  if (magic == intermediate_code || magic == bitcode)
    throw unsupported(std::string{function} +
                      ": NVVM's code cannot run on this device; load PTX, compiled without -dlto");
  // A static library has machine code; if another text needs one of its functions, that is named
  // when the texts are put together.
  if (magic == archive) return {ptx::fat_member{}};
  if (magic == linked_ptx) return linked_members(text + sizeof magic);
  if (magic == fat_wrapper || magic == fat_container) {
    try {
      return ptx::read_fat_binary(given.data, given.bytes);
    } catch (broken_image const& e) {
      print_line(function, e.what());
      throw failure{cudaErrorInvalidKernelImage};
    }
  }
  auto const first = static_cast<unsigned char>(text[0]);
  bool const is_text =
      given.bytes != 0 && (first >= ' ' || (first >= '\t' && first <= '\r')) && first < 0x7f;
  require(is_text, cudaErrorInvalidKernelImage);
  ptx::fat_member m;
  m.kind = ptx::fat_member::kind_type::ptx;
  m.text.assign(text, given.bytes == SIZE_MAX ? std::strlen(text) : strnlen(text, given.bytes));
  return {m};
}

std::string linked_image(std::vector<ptx::fat_member> const& members) {
  std::string image(reinterpret_cast<char const*>(&linked_ptx), sizeof linked_ptx);
  auto const append = [&](linked_text const& head, std::string const& text) {
    image.append(reinterpret_cast<char const*>(&head), sizeof head);
    image += text;
  };
  for (ptx::fat_member const& m : members)
    if (m.kind == ptx::fat_member::kind_type::ptx && !m.text.empty())
      append({m.text.size(), m.unit, m.architecture, m.variant}, m.text);
  append({}, {});
  return image;
}

loaded_code& load(process& p, std::vector<ptx::fat_member> members, jit_options const& log,
                  bool is_library, char const* function) {
  int const device = p.current().number;
  int const capability = p.chip.capability();
  runtime::fat_binary* binary = nullptr;
  try {
    for (ptx::fat_member& m : members)
      if (m.kind == ptx::fat_member::kind_type::ptx && m.architecture == 0) {
        int const unit = m.unit;
        m = text_member(std::move(m.text));
        m.unit = unit;
        bool const fits = m.architecture <= capability &&
                          (m.variant != 'a' || m.architecture == capability) &&
                          (m.variant != 'f' || m.architecture / 10 == capability / 10);
        if (!fits)
          refuse_ptx(function, log,
                     "PTX for sm_" + std::to_string(m.architecture) +
                         (m.variant != 0 ? std::string{m.variant} : std::string{}) +
                         ", which does not run on a device of compute capability " +
                         std::to_string(capability));
      }
    binary = &runtime::add_binary(std::move(members));
    if (!is_library) binary->only_device = device;
    read_all(p, *binary, device);
  } catch (unreadable_ptx const& e) {
    refuse_ptx(function, log, e.what());
  } catch (missing_image const& e) {
    for (void const* const c : runtime::callers())
      if (std::string const text = missing_ptx_of(runtime::file_of(c)); !text.empty())
        throw unsupported(text);
    // Machine code that a GPU would execute: the program is not wrong.
    if (ptx::find_machine_code(binary->members, capability) != nullptr) throw;
    print_line(function, e.what());
    throw failure{cudaErrorNoKernelImageForDevice};
  }
  auto made = std::make_unique<loaded_code>();
  made->binary = binary;
  made->is_library = is_library;
  if (!is_library) made->owner = &p.current();
  for (std::string const& name : runtime::code_of(p, *binary, device).kernels()) {
    runtime::kernel& k = runtime::add_kernel(*binary, name);
    made->kernels.push_back(&k);
    made->by_name.emplace(name, &k);
  }
  log.write_error({});
  log.write_info({});
  loaded_code& code = *made;
  all_loaded().emplace(&code, std::move(made));
  return code;
}

void unload_of(process& p, runtime::context const& c) {
  std::vector<loaded_code*> all;
  for (auto const& [handle, code] : all_loaded())
    if (code->owner == &c) all.push_back(code.get());
  for (loaded_code* const code : all) unload(p, *code);
}

loaded_code& code_of(cudaLibrary_t handle) {
  auto const found = all_loaded().find(reinterpret_cast<loaded_code*>(handle));
  require(found != all_loaded().end(), cudaErrorInvalidResourceHandle);
  return *found->second;
}

loaded_code& code_of(runtime::kernel const& k) {
  for (auto const& [handle, code] : all_loaded())
    if (code->binary == k.binary) return *code;
  throw failure{cudaErrorInvalidResourceHandle};
}

runtime::kernel& kernel_named(loaded_code& code, char const* name) {
  require(name != nullptr, cudaErrorInvalidValue);
  auto const found = code.by_name.find(name);
  require(found != code.by_name.end(), cudaErrorSymbolNotFound);
  return *found->second;
}

void unload(process& p, loaded_code& code) {
  for (std::size_t d = 0; d < code.binary->code.size(); ++d) {
    if (!code.binary->code[d]) continue;
    p.todo.wait_for_device(static_cast<int>(d));
    code.binary->code[d]->free_variables();
  }
  runtime::remove_binary(*code.binary);
  all_loaded().erase(&code);
}

namespace {

cudaError_t load_module(process& p, cudaLibrary_t* out, image const& given, jit_options const& log,
                        char const* function) {
  require(out != nullptr, cudaErrorInvalidValue);
  *out = handle_of(load(p, members_of(given, function), log, false, function));
  return cudaSuccess;
}

cudaError_t find_global(process& p, void** out, std::size_t* bytes, cudaLibrary_t handle,
                        char const* name, bool is_managed) {
  loaded_code const& code = code_of(handle);
  require(name != nullptr, cudaErrorInvalidValue);
  auto const v = runtime::code_of(p, *code.binary, p.current().number).variable(name);
  require(v && (v->managed || !is_managed), cudaErrorSymbolNotFound);
  if (out != nullptr) *out = runtime::pointer_to(v->address);
  if (bytes != nullptr) *bytes = v->bytes;
  return cudaSuccess;
}

template <class Handle>
cudaError_t count_kernels(unsigned* count, Handle handle) {
  require(count != nullptr, cudaErrorInvalidValue);
  *count = static_cast<unsigned>(code_of(handle).kernels.size());
  return cudaSuccess;
}

cudaError_t list_kernels(cudaKernel_t* out, unsigned count, cudaLibrary_t handle) {
  loaded_code const& code = code_of(handle);
  require(out != nullptr || count == 0, cudaErrorInvalidValue);
  for (std::size_t k = 0; k < std::min<std::size_t>(count, code.kernels.size()); ++k)
    out[k] = reinterpret_cast<cudaKernel_t>(code.kernels[k]);
  return cudaSuccess;
}

}  // namespace

// --- modules -------------------------------------------------------------------------------------
// A CUmodule is a cudaLibrary_t here: both are code that was loaded.

MMM_CUDA_API CUresult cuModuleLoadData(cudaLibrary_t* out, void const* data) {
  return call([&](process& p) {
    return load_module(p, out, {data}, {0, nullptr, nullptr}, "cuModuleLoadData");
  });
}

MMM_CUDA_API CUresult cuModuleLoadDataEx(cudaLibrary_t* out, void const* data, unsigned count,
                                         CUjit_option const* options, void** values) {
  return call([&](process& p) {
    return load_module(p, out, {data}, {count, options, values}, "cuModuleLoadDataEx");
  });
}

MMM_CUDA_API CUresult cuModuleLoadFatBinary(cudaLibrary_t* out, void const* data) {
  return call([&](process& p) {
    return load_module(p, out, {data}, {0, nullptr, nullptr}, "cuModuleLoadFatBinary");
  });
}

MMM_CUDA_API CUresult cuModuleLoad(cudaLibrary_t* out, char const* path) {
  return call([&](process& p) {
    std::string const file = contents_of(path);
    return load_module(p, out, {file.data(), file.size()}, {0, nullptr, nullptr}, "cuModuleLoad");
  });
}

MMM_CUDA_API CUresult cuModuleUnload(cudaLibrary_t handle) {
  return call<needs::initialization>([&](process& p) {
    loaded_code& code = code_of(handle);
    require(!code.is_library, cudaErrorInvalidResourceHandle);
    unload(p, code);
  });
}

MMM_CUDA_API CUresult cuModuleGetFunction(cudaFunction_t* out, cudaLibrary_t handle,
                                          char const* name) {
  return call([&](process&) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = reinterpret_cast<cudaFunction_t>(&kernel_named(code_of(handle), name));
  });
}

MMM_CUDA_API CUresult cuModuleGetGlobal_v2(void** out, std::size_t* bytes, cudaLibrary_t handle,
                                           char const* name) {
  return call([&](process& p) { return find_global(p, out, bytes, handle, name, false); });
}

MMM_CUDA_API CUresult cuModuleGetFunctionCount(unsigned* count, cudaLibrary_t handle) {
  return call([&](process&) { return count_kernels(count, handle); });
}
MMM_CUDA_API CUresult cuModuleEnumerateFunctions(cudaKernel_t* out, unsigned count,
                                                 cudaLibrary_t handle) {
  return call([&](process&) { return list_kernels(out, count, handle); });
}

MMM_CUDA_API CUresult cuModuleGetLoadingMode(unsigned* mode) {
  constexpr unsigned lazy = 2;
  return call<needs::initialization>([&](process&) {
    require(mode != nullptr, cudaErrorInvalidValue);
    *mode = lazy;
  });
}

// --- libraries -----------------------------------------------------------------------------------

MMM_CUDA_API CUresult cuLibraryLoadData(cudaLibrary_t* out, void const* data,
                                        CUjit_option const* options, void** values, unsigned count,
                                        unsigned const* /*library_options*/,
                                        void** /*library_values*/, unsigned /*library_count*/) {
  return call<needs::initialization>([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = handle_of(load(p, members_of({data}, "cuLibraryLoadData"), {count, options, values},
                          true, "cuLibraryLoadData"));
  });
}

MMM_CUDA_API CUresult cuLibraryLoadFromFile(cudaLibrary_t* out, char const* path,
                                            CUjit_option const* options, void** values,
                                            unsigned count, unsigned const* /*library_options*/,
                                            void** /*library_values*/, unsigned /*library_count*/) {
  return call<needs::initialization>([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    std::string const file = contents_of(path);
    *out = handle_of(load(p, members_of({file.data(), file.size()}, "cuLibraryLoadFromFile"),
                          {count, options, values}, true, "cuLibraryLoadFromFile"));
  });
}

MMM_CUDA_API CUresult cuLibraryUnload(cudaLibrary_t handle) {
  return call<needs::initialization>([&](process& p) {
    loaded_code& code = code_of(handle);
    require(code.is_library, cudaErrorInvalidResourceHandle);
    unload(p, code);
  });
}

MMM_CUDA_API CUresult cuLibraryGetKernel(cudaKernel_t* out, cudaLibrary_t handle,
                                         char const* name) {
  return call<needs::initialization>([&](process&) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = reinterpret_cast<cudaKernel_t>(&kernel_named(code_of(handle), name));
  });
}

MMM_CUDA_API CUresult cuLibraryGetKernelCount(unsigned* count, cudaLibrary_t handle) {
  return call<needs::initialization>([&](process&) { return count_kernels(count, handle); });
}
MMM_CUDA_API CUresult cuLibraryEnumerateKernels(cudaKernel_t* out, unsigned count,
                                                cudaLibrary_t handle) {
  return call<needs::initialization>([&](process&) { return list_kernels(out, count, handle); });
}

MMM_CUDA_API CUresult cuLibraryGetModule(cudaLibrary_t* out, cudaLibrary_t handle) {
  return call([&](process&) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = handle_of(code_of(handle));
  });
}

MMM_CUDA_API CUresult cuLibraryGetGlobal(void** out, std::size_t* bytes, cudaLibrary_t handle,
                                         char const* name) {
  return call([&](process& p) { return find_global(p, out, bytes, handle, name, false); });
}
MMM_CUDA_API CUresult cuLibraryGetManaged(void** out, std::size_t* bytes, cudaLibrary_t handle,
                                          char const* name) {
  return call<needs::initialization>(
      [&](process& p) { return find_global(p, out, bytes, handle, name, true); });
}

}  // namespace device::driver
