# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What test/ and device/test share.

find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
find_package(Catch2 REQUIRED)
include(Catch)

add_custom_target(mmm_running_tests) # programs that a sanitizer can watch

# mmm_catch_program(<target> <label> <source> ...): a Catch2 program, each test case a test. Its name begins with the
# label; one that begins with long_ is labelled long. Test cases see MMM_LONG_TESTS in their environment: they take more
# values of their parameters with it (test/support/long_tests.hpp).
function(mmm_catch_program target label)
  set(test_folder "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../test")
  set(sources ${ARGN})
  if(mmm_sources_together GREATER 1)
    set(tests ${ARGN})
    list(FILTER tests INCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/")
    list(REMOVE_ITEM sources ${tests})
    mmm_together(together ${target} ${mmm_sources_together} ${tests})
    list(APPEND sources ${together})
  endif()
  add_executable(${target} ${sources})
  mmm_own_target(${target})
  if(MMM_QUICK_TEST_PROGRAMS)
    target_compile_options(${target} PRIVATE -O0)
    # clang evaluates calls whose arguments are constants, to warn of their results. What must be a
    # constant is in *.static.cpp.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-fconstexpr-steps=40000>)
  endif()
  target_link_libraries(${target} PRIVATE Catch2::Catch2WithMain)
  target_include_directories(${target} PRIVATE "${test_folder}")
  target_precompile_headers(${target} PRIVATE "${test_folder}/catch.hpp")
  # A test case without an assertion is a failure, and so is a name under which Catch2 finds no test
  # case.
  set(prefix "${label}.")
  if(label MATCHES "^long_")
    set(label long)
  endif()
  set(environment)
  if(MMM_LONG_TESTS)
    set(environment ENVIRONMENT "MMM_LONG_TESTS=1")
  endif()
  catch_discover_tests(
    ${target}
    TEST_PREFIX "${prefix}"
    EXTRA_ARGS --warn NoAssertions
    PROPERTIES LABELS ${label} ${environment} TIMEOUT 300 FAIL_REGULAR_EXPRESSION "No test cases matched|No tests ran"
               SKIP_REGULAR_EXPRESSION "  skipped: ")
  add_dependencies(mmm_running_tests ${target})
endfunction()

# Without MMM_LONG_TESTS the tests' scripts run a part of their cases.
set(quick "--quick")
if(MMM_LONG_TESTS)
  set(quick "")
endif()

find_program(MMM_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda/bin
             DOC "The CUDA compiler; its tests are skipped without it")
mark_as_advanced(MMM_NVCC)

# NCCL, in one folder with CUDA or where the system looks.
set(MMM_NCCL "")
if(MMM_NVCC)
  file(REAL_PATH "${MMM_NVCC}" nvcc_itself)
  get_filename_component(cuda_folder "${nvcc_itself}" DIRECTORY)
  find_path(MMM_NCCL_HEADERS nccl.h HINTS "${cuda_folder}/../include")
  find_library(MMM_NCCL_LIBRARY nccl HINTS "${cuda_folder}/../lib" "${cuda_folder}/../lib64")
  mark_as_advanced(MMM_NCCL_HEADERS MMM_NCCL_LIBRARY)
  if(MMM_NCCL_HEADERS AND MMM_NCCL_LIBRARY)
    set(MMM_NCCL "${MMM_NCCL_LIBRARY}")
  endif()
endif()
