# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Build rules for the programs of tool/, device/ and example/. The library needs none of them.

find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_path(MMM_STB_INCLUDE_DIR stb/stb_image.h REQUIRED DOC "Folder that holds stb/stb_image.h")
mark_as_advanced(MMM_STB_INCLUDE_DIR)

# mmm_program(<target> <source> ...): a program with a command line.
function(mmm_program target)
  add_executable(${target} ${ARGN})
  mmm_own_target(${target})
  target_link_libraries(${target} PRIVATE mmm_tool_common CLI11::CLI11 nlohmann_json::nlohmann_json)
  if(MMM_QUICK_TEST_PROGRAMS)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# mmm_tool(<target> <source> ...): a program that is installed.
function(mmm_tool target)
  mmm_program(${target} ${ARGN})
  if(MMM_INSTALL)
    install(TARGETS ${target} RUNTIME COMPONENT mmm_tools)
  endif()
endfunction()
