// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "agenda.hpp"

#include "tables.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <unordered_map>

namespace device::runtime {

using namespace abi;

namespace {

using namespace std::chrono_literals;

//! The device's threads do what was left to later calls after this time.
constexpr auto begin_of_functions = 5ms;
constexpr auto begin_of_work = 50ms;
//! The same of host functions, where races are looked for and the program goes on.
constexpr auto begin_of_functions_beside = 200ms;
//! Threads of the agenda.
constexpr int own_threads = 2;
//! Between two tries of a kernel that waits for memory.
constexpr auto pause = 1ms;
//! The time without progress after which nobody will make any: where the program has no other
//! thread, and where it has.
constexpr auto patience_alone = 100ms;
constexpr auto patience_with_others = 10s;

bool is_host_function(task const& t) { return std::holds_alternative<host_work>(t.job); }

//! Threads of this process that sleep, or all.
int threads(bool asleep) {
  std::error_code failed;
  int n = 0;
  for (auto const& t : std::filesystem::directory_iterator("/proc/self/task", failed)) {
    if (!asleep) {
      ++n;
      continue;
    }
    std::ifstream file(t.path() / "stat");
    std::string const text{std::istreambuf_iterator<char>(file), {}};
    std::size_t const end_of_name = text.rfind(')');
    if (end_of_name != std::string::npos && text.compare(end_of_name, 3, ") S") == 0) ++n;
  }
  return n;
}

//! True if the edges of a graph leave one order of its nodes only, and none begins early.
bool is_chain(graph const& g) {
  graph_node const* before = nullptr;
  for (graph_node const* const n : in_order(g)) {
    if (before != nullptr &&
        std::none_of(n->after.begin(), n->after.end(), [&](dependency const& d) {
          return d.before == before && d.data.type != cudaGraphDependencyTypeProgrammatic;
        }))
      return false;
    if (auto const* const child = std::get_if<child_work>(&n->task);
        child != nullptr && !is_chain(*child->embedded))
      return false;
    before = n;
  }
  return true;
}

//! Makes a device the current one of this thread for a while.
struct as_device {
  explicit as_device(int device) : before(this_thread().device) { this_thread().device = device; }
  ~as_device() { this_thread().device = before; }
  as_device(as_device const&) = delete;
  as_device& operator=(as_device const&) = delete;
  int before;
};

}  // namespace

agenda::agenda(process& p) : process_(p), random_(p.set.seed.value_or(0) + 1) {}

bool agenda::draws() const {
  // The check of races finds them in whatever order; it compares the host's accesses with what has
  // been done.
  return process_.set.seed.has_value() && process_.order == nullptr &&
         (!process_.table.streams.empty() || !process_.table.per_thread.empty());
}

std::vector<task_pointer> agenda::before_next(stream& s) {
  std::vector<task_pointer> all;
  if (s.last != nullptr && !s.last->done) all.push_back(s.last);
  if (left_.empty()) return all;
  bool const blocking = (s.flags & non_blocking) == 0;
  for (task_pointer const& t : left_)
    if (t->device == s.device && ((s.is_legacy && t->is_blocking) || (blocking && t->is_of_legacy)))
      all.push_back(t);
  return all;
}

void agenda::add(stream& s, task_pointer const& t) {
  t->device = s.device;
  t->in = &s;
  t->is_of_legacy = s.is_legacy;
  t->is_blocking = !s.is_legacy && (s.flags & non_blocking) == 0;
  t->issued = std::chrono::steady_clock::now();
  left_.push_back(t);
  if (!draws() && !is_host_function(*t) && is_ready(*t)) run(t);
  if (!t->done) start_threads();
}

void agenda::issue(stream& s, work w) {
  if (auto const* const child = std::get_if<child_work>(&w)) return add_graph(s, *child);
  auto const t = std::make_shared<task>();
  t->after = before_next(s);
  if (auto const* const wait = std::get_if<wait_work>(&w))
    if (process_.table.events.contains(wait->awaited) && wait->awaited->last != nullptr &&
        !wait->awaited->last->done)
      t->after.push_back(wait->awaited->last);
  if (process_.order != nullptr) t->place = process_.order->place(s, w);
  if (auto const* const r = std::get_if<record_work>(&w)) r->recorded->last = t;
  t->job = std::move(w);
  s.last = t;
  add(s, t);
  while (draws() && random_() % 2 == 0 && run_one_ready()) {
  }
}

void agenda::add_graph(stream& s, child_work const& whole) {
  std::vector<task_pointer> const before = before_next(s);
  program_order* const order = process_.order;
  if (order != nullptr) {
    if (!is_chain(*whole.embedded)) order->watch();
    order->begin_graph(s, whole.run);
  }
  std::vector<task_pointer> all;  // done last
  std::function<std::vector<task_pointer>(graph const&, std::vector<task_pointer> const&)> const
      add_nodes = [&](graph const& g, std::vector<task_pointer> const& first) {
        std::unordered_map<graph_node const*, std::vector<task_pointer>> ends;
        std::vector<task_pointer> of_graph;
        for (graph_node const* const n : in_order(g)) {
          std::vector<task_pointer> after;
          std::vector<placed_operation const*> known;
          for (dependency const& d : n->after)
            for (task_pointer const& t : ends[d.before]) after.push_back(t);
          if (after.empty()) after = first;
          if (auto const* const child = std::get_if<child_work>(&n->task); child && n->enabled) {
            ends[n] = add_nodes(*child->embedded, after);
            if (ends[n].empty()) ends[n] = after;
          } else {
            auto const t = std::make_shared<task>();
            t->is_node = true;
            if (order != nullptr) {
              for (task_pointer const& b : after)
                if (b->is_node) known.push_back(&b->place);
              bool const programmatic =
                  std::any_of(n->after.begin(), n->after.end(), [](dependency const& d) {
                    return d.data.type == cudaGraphDependencyTypeProgrammatic;
                  });
              t->place = order->place_node(s, n->enabled ? n->task : work{empty_work{}}, known,
                                           programmatic);
            }
            if (n->enabled) t->job = n->task;
            if (auto* const k = std::get_if<kernel_work>(&t->job)) k->of_graph = whole.run;
            if (auto* const c = std::get_if<condition_work>(&t->job)) c->of_graph = whole.run;
            std::erase_if(after, [](task_pointer const& b) { return b->done; });
            t->after = std::move(after);
            if (auto const* const r = std::get_if<record_work>(&t->job)) r->recorded->last = t;
            if (auto const* const wait = std::get_if<wait_work>(&t->job))
              if (process_.table.events.contains(wait->awaited) && wait->awaited->last != nullptr &&
                  !wait->awaited->last->done)
                t->after.push_back(wait->awaited->last);
            ends[n] = {t};
            all.push_back(t);
          }
          for (task_pointer const& t : ends[n]) of_graph.push_back(t);
        }
        return of_graph;
      };
  std::vector<task_pointer> first = before;
  if (whole.run != nullptr && whole.run->last != nullptr && !whole.run->last->done)
    first.push_back(whole.run->last);  // not beside another run of its own
  if (auto conditions = conditions_of(process_, *whole.embedded); !conditions.empty()) {
    auto const values = std::make_shared<task>();
    values->job = empty_work{std::move(conditions)};
    values->after = std::move(first);
    add(s, values);
    first = {values};
  }
  (void)add_nodes(*whole.embedded, first);
  if (whole.run != nullptr && process_.table.has_device_graphs) {
    auto const launched = std::make_shared<task>();
    std::vector<placed_operation const*> known;
    for (task_pointer const& t : all) known.push_back(&t->place);
    launched->job = launched_work{whole.run};
    if (order != nullptr) launched->place = order->place_node(s, launched->job, known, false);
    launched->after = all;
    all.push_back(launched);
  }
  auto const end_of_all = std::make_shared<task>();
  end_of_all->after = before;
  if (order != nullptr) {
    std::vector<placed_operation const*> known;
    for (task_pointer const& t : all) known.push_back(&t->place);
    end_of_all->place = order->end_graph(s, whole.run, known);
  }
  for (task_pointer const& t : all) end_of_all->after.push_back(t);
  s.last = end_of_all;
  if (whole.run != nullptr) whole.run->last = end_of_all;
  for (task_pointer const& t : all) add(s, t);
  add(s, end_of_all);
}

bool agenda::is_ready(task const& t) {
  return !t.runs && !t.done && t.begun == nullptr &&
         std::all_of(t.after.begin(), t.after.end(), [](auto const& b) { return b->done; });
}

//! Does a task, or goes on with it.
void agenda::run(task_pointer const& t) {
  process& p = process_;
  as_device const now(t->device);
  t->runs = true;
  bool over = true;
  // A node of a graph may be another device's than the stream.
  auto const* const launched = std::get_if<kernel_work>(&t->job);
  context const& on = launched == nullptr ? p.current() : p.of_device(launched->device);
  if (on.fault == cudaSuccess) {
    try {
      operation_of_instruments const notified(p, t->place.op, over);
      if (launched != nullptr) {
        if (t->begun == nullptr) t->begun = std::make_unique<running_kernel>(p, *launched);
        over = t->begun->advance();
      } else if (auto const* const c = std::get_if<condition_work>(&t->job)) {
        if (t->begun == nullptr) t->begun = std::make_unique<running_condition>(p, *c);
        over = t->begun->advance();
      } else if (auto const* const l = std::get_if<launched_work>(&t->job)) {
        if (t->begun == nullptr) t->begun = std::make_unique<running_condition>(p, *l);
        over = t->begun->advance();
      } else if (auto const* const h = std::get_if<host_work>(&t->job)) {
        flush_prints(p);
        call_host_function(h->function, h->data);
      } else {
        perform(p, t->job);
      }
    } catch (...) {  // what the device does not support: nothing may wait for the task
      t->runs = false;
      end(*t);
      throw;
    }
  }
  t->runs = false;
  if (over) end(*t);
}

void agenda::end(task& t) {
  t.done = true;
  t.begun.reset();
  t.after.clear();
  if (process_.order != nullptr)
    process_.order->ended(t.place, process_.table.has(t.in) ? t.in : nullptr, is_host_function(t));
  left_.remove_if([&](task_pointer const& l) { return l.get() == &t; });
  if (has_threads_) changed_.notify_all();
}

bool agenda::run_one_ready() {
  std::vector<task_pointer> ready;
  for (task_pointer const& t : left_) {
    if (!is_ready(*t) || is_host_function(*t)) continue;
    ready.push_back(t);
    if (!process_.set.seed) break;
  }
  if (ready.empty()) return false;
  run(ready[ready.size() == 1 ? 0 : random_() % ready.size()]);
  return true;
}

//! Goes on with the kernels that wait for memory. False if none made progress.
bool agenda::retry_stalled() {
  std::vector<task_pointer> stalled;
  for (task_pointer const& t : left_)
    if (t->begun != nullptr && !t->runs) stalled.push_back(t);
  bool progress = false;
  for (task_pointer const& t : stalled) {
    if (t->begun == nullptr || t->runs) continue;
    run(t);
    progress = progress || t->done || t->begun->made_progress();
  }
  return progress;
}

//! Nothing makes progress any more: the first kernel that waits is a deadlock.
void agenda::give_up_one() {
  for (task_pointer const& t : left_) {
    if (t->begun == nullptr || t->runs) continue;
    as_device const now(t->device);
    {
      operation_of_instruments const notified(process_, t->place.op, true);
      t->begun->give_up();
    }
    end(*t);
    return;
  }
}

void agenda::wait_until(std::function<bool()> const& is_over) {
  auto last_progress = std::chrono::steady_clock::now();
  // Tries of kernels that wait for memory since the program has no other thread: one that has
  // just ended may have changed it.
  int tries_alone = 0;
  constexpr int max_tries_alone = 10;
  while (!is_over()) {
    if (run_one_ready() || retry_stalled()) {
      last_progress = std::chrono::steady_clock::now();
      continue;
    }
    bool const functions = std::any_of(left_.begin(), left_.end(), [](task_pointer const& t) {
      return is_host_function(*t) && (t->runs || is_ready(*t));
    });
    ++waiting_;
    if (functions) last_progress = std::chrono::steady_clock::now();
    auto const idle = std::chrono::steady_clock::now() - last_progress;
    tries_alone = threads(false) <= own_threads + waiting_ ? tries_alone + 1 : 0;
    if (idle > patience_with_others || (idle > patience_alone && tries_alone > max_tries_alone)) {
      give_up_one();
      last_progress = std::chrono::steady_clock::now();
    } else {
      changed_.notify_all();
      changed_.wait_for(big_lock(), pause);
    }
    --waiting_;
  }
}

void agenda::wait_for(task_pointer const& t) {
  if (t == nullptr || t->done) return;
  wait_until([&] { return t->done; });
  require(process_.current().fault == cudaSuccess, process_.current().fault);
}

void agenda::wait_for(stream& s) {
  if (left_.empty()) return;
  std::vector<task_pointer> const all = before_next(s);
  if (!s.is_legacy) return wait_for(task_pointer{s.last});
  for (task_pointer const& t : all) wait_for(t);
}

bool agenda::is_done(stream& s) {
  if (!s.is_legacy) return s.last == nullptr || s.last->done;
  return before_next(s).empty();
}

void agenda::wait_for_device(int device) {
  if (left_.empty()) return;
  wait_until([&] {
    return std::none_of(left_.begin(), left_.end(),
                        [&](task_pointer const& t) { return t->device == device; });
  });
  require(process_.current().fault == cudaSuccess, process_.current().fault);
}

void agenda::help() {
  if (!left_.empty() && !run_one_ready()) (void)retry_stalled();
}

void agenda::finish() {
  if (!left_.empty()) wait_until([&] { return left_.empty(); });
}

// --- threads -------------------------------------------------------------------------------------

void agenda::start_threads() {
  if (has_threads_) return;
  has_threads_ = true;
  std::thread([this] { repeat(&agenda::do_work); }).detach();
  std::thread([this] { repeat(&agenda::call_functions); }).detach();
}

//! The loop of a thread of the agenda: each step has the lock. An exception ends the program, as no
//! call of the program can return it.
void agenda::repeat(void (agenda::*step)(std::unique_lock<std::recursive_timed_mutex>&)) {
  std::unique_lock hold(big_lock());
  for (;;) try {
      (this->*step)(hold);
    } catch (failure const& f) {
      end_by(f);
    } catch (std::exception const& e) {
      end_by(e);
    }
}

//! Does what nobody waits for.
void agenda::do_work(std::unique_lock<std::recursive_timed_mutex>& hold) {
  if (left_.empty() || waiting_ != 0) {
    changed_.wait_for(hold, left_.empty() ? 1s : pause * 5);
    return;
  }
  bool any = false;
  auto const old = std::chrono::steady_clock::now() - begin_of_work;
  for (task_pointer const& t : left_)
    if (is_ready(*t) && !is_host_function(*t) && (!draws() || t->issued < old)) {
      run(task_pointer{t});
      any = true;
      break;
    }
  if (!any) any = retry_stalled();
  if (!any) changed_.wait_for(hold, pause);
  hold.unlock();  // for threads that call
  std::this_thread::yield();
  hold.lock();
}

//! True if all threads of the program sleep, but not in a call of the runtime.
bool agenda::program_sleeps() {
  // One of the own threads looks, the other sleeps.
  auto const sleeps = [] {
    return calls_in_progress() == 0 && threads(true) >= threads(false) - 1;
  };
  if (!sleeps()) return false;
  big_lock().unlock();
  std::this_thread::sleep_for(pause);
  bool const still = sleeps();
  big_lock().lock();
  return still;
}

//! Calls host functions: soon if a thread waits, else after a while, so that a program that does
//! not wait goes on before.
void agenda::call_functions(std::unique_lock<std::recursive_timed_mutex>& hold) {
  auto const now = std::chrono::steady_clock::now();
  auto const next = std::find_if(left_.begin(), left_.end(), [&](task_pointer const& t) {
    return is_host_function(*t) && is_ready(*t) &&
           (waiting_ != 0 || t->issued < now - begin_of_functions);
  });
  if (next == left_.end()) {
    changed_.wait_for(hold, left_.empty() ? 1s : pause);
    return;
  }
  task_pointer const t = *next;
  // Else what the program does before the function would pass for what it does after it.
  if (process_.order != nullptr && waiting_ == 0 && t->issued > now - begin_of_functions_beside &&
      !program_sleeps()) {
    changed_.wait_for(hold, pause);
    return;
  }
  if (is_ready(*t)) run(t);
}

}  // namespace device::runtime
