// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "modules.hpp"

#include <device/core/failure.hpp>

#include <algorithm>
#include <memory>

// The linker: its result is no machine code, but the PTX that was given to it, in an image that
// cuModuleLoadData of this device takes.
namespace device::driver {

void add_input(std::vector<ptx::fat_member>& into, CUjitInputType type, image const& given,
               char const* function) {
  require(type <= CU_JIT_INPUT_NVVM, cudaErrorInvalidValue);
  if (type == CU_JIT_INPUT_NVVM)
    throw unsupported(std::string{function} +
                      ": NVVM's code cannot be linked on this device; compile to PTX, without "
                      "optimization at link time");
  int unit = 0;
  for (ptx::fat_member const& m : into) unit = std::max(unit, m.unit + 1);
  std::vector<ptx::fat_member> members = members_of(given, function);
  require(type != CU_JIT_INPUT_PTX || members.size() == 1, cudaErrorInvalidKernelImage);
  for (ptx::fat_member& m : members) {
    m.unit += unit;
    into.push_back(std::move(m));
  }
}

namespace {

struct link_state {
  std::vector<ptx::fat_member> inputs{};  //!< each a unit
  jit_options log;
  std::string image{};
};

using link_table = std::unordered_map<link_state const*, std::unique_ptr<link_state>>;

link_table& all_links() {
  static link_table& all = *new link_table;
  return all;
}

link_state& link_of(CUlinkState handle) {
  auto const found = all_links().find(reinterpret_cast<link_state*>(handle));
  require(found != all_links().end(), cudaErrorInvalidResourceHandle);
  return *found->second;
}

}  // namespace

MMM_CUDA_API CUresult cuLinkCreate_v2(unsigned count, CUjit_option const* options, void** values,
                                      CUlinkState* out) {
  return call([&](process&) {
    require(out != nullptr, cudaErrorInvalidValue);
    auto made = std::make_unique<link_state>(link_state{{}, {count, options, values}, {}});
    *out = reinterpret_cast<CUlinkState>(made.get());
    all_links().emplace(made.get(), std::move(made));
  });
}

MMM_CUDA_API CUresult cuLinkAddData_v2(CUlinkState handle, CUjitInputType type, void const* data,
                                       std::size_t bytes, char const* /*name*/, unsigned count,
                                       CUjit_option const* options, void** values) {
  return call([&](process&) {
    jit_options const own(count, options, values);
    add_input(link_of(handle).inputs, type, {data, bytes}, "cuLinkAddData");
  });
}

MMM_CUDA_API CUresult cuLinkAddFile_v2(CUlinkState handle, CUjitInputType type, char const* path,
                                       unsigned count, CUjit_option const* options, void** values) {
  return call([&](process&) {
    jit_options const own(count, options, values);
    std::string const file = contents_of(path);
    add_input(link_of(handle).inputs, type, {file.data(), file.size()}, "cuLinkAddFile");
  });
}

MMM_CUDA_API CUresult cuLinkComplete(CUlinkState handle, void** image, std::size_t* bytes) {
  return call([&](process& p) {
    link_state& l = link_of(handle);
    require(image != nullptr, cudaErrorInvalidValue);
    // Read now, so that mistakes are found by the call that a program expects them from.
    unload(p, load(p, l.inputs, l.log, false, "cuLinkComplete"));
    l.image = linked_image(l.inputs);
    *image = l.image.data();
    if (bytes != nullptr) *bytes = l.image.size();
  });
}

MMM_CUDA_API CUresult cuLinkDestroy(CUlinkState handle) {
  return call([&](process&) { all_links().erase(&link_of(handle)); });
}

MMM_CUDA_API CUresult cuLinkCreate(unsigned count, CUjit_option const* options, void** values,
                                   CUlinkState* out) {
  return cuLinkCreate_v2(count, options, values, out);
}
MMM_CUDA_API CUresult cuLinkAddData(CUlinkState handle, CUjitInputType type, void const* data,
                                    std::size_t bytes, char const* name, unsigned count,
                                    CUjit_option const* options, void** values) {
  return cuLinkAddData_v2(handle, type, data, bytes, name, count, options, values);
}
MMM_CUDA_API CUresult cuLinkAddFile(CUlinkState handle, CUjitInputType type, char const* path,
                                    unsigned count, CUjit_option const* options, void** values) {
  return cuLinkAddFile_v2(handle, type, path, count, options, values);
}

}  // namespace device::driver
