// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/core/failure.hpp>
#include <device/report/baseline_record.hpp>
#include <device/report/counting.hpp>
#include <device/report/html.hpp>
#include <device/report/json.hpp>
#include <device/report/limit_check.hpp>
#include <device/report/output_file.hpp>
#include <device/report/sarif.hpp>
#include <device/report/table.hpp>
#include <device/report/trace_writer.hpp>
#include <device/runtime/gpus.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace device::report {

namespace {

using runtime::settings;

std::string working_folder() {
  std::error_code failed;
  return std::filesystem::current_path(failed).string();
}

//! The program's command line.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  while (!text.empty() && text.back() == '\0') text.pop_back();
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

void print(std::string const& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

//! Counts launches and reports on them.
class counting final : public runtime::instruments {
 public:
  explicit counting(settings const& s)
      : set_(s),
        policy_(count::policy_of(runtime::gpu_of(s.gpu).capability())),
        places_(working_folder()),
        command_(command_line()) {
    bool const is_first = runtime::begins_reports(s);
    // Rows can be appended; these are whole files, which another process would begin anew.
    for (auto const& [option, path] : {std::pair{"--html", s.html},
                                       {"--sarif", s.sarif},
                                       {"--write-baseline", s.write_baseline}})
      if (!is_first && !path.empty())
        throw unsupported(std::string{option} + ": " + path +
                          " is a report on one process, and another process of this run has begun "
                          "it; --json and --trace take several");
    if (!s.limits.empty()) limits_ = read_limits(s.limits);
    if (!s.baseline.empty()) before_ = read_baseline(s.baseline);
    if (!s.tolerance.empty()) tolerated_ = parse_tolerances(s.tolerance);
    if (!s.json.empty()) json_ = output_file(s.json, is_first);
    if (!s.html.empty()) html_ = output_file(s.html);
    if (!s.trace.empty()) trace_ = std::make_unique<trace_file>(s.trace, is_first);
  }

  std::vector<observer*> for_worker(launch const& l, int worker) override {
    auto const number = static_cast<std::size_t>(worker);
    auto const [found, is_new] = running_.try_emplace(l.number);
    if (is_new && !unused_.empty()) {
      found->second = std::move(unused_.back());
      unused_.pop_back();
    }
    watched_launch& w = found->second;
    while (w.counters.size() <= number) {
      w.counters.push_back(std::make_unique<count::counter>(policy_));
      if (trace_ != nullptr) w.writers.push_back(std::make_unique<trace_writer>(*trace_));
    }
    std::vector<observer*> own = {w.counters[number].get()};
    if (trace_ != nullptr) own.push_back(w.writers[number].get());
    return own;
  }

  void finished(launch const& l, launch_result const& result) override { take(l, result, {}); }
  void failed(launch const& l, launch_result const& result, std::string const& failure) override {
    take(l, result, failure);
  }

  void found(finding const& f) override {
    finding own = f;
    own.file = places_.shown(f.file);
    own.message = places_.shown_in(f.message);
    for (auto* const path : {&own.path, &own.other_path})
      for (source_line& l : *path) l.file = places_.shown(l.file);
    if (auto const running = running_.find(f.launch);
        running != running_.end() && !f.kernel.empty()) {
      running->second.findings.add(own);
      return;
    }
    // It belongs to no launch, as a leak, or is found after its launch: the last launch's object
    // has it, too.
    finding_list one;
    one.add(own);
    print_findings(one);
    last_.findings.add(own);
    for (recording* const r : recordings_) r->add(own);
    if (!json_.is_open()) return;
    if (whole_.kernels().empty())
      json_.append_last(json_text(last_.findings) + '\n');
    else if (!json_.replace_last(json_text(last_, places_) + '\n'))
      json_.append_last(json_text(one) + '\n');  // another process has written since
  }

  std::uint64_t at_exit() override {
    std::vector<kernel_record const*> const kernels = whole_.kernels();
    for (repeated_finding const& r : whole_.findings().all())
      for (repeated_finding const& t : reported_.all())
        if (finding_list::same(r.shown, t.shown) && r.count > t.count)
          print("mmm-run: " + std::string(name_of(r.shown.check)) + ": " +
                (r.shown.line != 0 ? r.shown.file + ':' + std::to_string(r.shown.line)
                                   : r.shown.kernel) +
                ": " + std::to_string(r.count) + " times in all\n");
    print(kernels.empty() ? "mmm-run: no kernel was launched\n"
                          : '\n' + table_text(kernels, places_));
    if (set_.blocks != 0) print(sample_text());
    if (json_.is_open()) json_.finish();
    if (html_.is_open()) output_file(set_.html).append(html(whole_));
    comparison const compared = compare_with_baseline(kernels);
    if (!set_.sarif.empty())
      output_file(set_.sarif).append(sarif_text(whole_.findings(), compared));
    if (!limits_) return compared.grown.size();
    limit_verdict const verdict = check_limits(*limits_, kernels, whole_.findings(), places_);
    for (std::string const& text : verdict.exceeded)
      print("mmm-run: limit exceeded: " + text + '\n');
    for (std::string const& text : verdict.unused)
      print("mmm-run: a limit holds for nothing: " + text + '\n');
    return verdict.exceeded.size() + compared.grown.size();
  }

  //! Adds all launches to `r`, too, until it is removed.
  void add(recording& r) { recordings_.push_back(&r); }
  void remove(recording& r) { std::erase(recordings_, &r); }
  [[nodiscard]] place_table const& places() const { return places_; }
  [[nodiscard]] std::string html(recording const& r) const {
    return html_page({r.kernels(), r.findings(), places_, set_.gpu, policy_, command_});
  }

 private:
  //! A launch that runs; several may, if some wait for memory.
  struct watched_launch {
    std::vector<std::unique_ptr<count::counter>> counters{};  //!< by worker
    std::vector<std::unique_ptr<trace_writer>> writers{};
    finding_list findings{};
  };

  //! The part of the program that ran, with --blocks.
  [[nodiscard]] std::string sample_text() const {
    using std::to_string;
    std::string text = "mmm-run: --blocks " + to_string(set_.blocks) + ": " +
                       to_string(executed_blocks_) + " of " + to_string(blocks_) +
                       " blocks were executed, spread evenly over each grid. The program's results "
                       "are not valid, and its figures are sums over these blocks.\n";
    if (!not_sampled_.empty()) {
      text += "mmm-run: --blocks: launches with a barrier of the whole grid were executed whole: ";
      for (std::string const& kernel : not_sampled_)
        text += (&kernel == &*not_sampled_.begin() ? "" : ", ") + kernel;
      text += '\n';
    }
    if (set_.checks_any())
      text +=
          "mmm-run: --blocks with --check: only these blocks are checked, with what the others did "
          "not write; the check of uninitialized memory is off.\n";
    return text;
  }

  //! Compares with the baseline, if there is one, and writes one, if that was asked for; it may be
  //! the same file.
  comparison compare_with_baseline(std::vector<kernel_record const*> const& kernels) {
    comparison compared;
    if (before_ || !set_.write_baseline.empty()) {
      baseline const now = baseline_of(kernels, places_);
      if (before_) compared = compare(*before_, now, tolerated_);
      if (!set_.write_baseline.empty()) output_file(set_.write_baseline).append(json_text(now));
    }
    print(table_text(compared));
    for (std::string const& name : compared.without_resources)
      print("mmm-run: registers and stack are not compared: " + name +
            " has machine code for the GPU in one of the two runs only (nvcc -arch=sm_90)\n");
    for (std::string const& name : compared.gone)
      print("mmm-run: a kernel of the baseline did not run: " + name + '\n');
    for (std::string const& name : compared.unknown)
      print("mmm-run: a kernel is not in the baseline: " + name + '\n');
    return compared;
  }

  //! Puts a launch, which is over, into the records.
  void take(launch const& l, launch_result const& result, std::string const& failure) {
    watched_launch& w = running_[l.number];
    std::vector<count::program_accesses> accesses;
    for (auto const& c : w.counters) c->move_into(accesses);
    for (auto const& t : w.writers) t->flush();
    last_ = record_of(l, result, accesses, places_);
    last_.failure = failure;
    blocks_ += l.grid.count();
    executed_blocks_ += last_.executed_blocks;
    if (l.cooperative && l.grid.count() > set_.blocks) not_sampled_.insert(last_.kernel);
    last_.findings = std::move(w.findings);
    last_.findings.put_causes_first();
    w.findings = {};
    unused_.push_back(std::move(w));
    running_.erase(l.number);
    print_findings(last_.findings);
    for (recording* const r : recordings_) r->add(last_);
    if (json_.is_open()) json_.append_last(json_text(last_, places_) + '\n');
  }

  //! Prints the findings that are new.
  void print_findings(finding_list const& list) {
    if (set_.embedded) return;
    for (repeated_finding const& r : list.all()) {
      bool const known = std::any_of(
          reported_.all().begin(), reported_.all().end(),
          [&](repeated_finding const& t) { return finding_list::same(t.shown, r.shown); });
      if (known) continue;
      print(text(r));
      reported_.add(r.shown, r.count);
    }
  }

  settings set_;
  count::bank_policy policy_;
  place_table places_;
  std::string command_;
  std::optional<limits> limits_{};
  std::optional<baseline> before_{};
  tolerances tolerated_ = default_tolerances();
  output_file json_{};
  output_file html_{};
  std::unique_ptr<trace_file> trace_{};
  std::uint64_t blocks_ = 0;                           //!< of all launches
  std::uint64_t executed_blocks_ = 0;                  //!< of them
  std::set<std::string> not_sampled_{};                //!< kernels that --blocks executed whole
  std::map<std::uint64_t, watched_launch> running_{};  //!< by number
  std::vector<watched_launch> unused_{};
  recording whole_{};
  std::vector<recording*> recordings_ = {&whole_};  //!< those that launches are added to
  finding_list reported_{};                         //!< with the counts that were printed
  launch_record last_{};
};

class counted_section final : public section {
 public:
  explicit counted_section(counting& by) : by_(by) { by_.add(own_); }
  ~counted_section() override { by_.remove(own_); }

  void end() override { by_.remove(own_); }
  [[nodiscard]] std::string json() const override { return json_text(own_, by_.places()); }
  [[nodiscard]] std::string html() const override { return by_.html(own_); }

 private:
  counting& by_;
  recording own_{};
};

}  // namespace

std::unique_ptr<runtime::instruments> make_counting(settings const& s) {
  return std::make_unique<counting>(s);
}

std::unique_ptr<section> begin_section(runtime::instruments& by) {
  return std::make_unique<counted_section>(dynamic_cast<counting&>(by));
}

}  // namespace device::report
