# packages -- the archive of the sources, and five Debian packages.
#
# `cmake --build build --target dist` leaves the archive in build/, `cmake --build build --target package` the .deb files.
# Each component of the installation is a package. What Debian wants of packages and `cmake --install` does not make, compressed pages
# and changelogs among it, is made by finish.cmake. The package of Python's module finds the library of libpendula0.
set(PENDULA_CONTACT "The Pendula developers <pendula@localhost>" CACHE STRING "Who maintains the Debian packages: Name <address>")

if(GIT_FOUND AND EXISTS ${CMAKE_SOURCE_DIR}/.git)
  add_custom_target(dist COMMAND ${CMAKE_COMMAND} -D output=${CMAKE_BINARY_DIR}/pendula-${PROJECT_VERSION}.tar.gz
                                 -D version=${PROJECT_VERSION} -P ${CMAKE_SOURCE_DIR}/packaging/sources.cmake VERBATIM)
endif()

install(DIRECTORY host/python/pendula DESTINATION lib/python3/dist-packages COMPONENT python3-pendula EXCLUDE_FROM_ALL
        PATTERN __pycache__ EXCLUDE)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "${PENDULA_CONTACT}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL pendula libpendula0 libpendula-dev python3-pendula pendula-doc)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/packaging/finish.cmake)
set(CPACK_PENDULA_DAY ${version_day})
set(CPACK_PENDULA_CHANGELOG ${CMAKE_SOURCE_DIR}/CHANGELOG.md)
set(CPACK_PENDULA_PYTHON ${PENDULA_PYTHON})
set(CPACK_PENDULA_SITE ${CMAKE_SOURCE_DIR}/docs/site/build.py)
set(CPACK_PENDULA_DEBIAN ${CMAKE_SOURCE_DIR}/packaging/debian)

# A package: its synopsis, and what it has of the whole.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
function(describe package synopsis has)
  string(TOUPPER ${package} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${package} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${synopsis}
Pendula integrates a mechanical system for every combination of
parameters, as OpenCL kernels, and writes one HDF5 file with a status
and metrics for each.
.
This package has ${has}." PARENT_SCOPE)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} RENAME copyright COMPONENT ${package} EXCLUDE_FROM_ALL)
endfunction()
describe(pendula "parameter sweeps of small mechanical systems on OpenCL devices"
         "the program, its manual pages, completion for\nshells, and sweep files")
describe(libpendula0 "parameter sweeps of mechanical systems - shared library"
         "the shared library, for programs in C and for\nPython")
describe(libpendula-dev "parameter sweeps of mechanical systems - development files"
         "the header, the archive, and the files for\npkg-config and CMake")
describe(python3-pendula "parameter sweeps of mechanical systems - Python module" "the module for Python")
describe(pendula-doc "parameter sweeps of mechanical systems - pages for users" "the pages for users, as Markdown and,\nwhere it was built with Sphinx, as a site")

set(exact "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(CPACK_DEBIAN_PENDULA_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd, gnuplot-nox | gnuplot")
set(CPACK_DEBIAN_PENDULA_PACKAGE_SUGGESTS "pendula-doc, gcc | clang")
set(CPACK_DEBIAN_LIBPENDULA0_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_LIBPENDULA0_PACKAGE_SECTION libs)
# pkg-config looks for all that the archive links, also where nobody links it.
set(CPACK_DEBIAN_LIBPENDULA-DEV_PACKAGE_DEPENDS
    "libpendula0 ${exact}, libhdf5-dev, liblapacke-dev, libyaml-dev, ocl-icd-opencl-dev | opencl-dev, zlib1g-dev")
set(CPACK_DEBIAN_LIBPENDULA-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBPENDULA-DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON3-PENDULA_PACKAGE_DEPENDS "libpendula0 ${exact}, python3:any, python3-numpy")
set(CPACK_DEBIAN_PYTHON3-PENDULA_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON3-PENDULA_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON3-PENDULA_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PENDULA-DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_PENDULA-DOC_PACKAGE_ARCHITECTURE all)

# What dpkg-shlibdeps asks of programs that link the library, and what ldconfig is run after.
configure_file(packaging/debian/shlibs.in ${CMAKE_BINARY_DIR}/packaging/shlibs @ONLY)
configure_file(packaging/debian/libpendula0.symbols ${CMAKE_BINARY_DIR}/packaging/symbols COPYONLY)
configure_file(packaging/debian/triggers ${CMAKE_BINARY_DIR}/packaging/triggers COPYONLY)
foreach(script postinst prerm) # Python's compiled files come and go with the module
  configure_file(packaging/debian/python3-pendula.${script} ${CMAKE_BINARY_DIR}/packaging/${script} COPYONLY)
  list(APPEND CPACK_DEBIAN_PYTHON3-PENDULA_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/packaging/${script})
endforeach()
set(CPACK_DEBIAN_LIBPENDULA0_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/packaging/shlibs ${CMAKE_BINARY_DIR}/packaging/symbols
    ${CMAKE_BINARY_DIR}/packaging/triggers)
include(CPack)
