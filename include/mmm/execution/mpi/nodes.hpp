// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/mpi/memory.hpp>
#include <mmm/execution/mpi/messages.hpp>
#include <mmm/execution/mpi/process_array.hpp>
#include <mmm/execution/mpi/process_group.hpp>
#include <mmm/execution/mpi/transfer_pieces.hpp>
#include <mmm/execution/nodes.hpp>
#include <mmm/machine/cluster.hpp>
#include <mmm/machine/machine.hpp>

#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

//! Programs for clusters on MPI's processes: node r is process r of a communicator.
namespace mmm::mpi {

//! The handle of a communicator's processes, for algorithms and for mmm::mpi::run. All processes
//! make the same calls with it, each with its own part of the sequences. Copies stand for the same
//! processes.
//!
//! Words and values are of trivially copyable types; processes have the same representation of
//! them.
//! Failures: if a process throws in a call, the call ends on all processes: mmm::mpi::rank_failure
//! with the message of the first one that failed; their own exceptions if all fail. Calls that
//! differ between processes are std::invalid_argument, which names the difference. The sequences
//! that a failed call writes then hold unspecified values; those that it only reads are unchanged.
//! A handle can be used again after a failure. MPI's own errors are mmm::mpi::error, on the process
//! that gets them. A process that is killed ends the job (mpirun).
//! Others that wait for the process that failed in a call on another handle, or in a function of
//! MPI, cannot learn it. If they do not come to the end of the call within 60 seconds
//! (end_job_after), that process writes its message to stderr and ends the job by MPI_Abort.
//! Threads: MPI is called by the calling thread only: MPI_THREAD_FUNNELED where nodes have threads.
//! Time: an agreement before each exchange, collective and end of a call that works after its last
//! one: ceil(log2 k) rounds of messages, by which every process gets 64 bytes of each. The results
//! of all_reduce and reduce are the folds in the order of ranks, as in a simulation, also for
//! floating-point numbers.
template <class Node, cluster_machine M, template <class> class Memory = memory_of>
class processes : public mmm::detail::cluster_vocabulary_of_nodes<processes<Node, M, Memory>, M> {
  using base = mmm::detail::cluster_vocabulary_of_nodes<processes<Node, M, Memory>, M>;
  using memory = Memory<Node>;
  template <class T>
  static constexpr bool travels = std::is_trivially_copyable_v<T>;

 public:
  processes(std::shared_ptr<mmm::detail::process_group> group, Node const& node, M const& m)
      : group_(std::move(group)), node_(node), machine_(m) {}

  [[nodiscard]] M const& machine() const { return machine_; }
  //! This process's number.
  [[nodiscard]] index rank() const { return group_->rank(); }
  //! The handle of this process's node.
  [[nodiscard]] Node const& node() const { return node_; }
  //! Sets how long this process, if it fails, waits for the others until it ends the job: longer
  //! than the work between two operations of a program that goes on after failures. All copies of
  //! the handle have one time. Errors: std::invalid_argument for a negative one.
  void end_job_after(std::chrono::milliseconds wait) const {
    if (wait.count() < 0)
      mmm::detail::reject("the time until the job ends, in milliseconds", wait.count(),
                          "0 or more");
    group_->end_job_after(wait);
  }

  template <class Call>
  decltype(auto) agreed(char const* name, Call const& call) const {
    return group_->agreed(name, false, call);
  }
  template <class Parameters, class Call>
  decltype(auto) agreed(char const* name, Parameters const& given, Call const& call) const {
    return group_->agreed(name, false, [&]() -> decltype(auto) {
      for (auto const& x : given.values) note(x.name, x.value);
      return call();
    });
  }
  template <class Call>
  decltype(auto) agreed_throughout(char const* name, Call const& call) const {
    return group_->agreed(name, true, call);
  }

