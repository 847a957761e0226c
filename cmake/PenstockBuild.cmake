# SPDX-License-Identifier: Apache-2.0
# What every target is built with, and the functions that make a room, a plugin and a unit test.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

find_program(PENSTOCK_CCACHE ccache)
if(PENSTOCK_CCACHE) # sloppiness: what ccache needs to know a precompiled header by its contents
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${PENSTOCK_CCACHE}")
endif()

add_library(penstock-options INTERFACE)
target_compile_options(penstock-options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                       -Wnon-virtual-dtor -Woverloaded-virtual -Wno-missing-field-initializers)
# GCC 12 sees overlapping memory in "/" + std::string{x} at -O3, where there is none (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(penstock-options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(PENSTOCK_WERROR)
  target_compile_options(penstock-options INTERFACE -Werror)
endif()
if(PENSTOCK_SANITIZE)
  # Not optimised: with -O2 a file takes four to six times as long to compile.
  target_compile_options(penstock-options INTERFACE -O0 -fsanitize=address,undefined -fno-sanitize-recover=all
                         -fno-omit-frame-pointer)
  target_link_options(penstock-options INTERFACE -fsanitize=address,undefined)
endif()

# A command that runs for milliseconds should not spend them in the dynamic linker: the C++ runtime is linked into the
# program and into each plugin (whose only exported symbol is its entry), and so is {fmt}. Measured: 2.2 ms
# of processor time for `penstock --version` became 1.0 ms.
add_library(penstock-runtime INTERFACE)
if(NOT PENSTOCK_SANITIZE)
  target_link_options(penstock-runtime INTERFACE -static-libstdc++ -static-libgcc)
endif()

# Boost, {fmt} and the standard library are five of the six seconds that a file takes to compile: they are read once. Each
# file includes what it uses all the same; -DPENSTOCK_PRECOMPILE=OFF proves it. GCC forgets that what it inlines from there
# is the standard library's, and warns of it.
option(PENSTOCK_PRECOMPILE "Precompile the headers of libraries" ON)
set(PENSTOCK_LIBRARY_HEADERS <boost/json.hpp> <boost/system/result.hpp> <fmt/format.h> <fmt/ranges.h> <algorithm> <array> <chrono>
    <map> <memory> <optional> <set> <span> <string> <thread> <variant> <vector>)
# penstock_precompile(TARGET [HEADER...]): with headers, those for this target alone; else the ones all rooms share.
function(penstock_precompile target)
  if(NOT PENSTOCK_PRECOMPILE)
    return()
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -Wno-stringop-overflow -Wno-array-bounds)
  endif()
  if(ARGN)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    return()
  endif()
  if(NOT TARGET penstock-precompiled)
    file(WRITE "${PROJECT_BINARY_DIR}/precompiled.cpp" "")
    add_library(penstock-precompiled STATIC "${PROJECT_BINARY_DIR}/precompiled.cpp")
    target_link_libraries(penstock-precompiled PRIVATE penstock-options $<$<VERSION_GREATER_EQUAL:${fmt_VERSION},10>:fmt::fmt>)
    target_compile_options(penstock-precompiled PRIVATE -fpch-preprocess)
    target_precompile_headers(penstock-precompiled PRIVATE ${PENSTOCK_LIBRARY_HEADERS})
  endif()
  target_compile_options(${target} PRIVATE -fpch-preprocess)
  target_precompile_headers(${target} REUSE_FROM penstock-precompiled)
endfunction()

# A room: core/NAME as a static library. Its headers are seen as "NAME/x.hpp", and only by targets that name it as a
# dependency: each room has an include directory of its own that holds nothing but a link to the folder.
function(penstock_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
  set(include "${PROJECT_BINARY_DIR}/rooms/${name}")
  file(MAKE_DIRECTORY "${include}")
  file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}" "${include}/${name}" SYMBOLIC)
  add_library(penstock-${name} STATIC ${ARG_SOURCES})
  target_include_directories(penstock-${name} PUBLIC "${include}")
  target_link_libraries(penstock-${name} PUBLIC ${ARG_USES} PRIVATE penstock-options)
  penstock_precompile(penstock-${name})
endfunction()

# A plugin: plugins/NAME as NAME.so with its manifest beside it. It sees the SDK and what is named here, nothing of core.
# Its code is also a static library, penstock-plugin-NAME-code, for its unit tests.
set(PENSTOCK_PLUGIN_DIR "${CMAKE_INSTALL_LIBDIR}/penstock/plugins")
set(PENSTOCK_PLUGIN_MAP "${PROJECT_SOURCE_DIR}/sdk/penstock-plugin.map")
include("${PROJECT_SOURCE_DIR}/sdk/cmake/PenstockPlugin.cmake")
function(penstock_plugin name)
  cmake_parse_arguments(ARG "" "ENTRY" "SOURCES;USES" ${ARGN})
  add_library(penstock-plugin-${name}-code STATIC ${ARG_SOURCES})
  target_include_directories(penstock-plugin-${name}-code PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(penstock-plugin-${name}-code PUBLIC PenstockSDK::headers ${ARG_USES} PRIVATE penstock-options)
  penstock_add_plugin(penstock-plugin-${name} SOURCES ${ARG_ENTRY} MANIFEST ${name}.penstock.toml
                      USES penstock-plugin-${name}-code penstock-options penstock-runtime)
  set_target_properties(penstock-plugin-${name} PROPERTIES OUTPUT_NAME ${name}
                        LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/plugins")
endfunction()

# A unit test program: tests/unit/NAME, linked with Catch2's main.
function(penstock_unit_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
  add_executable(unit-${name} ${ARG_SOURCES})
  target_link_libraries(unit-${name} PRIVATE penstock-catch ${ARG_USES} penstock-options)
  target_compile_options(unit-${name} PRIVATE -O0) # assertions need no optimising, and compile in half the time
  penstock_precompile(unit-${name} "${PROJECT_SOURCE_DIR}/tests/unit/support/catch.hpp")
  target_compile_definitions(unit-${name} PRIVATE PENSTOCK_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
  add_test(NAME unit-${name} COMMAND unit-${name})
endfunction()
