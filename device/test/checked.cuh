// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

//! Facilities of the programs that test the software device: counted checks, memory that is freed,
//! random data. A program prints one line for each failure and nothing else.
namespace checked {

inline int checks = 0;
inline int failures = 0;

//! Counts a check; prints the first failures.
inline bool expect(bool holds, char const* what, int line, long long where = -1) {
  ++checks;
  if (holds) return true;
  if (++failures <= 20) {
    if (where < 0)
      std::printf("line %d: %s\n", line, what);
    else
      std::printf("line %d: %s, at %lld\n", line, what, where);
  }
  return false;
}

//! Counts a call as a check. A failed call ends the program, because nothing after an error of the
//! device can be trusted.
inline void succeed(cudaError_t result, char const* what, int line) {
  ++checks;
  if (result == cudaSuccess) return;
  std::printf("line %d: %s: %s\n", line, what, cudaGetErrorName(result));
  std::exit(1);
}

//! Ends a program that must have made at least `least` checks.
inline int finish(int least) {
  if (checks < least) {
    std::printf("%d checks instead of %d\n", checks, least);
    return 1;
  }
  if (failures > 20) std::printf("%d failures\n", failures);
  return failures != 0;
}

//! The sizes of the data, from the program's arguments.
inline std::vector<int> sizes(int count, char** arguments) {
  std::vector<int> all;
  for (int i = 1; i < count; ++i) all.push_back(std::atoi(arguments[i]));
  if (all.empty()) all = {0, 1, 1000};
  return all;
}

//! Numbers that are the same in every run (xorshift64*).
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed = 1) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  std::uint64_t operator()() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1du;
  }
  //! A number from 0 to limit - 1.
  std::uint64_t below(std::uint64_t limit) { return (*this)() % limit; }
  //! A value of an integer type with random bits, or of a floating type in [-1, 1).
  template <class T>
  T any() {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(static_cast<double>((*this)() >> 11) / 4503599627370496.0 - 1.0);
    else
      return static_cast<T>((*this)() >> 7);
  }

 private:
  std::uint64_t state_;
};

template <class T>
std::vector<T> random_vector(std::size_t n, std::uint64_t seed) {
  random_numbers random(seed);
  std::vector<T> v(n);
  for (auto& x : v) x = random.any<T>();
  return v;
}
template <class T>
std::vector<T> random_vector(std::size_t n, std::uint64_t seed, std::uint64_t below) {
  random_numbers random(seed);
  std::vector<T> v(n);
  for (auto& x : v) x = static_cast<T>(random.below(below));
  return v;
}

//! An array in device memory. An empty array has an address, too.
template <class T>
class device_array {
 public:
  explicit device_array(std::size_t n) : size_(n) {
    succeed(cudaMalloc(&data_, (n == 0 ? 1 : n) * sizeof(T)), "cudaMalloc", __LINE__);
  }
  device_array(std::vector<T> const& v) : device_array(v.size()) { *this = v; }
  device_array(device_array&& o) noexcept
      : data_(std::exchange(o.data_, nullptr)), size_(o.size_) {}
  device_array(device_array const&) = delete;
  ~device_array() { cudaFree(data_); }
  device_array& operator=(std::vector<T> const& v) {
    if (!v.empty())
      succeed(cudaMemcpy(data_, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice),
              "copy to the device", __LINE__);
    return *this;
  }
  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  //! Copies the first `n` elements to the host, after all earlier work is done.
  std::vector<T> host(std::size_t n) const {
    std::vector<T> v(n);
    if (n != 0)
      succeed(cudaMemcpy(v.data(), data_, n * sizeof(T), cudaMemcpyDeviceToHost),
              "copy from the device", __LINE__);
    return v;
  }
  std::vector<T> host() const { return host(size_); }
  void fill_bytes(int byte) {
    succeed(cudaMemset(data_, byte, size_ * sizeof(T)), "cudaMemset", __LINE__);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

//! True if both have the same elements; prints where they differ first.
template <class T, class U>
bool same(std::vector<T> const& found, std::vector<U> const& expected, char const* what, int line) {
  if (!expect(found.size() == expected.size(), what, line)) return false;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!(found[i] == expected[i])) return expect(false, what, line, static_cast<long long>(i));
  return expect(true, what, line);
}

//! Waits for the device and checks for errors of its work.
inline void wait(int line) {
  succeed(cudaGetLastError(), "launch", line);
  succeed(cudaDeviceSynchronize(), "kernel", line);
}

//! Calls an algorithm of CUB twice: to ask for the size of its storage, and with that storage.
template <class Call>
void with_storage(Call call, int line) {
  std::size_t bytes = 0;
  succeed(call(nullptr, bytes), "size of the storage", line);
  device_array<char> storage(bytes);
  succeed(call(storage.data(), bytes), "call", line);
  wait(line);
}

}  // namespace checked

#define EXPECT(...) checked::expect((__VA_ARGS__), #__VA_ARGS__, __LINE__)
#define EXPECT_AT(where, ...) \
  checked::expect((__VA_ARGS__), #__VA_ARGS__, __LINE__, static_cast<long long>(where))
#define SUCCEED(...) checked::succeed((__VA_ARGS__), #__VA_ARGS__, __LINE__)
#define SAME(found, expected) checked::same(found, expected, #found, __LINE__)
#define WAIT() checked::wait(__LINE__)
