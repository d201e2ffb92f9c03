// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A new algorithm with a program for clusters.
#include <mmm/cluster.hpp>

#include <cstdio>
#include <vector>

namespace my {

// [object]
//! Divides n words by a number.
struct divide {
  template <class On, class In, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, In a, mmm::index n, float total, Out b) const {
    on.each(n, [=](auto i) { b[i] = mmm::load(a[i]) / total; });
  }
};

//! out[i] = in[i]/(in[0] + … + in[n - 1]).
struct shares {
  static constexpr char const* name = "shares";
  static constexpr char const* paper = "this page";
  static constexpr mmm::machine_kinds kinds{.dmm = 6, .umm = 6};

  struct problem {
    mmm::natural n;
    constexpr explicit problem(mmm::size words) : n(words.count) {}

    template <class On, class In = mmm::no_data>
    [[nodiscard]] constexpr float total(On& on, In first = {}) const {
      return static_cast<float>(decltype(mmm::sum)::problem(mmm::size(n)).run(on, first));
    }
    template <class On, class In = mmm::no_data, class Out = mmm::no_data>
    constexpr void divide_by(On& on, float sum, In first = {}, Out out = {}) const {
      mmm::perform(on, divide{}, mmm::reads<float>(first, n), n.count, sum,
                   mmm::writes<float>(out, n));
    }
    template <class On, class In = mmm::no_data, class Out = mmm::no_data>
    constexpr void run(On& on, In first = {}, Out out = {}) const {
      divide_by(on, total(on, first), first, out);
    }
    [[nodiscard]] constexpr mmm::bound lower_bound(mmm::machine_terms const& m) const {
      return {.bandwidth = 2 * n / m.w, .latency = 2 * n * m.l / m.p};
    }
    [[nodiscard]] constexpr mmm::natural upper_bound(mmm::machine_terms const& m) const {
      return n / m.w + n * m.l / m.p + m.l * log2(n);
    }
  };

  // The problem of one machine, or that of the cluster_program
  template <class On, class Iterator, class Output>
  void operator()(On on, Iterator first, Iterator last, Output out) const {
    mmm::detail::called<shares>(on, [&] {
      mmm::detail::problem_on_t<On, shares>(mmm::size(last - first)).run(on, first, out);
    });
  }
};
// [/object]

}  // namespace my

// [on_nodes]
//! Node r has block r of the words and of the results. Each node adds up its words, the network
//! adds up the sums, each node divides its words.
template <>
struct mmm::detail::cluster_program<my::shares> {
  struct problem {
    using node_problem = my::shares::problem;
    natural n;
    constexpr explicit problem(size words) : n(words.count) {}

    template <class On, class In = no_data, class Out = no_data>
    constexpr void run(On& on, In first = {}, Out out = {}) const {
      auto const parts = on.distribution_of(n);  // about n/k words on a node
      auto const a = on.bring(first, parts);     // the caller's words
      auto const b = on.template results<float>(out, parts);
      auto const sums = on.each_node([=](auto& node, index r) {
        return node_problem(size(parts.words(r))).total(node, a.part(r));
      });
      float const total = on.all_reduce(sums, plus{});  // known to all nodes
      on.each_node([=](auto& node, index r) {
        node_problem(size(parts.words(r))).divide_by(node, total, a.part(r), b.part(r));
      });
      on.deliver(b, out, parts);
    }
    //! The bounds of a node's part. Results depend on the words of all nodes: some word is sent.
    template <cluster_machine M>
    [[nodiscard]] constexpr bound lower_bound(cluster_terms<M> const& t) const {
      bound b = node_problem(size(n / t.k)).lower_bound(t.node);
      if (t.k > 1 && n > 1) b.network_latency = t.exchange(1);
      return b;
    }
    template <cluster_machine M>
    [[nodiscard]] constexpr natural upper_bound(cluster_terms<M> const& t) const {
      return node_problem(size(n / t.k)).upper_bound(t.node) + natural(merge_time(t.machine, t.k));
    }
  };
};
// [/on_nodes]

// [use]
using machine = mmm::cluster<4, 2, 100, mmm::dmm<32, 8>>;
constexpr auto of_all = mmm::threads(4 * 64);
constexpr auto cost = mmm::cost_of<machine>(my::shares{}, mmm::size(1 << 16), of_all);
static_assert(cost.network.words == 3 && cost.network.time == 3 * 2 + 100);
static_assert(mmm::lower_bound<machine>(my::shares{}, mmm::size(1 << 16), of_all).time <=
              cost.time);
static_assert(cost.time <= 6 * mmm::upper_bound<machine>(my::shares{}, mmm::size(1 << 16), of_all));
// [/use]

int main() {
  bool right = true;
  for (mmm::index const n : {1, 3, 4, 1000}) {
    std::vector<float> const in(static_cast<std::size_t>(n), 2.0F);
    std::vector<float> out(in.size());
    auto const run = mmm::simulate<machine>(
        of_all, [&](auto on) { my::shares{}(on, in.begin(), in.end(), out.begin()); });
    right = right && run.race_count == 0 && run.node_race_count == 0 &&
            run.cost.time == mmm::cost_of<machine>(my::shares{}, mmm::size(n), of_all).time;
    for (float const share : out) right = right && share == 2.0F / (2.0F * static_cast<float>(n));
  }
  std::printf("%s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