  //! Compares a type, as that of an order, between the processes.
  template <class T>
  void note_type(char const* name) const {
    group_->notes().template add_type<T>(name);
  }
  //! Compares a number between the processes.
  template <class T>
  requires std::is_arithmetic_v<T>
  void note_value(char const* name, T x) const {
    if constexpr (std::is_integral_v<T>)
      note(name, static_cast<index>(x));
    else
      group_->notes().add(name, static_cast<double>(x));
  }
  //! Compares n words that all processes give alike, by a hash of their bits, which tells sequences
  //! that differ in one word apart; a long double is compared as a double. Classes with padding or
  //! with members of floating-point types are compared by their type only. Time: O(n).
  template <class In>
  void note_words(char const* name, In first, index n) const {
    using word = mmm::detail::iterator_value_t<In>;
    note_type<word>(name);
    if constexpr (mmm::detail::has_comparable_bits<word>) {
      auto const words = run_inspect(run_bring(first, mmm::detail::same_words{n}));
      std::uint64_t hash = mmm::detail::empty_hash;
      for (index i = 0; i < n; ++i) hash = mmm::detail::hash_after_word(hash, words(rank(), i));
      note("with the hash", static_cast<index>(hash));
    }
  }
  void run_blocks(block_distribution const& b, node_groups const& groups, index) const {
    group_->demand_call("blocks");
    note("blocks of", b.items);
    note("in groups of", groups.size);
  }
  template <class T, class Distribution>
  [[nodiscard]] auto make_array(Distribution const& d) const {
    static_assert(travels<T>,
                  "mmm: only words of trivially copyable types travel between processes");
    group_->demand_call("allocate");
    group_->works();
    index const n = d.words(rank());
    if (n < 0) mmm::detail::reject("the words of a node's part of an array", n, "0 or more");
    auto const own = memory::template allocate<T>(node_, n);
    return mmm::detail::process_array<T, Distribution>(rank(), d, own.get(), own);
  }
  [[nodiscard]] mmm::detail::process_distribution run_distribution_of(index n) const {
    begin_operation("distribution_of");
    if (n < 0) mmm::detail::reject("the number of words of a process", n, "0 or more");
    group_->agree_with(n);
    return mmm::detail::process_distribution(gathered<index>());
  }
  template <class In, class Distribution>
  [[nodiscard]] auto run_bring(In first, Distribution const& d) const {
    using word = mmm::detail::iterator_value_t<In>;
    static_assert(travels<word>,
                  "mmm: only words of trivially copyable types travel between processes");
    group_->demand_call("bring");
    group_->works();
    group_->notes().template add_type<word>("words of type");
    index const n = d.words(rank());
    if constexpr (memory::template accesses<In>) {
      auto* const words = memory::address(node_, first);
      group_->reads(words, words + n);
      return mmm::detail::process_array<std::remove_pointer_t<decltype(words)>, Distribution>(
          rank(), d, words, nullptr);
    } else {
      auto const own = memory::template allocate<word>(node_, n);
      memory::bring(node_, first, n, own.get());
      return mmm::detail::process_array<word, Distribution>(rank(), d, own.get(), own);
    }
  }
  template <class T, class Out, class Distribution>
  [[nodiscard]] auto run_results(Out out, Distribution const& d) const {
    using array = mmm::detail::process_array<T, Distribution>;
    group_->demand_call("results");
    group_->works();
    group_->notes().template add_type<T>("results of type");
    if constexpr (memory::template accesses<Out> &&
                  std::is_same_v<mmm::detail::iterator_value_t<Out>, T>) {
      T* const words = memory::address(node_, out);
      // an operation may read the caller's words after it has written results
      if (!group_->is_read(words, words + d.words(rank()))) return array(rank(), d, words, nullptr);
    }
    return make_array<T>(d);
  }
  template <class Array, class Out, class Distribution>
  void run_deliver(Array const& a, Out out, Distribution const& d) const {
    group_->demand_call("deliver");
    group_->works();
    if constexpr (memory::template accesses<Out>)
      if (static_cast<void const*>(memory::address(node_, out)) == a.own()) return;
    memory::deliver(node_, a.own(), d.words(rank()), out);
  }
  template <class Body>
  auto run_nodes(Body const& body) const {
    group_->demand_call("each_node");
    group_->works();
    Node local = node_;
    using result = decltype(body(local, index{}));
    if constexpr (std::is_void_v<result>)
      body(local, rank());
    else
      return mmm::detail::process_value<std::remove_cvref_t<result>>(rank(), body(local, rank()));
  }
  template <class Body, class... Transfers>
  void run_exchange(Body const& body, Transfers const&... transfers) const {
    begin_operation("exchange");
    std::vector<mmm::detail::transfer_pieces> const pieces{pieces_of(transfers)...};
    memory::finish(node_);
    typename memory::messages messages(node_, group_->communicator(), exchange_tag);
    std::size_t number = 0;
    (add_messages(messages, transfers, pieces[number++]), ...);
    messages.prepare();
    mmm::detail::agree_on_plans(*group_, pieces);
    group_->works();
    messages.start();
    number = 0;
    (copy_own_pieces(transfers, pieces[number++]), ...);
    if constexpr (!std::is_same_v<Body, typename base::nothing_meanwhile>) {
      Node local = node_;
      static_cast<void>(body(local, rank()));
    }
    messages.wait();
  }
  template <class Array>
  [[nodiscard]] auto run_inspect(Array const& a) const {
    using word = typename Array::value_type;
    group_->demand_call("inspect");
    group_->works();
    auto words = std::make_shared<word[]>(static_cast<std::size_t>(a.own_words()));
    memory::deliver(node_, a.own(), a.own_words(), words.get());
    memory::finish(node_);
    return mmm::detail::inspected_part<word>(rank(), std::move(words));
  }
  template <class T, class Operator>
  T run_all_reduce(mmm::detail::process_value<T> const& x, Operator const& op) const {
    begin_operation("all_reduce");
    group_->notes().template add_type<T>("of");
    group_->notes().template add_type<Operator>("with");
    group_->agree_with(x.own());
    T fold = group_->template value<T>(0);
    for (index r = 1; r < group_->size(); ++r)
      fold = static_cast<T>(op(fold, group_->template value<T>(r)));
    return fold;
  }
  template <class T, class Operator>
  mmm::detail::process_value<T> run_exclusive_scan(mmm::detail::process_value<T> const& x,
                                                   Operator const& op, T const& initial) const {
    begin_operation("exclusive_scan");
    group_->notes().template add_type<T>("of");
    group_->notes().template add_type<Operator>("with");
    group_->agree_with(x.own());
    group_->works();  // each process folds other values, and may fail alone
    T fold = initial;
    for (index r = 0; r < rank(); ++r)
      fold = static_cast<T>(op(fold, group_->template value<T>(r)));
    return {rank(), fold};
  }
  template <class T>
  mmm::detail::gathered_values<T> run_all_gather(mmm::detail::process_value<T> const& x) const {
    begin_operation("all_gather");
    group_->notes().template add_type<T>("of");
    group_->agree_with(x.own());
    return mmm::detail::gathered_values<T>(gathered<T>());
  }
  template <class Source, class Target>
  void run_broadcast(node_groups const& groups, index root, Source const& source,
                     Target const& target) const {
    using word = typename Source::value_type;
    begin_collective<word>("broadcast", groups, root);
    index const sender = groups.rank(rank(), root);
    index const n = source.words(sender);
    reject_longer(n, target.own_words());
    memory::finish(node_);
    typename memory::broadcast message(node_, sender == rank() ? source.own() : nullptr,
                                       target.own(), n);
    group_->agree();
    group_->works();
    MPI_Comm const communicator = group_->communicator_of(groups);
    if (n == 0) return;
    if (sender == rank()) memory::copy(node_, source.own(), n, target.own(), n, n, 1);
    if (groups.size > 1) message.run(communicator, root);
  }
  template <class Source, class Target, class Operator>
  void run_reduce(node_groups const& groups, index root, Source const& source, Target const& target,
                  Operator const& op) const {
    using word = typename Source::value_type;
    begin_collective<word>("reduce", groups, root);
    group_->notes().template add_type<Operator>("with");
    index const receiver = groups.rank(rank(), root);
    index const n = source.own_words();
    for (index m = 0; m < groups.size; ++m)
      mmm::detail::reject_unequal(source.words(groups.rank(rank(), m)), source.words(receiver));
    if (receiver == rank()) reject_longer(n, target.own_words());
    fold_in_shares<word>(groups, receiver, source.own(), target.own(), n, op);
  }
  template <class Body>
  void run_loop(block_distribution const& blocks, Body const& body) const {
    for (index b = 0; b < blocks.blocks; ++b) body(b);
  }

