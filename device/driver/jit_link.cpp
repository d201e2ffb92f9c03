// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "modules.hpp"

#include <device/core/failure.hpp>
#include <device/ptx/module.hpp>

#include <cstring>
#include <utility>

// nvJitLink, which links without a device and which Python's front ends prefer to cuLink*: here its
// machine code is the linked PTX, too. Its version is one before 12.3, from which on they would
// link NVVM's code.
namespace device::driver {

namespace {

enum jit_link_result : unsigned {
  linked = 0,
  invalid_input = 3,
  broken_ptx = 4,
  internal_error = 6,
  null_input = 10
};

//! nvJitLinkInputType
enum jit_link_input : unsigned { of_ptx = 2, of_ltoir = 3 };

struct jit_link {
  std::vector<ptx::fat_member> inputs{};
  std::string image{};
  std::string errors{};
};

template <class Body>
jit_link_result guarded(jit_link* l, Body const& body) noexcept {
  std::scoped_lock const hold(runtime::big_lock());
  try {
    if (l == nullptr) return null_input;
    body();
    return linked;
  } catch (failure const&) {
    return invalid_input;
  } catch (unreadable_ptx const& e) {
    l->errors += std::string{e.what()} + "\n";
    return broken_ptx;
  } catch (std::exception const& e) {
    static_cast<void>(runtime::end_unsupported(e.what()));
    return internal_error;
  }
}

void add(jit_link& l, jit_link_input type, image const& given_image) {
  std::size_t const before = l.inputs.size();
  add_input(l.inputs,
            type == of_ptx     ? CU_JIT_INPUT_PTX
            : type == of_ltoir ? CU_JIT_INPUT_NVVM
                               : CU_JIT_INPUT_OBJECT,
            given_image, "nvJitLinkAddData");
  for (std::size_t k = before; k < l.inputs.size(); ++k) {
    if (l.inputs[k].kind != ptx::fat_member::kind_type::ptx) continue;
    ptx::module declared;
    ptx::parse(l.inputs[k].text, declared);
  }
}

template <class T>
T& given(T* p) {
  require(p != nullptr, cudaErrorInvalidValue);
  return *p;
}

}  // namespace

MMM_CUDA_API jit_link_result nvJitLinkVersion(unsigned* major, unsigned* minor) {
  if (major == nullptr || minor == nullptr) return null_input;
  *major = 12;
  *minor = 0;
  return linked;
}

MMM_CUDA_API jit_link_result nvJitLinkCreate(jit_link** out, std::uint32_t /*count*/,
                                             char const** /*options*/) {
  if (out == nullptr) return null_input;
  *out = new jit_link;
  return linked;
}
MMM_CUDA_API jit_link_result nvJitLinkDestroy(jit_link** l) {
  if (l == nullptr) return null_input;
  delete std::exchange(*l, nullptr);
  return linked;
}

MMM_CUDA_API jit_link_result nvJitLinkAddData(jit_link* l, jit_link_input type, void const* data,
                                              std::size_t bytes, char const* /*name*/) {
  return guarded(l, [&] { add(*l, type, {data, bytes}); });
}
MMM_CUDA_API jit_link_result nvJitLinkAddFile(jit_link* l, jit_link_input type, char const* path) {
  return guarded(l, [&] {
    std::string const file = contents_of(path);
    add(*l, type, {file.data(), file.size()});
  });
}
MMM_CUDA_API jit_link_result nvJitLinkComplete(jit_link* l) {
  return guarded(l, [&] { l->image = linked_image(l->inputs); });
}

MMM_CUDA_API jit_link_result nvJitLinkGetLinkedCubinSize(jit_link* l, std::size_t* out) {
  return guarded(l, [&] { given(out) = l->image.size(); });
}
MMM_CUDA_API jit_link_result nvJitLinkGetLinkedCubin(jit_link* l, char* out) {
  return guarded(l, [&] { std::memcpy(&given(out), l->image.data(), l->image.size()); });
}
MMM_CUDA_API jit_link_result nvJitLinkGetErrorLogSize(jit_link* l, std::size_t* out) {
  return guarded(l, [&] { given(out) = l->errors.size() + 1; });
}
MMM_CUDA_API jit_link_result nvJitLinkGetErrorLog(jit_link* l, char* out) {
  return guarded(l, [&] { std::memcpy(&given(out), l->errors.c_str(), l->errors.size() + 1); });
}
MMM_CUDA_API jit_link_result nvJitLinkGetInfoLogSize(jit_link* l, std::size_t* out) {
  return guarded(l, [&] { given(out) = 1; });
}
MMM_CUDA_API jit_link_result nvJitLinkGetInfoLog(jit_link* l, char* out) {
  return guarded(l, [&] { given(out) = '\0'; });
}

#define MMM_NO_LINKED_CODE(name)                                               \
  MMM_CUDA_API jit_link_result name() {                                        \
    static_cast<void>(runtime::end_unsupported(                                \
        #name ": optimization at link time is not supported by this device")); \
    return internal_error;                                                     \
  }
MMM_NO_LINKED_CODE(nvJitLinkGetLinkedPtxSize)
MMM_NO_LINKED_CODE(nvJitLinkGetLinkedPtx)
MMM_NO_LINKED_CODE(nvJitLinkGetLinkedLTOIRSize)
MMM_NO_LINKED_CODE(nvJitLinkGetLinkedLTOIR)

}  // namespace device::driver
