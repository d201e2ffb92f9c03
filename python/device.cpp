// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmm_device._device: the device's library in Python's process, its sections and its memory.
#include <mmm/core/config.hpp>

#include <device/compose/embedded.hpp>
#include <dlfcn.h>
#include <link.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace nb = nanobind;
using released = nb::call_guard<nb::gil_scoped_release>;

//! A function of the library, which `load` has made known to the whole process.
template <class Function>
Function* function(char const* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  if (found == nullptr) throw std::runtime_error(std::string(name) + ": the device is not loaded");
  return reinterpret_cast<Function*>(found);
}
#define MMM_DEVICE(name) function<decltype(name)>(#name)

void* opened(std::string const& path) {
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) throw std::runtime_error(dlerror());
  return handle;
}

//! The path of a library that is loaded; empty if none of this name is.
std::string loaded_path(char const* name) {
  void* const handle = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
  if (handle == nullptr) return {};
  link_map* map = nullptr;
  std::string path =
      dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) == 0 ? map->l_name : name;
  dlclose(handle);
  return path.empty() ? name : path;
}

//! Loads the device as the CUDA runtime and the driver. Nothing is done if mmm-run has done it.
void load(std::string const& folder) {
  if (void* const version = dlsym(RTLD_DEFAULT, "mmm_device_version")) {
    int const given = reinterpret_cast<int (*)()>(version)();
    if (given == MMM_VERSION) return;
    throw std::runtime_error("the device that is loaded has version " + std::to_string(given) +
                             ", mmm_device " + std::to_string(MMM_VERSION));
  }
  if (std::string const path = loaded_path("libcuda.so.1"); !path.empty())
    throw std::runtime_error(path +
                             " is loaded already; import mmm_device before what loads it, as "
                             "numba.cuda, and before the first call of CUDA in this process");
  opened(folder + "/libcuda.so.1");
  MMM_DEVICE(mmm_device_embed) ();
  // Numba loads the runtime when it is imported, and calls the driver alone.
  if (loaded_path("libcudart.so.13").empty()) opened(folder + "/libcudart.so.13");
}

//! A text of the library; nothing if it is null.
std::optional<std::string> taken(char* text) {
  if (text == nullptr) return std::nullopt;
  std::string copy = text;
  MMM_DEVICE(mmm_device_free) (text);
  return copy;
}

void begin(std::vector<std::string> const& names_and_values) {
  std::vector<char const*> words;
  for (std::string const& word : names_and_values) words.push_back(word.c_str());
  words.push_back(nullptr);
  if (auto const error = taken(MMM_DEVICE(mmm_device_begin) (words.data())))
    throw nb::value_error(error->c_str());
}

std::optional<std::string> settings() { return taken(MMM_DEVICE(mmm_device_settings) ()); }
std::optional<std::string> refused() { return taken(MMM_DEVICE(mmm_device_refused) ()); }

class section {
 public:
  section() : own_(MMM_DEVICE(mmm_device_begin_section) ()) {
    if (own_ == nullptr)
      throw std::runtime_error(
          "the device has not begun, or this process is a child of the one in which it did");
  }
  ~section() { MMM_DEVICE(mmm_device_free_section) (own_); }
  section(section const&) = delete;
  section& operator=(section const&) = delete;

  void end() { MMM_DEVICE(mmm_device_end_section) (own_); }
  [[nodiscard]] std::string json() const {
    return taken(MMM_DEVICE(mmm_device_json) (own_)).value();
  }
  [[nodiscard]] std::string html() const {
    return taken(MMM_DEVICE(mmm_device_html) (own_)).value();
  }

 private:
  mmm_device_section* own_;
};

//! MemoryError, with a text.
class out_of_memory : public std::bad_alloc {
 public:
  explicit out_of_memory(std::string text)
      : text_(std::make_shared<std::string const>(std::move(text))) {}
  [[nodiscard]] char const* what() const noexcept override { return text_->c_str(); }

 private:
  std::shared_ptr<std::string const> text_;  // copies of an exception throw nothing
};

void demand(int error, char const* function_name) {
  if (error == 0) return;
  char const* name = nullptr;
  function<int(int, char const**)>("cuGetErrorName")(error, &name);
  std::string const text =
      std::string(function_name) + ": " + (name == nullptr ? "an error" : name);
  if (error == 2) throw out_of_memory(text);  // CUDA_ERROR_OUT_OF_MEMORY
  throw std::runtime_error(text);
}
#define MMM_CALL(name, type, ...) demand(function<type>(#name)(__VA_ARGS__), #name)

