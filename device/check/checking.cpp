// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/checking.hpp>
#include <device/check/memory_checker.hpp>
#include <device/check/program_races.hpp>
#include <device/core/failure.hpp>
#include <device/runtime/caller.hpp>

#include <map>

//! The instrument that finds reads of memory never written, accesses beyond a shared array, and
//! races. All other findings come from
//! execution and from the runtime themselves.
namespace device::check {
namespace {

class checking final : public runtime::instruments {
 public:
  checking(bool uninitialized, bool bounds, bool race)
      : uninitialized_(uninitialized), bounds_(bounds), race_(race) {}

  void attach(global_memory& memory, std::function<void(finding const&)> report) override {
    begin_ = memory.arena_begin();
    end_ = memory.arena_end();
    memory_ = &memory;
    report_ = report;
    if (uninitialized_) written_.emplace(begin_, end_);
    if (race_) races_.emplace(memory, std::move(report));
  }

  [[nodiscard]] std::vector<observer*> for_worker(launch const& l, int) override {
    if (l.workers > 1) throw unsupported("--check with several host threads for a launch");
    if (unused_.empty())
      unused_.push_back(std::make_unique<memory_checker>(written(), bounds_, race_, begin_, end_));
    auto& own = running_[l.family()];
    if (own == nullptr) {
      own = std::move(unused_.back());
      unused_.pop_back();
    }
    if (races_ && races_->is_running()) return {own.get(), &*races_};
    return {own.get()};
  }

  void completed(std::uint64_t family) override {
    auto const found = running_.find(family);
    if (found == running_.end()) return;
    unused_.push_back(std::move(found->second));
    running_.erase(found);
  }

  void host_wrote(std::uint64_t begin, std::uint64_t bytes) override {
    if (auto* const c = written()) c->host_wrote(begin, bytes);
  }
  void host_copied(std::uint64_t destination, std::uint64_t source, std::uint64_t bytes) override {
    if (auto* const c = written()) c->host_copied(destination, source, bytes);
  }
  void host_reads(std::uint64_t begin, std::uint64_t bytes) override {
    auto const* const c = written();
    if (c == nullptr) return;
    std::optional<finding> f = c->host_reads(*memory_, begin, bytes);
    if (!f) return;
    f->message += "; called at " + runtime::place_of_call(runtime::callers(), {});
    report_(*f);
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
  void operation_ends(runtime::operation_pointer const& op, bool over) override {
    if (races_) races_->operation_ends(op, over);
  }
  void host_knows(runtime::order_clock const& known) override {
    if (races_) races_->host_knows(known);
  }

 private:
  bool uninitialized_;
  bool bounds_;
  bool race_;
  global_memory* memory_ = nullptr;
  std::function<void(finding const&)> report_{};
  std::uint64_t begin_ = 0, end_ = 0;  //!< of the global memory
  std::optional<uninitialized_check> written_;
  //! of the families of launches that run: several, if some wait for memory
  std::map<std::uint64_t, std::unique_ptr<memory_checker>> running_;
  std::vector<std::unique_ptr<memory_checker>> unused_;
  std::optional<program_races> races_;

  [[nodiscard]] uninitialized_check* written() { return written_ ? &*written_ : nullptr; }
};

}  // namespace

std::unique_ptr<runtime::instruments> make_checking(runtime::settings const& s) {
  bool const uninitialized = s.checks_for(check_kind::uninitialized);
  bool const bounds = s.checks_for(check_kind::bounds);
  bool const race = s.checks_for(check_kind::race);
  if (!uninitialized && !bounds && !race && !s.checks_for(check_kind::descriptor)) return nullptr;
  return std::make_unique<checking>(uninitialized, bounds, race);
}

}  // namespace device::check
