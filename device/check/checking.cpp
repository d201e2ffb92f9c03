// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/checking.hpp>
#include <device/check/memory_checker.hpp>
#include <device/check/program_races.hpp>
#include <device/core/failure.hpp>

//! The instrument that finds reads of memory never written, and races. All other findings come from
//! execution and from the runtime themselves.
namespace device::check {
namespace {

class checking final : public runtime::instruments {
 public:
  checking(bool uninitialized, bool race) : uninitialized_(uninitialized), race_(race) {}

  void attach(global_memory& memory, std::function<void(finding const&)> report) override {
    checker_.emplace(uninitialized_, race_, memory.arena_begin(), memory.arena_end());
    if (race_) races_.emplace(memory, std::move(report));
  }

  [[nodiscard]] std::vector<observer*> for_worker(launch const& l, int) override {
    if (l.workers > 1) throw unsupported("--check with several host threads for a launch");
    if (!checker_) return {};
    if (races_ && races_->is_running()) return {&*checker_, &*races_};
    return {&*checker_};
  }

  void host_wrote(std::uint64_t begin, std::uint64_t bytes) override {
    if (auto* const c = written()) c->host_wrote(begin, bytes);
  }
  void host_copied(std::uint64_t destination, std::uint64_t source, std::uint64_t bytes) override {
    if (auto* const c = written()) c->host_copied(destination, source, bytes);
  }
  void allocated(allocation const& a) override {
    if (auto* const c = written()) c->allocated(a);
    if (races_) races_->allocated(a);
  }
  void freed(allocation const& a) override {
    if (auto* const c = written()) c->freed(a);
    if (races_) races_->freed(a);
  }
  void operation_begins(runtime::operation_pointer const& op) override {
    if (races_) races_->operation_begins(op);
  }
  void operation_accesses(std::uint64_t begin, std::uint64_t bytes, bool writes) override {
    if (races_) races_->operation_accesses(begin, bytes, writes);
  }
  void operation_ends() override {
    if (races_) races_->operation_ends();
  }
  void host_knows(runtime::order_clock const& known) override {
    if (races_) races_->host_knows(known);
  }

 private:
  bool uninitialized_;
  bool race_;
  std::optional<memory_checker> checker_;
  std::optional<program_races> races_;

  [[nodiscard]] uninitialized_check* written() {
    return checker_ ? checker_->uninitialized() : nullptr;
  }
};

}  // namespace

std::unique_ptr<runtime::instruments> make_checking(runtime::settings const& s) {
  bool const uninitialized = s.checks_for(check_kind::uninitialized);
  bool const race = s.checks_for(check_kind::race);
  if (!uninitialized && !race && !s.checks_for(check_kind::descriptor)) return nullptr;
  return std::make_unique<checking>(uninitialized, race);
}

}  // namespace device::check
