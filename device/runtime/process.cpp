// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.hpp"

#include "agenda.hpp"
#include "caller.hpp"
#include "program_order.hpp"
#include "tables.hpp"

#include <device/core/failure.hpp>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <new>

namespace device::runtime {

using namespace abi;

namespace {

process* the_process = nullptr;  // made once
parts const& (*given_parts)() = nullptr;
bool embedded = false;
bool ended = false;   // reports are written; memory is the system's to free
bool forked = false;  // this process is a child that inherited the_process

constexpr auto patience_at_end = std::chrono::seconds(10);

void before_fork() { big_lock().lock(); }
void after_fork_in_parent() { big_lock().unlock(); }
void after_fork_in_child() {
  forked = the_process != nullptr;
  new (&big_lock())
      // the lock's owner is the parent's thread, which the child does not have
      std::recursive_timed_mutex;
}

//! Defaults of a context: those of CUDA's documentation and driver.
context fresh_context(int number) {
  context c;
  c.number = number;
  c.limits = {1024, 1U << 20U, 8U << 20U, 2, 2048, 64, 0};
  return c;
}

void make(settings s) {
  s.embedded = embedded;
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  the_process = new process(std::move(s), given_parts());
}

process& made() {
  if (the_process == nullptr) make(read_settings());
  return *the_process;
}

//! Writes what mmm-run's user reads at the end: leaks, the table, the pages.
void write_reports(process& p) {
  for (auto const& [thread, f] : p.unasked) p.found(f);
  find_leaks(p, -1);
  std::uint64_t exceeded = 0;
  for (auto const& i : p.watching) exceeded += i->at_exit();
  std::fputs(p.hidden.report().c_str(), stderr);
  append_verdict(p.set, "findings " + std::to_string(p.failing_findings));
  append_verdict(p.set, "exceeded " + std::to_string(exceeded));
}

//! At the end of the process, after the program's own destructors, since they may free memory.
[[gnu::destructor]] void at_end() {
  if (the_process == nullptr || ended || forked) return;
  if (!big_lock().try_lock_for(patience_at_end)) {
    std::fputs("mmm-run: the program ended while a kernel ran; there are no reports\n", stderr);
    return;
  }
  process& p = *the_process;
  try {
    p.todo.finish();
    flush_prints(p);
    if (p.order != nullptr) p.order->host_waited_for_all();
    if (!p.set.embedded) write_reports(p);
  } catch (unsupported const& e) {
    end_unsupported(e.what());
  } catch (std::exception const& e) {
    end_unsupported(std::string{"the reports could not be written: "} + e.what());
  }
  ended = true;
  big_lock().unlock();
}

//! "; allocated at main+0x8f of program, freed at main+0xa1 of program", as far as it is known.
std::string history_of(global_memory const& memory, std::uint64_t address) {
  std::optional<allocation> const a = memory.find(address);
  if (!a) return {};
  std::string text;
  if (!a->allocated_by.empty()) text += "; allocated at " + place_of_call(a->allocated_by, {});
  if (!a->freed_by.empty())
    text +=
        (text.empty() ? "; " : ", ") + std::string("freed at ") + place_of_call(a->freed_by, {});
  return text;
}

}  // namespace

void use_parts(parts const& (*given)()) { given_parts = given; }

std::recursive_timed_mutex& big_lock() {
  static std::recursive_timed_mutex& lock = *new std::recursive_timed_mutex;
  return lock;
}

std::atomic<int>& calls_in_progress() {
  static std::atomic<int>& number = *new std::atomic<int>{0};
  return number;
}

std::uint64_t next_thread_number() {
  static std::atomic<std::uint64_t>& next = *new std::atomic<std::uint64_t>{0};
  return next++;
}

thread_state& this_thread() {
  static thread_local thread_state state;
  return state;
}

process::process(settings given_settings, parts const& given)
    : set(std::move(given_settings)),
      with(given),
      chip(gpu_of(set.gpu)),
      memory(chip.memory_bytes(), set.devices),
      table(*new tables),
      todo(*new agenda(*this)) {
  hidden.add_defaults();
  if (!set.suppressions.empty()) hidden.add_file(set.suppressions);
  for (int d = 0; d < set.devices; ++d) contexts.push_back(fresh_context(d));
  for (auto* const make : with.makers)
    if (auto i = make(set)) watching.push_back(std::move(i));
  for (auto const& i : watching) i->attach(memory, [this](finding const& f) { found(f); });
  make_default_pools(*this);
  if (!set.checks_for(check_kind::race)) return;
  order = new program_order(*this);
  // An operation before the first stream is made may meet those in it; a programmatic launch meets
  // the one before.
  for (char const* const function :
       {"cudaStreamCreate", "cudaLaunchKernelEx", "cuStreamCreate", "cuLaunchKernelEx"})
    if (program_may_call(function)) {
      order->watch();
      break;
    }
}

context& process::current() {
  thread_state const& t = this_thread();
  context* const top =
      t.context_count == 0 ? nullptr : t.contexts[static_cast<std::size_t>(t.context_count - 1)];
  // Work that was left to later is done on the device that it was issued on.
  return top != nullptr && top->number == t.device ? *top
                                                   : contexts[static_cast<std::size_t>(t.device)];
}

void make_current(context& c) {
  thread_state& t = this_thread();
  t.context_count = std::max(t.context_count, 1);
  t.contexts[static_cast<std::size_t>(t.context_count - 1)] = &c;
  t.device = c.number;
}

bool is_initialized() {
  std::scoped_lock const hold(big_lock());
  return the_process != nullptr && the_process->was_called;
}

void embed() {
  std::scoped_lock const hold(big_lock());
  embedded = true;
}

void begin(settings s) {
  std::scoped_lock const hold(big_lock());
  if (the_process != nullptr)
    throw unsupported("the device of this process has begun: its settings cannot be changed");
  make(std::move(s));
}

process* made_process() { return forked || ended ? nullptr : the_process; }

context& process::of_device(int number) {
  require(number >= 0 && static_cast<std::size_t>(number) < contexts.size(),
          cudaErrorInvalidDevice);
  return contexts[static_cast<std::size_t>(number)];
}

void process::found(finding const& given) {
  // workers report while the thread that launched them has the big lock
  static std::mutex& lock = *new std::mutex;
  // Execution looks for these in any case; they do not end a kernel.
  bool const ends_nothing = given.check == check_kind::barrier || given.check == check_kind::api ||
                            given.check == check_kind::shuffle ||
                            given.check == check_kind::descriptor;
  if (ends_nothing && !set.checks_for(given.check)) return;
  std::scoped_lock const hold(lock);
  if (hidden.suppress(given)) return;
  finding f = given;
  f.fails = f.check != check_kind::leak || set.leaks_fail;
  if (f.address != 0) f.message += history_of(memory, f.address);
  ++findings;
  // for the case that the process does not end in order
  if (f.fails && ++failing_findings == 1) append_verdict(set, "findings 1");
  for (auto const& i : watching) i->found(f);
}

void process::host_wrote(void const* begin, std::size_t bytes) {
  for (auto const& i : watching) {
    i->host_wrote(address_of(begin), bytes);
    i->operation_accesses(address_of(begin), bytes, true);
  }
}

void process::host_copied(void const* destination, void const* source, std::size_t bytes) {
  if (watching.empty()) return;
  bool const destination_device = memory.holds(address_of(destination), bytes);
  bool const source_device = memory.holds(address_of(source), bytes);
  for (auto const& i : watching) {
    if (source_device) i->operation_accesses(address_of(source), bytes, false);
    if (destination_device) i->operation_accesses(address_of(destination), bytes, true);
    if (destination_device && source_device)
      i->host_copied(address_of(destination), address_of(source), bytes);
    else if (destination_device)
      i->host_wrote(address_of(destination), bytes);
    else if (source_device)
      i->host_reads(address_of(source), bytes);
  }
}

void process::allocated(std::uint64_t begin) {
  auto const a = memory.find(begin);
  if (!a) return;
  bool const of_host = a->kind != allocation_kind::heap;
  if (context& c = current(); of_host && !c.is_primary) c.memory.insert(begin);
  if (watching.empty()) return;
  if (of_host) memory.note_callers(begin, callers(), called_function());
  for (auto const& i : watching) i->allocated(*a);
  bool const host_reaches = a->kind == allocation_kind::managed ||
                            a->kind == allocation_kind::pinned ||
                            a->kind == allocation_kind::registered;
  if (order != nullptr && host_reaches) order->watch();
}

bool process::free(std::uint64_t begin) {
  auto const a = memory.find(begin);
  if (!a || a->begin != begin || a->freed || !memory.free(begin)) return false;
  if (a->kind != allocation_kind::heap) memory.note_callers(begin, callers());
  ended(*a);
  return true;
}

void process::allow_peer(int device, int peer) {
  auto const may = [&](context const& c) { return c.number == device && c.peers.contains(peer); };
  memory.set_peer_access(
      device, peer,
      std::any_of(contexts.begin(), contexts.end(), may) ||
          std::any_of(created.begin(), created.end(), [&](auto const& c) { return may(*c); }));
}

void process::forget_peers(context& c) {
  for (int const peer : std::exchange(c.peers, {})) allow_peer(c.number, peer);
}

void process::ended(allocation const& a) {
  for (auto const& c : created) c->memory.erase(a.begin);
  for (auto const& i : watching) i->freed(a);
}

cudaError_t end_unsupported(std::string const& text) {
  std::fflush(stdout);
  std::string const line = "mmm-run: " + text + "\n";
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  if (the_process != nullptr && the_process->set.embedded) {
    std::scoped_lock const hold(big_lock());
    process& p = *the_process;
    if (p.refused.empty()) p.refused = text;
    for (context& c : p.contexts) c.fault = cudaErrorNotSupported;
    for (auto const& c : p.created) c->fault = cudaErrorNotSupported;
    return remember(cudaErrorNotSupported);
  }
  try {
    append_verdict(the_process == nullptr ? read_settings() : the_process->set,
                   "unsupported " + text);
  } catch (...) {  // the settings are what is unsupported
  }
  _exit(2);
}

cudaError_t end_by(std::exception const& e) {
  bool const is_known = dynamic_cast<unsupported const*>(&e) != nullptr;
  return end_unsupported((is_known ? "" : "an error of this device: ") + std::string{e.what()});
}

cudaError_t end_by(failure const& f) {
  return end_unsupported("an error of this device: " + std::string{name_of_error(f.code)} +
                         " in work that was left to later");
}

cudaError_t remember(cudaError_t e) noexcept {
  if (e != cudaSuccess) this_thread().last_error = e;
  return e;
}

namespace {

//! The work of a call, with the lock: exceptions as errors.
cudaError_t work_of_call(process& p, cudaError_t (*body)(void const*, process&), void const* data,
                         after_fault on_fault, bool is_outermost) noexcept {
  auto const failed = [&](cudaError_t e) {
    if (e != cudaSuccess && is_outermost) note_failed_call(p, e);
    return remember(e);
  };
  try {
    if (on_fault == after_fault::fails && p.current().fault != cudaSuccess)
      return remember(p.current().fault);
    return failed(body(data, p));
  } catch (failure const& f) {
    return failed(f.code);
  } catch (not_ready const&) {
    return cudaErrorNotReady;
  } catch (std::bad_alloc const&) {
    return remember(cudaErrorMemoryAllocation);
  } catch (std::exception const& e) {
    return end_by(e);
  }
}

//! The time that a thread spends in a call that the program made.
struct call_in_progress {
  call_in_progress() {
    ++calls_in_progress();
    this_thread().in_call = true;
  }
  ~call_in_progress() {
    this_thread().in_call = false;
    --calls_in_progress();
  }
  call_in_progress(call_in_progress const&) = delete;
  call_in_progress& operator=(call_in_progress const&) = delete;
};

}  // namespace

cudaError_t enter(cudaError_t (*body)(void const*, process&), void const* data,
                  after_fault on_fault) noexcept {
  thread_state& t = this_thread();
  if (t.host_functions != 0) return remember(cudaErrorNotPermitted);
  // A function of the driver's API calls one of the runtime: the lock is held once, since waiting
  // releases it once.
  if (t.in_call) return work_of_call(*the_process, body, data, on_fault, false);
  call_in_progress const counted;
  std::scoped_lock const hold(big_lock());
  if (ended) return cudaErrorCudartUnloading;
  if (forked) return remember(cudaErrorInitializationError);
  try {
    process& p = made();
    p.was_called = true;
    if (t.driver_calls == 0) {
      if (t.context_count == 0) make_current(p.contexts[static_cast<std::size_t>(t.device)]);
      p.current().used_by_runtime = true;
    }
    return work_of_call(p, body, data, on_fault, true);
  } catch (std::exception const& e) {
    return end_by(e);
  }
}

void call_host_function(cudaHostFn_t function, void* data) {
  this_thread().host_functions += 1;
  big_lock().unlock();
  // No exception of the program's may pass for one of the device's.
  [&]() noexcept { function(data); }();
  big_lock().lock();
  this_thread().host_functions -= 1;
}

void flush_prints(process& p) {
  if (p.printed.exchange(false)) std::fflush(stdout);
}

cudaError_t error_of(device_fault const& f) {
  switch (f.kind()) {
    case device_fault::kind_type::illegal_address:
      return cudaErrorIllegalAddress;
    case device_fault::kind_type::misaligned_address:
      return cudaErrorMisalignedAddress;
    case device_fault::kind_type::illegal_instruction:
      return cudaErrorIllegalInstruction;
    case device_fault::kind_type::assertion:
      return cudaErrorAssert;
    case device_fault::kind_type::trap:
      return cudaErrorLaunchFailure;
    case device_fault::kind_type::deadlock:
      return cudaErrorLaunchTimeout;
    case device_fault::kind_type::hardware_stack:
      return cudaErrorHardwareStackError;
  }
  return cudaErrorLaunchFailure;
}

void note_asked() {
  if (the_process == nullptr) return;
  std::scoped_lock const hold(big_lock());
  std::erase_if(the_process->unasked,
                [](auto const& of_thread) { return of_thread.first == &this_thread(); });
}

void find_leaks(process& p, int device) {
  if (!p.set.checks_for(check_kind::leak)) return;
  for (allocation const& a : p.memory.live()) {
    if (device >= 0 && a.device != device) continue;
    // After a kernel's fault cudaFree only returns the error: what the program would have freed
    // cannot be told.
    if (p.contexts[static_cast<std::size_t>(a.device)].fault != abi::cudaSuccess) continue;
    std::string function;
    switch (a.kind) {
      case allocation_kind::device:
        function = "cudaMalloc";
        break;
      case allocation_kind::array:
        function = "cudaMallocArray";
        break;
      case allocation_kind::managed:
        function = "cudaMallocManaged";
        break;
      case allocation_kind::pinned:
        function = "cudaMallocHost";
        break;
      case allocation_kind::heap:
        function = "malloc in a kernel";
        break;
      case allocation_kind::registered:  // is the program's own memory
      case allocation_kind::module_variable:
        continue;
    }
    if (!a.function.empty()) function = a.function;
    if (function.ends_with("_v2")) function.resize(function.size() - 3);  // as programs write it
    if (auto const found = p.table.graph_memory.find(a.begin);
        found != p.table.graph_memory.end() && !found->second.live)
      continue;
    finding f;
    f.check = check_kind::leak;
    f.message = std::to_string(a.bytes) + " bytes of " + function +
                " were never freed (allocation " + std::to_string(a.number) + ", device " +
                std::to_string(a.device) + ")";
    f.address = a.begin;
    p.found(f);
  }
}

}  // namespace device::runtime
