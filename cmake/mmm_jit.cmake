# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For <mmm/jit.hpp>: finds the headers of Boost.Hana and of CUDA. Programs load the driver and NVRTC at run time, and
# link neither. Sets mmm_jit_missing to what is not found. Sources and installed copies use this file.

set(mmm_boost_is_optional ON)
include("${CMAKE_CURRENT_LIST_DIR}/mmm_boost.cmake")
unset(mmm_boost_is_optional)

find_path(MMM_CUDA_HEADERS vector_types.h HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES include
          DOC "The folder of CUDA's headers; mmm::jit and the tests of CuTe need them")
mark_as_advanced(MMM_CUDA_HEADERS)

set(mmm_jit_missing "")
foreach(header IN ITEMS cuda.h nvrtc.h)
  if(NOT EXISTS "${MMM_CUDA_HEADERS}/${header}")
    set(mmm_jit_missing "CUDA's ${header} (set MMM_CUDA_HEADERS to its folder)")
  endif()
endforeach()
if(NOT TARGET Boost::headers)
  set(mmm_jit_missing "Boost.Hana's headers (set Boost_DIR or MMM_BOOST_INCLUDE_DIR)")
endif()

# mmm_describe_jit(<target>): what mmm::jit adds to mmm::mmm. Folders instead of Boost::headers, which is known in one
# directory only.
function(mmm_describe_jit target)
  get_target_property(boost_folders Boost::headers INTERFACE_INCLUDE_DIRECTORIES)
  target_link_libraries(${target} INTERFACE mmm::mmm ${CMAKE_DL_LIBS})
  target_include_directories(${target} SYSTEM INTERFACE "${MMM_CUDA_HEADERS}" ${boost_folders})
endfunction()