using address = std::uint64_t;

//! The thread has a context: the one that is current, or the primary one of the first device.
void need_context() {
  MMM_CALL(cuInit, int(unsigned), 0);
  void* context = nullptr;
  MMM_CALL(cuCtxGetCurrent, int(void**), &context);
  if (context != nullptr) return;
  MMM_CALL(cuDevicePrimaryCtxRetain, int(void**, int), &context, 0);
  MMM_CALL(cuCtxSetCurrent, int(void*), context);
}

//! Memory of the device, freed with the object.
class memory {
 public:
  explicit memory(std::size_t bytes) : bytes_(bytes) {
    need_context();
    MMM_CALL(cuMemAlloc_v2, int(address*, std::size_t), &begin_, bytes == 0 ? 1 : bytes);
    MMM_CALL(cuCtxGetDevice, int(int*), &device_);
  }
  ~memory() { function<int(address)>("cuMemFree_v2")(begin_); }
  memory(memory const&) = delete;
  memory& operator=(memory const&) = delete;

  [[nodiscard]] address begin() const { return begin_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] int device() const { return device_; }

  void write(address host, std::size_t bytes) const {
    check(bytes);
    if (bytes == 0) return;
    need_context();
    copied("cuMemcpyHtoD_v2", begin_, host, bytes);
  }
  void read(address host, std::size_t bytes) const {
    check(bytes);
    if (bytes == 0) return;
    need_context();
    copied("cuMemcpyDtoH_v2", host, begin_, bytes);
  }

 private:
  static void copied(char const* name, address to, address from, std::size_t bytes) {
    int const error = function<int(address, address, std::size_t)>(name)(to, from, bytes);
    if (error == 1)  // CUDA_ERROR_INVALID_VALUE
      throw std::runtime_error(std::string(name) +
                               ": the array's memory was freed with its context, by "
                               "cuDevicePrimaryCtxReset or cuCtxDestroy");
    demand(error, name);
  }
  void check(std::size_t bytes) const {
    if (bytes != bytes_)
      throw nb::value_error(
          ("bytes is " + std::to_string(bytes) + "; accepted: all " + std::to_string(bytes_))
              .c_str());
  }
  address begin_ = 0;
  std::size_t bytes_;
  int device_ = 0;
};

//! A DLPack capsule of memory as an array of C's order.
nb::object dlpack(nb::handle owner, std::vector<std::size_t> const& shape, int code, int bits) {
  auto const& m = nb::cast<memory const&>(owner);
  nb::dlpack::dtype type{};
  type.code = static_cast<std::uint8_t>(code);
  type.bits = static_cast<std::uint8_t>(bits);
  type.lanes = 1;
  // NOLINTNEXTLINE: an address of the device's memory is the host's
  return nb::cast(nb::ndarray<nb::device::cuda>(reinterpret_cast<void*>(m.begin()), shape.size(),
                                                shape.data(), owner, nullptr, type,
                                                nb::device::cuda::value, m.device()));
}

}  // namespace

NB_MODULE(_device, module) {
  module.doc() = "The device in software, in the process";
  nb::set_leak_warnings(false);  // a program may end while it has arrays
  module.def("load", &load, nb::arg("folder"),
             "Makes the libraries of a folder the process's CUDA runtime and driver.");
  module.def("begin", &begin, nb::arg("names_and_values"), released(),
             "Begins the device; ValueError says what is accepted.");
  module.def("settings", &settings, released(),
             "The device's settings as JSON; None before it has begun.");
  module.def("refused", &refused, released(),
             "The first that was asked for and that the device lacks.");
  nb::class_<section>(module, "Section", "A part of the run that is counted for itself.")
      .def(nb::init<>(), released())
      .def("end", &section::end, released())
      .def("json", &section::json, released())
      .def("html", &section::html, released());
  nb::class_<memory>(module, "Memory", "Memory of the device.")
      .def(nb::init<std::size_t>(), nb::arg("bytes"), released())
      .def_prop_ro("begin", &memory::begin)
      .def_prop_ro("bytes", &memory::bytes)
      .def_prop_ro("device", &memory::device)
      .def("write", &memory::write, nb::arg("host"), nb::arg("bytes"), released())
      .def("read", &memory::read, nb::arg("host"), nb::arg("bytes"), released());
  module.def("dlpack", &dlpack, nb::arg("memory"), nb::arg("shape"), nb::arg("code"),
             nb::arg("bits"));
}
