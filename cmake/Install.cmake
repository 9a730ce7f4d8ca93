# cmake --install: bin/tare, lib/libduckdb.so, manual, completions, documents.
#
# The program finds its library by $ORIGIN/../lib, so the installed tree can be moved.
include(GNUInstallDirs)

# lib, not Debian's lib/<triplet>: the path from bin/ is part of the program.
set(tare_libdir lib)

if(TARGET tare)
  # One path for both trees, since CMake otherwise pads the build tree's with empty entries, which mean
  # the current folder: a folder of exports must not be able to bring a library.
  set_target_properties(tare PROPERTIES
    BUILD_WITH_INSTALL_RPATH ON
    INSTALL_RPATH "$ORIGIN/../${tare_libdir};$ORIGIN")
  install(TARGETS tare RUNTIME DESTINATION bin)
endif()
install(PROGRAMS "${TARE_DUCKDB_LIBRARY}" DESTINATION "${tare_libdir}")
install(FILES "${TARE_DUCKDB_ROOT}/LICENSE" DESTINATION share/doc/tare RENAME LICENSE.duckdb OPTIONAL)

# The manual and the completions are printed by the program, from its table of flags.
# print_and_install(<folder> <file name> <argument>...)
function(print_and_install folder name)
  list(JOIN ARGN " " arguments)
  install(CODE "
    execute_process(COMMAND \"$<TARGET_FILE:tare>\" ${arguments}
                    OUTPUT_FILE \"${PROJECT_BINARY_DIR}/printed/${name}\" COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES "${PROJECT_BINARY_DIR}/printed/${name}" DESTINATION "${folder}")
endfunction()

if(TARGET tare AND NOT CMAKE_CROSSCOMPILING)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/printed")
  print_and_install(share/man/man1 tare.1 man)
  print_and_install(share/bash-completion/completions tare completions bash)
  print_and_install(share/zsh/site-functions _tare completions zsh)
  print_and_install(share/fish/vendor_completions.d tare.fish completions fish)
endif()

foreach(file README.md LICENSE NOTICE CHANGELOG.md)
  install(FILES "${PROJECT_SOURCE_DIR}/${file}" DESTINATION share/doc/tare OPTIONAL)
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/" DESTINATION share/doc/tare/docs OPTIONAL
        FILES_MATCHING PATTERN "*.md")
