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

# g++ collects its garbage at the doubling of a small heap, up to a tenth of its time in files of many sources.
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
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

# With CMAKE_UNITY_BUILD so many sources of a test program are compiled as one (mmm_together): less work for all, more
# for one that changed.
set(mmm_sources_together 1)
if(CMAKE_UNITY_BUILD)
  set(mmm_sources_together 12)
  if(DEFINED CMAKE_UNITY_BUILD_BATCH_SIZE)
    set(mmm_sources_together "${CMAKE_UNITY_BUILD_BATCH_SIZE}")
  endif()
endif()

# mmm_source_name(<variable> <source>): an identifier made of a source's path below this folder, without its extension;
# of the file's name alone if the source lies elsewhere.
function(mmm_source_name variable source)
  string(REPLACE "${CMAKE_CURRENT_SOURCE_DIR}/" "" name "${source}")
  string(REGEX REPLACE "^/.*/" "" name "${name}")
  string(REGEX REPLACE "\\.[a-z]+$" "" name "${name}")
  string(MAKE_C_IDENTIFIER "${name}" name)
  set(${variable} "${name}" PARENT_SCOPE)
endfunction()

# mmm_together(<variable> <name> <number> <source> ...): files of up to <number> sources each. What several sources
# instantiate is compiled once for a file. Their headers come first, and each source is in a namespace of its own, so
# that sources may say the same names. A source with the property SKIP_UNITY_BUILD_INCLUSION is left as it is.
function(mmm_together variable name number)
  set(files)
  set(all)
  foreach(source IN LISTS ARGN)
    get_source_file_property(alone "${source}" SKIP_UNITY_BUILD_INCLUSION)
    if(alone)
      list(APPEND files "${source}")
    else()
      list(APPEND all "${source}")
    endif()
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${all}) # for the headers that they include
  list(LENGTH all left)
  set(begin 0)
  while(begin LESS left)
    list(SUBLIST all ${begin} ${number} sources)
    math(EXPR begin "${begin} + ${number}")
    set(headers)
    set(bodies)
    foreach(source IN LISTS sources)
      get_filename_component(folder "${source}" DIRECTORY)
      mmm_source_name(source_name "${source}")
      file(STRINGS "${source}" lines REGEX "^#include ")
      foreach(line IN LISTS lines)
        string(REGEX REPLACE "^#include \"(.*)\"" "${folder}/\\1" near "${line}")
        if(EXISTS "${near}")
          set(line "#include \"${near}\"")
        endif()
        list(APPEND headers "${line}")
      endforeach()
      string(APPEND bodies "namespace of_${source_name} {\n#include \"${source}\"\n}\n")
    endforeach()
    list(REMOVE_DUPLICATES headers)
    list(JOIN headers "\n" headers)
    list(GET sources 0 first)
    mmm_source_name(first "${first}")
    set(made "${CMAKE_CURRENT_BINARY_DIR}/together/${name}_${first}.cpp")
    file(CONFIGURE OUTPUT "${made}" CONTENT "${headers}\n${bodies}" @ONLY)
    list(APPEND files "${made}")
  endwhile()
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# mmm_program_of_programs(<target> <source> ...): one program instead of many, whose first argument is the name of the
# source whose main function is called with the further arguments.
function(mmm_program_of_programs target)
  mmm_together(source ${target} 1000 ${ARGN})
  set(calls)
  foreach(program IN LISTS ARGN)
    get_filename_component(stem "${program}" NAME_WE)
    mmm_source_name(source_name "${program}")
    string(APPEND calls "  if (name == \"${stem}\") return start(of_${source_name}::main, count - 1, arguments + 1);\n")
  endforeach()
  set(main "${CMAKE_CURRENT_BINARY_DIR}/together/${target}.cpp")
  file(CONFIGURE OUTPUT "${main}" @ONLY CONTENT "#include \"${source}\"
#include <string_view>
namespace {
[[maybe_unused]] int start(int (*program)(), int, char**) { return program(); }
[[maybe_unused]] int start(int (*program)(int, char**), int count, char** arguments) { return program(count, arguments); }
}
int main(int count, char** arguments) {
  std::string_view const name = count > 1 ? arguments[1] : \"\";
${calls}  return 2;
}
")
  add_executable(${target} "${main}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
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

# mmm_skipped_test(<name> <label> <why>): stands in ctest's summary for tests that this configuration lacks.
function(mmm_skipped_test name label why)
  mmm_labelled_test(${name} ${label} sh -c "echo \"$0: skipped\" && exit 77" "${why}")
endfunction()

# mmm_mpi_test(<name> <label> <processes> <command> ...): a program of MPI on so many processes of this machine, however few
# cores it has.
function(mmm_mpi_test name label processes)
  mmm_labelled_test(${name} ${label} "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_NUMPROC_FLAG} ${processes} ${ARGN})
  set_tests_properties(${name} PROPERTIES PROCESSORS 2 ENVIRONMENT
    "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_mpi_yield_when_idle=1;PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe")
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
