# sources -- the sources of the commit as one archive, which has the same bytes whoever makes it.
#
#     cmake -D output=FILE.tar.gz -D version=VERSION -P packaging/sources.cmake
find_program(git git REQUIRED)
find_program(gzip gzip REQUIRED)
get_filename_component(source ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
string(REGEX REPLACE "\\.gz$" "" tar ${output})
execute_process(COMMAND ${git} -c tar.umask=0022 archive --format=tar --prefix=pendula-${version}/ --output=${tar} HEAD
                WORKING_DIRECTORY ${source} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${gzip} -9nf ${tar} COMMAND_ERROR_IS_FATAL ANY)
message("${output}")
