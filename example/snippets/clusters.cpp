// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The clusters of docs/model.md. With a folder as argument, the program draws docs/cluster.svg
// there.
#include <mmm/mmm.hpp>
#include <mmm/report.hpp>

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

// [cluster]
//! Each DMM of a cluster of C turns its 4 words by one rank: those of rank r come from rank r + 1.
struct turned {
  template <class On, class In, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, In in, Out out) const {
    using value = typename Out::value_type;
    mmm::index const c = on.machine().cluster_size();
    on.each_cluster([=](auto& cluster, auto k) {
      auto const a = cluster.template allocate<value>(4);  // 4 words in each DMM's memory
      cluster.each_dmm([=](auto& block, auto r) {
        block.each(4, [=](auto i) { a[i] = mmm::load(in[(k * c + r) * 4 + i]); });
      });  // a barrier of the cluster
      cluster.each_dmm([=](auto& block, auto r) {
        block.each(4, [=](auto i) { out[(k * c + r) * 4 + i] = mmm::load(a((r + 1) % c, i)); });
      });
    });
  }
};

using machine = mmm::clustered<mmm::hmm<4, 4, 1, 6>, 2, 3>;  // 4 DMMs, clusters of 2, peers: 3
constexpr auto cost = mmm::estimate<machine>(mmm::threads(16), [](auto& on) {
  mmm::run(on, turned{}, mmm::reads<float>(mmm::no_data{}, 16),
           mmm::writes<float>(mmm::no_data{}, 16));
});
// read: 4 + 6 - 1, write: 1, read at each peer: 1 + 3 - 1, write: 4 + 6 - 1
static_assert(cost.time == 9 + 1 + 3 + 9);
// [/cluster]

int main(int count, char** values) {
  std::vector<float> in(16, 1.0F);
  std::vector<float> out(16);
  auto const run = mmm::simulate<machine>(mmm::threads(16), [&](auto& on) {
    mmm::run(on, turned{}, mmm::reads<float>(in.begin(), 16), mmm::writes<float>(out.begin(), 16));
  });
  std::string const picture = mmm::report::svg(run.trace, "Two clusters of two DMMs");
  if (count == 2) std::ofstream(std::string(values[1]) + "/cluster.svg") << picture;
  std::cout << mmm::report::text(run.trace);
  return run.cost.time != cost.time || out != in;
}
