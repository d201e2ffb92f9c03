# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Install and export rules, so that find_package(mmm) gives mmm::mmm, and find_package(mmm COMPONENTS jit mpi)
# mmm::jit and mmm::mpi, too. The component mmm_library
# needs no build; the component mmm_tools is defined in tool/CMakeLists.txt; `cmake --install`
# installs both.
include(CMakePackageConfigHelpers)

set(mmm_config_dir "${CMAKE_INSTALL_DATADIR}/cmake/mmm")

install(TARGETS mmm EXPORT mmmTargets FILE_SET HEADERS COMPONENT mmm_library)
install(EXPORT mmmTargets NAMESPACE mmm:: DESTINATION "${mmm_config_dir}" COMPONENT mmm_library)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/mmmConfig.cmake.in" "${PROJECT_BINARY_DIR}/mmmConfig.cmake"
                              INSTALL_DESTINATION "${mmm_config_dir}")
# Before 1.0 a new minor version may rename things, hence SameMinorVersion. A package of headers
# only serves every architecture.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/mmmConfigVersion.cmake" COMPATIBILITY SameMinorVersion
                                 ARCH_INDEPENDENT)

install(FILES "${PROJECT_BINARY_DIR}/mmmConfig.cmake" "${PROJECT_BINARY_DIR}/mmmConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/mmm_boost.cmake" "${PROJECT_SOURCE_DIR}/cmake/mmm_jit.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/mmm_mpi.cmake"
        DESTINATION "${mmm_config_dir}" COMPONENT mmm_library)
# For builds without CMake: pkg-config --cflags mmm. It finds the headers from its own place.
foreach(package IN ITEMS mmm mmm-jit)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${package}.pc.in" "${PROJECT_BINARY_DIR}/${package}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${package}.pc" DESTINATION "${CMAKE_INSTALL_DATADIR}/pkgconfig" COMPONENT mmm_library)
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT mmm_library)
