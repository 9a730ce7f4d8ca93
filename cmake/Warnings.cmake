# Warnings and instrumentation, the same for every target of ours. Headers of packages come in as
# system headers and are not warned about.
add_compile_options(
  -Wall
  -Wextra
  -Wconversion
  -Wsign-conversion
  -Wshadow
  -Wnon-virtual-dtor
  -Wold-style-cast
  -Wdouble-promotion)
# GCC 12 warns about overlapping copies inside its own std::string where there are none (PR 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)
endif()
# In a unity build every source is an included file, and GCC takes a class there that holds something of
# an anonymous namespace for one of a header.
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-subobject-linkage)
endif()
if(TARE_WERROR)
  add_compile_options(-Werror)
endif()

# Paths in messages (assertions name their file) and in debug information start at the repository, so
# that the program does not depend on where it was built. (Coverage reports look the files up.)
if(NOT TARE_COVERAGE)
  # ccache may rewrite them to start at the build tree before the compiler sees them.
  file(RELATIVE_PATH to_source "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}")
  string(REGEX REPLACE "/$" "" to_source "${to_source}")
  add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=" "-ffile-prefix-map=${to_source}/=")
endif()

if(TARE_SANITIZE)
  add_compile_options("-fsanitize=${TARE_SANITIZE}" -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options("-fsanitize=${TARE_SANITIZE}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The checks that a sanitizer inserts confuse this warning; the other presets keep it.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
endif()
if(TARE_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
