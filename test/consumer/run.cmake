# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D way=find_package|add_subdirectory|tools -D mmm_source= -D mmm_build= -D work=
#       -D compiler= -D generator= -D version= [-D cuda_headers=] [-D algorithm_programs=ON] -P run.cmake
# Builds this folder's project against mmm in the empty folder `work` and runs it. With way=tools,
# installs the programs and runs them, mmm-explore if algorithm_programs is on. cuda_headers: the
# folder of cuda.h and nvrtc.h, for mmm::jit.

cmake_minimum_required(VERSION 3.24)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${work}")
file(MAKE_DIRECTORY "${work}")

if(way STREQUAL "tools")
  run("${CMAKE_COMMAND}" --install "${mmm_build}" --prefix "${work}/prefix" --component mmm_tools)
  file(RENAME "${work}/prefix" "${work}/moved")
  file(GLOB programs RELATIVE "${work}/moved/bin" "${work}/moved/bin/*")
  set(expected mmm-replay)
  if(algorithm_programs)
    list(APPEND expected mmm-explore)
  endif()
  foreach(program IN LISTS expected)
    if(NOT program IN_LIST programs)
      message(FATAL_ERROR "${program} is not installed; installed: ${programs}")
    endif()
  endforeach()
  foreach(program IN LISTS programs)
    run("${work}/moved/bin/${program}" --help)
  endforeach()
  return()
endif()

if(way STREQUAL "find_package")
  run("${CMAKE_COMMAND}" --install "${mmm_build}" --prefix "${work}/prefix" --component mmm_library)
  # The installed copy is moved, which shows that no file in it refers to its old place and that the
  # headers in use are its own.
  file(RENAME "${work}/prefix" "${work}/moved")
  file(GLOB_RECURSE installed RELATIVE "${work}/moved" "${work}/moved/*")
  foreach(file IN LISTS installed)
    if(file MATCHES "\\.cmake$")
      file(READ "${work}/moved/${file}" text)
      string(FIND "${text}" "${mmm_source}/include" position)
      if(NOT position EQUAL -1)
        message(FATAL_ERROR "${file} names ${mmm_source}/include")
      endif()
    endif()
  endforeach()
  find_program(pkg_config pkg-config)
  if(pkg_config)
    run("${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${work}/moved/share/pkgconfig" "${pkg_config}" --exact-version "${version}" mmm)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${work}/moved/share/pkgconfig" "${pkg_config}" --cflags mmm
                    OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    file(WRITE "${work}/pkg_config.cpp" "#include <mmm/access.hpp>\nstatic_assert(mmm::stages<mmm::dmm<32, 1>>(mmm::item) == 1);\n")
    run("${compiler}" -std=c++20 -fsyntax-only ${flags} "${work}/pkg_config.cpp")
    if(cuda_headers)
      execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${work}/moved/share/pkgconfig" "${pkg_config}"
                              "--define-variable=cudaincludedir=${cuda_headers}" --cflags --libs mmm-jit
                      OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
      separate_arguments(flags UNIX_COMMAND "${flags}")
      run("${compiler}" -std=c++20 "${CMAKE_CURRENT_LIST_DIR}/jit.cpp" ${flags} -o "${work}/pkg_config_jit")
      run("${work}/pkg_config_jit")
    endif()
  endif()
  set(how "-DCMAKE_PREFIX_PATH=${work}/moved" "-DMMM_VERSION=${version}")
elseif(way STREQUAL "add_subdirectory")
  set(how "-DMMM_SOURCE=${mmm_source}")
else()
  message(FATAL_ERROR "way=${way}: find_package, add_subdirectory or tools")
endif()

set(with_jit OFF)
set(cuda_folder)
if(cuda_headers)
  set(with_jit ON)
  set(cuda_folder "-DMMM_CUDA_HEADERS=${cuda_headers}")
endif()
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${work}/build" -G "${generator}"
    "-DCMAKE_CXX_COMPILER=${compiler}" ${how} "-DMMM_WITH_JIT=${with_jit}" ${cuda_folder})
run("${CMAKE_COMMAND}" --build "${work}/build")
run("${work}/build/consumer")
if(cuda_headers)
  run("${work}/build/consumer_jit")
endif()
