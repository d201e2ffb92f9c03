// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the model's prediction for the kernels of the lists (PREDICTION_LISTS): one line of JSON
// per launch, in order.
#include "launcher.hpp"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <type_traits>

#include PREDICTION_LISTS

namespace prediction {

std::string readable(std::type_info const& type) {
  std::unique_ptr<char, decltype(&std::free)> const name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, nullptr), &std::free);
  return name ? name.get() : type.name();
}

namespace {

//! An array that begins at a multiple of 256 bytes, as arrays from cudaMalloc do.
template <class T>
class words {
 public:
  words() : words(std::vector<T>(static_cast<std::size_t>(max_words), T{1})) {}
  //! A copy of `numbers`.
  explicit words(std::vector<T> const& numbers) : bytes_(numbers.size() * sizeof(T) + 256) {
    first_ =
        reinterpret_cast<T*>((reinterpret_cast<std::uintptr_t>(bytes_.data()) + 255) / 256 * 256);
    for (std::size_t i = 0; i < numbers.size(); ++i) first_[i] = numbers[i];
  }
  words(words const&) = delete;
  words& operator=(words const&) = delete;
  [[nodiscard]] T* data() const { return first_; }

 private:
  std::vector<std::byte> bytes_;
  T* first_;
};

void print(char const* name, figures const& f, char const* end) {
  std::printf("\"%s\": [%lld, %lld]%s", name, static_cast<long long>(f.requests),
              static_cast<long long>(f.transfers), end);
}

struct predicting {
  //! A copy of the numbers.
  template <class T>
  T const* keep(std::vector<T> const& numbers) {
    auto const kept = std::make_shared<words<T>>(numbers);
    kept_.push_back(kept);
    return kept->data();
  }
  template <class T, index WordBytes = sizeof(T), class M, class Call>
  void run(char const* algorithm, std::string const& with, M const& machine, index p,
           Call const& call) {
    words<T> a, b;
    words<result_of<T>> c;
    std::vector<launch_prediction> predictions;
    call(launcher<M>(machine, p, WordBytes, predictions), a.data(), b.data(), c.data());
    for (launch_prediction const& launch : predictions) {
      std::printf("{\"algorithm\": \"%s\", \"machine\": \"%s\", \"value\": \"%s\", \"with\": \"%s, "
                  "p = %lld\", ",
                  algorithm, kind<M>(), value<T>(), with.c_str(), static_cast<long long>(p));
      std::printf("\"program\": \"%s\", \"blocks\": %lld, \"block_threads\": %lld, \"parts\": {",
                  launch.program.c_str(), static_cast<long long>(launch.shape.blocks),
                  static_cast<long long>(launch.shape.block_threads));
      char const* before = "";
      for (auto const& [name, d] : launch.parts) {
        std::printf("%s\"%s\": {", before, name.c_str());
        print("shared load", d.shared_load, ", ");
        print("shared store", d.shared_store, ", ");
        print("global load", d.global_load, ", ");
        print("global store", d.global_store, ", ");
        print("global atomic", d.global_atomic, "}");
        before = ", ";
      }
      std::printf("}}\n");
    }
  }

 private:
  std::vector<std::shared_ptr<void>> kept_;

  template <class M>
  static constexpr char const* kind() {
    if constexpr (mmm::clustered_machine<M>)
      return "HMM with clusters";
    else if constexpr (mmm::hierarchical_machine<M>)
      return "HMM";
    else
      return M::conflicts == mmm::conflict::banks    ? "DMM"
             : M::conflicts == mmm::conflict::groups ? "UMM"
                                                     : "PRAM";
  }
  template <class T>
  static constexpr char const* value() {
    if constexpr (std::is_integral_v<T>)
      return sizeof(T) == 1 ? "integers of a byte" : "integers of 8 bytes";
    else
      return sizeof(T) == 2 ? "half" : sizeof(T) == 4 ? "float" : "double";
  }
};

}  // namespace
}  // namespace prediction

int main() {
  prediction::predicting all;
  prediction::run_lists(all);
}
