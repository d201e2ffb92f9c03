# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Functions and options shared by the project's own tests, tools, examples and benchmarks. None of
# them affects a user's target.

enable_testing()
include("${CMAKE_CURRENT_LIST_DIR}/mmm_boost.cmake")

add_library(mmm_warnings INTERFACE)
target_compile_options(mmm_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                                              $<$<BOOL:${MMM_WARNINGS_AS_ERRORS}>:-Werror>)
# g++ 12 has false warnings about std::string: about overlapping copies in `"text" + string` at -O2
# and above (GCC bug 105651), and about comparisons that read past a short string at -O1.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(mmm_warnings INTERFACE -Wno-restrict -Wno-stringop-overread)
endif()

# g++ collects its garbage at the doubling of a small heap, a tenth of its time in the largest files.
if(MMM_QUICK_TEST_PROGRAMS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(mmm_warnings INTERFACE --param=ggc-min-expand=300 --param=ggc-min-heapsize=1000000)
endif()

add_library(mmm_sanitizers INTERFACE)
if(MMM_SANITIZE)
  target_compile_options(mmm_sanitizers INTERFACE -fsanitize=${MMM_SANITIZE} -fno-sanitize-recover=all
                                                  -fno-omit-frame-pointer)
  target_link_options(mmm_sanitizers INTERFACE -fsanitize=${MMM_SANITIZE})
endif()

# mmm_sources(<variable> <subfolder>): the .cpp files in that folder, none if it does not exist.
function(mmm_sources variable folder)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp")
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# mmm_own_target(<target>): links the library and Boost.Hana's headers; adds strict warnings, sanitizers and C++20 without
# extensions.
function(mmm_own_target target)
  target_link_libraries(${target} PRIVATE mmm::mmm Boost::headers mmm_warnings mmm_sanitizers)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
endfunction()

# mmm_labelled_test(<name> <label> <command> ...): add_test with a label and a time limit; exit
# status 77 is reported as skipped.
function(mmm_labelled_test name label)
  add_test(NAME ${name} COMMAND ${ARGN} COMMAND_EXPAND_LISTS)
  set_tests_properties(${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77 TIMEOUT 300)
endfunction()

# Thrust on the host. CCCL's headers come with a CUDA toolkit, but do not need nvcc.
find_path(MMM_CCCL thrust/version.h HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES include/cccl include
          DOC "The folder of Thrust's headers; what uses Thrust is left out, visibly, without it")
mark_as_advanced(MMM_CCCL)

# mmm_uses_thrust(<target>): makes Thrust's headers available, without CUDA.
function(mmm_uses_thrust target)
  target_include_directories(${target} SYSTEM PRIVATE "${MMM_CCCL}")
  target_compile_definitions(${target} PRIVATE THRUST_HOST_SYSTEM=THRUST_HOST_SYSTEM_CPP
                                               THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP)
endfunction()