 private:
  static constexpr int exchange_tag = 1;
  static constexpr int share_tag = 2;
  static constexpr int fold_tag = 3;

  //! Begins an operation on which the processes will agree.
  void begin_operation(char const* name) const {
    group_->demand_call(name);
    group_->works();
    note(name);
  }
  void note(char const* name) const { group_->notes().add(name); }
  void note(char const* name, index number) const { group_->notes().add(name, number); }
  template <class Word>
  void begin_collective(char const* name, node_groups const& groups, index root) const {
    begin_operation(name);
    group_->notes().template add_type<Word>("of");
    note("in groups of", groups.size);
    note("apart by", groups.stride);
    note("on member", root);
  }
  template <class T>
  [[nodiscard]] std::vector<T> gathered() const {
    std::vector<T> values;
    values.reserve(static_cast<std::size_t>(group_->size()));
    for (index r = 0; r < group_->size(); ++r) values.push_back(group_->template value<T>(r));
    return values;
  }
  static void reject_longer(index given, index room) {
    if (given > room) mmm::detail::reject_length("words of a collective's result", given, room);
  }
  static void reject_same(void const* source, index words, void const* target) {
    if (words > 0 && source == target)
      mmm::detail::throw_logic_error(
          mmm::detail::failure_text("mmm: the source and the target of messages are one array"));
  }
  template <class Transfer>
  [[nodiscard]] mmm::detail::transfer_pieces pieces_of(Transfer const& x) const {
    using word = typename decltype(x.source)::value_type;
    static_assert(std::is_same_v<word, typename decltype(x.target)::value_type>,
                  "mmm: the words of an exchange are of one type");
    group_->notes().template add_type<word>("words of type");
    reject_same(x.source.own(), x.source.own_words(), x.target.own());
    return mmm::detail::pieces_of_process(rank(), this->nodes(), x);
  }
  template <class Transfer>
  void add_messages(typename memory::messages& messages, Transfer const& x,
                    mmm::detail::transfer_pieces const& pieces) const {
    for (auto const& [other, p] : pieces.received)
      if (other != rank())
        messages.receive(other, x.target.own() + p.target, p.words, p.rows, p.target_pitch);
    for (auto const& [other, p] : pieces.sent)
      if (other != rank())
        messages.send(other, x.source.own() + p.source, p.words, p.rows, p.source_pitch);
  }
  template <class Transfer>
  void copy_own_pieces(Transfer const& x, mmm::detail::transfer_pieces const& pieces) const {
    for (auto const& [other, p] : pieces.sent)
      if (other == rank())
        memory::copy(node_, x.source.own() + p.source, p.source_pitch, x.target.own() + p.target,
                     p.target_pitch, p.words, p.rows);
  }
  //! Each member folds a share of the words, in the order of the ranks, and sends it to the
  //! receiver: each process sends and receives less than twice the words.
  template <class Word, class Operator>
  void fold_in_shares(node_groups const& groups, index receiver, Word const* source, Word* target,
                      index n, Operator const& op) const {
    block_distribution const shares(n, groups.size);
    index const own = groups.member(rank());
    index const n_own = shares.words(own);
    auto const others = memory::template allocate<Word>(node_, n_own * groups.size);
    memory::finish(node_);
    typename memory::messages of_shares(node_, group_->communicator(), share_tag);
    typename memory::messages of_folds(node_, group_->communicator(), fold_tag);
    for (index m = 0; m < groups.size; ++m) {
      if (m == own) continue;
      index const member = groups.rank(rank(), m);
      if (n_own > 0) of_shares.receive(member, others.get() + m * n_own, n_own);
      if (shares.words(m) > 0) of_shares.send(member, source + shares.first(m), shares.words(m));
      if (receiver == rank() && shares.words(m) > 0)
        of_folds.receive(member, target + shares.first(m), shares.words(m));
    }
    if (receiver != rank() && n_own > 0) of_folds.send(receiver, others.get(), n_own);
    of_shares.prepare();
    group_->agree();
    group_->works();
    of_shares.start();
    // the receiver waits for this process's fold: a failure is thrown after that has been sent
    std::exception_ptr failure;
    try {
      if (n_own > 0)
        memory::copy(node_, source + shares.first(own), n_own, others.get() + own * n_own, n_own,
                     n_own, 1);
      of_shares.wait();
      for (index m = 1; m < groups.size; ++m)
        memory::combine(node_, others.get(), others.get() + m * n_own, n_own, op);
      memory::finish(node_);
      of_folds.prepare();
    } catch (...) {
      failure = std::current_exception();
    }
    of_folds.start();
    if (receiver == rank() && n_own > 0)
      memory::copy(node_, others.get(), n_own, target + shares.first(own), n_own, n_own, 1);
    of_folds.wait();
    if (failure) std::rethrow_exception(failure);
  }

