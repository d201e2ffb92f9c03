# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a package has besides the headers and the programs: man pages, shell completion. And CPack's
# settings: `cpack -G TGZ` and `cpack -G DEB` in a build folder pack what `cmake --install` installs.

# A man page of each program, written from its --help. help2man runs the program.
find_program(MMM_HELP2MAN help2man DOC "Writes the man pages; they are left out without it")
find_program(MMM_GZIP gzip DOC "Compresses the man pages")
mark_as_advanced(MMM_HELP2MAN MMM_GZIP)

set(mmm_man_pages)
# mmm_man_page(<page> <what it does> <target> [<subcommand>])
function(mmm_man_page page about target)
  if(NOT MMM_HELP2MAN OR NOT MMM_GZIP OR CMAKE_CROSSCOMPILING OR NOT TARGET ${target})
    return()
  endif()
  string(JOIN " " command "$<TARGET_FILE:${target}>" ${ARGN})
  set(file "${PROJECT_BINARY_DIR}/man/${page}.1")
  # A page is listed (whatis) by its own name, which has no space.
  string(JOIN " " listed ${target} ${ARGN})
  add_custom_command(
    OUTPUT "${file}.gz"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/man"
    COMMAND "${MMM_HELP2MAN}" --no-info "--name=${about}" "--version-string=${PROJECT_VERSION}" "--output=${file}" "${command}"
    COMMAND sed -i "s/^${listed} [\\]- /${page} \\\\- /" "${file}"
    COMMAND "${MMM_GZIP}" -9nf "${file}"
    DEPENDS ${target} VERBATIM)
  list(APPEND mmm_man_pages "${file}.gz")
  set(mmm_man_pages "${mmm_man_pages}" PARENT_SCOPE)
endfunction()

mmm_man_page(mmm-explore "cost and bounds of an algorithm on a memory machine" mmm-explore)
mmm_man_page(mmm-explore-pattern "cost of an index expression" mmm-explore pattern)
mmm_man_page(mmm-explore-layout "where a layout's elements lie" mmm-explore layout)
mmm_man_page(mmm-explore-choose-layout "the layout of a tile that costs least" mmm-explore choose-layout)
mmm_man_page(mmm-explore-emit "the quickest kernel for a problem as a CUDA file" mmm-explore emit)
mmm_man_page(mmm-explore-random-shift "expected bank conflicts of randomly shifted rows" mmm-explore random-shift)
mmm_man_page(mmm-explore-figure "figures of the papers on memory machines" mmm-explore figure)
mmm_man_page(mmm-replay "what recorded requests cost a GPU's memories" mmm-replay)
mmm_man_page(mmm-run "runs a CUDA program without a GPU" mmm-run)

if(mmm_man_pages)
  add_custom_target(mmm_manual ALL DEPENDS ${mmm_man_pages})
  install(FILES ${mmm_man_pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT mmm_tools)
endif()

# Completion asks the programs for their options. bash looks for a file of the command's name.
# Below /usr, zsh's folder for packages is another than that for what is built here.
set(mmm_zsh_completions "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(mmm_zsh_completions "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
endif()
foreach(program IN ITEMS mmm-explore mmm-replay mmm-run)
  install(FILES "${PROJECT_SOURCE_DIR}/tool/completion/mmm.bash" RENAME "${program}"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT mmm_tools)
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/tool/completion/_mmm" DESTINATION "${mmm_zsh_completions}" COMPONENT mmm_tools)

# A Debian package has its licence here, without the text that each Debian system has.
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" mmm_license)
string(REGEX MATCH "As an exception, .*" mmm_exceptions "${mmm_license}")
string(STRIP "${mmm_exceptions}" mmm_exceptions)
string(REGEX REPLACE "\n\n" "\n.\n" mmm_exceptions "${mmm_exceptions}")
string(REGEX REPLACE "\n" "\n " mmm_exceptions "${mmm_exceptions}")
configure_file("${PROJECT_SOURCE_DIR}/packaging/debian/copyright.in" "${PROJECT_BINARY_DIR}/copyright" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/copyright" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT mmm_tools)

set(CPACK_PACKAGE_CONTACT "the developers of mmm")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "exact costs of GPU memory accesses at compile time")
set(CPACK_PACKAGE_DESCRIPTION
    "Headers of the C++20 library mmm, and its programs: mmm-explore, mmm-replay
and mmm-run. They compute what the memory accesses of a parallel algorithm
or of a CUDA kernel cost: bank conflicts, wavefronts, sectors, and exact
times on the machines of the literature.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_MONOLITHIC_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
