# SPDX-License-Identifier: Apache-2.0
# Every package that Penstock uses, found in one place.

set(Boost_NO_WARN_NEW_VERSIONS ON)
set(Boost_USE_STATIC_LIBS ON) # a command that runs for milliseconds should not spend them in the dynamic linker
find_package(Boost 1.81 REQUIRED COMPONENTS program_options filesystem)
find_package(fmt REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(Threads REQUIRED)
set(ZLIB_USE_STATIC_LIBS ON) # as Boost
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
if(PENSTOCK_TESTS)
  find_package(Catch2 REQUIRED)
endif()
