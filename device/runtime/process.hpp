// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/core/suppressions.hpp>
#include <device/execute/launch.hpp>
#include <device/memory/memory.hpp>
#include <device/runtime/abi.hpp>
#include <device/runtime/gpus.hpp>
#include <device/runtime/instruments.hpp>
#include <device/runtime/parts.hpp>
#include <device/runtime/settings.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

//! Marks what programs call; all else in the library is hidden.
//! Each has a frame on the stack while it works, from which its name is known (called_function).
#if defined(__clang__)
#define MMM_CUDA_API extern "C" [[gnu::visibility("default"), clang::disable_tail_calls]]
#else
#define MMM_CUDA_API \
  extern "C" [[gnu::visibility("default"), gnu::optimize("no-optimize-sibling-calls")]]
#endif

namespace device::runtime {

struct tables;        // tables.hpp: streams, events, graphs, pools
class program_order;  // program_order.hpp
class agenda;         // agenda.hpp: what streams have to do
struct thread_state;

//! A device's primary context, which the runtime uses, or one that the driver's API created.
struct context {
  int number = 0;                             //!< of the device
  abi::cudaError_t fault = abi::cudaSuccess;  //!< of a kernel; stays, as CUDA's context is lost
  bool is_primary = true;
  bool is_destroyed = false;            //!< of one that was created; its handle stays known
  bool used_by_runtime = false;         //!< keeps a primary one active
  int retained = 0;                     //!< a primary one, by the driver's API
  std::array<std::size_t, 7> limits{};  //!< by cudaLimit
  abi::cudaFuncCache cache = abi::cudaFuncCachePreferNone;
  abi::cudaSharedMemConfig banks = abi::cudaSharedMemBankSizeFourByte;
  unsigned flags = 0;
  std::set<int> peers{};  //!< those whose memory it may access
  //! of one that was created: the addresses of memory that ends with it
  std::set<std::uint64_t> memory{};
};

//! The library's state, made by the first call that needs a device, never destroyed: destructors of
//! the program may call.
struct process {
  process(settings given_settings, parts const& with);
  ~process() = delete;

  settings const set;
  parts const& with;
  gpu const& chip;
  global_memory memory;
  std::vector<context> contexts;                    //!< the primary ones, by device
  std::vector<std::unique_ptr<context>> created{};  //!< by the driver's API, destroyed ones too
  std::vector<std::unique_ptr<instruments>> watching;
  bool was_called = false;  //!< by the program
  std::uint64_t launches = 0;
  std::uint64_t findings = 0;          //!< that were reported
  std::uint64_t failing_findings = 0;  //!< of these, those that count for the exit status
  std::uint64_t faults = 0;            //!< launches that ended by one
  suppressions hidden{};
  std::atomic<bool> printed = false;  //!< by device code, since stdout was flushed
  tables& table;
  agenda& todo;
  program_order* order = nullptr;  //!< null if no races are looked for
  std::string refused{};           //!< if embedded: what was asked for first that is not supported

  //! The current context of the calling thread, or the primary one of its device.
  [[nodiscard]] context& current();
  [[nodiscard]] context& of_device(int number);  //!< refuses what is no device

  //! Launches that failed and of whose error the program has not asked yet, by thread.
  std::vector<std::pair<thread_state const*, finding>> unasked{};

