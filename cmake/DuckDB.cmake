# duckdb::duckdb: the official prebuilt library and its C header, as tools/setup fetched them.
#
# The library is put beside our programs in the build tree, and they find it by $ORIGIN: neither the
# build tree nor an installed tree depends on an absolute path.
set(TARE_DUCKDB_VERSION 1.5.5)
set(TARE_DUCKDB_ROOT "${PROJECT_SOURCE_DIR}/.deps/duckdb-${TARE_DUCKDB_VERSION}"
    CACHE PATH "Folder that holds libduckdb.so and duckdb.h")

foreach(file libduckdb.so duckdb.h)
  if(NOT EXISTS "${TARE_DUCKDB_ROOT}/${file}")
    message(FATAL_ERROR "DuckDB: '${TARE_DUCKDB_ROOT}/${file}' is missing; run tools/setup, or set "
                        "TARE_DUCKDB_ROOT to a folder that holds libduckdb.so and duckdb.h")
  endif()
endforeach()

# A hard link where the file system allows it: the library has 70 MB, and there are six presets.
set(TARE_DUCKDB_LIBRARY "${PROJECT_BINARY_DIR}/libduckdb.so")
if("${TARE_DUCKDB_ROOT}/libduckdb.so" IS_NEWER_THAN "${TARE_DUCKDB_LIBRARY}")
  file(REMOVE "${TARE_DUCKDB_LIBRARY}")
  file(CREATE_LINK "${TARE_DUCKDB_ROOT}/libduckdb.so" "${TARE_DUCKDB_LIBRARY}" COPY_ON_ERROR)
endif()

add_library(duckdb::duckdb SHARED IMPORTED GLOBAL)
set_target_properties(duckdb::duckdb PROPERTIES
  IMPORTED_LOCATION "${TARE_DUCKDB_LIBRARY}"
  IMPORTED_SONAME libduckdb.so
  INTERFACE_INCLUDE_DIRECTORIES "${TARE_DUCKDB_ROOT}")
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

# A store file written by one version may be refused by another, so the version is checked here by
# asking the library itself, once a library; the header has no version in it.
file(TIMESTAMP "${TARE_DUCKDB_ROOT}/libduckdb.so" duckdb_stamp)
if(NOT CMAKE_CROSSCOMPILING AND NOT TARE_DUCKDB_CHECKED STREQUAL "${TARE_DUCKDB_ROOT} ${duckdb_stamp}")
  # The result is cached under a name that this condition replaces.
  unset(TARE_DUCKDB_RUNS CACHE)
  file(WRITE "${PROJECT_BINARY_DIR}/duckdb_version.c"
       "#include <stdio.h>\n#include \"duckdb.h\"\n"
       "int main(void) { return fputs(duckdb_library_version(), stdout) < 0; }\n")
  try_run(TARE_DUCKDB_RUNS TARE_DUCKDB_COMPILES
          "${PROJECT_BINARY_DIR}/duckdb_version" "${PROJECT_BINARY_DIR}/duckdb_version.c"
          CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${TARE_DUCKDB_ROOT}"
                      "-DCMAKE_BUILD_RPATH=${TARE_DUCKDB_ROOT}"
          LINK_LIBRARIES "${TARE_DUCKDB_ROOT}/libduckdb.so"
          COMPILE_OUTPUT_VARIABLE duckdb_compile_output
          RUN_OUTPUT_VARIABLE duckdb_version)
  if(NOT TARE_DUCKDB_COMPILES OR NOT TARE_DUCKDB_RUNS EQUAL 0)
    message(FATAL_ERROR "DuckDB: a program with '${TARE_DUCKDB_ROOT}/libduckdb.so' does not build or "
                        "run on this system:\n${duckdb_compile_output}\n${duckdb_version}")
  endif()
  if(NOT duckdb_version STREQUAL "v${TARE_DUCKDB_VERSION}")
    message(FATAL_ERROR "DuckDB: '${TARE_DUCKDB_ROOT}' holds ${duckdb_version}, and tare needs "
                        "v${TARE_DUCKDB_VERSION}")
  endif()
  set(TARE_DUCKDB_CHECKED "${TARE_DUCKDB_ROOT} ${duckdb_stamp}" CACHE INTERNAL "")
endif()
