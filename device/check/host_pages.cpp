// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/host_pages.hpp>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <iterator>
#include <map>
#include <unordered_map>
#include <vector>

namespace device::check {

namespace {

#if defined(__x86_64__)
constexpr bool is_written_for = true;
#else
constexpr bool is_written_for = false;
#endif

struct range {
  std::uint64_t end = 0;
  bool reads_too = false;
};

host_access_judge* judge = nullptr;
std::map<std::uint64_t, range> protected_ranges;  // by begin
std::unordered_map<std::uint64_t, int> steps;     // by page: accesses that were no race
struct sigaction segv_before, trap_before;

//! Accesses to one page that are judged one by one; further ones are let pass.
constexpr int max_steps = 256;

//! The page that this thread may use for one instruction, as it had been protected; 0: none.
struct open_page {
  std::uint64_t begin = 0;
  bool reads_too = false;
};
thread_local open_page stepping;

void allow(std::uint64_t begin, std::uint64_t end, int how) {
  mprotect(reinterpret_cast<void*>(begin), end - begin, how);
}
int protection(bool reads_too) { return reads_too ? PROT_NONE : PROT_READ; }

//! The protected range that an address is in.
std::map<std::uint64_t, range>::iterator range_of(std::uint64_t address) {
  auto const after = protected_ranges.upper_bound(address);
  if (after == protected_ranges.begin()) return protected_ranges.end();
  auto const found = std::prev(after);
  return address < found->second.end ? found : protected_ranges.end();
}

//! Takes the page that begins at `first` out of its range.
void take_out(std::map<std::uint64_t, range>::iterator found, std::uint64_t first) {
  auto const [begin, whole] = *found;
  protected_ranges.erase(found);
  if (begin < first) protected_ranges[begin] = {first, whole.reads_too};
  if (first + host_pages::page < whole.end) protected_ranges[first + host_pages::page] = whole;
}

//! Leaves a signal that is not ours to whoever had it before.
void pass_on(int number, siginfo_t* info, void* context, struct sigaction const& before) {
  if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction != nullptr) {
    before.sa_sigaction(number, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(number);
  } else {
    sigaction(number, &before, nullptr);  // the instruction is executed again
  }
}

#if defined(__x86_64__)
constexpr greg_t trap_flag = 0x100;

void on_fault(int number, siginfo_t* info, void* context) {
  auto* const state = static_cast<ucontext_t*>(context);
  auto const address = reinterpret_cast<std::uint64_t>(info->si_addr);
  bool const writes = (state->uc_mcontext.gregs[REG_ERR] & 2) != 0;
  auto const* const code = reinterpret_cast<void const*>(state->uc_mcontext.gregs[REG_RIP]);
  std::unique_lock hold = host_pages::hold();
  auto const found = range_of(address);
  if (found == protected_ranges.end()) {
    // Another thread has lifted the protection meanwhile; or the program's own error.
    static thread_local std::uint64_t last = 0;
    bool const again = last == address;
    last = again ? 0 : address;
    hold.unlock();
    if (again || info->si_code != SEGV_ACCERR) pass_on(number, info, context, segv_before);
    return;
  }
  std::uint64_t const begin = address / host_pages::page * host_pages::page;
  bool const reads_too = found->second.reads_too;
  bool const go_on = judge->host_accesses(address, writes, code) && stepping.begin == 0 &&
                     ++steps[begin] < max_steps;
  take_out(found, begin);
  allow(begin, begin + host_pages::page, PROT_READ | PROT_WRITE);
  if (!go_on) return;
  stepping = {begin, reads_too};
  state->uc_mcontext.gregs[REG_EFL] |= trap_flag;
}

void on_step(int number, siginfo_t* info, void* context) {
  if (stepping.begin == 0) return pass_on(number, info, context, trap_before);
  auto* const state = static_cast<ucontext_t*>(context);
  state->uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
  auto const held = host_pages::hold();
  protected_ranges[stepping.begin] = {stepping.begin + host_pages::page, stepping.reads_too};
  allow(stepping.begin, stepping.begin + host_pages::page, protection(stepping.reads_too));
  stepping = {};
}

void install() {
  struct sigaction mine{};
  mine.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&mine.sa_mask);
  mine.sa_sigaction = &on_fault;
  sigaction(SIGSEGV, &mine, &segv_before);
  mine.sa_sigaction = &on_step;
  sigaction(SIGTRAP, &mine, &trap_before);
}
#else
void install() {}
#endif

}  // namespace

bool host_pages::works() { return is_written_for; }

std::unique_lock<std::recursive_mutex> host_pages::hold() {
  static std::recursive_mutex& of_all = *new std::recursive_mutex;
  return std::unique_lock{of_all};
}

host_pages::host_pages(host_access_judge& j) { judge = &j; }

void host_pages::protect(std::uint64_t begin, std::uint64_t end, bool reads_too) {
  if (!is_written_for || begin >= end) return;
  static bool const installed = (install(), true);
  static_cast<void>(installed);
  auto const held = hold();
  protected_ranges[begin] = {end, reads_too};
  allow(begin, end, protection(reads_too));
}

void host_pages::lift() {
  auto const held = hold();
  for (auto const& [begin, r] : protected_ranges) allow(begin, r.end, PROT_READ | PROT_WRITE);
  protected_ranges.clear();
  steps.clear();
}

}  // namespace device::check