  //! Passes a finding to all instruments, unless it is suppressed. May be called from any thread.
  void found(finding const&);
  //! Tells the instruments that the host wrote a row, or copied it; either may be memory that is
  //! not the device's.
  void host_wrote(void const* begin, std::size_t bytes);
  void host_copied(void const* destination, void const* source, std::size_t bytes);
  void allocated(std::uint64_t begin);
  //! Lets a device access the memory of another, or not: as long as one of its contexts may.
  void allow_peer(int device, int peer);
  //! A context ends: it may access no other's memory.
  void forget_peers(context&);
  //! An allocation is not one any more: for contexts and instruments.
  void ended(allocation const&);
  //! Frees the allocation that begins at address `begin`. False if there is none.
  bool free(std::uint64_t begin);
};

//! 0, 1, …: no two threads of the program have one number.
[[nodiscard]] std::uint64_t next_thread_number();

//! The state of a thread of the program. It has no destructor: a program's static destructors run
//! after those of thread_local variables.
struct thread_state {
  struct configuration {
    abi::dim3 grid, block;
    std::size_t shared;
    abi::cudaStream_t stream;
  };
  abi::cudaError_t last_error = abi::cudaSuccess;
  //! of the thread; the system's identifiers of threads are given again after their end
  std::uint64_t const number = next_thread_number();
  int device = 0;
  std::array<context*, 64> contexts{};  //!< stack of current ones, innermost last
  int context_count = 0;
  int driver_calls = 0;  //!< of the driver's API, in which the thread is
  bool in_call = false;  //!< that the program made, with the lock
  abi::cudaStreamCaptureMode capture_mode = abi::cudaStreamCaptureModeGlobal;
  bool own_default = false;              //!< in a call whose default stream is the thread's own
  int host_functions = 0;                //!< that are running, called by a stream
  bool launches_without_result = false;  //!< works on a launch by `<<<…>>>`
  bool takes_configuration = false;  //!< a launch by `<<<…>>>`, whose result nobody sees, is next
  int configurations = 0;            //!< of `<<<…>>>` that wait for their call, innermost last
  std::array<configuration, 16> configured{};
};
[[nodiscard]] thread_state& this_thread();

//! While it lives, calls of the thread whose stream is the default one are in the thread's own.
struct own_default {
  own_default() { this_thread().own_default = true; }
  ~own_default() { this_thread().own_default = false; }
  own_default(own_default const&) = delete;
  own_default& operator=(own_default const&) = delete;
};

//! Makes a context the calling thread's current one, in the place of the one before.
void make_current(context&);
//! True if a call of the runtime or cuInit was made.
[[nodiscard]] bool is_initialized();
//! The process will be embedded (settings::embedded), by whatever it is made.
void embed();
//! Makes the process with these settings, before any call. Throws device::unsupported if a setting
//! names what there is not.
void begin(settings);
//! The process, if it is made and this is no child that inherited it; otherwise null. To be called
//! with the lock.
[[nodiscard]] process* made_process();
//! Frees what a program has on a device.
void reset_device(process&, int device);

//! Thrown within an entry point, whose result it becomes.
struct failure {
  abi::cudaError_t code;
};
//! Thrown by a question for work that is not done yet: a result that is no error.
struct not_ready {};
inline void require(bool condition, abi::cudaError_t otherwise) {
  if (!condition) throw failure{otherwise};
}

//! Threads that are in calls of the runtime, or enter one.
[[nodiscard]] std::atomic<int>& calls_in_progress();

//! The lock that serializes the program's calls.
[[nodiscard]] std::recursive_timed_mutex& big_lock();

//! Prints the line on stderr, notes it for mmm-run, and ends the process with status 2. If the
//! device is embedded, all contexts are lost instead, as by a kernel's fault, and the error that
//! the call has to return is given.
abi::cudaError_t end_unsupported(std::string const& text);
//! The same by an exception that nothing handles: device::unsupported, or an error of this device.
abi::cudaError_t end_by(std::exception const&);
//! The same by a failure of work whose call has returned.
abi::cudaError_t end_by(failure const&);

//! The reaction of an entry point to an error of an earlier kernel.
enum class after_fault { fails, works };

//! An entry point's work: one at a time, exceptions as errors, the error kept for cudaGetLastError.
[[nodiscard]] abi::cudaError_t enter(abi::cudaError_t (*body)(void const*, process&),
                                     void const* data, after_fault) noexcept;

//! `body(process&)`, which gives a cudaError_t or nothing, as an entry point's work.
template <class Body>
abi::cudaError_t api(Body const& body, after_fault on_fault = after_fault::fails) noexcept {
  return enter(
      [](void const* data, process& p) -> abi::cudaError_t {
        auto const& w = *static_cast<Body const*>(data);
        if constexpr (std::is_void_v<std::invoke_result_t<Body const&, process&>>) {
          w(p);
          return abi::cudaSuccess;
        } else {
          return w(p);
        }
      },
      &body, on_fault);
}

//! Keeps an error for cudaGetLastError; what entry points that need no device return.
abi::cudaError_t remember(abi::cudaError_t) noexcept;

//! A host function called by a stream or graph: without the lock, since it may wait for other
//! threads.
void call_host_function(abi::cudaHostFn_t, void* data);

//! Writes out what device code printed, at a synchronisation.
void flush_prints(process&);

//! "cudaErrorInvalidValue" and "invalid argument".
[[nodiscard]] char const* name_of_error(abi::cudaError_t);
[[nodiscard]] char const* text_of_error(abi::cudaError_t);

//! The version of CUDA whose runtime this is.
inline constexpr int runtime_version = 13000;
//! The value of an attribute of a device; fails with cudaErrorInvalidValue.
[[nodiscard]] int device_attribute(process&, abi::cudaDeviceAttr, int device);

//! The calling thread asks for the error of its last failed call.
void note_asked();
//! A call of the runtime by the calling thread has failed: a finding where --check names api.
void note_failed_call(process&, abi::cudaError_t);
//! A launch of the calling thread by `<<<…>>>` has failed.
void note_failed_launch(process&, std::string const& kernel, abi::cudaError_t);

//! Looks for memory that is still allocated on a device, and says so; of all devices if it is -1.
void find_leaks(process&, int device);

//! The error that a fault of a kernel becomes.
[[nodiscard]] abi::cudaError_t error_of(device_fault const&);

inline std::uint64_t address_of(void const* p) { return reinterpret_cast<std::uint64_t>(p); }
inline void* pointer_to(std::uint64_t a) {
  return reinterpret_cast<void*>(a);
}  // NOLINT: an address of global memory is the host's

}  // namespace device::runtime
