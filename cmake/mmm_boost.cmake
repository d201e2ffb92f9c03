# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Defines the target Boost::headers for the headers of Boost.Hana, through Boost's own package
# files, or else wherever the headers are found. Tests, mmm-explore, <mmm/space.hpp> and <mmm/emit.hpp> use them;
# the rest of the library does not. With
# mmm_boost_is_optional the target is not defined where they are missing.

if(NOT TARGET Boost::headers)
  find_package(Boost 1.81 CONFIG QUIET)
endif()

if(NOT TARGET Boost::headers)
  find_path(MMM_BOOST_INCLUDE_DIR boost/hana/version.hpp DOC "Folder that holds boost/hana")
  mark_as_advanced(MMM_BOOST_INCLUDE_DIR)
  if(MMM_BOOST_INCLUDE_DIR)
    add_library(Boost::headers INTERFACE IMPORTED)
    set_target_properties(Boost::headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${MMM_BOOST_INCLUDE_DIR}")
  elseif(NOT mmm_boost_is_optional)
    message(FATAL_ERROR "mmm: Boost.Hana's headers (Boost 1.81 or newer) were not found. On Debian: libboost1.81-dev. "
                        "Elsewhere set Boost_DIR or MMM_BOOST_INCLUDE_DIR.")
  endif()
endif()
