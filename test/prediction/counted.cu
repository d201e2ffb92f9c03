// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the kernels of the lists (PREDICTION_LISTS) under the device in software, which counts their
// requests.
#include <mmm/mmm.cuh>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

#include PREDICTION_LISTS

namespace {

template <class T>
class words {
 public:
  words() : words(std::vector<T>(prediction::max_words, T{1})) {}
  //! A copy of `host`.
  explicit words(std::vector<T> const& host) {
    mmm::cuda::check(cudaMalloc(&first_, host.size() * sizeof(T)), "cudaMalloc", "words");
    mmm::cuda::check(
        cudaMemcpy(first_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice),
        "cudaMemcpy", "words");
  }
  words(words const&) = delete;
  words& operator=(words const&) = delete;
  ~words() { static_cast<void>(cudaFree(first_)); }
  [[nodiscard]] T* data() const { return first_; }

 private:
  T* first_ = nullptr;
};

struct running {
  //! The numbers in device memory.
  template <class T>
  T const* keep(std::vector<T> const& numbers) {
    auto const kept = std::make_shared<words<T>>(numbers);
    kept_.push_back(kept);
    return kept->data();
  }
  template <class T, mmm::index = sizeof(T), class M, class Call>
  void run(char const*, std::string const&, M const& machine, mmm::index p, Call const& call) {
    words<T> const a, b;
    words<prediction::result_of<T>> const c;
    call(mmm::cuda::on(machine, mmm::threads(p)), a.data(), b.data(), c.data());
    mmm::cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize", "kernels to count");
  }

 private:
  std::vector<std::shared_ptr<void>> kept_;
};

}  // namespace

int main() {
  try {
    running all;
    prediction::run_lists(all);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "mmm_prediction_counted: %s\n", e.what());
    return 1;
  }
  return 0;
}
