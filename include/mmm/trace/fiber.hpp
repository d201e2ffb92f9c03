// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

//! Fibers: functions that can be suspended and resumed, each with its own stack.
namespace mmm::gpu::detail {

//! Memory for a stack, with a guard page below it that ends the program when the stack overflows.
class fiber_stack {
 public:
  explicit fiber_stack(std::size_t bytes) {
    page_ = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    bytes_ = (bytes + page_ - 1) / page_ * page_ + page_;
    void* const memory =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw std::system_error(errno, std::generic_category(), "mmm: the stack of a traced thread");
    memory_ = static_cast<std::byte*>(memory);
    static_cast<void>(::mprotect(memory_, page_, PROT_NONE));
  }
  fiber_stack(fiber_stack const&) = delete;
  fiber_stack& operator=(fiber_stack const&) = delete;
  ~fiber_stack() { static_cast<void>(::munmap(memory_, bytes_)); }

  [[nodiscard]] void* begin() const { return memory_ + page_; }
  [[nodiscard]] std::size_t size() const { return bytes_ - page_; }

 private:
  std::size_t page_ = 0;
  std::size_t bytes_ = 0;  // including the guard page
  std::byte* memory_ = nullptr;
};

//! A call that can be suspended: resume() starts or continues it until it yields or returns. The
//! function must not throw. A fiber is resumed by one thread of the processor only, and is never
//! moved in memory.
class fiber {
 public:
  explicit fiber(std::size_t stack_bytes) : stack_(stack_bytes) {}
  fiber(fiber const&) = delete;
  fiber& operator=(fiber const&) = delete;

  //! Sets the function that the next resume() starts; the fiber's earlier function must have ended.
  void start(void (*function)(void*), void* argument) {
    function_ = function;
    argument_ = argument;
    ::getcontext(&own_);
    own_.uc_stack.ss_sp = stack_.begin();
    own_.uc_stack.ss_size = stack_.size();
    own_.uc_link = &caller_;
    auto const self = reinterpret_cast<std::size_t>(this);
    // makecontext passes arguments as int: a pointer goes in two halves.
    ::makecontext(&own_, reinterpret_cast<void (*)()>(&fiber::entry), 2,
                  static_cast<unsigned>(self >> 32), static_cast<unsigned>(self & 0xFFFFFFFFU));
  }
  //! Continues the function; called from outside the fiber.
  void resume() { ::swapcontext(&caller_, &own_); }
  //! Suspends the function and returns to the caller of resume(); called inside the fiber.
  void yield() { ::swapcontext(&own_, &caller_); }

 private:
  static void entry(unsigned high, unsigned low) {
    auto* const self = reinterpret_cast<fiber*>(std::size_t{high} << 32 | low);
    self->function_(self->argument_);
  }

  fiber_stack stack_;
  ucontext_t caller_{};
  ucontext_t own_{};
  void (*function_)(void*) = nullptr;
  void* argument_ = nullptr;
};

}  // namespace mmm::gpu::detail