  std::shared_ptr<mmm::detail::process_group> group_;
  Node node_;
  M machine_;
};

//! The handle of a communicator's processes as the nodes of cluster `m`: `mmm::sum(mmm::mpi::on(
//! MPI_COMM_WORLD, mmm::host_threads<mmm::dmm<32, 1>>(mmm::threads(1))), a.begin(), a.end())`,
//! where each process gives its part of the sequence. All processes call it at the same time.
//!
//! \param communicator duplicated; its errors become exceptions.
//! \param node what the process's part of the work runs on, as mmm::host_threads.
//! \tparam Memory how messages travel between the memories of nodes: memory_of, by MPI, or
//! mmm::mpi::nccl_memory (<mmm/nccl.cuh>).
//! Errors: std::invalid_argument, on all processes, if the communicator does not have `m.nodes()`
//! processes; std::logic_error before MPI_Init; mmm::mpi::error as of MPI_Comm_dup.
//! Time: that of MPI_Comm_dup, and an agreement.
template <template <class> class Memory = memory_of, class Node, cluster_machine M>
[[nodiscard]] auto on(MPI_Comm communicator, Node const& node, M const& m) {
  auto group = std::make_shared<mmm::detail::process_group>(communicator);
  group->agreed("mmm::mpi::on", true, [&] {
    if (group->size() != m.nodes())
      mmm::detail::throw_invalid_argument(mmm::detail::failure_text(
          "mmm: the number of the communicator's processes is ", group->size(),
          "; accepted: ", m.nodes(), ", the number of the machine's nodes"));
  });
  return processes<Node, M, Memory>(std::move(group), node, m);
}
//! The same on a cluster of as many nodes as the communicator has processes. Its network's gap and
//! latency are 1, which matters to estimates only.
template <template <class> class Memory = memory_of, class Node>
[[nodiscard]] auto on(MPI_Comm communicator, Node const& node) {
  using node_machine = std::remove_cvref_t<decltype(node.machine())>;
  using machine = cluster<dynamic, 1, 1, node_machine>;
  auto group = std::make_shared<mmm::detail::process_group>(communicator);
  machine const m(node.machine(), group->size());
  return processes<Node, machine, Memory>(std::move(group), node, m);
}

//! Runs `program(on)` on the processes of `on`; all of them call it. The program uses the words of
//! cluster handles (execution/nodes.hpp) and algorithms. Returns its result on each process.
//! Errors: those of the program, as mmm::mpi::processes says.
template <class Node, cluster_machine M, template <class> class Memory, class Program>
decltype(auto) run(processes<Node, M, Memory> const& on, Program&& program) {
  return on.agreed_throughout("mmm::mpi::run", [&]() -> decltype(auto) { return program(on); });
}

}  // namespace mmm::mpi
