// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "catch.hpp"

#include <device/compose/compose.hpp>
#include <device/core/finding.hpp>
#include <device/decode/linked_module.hpp>
#include <device/execute/launch.hpp>
#include <device/memory/memory.hpp>
#include <device/memory/texture.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace checks {

//! The text of a kernel `k(out)` in which %r0 is the thread's number in its block and %rd1 the
//! address of its word of `out`.
[[nodiscard]] inline std::string kernel(std::string const& body, std::string const& before = "") {
  return before + R"(
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)
{
  .reg .pred %p<8>;
  .reg .b32 %r<32>;
  .reg .b64 %rd<16>;
  ld.param.u64 %rd0, [k_param_0];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd1, %r0, 4;
  add.s64 %rd1, %rd0, %rd1;
)" + body +
         "\n}\n";
}

//! Runs kernels written in PTX, with the observers that a test needs.
class small_device {
 public:
  //! \param text functions and variables; the header of the module is added.
  explicit small_device(std::string const& text)
      : code_({".version 9.0\n.target sm_90\n.address_size 64\n" + text}, memory_, 0,
              device::composed().execution) {}

  //! An array in global memory, which lives as long as the device.
  template <class T>
  [[nodiscard]] T* array(std::size_t n, T value = T{}) {
    auto* const first =
        reinterpret_cast<T*>(memory_.allocate(n * sizeof(T), device::allocation_kind::device, 0));
    for (std::size_t k = 0; k < n; ++k) first[k] = value;
    return first;
  }

  //! Launches a kernel. Arguments are values of 4 or 8 bytes and pointers. With one worker, the
  //! kernel is executed once more before, operation by operation, and counts and memory are
  //! compared.
  template <class... Arguments>
  device::launch_result run(std::string const& kernel, device::dim3 grid, device::dim3 block,
                            Arguments... arguments) {
    device::launch const l = launch_of(kernel, grid, block, arguments...);
    if (workers > 1) return device::run(l);
    outcome const expected = stepwise(l);
    device::launch_result result;
    try {
      result = device::run(l);
    } catch (device::device_fault const& fault) {
      REQUIRE(expected.fault == fault.what());
      throw;
    }
    REQUIRE(expected.fault.empty());
    compare(result, expected.result);
    REQUIRE(saved() == expected.memory);
    return result;
  }
  //! Requires the same counts of all operations.
  static void compare(device::launch_result const& a, device::launch_result const& b) {
    REQUIRE(a.barriers == b.barriers);
    REQUIRE(a.counts.size() == b.counts.size());
    for (std::size_t n = 0; n < a.counts.size(); ++n) {
      REQUIRE(a.counts[n].first == b.counts[n].first);
      REQUIRE(a.counts[n].second.size() == b.counts[n].second.size());
      for (std::size_t k = 0; k < a.counts[n].second.size(); ++k) {
        INFO("operation " << k << " of " << a.counts[n].first->name);
        REQUIRE(a.counts[n].second[k].executed == b.counts[n].second[k].executed);
        REQUIRE(a.counts[n].second[k].lanes == b.counts[n].second[k].lanes);
      }
    }
  }
  //! The launch that run() executes.
  template <class... Arguments>
  [[nodiscard]] device::launch launch_of(std::string const& kernel, device::dim3 grid,
                                         device::dim3 block, Arguments... arguments) {
    device::launch l;
    l.code = &code_;
    l.kernel = code_.find(kernel);
    if (l.kernel == nullptr) throw std::runtime_error("no kernel " + kernel);
    l.grid = grid;
    l.block = block;
    l.memory = &memory_;
    l.textures = &textures;
    l.seed = seed;
    l.mixed = seed != 0;
    l.workers = workers;
    l.weak = weak;
    l.dynamic_shared = dynamic_shared;
    l.resident_blocks = resident_blocks;
    l.multiprocessors = multiprocessors;
    l.observers = observers;
    l.report = [this](device::finding const& f) { findings.push_back(f); };
    l.print = [this](std::string const& text) { printed += text; };
    (add(l.params, arguments), ...);
    return l;
  }

  [[nodiscard]] device::global_memory& memory() { return memory_; }
  [[nodiscard]] device::linked_module& code() { return code_; }

  device::texture_objects textures{};
  std::uint64_t seed = 0;
  int workers = 1;
  bool weak = false;
  std::uint32_t dynamic_shared = 0;
  int resident_blocks = 4;
  int multiprocessors = 4;
  std::vector<std::vector<device::observer*>> observers{};
  std::vector<device::finding> findings{};
  std::string printed{};

 private:
  template <class T>
  static void add(std::vector<std::byte>& params, T const& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    params.resize((params.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    std::size_t const at = params.size();
    params.resize(at + sizeof(T));
    std::memcpy(params.data() + at, &value, sizeof(T));
  }

  //! All bytes of each live allocation, by its address.
  using contents = std::map<std::uint64_t, std::vector<std::byte>>;
  [[nodiscard]] contents saved() const {
    contents all;
    for (device::allocation const& a : memory_.live()) {
      auto const* const first = reinterpret_cast<std::byte const*>(a.begin);
      all.emplace(a.begin, std::vector<std::byte>(first, first + a.bytes));
    }
    return all;
  }

  //! The outcome of a launch that is executed operation by operation.
  struct outcome {
    device::launch_result result{};
    std::string fault{};
    contents memory{};
  };

  //! Executes a launch operation by operation, without observers, and undoes what it changed.
  [[nodiscard]] outcome stepwise(device::launch l) {
    l.stepwise = true;
    l.observers.clear();
    l.report = [](device::finding const&) {};
    l.print = [](std::string const&) {};
    contents const before = saved();
    outcome found;
    try {
      found.result = device::run(l);
    } catch (device::device_fault const& fault) {
      found.fault = fault.what();
    }
    found.memory = saved();
    for (auto const& [begin, bytes] : before)
      std::memcpy(reinterpret_cast<void*>(begin), bytes.data(), bytes.size());
    return found;
  }

  device::global_memory memory_{std::uint64_t{1} << 30, 1};
  device::linked_module code_;
};

}  // namespace checks
