# SPDX-License-Identifier: Apache-2.0
# penstock_add_plugin(NAME SOURCES file... [MANIFEST file] [USES library...])
#
# Makes the target NAME: a loadable NAME.so that exports its entry and nothing else, with its manifest (NAME.penstock.toml
# if none is named) beside it in the build tree, and installs both, as component `plugins`, to PENSTOCK_PLUGIN_DIR.
# The linker map lies beside this file, or where PENSTOCK_PLUGIN_MAP says.

if(NOT DEFINED PENSTOCK_PLUGIN_MAP)
  set(PENSTOCK_PLUGIN_MAP "${CMAKE_CURRENT_LIST_DIR}/penstock-plugin.map")
endif()

function(penstock_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "MANIFEST" "SOURCES;USES")
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_SOURCES)
    message(FATAL_ERROR "penstock_add_plugin(${name}): give SOURCES, and beside it MANIFEST and USES only")
  endif()
  if(NOT ARG_MANIFEST)
    set(ARG_MANIFEST ${name}.penstock.toml)
  endif()
  add_library(${name} MODULE ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE PenstockSDK::headers ${ARG_USES})
  target_link_options(${name} PRIVATE "LINKER:--version-script=${PENSTOCK_PLUGIN_MAP}" LINKER:--no-undefined)
  set_target_properties(${name} PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON LINK_DEPENDS "${PENSTOCK_PLUGIN_MAP}")
  # The manifest is <library without .so>.penstock.toml.
  add_custom_command(TARGET ${name} POST_BUILD COMMAND "${CMAKE_COMMAND}" -E copy_if_different
                     "${CMAKE_CURRENT_SOURCE_DIR}/${ARG_MANIFEST}"
                     "$<TARGET_FILE_DIR:${name}>/$<TARGET_FILE_BASE_NAME:${name}>.penstock.toml" VERBATIM)
  install(TARGETS ${name} LIBRARY DESTINATION "${PENSTOCK_PLUGIN_DIR}" COMPONENT plugins)
  install(FILES "${ARG_MANIFEST}" DESTINATION "${PENSTOCK_PLUGIN_DIR}" COMPONENT plugins
          RENAME "$<TARGET_FILE_BASE_NAME:${name}>.penstock.toml")
endfunction()
