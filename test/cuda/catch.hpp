// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of Catch2's interface that the tests of kernels use: quick to compile with nvcc, and
// available where Catch2 is not installed. This folder precedes test/catch.hpp on the include path.
#pragma once

#include <exception>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace checks {

//! A test case, and the program's list of all test cases. TEST_CASE defines one.
struct test_case {
  char const* name;
  void (*run)();
  [[nodiscard]] static std::vector<test_case>& all() {
    static std::vector<test_case> list;
    return list;
  }
  test_case(char const* text, void (*function)()) : name(text), run(function) {
    all().push_back(*this);
  }
};

//! The numbers of checks and of failures. Only failures are printed.
struct tally {
  long long checks = 0;
  long long failures = 0;
  std::vector<std::string> context{};  //!< the texts of CAPTURE, outermost first
  [[nodiscard]] static tally& now() {
    static tally one;
    return one;
  }
  void note(bool holds, char const* text, char const* file, int line,
            std::string const& found = {});
};

template <class T>
void print(std::ostringstream& out, T const& x) {
  if constexpr (std::is_convertible_v<T const&, std::string>)
    out << std::string(x);
  else if constexpr (std::is_arithmetic_v<T>)
    out << +x;
  else
    out << '?';
}

//! Adds `names = values` to the messages of failures during its lifetime.
class capture {
 public:
  template <class... Values>
  explicit capture(char const* names, Values const&... values) {
    std::ostringstream out;
    out << names << " =";
    ((out << ' ', print(out, values)), ...);
    tally::now().context.push_back(out.str());
  }
  capture(capture const&) = delete;
  capture& operator=(capture const&) = delete;
  ~capture() { tally::now().context.pop_back(); }
};

//! The message of the exception that `call` throws, if it is an `Exception`; otherwise the text
//! `otherwise`.
template <class Exception, class Call>
[[nodiscard]] std::string thrown(Call const& call, char const* otherwise) {
  try {
    call();
  } catch (Exception const& e) {
    return e.what();
  } catch (std::exception const& e) {
    return std::string(otherwise) + " (another exception: " + e.what() + ")";
  }
  return otherwise;
}

}  // namespace checks

#define MMM_JOIN_NAMES(a, b) a##b
#define MMM_UNIQUE_NAME(a, b) MMM_JOIN_NAMES(a, b)

// Numbered, not named by their lines: several files are compiled as one.
#define TEST_CASE(text) MMM_TEST_CASE(text, __COUNTER__)
#define MMM_TEST_CASE(text, number)                                    \
  static void MMM_UNIQUE_NAME(mmm_test_, number)();                    \
  static ::checks::test_case const MMM_UNIQUE_NAME(mmm_case_, number)( \
      text, &MMM_UNIQUE_NAME(mmm_test_, number));                      \
  static void MMM_UNIQUE_NAME(mmm_test_, number)()

#define CAPTURE(...) \
  ::checks::capture const MMM_UNIQUE_NAME(mmm_capture_, __LINE__)(#__VA_ARGS__, __VA_ARGS__)

#define CHECK(...) \
  ::checks::tally::now().note(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

//! Checks that `call` throws an `exception` whose message contains `words`.
#define CHECK_THROWS_SAYING(call, exception, words)                                          \
  do {                                                                                       \
    std::string const mmm_found =                                                            \
        ::checks::thrown<exception>([&] { static_cast<void>(call); }, "no " #exception);     \
    ::checks::tally::now().note(mmm_found.find(words) != std::string::npos, #call, __FILE__, \
                                __LINE__, mmm_found);                                        \
  } while (false)
