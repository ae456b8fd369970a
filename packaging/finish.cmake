# finish -- completes the folders of the Debian packages before they are packed: changelogs, compressed pages, bytes that repeat.
#
# CPack runs it once, when all components are installed below their own folders.
find_program(gzip gzip REQUIRED)
function(compress path)
  execute_process(COMMAND ${gzip} -9nf ${path} COMMAND_ERROR_IS_FATAL ANY)
  file(CHMOD ${path}.gz PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endfunction()

# The day of the sources, unless SOURCE_DATE_EPOCH names another: packages of the same sources have the same bytes.
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND date -u -d ${CPACK_PENDULA_DAY} +%s OUTPUT_VARIABLE seconds OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(ENV{SOURCE_DATE_EPOCH} ${seconds})
endif()
string(TIMESTAMP day "%a, %d %b %Y %H:%M:%S +0000" UTC)

# The manual as a site, where Sphinx and its parser of Markdown are installed.
set(site ${CPACK_TEMPORARY_DIRECTORY}/pendula-doc/usr/share/doc/pendula-doc/html)
execute_process(COMMAND ${CPACK_PENDULA_PYTHON} -c "import myst_parser, sphinx" RESULT_VARIABLE lacks OUTPUT_QUIET ERROR_QUIET)
if(lacks)
  message(STATUS "pendula-doc has no site: install Sphinx and its parser of Markdown (Debian: python3-myst-parser)")
else()
  execute_process(COMMAND ${CPACK_PENDULA_PYTHON} ${CPACK_PENDULA_SITE} ${site} COMMAND_ERROR_IS_FATAL ANY)
endif()

foreach(package ${CPACK_COMPONENTS_ALL})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${package}/usr)
  set(doc ${root}/share/doc/${package})
  configure_file(${CPACK_PENDULA_CHANGELOG} ${doc}/changelog COPYONLY)
  configure_file(${CPACK_PENDULA_DEBIAN}/changelog.in ${doc}/changelog.Debian @ONLY)
  compress(${doc}/changelog)
  compress(${doc}/changelog.Debian)
  file(GLOB pages ${root}/share/man/man*/*.[1-9])
  foreach(page ${pages})
    compress(${page})
  endforeach()
endforeach()

# Folders, and the files of the site, have the permissions of packages whatever the mask of whoever makes them.
file(GLOB_RECURSE entries LIST_DIRECTORIES true ${CPACK_TEMPORARY_DIRECTORY}/*)
foreach(entry ${entries})
  if(IS_DIRECTORY ${entry} AND NOT IS_SYMLINK ${entry})
    file(CHMOD ${entry} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  elseif(entry MATCHES "/doc/pendula-doc/html/")
    file(CHMOD ${entry} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  endif()
endforeach()
