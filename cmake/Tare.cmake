# The four things a folder of src/ says in its CMakeLists.txt:
#
#   tare_library(ledger SOURCES posting.cc split.cc LINKS store timeline)
#   tare_embed(ledger audit.sql audit_sql)
#   tare_tests(ledger posting_test.cc split_test.cc)
#
# and fuzz/ says
#
#   tare_fuzzer(decimal_text SOURCES decimal_text.cc LINKS base)

# tare_library(<folder> [SOURCES <file>...] [LINKS <folder>...] [PACKAGES <target>...]
#              [PRIVATE_PACKAGES <target>...])
#
# The static library tare_<folder>. LINKS are the folders its files may include, and are passed on, as
# are PACKAGES, whose headers our headers include. PRIVATE_PACKAGES are seen by this folder's own files
# only: that is how duckdb.h stays in src/store.
# Without sources (headers only) it is an INTERFACE library, so that a new room can be linked at once.
function(tare_library folder)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS;PACKAGES;PRIVATE_PACKAGES" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tare_library(${folder}): '${arg_UNPARSED_ARGUMENTS}' is not understood")
  endif()
  set(target "tare_${folder}")
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE_PACKAGES})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} "${PROJECT_SOURCE_DIR}/src")
  list(TRANSFORM arg_LINKS PREPEND "tare_")
  target_link_libraries(${target} ${scope} ${arg_LINKS} ${arg_PACKAGES})
endfunction()

# tare_embed(<folder> <file> <symbol>)
#
# Puts the bytes of <file> (.sql, .csv, .json, ...) into tare_<folder>, which must have sources. They
# are read by
#
#   #include "embedded/<folder>.h"
#   std::string_view text = tare::embedded::<symbol>();
#
# .incbin is byte-exact under GCC and Clang, and costs no compile time whatever the size.
function(tare_embed folder file symbol)
  set(target "tare_${folder}")
  get_filename_component(path "${file}" ABSOLUTE)
  if(NOT EXISTS "${path}")
    message(FATAL_ERROR "tare_embed(${folder}): '${file}' does not exist")
  endif()
  get_target_property(symbols ${target} TARE_EMBEDDED)
  if(NOT symbols)
    set(symbols "")
    target_include_directories(${target} PUBLIC "${PROJECT_BINARY_DIR}/generated")
  endif()
  if(symbol IN_LIST symbols)
    message(FATAL_ERROR "tare_embed(${folder}): '${symbol}' is already taken")
  endif()
  list(APPEND symbols "${symbol}")
  set_target_properties(${target} PROPERTIES TARE_EMBEDDED "${symbols}")

  set(header "${PROJECT_BINARY_DIR}/generated/embedded/${folder}.h")
  set(declarations "")
  foreach(name IN LISTS symbols)
    string(APPEND declarations "std::string_view ${name}();\n")
  endforeach()
  file(CONFIGURE OUTPUT "${header}" @ONLY CONTENT
"// Files that tare_embed put into tare_@folder@, byte for byte.
#pragma once

#include <string_view>

namespace tare::embedded {

@declarations@
}  // namespace tare::embedded
")

  set(source "${PROJECT_BINARY_DIR}/generated/embedded/${folder}_${symbol}.cc")
  set(label "tare_embedded_${folder}_${symbol}")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
"#include \"embedded/@folder@.h\"

// A section of its own in read-only data; the labels stay inside the linked program.
__asm__(
    \".pushsection .rodata.@label@,\\\"a\\\"\\n\"
    \".global @label@_begin\\n.hidden @label@_begin\\n\"
    \".global @label@_end\\n.hidden @label@_end\\n\"
    \"@label@_begin:\\n\"
    \".incbin \\\"@path@\\\"\\n\"
    \"@label@_end:\\n\"
    \".byte 0\\n\"
    \".popsection\\n\");

extern \"C\" {
extern const char @label@_begin[];
extern const char @label@_end[];
}

std::string_view tare::embedded::@symbol@() { return {@label@_begin, @label@_end}; }
")
  # Alone: of a source that is built among others CMake forgets what its object depends on.
  set_source_files_properties("${source}" PROPERTIES
    OBJECT_DEPENDS "${path}" SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE "${source}")
endfunction()

# What the tests need, as TARE_TESTS says. Sets TARE_TESTS_ENABLED.
macro(tare_find_test_packages)
  set(TARE_TESTS_ENABLED OFF)
  set(need REQUIRED)
  if(TARE_TESTS STREQUAL "AUTO")
    set(need QUIET)
  endif()
  if(TARE_TESTS)
    find_package(GTest ${need})
    find_package(rapidcheck ${need})
    find_package(Python3 ${need} COMPONENTS Interpreter)
  endif()
  if(TARE_TESTS AND GTest_FOUND AND rapidcheck_FOUND AND Python3_FOUND)
    include(GoogleTest)
    set(TARE_TESTS_ENABLED ON)
  endif()
endmacro()

# tare_tests(<folder> <file>_test.cc... [LINKS <folder>...])
#
# One program tests/tare_<folder>_test with the unit and property tests of a folder, one ctest test a
# TEST. A suite whose name holds "Thread" also runs under the thread sanitizer. One whose name holds
# "Child" is no test of its own: another test starts it, to kill it or to fill its disk.
function(tare_tests folder)
  cmake_parse_arguments(arg "" "" "LINKS" ${ARGN})
  if(NOT TARE_TESTS_ENABLED OR NOT arg_UNPARSED_ARGUMENTS)
    return()
  endif()
  set(target "tare_${folder}_test")
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  list(TRANSFORM arg_LINKS PREPEND "tare_")
  target_link_libraries(${target} PRIVATE
    "tare_${folder}" ${arg_LINKS} rapidcheck_gtest rapidcheck GTest::gtest GTest::gtest_main)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  # What is tested is optimised; optimising what tests it takes twice the time of compiling it.
  target_compile_options(${target} PRIVATE -O0)
  # PRE_TEST: the tests are listed when they run, so a build needs to run nothing. They run in the
  # source tree, as their worlds stand there.
  gtest_discover_tests(${target}
    DISCOVERY_MODE PRE_TEST
    TEST_PREFIX "${folder}."
    TEST_FILTER "-*Child.*"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT 300 LABELS unit)
endfunction()

add_custom_target(fuzzers)  # all of them, without the program

# tare_fuzzer(<name> SOURCES <file>... [LINKS <folder>...])
#
# With TARE_FUZZ the libFuzzer program fuzz/<name>. Otherwise the same code behind a main that replays
# the files of fuzz/corpus/<name>, as the test fuzz.<name>: under GCC too, and in every test run.
function(tare_fuzzer name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  if(NOT TARE_FUZZ AND NOT TARE_TESTS_ENABLED)
    return()
  endif()
  set(target "fuzz_${name}")
  list(TRANSFORM arg_LINKS PREPEND "tare_")
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_LINKS})
  add_dependencies(fuzzers ${target})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME "${name}" RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
  if(TARE_FUZZ)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/fuzz/replay.cc")
    add_test(NAME "fuzz.${name}" COMMAND ${target} "${PROJECT_SOURCE_DIR}/fuzz/corpus/${name}")
    set_tests_properties("fuzz.${name}" PROPERTIES LABELS fuzz-replay TIMEOUT 120)
  endif()
endfunction()
