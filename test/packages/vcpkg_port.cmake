# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D port= -D packages= -D build= -D compiler= -P vcpkg_port.cmake
# Runs a port without vcpkg: its functions are replaced by what their documentation says they do, for
# a package of headers.
set(CURRENT_PACKAGES_DIR "${packages}")
get_filename_component(PORT "${port}" NAME)

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${arg_SOURCE_PATH}" -B "${build}" -G Ninja "-DCMAKE_INSTALL_PREFIX=${packages}"
            "-DCMAKE_CXX_COMPILER=${compiler}" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib
            -DCMAKE_ERROR_ON_ABSOLUTE_INSTALL_DESTINATION=ON ${arg_OPTIONS}
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_install)
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" --target install COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Moves the package files to share/<port>, two levels below the prefix.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
  file(GLOB files "${packages}/${arg_CONFIG_PATH}/*.cmake")
  file(COPY ${files} DESTINATION "${packages}/share/${PORT}")
  get_filename_component(parent "${arg_CONFIG_PATH}" DIRECTORY) # share/cmake
  file(REMOVE_RECURSE "${packages}/${parent}")
  file(GLOB files "${packages}/share/${PORT}/*.cmake")
  foreach(file IN LISTS files)
    file(READ "${file}" text)
    string(REPLACE "\${CMAKE_CURRENT_LIST_DIR}/../../../" "\${CMAKE_CURRENT_LIST_DIR}/../../" text "${text}")
    set(up "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\n")
    string(REPLACE "${up}${up}${up}" "${up}${up}" text "${text}")
    file(WRITE "${file}" "${text}")
  endforeach()
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(INSTALL ${arg_FILE_LIST} DESTINATION "${packages}/share/${PORT}" RENAME copyright)
endfunction()

include("${port}/portfile.cmake")
